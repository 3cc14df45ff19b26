// HPL and the programs of ScaLAPACK: form, answer, ranking, and the charts of grids and block sizes.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asking, assertAccessible, assertNoOverflow, downloaded, go, page, settled, turn, withPages } from "./browser.mjs";
import { api, choice, narrowTo, visit } from "./visit.mjs";

const HPL = "model=hpl&machine=example&n=4000&processes=8";

withPages();

/** Scrolls to the charts of grids, which are then requested. */
async function seeGrids() {
    await go(page, "grids");
    await page.locator("#grids figure img").nth(2).waitFor();
    await settled(page);
}

const parts = async () => Object.fromEntries(await page.locator("#parameters > fieldset").evaluateAll((sets) => sets.map((set) =>
    [set.querySelector("legend").innerText, [...set.querySelectorAll(".field label")].map((label) => label.innerText)])));
const hplDat = (name = /HPL\.dat/) => page.getByRole("link", { name });
const headsOfRanking = async () => (await page.locator("#ranking thead th").allInnerTexts()).map((text) => text.trim());

describe("programs on P x Q grids", () => {
    it("are a group of operations, each answered at once, and only HPL has its options and its file", async () => {
        await visit("model=matmul&machine=example&n=8192&processes=64");
        const operation = choice("Operation");
        const names = await operation.locator("optgroup[label='ScaLAPACK and HPL'] option").allInnerTexts();
        assert.deepEqual(names, ["pdgemm", "pdtrsm", "pdpotrf", "pdgetrf", "pdgeqrf", "hpl"]);
        for (const name of ["pdgetrf", "hpl"]) { /* tests/page/serving.test.mjs has the answers to all */
            await asking(page, `predict/${name}`, () => operation.selectOption(name));
            const text = await page.locator(".restated").innerText();
            assert.match(text, new RegExp(`^${name} of (order 8,192|size 8,192 × 8,192) on example \\(calibration \\w{8}\\) with 64 processes: .*grid \\d+\\s×\\s\\d+, .*the best of [\\d,]+ configurations`));
            if (name === "pdgetrf") assert.deepEqual(Object.keys(await parts()), ["Problem", "Grid and blocks"]);
            assert.equal(await hplDat().count() > 0, name === "hpl");
        }
        const hpl = await parts();
        assert.deepEqual(hpl["Grid and blocks"], ["Size of the run", "Process rows", "Block size"]);
        assert.deepEqual(hpl["Options of HPL"], ["Broadcast", "Lookahead depth", "Swap", "Swap threshold", "Nbmin", "Ndiv"]);
        assert.equal(hpl.Choices, undefined);
        assert.deepEqual(hpl.Problem, ["n", "Memory fraction", "Threads"]);
        assert.equal(await page.locator("#p-memory_fraction").getAttribute("placeholder"), "not given");
        assert.equal(await page.locator("#p-n").getAttribute("placeholder"), "required, or memory fraction");
        assert.match(await page.locator("#p-block_size").getAttribute("placeholder"), /^best: \d+$/);
    });

    it("answer with phases, memory, a ranking of grids, HPL.dat, and charts around the answer", async () => {
        const drawn = [];
        page.on("request", (request) => {
            const { pathname, searchParams } = new URL(request.url());
            if (pathname.endsWith("/chart/hpl.svg") && (searchParams.get("kind") === "map" || searchParams.get("x") === "block_size")) drawn.push(Object.fromEntries(searchParams));
        });
        await visit(`${HPL}&chart.values=4,8`);
        const [best] = (await api("rank/hpl?machine=example&n=4000&processes=8")).rows;

        const phases = await page.locator(".breakdown tbody th").allInnerTexts();
        for (const phase of ["panel", "update", "broadcast", "swap"]) assert.ok(phases.includes(phase), `${phase}: ${phases}`);
        const share = Number(((100 * best.memory_bytes_per_process) / best.memory_limit_bytes_per_process).toPrecision(2));
        const facts = (await page.locator(".facts").innerText()).replaceAll("\u00a0", " ");
        assert.ok(facts.includes(`${share} % of the node's memory`), facts);

        /* The warnings of the machine do not fill the form. */
        const { description } = await api("machines/example");
        assert.match(description, /Warnings: /);
        const hint = await page.locator("#machine-name-hint").innerText();
        assert.ok(hint && description.startsWith(hint) && !hint.includes("Warnings"), hint);
        await page.getByText("Warnings of the measurement").click();
        assert.ok((await page.locator("#machine details[open] p").innerText()).includes(description.split("Warnings: ")[1].trim()));

        for (const name of ["Download HPL.dat", /^HPL\.dat of the best/]) {
            const [download] = await Promise.all([page.waitForEvent("download"), hplDat(name).click()]);
            assert.equal(download.suggestedFilename(), "HPL.dat");
            const lines = (await downloaded(download)).split("\n");
            assert.match(lines[5], /^4000 +Ns/);
            assert.match(lines[7], new RegExp(`^${best.block_size} +NBs`));
            assert.match(lines[10], new RegExp(`^${best.process_rows} +Ps`));
        }

        /* Scaling keeps the other choices, and has the best grid at each point. */
        const scaling = new URL(await page.locator("#scaling figcaption").getByRole("link", { name: "CSV" }).getAttribute("href")).searchParams;
        assert.equal(scaling.get("tune"), "true");
        assert.equal(scaling.get("process_rows"), null);
        assert.ok(scaling.get("block_size") && scaling.get("broadcast") && scaling.get("lookahead_depth"));

        await seeGrids();
        const [blocks, peak, grids] = drawn;
        assert.deepEqual([blocks.kind, blocks.x, blocks.process_rows, blocks.series, blocks.processes], ["map", "process_rows", "1,2,4,8", "block_size", "8"]);
        assert.deepEqual([peak.x, peak.y, peak.series, peak.broadcast.split(",").length], ["block_size", "percent_of_peak", "broadcast", 6]);
        assert.deepEqual([grids.x, grids.series, grids.process_rows, grids.processes], ["process_columns", "process_rows", "1..8..*2", undefined]);
        for (const image of await page.locator("#grids img").all()) assert.ok((await image.evaluate((img) => img.decode().then(() => img.naturalWidth))) > 100);
        for (const href of await page.locator("#grids a").evaluateAll((links) => links.map((link) => link.href))) assert.equal((await fetch(href)).status, 200, href);

        assert.deepEqual((await headsOfRanking()).slice(0, 6).map((text) => text.replace(/^Time\s.*$/, "Time")), ["Rank", "Time", "Use", "Block size", "Grid", "Broadcast"]);
        assert.ok((await page.locator("#ranking tr.marked").innerText()).includes(`${best.process_rows} × ${best.process_columns}`));
        assert.match(await page.locator("#ranking").innerText(), /within 2\s%/);
        await asking(page, "predict/hpl", () => page.getByRole("button", { name: "Use the configuration of rank 2", exact: true }).click());
        const query = new URL(page.url()).searchParams;
        assert.deepEqual(["processes", "process_columns"].map((name) => query.get(name)), ["8", null]);
        assert.ok(query.get("process_rows") && query.get("block_size") && query.get("broadcast"));
    });

    it("fill a share of the memory or as many nodes as pay, and alone have charts of grids, accessible in both themes and on a phone", async () => {
        await visit("model=hpl&machine=example&n=4000&block_size=64&max_nodes=4");
        assert.match(await page.locator("#answer-problem").innerText(), /processes/i, "the nodes need not be known to ask how many");
        assert.match(await page.locator("#recommend-body .lead").innerText(), /^[1-4] nodes?: /);

        const given = "machine=example&memory_fraction=0.01&processes=4&block_size=96&broadcast=1ringM"; /* axe takes long for many rows */
        await turn(page, `model=hpl&${given}`);
        const { rows } = await api(`rank/hpl?${given}`);
        assert.match(await page.locator(".restated").innerText(), new RegExp(`of order ${rows[0].n.toLocaleString("en-GB")} on`));
        const heads = await headsOfRanking();
        assert.ok(heads.includes("n") && heads.some((text) => text.startsWith("Rate")), heads.join());
        await seeGrids();
        const [query] = await page.locator("#grids .chart-blocks a").evaluateAll((links) => links.map((link) => new URL(link.href).searchParams.toString()));
        assert.match(query, new RegExp(`(^|&)n=${rows[0].n}(&|$)`));
        assert.doesNotMatch(query, /memory_fraction/);
        await assertNoOverflow(page);
        await assertAccessible(page, "#parameters, #answer, #grids");
        await narrowTo(360, "grids");
        await page.setViewportSize({ width: 1280, height: 900 });

        await turn(page, "model=matmul&machine=example&n=4000&processes=4");
        assert.equal(await page.locator("#grids").isVisible(), false);
        assert.equal(await page.locator('nav a[href="#grids"]').isVisible(), false);
        await turn(page, "model=pdpotrf&machine=example&n=4000&processes=12");
        await seeGrids();
        assert.equal(await page.locator('nav a[href="#grids"]').isVisible(), true);
        assert.match(await page.locator("#grids .chart-peak").innerText(), /a line for each number of process rows/);

    });
});
