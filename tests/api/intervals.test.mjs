// Intervals before any run, of every model that has a slowest process: which processors a job gets, and how wrong the
// model was elsewhere, computed apart from the choices themselves (docs/models/variability.md).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { root, startDaemon } from "../daemon.mjs";
import { assertClose, client } from "./client.mjs";
import { grid, readyMatrix } from "./matrix_server.mjs";

const TIMES = [0.97, 0.99, 1, 1.01, 1.02, 1.05, 1.11, 1.3]; // of processors of two cores

let daemon, api;
before(async () => {
    daemon = await startDaemon();
    api = client(daemon.url);
    const token = await daemon.token("write");
    await readyMatrix(api, token, "name=grid", grid(20));
    const example = JSON.parse(readFileSync(`${root}/calibrations/sets/example.json`, "utf8"));
    const varied = (machine, processor_times) => ({ ...example, machine, kernels: { ...example.kernels, variability: { cores: 2, processor_times } } });
    for (const document of [varied("varied", TIMES), varied("more-varied", TIMES.map((time) => 1 + 2 * (time - 1)))])
        assert.equal((await api.post(`/api/v1/machines/${document.machine}/calibrations`, document, { token })).status, 201);
});
after(() => daemon?.stop());

/** The slowest of each choice of k, ascending. */
function slowest(k, from = TIMES) {
    const choices = (rest, left) => (left === 0 ? [[]] : rest.flatMap((one, i) => choices(rest.slice(i + 1), left - 1).map((others) => [one, ...others])));
    return choices(from, k).map((some) => Math.max(...some)).sort((a, b) => a - b);
}

/** The ends relative to the time: 5 % of the choices are below `low`, and above `high`. */
function ends(processors, error) {
    const all = slowest(processors), mean = all.reduce((sum, one) => sum + one, 0) / all.length;
    const low = all.find((value) => all.filter((one) => one <= value).length >= 0.05 * all.length);
    const high = all.findLast((value) => all.filter((one) => one >= value).length >= 0.05 * all.length);
    const both = (ratio) => (ratio > 0 ? Math.hypot(ratio, Math.log(1 + error)) : ratio + Math.log(1 + error));
    return [Math.exp(-both(-Math.log(low / mean))), Math.exp(both(Math.log(high / mean)))];
}

const dense = { n: 2048, processes: 4, threads: 1 };
const solver = { solver: "pcg", nodes: 2, processes_per_node: 2, iterations: 20 };
const square = { m: 512, n: 512, k: 512, block_size: 64, process_rows: 2, process_columns: 2 };
const solved = { m: 512, n: 512, block_size: 64, process_rows: 2, process_columns: 2 };
const both = (kernels, messages) => Math.expm1(Math.hypot(Math.log1p(kernels), Math.log1p(messages)));
const KERNELS = 0.25;
const QUESTIONS = [
    ["pdgemm", square, 2, 0.1],
    ["pdgemm", { ...square, transb: "T" }, 2, 0.31],
    ["pdtrsm", solved, 2, 0.1],
    ["matmul", { ...dense, processes: 1, algorithm: "summa", variant: "2d" }, 1, KERNELS],
    ["matmul", { ...dense, processes: 1, algorithm: "summa", variant: "2d", contention_model: "paper" }, 1, KERNELS],
    ["matmul", { ...dense, algorithm: "summa", variant: "2d" }, 2, both(KERNELS, 0.04)],
    ["matmul", { ...dense, algorithm: "cannon", variant: "2d_ovlp", contention_model: "paper" }, 2, both(KERNELS, 1.1)],
    ["trsm", { ...dense, variant: "2d" }, 2, both(KERNELS, 0.09)],
    ["cholesky", { ...dense, variant: "2d" }, 2, both(KERNELS, 0.07)],
    ["cholesky", { ...dense, variant: "2d_ovlp", panel_pricing: "iterations" }, 2, both(KERNELS, 0.23)],
    ["cholesky", { ...dense, variant: "2d", contention_model: "paper" }, 2, both(KERNELS, 1.1)],
    ["cg", { ...solver, local_grid: [32, 32, 32] }, 2, 0.7],
    ["solve", { ...solver, global_grid: [64, 64, 64], preconditioner: "icc" }, 2, 0.7],
    ["sparse_lu", { matrix: "grid", process_rows: 1, process_columns: 2 }, 1, 0.6],
];
const UNKNOWN = [
    ["pdtrsm", { ...solved, trans: "T" }],
    ["matmul", { ...dense, algorithm: "summa", variant: "2d", contention: false }],
    ["solve", { ...solver, global_grid: [64, 64, 64], preconditioner: "multigrid" }],
    ["sparse_lu", { matrix: "grid", process_rows: 1, process_columns: 2, overlap: "paper" }],
    ["sparse_lu", { matrix: "grid", process_rows: 1, process_columns: 2, part: "solve" }],
    ["sparse_lu", { matrix: "grid", process_rows: 2, process_columns: 2 }],
];

for (const [model, parameters, processors, error] of QUESTIONS) {
    test(`${model} ${JSON.stringify(parameters)} has an interval`, async () => {
        const { time_s, interval, extrapolation } = await api.predict({ model, machine: "varied", parameters });
        assert.deepEqual([interval.basis, interval.runs, interval.coverage_fraction], ["variability", 0, 0.9]);
        assert.equal(extrapolation ?? null, null, "widened otherwise");
        const [low, high] = ends(processors, error);
        assertClose(interval.low_s / time_s, low, "low", 1e-9);
        assertClose(interval.high_s / time_s, high, "high", 1e-9);
        const other = await api.predict({ model, machine: "more-varied", parameters });
        assert.ok(other.interval.high_s / other.interval.low_s > interval.high_s / interval.low_s, "wider where processors differ more");
        assert.equal((await api.predict({ model, machine: "example", parameters })).interval, null, "no variability, no interval");
    });
}

for (const [model, parameters] of UNKNOWN) {
    test(`${model} ${JSON.stringify(parameters)} has none`, async () => {
        const { time_s, interval } = await api.predict({ model, machine: "varied", parameters });
        assert.ok(time_s > 0);
        assert.equal(interval, null);
    });
}

test("without rates of kernels by size the computation is a bound, and has no interval", async () => {
    const example = JSON.parse(readFileSync(`${root}/calibrations/sets/example.json`, "utf8"));
    const { sparse_matvec, sparse_triangular_solve, sparse_ilu_solve, vector, vector_fused, ...kernels } = example.kernels;
    const bare = { ...example, machine: "bare", kernels: { ...kernels, variability: { cores: 2, processor_times: TIMES } } };
    bare.sources = Object.fromEntries(Object.entries(bare.sources).filter(([pointer]) => !/^\/kernels\/(sparse|vector)/.test(pointer)));
    const { status, text } = await api.post("/api/v1/machines/bare/calibrations", bare, { token: await daemon.token("write") });
    assert.equal(status, 201, text);
    for (const [model, parameters] of QUESTIONS.filter(([name]) => name === "cg" || name === "solve")) {
        const { interval, warnings } = await api.predict({ model, machine: "bare", parameters });
        assert.ok(warnings.some(({ code }) => code.startsWith("computation")), JSON.stringify(warnings));
        assert.equal(interval, null);
    }
});

test("a pattern that is missing counts as all", async () => {
    const example = JSON.parse(readFileSync(`${root}/calibrations/sets/example.json`, "utf8")), { contention } = example;
    const without = (name) => ({ ...example, machine: "varied", kernels: { ...example.kernels, variability: { cores: 2, processor_times: TIMES } },
        contention: { ...contention, patterns: contention.patterns.filter(({ pattern }) => !pattern.startsWith(name)) } });
    const parameters = { ...dense, algorithm: "cannon", variant: "2d", contention_model: "refined" }, [low, high] = ends(2, both(KERNELS, 0.79));
    for (const calibration of [without("shift_row"), without("shift")]) {
        const { json: { results: [{ time_s, interval, warnings }] } } = await api.post("/api/v1/predict", { requests: [{ model: "matmul", machine: "varied", parameters, calibration }] });
        assert.ok(warnings.some(({ code }) => code === "pattern_missing"), JSON.stringify(warnings));
        assertClose(interval.low_s / time_s, low, "low", 1e-9);
        assertClose(interval.high_s / time_s, high, "high", 1e-9);
    }
});

for (const [model, more] of [["cg", { local_grid: [32, 32, 32] }], ["solve", { global_grid: [64, 64, 64], preconditioner: "icc" }]]) test(`${model} says that more processors are asked for than were measured`, async () => {
    const codes = async (nodes) => (await api.predict({ model, machine: "varied", parameters: { ...solver, ...more, nodes } })).warnings.map(({ what }) => what);
    assert.ok((await codes(16)).includes("kernels.variability.processor_times"));
    assert.ok(!(await codes(8)).includes("kernels.variability.processor_times"));
});

test("the interval of cg stays until ten runs give one", async () => {
    const token = await daemon.token("write"), parameters = { ...solver, local_grid: [32, 32, 32] };
    const ask = () => api.predict({ model: "cg", machine: "more-varied", parameters });
    const before = await ask(), { local_grid, ...given } = parameters;
    const run = (i) => ({ model: "cg", time_s: before.time_s * (1 + i / 100), parameters: given, local_grid, started_at: `2026-01-${10 + i}T00:00:00Z`,
        computation: { phases: { matvec_s: [[before.time_s / 2]], preconditioner_s: [[before.time_s / 4]], vector_s: [[before.time_s / 8]] } } });
    for (let saved = 1; saved <= 10; saved++) {
        const { status, text } = await api.post("/api/v1/machines/more-varied/runs", run(saved), { token });
        assert.equal(status, 201, text);
        if (saved !== 1 && saved < 9) continue;
        const { interval, runs } = await ask();
        assert.deepEqual([runs.count, interval.basis, interval.runs], saved < 10 ? [saved, "variability", 0] : [saved, "residuals_of_runs_of_this_model", 10]);
    }
});
