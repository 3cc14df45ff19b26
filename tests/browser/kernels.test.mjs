// Models of kernels on the page: their table and their charts.
import assert from "node:assert/strict";
import { it } from "node:test";
import { document as calibration } from "../api/golden_blocked.mjs";
import { assertAccessible, assertNoOverflow, daemon, page, reopen, settled, turn, withPages } from "./browser.mjs";
import { visit } from "./visit.mjs";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="760" height="440"/>';
const CHART = /\/api\/v1\/calibrations\/(\w+)\/chart\/(regions|routine|convergence)\.svg/;

/* The golden models, one of them with every optional member. */
const told = calibration("paper");
const [first] = told.kernels.routine_models;
Object.assign(first, { library: { name: "OpenBLAS", version: "0.3.21", core: "Haswell" },
    build: { eps: 0.05, measure: "p90", samples: 2128, seconds: 7.76, when: "2026-11-20T10:00:00Z" } });

let older, newest, elsewhere; /* elsewhere: of another machine */

withPages({}, async () => {
    const Authorization = `Bearer ${await daemon.token("write")}`;
    for (const document of [calibration("paper"), told]) {
        const response = await fetch(`${daemon.url}/api/v1/machines/paper/calibrations`, { method: "POST", body: JSON.stringify(document), headers: { "Content-Type": "application/json", Authorization } });
        assert.equal(response.status, 201);
    }
    const { items } = await (await fetch(`${daemon.url}/api/v1/machines/paper/calibrations`)).json();
    [newest, older] = items.map((item) => item.id);
    const other = await fetch(`${daemon.url}/api/v1/machines/other/calibrations`, { method: "POST", body: JSON.stringify(calibration("other")), headers: { "Content-Type": "application/json", Authorization } });
    elsewhere = (await other.json()).id;
});

const address = (id = newest) => `model=trinv&n=500&machine=paper&calibration=${id}`;

/** Draws the charts, for which the golden models have no samples, in place of the daemon; returns the queries of the page. */
async function drawn() {
    const asked = [];
    await page.route(CHART, (route) => {
        const url = new URL(route.request().url()), [, id, kind] = CHART.exec(url.href);
        asked.push({ kind, id, query: Object.fromEntries(url.searchParams) });
        return route.fulfill({ contentType: "image/svg+xml", body: SVG });
    });
    return asked;
}

const table = () => page.locator("#kernel-models > details > .scroll");
const unfold = () => page.getByText("The models as a table").click();
const figures = () => page.locator(".kernel-charts figure");

async function looking() {
    await page.locator(".kernel-charts").scrollIntoViewIfNeeded();
    await figures().nth(2).waitFor();
    await settled(page);
}

it("models of kernels are listed with the values of the calibration, without columns for what it does not have", async () => {
    await visit(`${address()}#machine`);
    await unfold();
    const models = told.kernels.routine_models;
    assert.equal(await table().locator("tbody tr").count(), models.length);
    const heads = (await table().locator("thead th").allInnerTexts()).map((text) => text.trim());
    const cells = await table().locator("tbody tr").first().locator("th, td").allInnerTexts();
    const cell = (head) => cells[heads.indexOf(head)]?.replaceAll("\u00a0", " ");
    assert.equal(cell("Kernel"), "dgemm NN");
    assert.equal(cell("Operands"), "in the cache");
    assert.equal(cell("Threads"), "1");
    assert.equal(cell("Regions"), String(first.regions.length));
    assert.match(cell("Range"), /^m × n × k: 8–256 × 8–1,024 × 8–1,024\n/);
    const worst = Math.max(...first.regions.map(({ error }) => error));
    assert.ok(Math.abs(Number.parseFloat(cell("Largest error")) - 100 * worst) < 0.05, cell("Largest error"));
    assert.equal(/above 5 %/.test(cell("Largest error")), worst > 0.05);
    assert.equal(cell("Samples"), "2,128");
    assert.match(cell("Build time"), /^7\.76 s$/);
    assert.match(cell("When"), /^20 Nov 2026/);
    assert.equal(cell("Library"), "OpenBLAS 0.3.21 Haswell");
    assert.match(await page.locator("#kernel-models .lead").innerText(), /2,128 samples.*A blend weights the out-of-cache time with 25.%/);
    await table().getByRole("button", { name: "Regions" }).click();
    await table().getByRole("button", { name: "Regions" }).click();
    const counts = (await table().locator(`tbody tr > :nth-child(${heads.indexOf("Regions") + 1})`).allInnerTexts()).map(Number);
    assert.deepEqual(counts, [...counts].sort((a, b) => b - a));

    await turn(page, `${address(older)}&open=kernel-models`);
    assert.doesNotMatch(await table().locator("thead").innerText(), /Samples|When|Library/);
    await turn(page, "model=matmul&machine=hopper&n=16384&processes=64");
    assert.equal(await page.locator("#kernel-models").isVisible(), false);
});

it("charts of a kernel are requested for the selected kernel when they become visible, with the settings of their kind", async () => {
    const asked = await drawn();
    await reopen(`${daemon.url}/?${address()}#machine`);
    await looking();
    assert.deepEqual(asked.map(({ kind }) => kind).sort(), ["convergence", "regions", "routine"]);
    for (const { kind, query: { routine, flags, locality, threads } } of asked) {
        assert.deepEqual([routine, flags], ["dgemm", "NN"]);
        assert.deepEqual([locality, threads], kind === "routine" ? [undefined, undefined] : ["in_cache", "1"], "one chart shows all models of the kernel");
    }
    assert.equal(await figures().locator("img").count(), 3);
    for (const alt of await figures().locator("img").evaluateAll((images) => images.map((image) => image.alt))) assert.match(alt, /: dgemm NN[,.]/);

    await unfold();
    await assertAccessible(page, "#kernel-models, .kernel-charts");
    for (const width of [768, 360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await assertNoOverflow(page);
    }

    asked.length = 0;
    const charts = page.locator(".kernel-charts");
    await charts.getByLabel("Drawn over").selectOption("k");
    await charts.getByLabel("Size m", { exact: true }).fill("512");
    await charts.getByLabel("Size n", { exact: true }).fill("256");
    await Promise.all([page.waitForRequest((request) => request.url().includes(`with=${older}`)), charts.getByLabel("Compare with").selectOption(older)]);
    await settled(page);
    assert.deepEqual(asked.slice(-4).map(({ kind, id }) => `${kind} ${id}`).sort(), [`convergence ${newest}`, ...[older, newest].sort().map((id) => `regions ${id}`), `routine ${newest}`]);
    assert.equal(await figures().filter({ hasText: `calibration ${older}` }).count(), 1, "regions side by side");
    const of = (kind) => asked.findLast((each) => each.kind === kind).query;
    const taken = (kind) => ["x", "m", "n", "with"].map((name) => of(kind)[name]);
    assert.deepEqual(taken("routine"), ["k", "512", "256", older], "two libraries in one chart");
    assert.deepEqual(taken("regions"), ["k", "512", undefined, undefined], "two sizes are its axes");
    assert.deepEqual(taken("convergence"), [undefined, undefined, undefined, older]);

    /* The daemon itself draws two machines. */
    await page.unroute(CHART);
    const beside = charts.getByLabel("Compare with");
    assert.ok(await beside.locator("optgroup[label=other] option").evaluateAll((all, id) => all.some(({ value }) => value === id), elsewhere));
    const [response] = await Promise.all([page.waitForResponse((r) => r.url().includes("/chart/routine.svg") && r.url().includes(`with=${elsewhere}`)), beside.selectOption(elsewhere)]);
    assert.equal(response.status(), 200);
    const [one, both] = await Promise.all([response.url().replace(/&with=\w+/, ""), response.url()].map(async (url) => (await (await fetch(url.replace(".svg", ".json"))).json()).series.length));
    assert.equal(both, 2 * one, "each line twice");
    await settled(page);

    const again = await drawn();
    await turn(page, `${address()}&open=kernel-models`);
    await page.getByRole("button", { name: "Charts of dtrsm LLNN, operands out of the cache, 1 thread" }).click();
    await page.locator(".kernel-charts figcaption", { hasText: "dtrsm LLNN, operands out of the cache" }).first().waitFor();
    const latest = again.slice(-3);
    assert.ok(latest.every(({ query }) => query.routine === "dtrsm" && query.flags === "LLNN"));
    assert.equal(latest.find(({ kind }) => kind === "regions").query.locality, "out_of_cache");
    assert.equal(await page.evaluate(() => document.activeElement.id), "kernel-charts-title");
    assert.equal(await page.locator(".kernel-charts").getByLabel("Size k", { exact: true }).count(), 0, "dtrsm has two sizes");
});

it("charts of a kernel that are no longer wanted end without an error, and a note or a message tells why there are none", async () => {
    await drawn();
    await visit(address(older));
    await turn(page, address());
    await unfold();
    await table().getByRole("button", { name: /^Charts of/ }).first().dispatchEvent("click"); /* before the charts were seen */
    const over = page.getByRole("combobox", { name: "Drawn over", exact: true });
    await page.getByRole("combobox", { name: "Compare with", exact: true }).waitFor();
    await looking();

    await page.route(/[?&]x=m/, () => {});
    await Promise.all([page.waitForRequest(/\/chart\/.*[?&]x=m/), over.selectOption("m")]);
    await Promise.all([page.waitForEvent("requestfailed"), over.selectOption("n")]);
    await settled(page);
    assert.equal(await figures().locator("img").count(), 3);

    const problem = (status, body) => page.route(CHART, (route) => route.fulfill({ status, contentType: "application/problem+json", body: JSON.stringify(body) }));
    await problem(404, { title: "Not found", status: 404, detail: "The calibration has nothing to draw." });
    await over.selectOption("k");
    await figures().first().filter({ hasText: /^No chart\. The calibration has nothing to draw\./ }).waitFor();
    assert.equal(await page.locator(".kernel-charts .problem").count(), 0);
    await problem(422, { title: "No samples", status: 422, errors: [{ parameter: "routine", code: "out_of_range", message: "routine: dgemm has no samples to draw" }] });
    await over.selectOption("n");
    await figures().first().filter({ hasText: /cannot be drawn.*\n?.*dgemm has no samples to draw/is }).waitFor();
    assert.equal(await figures().locator("img").count(), 0);
    assert.equal(await page.locator("#time").count(), 1, "the answer is kept");
});
