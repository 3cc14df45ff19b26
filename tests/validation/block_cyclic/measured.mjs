// Compares predictions with ScaLAPACK and HPL on this computer: `make check-scalapack-here`.
//
//     node tests/validation/block_cyclic/measured.mjs [--keep FOLDER] [--each]
//
// Each program runs twice with one process and with two; then the calibrator measures kernels and the
// network with two ranks; then the programs run again.  The machine must be idle: the spread of the
// runs says how idle, and how much longer they took after the calibration than before it, how much
// the machine drifted.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const build = resolve(process.env.BUILD ?? "build");
process.env.FORERUND ??= join(build, "forerund");
const { client } = await import("../../api/client.mjs");
const { startDaemon } = await import("../../daemon.mjs");
const { expect, median, percent, print } = await import("../blocked/tables.mjs");
const { lineOf, parametersOf, routines } = await import("./cases.mjs");
const { coreLine } = await import("./core.mjs");

const args = process.argv.slice(2);
const keep = args.includes("--keep") ? args[args.indexOf("--keep") + 1] : null;
const folder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), "forerun-measured-"));
mkdirSync(folder, { recursive: true });
if (!keep) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const REPETITIONS = 2; // before the calibration, and after it
const ORDERS = [1000, 3000];
const BLOCKS = [32, 64, 128];
const GRIDS = { 1: [[1, 1]], 2: [[1, 2], [2, 1]] };
const environment = {
    ...process.env, OPENBLAS_NUM_THREADS: "1", OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
};
const launch = (ranks, program, ...rest) =>
    execFileSync("mpirun", ["-n", String(ranks), program, ...rest], { env: environment, stdio: "pipe", timeout: 900_000 });

function calibrate() {
    const output = join(folder, "here.json");
    if (!existsSync(output))
        launch(2, join(build, "forerun-calibrate"), "--machine", "here", "--threads", "1", "-o", output, "--only",
            "calls,variability,peak,memory_bandwidth,streams,row_swaps,pingpong,blacs,contention");
    return JSON.parse(readFileSync(output, "utf8"));
}

function runsOf(p) {
    return routines.flatMap((routine) => ORDERS.flatMap((n) => BLOCKS.flatMap((block) =>
        GRIDS[p].map(([rows, columns]) => ({ routine, p, m: n, n, k: n, block, rows, columns, option: {} })))));
}

/** The seconds of each run of so many processes, `when` is "before" or "after". */
function measure(p, when) {
    const runs = runsOf(p), output = join(folder, `${p}-${when}.seconds`), batch = join(folder, `${p}.batch`);
    if (!existsSync(output)) {
        writeFileSync(batch, `${[coreLine, ...runs.flatMap((run) => Array(REPETITIONS).fill(lineOf(run)))].join("\n")}\n`);
        launch(p, join(build, "measured", "reference"), batch, output);
    }
    const seconds = readFileSync(output, "utf8").trim().split("\n").map(Number);
    return runs.map((_, i) => seconds.slice(REPETITIONS * i, REPETITIONS * (i + 1)));
}

function judged(p, before, after) {
    return runsOf(p).map((run, i) => {
        const all = [...before[i], ...after[i]];
        return { ...run, measured: median(all), spread: Math.max(...all) / Math.min(...all) - 1,
            drift: median(after[i]) / median(before[i]) - 1 };
    });
}

async function predict(api, run) {
    const question = new URLSearchParams({ machine: "here", ...parametersOf(run) });
    const { json } = await api.get(`/api/v1/predict/${run.routine}?${question}`);
    return { ...run, predicted: json.time_s ?? null, breakdown: json.breakdown };
}

function row(name, runs) {
    const known = runs.filter(({ predicted }) => predicted !== null), errors = known.map((run) => run.predicted / run.measured - 1);
    const sizes = errors.map(Math.abs);
    return [name, known.length, runs.length - known.length, percent(median(sizes)),
        percent(sizes.filter((size) => size <= 0.1).length / sizes.length), percent(Math.max(...sizes)), percent(median(errors)),
        percent(median(known.map((run) => run.spread)))];
}

const before = [1, 2].map((p) => measure(p, "before")), document = calibrate();
const measured = [1, 2].map((p, i) => judged(p, before[i], measure(p, "after")));
const daemon = await startDaemon();
try {
    const api = client(daemon.url), token = await daemon.token("write", "measured");
    expect(await api.post("/api/v1/machines/here/calibrations", document, { token }), "the calibration", 200, 201);
    for (const some of measured) {
        const runs = await Promise.all(some.map((run) => predict(api, run)));
        print(`processes: ${some[0].p}; runs after the calibration took ${percent(median(runs.map(({ drift }) => drift)))} longer`,
            ["", "runs", "refused", "median", "within 10 %", "worst", "bias", "spread of a run"],
            routines.map((routine) => row(routine, runs.filter((run) => run.routine === routine))));
        if (args.includes("--each"))
            print("each run", ["routine", "n", "block", "grid", "measured s", "predicted / measured"], runs.map((run) => [run.routine, run.n,
                run.block, `${run.rows}x${run.columns}`, run.measured.toFixed(4), (run.predicted / run.measured).toFixed(3)]));
    }
} finally {
    await daemon.stop();
}
