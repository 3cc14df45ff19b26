// Sparse matrices on the page: the list with progress, details, uploads, and the choice in the question.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { gunzipSync } from "node:zlib";
import { root } from "../daemon.mjs";
import { askingAtOnce, assertAccessible, assertNoOverflow, daemon, page, reopen, settled, turn, withPages } from "./browser.mjs";
import { choice, narrowTo, visit } from "./visit.mjs";

const svgOf = ({ width, height }) => `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#eee"/></svg>`;
const SMALL = "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2.5\n2 2 1\n3 3 4\n1 3 -1\n";

/* A matrix whose structure the substitute for forerun-analyze knows; one ordering crashes. */
const FIVE = `%%MatrixMarket matrix coordinate real general\n%fake crash colamd\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}1 2 1\n2 1 1\n3 5 1\n5 3 1\n`;

const ready = (ordering, more) => ({ ordering, status: "ready", reason: null, supernodes: 626, nnz_lu: 1831354, nnz_lu_unrelaxed: 1500000, blocks: 9000, updates: 4e6, flops: 3.4e8, fill: 34.2, ordering_s: 0.1, symbolic_s: 0.01, extraction_s: 0.003, ...more });
const failed = (ordering, reason) => ({ ...Object.fromEntries(Object.keys(ready("")).map((name) => [name, null])), ordering, status: "failed", reason });
const FLOW = {
    id: "3df18b6bfa446e05", name: "flow", status: "ready", progress_fraction: 1, stage: null, reason: null, uploaded_at: "2026-11-20T10:00:00.000Z", bytes: 949753,
    format: "matrix_market", field: "real", symmetry: "general", title: "a flow", n: 8000, entries: 53600, nnz: 53600, structural_symmetry_fraction: 0.25,
    lower_bandwidth: 400, upper_bandwidth: 300, zero_diagonals: 2, empty_rows: 0, empty_columns: 0, structural_rank: 8000, structurally_singular: false, row_permutation: "transversal",
    supernode_max: 256, supernode_relax: 60,
    orderings: [ready("metis"), ready("amd", { nnz_lu: 2327146, fill: 43.4, flops: 6.74e8, ordering_s: 0.009 }), failed("colamd", "ended by signal 11 in symbolic"), failed("natural", "took more than 600 s")],
};
const BUSY = { ...FLOW, id: "6b7bad0dd53538e0", name: "circuit", status: "analyzing", progress_fraction: 0.42, stage: "metis: symbolic", orderings: [] };
const item = (matrix) => ({ ...matrix, orderings: matrix.orderings.filter(({ status }) => status === "ready").map(({ ordering }) => ordering) });

withPages({ own: true, init: askingAtOnce, args: ["--analyze-program", `${root}/tests/fake-analyze.sh`] });

/** Answers requests for matrices instead of the daemon; `matrices` may be changed later. */
async function mocked(matrices) {
    const drawn = [];
    const body = (value) => ({ contentType: "application/json", body: JSON.stringify(value) });
    await page.route(/\/api\/v1\/matrices(\?|$)/, (route) => route.fulfill(body({ items: matrices.map(item), next: null })));
    await page.route(/\/api\/v1\/matrices\/\w+$/, (route) => {
        const id = new URL(route.request().url()).pathname.split("/").at(-1);
        return route.fulfill(body(matrices.find((each) => each.id === id)));
    });
    await page.route(/\/api\/v1\/matrices\/\w+\/spy\.svg/, (route) => route.fulfill({ contentType: "image/svg+xml", body: svgOf({ width: 420, height: 420 }) }));
    await page.route(/\/api\/v1\/chart\/sparse_lu\.svg/, (route) => {
        const asked = Object.fromEntries(new URL(route.request().url()).searchParams);
        drawn.push(asked);
        return route.fulfill({ contentType: "image/svg+xml", body: svgOf(asked) });
    });
    return drawn;
}

const row = (name) => page.locator("#matrices-body > .body tbody tr", { hasText: name });
const detail = () => page.locator("#matrix");

const heading = (name) => detail().getByRole("heading", { name });
const charts = () => page.locator("#matrix-charts");

async function seeCharts() {
    await charts().scrollIntoViewIfNeeded();
    await charts().locator("figure img").nth(4).waitFor();
    await settled(page);
}

describe("the list and a matrix", () => {
    it("shows analyses and their progress, compares orderings, leads to a prediction, and draws charts that are seen", async () => {
        const matrices = [BUSY, FLOW], drawn = await mocked(matrices);
        await visit("model=matmul&machine=hopper&n=4096&processes=16");
        assert.match(await row("circuit").innerText(), /analyzing, 42\s%\s\(metis: symbolic\)/);
        assert.equal(await row("circuit").locator("progress").getAttribute("max"), "1");
        assert.match(await row("flow").innerText(), /8,000\s+53,600\s+ready\s+metis, amd/);
        matrices[0] = { ...FLOW, id: BUSY.id, name: "circuit" };
        await row("circuit").locator("td", { hasText: /^ready$/ }).waitFor();
        assert.equal(await row("circuit").locator("progress").count(), 0);

        await row("flow").getByRole("button").click();
        await heading("flow").waitFor();
        assert.equal(new URL(page.url()).searchParams.get("shown"), "flow");
        await page.reload();
        await heading("flow").waitFor();
        await settled(page);
        const orderings = detail().getByRole("region", { name: "Orderings of flow" });
        await orderings.waitFor();
        assert.deepEqual(await orderings.locator("strong").allInnerTexts(), ["1,831,354", "34.20", "340", "22"]);
        assert.match(await orderings.innerText(), /failed: ended by signal 11 in symbolic/);
        assert.match(await detail().locator(".pairs").innerText(), /Structural symmetry\s+25\s%/);
        assert.match(await detail().locator(".spy img").getAttribute("alt"), /entries of flow/);
        assert.match(await charts().innerText(), /calibration of hopper does not serve sparse_lu/);

        matrices[0] = BUSY;
        await page.evaluate(() => scrollTo(0, 0));
        await turn(page, "model=matmul&machine=seaborg&n=4096&processes=16&shown=flow");
        const link = detail().getByRole("link", { name: "Predict its factorization" }).and(page.locator('[href*="seaborg"]'));
        assert.equal(await link.getAttribute("href"), "?model=sparse_lu&machine=seaborg&matrix=flow&ordering=metis&processes=16#answer");
        assert.deepEqual(drawn, []);
        const height = () => charts().evaluate((part) => part.offsetHeight), before = await height();
        await seeCharts();
        assert.equal(await height(), before, "a chart has its place before it comes");
        assert.deepEqual(drawn.map(({ kind, y }) => kind ?? y).sort(), ["map", "map", "parallel_efficiency_fraction", "speedup", "time_s,analytic_time_s,critical_path_computation_s"]);
        for (const asked of drawn) assert.deepEqual([asked.machine, asked.matrix, asked.ordering], ["seaborg", "flow", "metis"]);

        await page.locator("#matrix-upload > summary").click();
        await row("circuit").locator("progress").waitFor();
        await assertNoOverflow(page);
        await assertAccessible(page, "#matrices");
        await narrowTo(360, "matrices");
    });

    it("is offered in a question about sparse_lu, and stays while the list changes", async () => {
        const matrices = [FLOW];
        await mocked(matrices);
        await reopen(`${daemon.url}/?model=sparse_lu&machine=seaborg&processes=16`); /* the page knows matrices of the test before */
        const control = choice("Matrix");
        await page.waitForURL(/matrix=flow/);
        assert.deepEqual(await control.locator("option").allInnerTexts(), ["choose …", "flow (n = 8,000)"]);
        assert.equal(await control.inputValue(), "flow");
        await settled(page);

        matrices.splice(0, 1, BUSY, FLOW, { ...FLOW, id: "0f8b6bfa446e053d", name: "third" });
        await turn(page, "model=sparse_lu&machine=seaborg&processes=4&matrix=flow");
        await row("third").getByRole("button").click();
        await page.waitForURL(/matrix=third/);
        await control.selectOption("flow");
        await page.waitForURL(/matrix=flow/);
        matrices[0] = { ...FLOW, id: BUSY.id, name: "circuit" };
        await row("circuit").locator("td", { hasText: /^ready$/ }).waitFor();
        assert.match(page.url(), /matrix=flow/, "the matrix that the form has since another was selected");

        matrices[0] = BUSY;
        await reopen(`${daemon.url}/?model=sparse_lu&machine=seaborg&processes=4&matrix=circuit`);
        await row("circuit").locator("progress").waitFor();
        await settled(page);
        const again = page.waitForRequest(/(predict|rank)\/sparse_lu\?.*matrix=circuit/);
        matrices[0] = { ...FLOW, id: BUSY.id, name: "circuit" };
        await again;
    });
});

describe("uploads", () => {
    const choose = (name, text) => page.locator("#matrix-file").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });
    const said = () => page.locator("#matrix-upload .said");
    const tokenField = () => page.locator("#matrix-token");

    it("are refused with the reason and sent again, compressed if large, refused with the lines of faults, stored, and deleted", async () => {
        await reopen(`${daemon.url}/?model=matmul&machine=hopper&n=4096&processes=16`);
        await page.locator("#matrix-upload > summary").click();

        const why = "This token expired at 2026-01-02T00:00:00.000Z; the operator makes another one.", tokens = [], uploads = /\/api\/v1\/matrices\?name=/;
        let body;
        const stored = (name) => ({ status: 202, contentType: "application/json", body: JSON.stringify({ name }) });
        await page.route(uploads, (route) => {
            tokens.push(route.request().headers().authorization);
            body = route.request().postDataBuffer();
            return route.fulfill(tokens.length > 1 ? stored("kept") : { status: 401, contentType: "application/problem+json", body: JSON.stringify({ status: 401, detail: why }) });
        });
        await tokenField().fill("old");
        await choose("kept.mtx", SMALL);
        await said().getByText(`kept.mtx: not stored: ${why}`).waitFor();
        page.troubles().length = 0; /* the browser logs the provoked refusal */
        await tokenField().fill("new");
        await said().getByRole("button", { name: "Send again" }).click();
        await said().getByText("kept.mtx: stored as kept").waitFor();
        assert.deepEqual(tokens, ["Bearer old", "Bearer new"]);

        const large = SMALL.replace("\n", `\n${"% a comment that says nothing\n".repeat(50_000)}`);
        await choose("large.mtx", large);
        await said().getByText("large.mtx: stored as kept").waitFor();
        assert.ok(body.length < large.length / 10);
        assert.equal(gunzipSync(body).toString(), large);
        await page.unroute(uploads);

        await tokenField().fill(await daemon.token("admin"));
        await choose("short.mtx", SMALL.replace("1 3 -1\n", "1 7 -1\n"));
        await said().locator(".problem").waitFor();
        assert.match(await said().innerText(), /short\.mtx: not stored\.\s+.*line 6/s);

        await choose("three by three.mtx", SMALL);
        await said().getByText("stored as three-by-three").waitFor();
        assert.match(await said().locator("tbody").innerText(), /^n\t3\t2$/m, "what was read of the head, with its line");
        await row("three-by-three").waitFor();
        await heading("three-by-three").waitFor();
        page.once("dialog", (dialog) => dialog.accept());
        await detail().getByRole("button", { name: "Delete …" }).click();
        await page.getByText("There is no matrix yet.").waitFor();
    });

    it("lead from a file to its prediction and its charts, and change the matrix of the answer", async () => {
        await visit("model=matmul&machine=seaborg&n=4096&processes=16");
        await page.locator("#matrix-upload > summary").click();
        await tokenField().fill(await daemon.token("write"));
        await page.locator("#matrix-name").fill("five");
        await choose("whatever.mtx", FIVE);
        await row("five").locator("td", { hasText: /^ready$/ }).waitFor();
        await detail().getByText(/failed: .*signal/).waitFor();
        await charts().scrollIntoViewIfNeeded();
        await charts().locator("figure img").nth(4).waitFor();
        await page.route("**/mumps?*", (route) => { /* which the substitute for forerun-analyze does not foresee */
            const processes = Number(new URL(route.request().url()).searchParams.get("processes")), bytes = 2 ** 30 / processes;
            return route.fulfill({ json: { processes, memory_bytes_per_process: bytes, memory_low_bytes_per_process: bytes / 2, memory_high_bytes_per_process: 2 * bytes, memory_bytes_of_all_processes: 2 ** 30 } });
        });
        await detail().getByText("Memory of MUMPS", { exact: true }).click();
        const memory = detail().getByRole("region", { name: "Memory of MUMPS for five" });
        await memory.waitFor();
        assert.deepEqual(await memory.locator("tbody th").allInnerTexts(), ["1", "2", "4", "8"]);
        assert.deepEqual(await memory.locator("tbody td:nth-child(2)").allInnerTexts(), ["1,024", "512", "256", "128"]);
        await detail().getByRole("link", { name: "Predict its factorization" }).click();
        await page.waitForURL(/model=sparse_lu/);
        await settled(page);
        assert.equal(await choice("Matrix").inputValue(), "five");
        await page.locator("#time").waitFor();
        await page.locator("#chart-body figure img").waitFor();
        await page.locator("#preset-grids").click();
        await page.locator("#chart-body figcaption", { hasText: "over process columns" }).waitFor();
        await page.locator("#chart-body figure img").waitFor();

        /* The charts have the ordering of the answer. */
        await turn(page, "model=sparse_lu&machine=seaborg&processes=4&matrix=five");
        await page.locator("#matrix-upload > summary").click();
        for (const name of ["first", "second"]) {
            await page.locator("#matrix-name").fill(name);
            await choose("whatever.mtx", FIVE.replace("2 1 1\n", name === "first" ? "2 1 3\n" : "2 1 5\n"));
            await page.waitForURL(new RegExp(`matrix=${name}`));
            await page.locator(".restated", { hasText: `matrix ${name}` }).waitFor();
        }
        /* The answer came with the first ordering that was ready. */
        await page.locator("#matrices-body tr", { has: page.getByRole("button", { name: "second", exact: true }) }).locator("td", { hasText: /^ready$/ }).waitFor();
        await settled(page);
        await choice("Ordering").selectOption("amd");
        await charts().locator("h4", { hasText: "with amd" }).waitFor();
        await charts().scrollIntoViewIfNeeded();
        await charts().locator("figure img").nth(4).waitFor();
        const titles = await charts().locator("figcaption p:first-child").allInnerTexts();
        assert.equal(new Set(titles).size, titles.length, "each chart has its own title");
        for (const title of titles) assert.match(title, /sparse_lu on seaborg \(\w{8}\): matrix second, ordering amd\./);
        await page.locator("#chart-body figcaption", { hasText: "ordering amd" }).waitFor();
    });
});
