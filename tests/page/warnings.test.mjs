// The warnings of an answer as the page tells them.
import assert from "node:assert/strict";
import { it } from "node:test";
import { load } from "./page.mjs";

const { countOf, errorOf, leadOf, shownOf, told } = await load("parts/warnings.js");

const missing = (what, share_fraction = null) => ({ code: "pattern_missing", what, message: `contention.patterns has no pattern ${what}`, share_fraction });

it("joins warnings that say the same of several patterns", () => {
    const list = [missing("shift_column"), missing("shift_pair"), { code: "extrapolated", message: "n is 33554432", share_fraction: null }, missing("shift_row")];
    assert.deepEqual(told(list), [{ code: "pattern_missing", message: "contention.patterns has no pattern shift_column, shift_pair, shift_row." }, { code: "extrapolated", message: "N is 33,554,432." }]);
    assert.equal(countOf(list), 2);
});

it("says of several values that they are measured", () => {
    const of = (what) => ({ code: "extrapolated", what, message: `${what} is measured up to 64, and 128 is 2 times that`, share_fraction: null });
    assert.deepEqual(told([of("a.n"), of("b.n")]).map(({ message }) => message), ["a.n, b.n are measured up to 64, and 128 is 2 times that."]);
    assert.deepEqual(told([of("a.n")]).map(({ message }) => message), ["a.n is measured up to 64, and 128 is 2 times that."]);
});

it("tells the weightiest warning first, and none on which nothing depends", () => {
    const of = (code, share_fraction) => ({ code, message: `the value /contention/${code} is assumed.`, share_fraction });
    assert.deepEqual(told([of("little", 0.01), of("none", 0), of("much", 0.5), of("unknown", null)]).map(({ message }) => message),
        ["unknown", "much", "little"].map((code) => `The value contention.${code} is assumed.`));
});

it("counts no warnings that move the time by less than a percent, if all say so", () => {
    const of = (share_fraction, expected_error_fraction) => ({ code: "extrapolated", what: `${share_fraction}`, message: `${share_fraction} is measured up to 1`, share_fraction, expected_error_fraction });
    assert.equal(errorOf([of(0.02, 0.17), of(0.03, 0.1), of(0, 5)]), 0.02 * 0.17 + 0.03 * 0.1);
    assert.equal(countOf([of(0.02, 0.17), of(0.03, 0.1)]), 0);
    assert.equal(countOf([of(0.02, 0.17), of(0.3, 0.1)]), 1);
    assert.equal(errorOf([of(0.02, 0.17), of(0.001, null)]), null);
    assert.equal(countOf([of(0.02, 0.17), of(0.001, null)]), 1);
    assert.equal(errorOf([of(null, 0.1)]), null);
});

it("says in one sentence what the warnings come to, and why mostly", () => {
    const of = (what, share_fraction, expected_error_fraction = null) => ({ code: "extrapolated", what, share_fraction, expected_error_fraction,
        message: `/contention/${what} is measured up to 64, and 25600 is 400 times that; the time may be wrong by ${100 * share_fraction * expected_error_fraction} %` });
    assert.equal(leadOf([of("little", 0.9, 0.02), of("much", 0.2, 0.5), of("unknown", null)]),
        "The time may be wrong by about 12\u00a0%, mostly because contention.much is measured up to 64, and 25,600 is 400 times that");
    assert.match(leadOf([of("more", 0.9, 2), of("unknown", null)]), /^The time may be wrong several times over, because contention\.more /);
    assert.equal(leadOf([of("one", 0.5, 0.5)]), null, "it says it itself");
    assert.equal(leadOf([of("slight", 0.01, 0.5), of("unknown", null)]), null);
    assert.equal(shownOf([of("little", 0.9, 0.02), of("much", 0.2, 0.5), of("unknown", null)]), 1);
});

it("folds what has little weight, and nothing whose weight is not known", () => {
    const of = (code, share_fraction) => ({ code, message: `${code} is so`, share_fraction, expected_error_fraction: null });
    const known = [0.9, 0.3, 0.2, 0.1].map((share) => of(`n${share}`, share)), unknown = ["assumed", "allocation", "pattern", "memory"].map((code) => of(code, null));
    assert.equal(shownOf(known), 2);
    assert.equal(shownOf(known.slice(0, 3)), 3);
    assert.equal(shownOf([...known, ...unknown]), 4);
    assert.deepEqual(told([...known, ...unknown]).slice(0, 4).map(({ code }) => code), unknown.map(({ code }) => code));
});

it("a calibration is doubted for its three worst parts", async () => {
    const { worstOf } = await load("machine/quality.js");
    const part = (name, spread_fraction, load) => ({ pointer: `/kernels/${name}`, spread_fraction, load });
    const doubtful = [part("dger", 0.02, "busy"), part("dgemm", 0.3), part("dtrsm", 0.2), part("dsyrk", 0.5)];
    assert.equal(worstOf(doubtful).replaceAll("\u00a0", " "), "kernels.dsyrk (spread 50 %), kernels.dgemm (spread 30 %), kernels.dtrsm (spread 20 %) and 1 more.");
    assert.equal(worstOf(doubtful.slice(0, 1)), "kernels.dger (machine loaded: busy).");
});
