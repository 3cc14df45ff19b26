// The routes of the page of the API: each has an example that works on the daemon, or says why there is none.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { client, worked } from "../api/client.mjs";
import { startPageDaemon } from "./daemon.mjs";
import { load, servedBy } from "./page.mjs";

const SIDE = 12; /* of the grid of a matrix */

let daemon, api, all, examples;

/* Something of each kind: two calibrations of a machine, runs with predictions, an analyzed and divided matrix. */
before(async () => {
    daemon = await startPageDaemon();
    servedBy(daemon.url);
    api = client(daemon.url);
    const token = await daemon.token("write");
    const upload = async (path, body, type = "application/json") => {
        const { status, json } = await api.post(`/api/v1/${path}`, Buffer.from(body), { token, headers: { "Content-Type": type } });
        assert.ok([200, 201, 202].includes(status), `${path}: ${status} ${JSON.stringify(json)}`);
    };
    for (const description of ["one", "another"]) await upload("machines/worked/calibrations", JSON.stringify({ ...JSON.parse(worked), description }));
    const parameters = { algorithm: "cannon", variant: "2d", n: 4000, processes: 16, threads: 4 };
    await upload("machines/worked/runs", JSON.stringify([0.3, 0.31].map((time_s, i) => ({ schema: "forerun-run-1", model: "matmul", parameters, time_s, started_at: `2026-11-2${i}T10:00:00Z` }))));
    await upload("matrices?name=grid", grid(), "application/octet-stream");
    /* The partitions are answered when they are there, after some seconds with 202. */
    while ((await api.get("/api/v1/matrices/grid/partitions?processes=2,4")).status !== 200);
    examples = await load("reference/api_routes.js");
    ({ all } = await examples.routes());
});
after(() => daemon.stop());

function grid() {
    const entries = [], at = (i, j) => i * SIDE + j + 1;
    for (let i = 0; i < SIDE; i++) for (let j = 0; j < SIDE; j++) {
        entries.push(`${at(i, j)} ${at(i, j)} 4`);
        if (i) entries.push(`${at(i, j)} ${at(i - 1, j)} -1`, `${at(i - 1, j)} ${at(i, j)} -1`);
        if (j) entries.push(`${at(i, j)} ${at(i, j - 1)} -1`, `${at(i, j - 1)} ${at(i, j)} -1`);
    }
    return `%%MatrixMarket matrix coordinate real general\n${SIDE * SIDE} ${SIDE * SIDE} ${entries.length}\n${entries.join("\n")}\n`;
}

/** The example of a route; given: [name, value] of what is chosen. */
async function exampleOf(route, given = []) {
    const { values, lacks } = await examples.exampleFor(route, new Map(given));
    return { lacks, url: examples.urlOf({ route, values, format: "" }) };
}
const told = async (url) => `${(await fetch(url)).status} ${url}`;

it("every GET route has an example that answers 200", async () => {
    const reading = all.filter(({ method, isOpen }) => method === "get" && isOpen);
    assert.ok(reading.length > 30, `${reading.length} routes`);
    for (const route of reading) {
        const { lacks, url } = await exampleOf(route);
        assert.equal(lacks, null, route.path);
        assert.match(await told(url), /^200 /);
    }
});

it("every model has an example for each route, or a sentence says why not", async () => {
    const { items } = (await api.get("/api/v1/models")).json, lacking = new Set(), drawn = new Set();
    let count = 0;
    for (const route of all.filter(({ path, method }) => method === "get" && path.includes("{model}"))) for (const { name } of items) {
        const { lacks, url } = await exampleOf(route, [["model", name]]);
        if (lacks) lacking.add(lacks.replace(/^\w+ /, ""));
        else if (!drawn.has(url)) assert.match(await told(url), /^200 /);
        drawn.add(url.replace("?", "/chart?")); /* the same question as a picture */
        count++;
    }
    assert.deepEqual([...lacking].sort(), ["has no nodes to draw over.", "has no tunable to compare."]);
    assert.ok(count > 150, `${count} examples`);
});
