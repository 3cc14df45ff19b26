// What is read off a chart, from its JSON.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { startPageDaemon } from "./daemon.mjs";
import { load } from "./page.mjs";

const { spoken, stopsOf } = await load("charts/stops.js");
const CG = "machine=blue-waters&processes_per_node=16&iterations=20&solver=pcg,pipe2cg&tune=true&width=700&height=400";

let daemon;
before(async () => { daemon = await startPageDaemon(); });
after(() => daemon.stop());

/* The first and the last stop of each. */
for (const [of, query, ...wanted] of [
    ["categories", "kind=lines&x=local_grid&nodes=8&local_grid=8x8x8,16x16x16&series=solver", /^local grid 8x8x8: pcg [\d.]+\sms, /, /^local grid 16x16x16: /],
    ["stacks", "kind=breakdown&x=nodes&nodes=2,8&local_grid=16x16x16", /^nodes 2: matvec [\d.]+\sms, /, /^nodes 8: /],
    ["cells", "kind=map&x=nodes&nodes=2,8&local_grid=16x16x16&series=solver", /^nodes 2, solver pcg: [\d.]+ ms$/, /^nodes 8, solver pipe2cg: /],
]) it(`${of} are read from left to right, and row by row from the lowest`, async () => {
    const given = query.includes("series") ? CG : CG.replace(",pipe2cg", ""), response = await fetch(`${daemon.url}/api/v1/chart/cg.json?${given}&${query}`);
    assert.equal(response.status, 200, await response.clone().text());
    const stops = stopsOf(await response.json());
    for (const [i, pattern] of wanted.entries()) assert.match(spoken(stops.at(-i)), pattern);
});
