// A page whose scripts do not run says so, and what to do.
import assert from "node:assert/strict";
import { it } from "node:test";
import { assertNoOverflow, browser, daemon, newPage, page, settled, withPages } from "./browser.mjs";

withPages({});

for (const [path, part] of [["", "core/units.js"], ["", "main.js"], ["api.html", "core/api.js"]])
    it(`says that a part did not load: ${part} of /${path}`, async () => {
        const own = await newPage(browser, { viewport: { width: 390, height: 844 } });
        try {
            await own.route(`**/${part}`, (route) => route.fulfill({ status: 503, body: "" }));
            await own.goto(`${daemon.url}/${path}`);
            await own.getByText("This page did not start.").waitFor({ state: "visible" });
            assert.match(await own.locator(".stuck").innerText(), /scripts are blocked\. Reload it\./);
            await own.getByText("Loading …").waitFor({ state: "hidden" });
            await assertNoOverflow(own);
            assert.equal((await fetch(await own.locator(".stuck a").evaluate(({ href }) => href))).status, 200);
        } finally {
            await own.context().close();
        }
    });

it("says nothing of it where the answer only takes long", async () => {
    await page.route("**/api/v1/machines?**", async (route) => {
        await new Promise((resolve) => { setTimeout(resolve, 6000); });
        await route.continue();
    });
    await page.goto(daemon.url);
    await page.waitForResponse(/machines\?/);
    assert.equal(await page.getByText("This page did not start.").isVisible(), false);
    assert.equal(await page.locator(".starting").evaluateAll((all) => all.filter((each) => getComputedStyle(each).visibility === "hidden").length), 0);
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
