// The states of the page that no other file looks at with axe: one look at each part, on the screens where it differs.
import assert from "node:assert/strict";
import { it } from "node:test";
import { root, until } from "../daemon.mjs";
import { assertAccessible, assertNoOverflow, daemon, go, page, settled, withPages } from "./browser.mjs";
import { visit } from "./visit.mjs";

/* Of order 5; two rows have no entry on the diagonal. */
const GAPS = "%%MatrixMarket matrix coordinate real general\n5 5 7\n1 1 4\n2 2 4\n3 3 4\n2 1 1\n1 2 1\n4 5 1\n5 4 1\n";
const PHONE = { width: 390, height: 844 };

withPages({ args: ["--analyze-program", `${root}/tests/fake-analyze.sh`] }, async () => {
    const headers = { Authorization: `Bearer ${await daemon.token("write")}` };
    const stored = await fetch(`${daemon.url}/api/v1/matrices?name=gaps&orderings=amd`, { method: "POST", body: GAPS, headers: { ...headers, "Content-Type": "application/octet-stream" } });
    assert.equal(stored.status, 202, await stored.text());
    await until("the matrix is ready", async () => (await (await fetch(`${daemon.url}/api/v1/matrices/gaps`)).json()).status === "ready");
});

const CHOLESKY = "model=cholesky&machine=hopper&n=65536&processes=1024&threads=6&variant=2d&replication=1&blocks_per_process=4";
const unfold = (part) => page.locator(part).first().evaluate((details) => { details.open = true; });

async function check(state, of) {
    try {
        await assertAccessible(page, of);
        await assertNoOverflow(page);
    } catch (error) {
        error.message = `${state}: ${error.message}`;
        throw error;
    }
}

/* What it is, the question, the text that it has when it is there, the parts to look at, and what is done before. */
const STATES = [
    ["an answer of a matrix whose diagonal has gaps", "model=solve&machine=example&matrix=gaps&solver=gmres&nodes=1&processes_per_node=2&iterations=10", ["#answer", "2 of 5 rows have no entry on the diagonal"], "#question, #answer, #strong-weak"],
    ["the job head of a recommendation", `${CHOLESKY}&deadline_s=60`, ["#recommend", "fewest nodes for"], "#recommend", () => unfold("#recommend-body .job")],
    ["the largest problem", `${CHOLESKY}&objective=size&deadline_s=60`, ["#recommend-body", "is the largest problem"], "#recommend"],
    ["a crossover", `${CHOLESKY}&objective=crossover`, ["#recommend-body", "faster"], "#recommend"],
    ["a goal that nothing meets", `${CHOLESKY}&deadline_s=0.001`, ["#recommend", "No recommendation"], "#recommend"],
    ["a map", "model=matmul&machine=example&n=8192&processes=64&chart.kind=map&chart.x=n&chart.values=4096,8192&chart.series=processes&chart.y=time_s", ["#chart-body", "over"], "#scaling"],
    ["a refusal for memory, with remedies", "model=matmul&machine=hopper&n=900000&processes=4&threads=1", ["#answer-problem", "Ignore the memory limit"], "#answer, #ranking"],
    ["a machine that cannot answer", "model=hpl&machine=hopper&n=20000&processes=64", ["#answer-problem", "cannot answer hpl"], "#question, #answer"],
    ["a machine that there is not", "model=matmul&machine=nowhere&n=8192&processes=64", ["#answer-problem", "nowhere"], "#answer, #machine"],
    ["a what-if with one number", `${CHOLESKY}&what_if.network.bandwidth=*2`, ["#answer", "Imaginary machine"], "#answer, #what-if"],
];

it("uploads that are refused or read, and the gallery on a phone, have no fault that axe finds", async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await visit("model=hpl&machine=example&n=4096&processes=4&open=upload,matrix-upload");
    await page.locator("#matrix-token").fill(await daemon.token("write"));
    await page.locator("#matrix-file").setInputFiles({ name: "short.mtx", mimeType: "text/plain", buffer: Buffer.from(GAPS.replace("5 4 1", "5 9 1")) });
    await page.locator("#matrix-upload .said .problem").waitFor();
    await page.locator("#upload-format").selectOption("hpl");
    await page.locator("#upload-files").setInputFiles(`${root}/tests/samples/imports/hpl.txt`);
    await page.locator("#upload .said").getByRole("button", { name: "Store" }).waitFor();
    await check("uploads", "#matrix-upload, #upload");

    await page.setViewportSize(PHONE);
    await page.goto(`${daemon.url}/papers.html#blue-waters`);
    await page.locator("#blue-waters article").first().waitFor();
    await check("the gallery", "#blue-waters, .top");
});

it("have no fault that axe finds, on a wide screen in both themes and on a phone", async () => {
    for (const [name, query, [part, text], of, prepare] of STATES) {
        await page.setViewportSize({ width: 1280, height: 900 });
        await visit(query);
        await page.locator(part).getByText(text).first().waitFor({ state: "attached" });
        await prepare?.();
        await settled(page);
        await check(name, of);
        await page.setViewportSize(PHONE);
        const [section] = /\w+/.exec(of);
        await go(page, section);
        await check(`${name}, on a phone`, `#${section}`);
    }
});
