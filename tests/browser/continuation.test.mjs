// A ranking of sparse LU that needs more work than one request may spend: a daemon with a small limit answers it in parts.
import assert from "node:assert/strict";
import { it } from "node:test";
import { client } from "../api/client.mjs";
import { until } from "../daemon.mjs";
import { daemon, page, withPages } from "./browser.mjs";

const SIDE = 24; // of a grid, whose five-point operator is the matrix

function grid() {
    const entries = [];
    for (let i = 0; i < SIDE * SIDE; i++) {
        entries.push(`${i + 1} ${i + 1} 4`);
        for (const j of [(i + 1) % SIDE && i + 1, i + SIDE < SIDE * SIDE && i + SIDE]) if (j) entries.push(`${j + 1} ${i + 1} -1`, `${i + 1} ${j + 1} -1`);
    }
    return `%%MatrixMarket matrix coordinate real general\n${SIDE * SIDE} ${SIDE * SIDE} ${entries.length}\n${entries.join("\n")}\n`;
}

withPages({ args: ["--simulation-limit-updates", "3000"] }, async () => {
    const { status } = await client(daemon.url).post("/api/v1/matrices?name=grid&orderings=metis", Buffer.from(grid()),
        { token: await daemon.token("write"), headers: { "Content-Type": "application/octet-stream" } });
    assert.equal(status, 202);
    await until("the matrix is ready", async () => (await client(daemon.url).get("/api/v1/matrices/grid")).json.status === "ready");
});

/** Asks; `answers` gets each ranking.  The page waits for release() before the next, which resolves when it is asked for. */
async function steps(processes) {
    await page.route(/\/api\/v1\/(sweep|chart|recommend)\//, () => {}); /* they would simulate some of the grids */
    const answers = [], asked = queue(), answered = queue();
    await page.route(/\/api\/v1\/rank\/sparse_lu\?/, async (route) => {
        if (answers.length) await new Promise((go) => { asked.put(go); });
        const response = await route.fetch(), text = await response.text();
        answers.push(JSON.parse(text.trim().split("\n").at(-1)).answer);
        answered.put();
        await route.fulfill({ response, body: text });
    });
    await page.goto(`${daemon.url}/?model=sparse_lu&machine=seaborg&matrix=grid&ordering=metis&processes=${processes}`);
    await answered.take();
    /* The page shows an answer before it asks for the next one. */
    const release = async () => {
        (await asked.take())();
        await answered.take();
    };
    return { answers, release };
}

/** take() waits for what put() gives. */
function queue() {
    const given = [], waiting = [];
    return {
        put(each) { if (waiting.length) waiting.shift()(each); else given.push(each); },
        take: () => (given.length ? given.shift() : new Promise((done) => { waiting.push(done); })),
    };
}

const lead = () => page.locator("#ranking .lead");
const progress = () => page.locator("#progress");

it("goes on by itself, without a word of the limit, until every grid is simulated", async () => {
    const { answers, release } = await steps(128);
    await lead().filter({ hasText: "being simulated, and may be better" }).waitFor();
    const stop = progress().getByRole("button", { name: "Stop" });
    await stop.waitFor(); // a button that is not shown yet takes no focus
    await stop.focus();
    for (let left = answers[0].left_out.too_long; left > 0;) {
        assert.match(await lead().innerText(), new RegExp(`^${answers.at(-1).considered} possible configurations?\\. ${left} more (is|are) being simulated, and may be better\\.`));
        await progress().locator("button:focus", { hasText: "Stop" }).waitFor(); // it keeps the focus, also of the next request
        await release();
        left = answers.at(-1).left_out.too_long;
        await lead().filter({ hasText: `${answers.at(-1).considered} possible` }).filter(left ? { hasText: `${left} more` } : { hasNotText: "more" }).waitFor();
    }
    assert.ok(answers.length > 2, "it took several answers");
    assert.equal(answers.at(-1).left_out.too_long, 0);
    assert.equal(answers.at(-1).considered, 8, "grids of 128 processes");
    assert.equal(await progress().isVisible(), false);
});
