// Properties of every request, tested on random ones.  A failure prints the seed and the smallest example.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, assertProblemObject, client, keepAlive, worked } from "./client.mjs";
import { document } from "./document.mjs";
import fc, { draws, PATIENT } from "./draws.mjs";
import { compileSchemas } from "./schemas.mjs";

const openapi = compileSchemas(document);
const MODELS = ["matmul", "trsm", "cholesky"];
const BATCH = 40; // requests a round: cheap for the daemon, few round trips

let daemon, api, models, agent;
const seen = { predicted: 0, refused: 0, fits: 0 };
before(async () => {
    daemon = await startDaemon({ calibrations: null, args: PATIENT });
    agent = keepAlive(4);
    api = client(daemon.url);
    assert.equal((await api.upload(worked, await daemon.token("write"))).status, 201);
    models = Object.fromEntries(await Promise.all(MODELS.map(async (name) => [name, (await api.get(`/api/v1/models/${name}`)).json])));
});
after(async () => {
    agent?.destroy();
    await daemon?.stop();
});

const holds = (property, options) => fc.assert(property, { numRuns: draws(400), ...options });
// Where a daemon may die of it, the first example tells more than the least: all later ones fail.
const holdsFirst = (property, options) => holds(property, { endOnFailure: true, ...options });

/** Parameters that are likely to be legal: grids that are square, layers that fit. */
const likely = (model) => fc.record({
    side: fc.integer({ min: 1, max: 32 }), layers: fc.integer({ min: 1, max: 8 }), n: fc.integer({ min: 64, max: 200_000 }),
    overlap: fc.boolean(), deep: fc.boolean(), threads: fc.integer({ min: 1, max: 8 }), blocks: fc.integer({ min: 1, max: 8 }),
    algorithm: fc.constantFrom("cannon", "summa"), contention: fc.boolean(), contention_model: fc.constantFrom("paper", "refined"),
    word: fc.constantFrom(4, 8, 16),
}).map(({ side, layers, n, overlap, deep, threads, blocks, algorithm, contention, contention_model, word }) => {
    const c = deep ? Math.min(layers, side) : 1;
    return {
        ...(model === "matmul" && { algorithm }), variant: (deep ? "25d" : "2d") + (overlap ? "_ovlp" : ""), n,
        processes: side * side * c, threads: overlap ? Math.max(threads, 2) : threads, replication: c,
        blocks_per_process: model === "matmul" && algorithm === "cannon" ? 1 : blocks, word_bytes: word, contention, contention_model,
    };
});

/** A value of a parameter as its descriptor says, legal by itself. */
function legal(parameter) {
    const { type, minimum = 1, maximum = 1e6, choices } = parameter;
    if (type === "choice") return fc.constantFrom(...choices);
    if (type === "boolean") return fc.boolean();
    const low = Math.max(minimum, -1e6), high = Math.min(maximum, 1e6);
    if (type === "integer") return fc.oneof(fc.integer({ min: low, max: Math.min(high, 64) }), fc.integer({ min: low, max: high }));
    return fc.double({ min: low, max: high, noNaN: true });
}

const anything = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.string({ maxLength: 12 }), fc.boolean(),
    fc.constant(null), fc.constantFrom("", "1e6", "true", "2d", -1, 0, 1.5, 1e300, 1e308, 1e-300, 5e-324, 2 ** 53, -0.5), fc.array(fc.integer(), { maxLength: 2 }),
    fc.object({ maxDepth: 1, maxKeys: 2 }));

/** Documents near the border of what is legal: some wholly random, most legal but for a value or a name. */
function documents(model) {
    const { parameters } = models[model];
    const of = (legality) => Object.fromEntries(parameters.map((p) => [p.name, legality(p)]));
    const random = fc.record(of((p) => fc.oneof({ weight: 8, arbitrary: legal(p) }, { weight: 1, arbitrary: anything })), { requiredKeys: [] });
    const name = fc.constantFrom(...parameters.map((p) => p.name), "N", "proceses", "x", "");
    const changed = fc.tuple(likely(model), name.chain((key) => {
        const parameter = parameters.find((p) => p.name === key);
        return fc.tuple(fc.constant(key), fc.oneof(parameter ? legal(parameter) : anything, anything, fc.constant(undefined)));
    }), fc.boolean()).map(([document, [key, value], isTouched]) => {
        if (isTouched) value === undefined ? delete document[key] : (document[key] = value);
        return document;
    });
    return fc.oneof({ weight: 1, arbitrary: random }, { weight: 3, arbitrary: changed });
}

async function results(requests) {
    const answer = await api.post("/api/v1/predict", { requests }, { agent });
    assert.equal(answer.status, 200, answer.text.slice(0, 400));
    assert.equal(answer.json.results.length, requests.length);
    return answer.json.results;
}

function checkPrediction(prediction, parameters) {
    openapi.check({ $ref: "#/components/schemas/Prediction" }, prediction, "prediction");
    const model = models[prediction.model];
    const sum = prediction.breakdown.reduce((total, phase) => total + phase.time_s - phase.hidden_s, 0);
    assertClose(sum, prediction.time_s, "the sum of the breakdown", 1e-9);
    assertClose(prediction.computation_s + prediction.communication_s - prediction.hidden_s, prediction.time_s, "the sum of the sides");
    assertClose(prediction.gflops, prediction.flops / prediction.time_s / 1e9, "gflops");
    assert.ok(prediction.time_s > 0);
    if (!prediction.what_if) assert.ok(prediction.percent_of_peak <= 100 + 1e-6);
    for (const phase of prediction.breakdown) assert.ok(phase.hidden_s <= phase.time_s * (1 + 1e-12), JSON.stringify(phase));
    const pairs = prediction.warnings.map((w) => `${w.code}:${w.what}`);
    assert.equal(new Set(pairs).size, pairs.length, "each warning once");
    for (const name of Object.keys(parameters))
        if (!["cores", "nodes"].includes(name)) assert.deepEqual(prediction.parameters[name], parameters[name], name);
    for (const { name, input_only: isInput } of model.parameters)
        assert.equal(name in prediction.parameters, !isInput, `${name} in the answer's parameters`);
    for (const { name } of model.outputs) assert.ok(name in prediction, `output ${name}`);
    const known = new Set([...model.outputs.map((o) => o.name), "model", "machine", "calibration", "parameters", "breakdown",
        "interval", "calibration_spread", "extrapolation", "warnings", "engine", "what_if", "baseline"]);
    for (const name of Object.keys(prediction)) assert.ok(known.has(name), `${name} is described`);
}

describe("predictions", () => {
    for (const model of MODELS)
        test(`${model}: valid parameters give a prediction that adds up and fits its schema`, () =>
            holds(fc.asyncProperty(fc.array(likely(model), { minLength: 1, maxLength: BATCH }), async (list) => {
                const made = await results(list.map((parameters) => ({ model, machine: "worked", parameters })));
                made.forEach((result, i) => {
                    if (result.time_s === undefined) {
                        assertProblemObject(result, 422);
                        // What `likely` does not keep to: blocks smaller than an element.
                        assert.deepEqual(result.errors.map((e) => e.parameter), ["n"], JSON.stringify([list[i], result]));
                    } else checkPrediction(result, list[i]);
                });
            }), { numRuns: draws(80) }));

    for (const model of MODELS)
        test(`${model}: random documents are predicted or refused, never with an error of the daemon, and ajv agrees`, () => {
            const validate = new Ajv2020({ strict: false, allErrors: true }).compile(models[model].schema);
            return holds(fc.asyncProperty(fc.array(documents(model), { minLength: 1, maxLength: BATCH }), async (list) => {
                const made = await results(list.map((parameters) => ({ model, machine: "worked", parameters })));
                made.forEach((result, i) => {
                    const fits = validate(list[i]);
                    seen.fits += fits;
                    seen[result.time_s === undefined ? "refused" : "predicted"]++;
                    const shown = `${JSON.stringify(list[i])} -> ${JSON.stringify(result).slice(0, 500)}`;
                    if (result.time_s !== undefined) {
                        checkPrediction(result, list[i]);
                        assert.ok(fits, `predicted, but the schema refuses: ${JSON.stringify(validate.errors?.slice(0, 3))} ${shown}`);
                        return;
                    }
                    assertProblemObject(result);
                    assert.ok([400, 422].includes(result.status), shown);
                    assert.ok(result.errors.length >= 1, shown);
                    // Combinations and the machine's limits are beyond a schema; single values are not.
                    const beyond = result.errors.every((e) => ["impossible_combination", "out_of_range", "required", "calibration_group_missing"].includes(e.code));
                    if (fits) assert.ok(beyond, `the schema takes what the daemon refuses as ${result.errors.map((e) => e.code)}: ${shown}`);
                });
            }), { numRuns: draws(80) });
        });

    test("the random documents are of both kinds", () => {
        const least = (seen.predicted + seen.refused) / 9;
        assert.ok(seen.predicted > least && seen.refused > least && seen.fits > least, JSON.stringify(seen));
    });

    test("a query and a batch give the same answer", () =>
        holds(fc.asyncProperty(fc.constantFrom(...MODELS).chain((model) => likely(model).map((p) => [model, p])), async ([model, parameters]) => {
            const [batch] = await results([{ model, machine: "worked", parameters }]);
            const answer = await api.get(`/api/v1/predict/${model}?machine=worked&${new URLSearchParams(parameters)}`, { agent });
            assert.deepEqual(answer.json, batch);
        })));

    test("a message in single precision is half as long", () =>
        holds(fc.asyncProperty(fc.constantFrom(...MODELS).chain((model) => likely(model).map((p) => [model, p])), async ([model, likelyOnes]) => {
            const { word_bytes: _, ...parameters } = likelyOnes;
            // The refined model chooses the algorithm of a collective by its bytes.
            const ask = (precision) => ({ model, machine: "worked", parameters: { ...parameters, precision, contention_model: "paper" } });
            const [single, double, complex] = await results(["single", "double", "double_complex"].map(ask));
            if (double.time_s === undefined) return;
            assertClose(2 * single.communication_bytes_per_process, double.communication_bytes_per_process, "bytes of messages");
            assertClose(2 * single.memory_bytes_per_process, double.memory_bytes_per_process, "bytes of memory");
            assert.ok(single.communication_s <= double.communication_s * (1 + 1e-9), "time of messages");
            assertClose(4 * double.flops, complex.flops, "complex operations");
        })));

    test("doubling the rate of dgemm or a bandwidth never increases the time", () =>
        holds(fc.asyncProperty(likely("matmul"), fc.constantFrom("kernels.dgemm.rate", "network.bandwidth"), async (parameters, path) => {
            const [result] = await results([{ model: "matmul", machine: "worked", parameters, what_if: { [path]: "*2" } }]);
            if (result.time_s === undefined) return;
            assert.ok(result.time_s <= result.baseline.time_s * (1 + 1e-12), JSON.stringify([parameters, result.time_s, result.baseline.time_s]));
            checkPrediction(result, parameters);
        })));
});

describe("requests", () => {
    const text = fc.oneof(fc.string({ maxLength: 20 }), fc.fullUnicodeString({ maxLength: 10 }), fc.constantFrom("*2", "1e999", "-0", "1..2..0",
        "1..1e18", "a,b", ",", "..", "1..*2", "2d,25d", "1..100000..*1.0000001", "99999999999999999999", "%", "null"));
    const name = fc.oneof(fc.constantFrom("machine", "n", "processes", "cores", "nodes", "variant", "algorithm", "threads", "calibration", "limit", "x", "y",
        "series", "width", "height", "title", "logx", "memory", "objective", "max_nodes", "deadline_s", "quantile", "margin_percent", "what_if.network.bandwidth",
        "what_if.contention.maximum", "what_if.", "what_if..", "what_if.sources", "cursor"), fc.string({ maxLength: 10 }));

    test("random queries get a status below 500, and every fault has a parameter or pointer", () =>
        holdsFirst(fc.asyncProperty(fc.constantFrom("predict", "sweep", "rank", "recommend", "chart"), fc.constantFrom(...MODELS),
            fc.constantFrom("", ".json", ".csv", ".txt", ".svg", ".gp", ".xyz"), fc.array(fc.tuple(name, text), { maxLength: 8 }), fc.boolean(),
            async (kind, model, suffix, pairs, isRooted) => {
                const rooted = isRooted ? [["machine", "worked"], ["n", "4000"], ["threads", "4"]] : [];
                const query = [...rooted, ...pairs].map(([k, v]) => `${encode(k)}=${encode(v)}`).join("&");
                const answer = await api.get(`/api/v1/${kind}/${model}${suffix}?${query}`, { agent });
                assert.ok(answer.status < 500, `${answer.status} ${query} ${answer.text.slice(0, 300)}`);
                if (answer.status >= 400) assertProblem(answer, answer.status);
            }), { numRuns: draws(800) }));

    test("extreme calibrated values give finite answers or refusals in every question", () =>
        holdsFirst(fc.asyncProperty(fc.constantFrom("predict", "sweep", "rank", "recommend", "chart"), fc.constantFrom(...MODELS),
            fc.array(fc.tuple(fc.constantFrom("network.bandwidth", "network.latency", "kernels.dgemm.rate", "kernels.dtrsm.rate", "kernels.dpotrf.rate",
                "node.peak_flops_per_s", "node.memory_bytes", "contention.average", "contention.maximum", "kernels.dgemm.square"),
            fc.constantFrom("*1e308", "*1e-308", "*1e300", "*1e-300", "*1e150", "*5e-324")), { minLength: 1, maxLength: 3 }), fc.boolean(),
            async (kind, model, changes, isPaged) => {
                const given = { predict: "processes=16&variant=2d", sweep: "processes=4,16&variant=2d", chart: "processes=4,16&variant=2d&x=processes",
                    rank: "processes=16", recommend: `max_nodes=8&objective=${isPaged ? "efficiency" : "core_hours"}` }[kind];
                const paths = [...new Map(changes)].map(([path, value]) => `what_if.${path}=${value}`).join("&");
                const query = `machine=worked&n=4000&threads=4&${given}&${model === "matmul" && kind !== "rank" ? "algorithm=cannon&" : ""}${paths}`;
                const answer = await api.get(`/api/v1/${kind}/${model}?${query}`, { agent });
                assert.ok(answer.status === 200 || answer.status === 422, `${answer.status} ${kind} ${query} ${answer.text.slice(0, 300)}`);
                if (answer.status === 422) assertProblem(answer, 422);
                else if (kind === "rank") for (const row of answer.json.rows) assert.ok(row.time_s > 0, query);
                else if (kind === "recommend") assert.ok(answer.json.best.time_s > 0, query);
                else if (kind === "predict") assert.ok(answer.json.time_s > 0, query);
            })));

    test("random bodies get a status below 500", () =>
        holdsFirst(fc.asyncProperty(fc.oneof(fc.json({ maxDepth: 3 }), fc.json().map((t) => `{"requests":[${t}]}`), fc.string(),
            fc.json().map((t) => `{"requests":[{"model":"matmul","calibration":${t},"parameters":{}}]}`),
            fc.json().map((t) => t.slice(0, -1))), async (body) => {
            const answer = await api.post("/api/v1/predict", body, { agent });
            assert.ok([200, 400, 422].includes(answer.status), `${answer.status} ${body} ${answer.text.slice(0, 300)}`);
            if (answer.status === 200) for (const result of answer.json.results) assertProblemObject(result);
            else assertProblem(answer, answer.status);
        }), { numRuns: draws(800) }));

    test("a calibration with one member changed at random is taken or refused with its pointer, and never breaks a prediction", () => {
        const whole = JSON.parse(worked);
        delete whole.sources;
        const leaves = [];
        (function walk(value, path) {
            leaves.push(path);
            if (value && typeof value === "object") for (const key of Object.keys(value)) walk(value[key], [...path, key]);
        })(whole, []);
        const changed = fc.tuple(fc.constantFrom(...leaves.filter((path) => path.length)), anything).map(([path, value]) => {
            const copy = structuredClone(whole);
            const last = path.slice(0, -1).reduce((at, key) => at[key], copy);
            last[path.at(-1)] = value;
            return [path, copy];
        });
        const parameters = { algorithm: "cannon", variant: "2d", n: 4000, processes: 16, threads: 4 };
        return holdsFirst(fc.asyncProperty(fc.array(changed, { minLength: 1, maxLength: 10 }), async (list) => {
            const made = await results(list.map(([, calibration]) => ({ model: "matmul", calibration, parameters })));
            made.forEach((result, i) => {
                if (result.time_s !== undefined) checkPrediction({ ...result }, parameters);
                else {
                    assertProblemObject(result);
                    assert.ok([400, 422].includes(result.status));
                    assert.ok(result.errors.length, JSON.stringify([list[i][0], result]));
                }
            });
        }), { numRuns: draws(134) });
    });

    const encode = (t) => encodeURIComponent(t.toWellFormed ? t.toWellFormed() : t.replace(/[\ud800-\udfff]/g, "?"));
});
