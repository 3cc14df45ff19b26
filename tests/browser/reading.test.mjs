// A daemon whose reading needs a token (require_token_for_read).
import assert from "node:assert/strict";
import { it } from "node:test";
import { assertAccessible, daemon, downloaded, page, settled, shownTime, withPages } from "./browser.mjs";

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

it("the page asks for the token, and goes on with it, as the page of the API does", async () => {
    await page.goto(`${daemon.url}/?${QUESTION}`);
    await refusal().getByLabel("Token").waitFor();
    assert.doesNotMatch(await refusal().innerText(), /Bearer|token create/, "a reader sends no header");
    await assertAccessible(page, "#answer");
    await enter("0".repeat(64));
    await refusal().getByText("not known here").waitFor();
    await enter(token);
    await settled(page);
    assert.match(await shownTime(page), /s$/);
    await page.locator("#chart-body img").waitFor();

    assert.match(await page.locator("#request code").textContent(), /^curl -fsS -H "Authorization: Bearer \$TOKEN" 'http/);
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Ranking as CSV" }).click()]);
    assert.match(await downloaded(file), /^rank,/);

    await page.reload();
    await settled(page);
    assert.equal(await refusal().locator("*").count(), 0, "the tab keeps the token");
    assert.ok(!page.url().includes(token));

    await page.goto(`${daemon.url}/api.html#machines`);
    await page.getByRole("button", { name: "Send" }).click();
    await page.locator(".answer .status").waitFor();
    assert.match(await page.locator(".answer .status").innerText(), /^200/);
    assert.match(await page.locator("#command").innerText(), /Authorization: Bearer \$TOKEN/);
});
