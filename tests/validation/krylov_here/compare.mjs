// Compares predictions of the model solve with PETSc's own solvers on this computer: `make check-krylov-here`.
//
//     node tests/validation/krylov_here/compare.mjs [--keep FOLDER] [--each] [MATRIX.mtx.gz…]
//
// The calibrator measures one node with two ranks; then PETSc solves with one process and with two. The predictions
// know the calibration alone. What FOLDER holds already is not measured again. The machine must be idle.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";

const build = resolve(process.env.BUILD ?? "build");
process.env.FORERUND ??= join(build, "forerund");
const { client } = await import("../../api/client.mjs");
const { startDaemon } = await import("../../daemon.mjs");
const { expect, median, percent, print } = await import("../blocked/tables.mjs");
const { predict, reportFromRuns } = await import("./from_runs.mjs");

const args = process.argv.slice(2);
const keep = args.includes("--keep") ? args.splice(args.indexOf("--keep"), 2)[1] : null;
const files = args.filter((argument) => !argument.startsWith("--"));
const folder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), "forerun-krylov-"));
mkdirSync(folder, { recursive: true });
if (!keep) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const ITERATIONS = 20;
const SPD = ["pcg", "sapcg", "nbpcg", "pipecg", "pipe2cg", "cr", "pipecr", "minres"];
const GENERAL = ["bcgs", "ibcgs", "pipebcgs", "gmres", "fgmres", "pgmres"];
const FEW = ["pcg", "pipecg", "pipe2cg", "bcgs", "gmres"]; // on large grids
const SIDES = [8, 12, 16, 20, 24, 32, 48, 64, 96];
const environment = {
    ...process.env, OPENBLAS_NUM_THREADS: "1", OMP_NUM_THREADS: "1",
    OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
};
const launch = (ranks, program, ...rest) => execFileSync("mpirun", ["--bind-to", "core", "-n", String(ranks), program, ...rest],
    { env: environment, stdio: "pipe", timeout: 600_000, encoding: "utf8" });

function calibrate() {
    const output = join(folder, "here.json");
    if (!existsSync(output))
        launch(2, join(build, "forerun-calibrate"), "--machine", "here", "-o", output,
            "--only", "node,peak,memory_bandwidth,krylov_kernels,pingpong");
    return JSON.parse(readFileSync(output, "utf8"));
}

/** A MatrixMarket file of general storage: its text, and the pattern that the program reads. */
function readMatrix(file) {
    const name = basename(file).split(".")[0], text = gunzipSync(readFileSync(file)).toString();
    const lines = text.trimEnd().split("\n").filter((line) => !line.startsWith("%"));
    const pattern = join(folder, `${name}.pattern`), [rows, , entries] = lines[0].trim().split(/\s+/);
    writeFileSync(pattern, `${rows} ${entries}\n${lines.slice(1).map((line) => line.trim().split(/\s+/, 2).join(" ")).join("\n")}\n`);
    return { name, text, pattern };
}
const matrices = files.map(readMatrix);

const grid = (side, solvers, preconditioner) => ({
    label: `${side}^3`, program: ["-grid", String(side)], solvers, preconditioner,
    question: { global_grid: `${side}x${side}x${side}`, system: "spd" },
});
const cases = [
    ...SIDES.map((side) => grid(side, side > 48 ? FEW : [...SPD, ...GENERAL], "icc")),
    ...[12, 32].flatMap((side) => ["none", "jacobi", "ilu"].map((preconditioner) => grid(side, ["pcg", "bcgs", "gmres"], preconditioner))),
    ...matrices.map(({ name, pattern }) => ({
        label: name, program: ["-pattern", pattern], solvers: GENERAL, preconditioner: "ilu", question: { matrix: name, system: "general" },
    })),
];

/** The solves of a case: of each solver the median and the spread of its seconds. */
function measure(one, processes) {
    const name = join(folder, `${one.label}-${one.preconditioner}-${processes}`), output = `${name}.seconds`, log = `${name}.log`;
    if (!existsSync(output))
        writeFileSync(output, launch(processes, join(build, "krylov_here", "solve"), ...one.program, "-iterations", String(ITERATIONS),
            "-preconditioner", one.preconditioner, "-solvers", one.solvers.join(), "-log_view", `:${log}:ascii_csv`));
    return readFileSync(output, "utf8").trim().split("\n").map((line) => {
        const [solver, ...seconds] = line.split(" "), times = seconds.map(Number).sort((a, b) => a - b);
        const at = (share) => times[Math.floor(share * (times.length - 1))];
        return { ...one, log, solver, processes, measured: times.length ? median(times) : null, spread: (at(0.75) - at(0.25)) / at(0.5) };
    });
}

async function store(api, token, { name, text }) {
    const headers = { "content-type": "application/octet-stream" };
    expect(await api.send(`/api/v1/matrices?name=${name}`, { method: "POST", body: text, token, headers }), name, 200, 202);
    for (;;) {
        const { json } = await api.get(`/api/v1/matrices/${name}`);
        if (json.status === "ready") return;
        if (json.status === "failed") throw new Error(`${name}: ${JSON.stringify(json)}`);
        await new Promise((done) => setTimeout(done, 100));
    }
}

/** How much slower the solver that is predicted to be the fastest is than the fastest. */
function regret(runs) {
    const first = runs.reduce((best, run) => (run.predicted.time_s < best.predicted.time_s ? run : best));
    return first.measured / Math.min(...runs.map(({ measured }) => measured)) - 1;
}

const ratio = (run) => run.predicted.time_s / run.measured;
function row(name, runs) {
    const ratios = runs.map(ratio), errors = ratios.map((one) => Math.abs(one - 1));
    return [name, runs.length, median(ratios).toFixed(2), Math.min(...ratios).toFixed(2), Math.max(...ratios).toFixed(2),
        percent(median(errors)), percent(median(runs.map(({ spread }) => spread)))];
}
const HEAD = ["runs", "ratio", "least", "most", "median error", "spread of a run"];

function groups(runs, key) {
    const found = new Map();
    for (const run of runs) found.set(key(run), [...(found.get(key(run)) ?? []), run]);
    return [...found];
}

function report(runs) {
    const name = ({ label, preconditioner, processes }) => `${label} ${preconditioner} P=${processes}`;
    print("predicted / measured by problem", ["", ...HEAD, "regret"], groups(runs, name).map(([key, some]) =>
        [...row(key, some), percent(regret(some))]));
    print("by solver", ["", ...HEAD], groups(runs, ({ solver, processes }) => `${solver} P=${processes}`).map(([key, some]) => row(key, some)));
    print("all", ["", ...HEAD], groups(runs, ({ processes }) => `P=${processes}`).map(([key, some]) => row(key, some)));
    const problems = groups(runs, name).map(([, some]) => regret(some));
    console.log(`the solver that is predicted to be the fastest is within 5 % of it in ` +
        `${problems.filter((one) => one <= 0.05).length} of ${problems.length} problems`);
    if (args.includes("--each"))
        print("each", ["", "solver", "measured ms", "ratio", "matvec us", "preconditioner us", "vector us"], runs.map((run) => [name(run),
            run.solver, (1e3 * run.measured).toFixed(3), ratio(run).toFixed(2),
            ...["matvec_s", "preconditioner_s", "vector_s"].map((phase) => (1e6 * run.predicted.phases[phase]).toFixed(1))]));
}

const document = calibrate();
const runs = [1, 2].flatMap((processes) => cases.flatMap((one) => measure(one, processes)));
for (const { label, solver } of runs.filter(({ measured }) => measured === null)) console.log(`${label}: ${solver} broke down; left out`);
const daemon = await startDaemon({ calibrations: null });
try {
    const api = client(daemon.url), token = await daemon.token("write");
    expect(await api.post("/api/v1/machines/here/calibrations", document, { token }), "the calibration", 200, 201);
    for (const matrix of matrices) await store(api, token, matrix);
    const known = runs.filter(({ measured }) => measured !== null);
    for (const run of known) run.predicted = await predict(api, run, { machine: "here", iterations: ITERATIONS });
    report(known);
    await reportFromRuns(api, token, document, known, ITERATIONS);
} finally {
    await daemon.stop();
}
