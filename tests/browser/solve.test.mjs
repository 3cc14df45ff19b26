// Iterative solvers on the page: the example, strong and weak scaling side by side.
import assert from "node:assert/strict";
import { it } from "node:test";
import { assertNoOverflow, go, page, settled, turn, withPages } from "./browser.mjs";
import { visit } from "./visit.mjs";

withPages();

it("an iterative solver has an example, and is drawn as the same problem and as one that grows", async () => {
    await visit("model=matmul&machine=example&n=4096&processes=16");
    await page.getByLabel("Operation").selectOption("solve");
    await page.waitForURL(/model=solve/);
    await settled(page);
    await page.locator("#time").waitFor();
    assert.equal(await page.getByLabel("Global grid", { exact: true }).inputValue(), "64x64x64");

    let drawn = [];
    page.on("request", (request) => {
        const { pathname, searchParams } = new URL(request.url());
        if (pathname.endsWith("/chart/solve.svg")) drawn.push(Object.fromEntries(searchParams));
    });
    /** Turns to a question; returns the queries of the charts of scaling that the page requests. */
    async function scaling(query) {
        await page.evaluate(() => scrollTo(0, 0)); /* where the charts are out of sight */
        await turn(page, `model=solve&machine=example&solver=pcg&nodes=4&processes_per_node=2&iterations=100&${query}`);
        drawn = []; /* without that of the section Scaling */
        await go(page, "strong-weak");
        await page.locator("#strong-weak figure img").nth(4).waitFor();
        await settled(page);
        return drawn;
    }

    /* For a grid of one process. */
    const local = await scaling("local_grid=10x12x16");
    const strong = local.find(({ kind }) => kind === "strong_efficiency"), weak = local.find(({ kind }) => kind === "weak_efficiency");
    assert.deepEqual([strong.global_grid, strong.local_grid, weak.local_grid], ["20x24x32", undefined, "10x12x16"]);

    const global = await scaling("global_grid=64x64x64&grid_shape=balanced");
    const by = (kind, y) => global.find((each) => each.kind === kind && each.y === y && (kind || each.global_grid));
    assert.equal(global.length, 5);
    assert.deepEqual([by(undefined, "time_s").global_grid, by("strong_efficiency").global_grid], ["64x64x64", "64x64x64"]);
    assert.deepEqual([by("weak_efficiency").global_grid, by("weak_efficiency").local_grid], [undefined, "32x32x32"]);
    assert.ok(by(undefined, "memory_bytes_per_process,memory_limit_bytes_per_process"));
    for (const asked of global) assert.deepEqual([asked.x, asked.nodes, asked.solver, asked.iterations], ["nodes", "1..16..*2", "pcg", "100"]);

    /* Side by side, where the screen is wide. */
    const tops = () => Promise.all([".chart-strong", ".chart-weak"].map(async (name) => (await page.locator(`#strong-weak ${name}`).boundingBox()).y));
    const [first, second] = await tops();
    assert.equal(first, second);
    await page.setViewportSize({ width: 390, height: 840 });
    await go(page, "strong-weak");
    const [above, below] = await tops();
    assert.ok(below > above);
    await assertNoOverflow(page);
});
