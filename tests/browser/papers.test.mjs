// The gallery of the papers: figures are drawn as they are seen, and lead to the same question on another machine.
import assert from "node:assert/strict";
import { it } from "node:test";
import { asking, assertAccessible, assertNoOverflow, daemon, page, settled, withPages } from "./browser.mjs";
import { choice } from "./visit.mjs";

withPages();

const isChart = (request) => request.url().includes("/chart/"), drawn = (id) => page.locator(`#${id} .live[aria-busy="false"]`).waitFor();

it("one figure in sight is drawn after the other, of a machine of choice, and asked again on the dashboard", async () => {
    let now = 0, most = 0, all = 0;
    page.on("request", (request) => { if (isChart(request)) { most = Math.max(most, ++now); all++; } });
    for (const event of ["requestfinished", "requestfailed"]) page.on(event, (request) => { now -= Number(isChart(request)); });
    await page.goto(`${daemon.url}/papers.html#hopper-figure-7`);
    await drawn("hopper-figure-7");
    assert.ok(all < 8 && most === 1, `${all} charts, ${most} at once`);
    await assertAccessible(page, "#hopper, .top");
    const figure = page.locator("#hopper-figure-7"), query = async (name) => new URL(await figure.getByRole("link", { name }).getAttribute("href"), page.url());
    assert.equal((await query(/^PDF/)).href, (await query(/^The numbers/)).href.replace(".json", ".pdf"));
    assert.match((await query(/^PDF/)).pathname, /chart\/trsm\.pdf$/);

    await choice("Drawn for").first().selectOption("example");
    await page.getByText("Drawn for example; the sentences are about hopper.").waitFor();
    assert.match(page.url(), /\?hopper=example#hopper$/);
    const refused = page.locator("#hopper-figure-5");
    await refused.scrollIntoViewIfNeeded();
    await refused.locator(".problem").waitFor(); /* it has no network */

    await page.setViewportSize({ width: 390, height: 800 });
    await page.locator("#example-figure-iv-5").scrollIntoViewIfNeeded();
    await page.locator("#example-figure-iv-5 tbody tr").nth(7).waitFor();
    await assertNoOverflow(page);
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.locator("#example-figure-i-1 .links a").first().press("Enter"); /* figures above it grow as they are drawn, and a click is lost */
    await page.waitForURL(/model=trinv.*machine=example.*chart\.x=n&.*#scaling$/);
    await settled(page);
    assert.match(await page.getByRole("link", { name: "Papers" }).getAttribute("href"), /^papers\.html$/);
    await asking(page, "machines/dahu", () => choice("Machine").selectOption("dahu"));
});
