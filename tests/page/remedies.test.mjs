// The remedies of the daemon's refusals, each of which removes its fault.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { load, servedBy } from "./page.mjs";

const QUESTION = { machine: "hopper", n: "16384", processes: "64" };

let daemon, remediesOf, sentence, serving;

before(async () => {
    daemon = await startDaemon();
    servedBy(daemon.url);
    [{ remediesOf }, { sentence }, serving] = await Promise.all(["question/remedies.js", "parts/fields.js", "question/serving.js"].map(load));
});
after(() => daemon.stop());

async function api(path, query) {
    const response = await fetch(`${daemon.url}/api/v1/${path}?${new URLSearchParams(query ?? {})}`);
    return { status: response.status, body: await response.json() };
}

/** The remedies of the first fault of a question, as they are labelled. */
async function remedied(query, { route = "rank", model: name = "matmul", goal = {} } = {}) {
    const { body: model } = await api(`models/${name}`), { machine, memory, ...values } = query;
    const ask = (question) => api(`${route}/${name}`, question);
    const { status, body: { errors } } = await ask({ ...query, ...goal });
    assert.ok(status >= 400, `${status}`);
    for (const fault of errors) assert.doesNotMatch(sentence(fault), /\/api\//);
    const served = (await serving.servedBy((await api(`machines/${machine}`)).body)).get(name);
    const remedies = remediesOf(errors[0], { model, values, goal, served });
    for (const remedy of remedies) {
        const changed = { ...values, ...remedy.values };
        if (remedy.values?.nodes) delete changed.processes; /* alternatives */
        for (const [path, other] of Object.entries(remedy.paths ?? {})) {
            if (other) changed[`what_if.${other}`] = changed[`what_if.${path}`];
            delete changed[`what_if.${path}`];
        }
        const question = { machine, ...changed, ...goal, ...remedy.goal, ...(remedy.memory && { memory: remedy.memory }) };
        const answer = await ask(Object.fromEntries(Object.entries(question).filter(([, value]) => value !== undefined)));
        const [further] = answer.body.errors ?? []; /* what the daemon looks at next */
        assert.ok(answer.status === 200 || (further && further.code !== errors[0].code), `${remedy.text}: ${JSON.stringify(answer.body)}`);
    }
    return remedies.map(({ text, label = text }) => label);
}

it("the nearest possible value, or the nearer end of a range", async () => {
    assert.deepEqual(await remedied({ ...QUESTION, processes: "63", algorithm: "cannon", variant: "2d" }), ["Use 64 for processes"]);
    assert.deepEqual(await remedied({ ...QUESTION, threads: "0" }), ["Use 1 for threads"]);
    assert.deepEqual(await remedied({ ...QUESTION, n: "4096.5" }), ["Use 4097 for n"]);
});

it("an example of what is required", async () => {
    assert.deepEqual(await remedied({ machine: "piz-daint", nodes: "8", processes_per_node: "16", local_grid: "16x16x16" }, { model: "cg" }), ["Use 100 for iterations, an example"]);
});

it("no memory limit, or the fewest nodes on which something fits", async () => {
    assert.deepEqual(await remedied({ ...QUESTION, n: "1000000" }), ["Use 1,176 nodes", "Ignore the memory limit"]);
    assert.ok((await remedied({ ...QUESTION, n: "165536", processes: "4" })).includes("Use 54 nodes"));
});

it("less of the calibration", async () => {
    assert.deepEqual(await remedied({ machine: "hopper", message_bytes: "1024", nodes: "64", processes_per_node: "8" }, { model: "allreduce" }),
        ["Use processes per node 1, penalties none"]);
});

it("the name or the calibrated value that was meant, or none", async () => {
    assert.deepEqual(await remedied({ ...QUESTION, varaint: "2d" }), ["Use variant", "Leave out varaint"]);
    assert.deepEqual(await remedied({ ...QUESTION, "what_if.network.bandwith": "*2" }), ["Use network.bandwidth", "Leave out the change of network.bandwith"]);
});

it("a goal that can be reached", async () => {
    const recommend = (goal) => remedied(QUESTION, { route: "recommend", goal });
    assert.deepEqual(await recommend({ objective: "knee", min_efficiency_fraction: "1.5" }), ["Use 1 for min efficiency fraction"]);
    const [deadline] = await recommend({ objective: "nodes", deadline_s: "1e-9" });
    assert.ok(Number(/^Use (.*) for deadline s$/.exec(deadline)[1]) > 1e-6, deadline);
});

it("a list that the page has is not named by its address in the API", async () => {
    const { body: { errors: [machine] } } = await api("rank/matmul", { ...QUESTION, machine: "nowhere" });
    assert.match(machine.message, /\/api\//);
    assert.doesNotMatch(sentence(machine), /\/api\//);
});
