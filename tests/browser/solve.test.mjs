// Iterative solvers on the page: the example, strong and weak scaling side by side.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertNoOverflow, browser, daemon, go, newPage, page, settled, withPages } from "./browser.mjs";

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="700" height="430"><rect width="700" height="430" fill="#eee"/></svg>';

withPages();

/** Opens a question; returns the queries of the charts of scaling that the page requests. */
async function scaling(query, on = page) {
    const drawn = [];
    await on.route(/\/api\/v1\/chart\/solve\.svg/, (route) => {
        drawn.push(Object.fromEntries(new URL(route.request().url()).searchParams));
        return route.fulfill({ contentType: "image/svg+xml", body: SVG });
    });
    await on.goto(`${daemon.url}/?model=solve&machine=example&solver=pcg&nodes=4&processes_per_node=2&iterations=100&${query}`);
    await settled(on);
    drawn.length = 0; /* of the section Scaling */
    await go(on, "strong-weak");
    await on.locator("#strong-weak figure").nth(4).waitFor();
    await settled(on);
    return drawn;
}

describe("an iterative solver", () => {
    it("has an example that is answered", async () => {
        await page.goto(`${daemon.url}/?model=matmul&machine=example&n=4096&processes=16`);
        await settled(page);
        await page.getByLabel("Operation").selectOption("solve");
        await page.waitForURL(/model=solve/);
        await settled(page);
        await page.locator("#time").waitFor();
        assert.equal(await page.getByLabel("Global grid", { exact: true }).inputValue(), "64x64x64");
    });

    it("is drawn as the same problem and as one that grows", async () => {
        const drawn = await scaling("global_grid=64x64x64&grid_shape=balanced");
        const by = (kind, y) => drawn.find((each) => each.kind === kind && each.y === y && (kind || each.global_grid));
        assert.equal(drawn.length, 5);
        assert.deepEqual([by(undefined, "time_s").global_grid, by("strong_efficiency").global_grid], ["64x64x64", "64x64x64"]);
        assert.deepEqual([by("weak_efficiency").global_grid, by("weak_efficiency").local_grid], [undefined, "32x32x32"]);
        assert.ok(by(undefined, "memory_bytes_per_process,memory_limit_bytes_per_process"));
        for (const asked of drawn) assert.deepEqual([asked.x, asked.nodes, asked.solver, asked.iterations], ["nodes", "1..16..*2", "pcg", "100"]);
    });

    it("has the same problem for a grid of one process", async () => {
        const drawn = await scaling("local_grid=10x12x16");
        const strong = drawn.find(({ kind }) => kind === "strong_efficiency"), weak = drawn.find(({ kind }) => kind === "weak_efficiency");
        assert.deepEqual([strong.global_grid, strong.local_grid, weak.local_grid], ["20x24x32", undefined, "10x12x16"]);
    });

    it("shows both scalings side by side, where the screen is wide", async () => {
        await scaling("global_grid=64x64x64&grid_shape=balanced");
        const tops = async (on) => Promise.all([".chart-strong", ".chart-weak"].map(async (name) => (await on.locator(`#strong-weak ${name}`).boundingBox()).y));
        const [strong, weak] = await tops(page);
        assert.equal(strong, weak);
        const narrow = await newPage(browser, { viewport: { width: 390, height: 840 } });
        await scaling("global_grid=64x64x64", narrow);
        const [first, second] = await tops(narrow);
        assert.ok(second > first);
        await assertNoOverflow(narrow);
        await narrow.context().close();
    });
});
