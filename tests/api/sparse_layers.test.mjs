// Sparse LU on three-dimensional process grids over HTTP: rankings and recommendations of all splits, also
// with solves, and what is refused.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, client, faultNames } from "./client.mjs";
import { grid7, readyMatrix } from "./matrix_server.mjs";

let daemon, api, token;
before(async () => {
    daemon = await startDaemon();
    api = client(daemon.url);
    token = await daemon.token("write");
    await readyMatrix(api, token, "name=cube&orderings=metis", grid7(12));
});
after(() => daemon?.stop());

const asked = (route, query, machine = "example") => api.get(`/api/v1/${route}/sparse_lu?machine=${machine}&matrix=cube&ordering=metis&${query}`);
const splitOf = ({ process_layers, process_rows, process_columns }) => `${process_layers}x${process_rows}x${process_columns}`;
const processesOf = (row) => row.process_layers * row.process_rows * row.process_columns;
async function answer(...question) {
    const { status, json, text } = await asked(...question);
    assert.equal(status, 200, text.slice(0, 500));
    return json;
}

test("every split of the processes into layers, rows and columns is ranked", async () => {
    const { considered, rows } = await answer("rank", "processes=8&limit=100");
    assert.equal(considered, 10);
    assert.deepEqual(rows.map(splitOf).sort(), ["1x1x8", "1x2x4", "1x4x2", "1x8x1", "2x1x4", "2x2x2", "2x4x1", "4x1x2", "4x2x1", "8x1x1"]);
    for (const row of rows) {
        const { process_layers, process_rows, time_s, reduced_bytes, flops, sequential_time_s } = row;
        const alone = await answer("predict", `processes=8&process_layers=${process_layers}&process_rows=${process_rows}`);
        assert.equal(processesOf(row), 8);
        assertClose(time_s, alone.time_s, splitOf(row));
        assert.equal(flops, rows[0].flops);
        assertClose(sequential_time_s, rows[0].sequential_time_s, splitOf(row));
        assert.equal(reduced_bytes > 0, process_layers > 1, splitOf(row));
    }
    assert.deepEqual(rows.map(({ time_s }) => time_s), rows.map(({ time_s }) => time_s).sort((a, b) => a - b));
    const two = await answer("rank", "processes=8&process_layers=2");
    assert.equal(two.considered, 3);
});

test("with solves, grids of one layer are ranked by the sum of both parts", async () => {
    const { considered, rows } = await answer("rank", "processes=8&part=both&solves=200&nrhs=4&limit=100");
    assert.equal(considered, 4);
    for (const row of rows) {
        const factor = await answer("predict", `processes=8&process_rows=${row.process_rows}`);
        assert.equal(row.process_layers, 1);
        assertClose(row.time_s, factor.time_s + 200 * row.solve_time_s, splitOf(row));
    }
    const solve = await answer("rank", "processes=8&part=solve&nrhs=4&limit=100");
    assert.equal(solve.considered, 4);
    assert.equal(solve.rows[0].time_s, Math.min(...rows.map(({ solve_time_s }) => solve_time_s)));
});

test("the best split under a limit of memory is recommended", async () => {
    const set = JSON.parse(readFileSync(new URL("../../calibrations/sets/example.json", import.meta.url), "utf8"));
    const all = await answer("rank", "nodes=4&limit=100"), bytes = all.rows.map((row) => row.memory_bytes_per_process).sort((a, b) => a - b);
    const limit = (bytes[0] + bytes[1]) / 2;
    assert.ok(bytes[0] < bytes[1]);
    assert.notEqual(all.rows[0].memory_bytes_per_process, bytes[0], "the fastest split is not the smallest one");
    set.machine = "tight";
    set.node.memory_bytes = limit * set.node.cores_per_node;
    assert.equal((await api.upload(set, token)).status, 201);
    const free = await answer("recommend", "objective=time&nodes=4"), tight = await answer("recommend", "objective=time&nodes=4", "tight");
    assertClose(free.best.time_s, all.rows[0].time_s, "the best without a limit");
    assert.equal(splitOf(tight.best), splitOf(all.rows.find((row) => row.memory_bytes_per_process === bytes[0])));
    assert.equal(processesOf(tight.best), 8);
    assert.ok(tight.best.memory_bytes_per_process <= limit);
});

test("the ranks of all layers are listed", async () => {
    const { ranks, time_s, processes } = await answer("predict", "process_layers=2&process_rows=2&process_columns=1&explain=true");
    assert.equal(processes, 4);
    assert.deepEqual(ranks.map(({ grid }) => grid), ["0x0x0", "0x1x0", "1x0x0", "1x1x0"]);
    assert.equal(Math.max(...ranks.map(({ clock_s }) => clock_s)), time_s);
});

test("layers that are not a power of 2, that solve, or that have no window are refused", async () => {
    const refused = async (query) => {
        const { errors: [{ parameter, message }] } = assertProblem(await asked("predict", `process_rows=1&process_columns=1&${query}`), 422);
        return `${parameter}: ${message}`;
    };
    assert.equal(await refused("process_layers=3"), "process_layers: 3 is not a power of 2; the nearest are 2 and 4");
    assert.equal(await refused("process_layers=2&part=both"), "process_layers: solves on 2 layers are not modeled; give part=factor, or 1");
    assert.equal(await refused("process_layers=2&overlap=event"), "process_layers: overlap event has one layer; give overlap=window, or 1");
    assert.deepEqual(faultNames(assertProblem(await asked("predict", "process_rows=1&process_columns=1&process_layers=128"), 422)), ["process_layers"]);
});
