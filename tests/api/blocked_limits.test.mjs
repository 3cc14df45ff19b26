// Limits of questions about kernel models: bounded work, and warnings for everything that was not measured.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, client } from "./client.mjs";
import { document } from "./golden_blocked.mjs";

let daemon, api, token;
before(async () => {
    daemon = await startDaemon({ calibrations: null, args: ["--request-steps", "4000000"] });
    api = client(daemon.url);
    token = await daemon.token("write");
    const stored = await api.post("/api/v1/machines/paper/calibrations", document("paper"), { token });
    assert.equal(stored.status, 201, stored.text.slice(0, 500));
});
after(() => daemon?.stop());

const ask = (path, query) => api.get(`/api/v1/${path}?machine=paper&${new URLSearchParams(query)}`);

/** A model of one kernel whose regions are `boxes`, each a constant time. */
const model = (routine, flags, boxes, time_s = 1e-6) => {
    const sizes = boxes[0][0].length, constant = { min: [time_s], med: [time_s], avg: [time_s], max: [time_s], std: [0] };
    return {
        kind: "routine_model", routine, flags, parameters: ["m", "n", "k"].slice(0, sizes), unit: "s", locality: "in_cache", threads: 1,
        range: boxes.map(([min, max]) => ({ min, max })), basis: [Array(sizes).fill(0)],
        regions: boxes.map(([min, max]) => ({ min, max, error: 0, coef: constant })),
    };
};
const inline = async (models, name, parameters) => {
    const calibration = { schema: "forerun-calibration-1", machine: "inline", kernels: { routine_models: models } };
    const { json } = await api.post("/api/v1/predict", { requests: [{ model: name, calibration, parameters }] });
    assert.ok(json.results, JSON.stringify(json));
    return json.results[0];
};
const NN = { transA: "N", transB: "N" };

test("work is bounded, not only points: rankings, sweeps, charts, forecasts are refused once it is used up", async () => {
    const questions = [
        ["rank/sylv", { m: "1000000", n: "520", block_size: "90..256" }],
        ["sweep/sylv", { m: "1049..2048", n: "2048", variant: "4", block_size: "8" }],
        ["sweep/sylv", { m: "2048", n: "1949..2048", tune: "true" }],
        ["chart/sylv.svg", { m: "1049..1548", n: "2048", variant: "4", block_size: "8", x: "m" }],
        ["forecast/sylv", { m: "2018..2048", n: "2017..2048", variant: "3,4", by: "variant", block_size: "8" }],
    ];
    for (const [path, query] of questions) {
        const answer = await ask(path, query);
        assertProblem(answer, 413);
        assert.equal(answer.json.errors[0].code, "too_large", path);
        assert.match(answer.json.errors[0].message, /larger blocks/, path);
    }
    assert.equal((await ask("rank/sylv", { m: "200", n: "200" })).status, 200, "and the next question is answered");
});

test("searching a document with very many regions counts as work", async () => {
    const any = { side: "*", uplo: "*", trans: "*", diag: "*" }, BATCH = 12;
    const boxes = Array.from({ length: 1000 }, (_, i) => [[100_000 + i, 100_000], [100_001 + i, 100_001]]);
    const kernels = {
        routine_models: [model("dtrsm", any, boxes), model("dtrmm", any, boxes), { ...model("trinv1_unb", {}, [[[8], [8]]]), parameters: ["n"] }],
    };
    const stored = await api.post("/api/v1/machines/regions/calibrations", { schema: "forerun-calibration-1", machine: "regions", kernels }, { token });
    assert.equal(stored.status, 201, stored.text.slice(0, 500));
    const parameters = { n: 3280, variant: 1, block_size: 8 };
    const { json } = await api.post("/api/v1/predict", { requests: Array(BATCH).fill({ model: "trinv", machine: "regions", parameters }) });
    assert.ok(json.results[0].time_s > 0, "one prediction looks 800 sizes up");
    assert.equal(json.results[BATCH - 1].errors?.[0].code, "too_large");
});

test("a call between the regions is extrapolated and says so, within their bounding box too", async () => {
    const boxes = [[[8, 8, 8], [1000, 1000, 100]], [[8, 8, 8], [100, 100, 1000]]];
    const { json } = { json: await inline([model("dgemm", NN, boxes)], "calls", { calls: "dgemm NN 600 600 600" }) };
    assert.equal(json.calls_outside, 1);
    const [warning] = json.warnings.filter(({ code }) => code === "extrapolated");
    assert.ok(warning, "a warning");
    assert.match(warning.message, /600/);
});

test("a model with a wildcard side extrapolates with the operations of the called side", async () => {
    const any = model("dtrsm", { side: "*", uplo: "*", trans: "*", diag: "*" }, [[[8, 8], [16, 16]]]);
    const time = async (call) => (await inline([any], "calls", { calls: call })).time_s;
    assertClose(await time("dtrsm RLNN 16 160"), 1e-4, "m n^2: a hundred times");
    assertClose(await time("dtrsm RLNN 160 16"), 1e-5, "ten times");
    assertClose(await time("dtrsm LLNN 160 16"), 1e-4, "m^2 n");
});

test("a model with exactly these flags takes precedence over a wildcard", async () => {
    const any = model("dgemm", { transA: "*", transB: "*" }, [[[8, 8, 8], [99, 99, 99]]], 5e-6);
    const exact = model("dgemm", NN, [[[8, 8, 8], [99, 99, 99]]], 1e-6);
    for (const both of [[any, exact], [exact, any]]) {
        assertClose((await inline(both, "calls", { calls: "dgemm NN 8 8 8" })).time_s, 1e-6, "exact");
        assertClose((await inline(both, "calls", { calls: "dgemm TN 8 8 8" })).time_s, 5e-6, "any");
    }
});

test("a call with another diag uses the model of its other flags, but a wildcard before it", async () => {
    const of = (diag, time_s) => model("dtrsm", { side: "L", uplo: "L", trans: "N", diag }, [[[8, 8], [99, 99]]], time_s), unit = of("N", 1e-6), any = of("*", 5e-6);
    const time = async (models, call) => (await inline(models, "calls", { calls: call })).time_s;
    assertClose(await time([unit], "dtrsm LLNU 8 8"), 1e-6, "LLNN");
    for (const both of [[unit, any], [any, unit]]) assertClose(await time(both, "dtrsm LLNU 8 8"), 5e-6, "LLN*");
    assert.match((await inline([unit], "calls", { calls: "dtrsm LUNU 8 8" })).errors[0].message, /no model of dtrsm LUNU/);
});

test("a ranking counts what it could not predict, and a variant without calls is refused", async () => {
    const { json } = await ask("rank/calls", { calls: "dgemm NN 80 80 80 | dgemm TN 8 8 8" });
    assert.equal(json.considered, 1);
    assert.equal(json.left_out.calibration_group_missing, 1);
    assert.match(json.left_out.reason, /dgemm TN/);
    assert.equal((await ask("rank/trinv", { n: "500" })).json.left_out.calibration_group_missing, 0);
    for (const calls of ["dgemm NN 8 8 8 |", "| dgemm NN 8 8 8", "dgemm NN 8 8 8 || dgemm NN 8 8 8"]) {
        const empty = await ask("rank/calls", { calls });
        assertProblem(empty, 400);
        assert.match(empty.json.errors[0].message, /variant \d has no call/);
    }
});

test("flat rows have the calls and their number", async () => {
    const csv = await api.get(`/api/v1/predict/calls.csv?machine=paper&calls=${encodeURIComponent("dgemm NN 80 80 80; dgemm NN 8 8 8")}`);
    const [head, row] = csv.text.trim().split("\r\n").map((line) => line.split(","));
    assert.equal(row[head.indexOf("call_count")], "2");
    assert.equal(row[head.indexOf("calls")], "dgemm NN 80 80 80; dgemm NN 8 8 8");
});

test("documents without content are refused", async () => {
    const good = model("dgemm", NN, [[[8, 8, 8], [99, 99, 99]]]);
    const faults = {
        kind: [{ ...good, kind: "something" }, /kind/], range: [{ ...good, range: [] }, /range/],
        basis: [{ ...good, basis: [], regions: good.regions.map((region) => ({ ...region, coef: { min: [], med: [], avg: [], max: [], std: [] } })) }, /basis/],
        twice: [{ ...good, basis: [[0, 0, 0], [0, 0, 0]], regions: good.regions.map((region) => ({ ...region, coef: { min: [1, 1], med: [1, 1], avg: [1, 1], max: [1, 1], std: [0, 0] } })) }, /basis/],
    };
    for (const [name, [bad, message]] of Object.entries(faults)) {
        const answer = await inline([bad], "calls", { calls: "dgemm NN 8 8 8" });
        assert.equal(answer.status, 422, name);
        assert.ok(answer.errors.some((error) => message.test(error.message)), `${name}: ${JSON.stringify(answer.errors)}`);
    }
});
