// The machine's page: saved runs and their accuracy, and uploads with a token.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, beforeEach, afterEach, describe, it } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertNoOverflow, launch, newPage, settled } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const CG = { solver: "pcg", nodes: 8, processes_per_node: 16, local_grid: [16, 16, 16], iterations: 20 };

let daemon, browser, page, token;

before(async () => {
    daemon = await startDaemon();
    token = await daemon.token("write");
    browser = await launch();
});
after(async () => {
    await browser?.close();
    await daemon?.stop();
});
beforeEach(async () => {
    page = await newPage(browser);
});
afterEach(async () => {
    const troubles = page.troubles();
    await page.context().close();
    assert.deepEqual(troubles, [], "the page logged errors");
});

async function visit(query) {
    await page.goto(`${daemon.url}/?${query}`);
    await settled(page);
}

const run = (time_s, more = {}) => ({ schema: "forerun-run-1", model: "cg", parameters: { ...CG, ...more }, time_s, started_at: "2026-11-20T10:00:00Z" });
const file = (name, documents) => ({ name, mimeType: "application/json", buffer: Buffer.from(documents.map((each) => JSON.stringify(each)).join("\n")) });

async function upload(...files) {
    await page.locator("#upload").evaluate((details) => { details.open = true; });
    await page.getByLabel("Token").fill(token);
    await page.locator("#upload-files").setInputFiles(files);
    await page.locator("#upload [role=status] > *").first().waitFor();
    return page.locator("#upload [role=status]").innerText();
}

describe("a question with vectors and sets", () => {
    it("is asked by its fields, and answered with all objects of the answer", async () => {
        await visit("model=cg&machine=blue-waters&nodes=8&processes_per_node=16&iterations=20&local_grid=16x16x16");
        await page.getByLabel("Local grid", { exact: true }).fill("8x8x8");
        await page.waitForURL(/local_grid=8x8x8/);
        await page.locator("details.further").evaluate((details) => { details.open = true; });
        await page.getByRole("group", { name: "Penalties" }).getByLabel("hops", { exact: true }).uncheck();
        await page.waitForURL(/penalties=max_rate:congestion_hops:synchronization/);
        await settled(page);
        await page.locator("details.all").evaluate((details) => { details.open = true; });
        assert.match(await page.locator("details.all").innerText(), /Step time/);
    });
});

describe("uploads", () => {
    it("store runs, a line each, and show them with their accuracy", async () => {
        await visit("model=cg&machine=blue-waters&nodes=8&processes_per_node=16&iterations=20&local_grid=16x16x16");
        const said = await upload(file("runs.ndjson", [run(0.02), run(0.021), run(0.03, { solver: "pipecg" })]));
        assert.match(said, /3 stored, 0 known/);
        await page.locator("#machine-body summary", { hasText: "Saved runs (3)" }).waitFor();
        await page.locator("#machine-body .accuracy table").first().waitFor();
        assert.match(await page.locator("#machine-body .accuracy").innerText(), /cg\s+3/);
    });

    it("say every fault with its line, and store nothing", async () => {
        await visit("model=cg&machine=piz-daint");
        const said = await upload(file("runs.ndjson", [run(1), run(-1), { ...run(2), tine_s: 3 }]));
        assert.match(said, /nothing was stored/);
        assert.match(said, /line 2/);
        assert.match(said, /line 3/);
        assert.equal((await (await fetch(`${daemon.url}/api/v1/machines/piz-daint`)).json()).runs, 0);
    });

    it("need a token", async () => {
        await visit("model=cg&machine=piz-daint");
        await page.locator("#upload").evaluate((details) => { details.open = true; });
        await page.locator("#upload-files").setInputFiles([file("run.json", [run(1)])]);
        assert.match(await page.locator("#upload [role=status] .problem").innerText(), /token/);
        page.troubles().length = 0; /* the browser logs the 401 that was provoked */
    });
});

describe("the page with runs", () => {
    for (const colorScheme of ["light", "dark"])
        it(`has no accessibility fault that axe finds (${colorScheme}), and fits a narrow screen`, async () => {
            const other = await newPage(browser, { colorScheme, bypassCSP: true, viewport: { width: 400, height: 900 } });
            await other.goto(`${daemon.url}/?model=cg&machine=blue-waters&nodes=8&processes_per_node=16&iterations=20&local_grid=16x16x16`);
            await settled(other);
            await other.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
            await assertNoOverflow(other);
            await other.evaluate(await readFile(axe, "utf8"));
            const { violations } = await other.evaluate(() => window.axe.run());
            await other.context().close();
            assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target).join(" ")}`), []);
        });
});
