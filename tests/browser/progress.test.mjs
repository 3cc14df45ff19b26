// Rankings that take seconds: how far they have come, the best so far, and how to end them.
import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "../daemon.mjs";
import { asking, daemon, page, shownTime, withPages } from "./browser.mjs";

const LONG = "model=hpl&machine=example&n=3000000&processes=65536"; // more than one request may do by default

withPages({ own: true, args: ["--request-steps", "1000000000000"] });

const visit = (query) => page.goto(`${daemon.url}/?${query}`);
const progress = (hasText) => page.locator("#progress", { hasText });
const stopButton = () => page.locator("#progress").getByRole("button", { name: "Stop" });
const stop = () => stopButton().click();
const lead = () => page.locator("#ranking .lead");

it("a ranking that one request cannot finish goes on by itself, as long as it comes further", async () => {
    let leaves, asked, release; /* how many configurations each answer leaves out for want of work; the requests; lets the one go that is held */
    const leaving = (...counts) => { [leaves, asked] = [counts, []]; };
    let isHeld = true;
    await page.route(/\/api\/v1\/rank\/matmul\?/, async (route) => {
        const left = leaves[asked.push(route.request().url()) - 1];
        if (left === undefined) return; /* it works on */
        if (isHeld && asked.length > 1) await new Promise((go) => { release = go; });
        const response = await route.fetch(), { answer } = JSON.parse((await response.text()).trim().split("\n").at(-1));
        await route.fulfill({ response, body: `${JSON.stringify({ answer: { ...answer, left_out: { ...answer.left_out, too_long: left, reason: "counting took too long" } } })}\n` });
    });

    leaving(3, 1, 0);
    await visit("model=matmul&machine=hopper&n=16384&processes=64");
    for (const more of ["3 more are", "1 more is"]) {
        await lead().filter({ hasText: `${more} being simulated, and may be better.` }).waitFor();
        await until("the next is asked for", () => release);
        if (asked.length === 2) {
            await stopButton().waitFor(); // a button that is not shown yet takes no focus
            await stopButton().focus();
        }
        assert.equal(await stopButton().evaluate((button) => button === document.activeElement), true, "it keeps the focus, also of the next request");
        release();
        release = null;
    }
    await lead().filter({ hasText: "possible configurations", hasNotText: /not predicted|being simulated/ }).waitFor();
    assert.equal(asked.length, 3);
    assert.equal(new Set(asked).size, 1, "the same question");
    await page.locator("#progress").waitFor({ state: "hidden" });

    isHeld = false;
    leaving(2, 2, 2, 2);
    await asking(page, "rank", () => page.getByRole("textbox", { name: "n", exact: true }).fill("8192"));
    await lead().filter({ hasText: "2 were not predicted" }).waitFor();
    await page.locator("#answer [aria-busy=true]").waitFor({ state: "detached" });
    assert.equal(asked.length, 2);

    leaving(3);
    await page.getByRole("textbox", { name: "n", exact: true }).fill("4096");
    await progress(/^The best so far is shown; working/).waitFor();
    await stop();
    assert.equal(await page.locator("#progress").isVisible(), false);
    assert.match(await shownTime(page), /(s|min|h)/);
    assert.match(await lead().innerText(), /3 were not predicted: counting took too long/);
});

it("a long ranking counts configurations, ends when the user says so, and starts again", async () => {
    await visit(LONG);
    await progress(/Working: [\d,]+ of [\d,]+ configurations\./).waitFor();
    await progress(/Best so far: .*\s(s|min|h)\./).waitFor();
    await stop();
    const stopped = page.locator("#answer-problem");
    assert.match(await stopped.innerText(), /Stopped after [\d,]+ configurations?\. The best so far takes .*block size \d+/s);
    assert.equal(await page.locator("#progress").isVisible(), false);
    await becomesIdle();

    await stopped.getByRole("button", { name: "Start again" }).click();
    await progress(/Best so far: .*\s(s|min|h)\./).waitFor();
    await stop();
    await stopped.getByRole("button", { name: "Predict it" }).click();
    await page.locator("#answer-body .time").waitFor();
    assert.match(new URL(page.url()).search, /block_size=\d+/);
    assert.equal(await page.locator("#progress").isVisible(), false);
    assert.match(await shownTime(page), /(s|min|h)/);
});

/** The daemon ends the work that nobody waits for. */
const becomesIdle = () => until("no worker is busy", async () => /^forerun_workers_busy 0$/m.test(await (await fetch(`${daemon.url}/metrics`)).text()));
