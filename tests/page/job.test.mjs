// The time limit of a job script.
import assert from "node:assert/strict";
import { it } from "node:test";
import { load } from "./page.mjs";

const { timeLimit } = await load("parts/job.js");

it("is the upper end of the interval, or of what extrapolation is expected to miss, or a quarter more than predicted", () => {
    const answers = [{ interval: { low_s: 400, high_s: 601 } }, { interval: null, extrapolation: { low_s: 300, high_s: 700 } }, { interval: null, extrapolation: { high_s: 601 } }, { interval: null, extrapolation: { high_s: null } },
        { interval: { low_s: 450, high_s: 550, basis: "variability" }, extrapolation: null }];
    assert.deepEqual(answers.map((answer) => timeLimit({ time_s: 500, ...answer }).limit_s), [601, 700, 625, 625, 625]);
});
