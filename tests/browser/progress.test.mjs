// Rankings that take seconds: how far they have come, the best so far, and how to end them.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { daemon, page, shownTime, withPages } from "./browser.mjs";

const LONG = "model=hpl&machine=example&n=100000&processes=1024"; // seconds
const PATIENCE_MS = 60_000;

withPages({});

const visit = (query) => page.goto(`${daemon.url}/?${query}`);
const working = () => page.locator("#progress");
const stop = async () => {
    await page.locator("#progress", { hasText: /Best so far: .*\s(s|min|h)\./ }).waitFor();
    await working().getByRole("button", { name: "Stop" }).click();
};

async function becomesIdle() {
    const metrics = async () => (await fetch(`${daemon.url}/metrics`)).text();
    const begun = Date.now();
    while (!/^forerun_workers_busy 0$/m.test(await metrics())) {
        assert.ok(Date.now() - begun < PATIENCE_MS, "the work goes on");
        await new Promise((done) => setTimeout(done, 50));
    }
}

/** Rankings whose first answers left configurations out for want of work; returns the requests so far. */
async function leavingOut(...counts) {
    const asked = [];
    await page.route(/\/api\/v1\/rank\/matmul\?/, async (route) => {
        const left = counts[asked.push(route.request().url()) - 1];
        if (left === undefined) return; /* it works on */
        const response = await route.fetch(), { answer } = JSON.parse((await response.text()).trim().split("\n").at(-1));
        await route.fulfill({ response, body: `${JSON.stringify({ answer: { ...answer, left_out: { ...answer.left_out, too_long: left, reason: "counting took too long" } } })}\n` });
    });
    return asked;
}

describe("a ranking that one request cannot finish", () => {
    const visitShort = () => visit("model=matmul&machine=hopper&n=16384&processes=64");

    it("goes on without being asked, and shows what it has", async () => {
        const asked = await leavingOut(3, 1, 0);
        await visitShort();
        await page.locator("#ranking .lead", { hasText: "possible configurations" }).filter({ hasNotText: /not predicted|being simulated/ }).waitFor();
        assert.equal(asked.length, 3);
        assert.equal(new Set(asked).size, 1, "the same question");
    });

    it("ends where it comes no further, and says what is missing", async () => {
        const asked = await leavingOut(2, 2, 2, 2);
        await visitShort();
        await page.waitForResponse((response) => /\/rank\/matmul\?/.test(response.url()) && asked.length === 2);
        await page.locator("#ranking .lead", { hasText: "2 were not predicted" }).waitFor();
        await page.locator("#answer [aria-busy=true]").waitFor({ state: "detached" });
        assert.equal(asked.length, 2);
    });

    it("keeps what it has when the user ends it", async () => {
        await leavingOut(3);
        await visitShort();
        await page.locator("#progress", { hasText: /^The best so far is shown; working/ }).getByRole("button", { name: "Stop" }).click();
        assert.equal(await working().isVisible(), false);
        assert.match(await shownTime(page), /(s|min|h)/);
        assert.match(await page.locator("#ranking .lead").innerText(), /3 were not predicted/);
    });
});

describe("a long ranking", () => {
    it("counts configurations, and ends with the answer", async () => {
        await visit(LONG);
        await page.locator("#progress", { hasText: /Working: [\d,]+ of [\d,]+ configurations\./ }).waitFor();
        await page.locator("#answer-body .time").waitFor({ timeout: PATIENCE_MS });
        assert.equal(await working().isVisible(), false);
        assert.match(await shownTime(page), /(s|min|h)/);
    });

    it("ends when the user says so, and predicts the best so far", async () => {
        await visit(LONG);
        await stop();
        const stopped = page.locator("#answer-problem");
        assert.match(await stopped.innerText(), /Stopped after [\d,]+ configurations?\. The best so far takes .*block size \d+/s);
        assert.equal(await working().isVisible(), false);
        await becomesIdle();
        await stopped.getByRole("button", { name: "Predict it" }).click();
        await page.locator("#answer-body .time").waitFor({ timeout: PATIENCE_MS });
        assert.match(new URL(page.url()).search, /block_size=\d+/);
    });

    it("starts again after it was stopped", async () => {
        await visit(LONG);
        await stop();
        await page.locator("#answer-problem").getByRole("button", { name: "Start again" }).click();
        await page.locator("#answer-body .time").waitFor({ timeout: PATIENCE_MS });
    });

    it("shows nothing where the answer comes at once", async () => {
        await visit("model=matmul&machine=hopper&n=16384&processes=64");
        await page.locator("#answer-body .time").waitFor();
        assert.equal(await working().isVisible(), false);
    });
});
