// Blocked algorithms in the dashboard: lists of calls, ranks within 2 %, explained calls, missing kernels, charts.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { document as calibration, golden } from "../api/golden_blocked.mjs";
import { asking, assertAccessible, assertNoOverflow, daemon, inEachSection, page, settled, turn, withPages } from "./browser.mjs";
import { api, choice, entry, narrowTo, visit } from "./visit.mjs";

const TRINV = "model=trinv&machine=paper&n=500";

withPages({}, async () => {
    const response = await fetch(`${daemon.url}/api/v1/machines/paper/calibrations`, {
        method: "POST", body: JSON.stringify(calibration("paper")),
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${await daemon.token("write")}` },
    });
    assert.equal(response.status, 201);
});

const openAll = (within) => page.locator(within).locator("details").evaluateAll((all) => { for (const details of all) details.open = true; });
const inAddress = (name) => new URL(page.url()).searchParams.get(name);

describe("a list of calls", () => {
    it("starts with an example, is kept in the address, and has its faults at the field", async () => {
        await visit("model=matmul&machine=hopper&n=16384&processes=64");
        assert.equal(await page.locator(".calls").count(), 0);
        assert.equal(await page.getByRole("group", { name: "Charts of the papers" }).count(), 0);
        await asking(page, "machines/paper", () => choice("Machine").selectOption("paper"));
        await asking(page, "predict/calls", () => choice("Operation").selectOption("calls"));
        const calls = entry("Calls");
        assert.equal(await calls.evaluate((e) => e.tagName), "TEXTAREA");
        assert.match(await calls.evaluate((e) => getComputedStyle(e).fontFamily), /mono/i);
        assert.equal((await calls.inputValue()).split("|").length, 2);
        assert.match(await calls.inputValue(), /dtrsm \w{4} n n/);
        assert.equal(await entry("n").inputValue(), "128", "not the order of the matrix multiplication");
        assert.equal(await page.locator("#ranking tbody tr").count(), 2);
        const { rows } = await api(`rank/calls?${new URL(page.url()).searchParams}`.replace("model=calls&", ""));
        assert.match(await page.locator(".restated").innerText(), new RegExp(`variant ${rows[0].variant}, the best of 2`));
        assert.doesNotMatch(await choice("Over").innerText(), /calls/, "a text parameter cannot be an axis");
        assert.equal(await choice("Over").inputValue(), "n");
        assert.equal(await page.getByRole("group", { name: "Charts of the papers" }).count(), 0);

        /* With its line breaks. */
        const text = "dtrsm LLNN n 96;\ndgemm NN n n 8 | dtrsm LLNN 8 n";
        await entry("n").fill("200");
        await asking(page, "predict/calls", () => calls.fill(text));
        assert.equal(inAddress("calls"), text);
        const time = await page.locator("#time").innerText();
        await page.reload();
        await settled(page);
        assert.equal(await calls.inputValue(), text);
        assert.equal(await page.locator("#time").innerText(), time);

        /* By call number, with equal faults joined. */
        await calls.fill(`dgemm NN 1 2; dtrsm LXNN 1 2 |${"nope 3;".repeat(20)}`);
        await page.locator("#p-calls[aria-invalid=true]").waitFor();
        const lines = (await page.locator("#p-calls-fault").innerText()).split("\n");
        assert.equal(lines.length, 3, lines.join("\n"));
        assert.match(lines[0], /^Call 1: dgemm takes 3 sizes/);
        assert.match(lines[1], /^Call 2: flag uplo of dtrsm/);
        assert.match(lines[2], /^Calls 3, 4, 5, .* and 8 more: nope is not a known routine/);
        assert.ok((await calls.getAttribute("aria-describedby")).split(" ").includes("p-calls-fault"));
        assert.equal(await page.locator("#time").count(), 0, "no old answer beside the fault");
        await page.locator("#answer-problem").getByRole("link").first().click();
        assert.equal(await page.evaluate(() => document.activeElement.id), "p-calls");
        await asking(page, "predict/calls", () => calls.fill("trinv1_unb 9"));
        assert.equal(await page.locator("#p-calls-fault").isVisible(), false);

        await openAll("#question, #answer");
        await page.locator(".calls table").waitFor();
        await settled(page);
        await assertAccessible(page, "#question, #answer"); /* the rest is as before, or as of other operations */
        for (const section of ["question", "answer"]) await narrowTo(360, section);
        await page.setViewportSize({ width: 1280, height: 900 });

        /* Too long for an address: refused without a request. */
        const asked = [];
        page.on("request", (request) => asked.push(request.url()));
        await calls.fill("dgemm NN 100 100 100; ".repeat(360));
        await page.locator("#p-calls-fault", { hasText: /bytes in an address/ }).waitFor();
        await calls.fill("dgemm NN 100 100 100; ".repeat(400));
        await page.locator("#p-calls-fault", { hasText: /as 8800 characters; at most 8191|as 8799 characters/ }).waitFor();
        assert.deepEqual(asked.filter((url) => /\/(predict|rank)\//.test(url)), []);
    });
});

describe("a blocked algorithm", () => {
    const shares = async () => (await page.locator(".calls tbody td:nth-child(4)").allInnerTexts()).reduce((sum, text) => sum + Number.parseFloat(text), 0);
    const callsOf = async (query) => (await api(`predict/trinv?machine=paper&${query}&explain=true`)).call_list;

    it("has near ranks marked, the charts of the papers, its calls explained, and kernels without a model named", async () => {
        const explained = [];
        page.on("request", (request) => { if (/explain=true/.test(request.url())) explained.push(request.url()); });
        const near = (await api("rank/trinv?machine=paper&n=500")).rows.filter((row) => row.within_2_percent);
        assert.ok(near.length > 1);
        await visit(TRINV);
        const tagged = page.locator("#ranking tbody tr", { hasText: "within 2 %" }), lead = page.locator("#ranking .lead");
        assert.equal(await tagged.count(), near.length - 1);
        assert.equal(await page.locator("#ranking tr.marked").count(), 1);
        assert.equal(await page.locator("#ranking tr.near").count(), near.length - 1);
        assert.notEqual(await tagged.first().locator("th").evaluate((e) => getComputedStyle(e).boxShadow), "none", "marked by a stripe as well");
        assert.match(await lead.innerText(), new RegExp(`${near.length - 1} (is|are) predicted within 2.% of the best: the difference is too small to decide`));
        assert.doesNotMatch(await lead.innerText(), /not predicted/);

        await page.getByText("The numbers as a table").click();
        for (const [name, x, values] of [["Percent of peak over n, all variants", "n", "32..512..32"], ["Percent of peak over block size", "block_size", "8..256..8"]]) {
            const [request] = await Promise.all([page.waitForRequest(/\/chart\/trinv\.svg/), page.getByRole("button", { name }).click()]);
            await settled(page);
            const query = new URL(request.url()).searchParams;
            for (const [key, value] of Object.entries({ x, [x]: values, y: "percent_of_peak", series: "variant", variant: "1..4", measured: "true", logx: "false" })) {
                assert.equal(query.get(key), value, key);
            }
            assert.equal(await choice("Output").inputValue(), "percent_of_peak");
            assert.equal(await entry("Values").inputValue(), values);
            assert.ok(await page.getByLabel("saved runs").isChecked());
            assert.equal(inAddress("chart.x"), x);
            assert.equal(await page.evaluate(() => document.activeElement.textContent), name, "the focus is kept");
            assert.deepEqual((await page.locator("#scaling thead th").allInnerTexts()).slice(1).map((text) => text.replace(/\s.*/, "")), ["1", "2", "3", "4"]);
            assert.equal(await page.locator("#scaling img").count(), 1);
        }
        await openAll("#scaling, #ranking");
        await settled(page);
        await assertAccessible(page, "#scaling, #ranking");
        await page.setViewportSize({ width: 768, height: 800 });
        await inEachSection(page, () => assertNoOverflow(page));
        for (const section of ["scaling", "ranking"]) await narrowTo(360, section);
        await page.setViewportSize({ width: 1280, height: 900 });

        /* The calls are requested when their list is opened, and add up. */
        await turn(page, `${TRINV}&variant=3&block_size=96`);
        assert.deepEqual(explained, []);
        await page.getByText("Calls", { exact: true }).and(page.locator("summary")).click();
        await page.locator(".calls table").waitFor();
        let calls = await callsOf("n=500&variant=3&block_size=96");
        assert.deepEqual(await page.locator(".calls tbody code").allInnerTexts(), calls.map(({ call }) => call));
        assert.ok(Math.abs((await shares()) - 100) < 0.1 * calls.length);
        assert.match(await page.locator(".calls .hint").first().innerText(), /^20 calls|^\d+ calls.*have no work/);
        assert.equal(await page.locator(".calls tr.near").count(), 0);
        /* The list follows the next answer. */
        await asking(page, "predict/trinv", () => entry("n").fill("250"));
        await page.locator(".calls tbody tr").first().waitFor();
        assert.match(await page.locator(".calls tbody").innerText(), /dtrsm RLNN 154 96/);
        /* It is limited on the page but not in the file; sizes outside the model are marked. */
        await turn(page, "model=trinv&machine=paper&n=4000&variant=3&block_size=32&open=calls");
        await page.locator(".calls table").waitFor();
        calls = await callsOf("n=4000&variant=3&block_size=32");
        assert.equal(await page.locator(".calls tbody tr").count(), 200);
        assert.match(await page.locator(".calls .links").innerText(), new RegExp(`and ${calls.length - 200} more`));
        assert.equal(await page.locator(".calls tr.near", { hasText: "outside" }).count(), calls.slice(0, 200).filter(({ outside }) => outside).length);
        assert.ok((await page.locator(".calls tr.near").count()) > 0);
        const csv = await (await fetch(await page.getByRole("link", { name: "All calls as CSV" }).getAttribute("href"))).text();
        assert.equal(csv.trim().split("\r\n").length, calls.length + 1);

        await turn(page, `${TRINV}&variant=3&block_size=96&threads=2`);
        const fault = await page.locator("#machine-name-fault").innerText();
        assert.match(fault, /^No model of .*dgemm NN.*, for operands in the cache and 2 threads$/);
        assert.ok(["dtrsm LLNN", "dtrsm RLNN", "trinv3_unb"].every((kernel) => fault.includes(kernel)), fault);
        const problem = page.locator("#answer-problem");
        assert.equal(await problem.locator("li").count(), 1);
        assert.match(await problem.locator(".slurm code").innerText(), /^forerun-calibrate --only routine_models --kernels trinv --threads 2 --machine paper/);
        await problem.getByRole("button", { name: "Copy" }).waitFor();
        await assertAccessible(page, "#question, #answer");
        await narrowTo(360, "answer");
        await page.setViewportSize({ width: 1280, height: 900 });
        await asking(page, "predict/trinv", () => entry("Threads").fill("1"));
        assert.equal(await problem.locator("> *").count(), 0);
    });

    it("marks no rank if none is near, counts what lacks a kernel, and has a chart of one block size where variants are many", async () => {
        const { operation, n, b } = golden.predictions.find((each) => each.within_2_percent.length === 1 && each.operation === "trinv");
        await visit(`model=${operation}&machine=paper&n=${n}&block_size=${b}`);
        assert.equal(await page.locator("#ranking tr.near").count(), 0);
        assert.doesNotMatch(await page.locator("#ranking").innerText(), /within 2.%/);

        await turn(page, `model=calls&machine=paper&calls=${encodeURIComponent("dgemm NN 80 80 80 | dgemm TN 8 8 8")}`);
        assert.match(await page.locator("#ranking .lead").innerText(), /1 possible configuration\. 1 was not predicted: no model of dgemm TN/);

        await turn(page, "model=sylv&machine=paper&m=96&n=96&variant=4&block_size=32&leaf=own");
        assert.match(await page.locator("#answer-problem .slurm code").innerText(), /--kernels sylv_own,sylv /);

        /* Pricing all at each size takes longer than anybody waits. */
        await turn(page, "model=sylv&machine=example");
        const { rows: [{ block_size: best }] } = await api(`rank/sylv?n=${inAddress("n") ?? 1000}&machine=example&limit=1`);
        assert.ok(await entry("m").isVisible(), "which is n where it is left open");
        await page.locator("#scaling").scrollIntoViewIfNeeded();
        const caption = page.locator("#chart-body figcaption p").first();
        await caption.waitFor();
        assert.match(await caption.innerText(), new RegExp(`block size ${best}, over n = 125\\.\\.8000\\.\\.\\*2, one line for each variant`));
        assert.equal(await page.locator("#chart-body .problem").count(), 0);
    });
});
