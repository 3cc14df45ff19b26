// Tables: how the values of a column are written.
import assert from "node:assert/strict";
import { it } from "node:test";
import { load } from "./page.mjs";

const { column } = await load("core/table.js");

it("has the unit of its typical row", () => {
    assert.equal(column("time_s", "Time", [0.027, 0.03, 0.031, 4].map((time_s) => ({ time_s }))).unit, "ms");
});
