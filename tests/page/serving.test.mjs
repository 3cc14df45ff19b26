// What a machine is offered for is answered, with the values that the form begins with.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, it } from "node:test";
import { client } from "../api/client.mjs";
import { root, startDaemon } from "../daemon.mjs";
import { load, servedBy as openAt } from "./page.mjs";

let daemon;

/* What forerun-calibrate makes of a computer with two cores: no other node was measured. */
function twoCores() {
    const { network, cnc, sources, ...measured } = JSON.parse(readFileSync(`${root}/calibrations/sets/example.json`, "utf8"));
    const protocols = network.protocols.map(({ off_node, ...protocol }) => protocol);
    delete cnc.inter_node_bandwidth_bytes_per_s;
    return { ...measured, machine: "here", node: { ...measured.node, cores_per_node: 2 }, network: { protocols, message_bandwidth: network.message_bandwidth }, cnc };
}

before(async () => {
    daemon = await startDaemon();
    openAt(daemon.url);
    const stored = await client(daemon.url).post("/api/v1/machines/here/calibrations", twoCores(), { token: await daemon.token("write") });
    assert.equal(stored.status, 201, stored.text);
});
after(() => daemon.stop());

it("each machine answers every operation that it is offered for", async () => {
    const [{ get, list, once }, { servedBy }, { fit, solve }, { asText }] = await Promise.all(["core/api", "question/serving", "question/question", "core/query"].map((name) => load(`${name}.js`)));
    const faults = [];
    let pairs = 0;
    for (const { name } of await list("machines")) {
        const machine = await get(`machines/${name}`);
        for (const [served, { differs }] of await servedBy(machine)) {
            if (served === "sparse_lu") continue; /* there is no matrix */
            const model = await once(`models/${served}`), values = {};
            fit(model, values, machine);
            for (const [key, value] of Object.entries(differs)) values[key] = asText(value);
            pairs++;
            await solve(model, { machine: name, model: served, calibration: "", memory: "", values, whatIf: [] }, undefined, () => {})
                .catch((error) => faults.push(`${name} ${served}: ${error.message}`));
        }
    }
    assert.deepEqual(faults, []);
    assert.ok(pairs > 25, `${pairs} pairs`);
});

it("a first visit begins with the machine that was uploaded last", async () => {
    const [{ list }, { chooseMachine, ownOf }] = await Promise.all(["core/api", "question/serving"].map((name) => load(`${name}.js`)));
    const machines = await list("machines"), at = (name, updated_at) => ({ name, updated_at, calibration: "0", shipped: false });
    assert.deepEqual(ownOf(machines).map(({ name }) => name), ["here"]);
    assert.equal((await chooseMachine(machines, "matmul")).name, "here");
    assert.deepEqual(ownOf([at("older", "2026-01-01T00:00:00Z"), ...machines, at("newer", "9999-01-01T00:00:00Z")]).map(({ name }) => name), ["newer", "here", "older"]);
});

it("another operation keeps the number of processes", async () => {
    const [{ once }, { drop, fit }] = await Promise.all(["core/api", "question/question"].map((name) => load(`${name}.js`)));
    const [lu, solver] = await Promise.all(["sparse_lu", "solve"].map((name) => once(`models/${name}`)));
    for (const [to, from, cores, before, after] of [
        [solver, lu, 12, { processes: "16" }, { nodes: "2", processes_per_node: "8" }],
        [solver, lu, undefined, { processes: "7" }, { nodes: "7", processes_per_node: "1" }],
        [solver, lu, 12, { nodes: "4" }, { nodes: "4" }],
        [lu, solver, 12, { nodes: "8", processes_per_node: "2" }, { processes: "16" }],
        [lu, solver, 12, { nodes: "8" }, { nodes: "8" }],
    ]) {
        const values = { ...before, matrix: "grid" };
        drop(to, values, from, { cores_per_node: cores });
        assert.deepEqual(values, { ...after, matrix: "grid" });
        assert.deepEqual(fit(to, values, { cores_per_node: cores }).includes("iterations"), to === solver, "what is assumed is told");
    }
});

it("a computer of one node is offered for every operation, in its own size", async () => {
    const [{ get }, { servedBy }] = await Promise.all(["core/api", "question/serving"].map((name) => load(`${name}.js`)));
    const machine = await get("machines/here"), served = await servedBy(machine);
    assert.deepEqual([machine.single_node, machine.cores_per_node], [true, 2]);
    assert.deepEqual([...served.keys()], machine.models);
    assert.equal(machine.models.length, 18);
    const sizes = ["matmul", "hpl", "cnc_matmul", "solve"].map((name) => served.get(name).parameters).map(({ processes, nodes, processes_per_node: per }) => [processes, nodes, per]);
    assert.equal(served.get("matmul").parameters.n, 8192, "fits into the memory of one process");
    assert.deepEqual(sizes, [[1, undefined, undefined], [2, undefined, undefined], [2, undefined, undefined], [undefined, 1, 2]]);
});

it("the question of a first visit lies in the calibrated range of its machine, with the nodes that are recommended", async () => {
    const [{ get, once }, { exampleOf }] = await Promise.all(["core/api", "question/example"].map((name) => load(`${name}.js`)));
    const { n, processes } = exampleOf(await once("models/matmul"), await get("machines/example"));
    const { rows } = await get(`rank/matmul?machine=example&n=${n}&processes=${processes}`);
    const { best } = await get(`recommend/matmul?machine=example&n=${n}&prefer_calibrated=true`);
    assert.deepEqual([rows[0].warnings, best.warnings], [[], []]);
});

it("a machine without a calibration is asked the usual sizes", async () => {
    const [{ once }, { exampleOf }] = await Promise.all(["core/api", "question/example"].map((name) => load(`${name}.js`)));
    const { nodes, processes_per_node } = exampleOf(await once("models/solve"), { cores_per_node: null, single_node: false });
    assert.deepEqual([nodes, processes_per_node], [64, 8]);
});
