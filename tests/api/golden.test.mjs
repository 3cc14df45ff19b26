// The golden cases of the dense models, asked over HTTP: the daemon answers what the equations say.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblemObject, client, faultNames } from "./client.mjs";

const file = new URL("../validation/golden/dense-distributed.json", import.meta.url);
const golden = JSON.parse(readFileSync(file, "utf8"));
const cases = golden.cases.filter((each) => each.problem);
const LEFT_OUT = ["assumed_value", "unstated_source"]; // golden calibrations state no sources

let daemon, results;

/** A case as a request: the calibration whole, with the two members that golden files leave out. */
function request({ calibration, problem: { model, ...parameters } }) {
    return {
        model, parameters,
        calibration: { schema: "forerun-calibration-1", machine: "golden", ...golden.calibrations[calibration] },
    };
}

before(async () => {
    daemon = await startDaemon({ calibrations: null });
    const answer = await client(daemon.url).post("/api/v1/predict", { requests: cases.map(request) });
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    results = answer.json.results;
    assert.equal(results.length, cases.length);
});
after(() => daemon?.stop());

const warnings = (result) => result.warnings.filter(({ code }) => !LEFT_OUT.includes(code))
    .map(({ code, what }) => (what ? `${code}:${what}` : code)).sort();

/** What a golden file calls the faults: their parameters, or the code where a group is missing. */
function refused(problem) {
    const missing = problem.errors.some((fault) => fault.code === "calibration_group_missing");
    return missing ? ["calibration_group_missing"] : faultNames(problem);
}

function check(result, expect) {
    if (expect.refused) {
        const problem = assertProblemObject(result, 422);
        assert.deepEqual(refused(problem), expect.refused, JSON.stringify(problem));
        return;
    }
    assert.ok(result.time_s !== undefined, JSON.stringify(result).slice(0, 600));
    const { breakdown, warnings: expected, ...values } = expect;
    for (const [name, value] of Object.entries(values)) {
        if (value === null) assert.equal(result[name], null, name);
        else assertClose(result[name], value, name, golden.relative_tolerance, 1e-15);
    }
    if (breakdown) {
        assert.deepEqual(result.breakdown.map((p) => [p.phase, p.kind]), breakdown.map((p) => [p.phase, p.kind]));
        breakdown.forEach((phase, i) => {
            assertClose(result.breakdown[i].time_s, phase.time_s, `${phase.phase}.time_s`, golden.relative_tolerance, 1e-15);
            assertClose(result.breakdown[i].hidden_s, phase.hidden_s, `${phase.phase}.hidden_s`, golden.relative_tolerance, 1e-15);
        });
    }
    if (expected) assert.deepEqual(warnings(result), [...expected].sort());
}

describe("golden cases", () => {
    test("there are as many as the file is known to have", () => assert.ok(cases.length >= 88, String(cases.length)));
    cases.forEach((each, i) => {
        const { model, algorithm = "", variant, n, processes } = each.problem;
        test(`${each.id}: ${[model, algorithm, variant].filter(Boolean).join(" ")}, n=${n}, p=${processes}`,
            () => check(results[i], each.expect));
    });
    test("the check itself notices a wrong number, a wrong phase and a wrong refusal", () => {
        const first = cases.findIndex((each) => each.expect.breakdown?.length);
        const { expect } = cases[first];
        assert.throws(() => check(results[first], { ...expect, time_s: expect.time_s * (1 + 1e-8) }));
        assert.throws(() => check(results[first], { ...expect, breakdown: [...expect.breakdown].reverse() }));
        assert.throws(() => check(results[first], { refused: ["processes"] }));
    });
});
