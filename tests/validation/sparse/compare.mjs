// Predicts the runs in FOLDER with forerund and prints measured against predicted.
//
//     FORERUND=build/forerund node tests/validation/sparse/compare.mjs FOLDER
//
// FOLDER has calibration.json and runs.ndjson from run.sh, whose files are uploaded.
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { client } from "../../api/client.mjs";
import { startDaemon } from "../../daemon.mjs";
import { expect } from "../blocked/tables.mjs";
import { printAccuracy, printPublished, printSolves, printSpeedups, printStructures, printTimes } from "./report.mjs";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: compare.mjs FOLDER");

const machine = "/api/v1/machines/here";
const WAIT_S = 900;
const PAUSE_MS = 100;
/** What is asked for a run. */
const QUESTIONS = {
    window: ({ lookahead }) => ({ kernel_model: "calibrated", overlap: "window", lookahead_panels: lookahead }),
    calibrated: () => ({ kernel_model: "calibrated", overlap: "paper" }),
    paper: () => ({ kernel_model: "paper", overlap: "paper" }),
};

const calibration = readFileSync(join(folder, "calibration.json"), "utf8");

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

/** The rounds of one factorization as one run: the time is the best round's median, since whoever
 *  else uses the machine can only delay it; `spread` is how much longer the worst round's was. */
function readRuns() {
    const found = new Map();
    for (const line of readFileSync(join(folder, "runs.ndjson"), "utf8").trim().split("\n")) {
        const record = JSON.parse(line), key = [record.file, record.ordering, record.processes, record.lookahead].join(" ");
        found.set(key, [...(found.get(key) ?? []), record]);
    }
    return [...found.values()].map((rounds) => {
        const medians = rounds.map(({ factorization_s }) => median(factorization_s));
        const best = Math.min(...medians);
        return {
            ...rounds[medians.indexOf(best)], measured: best,
            solve_s: rounds[0].solve_s.map((_, i) => Math.min(...rounds.map(({ solve_s }) => solve_s[i]))),
            spread: rounds.length > 1 ? Math.max(...medians) / best - 1
                : (Math.max(...rounds[0].factorization_s) - Math.min(...rounds[0].factorization_s)) / best,
        };
    });
}
const runs = readRuns();

/** A legal matrix name from a file name. */
const nameOf = (file) => basename(file).toLowerCase().replace(/\.(gz|mtx|rua|rb|psa|rsa)/g, "").replace(/[^a-z0-9._-]+/g, "-");

/** Uploads a file and waits for its analysis. */
async function analyze(api, token, file) {
    const sent = expect(await api.post(`/api/v1/matrices?name=${nameOf(file)}`, readFileSync(file),
        { token, headers: { "content-type": "application/octet-stream" } }), `the upload of ${basename(file)}`, 200, 201, 202);
    const path = sent.headers.location ?? `/api/v1/matrices/${sent.json.id}`;
    for (let waited = 0; waited < 1e3 * WAIT_S; waited += PAUSE_MS) {
        const matrix = expect(await api.get(path), basename(file), 200).json;
        if (matrix.status === "ready" || matrix.status === "failed") return matrix;
        await new Promise((done) => setTimeout(done, PAUSE_MS));
    }
    throw new Error(`${basename(file)}: not analyzed within ${WAIT_S} s`);
}

async function predict(api, parameters) {
    const answer = expect(await api.post("/api/v1/predict",
        { requests: [{ model: "sparse_lu", machine: "here", parameters }] }), "a prediction", 200);
    const [result] = answer.json.results;
    if (result.time_s === undefined)
        console.log(`not predicted: ${JSON.stringify(parameters)}: ` +
            (result.errors?.map(({ message }) => message).join("; ") ?? result.detail ?? "").slice(0, 300));
    return result;
}

/** A run with its matrix and its predictions. */
async function judge(api, run, matrix) {
    const { ordering, process_rows, process_columns } = run;
    const parameters = { matrix: matrix.id, ordering, process_rows, process_columns };
    const predicted = {};
    for (const [name, question] of Object.entries(QUESTIONS)) predicted[name] = await predict(api, { ...parameters, ...question(run) });
    const solves = await Promise.all(run.solve_nrhs.map(async (nrhs, i) => ({
        nrhs, measured: run.solve_s[i], predicted: (await predict(api, { ...parameters, ...QUESTIONS.window(run), part: "solve", nrhs })).time_s,
    })));
    return {
        ...run, solves, name: matrix.name ?? matrix.id, parameters: { ...parameters, ...QUESTIONS.window(run) }, predicted, matrix,
        known: matrix.orderings.find((one) => one.ordering === ordering),
    };
}

async function upload(api, token, judged) {
    const body = judged.map(({ parameters, measured, factorization_s, flops, supernodes, nnz_lu }) => JSON.stringify({
        schema: "forerun-run-1", model: "sparse_lu", parameters, time_s: measured,
        repetitions: factorization_s, outputs: { supernodes, nnz_lu },
        notes: `${flops} operations, as the library counts them`,
    })).join("\n") + "\n";
    expect(await api.post(`${machine}/runs`, body, { token, headers: { "content-type": "application/x-ndjson" } }),
        "the upload of the runs", 200, 201);
}

async function compare(daemon) {
    const api = client(daemon.url), token = await daemon.token("write"), matrices = new Map(), judged = [];

    expect(await api.post(`${machine}/calibrations`, calibration, { token }), "the calibration", 200, 201);
    for (const { file } of runs) {
        if (matrices.has(file)) continue;
        matrices.set(file, await analyze(api, token, file));
    }
    for (const run of runs) {
        const matrix = matrices.get(run.file);
        if (matrix.status === "ready") judged.push(await judge(api, run, matrix));
        else console.log(`${basename(run.file)}: not analyzed: ${matrix.reason}`);
    }
    for (const fit of ["fit", "window_fit", "solve_fit"]) console.log(`sparse.${fit}: ${JSON.stringify(JSON.parse(calibration).sources?.[`/sparse/${fit}`] ?? "missing")}`);
    printStructures(judged);
    printTimes(judged);
    printSpeedups(judged);
    printSolves(judged);
    printPublished(judged);
    await upload(api, token, judged);
    await printAccuracy(api, machine);
}

const daemon = await startDaemon({ calibrations: null });
try {
    await compare(daemon);
} finally {
    await daemon.stop();
}
