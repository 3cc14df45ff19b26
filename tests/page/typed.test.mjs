// Numbers as people write them, as the API takes them.
import assert from "node:assert/strict";
import { it } from "node:test";
import { load } from "./page.mjs";

const { meant, meantList } = await load("core/typed.js");

const KINDS = {
    count: { name: "n", type: "integer" }, time: { name: "deadline_s", type: "number", unit: "s" }, share: { name: "min_efficiency_fraction", type: "number", unit: "1" },
    size: { name: "message_bytes", type: "number", unit: "bytes" }, grid: { name: "local_grid", type: "vector" },
};

for (const [kind, texts] of Object.entries({
    count: { "65,536": "65536", "65 536": "65536", "64k": "65536", "2^16": "65536", "2**16": "65536", "1e4": "1e4", "1,2": "1,2", many: "many", "1.0001k": "1.0001k", "2^99": "2^99", "-3": "-3" },
    time: { "10 min": "600", "00:10:00": "600", "10:00": "600", "1-00:00:00": "86400", "1 h 30 min": "5400", "250 ms": "0.25", 3: "3", "3 x": "3 x" },
    share: { "80 %": "0.8", "7%": "0.07", 0.8: "0.8" },
    size: { "64 KiB": "65536", "1MB": "1000000", "8k": "8192" },
    grid: { "16 x 16 × 16": "16x16x16" },
})) it(`a ${kind} is taken as it is written`, () => {
    assert.deepEqual(Object.fromEntries(Object.keys(texts).map((text) => [text, meant(KINDS[kind], text)])), texts);
});

it("a list is taken as it is written, and a range with its step", () => {
    const lists = { "1k, 4k": "1024,4096", "64 256 1024": "64,256,1024", "1k..64k..*2": "1024..65536..*2", "1 … 4": "1..4", "1,2;3": "1,2,3" };
    assert.deepEqual(Object.fromEntries(Object.keys(lists).map((text) => [text, meantList(KINDS.count, text)])), lists);
    assert.equal(meantList(KINDS.grid, "8 x 8 x 8, 16x16x16"), "8x8x8,16x16x16");
});
