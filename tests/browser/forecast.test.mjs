// Forecasts on the page: the form, the table with the best of each cell, its address and its files.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asking, assertAccessible, assertNoOverflow, page, turn, withPages } from "./browser.mjs";
import { choice as choiceOf, entry as entryOf, narrowTo, visit } from "./visit.mjs";

const QUESTION = "model=matmul&machine=hopper&n=16384&processes=64&threads=6&algorithm=cannon";
const TABLE = "forecast.rows=n&forecast.row_values=16384,32768&forecast.columns=processes&forecast.column_values=64,256";

withPages();

const part = () => page.locator("#forecast");
const entry = (name) => entryOf(name, part());
const choice = (name) => choiceOf(name, part());
const make = () => asking(page, "forecast", () => part().getByRole("button", { name: "Make the table" }).click());
const cells = () => part().locator("tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((cell) => cell.innerText.replace(/\s+/g, " ").trim())));

describe("a forecast", () => {
    it("is made of lists as people write them, has the numbers of the daemon, the best in bold, and says at its field what is wrong", async () => {
        await visit(QUESTION);
        assert.equal(await part().locator("table").count(), 0, "it is expensive, so it is made when it is asked for");
        /* What a list was taken for goes when its axis changes. */
        await entry("Row values").fill("16k, 32k");
        const meant = part().locator(".understood", { hasText: "= 16384, 32768" });
        await meant.waitFor();
        await choice("Rows").selectOption("threads");
        await meant.waitFor({ state: "hidden" });
        assert.equal(await entry("Row values").inputValue(), "");
        await choice("Rows").selectOption("n");

        await entry("Row values").fill("16k 32k");
        assert.equal(await part().locator(".understood:visible").innerText(), "= 16384, 32768");
        await entry("Column values").fill("64 .. 256 .. *4");
        const response = await make();
        assert.equal(new URL(response.url()).search, "?machine=hopper&n=16384,32768&threads=6&algorithm=cannon&processes=64..256..*4&variant=2d,2d_ovlp,25d,25d_ovlp&rows=n&columns=processes&by=variant".replaceAll(",", "%2C"));
        const { cells: told } = await response.json();
        const digits = ({ value }) => (value === null ? "–" : value.toLocaleString("en-GB", { minimumSignificantDigits: 3, maximumSignificantDigits: 3 }));
        const expected = told.map((cell) => `${digits(cell)}${cell.best ? " best" : ""}${cell.tie ? "† tie" : ""}${cell.same_as ? ` = same as ${cell.same_as}` : ""}`);
        const shown = await cells();
        assert.deepEqual(shown.map(([head]) => head), ["16,384", "32,768"]);
        assert.deepEqual(shown.flatMap(([, ...row]) => row), expected);
        assert.ok(told.some(({ best }) => best) && told.some(({ same_as: same }) => same));
        assert.deepEqual(await part().locator("td strong").count(), told.filter(({ best }) => best).length);
        assert.match(await part().locator(".about").innerText(), /^matmul on hopper .+ Percent of peak over n and processes for each variant, in %\. Bold: least time of the cell; .*=: the same by construction/);

        const links = await part().locator(".links a").evaluateAll((all) => all.map(({ href, textContent }) => [textContent, href]));
        assert.deepEqual(links.map(([name]) => name), ["CSV", "LaTeX", "JSON"]);
        for (const [name, href] of links) assert.equal((await fetch(href)).status, 200, name);
        await part().locator(".script summary").click();
        await part().locator(".script select").selectOption("the table.tex");
        const [, url] = (await part().locator("code").innerText()).match(/^curl -fsS '(.+)'$/);
        assert.match(await (await fetch(url)).text(), /\\begin\{table\}/);

        await entry("Row values").fill("many");
        await make();
        assert.equal(await entry("Row values").getAttribute("aria-invalid"), "true");
        await turn(page, `${QUESTION}&forecast.rows=colour&forecast.y=beauty`);
        assert.match(await page.locator("#notes").innerText(), /forecast\.rows=colour .+no such parameter[^]+forecast\.y=beauty .+no such output/);
        await asking(page, "predict/allreduce", () => choiceOf("Operation").selectOption("allreduce"));
        assert.doesNotMatch(page.url(), /forecast\./, "the table was of the other operation");
        assert.equal(await choice("Compare").inputValue(), "blocking");
    });

    it("marks ties, says why a cell is not possible, by keyboard and by tap too, and has no accessibility fault that axe finds", async () => {
        await page.route(/\/forecast\/matmul/, async (route) => {
            const response = await route.fetch(), answer = await response.json();
            Object.assign(answer.cells[0], { tie: true });
            Object.assign(answer.cells[1], { value: null, error: "processes: no square" });
            await route.fulfill({ response, json: answer });
        });
        await visit(`${QUESTION}&${TABLE}#forecast`);
        await part().locator("table").waitFor();
        assert.match((await cells())[0][1], /† tie$/);
        assert.equal((await cells())[0][2], "–");
        assert.match(await part().locator(".about").innerText(), /†: equals it in the digits shown.*–: not possible/);
        await part().locator(".script summary").click();
        await assertNoOverflow(page);
        await assertAccessible(page, "#forecast");
        await narrowTo(390, "forecast");
        await page.setViewportSize({ width: 1280, height: 900 });

        const dash = part().getByRole("button", { name: "No value", exact: true }).and(page.locator('[aria-description="processes: no square"]')), tip = page.getByRole("tooltip");
        await dash.focus();
        assert.equal(await tip.innerText(), "processes: no square");
        assert.equal(await dash.getAttribute("aria-describedby"), await tip.getAttribute("id"));
        await page.keyboard.press("Escape");
        await tip.waitFor({ state: "hidden" });
        await dash.dispatchEvent("click"); /* a tap, which focuses no button in Safari */
        assert.equal(await tip.innerText(), "processes: no square");
        await page.locator("#forecast-title").click();
        await tip.waitFor({ state: "hidden" });
        assert.equal(await dash.getAttribute("aria-describedby"), null);
        await dash.hover();
        await tip.waitFor();
        await part().locator("table").evaluate((table) => table.replaceWith(table.cloneNode(true))); /* drawn anew, the mouse where it was */
        await tip.waitFor({ state: "hidden" });
    });

    it("has usual values that the daemon takes, and that the machine has room and memory for", async () => {
        await visit("model=matmul&machine=hopper&n=65536&processes=64&threads=6&algorithm=cannon");
        await make();
        const heads = await part().locator("thead tr:first-child th").allInnerTexts();
        assert.ok(heads.length > 1 && !heads.includes("processes 1"), heads);
        const shown = await cells(), at = (n) => shown.find(([head]) => head === n) ?? [];
        assert.ok(heads.every((_, i) => at("65,536").slice(4 * i + 1, 4 * i + 5).some((text) => text !== "–")), shown);
        assert.ok(!at("524,288").length && at("8,192").length, shown);
        assert.match(await part().locator(".about").innerText(), /Left out, because the question is not possible there: n 131,072.*; processes 1, /);
        assert.equal(await entry("Column values").getAttribute("placeholder"), heads.map((head) => head.replace(/\D/g, "")).join(","));
        await turn(page, "model=matmul&machine=example&n=1024&processes=64");
        const [, low, high] = (await entry("Column values").getAttribute("placeholder")).match(/^(\d+)\.\.(\d+)/);
        assert.deepEqual([low, high], ["1", "64"], "the example has 64 nodes of 2 cores");
        for (const model of ["hpl&machine=example&n=4096&processes=4", "cnc_matmul&machine=osu-e5630&n=4096"]) {
            await turn(page, `model=${model}`);
            const response = await make();
            assert.equal(response.status(), 200, `${model}: ${await response.text()}`);
        }
    });

    it("is in the address, follows the question, and is undone by Back", async () => {
        await visit(`${QUESTION}#forecast`);
        await choice("Rows").selectOption("threads");
        await entry("Row values").fill("1, 6");
        await entry("Column values").fill("64, 256");
        await choice("Compare").selectOption("algorithm");
        await choice("Number in a cell").selectOption("time_s");
        await make();
        const names = Object.fromEntries([...new URL(page.url()).searchParams].filter(([name]) => name.startsWith("forecast.")));
        assert.deepEqual(names, { "forecast.rows": "threads", "forecast.row_values": "1, 6", "forecast.columns": "processes", "forecast.column_values": "64, 256", "forecast.by": "algorithm", "forecast.y": "time_s" });
        const before = await cells(), response = await asking(page, "forecast", () => page.reload());
        assert.match(response.url(), /n=16384.*algorithm=cannon%2Csumma.*rows=threads.*y=time_s/);
        assert.deepEqual(await cells(), before);
        assert.deepEqual([await choice("Rows").inputValue(), await choice("Compare").inputValue(), await choice("Number in a cell").inputValue(), await entry("Row values").inputValue()], ["threads", "algorithm", "time_s", "1, 6"]);
        await asking(page, "forecast", () => entryOf("n").fill("8192"));
        assert.notDeepEqual(await cells(), before);
        await asking(page, "forecast", () => page.goBack());
        assert.deepEqual(await cells(), before);
        await entry("Row values").focus();
        await asking(page, "predict", () => page.goBack());
        assert.equal(await part().locator("table").count(), 0);
        assert.deepEqual([await choice("Rows").inputValue(), await entry("Row values").inputValue()], ["n", ""]);
        await asking(page, "forecast", () => page.goForward());
        assert.equal(await entry("Row values").inputValue(), "1, 6");
    });
});
