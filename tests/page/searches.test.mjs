// What the page says of a search over sizes and node counts.
import assert from "node:assert/strict";
import { it } from "node:test";
import { load } from "./page.mjs";

const { crossoverLead } = await load("answer/recommend.js");

/* segments: [from, to, the faster, why there is none] */
const leadOf = (along, crossings, ...segments) => crossoverLead({ crossings, search: { along }, compared: { first: "2d", second: "25d" },
    segments: segments.map(([from, to, faster = null, reason = null]) => ({ from, to, faster, reason })) });

it("says where neither choice is possible, and where both take the same time", () => {
    const tooMuch = [null, "it takes 256 nodes: 156 more than 100"];
    for (const [lead, ...answer] of [
        ["Neither 2d nor 25d is possible", "n", 0],
        ["Neither 2d nor 25d is possible throughout, from n = 1,024 to 65,536", "n", 0, [1024, 65536, ...tooMuch]],
        ["2d and 25d take the same time throughout, from 1 node to 64", "nodes", 0, [1, 64]],
        ["25d is faster throughout, from n = 8 to 64", "n", 0, [8, 64, "25d"]],
        ["Neither 2d nor 25d is possible from 1 node on, where the range begins; 2d is faster from 16 nodes on", "nodes", 1, [1, 15, ...tooMuch], [16, 64, "2d"]],
        ["25d is faster from n = 8 on, where the range begins; 2d is faster from n = 16 on; neither 2d nor 25d is possible from n = 32 on", "n", 2,
            [8, 15, "25d"], [16, 31, "2d"], [32, 64, ...tooMuch]],
        ["The faster of 2d and 25d changes 3 times; from n = 40 on neither 2d nor 25d is possible", "n", 3, [8, 15, "25d"], [16, 31, "2d"], [32, 39, "25d"], [40, 64, ...tooMuch]],
    ]) assert.equal(leadOf(...answer), lead);
});
