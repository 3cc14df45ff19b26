// A daemon whose reading needs a token (require_token_for_read).
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { it } from "node:test";
import { browser, daemon, newPage, page, settled, shownTime, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const QUESTION = "model=matmul&machine=example&n=4096&processes=16&variant=2d&algorithm=cannon&replication=1";

let token;

withPages({ args: ["--require-token-for-read", "true"] }, async () => {
    token = await daemon.token("read");
});

const refusal = () => page.locator("#answer-problem");

async function enter(text) {
    await refusal().getByLabel("Token").fill(text);
    await refusal().getByRole("button", { name: "Go on" }).click();
}

it("the page asks for the token, and goes on with it", async () => {
    await page.goto(`${daemon.url}/?${QUESTION}`);
    await refusal().getByLabel("Token").waitFor();
    await enter("0".repeat(64));
    await refusal().getByText("not known here").waitFor();
    await enter(token);
    await settled(page);
    assert.match(await shownTime(page), /s$/);
    await page.locator("#chart-body img").waitFor();

    assert.match(await page.locator("#request code").textContent(), /^curl -fsS -H "Authorization: Bearer \$TOKEN" 'http/);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Ranking as CSV" }).click()]);
    assert.match(await readFile(await file.path(), "utf8"), /^rank,/);

    await page.reload();
    await settled(page);
    assert.equal(await refusal().locator("*").count(), 0, "the tab keeps the token");
    assert.ok(!page.url().includes(token));
});

it("the page of the API sends the token, and shows where it belongs", async () => {
    await page.goto(`${daemon.url}/?${QUESTION}`);
    await refusal().getByLabel("Token").waitFor();
    await enter(token);
    await settled(page);
    await page.goto(`${daemon.url}/api.html#machines`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".answer .status").waitFor();
    assert.match(await page.locator(".answer .status").innerText(), /^200/);
    assert.match(await page.locator("#command").innerText(), /Authorization: Bearer \$TOKEN/);
});

it("the refusal is accessible in both themes", async () => {
    for (const colorScheme of ["light", "dark"]) {
        const own = await newPage(browser, { colorScheme, bypassCSP: true, reducedMotion: "reduce" });
        try {
            await own.goto(`${daemon.url}/?${QUESTION}`);
            await own.locator("#answer-problem").getByLabel("Token").waitFor();
            await own.addScriptTag({ path: axe });
            const { violations } = await own.evaluate(() => window.axe.run());
            assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
        } finally {
            await own.context().close();
        }
    }
});
