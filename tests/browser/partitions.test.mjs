// A matrix that is divided among processes: the form, its progress, the charts, who talks to whom; its block structures.
import assert from "node:assert/strict";
import { it } from "node:test";
import { client } from "../api/client.mjs";
import { root } from "../daemon.mjs";
import { askingAtOnce, assertAccessible, assertNoOverflow, daemon, page, settled, turn, withPages } from "./browser.mjs";
import { narrowTo, visit } from "./visit.mjs";

const FIVE = `%%MatrixMarket matrix coordinate real general\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}2 1 -1\n1 2 -1\n5 4 -1\n4 5 -1\n`;

let token;

withPages({ init: askingAtOnce, args: ["--analyze-program", `${root}/tests/fake-analyze.sh`] }, async () => {
    token = await daemon.token("write");
    const { status } = await client(daemon.url).post("/api/v1/matrices?name=five&orderings=amd", Buffer.from(FIVE),
        { token, headers: { "Content-Type": "application/octet-stream" } });
    assert.equal(status, 202);
});

const QUESTION = "model=matmul&machine=hopper&n=4096&processes=16&shown=five";

const part = () => page.locator("#partitions");
const table = () => part().getByRole("region", { name: "Partitions of five" });
const processes = () => part().getByLabel("Processes", { exact: true });

/** Divides the matrix with the keyboard alone. */
async function divide(count, partition) {
    await processes().fill(count);
    await part().getByLabel("Divided by").selectOption(partition);
    await part().getByLabel("Divided by").press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Divide");
    await page.keyboard.press("Enter");
}

/* Charts are requested when their place is seen. */
async function drawn() {
    await part().locator(".gallery").first().evaluate((gallery) => gallery.scrollIntoView());
    await part().locator("figure").first().scrollIntoViewIfNeeded();
    await part().locator("figure img").nth(2).waitFor();
    await page.locator("#partition-messages").scrollIntoViewIfNeeded();
    await page.locator("#partition-messages img").waitFor();
}

it("a matrix is divided among processes, with its charts, its messages, its faults, and its way to a solver", async () => {
    await visit(`${QUESTION}#matrices`);
    await processes().waitFor();
    assert.equal(await processes().inputValue(), "1..4..*2", "powers of two up to its rows");

    /* Back ends a division. */
    await page.route(/\/partitions\?/, () => {}); /* the daemon goes on dividing */
    await Promise.all([page.waitForRequest(/\/partitions\?/), divide("1,2", "metis")]);
    await Promise.all([page.waitForEvent("requestfailed", (request) => /\/partitions\?/.test(request.url())), page.goBack()]);
    assert.doesNotMatch(page.url(), /partitions\./);
    assert.equal(await processes().inputValue(), "1..4..*2");
    await page.unroute(/\/partitions\?/);

    await divide("2,6", "metis");
    await part().locator(".fault:not([hidden])").waitFor();
    assert.equal(await processes().getAttribute("aria-invalid"), "true");
    assert.match(await part().locator("#partition-processes-fault").innerText(), /6 processes for the 5 rows of matrix five/);

    await divide("1,2", "metis");
    await table().locator("td", { hasText: /^ready$/ }).nth(1).waitFor();
    assert.match(await table().innerText(), /metis\s+2\s+1\s+8\s+8\s+3\s+1\.231\s+ready/);
    await drawn();
    await part().locator("figure img").nth(3).waitFor();
    assert.match(await page.locator("#partition-messages figcaption").innerText(), /2 processes to each, before a product \(metis\)/);
    await assertNoOverflow(page);
    await assertAccessible(page, "#partitions");
    await narrowTo(390, "matrices");
    await page.setViewportSize({ width: 1280, height: 900 });

    await divide("2", "contiguous");
    const button = table().getByRole("button", { name: "Messages of 2 processes, contiguous" });
    await button.waitFor();
    await button.focus();
    await page.keyboard.press("Enter");
    await page.locator("#partition-messages").scrollIntoViewIfNeeded(); // charts above it may grow
    await page.locator("#partition-messages figcaption", { hasText: "(contiguous)" }).waitFor();
    assert.equal(await button.getAttribute("aria-pressed"), "true");
    assert.equal(await page.evaluate(() => document.activeElement.dataset.partition), "contiguous 2", "focus stays");

    /* A division that ends late leaves the choice that was made meanwhile. */
    let release;
    const released = new Promise((done) => { release = done; });
    await page.route(/\/partitions\?/, async (route) => {
        await released;
        await route.continue();
    });
    await Promise.all([page.waitForRequest(/\/partitions\?/), divide("2", "contiguous")]);
    await table().getByRole("button", { name: "Messages of 2 processes, metis" }).click();
    await Promise.all([page.waitForResponse(/\/partitions$/), release()]);
    assert.equal(new URL(page.url()).searchParams.get("partitions.messages"), "metis 2");
    await page.unroute(/\/partitions\?/);

    const href = await table().getByRole("link", { name: "Predict a solver on 2 processes, contiguous" }).getAttribute("href");
    assert.match(href, /^\?model=solve&(machine=hopper&)?matrix=five&partition=contiguous&nodes=2&processes_per_node=1&iterations=100#answer$/);

    /* Progress, and the reason of a failure. */
    const row = { partition: "metis", processes: 4, status: "analyzing", progress_fraction: 0.5, stage: "metis: messages", reason: null, messages: null, bytes: null,
        most_neighbours: null, most_bytes: null, largest_message_bytes: null, most_rows: null, load_balance_factor: null, time_s: null };
    let items = [row];
    await page.route(/\/partitions(\?|$)/, (route) => route.fulfill({ contentType: "application/json", body: JSON.stringify({ items }) }));
    await turn(page, QUESTION);
    await part().getByRole("progressbar", { name: "Partitions of the matrix" }).waitFor();
    assert.match(await part().locator(".said").innerText(), /1 of 1 partitions are being found: metis: messages/);
    items = [{ ...row, status: "failed", progress_fraction: 1, stage: null, reason: "part 3 has no rows" }];
    await table().getByText("failed: part 3 has no rows").waitFor();
    assert.equal(await part().getByRole("progressbar").count(), 0);
});

it("a structure is added with the keyboard, listed, and leads to its prediction; a question adds one that there is not", async () => {
    await visit("model=matmul&machine=hopper&n=4096&processes=16&shown=five");
    const part = page.locator("#structures"), list = part.getByRole("region", { name: "Added structures of five" });
    await part.getByLabel("Ordered by").waitFor();
    assert.equal(await part.getByLabel("Widest supernode").inputValue(), "256");
    assert.equal(await list.count(), 0, "what came with the upload is among the orderings");
    await page.evaluate((text) => sessionStorage.setItem("forerun-token", text), token);
    await part.getByLabel("Ordered by").selectOption("amd");
    await part.getByLabel("Widest supernode").fill("8");
    await part.getByLabel("Relaxed subtrees").fill("9");
    await page.keyboard.press("Enter");
    await part.locator(".fault", { hasText: "9 is more than supernode_max, 8" }).waitFor();
    await part.getByLabel("Relaxed subtrees").fill("4");
    await page.keyboard.press("Enter");
    await list.locator("td", { hasText: /^ready$/ }).waitFor();
    assert.match(await list.innerText(), /amd\s+automatic\s+8\s+4\s+2\s+23/);
    assert.equal(await part.locator(".fault:visible").count(), 0);
    const href = await part.getByRole("link", { name: "Predict with amd, 8 and 4 columns" }).getAttribute("href");
    assert.match(href, /matrix=five&ordering=amd&row_permutation=auto&supernode_max=8&supernode_relax=4&/);
    await part.getByRole("button", { name: "Add" }).click();
    await part.locator(".done", { hasText: "there already" }).waitFor();
    await narrowTo(400, "matrices");
    await assertAccessible(page, "#structures");
    await page.setViewportSize({ width: 1280, height: 900 });

    await turn(page, "model=sparse_lu&machine=seaborg&matrix=five&ordering=amd&supernode_max=16&supernode_relax=2&processes=2");
    const problem = page.locator("#answer-problem");
    await problem.getByText("has no structure").first().waitFor();
    await problem.getByRole("button", { name: "Add this block structure and wait for it" }).click();
    await page.locator("#answer-body .headline, #strip strong").first().waitFor({ state: "attached" });
    await settled(page);
    assert.equal(await problem.innerText(), "");
    assert.match(await page.title(), /sparse_lu/);
    const { json } = await client(daemon.url).get("/api/v1/matrices/five");
    assert.deepEqual(json.structures.filter((each) => each.supernode_max === 16).map((each) => [each.ordering, each.supernode_relax, each.status]), [["amd", 2, "ready"]]);
});
