// The reverse questions of HPL: the n that fills a share of the memory, and what is close to the best.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, client } from "./client.mjs";

const golden = JSON.parse(readFileSync(new URL("../validation/golden/block-cyclic.json", import.meta.url), "utf8"));
const ANSWER = "machine=plain&processes=6&memory_fraction=0.05&block_size=32";

let daemon, api;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    const token = await daemon.token("write");
    for (const machine of ["plain", "fitted"]) {
        const document = { schema: "forerun-calibration-1", machine, ...golden.calibrations[machine] };
        assert.equal((await api.upload(document, token)).status, 201);
    }
});
after(() => daemon?.stop());

const get = async (path) => (await api.get(`/api/v1/${path}`)).json;

test("a share of the memory determines n, the expected rate and the efficiency", async () => {
    // Golden case bc-030.
    const answer = await get("predict/hpl?machine=plain&memory_fraction=0.5&process_rows=2&process_columns=3&block_size=192&lookahead_depth=0");
    assert.equal(answer.parameters.n, 9216);
    assert.ok(!("memory_fraction" in answer.parameters));
    assert.ok(answer.memory_bytes_per_process <= 0.5 * answer.memory_limit_bytes_per_process);
    assertClose(answer.gflops, answer.flops / answer.time_s / 1e9, "gflops");
    assert.ok(answer.percent_of_peak > 0 && answer.percent_of_peak < 100);
});

test("a ranking of configurations that differ in n is by rate, and says so", async () => {
    const answer = await get(`rank/hpl?${ANSWER}`);
    const { ranked_by: by, rows } = answer;
    assert.equal(by, "gflops");
    assert.ok(new Set(rows.map((row) => row.n)).size > 1);
    rows.forEach((row, i) => {
        assertClose(row.slowdown, rows[0].gflops / row.gflops, `slowdown of row ${i + 1}`, 1e-9);
        assert.equal(row.within_2_percent, row.slowdown <= 1.02, `row ${i + 1}`);
        assert.ok(!("memory_fraction" in row));
    });
    assert.equal((await get("rank/hpl?machine=plain&processes=6&n=960&block_size=32")).ranked_by, "time_s");
});

test("which P x Q, NB, BCAST and DEPTH are within 2 % of the best", async () => {
    const rows = (await api.get("/api/v1/rank/hpl.csv?machine=plain&processes=6&n=960")).text.trim().split("\r\n").map((row) => row.split(","));
    const head = rows.shift(), at = (row, name) => row[head.indexOf(name)];
    const near = rows.filter((row) => at(row, "within_2_percent") === "true");
    assert.ok(near.length > 1 && near.length < rows.length);
    for (const row of near) {
        assert.ok(Number(at(row, "slowdown")) <= 1.02);
        assert.equal(at(row, "process_rows") * at(row, "process_columns"), 6);
        for (const name of ["block_size", "broadcast", "lookahead_depth"]) assert.ok(at(row, name), name);
    }
    const text = (await api.get("/api/v1/rank/hpl.txt?machine=plain&processes=6&n=960&limit=2")).text;
    assert.match(text, /^within_2_percent=true$/m);
    assert.match(text, /^row_2_within_2_percent=(true|false)$/m);
});

test("with a share of the memory a recommendation is the highest rate that the deadline allows", async () => {
    const ask = (more) => get(`recommend/hpl?machine=plain&memory_fraction=0.02&max_nodes=8&block_size=64&broadcast=1ring${more}`);
    const best = await ask("");
    assert.equal(best.ranked_by, "gflops");
    assert.equal(best.best.nodes, 8);
    for (const other of best.runners_up) assert.ok(other.gflops < best.best.gflops);
    const hurried = await ask(`&deadline_s=${best.best.time_s * 0.99}`);
    assert.ok(hurried.best.nodes < 8 && hurried.best.time_s < best.best.time_s);
});

test("n and a share of the memory exclude each other, and one is required", async () => {
    const grid = "machine=plain&process_rows=2&process_columns=3&block_size=192";
    const both = assertProblem(await api.get(`/api/v1/predict/hpl?${grid}&n=1000&memory_fraction=0.5`), 422);
    assert.deepEqual(both.errors.map((fault) => fault.parameter), ["memory_fraction"]);
    const none = assertProblem(await api.get(`/api/v1/predict/hpl?${grid}`), 422);
    assert.deepEqual(none.errors.map(({ parameter, code }) => [parameter, code]), [["n", "required"]]);
    assert.match(none.errors[0].message, /^required, or memory_fraction; [^.]*$/);
});

test("without the memory of a node nothing determines n", async () => {
    const problem = assertProblem(await api.get("/api/v1/predict/hpl?machine=fitted&process_rows=1&process_columns=2&block_size=64&memory_fraction=0.5"), 422);
    assert.equal(problem.errors[0].code, "calibration_group_missing");
    assert.match(problem.errors[0].message, /node\.memory_bytes is missing.*give n/);
});

test("the schema of hpl takes n or a share of the memory", async () => {
    const { schema, parameters } = await get("models/hpl");
    assert.deepEqual(schema.allOf, [{ oneOf: [{ required: ["n"] }, { required: ["memory_fraction"] }] }]);
    assert.ok(!schema.required.includes("n"));
    assert.equal(parameters.find(({ name }) => name === "n").unless, "memory_fraction");
});
