// A matrix that is divided among processes: the form, its progress, the charts, who talks to whom.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { client } from "../api/client.mjs";
import { root } from "../daemon.mjs";
import { assertNoOverflow, browser, daemon, newPage, page, settled, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const FIVE = `%%MatrixMarket matrix coordinate real general\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}2 1 -1\n1 2 -1\n5 4 -1\n4 5 -1\n`;

withPages({ args: ["--analyze-program", `${root}/tests/fake-analyze.sh`] }, async () => {
    const { status } = await client(daemon.url).post("/api/v1/matrices?name=five&orderings=amd", Buffer.from(FIVE),
        { token: await daemon.token("write"), headers: { "Content-Type": "application/octet-stream" } });
    assert.equal(status, 202);
});

const part = (on = page) => on.locator("#partitions");
const table = (on = page) => part(on).getByRole("region", { name: "Partitions of five" });

async function visit(on = page) {
    await on.goto(`${daemon.url}/?model=matmul&machine=hopper&n=4096&processes=16&shown=five#matrices`);
    await settled(on);
    await part(on).getByLabel("Processes", { exact: true }).waitFor();
}

/** Divides the matrix with the keyboard alone. */
async function divide(processes, partition, on = page) {
    await part(on).getByLabel("Processes", { exact: true }).fill(processes);
    await part(on).getByLabel("Divided by").selectOption(partition);
    await part(on).getByLabel("Divided by").press("Tab");
    assert.equal(await on.evaluate(() => document.activeElement.textContent), "Divide");
    await on.keyboard.press("Enter");
}

/* Charts are requested when their place is seen. */
async function drawn(on = page) {
    await part(on).locator(".gallery").first().evaluate((gallery) => gallery.scrollIntoView());
    await part(on).locator("figure").first().scrollIntoViewIfNeeded();
    await part(on).locator("figure img").nth(2).waitFor();
    await on.locator("#partition-messages").scrollIntoViewIfNeeded();
    await on.locator("#partition-messages img").waitFor();
}

describe("a matrix divided among processes", () => {
    it("suggests powers of two up to its rows, and shows what it finds", async () => {
        await visit();
        assert.equal(await part().getByLabel("Processes", { exact: true }).inputValue(), "1..4..*2");
        await divide("1,2", "metis");
        await table().locator("td", { hasText: /^ready$/ }).nth(1).waitFor();
        assert.match(await table().innerText(), /metis\s+2\s+1\s+8\s+8\s+3\s+1\.231\s+ready/);
        await drawn();
        await part().locator("figure img").nth(3).waitFor();
        assert.match(await page.locator("#partition-messages figcaption").innerText(), /2 processes to each, before a product \(metis\)/);
    });

    it("shows the messages of another partition, and leads to a solver on it", async () => {
        await visit();
        await divide("2", "contiguous");
        const button = table().getByRole("button", { name: "Who talks to whom: 2 processes, contiguous" });
        await button.waitFor();
        await button.focus();
        await page.keyboard.press("Enter");
        await page.locator("#partition-messages").scrollIntoViewIfNeeded(); // charts above it may grow
        await page.locator("#partition-messages figcaption", { hasText: "(contiguous)" }).waitFor();
        assert.equal(await button.getAttribute("aria-pressed"), "true");
        assert.equal(await page.evaluate(() => document.activeElement.dataset.partition), "contiguous 2", "focus stays");
        const href = await table().getByRole("link", { name: "Predict a solver on 2 processes, contiguous" }).getAttribute("href");
        assert.match(href, /^\?model=solve&(machine=hopper&)?matrix=five&partition=contiguous&nodes=2&processes_per_node=1&iterations=100#answer$/);
    });

    it("shows a fault at its field", async () => {
        await visit();
        await divide("2,6", "metis");
        const control = part().getByLabel("Processes", { exact: true });
        await part().locator(".fault:not([hidden])").waitFor();
        assert.equal(await control.getAttribute("aria-invalid"), "true");
        assert.match(await part().locator("#partition-processes-fault").innerText(), /6 processes for the 5 rows of matrix five/);
    });

    it("is divided no further after Back", async () => {
        await visit();
        await page.route(/\/partitions\?/, () => {}); /* the daemon goes on dividing */
        await Promise.all([page.waitForRequest(/\/partitions\?/), divide("1,2", "metis")]);
        await Promise.all([page.waitForEvent("requestfailed", (request) => /\/partitions\?/.test(request.url())), page.goBack()]);
        assert.doesNotMatch(page.url(), /partitions\./);
        assert.equal(await part().getByLabel("Processes", { exact: true }).inputValue(), "1..4..*2");
    });

    it("shows progress, and the reason of a failure", async () => {
        const row = { partition: "metis", processes: 4, status: "analyzing", progress_fraction: 0.5, stage: "metis: messages", reason: null, messages: null, bytes: null,
            most_neighbours: null, most_bytes: null, largest_message_bytes: null, most_rows: null, load_balance_factor: null, time_s: null };
        let items = [row];
        await page.route(/\/partitions(\?|$)/, (route) => route.fulfill({ contentType: "application/json", body: JSON.stringify({ items }) }));
        await visit();
        await part().getByRole("progressbar", { name: "Partitions of the matrix" }).waitFor();
        assert.match(await part().locator(".said").innerText(), /1 of 1 partitions are being found: metis: messages/);
        items = [{ ...row, status: "failed", progress_fraction: 1, stage: null, reason: "part 3 has no rows" }];
        await table().getByText("failed: part 3 has no rows").waitFor();
        assert.equal(await part().getByRole("progressbar").count(), 0);
    });

    for (const [name, context] of [["light", {}], ["dark", { colorScheme: "dark" }], ["narrow", { viewport: { width: 390, height: 840 } }]]) {
        it(`is accessible and fits: ${name}`, async () => {
            const other = await newPage(browser, context);
            await visit(other);
            await divide("1,2", "metis", other);
            await table(other).locator("td", { hasText: /^ready$/ }).nth(1).waitFor();
            await drawn(other);
            await assertNoOverflow(other);
            await other.evaluate(await readFile(axe, "utf8"));
            const { violations } = await other.evaluate(() => window.axe.run("#partitions"));
            assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`), []);
            await other.context().close();
        });
    }
});
