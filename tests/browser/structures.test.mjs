// The block structures of a matrix: the list, and the form that adds one.
import assert from "node:assert/strict";
import { it } from "node:test";
import { client } from "../api/client.mjs";
import { root } from "../daemon.mjs";
import { assertAccessible, daemon, page, settled, turn, withPages } from "./browser.mjs";
import { narrowTo, visit } from "./visit.mjs";

const FIVE = `%%MatrixMarket matrix coordinate real general\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}2 1 -1\n1 2 -1\n5 4 -1\n4 5 -1\n`;
let token;

withPages({ args: ["--analyze-program", `${root}/tests/fake-analyze.sh`] }, async () => {
    token = await daemon.token("write");
    const { status } = await client(daemon.url).post("/api/v1/matrices?name=five&orderings=amd", Buffer.from(FIVE),
        { token, headers: { "Content-Type": "application/octet-stream" } });
    assert.equal(status, 202);
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
