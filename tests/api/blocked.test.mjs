// Blocked algorithms over HTTP: the golden cases, rankings, block sizes, user-defined lists of calls, refusals.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, client, faultNames } from "./client.mjs";
import { document, golden } from "./golden_blocked.mjs";

let daemon, api, token;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    token = await daemon.token("write");
    const stored = await api.post("/api/v1/machines/paper/calibrations", document("paper"), { token });
    assert.equal(stored.status, 201, stored.text.slice(0, 500));
});
after(() => daemon?.stop());

const sizes = ({ operation, m, n }) => (operation === "sylv" ? `m=${m ?? n}&n=${n}` : `n=${n}`);
const ask = (path, query) => api.get(`/api/v1/${path}?machine=paper&${query}`);

describe("golden cases of blocked.json", () => {
    for (const each of golden.predictions) {
        test(`${each.operation} ${sizes(each)} b=${each.b}: every variant, their order, which are close to the best`, async () => {
            for (const [variant, want] of Object.entries(each.predictions)) {
                const { json } = await ask(`predict/${each.operation}`, `${sizes(each)}&block_size=${each.b}&variant=${variant}`);
                assertClose(json.time_s, want.med, "median");
                assertClose(json.time_min_s, want.min, "minimum");
                assertClose(json.time_average_s, want.avg, "mean");
                assertClose(json.time_max_s, want.max, "maximum");
                assertClose(json.time_std_s, want.std, "deviation");
                assert.equal(json.calls, want.calls);
                assert.equal(json.calls_outside, want.outside);
                assertClose(json.breakdown.reduce((sum, { time_s }) => sum + time_s, 0), json.time_s, "breakdown");
            }
            const { json: { rows } } = await ask(`rank/${each.operation}`, `${sizes(each)}&block_size=${each.b}`);
            assert.deepEqual(rows.map(({ variant }) => variant), each.rank);
            assert.deepEqual(rows.filter((row) => row.within_2_percent).map(({ variant }) => variant), each.within_2_percent);
        });
    }
    for (const each of golden.block_sizes) {
        test(`${each.operation} variant ${each.variant} n=${each.n}: the block size`, async () => {
            const { json: { rows, considered } } = await ask(`rank/${each.operation}`, `${sizes(each)}&variant=${each.variant}&limit=1`);
            assert.equal(considered, 32);
            assert.equal(rows[0].block_size, each.b);
            assertClose(rows[0].time_s, each.med, "time");
        });
    }
    for (const each of golden.trinv_calls) {
        test(`trinv variant ${each.variant} n=${each.n} b=${each.b}: explain lists the calls, and they add up`, async () => {
            const { json } = await ask("predict/trinv", `n=${each.n}&block_size=${each.b}&variant=${each.variant}&explain=true`);
            assert.deepEqual(json.call_list.map(({ call }) => call), each.calls);
            assertClose(json.call_list.reduce((sum, { time_s }) => sum + time_s, 0), json.time_s, "sum");
            const again = await ask("predict/calls", `calls=${encodeURIComponent(each.calls.join("; "))}`);
            assertClose(again.json.time_s, json.time_s, "the same list given as calls");
            assert.equal(again.json.call_count, each.calls_without_empty.length);
        });
    }
});

test("explain in CSV is the list, in a batch a member of the prediction", async () => {
    const csv = await ask("predict/sylv.csv", "m=12&n=12&block_size=4&variant=16&explain=true");
    const lines = csv.text.trim().split("\r\n");
    assert.equal(lines[0], "call,time_s,time_min_s,time_average_s,time_max_s,time_std_s,outside");
    assert.equal(lines.length, 1 + golden.sylv_calls[1].calls.length);
    const request = { model: "trinv", machine: "paper", parameters: { n: 20, variant: 1, block_size: 8 }, explain: true };
    const { json: { results } } = await api.post("/api/v1/predict", { requests: [request, { ...request, explain: 1 }] });
    assert.equal(results[0].call_list.length, 9);
    assert.deepEqual(faultNames(results[1]), ["explain"]);
    const misplaced = { ...request, explain: undefined, parameters: { ...request.parameters, explain: true, quantil: 0.9 } };
    const [{ errors }] = (await api.post("/api/v1/predict", { requests: [misplaced] })).json.results;
    assert.deepEqual(errors.map(({ message }) => message), [
        "a member of the request, not a parameter of trinv; put it beside `parameters`", "not a parameter of trinv; see /api/v1/models/trinv"]);
});

test("a model without a list refuses explain by name", async () => {
    const answer = await ask("predict/allreduce", "nodes=2&message_bytes=8&explain=true");
    assert.ok(faultNames(assertProblem(answer, 422)).includes("explain"));
});

test("the blend lies between the localities, and needs a weight", async () => {
    const question = "n=500&variant=3&block_size=96";
    const [warm, cold, blend, own] = await Promise.all(["in_cache", "out_of_cache", "blend", "blend&out_of_cache_weight=0.5"]
        .map((locality) => ask("predict/trinv", `${question}&locality=${locality}`)));
    assertClose(cold.json.time_s, 2 * warm.json.time_s, "out of the cache");
    assertClose(blend.json.time_s, 1.25 * warm.json.time_s, "by the calibration's weight");
    assert.equal(blend.json.parameters.out_of_cache_weight, 0.25);
    assertClose(own.json.time_s, 1.5 * warm.json.time_s, "by one's own");
    assert.deepEqual(faultNames(assertProblem(await ask("predict/trinv", `${question}&out_of_cache_weight=0.5`), 422)), ["out_of_cache_weight"]);
});

describe("reuse of operands", () => {
    const question = "n=500&variant=3&block_size=96";
    const reusing = (path, query) => api.get(`/api/v1/${path}?machine=reusing&${query}`);
    before(async () => {
        const calibration = document("reusing");
        calibration.kernels.reuse = [{ distance_bytes: 65536, out_of_cache_share: 0 }, { distance_bytes: 4194304, out_of_cache_share: 1 }];
        const stored = await api.post("/api/v1/machines/reusing/calibrations", calibration, { token });
        assert.equal(stored.status, 201, stored.text.slice(0, 500));
    });

    test("is the default where the calibration has it, and lies between the localities", async () => {
        for (const [model, fixed] of [["trinv", question], ["sylv", "m=300&n=400&variant=6&block_size=96"]]) {
            const [open, warm, cold, first] = await Promise.all(["", "&locality=in_cache", "&locality=out_of_cache", "&first_use=out_of_cache"]
                .map((rest) => reusing(`predict/${model}`, fixed + rest)));
            assert.equal(open.json.parameters.locality, "reuse");
            assert.equal(open.json.parameters.first_use, "in_cache");
            assert.ok(warm.json.time_s < open.json.time_s && open.json.time_s < first.json.time_s && first.json.time_s < cold.json.time_s);
        }
        assert.equal((await ask("predict/trinv", question)).json.parameters.locality, "in_cache");
    });

    test("explain has the times of the calls that add up", async () => {
        const { json } = await reusing("predict/trinv", `${question}&explain=true`);
        assertClose(json.call_list.reduce((sum, { time_s }) => sum + time_s, 0), json.time_s, "sum");
    });

    test("needs the table, and calls that say what they share", async () => {
        const without = assertProblem(await ask("predict/trinv", `${question}&locality=reuse`), 422);
        assert.deepEqual(without.errors.map(({ code }) => code), ["calibration_group_missing"]);
        assert.match(without.errors[0].message, /^no kernels\.reuse; forerun-calibrate --only=routine_models/);
        const list = `calls=${encodeURIComponent("dtrsm LLNN 96 96 -1")}`;
        assert.equal((await reusing("predict/calls", list)).json.parameters.locality, "in_cache");
        const refused = assertProblem(await reusing("predict/calls", `${list}&locality=reuse`), 422);
        assert.deepEqual(faultNames(refused), ["locality"]);
    });
});

test("the statistic determines time_s and the order of rankings", async () => {
    const { json } = await ask("predict/trinv", "n=500&variant=3&block_size=96&statistic=minimum");
    assertClose(json.time_s, golden.predictions[1].predictions[3].min, "minimum");
    assertClose(json.time_s, json.time_min_s, "the same");
});

test("a deadline that cannot be met names no nodes where there are none; a budget of core hours is refused", async () => {
    const late = assertProblem(await ask("recommend/trinv", "n=100&deadline_s=1e-9"), 422);
    assert.match(late.errors[0].message, /^the fastest takes \S+ s: /);
    const priced = assertProblem(await ask("recommend/trinv", "n=100&max_core_hours=1"), 422);
    assert.deepEqual(faultNames(priced), ["max_core_hours"]);
    assert.match(priced.errors[0].message, /has no nodes/);
});

test("a call without a model is refused with routine, flags, locality and threads", async () => {
    const own = assertProblem(await ask("predict/sylv", "m=96&n=96&variant=4&block_size=32&leaf=own"), 422);
    assert.deepEqual(own.errors.map(({ code }) => code), ["calibration_group_missing"]);
    assert.match(own.errors[0].message, /sylv4_unb, in_cache, 1 thread /);
    assert.match(own.errors[0].message, /; forerun-calibrate --only=routine_models --kernels=sylv_own makes it$/);
    assert.equal((await ask("predict/sylv", "m=96&n=96&variant=4&block_size=32")).json.parameters.leaf, "common", "where not all variants have one of their own");
    const threads = assertProblem(await ask("predict/trinv", "n=500&variant=3&block_size=96&threads=2"), 422);
    const missing = threads.errors.map(({ message }) => /no model of ([\w ]+), in_cache, 2 threads/.exec(message)?.[1]).sort();
    assert.deepEqual(missing, ["dgemm NN", "dtrsm LLNN", "dtrsm RLNN", "trinv3_unb"]);
    for (const { message } of threads.errors) assert.match(message, / --kernels=trinv --threads=2 makes it$/);
    const cold = assertProblem(await ask("predict/calls", `calls=${encodeURIComponent("dgemm TN 8 8 8 1")}&locality=out_of_cache`), 422);
    assert.match(cold.errors[0].message, / --kernels=dgemm:TN --locality=out_of_cache makes it$/);
    assert.ok(!assertProblem(await ask("predict/trinv", "n=50&variant=3&block_size=96&threads=2"), 422).errors.some(({ message }) => /dgemm/.test(message)));
});

test("sizes outside all regions are predicted with a warning that names them", async () => {
    const { json } = await ask("predict/trinv", "n=4000&variant=3&block_size=96");
    assert.ok(json.calls_outside > 0);
    assert.ok(json.warnings.some(({ code, what }) => code === "extrapolated" && what === "kernels.routine_models.dgemm"));
    const within = await ask("predict/trinv", "n=500&variant=3&block_size=96");
    assert.equal(within.json.calls_outside, 0);
    assert.deepEqual(within.json.warnings, []);
});

describe("lists of calls", () => {
    const q = (text) => encodeURIComponent(text);

    test("user-defined variants are ranked; sizes may be letters, flags may be separate", async () => {
        const list = q("dtrsm L L N N n 96 +1; dtrsm RLNN n 96 -1 | dtrmm RLNN 96 n +1\ndtrsm LLNN 96 n -1;");
        const { json } = await ask("rank/calls", `calls=${list}&n=404`);
        assert.equal(json.rows.length, 2);
        const ours = golden.predictions[1].predictions;
        assert.ok(json.rows[0].time_s <= json.rows[1].time_s);
        assert.deepEqual(json.rows.map(({ variant }) => variant).sort(), [1, 2]);
        assert.ok(ours);
    });
    test("one kernel's model is swept over its sizes", async () => {
        const { json } = await ask("sweep/calls", `calls=${q("dgemm NN n n k")}&n=100,200&k=100`);
        assert.equal(json.rows.length, 2);
        assert.equal(json.rows[0].flops, 2e6);
        assert.ok(json.rows.every(({ time_s }) => time_s > 0));
    });
    test("every invalid call is reported with its position and a remedy", async () => {
        const list = q("dgem NN 1 2 3; dtrsm LXNN 1 2; dgemm NN 1 2; dgemm NN n 2 3 -2; trinv1_unb 5 6; dtrsm LLNN 9 9");
        const problem = assertProblem(await ask("predict/calls", `calls=${list}`), 400);
        const messages = problem.errors.map(({ parameter, message }) => `${parameter}: ${message}`);
        assert.equal(messages.length, 5, messages.join("\n"));
        for (const [i, words] of [[0, /call 1: dgem is not a known routine/], [1, /call 2: flag uplo of dtrsm must be one of UL, not X/], [2, /call 3: dgemm takes 3 sizes, not 2/], [3, /call 4: size m of dgemm: 'n'/], [4, /call 5: unexpected '6'/]])
            assert.match(messages[i], words);
    });
    test("a list that is empty, too long or not of ASCII is refused", async () => {
        assert.deepEqual(faultNames(assertProblem(await ask("predict/calls", ""), 422)), ["calls"]);
        assert.deepEqual(faultNames(assertProblem(await ask("predict/calls", `calls=${q(" ; |")}`), 400)), ["calls"]);
        assert.deepEqual(faultNames(assertProblem(await ask("predict/calls", "calls=dgemm%00"), 400)), ["calls"]);
        assert.deepEqual(faultNames(assertProblem(await ask("predict/calls", `calls=${q("dgemm NN 1 2 ∞")}`), 400)), ["calls"]);
        const request = { model: "calls", machine: "paper", parameters: { calls: "trinv1_unb 9;".repeat(700) } };
        const { json } = await api.post("/api/v1/predict", { requests: [request, { ...request, parameters: { calls: 5 } }] });
        assert.deepEqual(json.results.map(faultNames), [["calls"], ["calls"]]);
        const variant = assertProblem(await ask("predict/calls", `calls=${q("trinv1_unb 9")}&variant=2`), 422);
        assert.deepEqual(faultNames(variant), ["variant"]);
    });
});

test("too many steps or blocks for one answer are refused with a possible block size", async () => {
    const trinv = assertProblem(await ask("predict/trinv", "n=1000000&variant=1&block_size=8"), 422);
    assert.match(trinv.errors[0].message, /245 or more/);
    const sylv = assertProblem(await ask("predict/sylv", "m=100000&n=100000&variant=1&block_size=8"), 422);
    assert.deepEqual(faultNames(sylv), ["block_size"]);
});

test("a what-if on the rate of a kernel changes only its phase", async () => {
    const { json } = await ask("predict/trinv", "n=500&variant=3&block_size=96&what_if.kernels.dgemm.rate=*2");
    const before = Object.fromEntries(json.baseline.breakdown.map(({ phase, time_s }) => [phase, time_s]));
    for (const { phase, time_s } of json.breakdown) assertClose(time_s, before[phase] / (phase === "dgemm" ? 2 : 1), phase);
});

describe("a document's routine models", () => {
    const refusal = async (change, words) => {
        const bad = document("bad");
        change(bad.kernels.routine_models);
        const problem = assertProblem(await api.post("/api/v1/machines/bad/calibrations", bad, { token }), 422);
        assert.ok(problem.errors.some(({ message }) => words.test(message)), JSON.stringify(problem.errors));
    };
    test("must cover their range", () => refusal((models) => { models[1].range = [{ min: [8, 8], max: [512, 1025] }]; }, /do not cover box 0 of range: none contains/));
    test("must have a known routine", () => refusal((models) => { models[0].routine = "sgemm"; }, /'sgemm' is unknown/));
    test("must have the routine's flags and sizes", async () => {
        await refusal((models) => { models[0].flags = { transA: "N" }; }, /flags.transB is required of dgemm/);
        await refusal((models) => { models[1].flags.side = "X"; }, /flags.side is 'X'; dtrsm takes one letter of LR/);
        await refusal((models) => { models[1].parameters = ["n", "m"]; }, /parameter 0 is n; dtrsm has m there/);
    });
    test("must be unique", () => refusal((models) => { models.push(models[0]); }, /same routine, flags, locality and threads as row 0/));
    test("must have as many coefficients as the basis", () => refusal((models) => { models[0].regions[0].coef.avg.pop(); }, /coef.avg has 7 numbers instead of 8/));
});

test("a chart of the efficiency has the measured points: the work of the configuration over the measured time", async () => {
    const question = "variant=1&block_size=96&n=250,500&x=n";
    const { json } = await ask("predict/trinv", "variant=1&block_size=96&n=500");
    const run = { schema: "forerun-run-1", model: "trinv", parameters: { variant: 1, block_size: 96, n: 500 }, time_s: json.time_s / 2 };
    const stored = await api.post("/api/v1/machines/paper/runs", run, { token });
    assert.equal(stored.status, 201, stored.text.slice(0, 500));
    for (const y of ["percent_of_peak", "gflops"]) {
        const { text } = await ask("chart/trinv.gp", `${question}&y=${y}&measured=true`);
        const points = text.split("\n").map((line) => line.trim().split(/\s+/).map(Number)).filter(([x]) => x === 500).map(([, value]) => value);
        assert.ok(points.some((value) => Math.abs(value / (2 * json[y]) - 1) < 1e-6), `${y}: ${points} has no ${2 * json[y]}`);
    }
    assert.doesNotMatch((await ask("chart/trinv.gp", `${question}&y=calls&measured=true`)).text, /measured/);

    // Lines by choice have the colors of their choices: the points of all of them have one that no line has.
    const { json: drawn } = await ask("chart/trinv.json", `${question}&statistic=median,average&series=statistic&measured=true`);
    assert.equal(drawn.series?.length, 3, JSON.stringify(drawn).slice(0, 3000));
    assert.equal(new Set(drawn.series.map(({ color }) => color)).size, 3, JSON.stringify(drawn.series));
});

test("minimum, median, average and maximum are in order, and the answer says where the models cross", async () => {
    const example = readFileSync(new URL("../../calibrations/sets/example.json", import.meta.url), "utf8");
    assert.equal((await api.post("/api/v1/machines/example/calibrations", example, { token })).status, 201);
    const { json } = await api.get("/api/v1/predict/trinv?machine=example&n=104&variant=4&block_size=8");
    for (const each of [json.time_s, json.time_average_s])
        assert.ok(json.time_min_s <= each && each <= json.time_max_s, JSON.stringify(json));
    const said = json.warnings.filter(({ code }) => code === "statistics_reordered");
    assert.equal(said.length, 1);
    assert.match(said[0].message, /in \d+ of 48 calls/);
});

test("a chart has the runs of the solver of diagonal blocks that it is about, not those of another one", async () => {
    const sizes = { m: 96, n: 96, block_size: 32, variant: 4 };
    const drawn = async (more) => (await ask("chart/sylv.json", `m=96&n=96&block_size=32&variant=4,16&x=variant&kind=groups&measured=true${more}`)).json.series.map(({ label }) => label);
    for (const leaf of [{ leaf: "own" }, {}]) {
        const stored = await api.post("/api/v1/machines/paper/runs", { schema: "forerun-run-1", model: "sylv", parameters: { ...sizes, ...leaf }, time_s: 1 }, { token });
        assert.equal(stored.status, 201, stored.text.slice(0, 500));
        assert.deepEqual(await drawn(""), leaf.leaf ? ["paper"] : ["measured", "paper"], "common is the default here");
    }
});
