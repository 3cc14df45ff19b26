// POST /api/v1/predict: many requests at once, each answered separately.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, assertProblemObject, client, faultNames, worked } from "./client.mjs";

const cannon = { contention_model: "paper", algorithm: "cannon", variant: "2d", n: 4000, processes: 16, threads: 4 };
const request = (parameters = cannon, more = {}) => ({ model: "matmul", machine: "worked", parameters, ...more });

let daemon, api;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    assert.equal((await api.upload(worked, await daemon.token("write"))).status, 201);
});
after(() => daemon?.stop());

test("a thousand requests are answered in their order", async () => {
    const requests = Array.from({ length: 1000 }, (_, i) => request({ ...cannon, n: 4000 + i }));
    const answer = await api.post("/api/v1/predict", { requests });
    assert.equal(answer.status, 200, answer.text.slice(0, 300));
    assert.deepEqual(answer.json.results.map((r) => r.parameters.n), requests.map((r) => r.parameters.n));
});

test("a thousand and one are refused", async () => {
    const requests = Array.from({ length: 1001 }, () => request());
    const answer = await api.post("/api/v1/predict", { requests });
    assert.ok([413, 422].includes(answer.status), String(answer.status));
    const problem = assertProblem(answer, answer.status);
    assert.match(JSON.stringify(problem), /1,?000/);
});

test("no requests give no results", async () => {
    const answer = await api.post("/api/v1/predict", { requests: [] });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json, { results: [] });
});

test("a result equals the answer to GET", async () => {
    const one = await api.predict(request());
    const got = (await api.get(`/api/v1/predict/matmul?machine=worked&${new URLSearchParams(cannon)}`)).json;
    assert.deepEqual(one, got);
});

test("a warning that cannot name all pointers says how many it leaves out", async () => {
    const calibration = JSON.parse(worked);
    const pointers = calibration.contention.maximum.flatMap((row, i) =>
        Object.keys(row).map((key) => `/contention/maximum/${i}/${key}`));
    calibration.sources = Object.fromEntries(pointers.map((pointer) => [pointer, "assumed: a test"]));
    const { warnings } = await api.predict(request(cannon, { calibration }));
    const [, list, more] = warnings.find(({ code }) => code === "assumed_value").message.match(/: (.*) and (\d+) more$/);
    const named = list.split(", ");
    for (const pointer of named) assert.ok(pointers.includes(pointer), pointer);
    assert.equal(named.length + Number(more), pointers.length);
});

test("valid and invalid requests can be mixed, with status 200", async () => {
    const answer = await api.post("/api/v1/predict", { requests: [
        request(), request({ ...cannon, processes: 12 }), request(cannon, { machine: "nowhere" }), request(cannon, { model: "lu" }),
        request({ ...cannon, extra: 1 }), request(),
    ] });
    assert.equal(answer.status, 200);
    const [first, grid, machine, model, unknown, last] = answer.json.results;
    assertClose(first.time_s, 0.2612112);
    assert.deepEqual(last, first);
    assert.deepEqual(faultNames(assertProblemObject(grid, 422)), ["processes"]);
    assert.deepEqual(faultNames(assertProblemObject(machine, 422)), ["machine"]);
    assert.deepEqual(faultNames(assertProblemObject(model, 422)), ["model"], "an unknown model is here a fault of `model`");
    assert.deepEqual(faultNames(assertProblemObject(unknown, 422)), ["extra"]);
    assert.equal(unknown.errors[0].code, "unknown_parameter");
});

test("types are strict: an integer is a number, a boolean no number, a choice a text", async () => {
    const bad = { n: ["4000", true, null, [4000], {}, 4000.5, -1, 0, 1e300], contention: [0, 1, "true", null],
        algorithm: [1, true, null, ["cannon"], "Cannon", ""], processes: ["16", 16.5] };
    for (const [name, values] of Object.entries(bad))
        for (const value of values) {
            const result = await api.predict(request({ ...cannon, [name]: value }));
            const problem = assertProblemObject(result);
            assert.equal(problem.status, 422, `${name} = ${JSON.stringify(value)}: ${JSON.stringify(problem)}`);
            assert.ok(faultNames(problem).includes(name), `${name} = ${JSON.stringify(value)}: ${JSON.stringify(problem)}`);
        }
});

test("a whole number may be written as 4000.0 or 4e3", async () => {
    for (const n of ["4000.0", "4e3", "40000e-1"]) {
        const text = JSON.stringify({ requests: [request()] }).replace("4000", n);
        const answer = await api.post("/api/v1/predict", text);
        assert.equal(answer.json.results[0].parameters?.n, 4000, answer.text.slice(0, 300));
    }
});

test("a body of another shape is refused as a whole", async () => {
    for (const [body, status] of [
        ["", 400], ["{", 400], ["[]", 422], ["{}", 422], ['{"requests": {}}', 422], ['{"requests": null}', 422],
        ['{"requests": [], "more": 1}', 422], ['{"request": []}', 422], ['{"requests": [], "requests": []}', 400],
        ["null", [400, 422]], ["7", [400, 422]], ['"text"', [400, 422]], ['{"requests": [1e999]}', [400, 422, 200]],
    ]) {
        const answer = await api.post("/api/v1/predict", body);
        assert.ok([status].flat().includes(answer.status), `${body}: ${answer.status} ${answer.text.slice(0, 200)}`);
        if (answer.status !== 200) assertProblem(answer, answer.status);
    }
});

test("only the element of another shape is refused", async () => {
    const odd = [null, 1, "x", [], {}, { model: 1 }, { model: "matmul" }, { model: "matmul", machine: "worked" },
        { model: "matmul", machine: "worked", parameters: [] }, { model: "matmul", machine: 7, parameters: cannon },
        { ...request(), surplus: 1 }, { ...request(), calibration: 7 }, { ...request(), what_if: [] },
        { ...request(), what_if: { "network.bandwidth": null } }, { ...request(), what_if: { "network.bandwidth": true } },
        { model: "matmul", parameters: cannon }, { ...request(), calibration: "0123456789abcdef" }];
    const answer = await api.post("/api/v1/predict", { requests: [...odd, request()] });
    assert.equal(answer.status, 200, answer.text.slice(0, 300));
    assert.equal(answer.json.results.length, odd.length + 1);
    odd.forEach((each, i) => {
        const problem = assertProblemObject(answer.json.results[i]);
        assert.ok([400, 422].includes(problem.status), `${JSON.stringify(each)}: ${JSON.stringify(problem)}`);
        assert.ok(problem.errors?.length, `${JSON.stringify(each)}: ${JSON.stringify(problem)}`);
    });
    assertClose(answer.json.results.at(-1).time_s, 0.2612112);
});

test("an unknown key of a request is refused with the nearest name", async () => {
    const problem = assertProblemObject(await api.predict({ ...request(), machin: "worked" }), 422);
    assert.deepEqual(problem.errors.map((e) => e.code), ["unknown_key"]);
    assert.match(problem.errors[0].message, /machine/);
});

test("a calibration document of another machine is refused", async () => {
    const problem = assertProblemObject(await api.predict(request(cannon, { machine: "other", calibration: JSON.parse(worked) })), 422);
    assert.ok(problem.errors.length >= 1);
});

test("a fault of a calibration document is told where it is in the request, beside the others", async () => {
    const calibration = JSON.parse(worked);
    calibration.node.cores = 4;
    const problem = assertProblemObject(await api.predict(request({ ...cannon, n: 0 }, { calibration })), 422);
    assert.deepEqual(problem.errors.map((e) => e.pointer ?? e.parameter).sort(), ["/calibration/node/cores", "n"]);
});

test("no token is needed for a batch", async () => {
    assert.equal((await api.post("/api/v1/predict", { requests: [request()] })).status, 200);
});
