// Golden cases, asked over HTTP: each parameter of a model reaches its equation, each result the answer.  The unit
// tests go through all cases.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblemObject, client, faultNames } from "./client.mjs";
import { casesOf, FILES } from "./golden.mjs";

const LEFT_OUT = ["assumed_value", "unstated_source"]; // golden calibrations state no sources
/** The first cases that have something: a member of the request, a parameter, a result, a warning or a refusal of a model. */
function telling(cases) {
    const known = new Set();
    return cases.filter(({ request, expect }) => {
        const { model, parameters } = request, { warnings: warned = [], refused: names = [] } = expect;
        const has = [request, parameters, expect].flatMap(Object.keys).concat(warned, names).map((name) => `${model} ${name}`);
        const isTelling = has.some((name) => !known.has(name));
        for (const name of has) known.add(name);
        return isTelling;
    });
}

const warnings = (result) => result.warnings.filter(({ code }) => !LEFT_OUT.includes(code))
    .map(({ code, what }) => (what ? `${code}:${what}` : code)).sort();

/** What a golden file calls the faults: their parameters, or the code where a group is missing. */
function refused(problem) {
    const missing = problem.errors.some((fault) => fault.code === "calibration_group_missing");
    return missing ? ["calibration_group_missing"] : faultNames(problem);
}

function checkValue(got, value, name) {
    if (typeof value === "number") assertClose(got, value, name, 1e-9, 1e-15);
    else if (value === null || typeof value !== "object") assert.equal(got, value, name);
    else for (const key of Object.keys(value)) checkValue(got?.[key], value[key], `${name}.${key}`);
}

function check(id, result, expect) {
    if (expect.refused) {
        const problem = assertProblemObject(result, 422);
        assert.deepEqual(refused(problem), [expect.refused].flat(), `${id}: ${JSON.stringify(problem)}`);
        return;
    }
    assert.ok(result.time_s !== undefined, `${id}: ${JSON.stringify(result).slice(0, 600)}`);
    const { breakdown, warnings: expected, ...values } = expect;
    for (const [name, value] of Object.entries(values)) checkValue(result[name], value, `${id}: ${name}`);
    if (breakdown) {
        assert.deepEqual(result.breakdown.map((p) => [p.phase, p.kind]), breakdown.map((p) => [p.phase, p.kind]), id);
        breakdown.forEach((phase, i) => checkValue(result.breakdown[i], phase, `${id}: ${phase.phase}`));
    }
    if (expected) assert.deepEqual(warnings(result), [...expected].sort(), id);
}

let daemon;
before(async () => (daemon = await startDaemon({ calibrations: null })));
after(() => daemon?.stop());

for (const [file, model] of FILES)
    test(`the daemon answers cases of ${file}.json`, async () => {
        const cases = telling(casesOf(`${file}.json`, model));
        const answer = await client(daemon.url).post("/api/v1/predict", { requests: cases.map(({ request }) => request) });
        assert.equal(answer.status, 200, answer.text.slice(0, 500));
        const { results } = answer.json;
        assert.equal(results.length, cases.length);
        cases.forEach(({ id, expect }, i) => check(id, results[i], expect));
        // The check itself detects a wrong number, a wrong phase and a wrong refusal.
        const first = cases.findIndex(({ expect }) => expect.time_s > 0), { expect } = cases[first];
        assert.throws(() => check("wrong", results[first], { ...expect, time_s: expect.time_s * (1 + 1e-8) }));
        assert.throws(() => check("wrong", results[first], { refused: ["processes"] }));
        if (expect.breakdown)
            assert.throws(() => check("wrong", results[first], { ...expect, breakdown: [...expect.breakdown].reverse() }));
    });
