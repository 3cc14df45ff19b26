// Tables of measured patterns over HTTP: stored as they came, used, changed by what-ifs, named where they are assumed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { calibrationId } from "../tools/canonical.mjs";
import { assertClose, assertProblemObject, client } from "./client.mjs";

const golden = (name) => JSON.parse(readFileSync(new URL(`../validation/golden/${name}.json`, import.meta.url), "utf8")).calibrations.measured;
const document = { schema: "forerun-calibration-1", machine: "measured", ...golden("dense-refined"), sources: { "": "measured: invented" } };
document.contention = { ...golden("krylov-refined").contention, ...document.contention };

// Panels of 65,536 words of 8 bytes: between two measured sizes, at a measured count of processes.
const summa = { algorithm: "summa", variant: "2d", n: 2048, processes: 64, threads: 4, contention_model: "refined" };

let daemon, api, token;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    token = await daemon.token("write");
    assert.equal((await api.upload(document, token)).status, 201);
});
after(() => daemon?.stop());

const predict = (parameters, more) => api.predict({ model: "matmul", machine: "measured", parameters, ...more });
const communication = async (parameters, what_if) => {
    const result = await predict(parameters, { what_if });
    assert.ok(result.time_s > 0, JSON.stringify(result));
    return result.communication_s / result.baseline.communication_s;
};

test("the tables come back as they were uploaded, under the id of their canonical form", async () => {
    const again = await api.upload(JSON.stringify(document, null, 1), token);
    assert.equal(again.status, 200);
    assert.equal(again.json.id, calibrationId(document));
    const { contention, network } = (await api.get(`/api/v1/calibrations/${again.json.id}`)).json;
    assert.deepEqual(contention, document.contention);
    assert.deepEqual(network.broadcast, document.network.broadcast);
});

test("a question with measured patterns needs no warning", async () =>
    assert.deepEqual((await predict(summa)).warnings, []));

test("a factor on the patterns is one on what they measured", async () =>
    assertClose(await communication(summa, { "contention.patterns": "*3" }), 3, "communication", 1e-12));

test("a change of the network changes measured patterns in the same way as messages", async () => {
    assert.ok(await communication(summa, { "network.bandwidth": "*2" }) < 0.7);
    assert.ok(await communication(summa, { "network.latency": "*10" }) > 1.1);
    assertClose(await communication(summa, { "network.bandwidth": "*2", "network.latency": "*0.5" }), 0.5, "communication", 1e-9);
    const allreduce = { nodes: 8, processes_per_node: 8, message_bytes: 8, penalties: [], contention_model: "refined" };
    const { time_s, baseline } = await api.predict({ model: "allreduce", machine: "measured", parameters: allreduce, what_if: { "network.latency": "*2" } });
    assert.ok(time_s > 1.5 * baseline.time_s, `${time_s} ${baseline.time_s}`);
});

test("a row of a table may be changed, but not into an existing one", async () => {
    const row = document.contention.patterns.findIndex(({ pattern, processes }) => pattern === "broadcast_row_rotating" && processes === 64);
    assert.ok(await communication(summa, { [`contention.patterns.${row + 1}.maximum_s`]: "*2" }) > 1);
    const problem = await predict(summa, { what_if: { [`contention.patterns.${row + 1}.message_bytes`]: "4096" } });
    assertProblemObject(problem, 422);
    assert.match(problem.errors[0].message, /repeats the key of row/);
});

test("the list of fields has the tables with their units", async () => {
    const { fields } = (await api.get("/api/v1/fields")).json;
    const field = (path) => fields.find((each) => each.path === path);
    for (const table of ["network.broadcast", "contention.patterns", "contention.exchange", "contention.burst"])
        assert.equal(field(table).what_if, "*factor");
    for (const path of ["contention.patterns.*.maximum_s", "contention.exchange.*.average_s", "contention.burst.*.gap_s"])
        assert.equal(field(path).unit, "s", path);
});

test("assumed tables are named only if they are used", async () => {
    const sources = { "": "measured: x", "/contention/patterns": "assumed: x", "/network/broadcast": "assumed: y", "/contention/burst": "assumed: z" };
    const assumed = async (parameters) =>
        (await predict(parameters, { machine: undefined, calibration: { ...document, sources } })).warnings.find(({ code }) => code === "assumed_value");
    const { message } = await assumed(summa);
    assert.match(message, /\/contention\/patterns/);
    assert.match(message, /\/network\/broadcast/);
    assert.doesNotMatch(message, /burst/);
    assert.equal(await assumed({ ...summa, contention_model: "paper" }), undefined);
});

test("a sweep can compare both models, and a ranking accepts either", async () => {
    const common = "machine=measured&algorithm=cannon&n=6144&processes=64&threads=4";
    const sweep = (await api.get(`/api/v1/sweep/matmul?${common}&variant=2d&contention_model=paper,refined`)).json;
    assert.deepEqual(sweep.rows.map((row) => row.contention_model), ["paper", "refined"]);
    for (const model of ["paper", "refined"]) {
        const { rows } = (await api.get(`/api/v1/rank/matmul?${common}&contention_model=${model}`)).json;
        assert.ok(rows.length >= 4, model);
        for (const row of rows) assert.ok(row.time_s > 0);
    }
});
