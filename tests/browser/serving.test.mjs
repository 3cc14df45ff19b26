// What the page offers is answered: machines with their operations and sizes, and the rest of the page when one answer fails.
import assert from "node:assert/strict";
import { it } from "node:test";
import { asking, page, turn, withPages } from "./browser.mjs";
import { choice, visit } from "./visit.mjs";

withPages();

/* Once the trials are known: some operation is marked. */
const offered = async () => {
    await page.locator("#model-name option", { hasText: /needs more measurements|\(no / }).first().waitFor({ state: "attached" });
    return page.locator("#model-name option:not(:disabled)").evaluateAll((options) => options.map((option) => option.value));
};

const problem = () => page.locator("#answer-problem .problem");

it("a machine is asked an operation and sizes that it answers", async () => {
    const restated = page.locator(".restated");
    await visit("machine=osu-e5630");
    assert.match(await restated.innerText(), /^cnc_matmul/);

    await turn(page, "model=matmul&machine=hopper&n=16384&processes=64");
    await asking(page, "rank/matmul", () => choice("Machine").selectOption("osu-e5630"));
    assert.equal(new URL(page.url()).searchParams.get("model"), "matmul", "never another question than the one asked");
    assert.match(await problem().innerText(), /^osu-e5630 cannot answer matmul\./);
    assert.deepEqual(await offered(), ["cnc_matmul"]);
    await problem().getByRole("link", { name: "hopper" }).click();
    await page.locator("#time").waitFor();
    assert.match(await restated.innerText(), /^matmul of order 16,384 on hopper/);

    await turn(page, "model=allreduce&machine=piz-daint&message_bytes=1024&nodes=64&processes_per_node=8");
    await asking(page, "predict/allreduce", () => choice("Machine").selectOption("hopper"));
    assert.match(await restated.innerText(), /^allreduce on hopper/);
    assert.equal(new URL(page.url()).searchParams.get("processes_per_node"), "1");
    assert.ok((await offered()).includes("matmul"));

    await turn(page, "model=solve&machine=example");
    assert.equal(new URL(page.url()).searchParams.get("processes_per_node"), "2", "no more processes on a node than it has cores");
    assert.doesNotMatch(await page.locator("#answer-body").innerText(), /oversubscribed/);
});

it("an answer that fails names what the machine does answer or lacks, and leaves the form, the scaling and the recommendation", async () => {
    await visit("model=cg&machine=hopper");
    assert.ok(await page.locator("#answer-problem li").count() > 2);
    assert.equal(await page.locator("#machine-name-fault").innerText(), "Its calibration lacks what this operation needs");

    await turn(page, "model=matmul&machine=hopper&n=16384&processes=63&algorithm=cannon&variant=2d");
    await page.locator("#answer-problem .problem").waitFor();
    await page.locator("#chart-body img").waitFor();
    await page.locator("#recommend-body tr.marked").waitFor();

    /* blue-waters and piz-daint have the groups that hpl needs, but not the rows. */
    await turn(page, "model=hpl&machine=hopper&n=20000&processes=64");
    const able = problem().locator("p", { hasText: "Ask hpl of" });
    await able.waitFor();
    assert.deepEqual(await able.getByRole("link").allInnerTexts(), ["dahu", "example"]);

    /* Each is a link, and none lacks rows. */
    await turn(page, "model=matmul&machine=blue-waters");
    await problem().getByText("Ask matmul of").waitFor();
    const links = problem().locator("p").getByRole("link");
    assert.deepEqual(await links.allInnerTexts(), ["allreduce", "halo_exchange", "cg", "solve", "example", "hopper"]);
    await links.filter({ hasText: "cg" }).click();
    await page.locator("#time").waitFor();
    assert.match(await page.locator(".restated").innerText(), /^cg on blue-waters/);
});
