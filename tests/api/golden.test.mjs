// The golden cases, asked over HTTP: the daemon answers what the equations say.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblemObject, client, faultNames } from "./client.mjs";

const LEFT_OUT = ["assumed_value", "unstated_source"]; // golden calibrations state no sources
const folder = new URL("../validation/golden/", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, folder), "utf8"));

/** The cases of a file in one form: id, request, expect. `model` is of files about one model. */
function casesOf(name, model) {
    const golden = read(name);
    const calibration = (key) => {
        const named = golden.calibrations[key];
        const document = typeof named === "string" ? read(named) : named;
        return { schema: "forerun-calibration-1", machine: "golden", ...document };
    };
    return golden.cases.filter((each) => (each.problem || each.parameters) && !each.runs).map((each) => {
        const { model: own, ...parameters } = each.problem ?? each.parameters;
        if (each.facts) delete parameters.matrix; // the facts are the matrix
        const request = {
            model: own ?? each.model ?? model,
            parameters,
            calibration: calibration(each.calibration ?? each.machine),
            ...(each.run && { run: each.run }),
            ...(each.facts && { facts: each.facts }),
        };
        return { id: each.id, request, expect: each.expect };
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

function check(result, expect) {
    if (expect.refused) {
        const problem = assertProblemObject(result, 422);
        assert.deepEqual(refused(problem), [expect.refused].flat(), JSON.stringify(problem));
        return;
    }
    assert.ok(result.time_s !== undefined, JSON.stringify(result).slice(0, 600));
    const { breakdown, warnings: expected, ...values } = expect;
    for (const [name, value] of Object.entries(values)) checkValue(result[name], value, name);
    if (breakdown) {
        assert.deepEqual(result.breakdown.map((p) => [p.phase, p.kind]), breakdown.map((p) => [p.phase, p.kind]));
        breakdown.forEach((phase, i) => checkValue(result.breakdown[i], phase, phase.phase));
    }
    if (expected) assert.deepEqual(warnings(result), [...expected].sort());
}

for (const [file, model, least] of [["dense-distributed.json", undefined, 88], ["cnc.json", "cnc_matmul", 62], ["krylov.json", undefined, 54],
    ["dense-refined.json", undefined, 26], ["krylov-refined.json", undefined, 20],
    ["krylov-problem.json", undefined, 46], ["multigrid.json", undefined, 23], ["block-cyclic.json", undefined, 72]]) {
    describe(`golden cases of ${file}`, () => {
        const cases = casesOf(file, model);
        let daemon, results;
        before(async () => {
            daemon = await startDaemon({ calibrations: null });
            const answer = await client(daemon.url).post("/api/v1/predict", { requests: cases.map(({ request }) => request) });
            assert.equal(answer.status, 200, answer.text.slice(0, 500));
            results = answer.json.results;
            assert.equal(results.length, cases.length);
        });
        after(() => daemon?.stop());

        test("the file has at least the expected number of cases", () => assert.ok(cases.length >= least, String(cases.length)));
        cases.forEach(({ id, request, expect }, i) => {
            const { algorithm, variant, solver, n, processes, nodes } = request.parameters;
            const words = [algorithm, variant, solver, n && `n=${n}`, processes && `p=${processes}`, nodes && `nodes=${nodes}`];
            test(`${id}: ${request.model} ${words.filter(Boolean).join(" ")}`, () => check(results[i], expect));
        });
        test("the check itself detects a wrong number, a wrong phase and a wrong refusal", () => {
            const first = cases.findIndex(({ expect }) => expect.time_s > 0);
            const { expect } = cases[first];
            assert.throws(() => check(results[first], { ...expect, time_s: expect.time_s * (1 + 1e-8) }));
            assert.throws(() => check(results[first], { refused: ["processes"] }));
            if (expect.breakdown)
                assert.throws(() => check(results[first], { ...expect, breakdown: [...expect.breakdown].reverse() }));
        });
    });
}
