// A page whose scripts do not run says so, and what to do.
import assert from "node:assert/strict";
import { it } from "node:test";
import { assertNoOverflow, browser, daemon, newPage, page, settled, withPages } from "./browser.mjs";

withPages();

/** Lets the time pass for which the page waits: its style sheet alone counts it, in an animation. */
const later = () => page.evaluate(() => document.getAnimations().filter(({ animationName }) => animationName).map((each) => {
    each.finish();
    return each.effect.getTiming().delay / 1000;
}));

it("says that a part did not load", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, part] of [["", "core/units.js"], ["api.html", "core/api.js"]]) {
        await page.route(`**/${part}`, (route) => route.fulfill({ status: 503, body: "" }));
        await page.goto(`${daemon.url}/${path}`);
        assert.deepEqual(await later(), [5, 5], `seconds, ${part} of /${path}`);
        await page.getByText("This page did not start.").waitFor({ state: "visible" });
        assert.match(await page.locator(".stuck").innerText(), /scripts are blocked\. Reload it\./);
        await page.getByText("Loading …").waitFor({ state: "hidden" });
        await assertNoOverflow(page);
        assert.equal((await fetch(await page.locator(".stuck a").evaluate(({ href }) => href))).status, 200);
        await page.unrouteAll();
    }
    assert.equal(page.troubles().splice(0).length, 2, "each is logged");
});

it("says nothing of it where the answer only takes long", async () => {
    let release;
    const held = new Promise((done) => { release = done; });
    await page.route("**/api/v1/machines?**", async (route) => {
        await held;
        await route.continue();
    });
    await page.goto(daemon.url);
    await page.locator("body.started").waitFor();
    await later();
    assert.equal(await page.getByText("This page did not start.").isVisible(), false);
    assert.equal(await page.locator(".starting").evaluateAll((all) => all.filter((each) => getComputedStyle(each).visibility === "hidden").length), 0);
    release();
    await settled(page);
});

it("without JavaScript names the API instead", async () => {
    const own = await newPage(browser, { javaScriptEnabled: false });
    try {
        await own.goto(daemon.url);
        await own.locator("noscript p").waitFor({ state: "visible" });
        assert.match(await own.locator("noscript p").textContent(), /needs JavaScript/);
        for (const part of [".stuck", "#question", "#answer"]) assert.equal(await own.locator(part).isVisible(), false, part);
    } finally {
        await own.context().close();
    }
});
