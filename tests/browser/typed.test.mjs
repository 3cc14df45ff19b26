// Numbers as people and the page write them, and buttons that apply the remedy of a refusal.
import assert from "node:assert/strict";
import { it } from "node:test";
import { asking, page, turn, withPages } from "./browser.mjs";
import { entry, visit } from "./visit.mjs";

const QUESTION = "machine=hopper&model=matmul&n=16384&processes=64";

withPages();

const press = (name) => page.getByRole("button", { name, exact: true }).first().click();
const inAddress = (...names) => names.map((name) => new URL(page.url()).searchParams.get(name));
const refusal = () => page.locator("#answer-problem").innerText();
const goal = () => page.locator("#recommend-body");

it("a number is taken as it is written, shown as it was understood, and sent and kept in the address so", async () => {
    await visit("machine=hopper&model=matmul&n=16k&processes=64");
    assert.match(await page.locator(".restated").innerText(), /of order 16,384/);
    await asking(page, "predict", () => entry("n").fill("32k"));
    assert.deepEqual(inAddress("n"), ["32768"]);
    assert.equal(await entry("n").inputValue(), "32k");
    assert.match(await page.locator(".field:has(#p-n) .understood").innerText(), /^= 32,768$/);
    await asking(page, "predict", () => entry("Size of the run").fill("2^10"));
    assert.deepEqual(inAddress("processes"), ["1024"]);
    await asking(page, "recommend", () => entry("Deadline").fill("00:10:00"));
    assert.deepEqual(inAddress("deadline_s"), ["600"]);
    assert.match(await page.locator(".field:has(#goal-deadline_s) .understood").innerText(), /^= 600 s$/);
    await page.locator("#goal-form").getByText("More limits").click();
    await asking(page, "recommend", () => entry("Percent of peak, at least").fill("50 %"));
    assert.deepEqual(inAddress("min_efficiency_fraction"), ["0.5"]);
});

/* tests/page/remedies.test.mjs has the remedy of each refusal. */
it("a remedy changes a parameter, takes the name that was meant, or ignores the memory limit", async () => {
    await visit(`${QUESTION.replace("=64", "=63")}&algorithm=cannon&varaint=2d`);
    assert.doesNotMatch(await refusal(), /\/api\//, "the page has the list");
    await asking(page, "predict", () => press("Use variant"));
    assert.deepEqual(inAddress("variant", "varaint"), ["2d", null]);
    await asking(page, "predict", () => press("Use 64 for processes"));
    assert.deepEqual(inAddress("processes"), ["64"]);
    assert.equal(await entry("Size of the run").inputValue(), "64");
    await page.locator("#time").waitFor();

    await asking(page, "rank", () => entry("n").fill("1000000"));
    assert.match(await refusal(), /GiB/);
    await asking(page, "predict", () => press("Ignore the memory limit"));
    assert.deepEqual(inAddress("memory"), ["ignore"]);
    await page.locator("#time").waitFor();
});

it("a remedy changes a calibrated value, the nodes of a goal or of a run, or a goal", async () => {
    for (const [text, changes] of [["Use network.bandwidth", "*2"], ["Leave out the change of network.bandwith", null]]) {
        const query = `${QUESTION}&what_if.network.bandwith=*2`;
        await (changes ? visit(query) : turn(page, query));
        await asking(page, "predict", () => press(text));
        await page.locator("#time").waitFor();
        assert.deepEqual(inAddress("what_if.network.bandwidth"), [changes]);
        assert.equal(await page.locator("#what-if-form .change").count(), changes ? 1 : 0);
    }

    /* More nodes, for the run in place of its processes, and a goal that can be reached. */
    await turn(page, QUESTION.replace("n=16384&processes=64", "n=165536&processes=1296&max_nodes=2"));
    const answer = await asking(page, "recommend", () => goal().getByRole("button", { name: "Allow 54 nodes" }).click());
    assert.equal(answer.status(), 200);
    assert.deepEqual(inAddress("max_nodes"), ["54"]);
    await asking(page, "rank", () => entry("Size of the run").fill("4"));
    await asking(page, "predict", () => page.locator("#answer-problem").getByRole("button", { name: "Use 54 nodes", exact: true }).click()); /* a row of the recommendation has one too */
    assert.deepEqual(inAddress("nodes", "processes"), ["54", null]);
    await page.locator("#time").waitFor();

    await turn(page, `${QUESTION}&deadline_s=1e-9`);
    await goal().locator(".problem").waitFor();
    await asking(page, "recommend", () => goal().getByRole("button", { name: /^Use .* for deadline s$/ }).click());
    await goal().locator("tr.marked").waitFor();
    assert.ok(Number(inAddress("deadline_s")[0]) > 1e-6);
});

it("a recommended time and its interval are in one unit, far from that of the other rows", async () => {
    const interval = ({ time_s }) => ({ low_s: 0.9 * time_s, high_s: 1.11 * time_s, coverage_fraction: 0.9 });
    await page.route(/\/recommend\/matmul\?/, async (route) => {
        const { best, runners_up, ...answer } = await (await fetch(route.request().url())).json();
        const slow = { ...best, time_s: 20.257 }, quick = runners_up.map((row, i) => ({ ...row, time_s: 0.02 + i / 1000 }));
        const rows = [slow, ...quick].map((row) => ({ ...row, interval: interval(row) }));
        await route.fulfill({ contentType: "application/x-ndjson", body: `${JSON.stringify({ answer: { ...answer, best: rows[0], runners_up: rows.slice(1) } })}\n` });
    });
    await visit(`${QUESTION}#recommend`);
    const plain = (texts) => texts.map((text) => text.replaceAll("\u00a0", " "));
    const table = page.locator("#recommend-body table"), heads = plain(await table.locator("thead th").allInnerTexts());
    const cells = plain(await table.locator("tbody tr").first().locator("th, td").allInnerTexts());
    assert.deepEqual(["Time", "90 % of runs"].map((head) => cells[heads.indexOf(head)]), ["20.3 s", "18.2 – 22.5 s"]);
});
