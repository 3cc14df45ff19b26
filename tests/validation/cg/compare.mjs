// Predicts the solves in FOLDER with forerund and prints measured against predicted.
//
//     FORERUND=build/forerund node tests/validation/cg/compare.mjs FOLDER json|petsc
//
// run.sh writes FOLDER: calibration.json, given/ (runs that are uploaded before the second prediction)
// and held/ (other launches of the same solves, which the predictions are compared with).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { client } from "../../api/client.mjs";
import { startDaemon } from "../../daemon.mjs";

const [folder, upload] = process.argv.slice(2);
if (!folder || !["json", "petsc"].includes(upload)) throw new Error("usage: compare.mjs FOLDER json|petsc");

const machine = "/api/v1/machines/here";
const NDJSON = { "content-type": "application/x-ndjson" };

/** The launches of a set: {name, runs}. */
function launches(set) {
    return readdirSync(join(folder, set)).filter((file) => file.endsWith(".ndjson")).sort().map((file) => ({
        name: join(folder, set, file.slice(0, -".ndjson".length)),
        runs: readFileSync(join(folder, set, file), "utf8").trim().split("\n").map(JSON.parse),
    }));
}

const median = (values) => {
    const sorted = [...values].sort((a, b) => a - b), middle = (sorted.length - 1) / 2;
    return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
};

/** A query from parameters: vectors as 20x20x20. */
const query = (parameters) => new URLSearchParams(Object.entries(parameters)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join("x") : String(value)])).toString();

/** Launches grouped by their parameters: {key, parameters, runs}. */
function cases(all) {
    const found = new Map();
    for (const { runs } of all) {
        const key = query(runs[0].parameters);
        if (!found.has(key)) found.set(key, { key, parameters: runs[0].parameters, runs: [] });
        found.get(key).runs.push(...runs);
    }
    return [...found.values()].sort((a, b) => order(a) - order(b));
}

const SOLVERS = ["pcg", "sapcg", "nbpcg", "pipecg", "pipe2cg"];
const rows = ({ parameters }) => parameters.local_grid.reduce((a, b) => a * b);
const order = (one) => (one.parameters.processes_per_node * 1e9 + rows(one)) * 10 + SOLVERS.indexOf(one.parameters.solver);

function expect(answer, what, ...statuses) {
    if (statuses.includes(answer.status)) return answer;
    throw new Error(`${what}: ${answer.status}\n${answer.text.slice(0, 2000)}`);
}

const predict = async (api, key) =>
    expect(await api.get(`/api/v1/predict/cg?machine=here&${key}`), `the prediction of ${key}`, 200).json;

async function uploadRuns(api, token, all, as) {
    for (const { name, runs } of all) {
        const [path, body] = as === "json"
            ? [`${machine}/runs`, runs.map((run) => JSON.stringify(run)).join("\n") + "\n"]
            : [`${machine}/runs?format=petsc&${query(runs[0].parameters)}`, readFileSync(`${name}.csv`, "utf8")];
        expect(await api.post(path, body, { token, headers: as === "json" ? NDJSON : { "content-type": "text/csv" } }),
            `the upload of ${name}`, 200, 201);
    }
}

const percent = (predicted, measured) => `${(100 * (predicted / measured - 1)).toFixed(1)} %`;
const ms = (seconds) => (1e3 * seconds).toFixed(3);
const phaseOf = (breakdown, phase) => breakdown.find((one) => one.phase === phase)?.time_s ?? 0;
const measuredPhase = (one, phase) => median(one.runs.map((run) => phaseOf(run.breakdown, phase)));

function print(title, head, lines) {
    const table = [head, ...lines].map((line) => line.map(String));
    const widths = head.map((_, column) => Math.max(...table.map((line) => line[column].length)));
    console.log(`\n${title}`);
    for (const line of table) console.log(line.map((text, column) => text.padStart(widths[column])).join("  "));
}

const label = ({ parameters }) => [parameters.solver, parameters.processes_per_node, parameters.local_grid.join("x")];

function printTimes(all) {
    print("The solve, milliseconds (measured: median and range of the launches held back)",
        ["solver", "ranks", "local grid", "measured", "range", "roofline", "error", "from runs", "error"],
        all.map((one) => {
            const times = one.runs.map((run) => run.time_s), measured = median(times);
            return [...label(one), ms(measured), `${ms(Math.min(...times))}..${ms(Math.max(...times))}`,
                ms(one.roofline.time_s), percent(one.roofline.time_s, measured),
                ms(one.fromRuns.time_s), percent(one.fromRuns.time_s, measured)];
        }));
    for (const kind of ["roofline", "fromRuns"]) {
        const errors = all.map((one) => Math.abs(one[kind].time_s / median(one.runs.map((run) => run.time_s)) - 1));
        console.log(`${kind === "roofline" ? "roofline " : "from runs"}: median error ${(100 * median(errors)).toFixed(1)} %, ` +
            `worst ${(100 * Math.max(...errors)).toFixed(1)} %`);
    }
}

/** The fraction of the roofline that each kernel reaches: the value for `bandwidth_fraction`. */
function printFractions(all) {
    const fraction = (one, phase) => (phaseOf(one.roofline.breakdown, phase) / measuredPhase(one, phase)).toFixed(2);
    print("Roofline over measured (1: memory bandwidth reached; above 1: data in a cache)",
        ["solver", "ranks", "local grid", "matvec", "preconditioner", "vector"],
        all.map((one) => [...label(one), ...["matvec", "preconditioner", "vector"].map((phase) => fraction(one, phase))]));
}

function printCommunication(all) {
    const us = (seconds, one) => (1e6 * seconds / one.parameters.iterations).toFixed(2);
    const phases = ["allreduce", "halo_exchange", "synchronization"];
    print("Communication, microseconds an iteration: measured / predicted from runs",
        ["solver", "ranks", "local grid", ...phases],
        all.filter((one) => one.parameters.processes_per_node > 1).map((one) => [...label(one), ...phases.map((phase) => {
            const predicted = one.fromRuns.breakdown.find((part) => part.phase === phase);
            return `${us(measuredPhase(one, phase), one)} / ` +
                us((predicted?.time_s ?? 0) - (predicted?.hidden_s ?? 0), one);
        })]));
}

function printWarnings(all, kind) {
    const counts = new Map();
    for (const { code, what } of all.flatMap((one) => one[kind].warnings)) {
        const text = what ? `${code} (${what})` : code;
        counts.set(text, (counts.get(text) ?? 0) + 1);
    }
    console.log(`warnings, ${kind === "roofline" ? "roofline" : "from runs"}: ` +
        ([...counts].map(([text, count]) => `${text} × ${count}`).join(", ") || "none"));
}

async function compare(daemon) {
    const api = client(daemon.url), token = await daemon.token("write");
    const calibration = readFileSync(join(folder, "calibration.json"), "utf8");
    const given = launches("given"), held = launches("held"), all = cases(held);

    expect(await api.post(`${machine}/calibrations`, calibration, { token }), "the calibration", 200, 201);
    // The first predictions must come before the upload: they use only the calibration.
    for (const one of all) one.roofline = await predict(api, one.key);
    await uploadRuns(api, token, given, upload);
    for (const one of all) one.fromRuns = await predict(api, one.key);
    await uploadRuns(api, token, held, "json");

    printTimes(all);
    printWarnings(all, "roofline");
    printWarnings(all, "fromRuns");
    const { kernels } = JSON.parse(calibration);
    const missing = ["sparse_matvec", "sparse_triangular_solve", "vector"].filter((kernel) => !kernels?.[kernel]);
    if (missing.length) console.log(`roofline is a lower bound: no measured bandwidth fraction of ${missing.join(", ")}`);
    printFractions(all);
    printCommunication(all);
    const accuracy = expect(await api.get(`${machine}/accuracy.csv?model=cg`), "the accuracy", 200);
    console.log(`\nAccuracy by the service (accuracy.csv?model=cg)\n${accuracy.text}`);
}

const daemon = await startDaemon({ calibrations: null });
try {
    await compare(daemon);
} finally {
    await daemon.stop();
}
