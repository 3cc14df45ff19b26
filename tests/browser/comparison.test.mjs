// The comparison of two calibrations of a machine: values, sources, predictions.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertAccessible, assertNoOverflow, daemon, page, withPages } from "./browser.mjs";
import { api, visit } from "./visit.mjs";

const QUESTION = "machine=hopper&model=matmul&n=8192&processes=16&algorithm=cannon&variant=2d";

const ids = []; /* of the calibrations of hopper, oldest first */

async function upload(document, token) {
    const response = await fetch(`${daemon.url}/api/v1/machines/${document.machine}/calibrations`, {
        method: "POST", body: JSON.stringify(document), headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" } });
    assert.equal(response.status, 201);
    ids.push((await response.json()).id);
}

withPages({}, async () => {
    const token = await daemon.token("write");
    const { items: [{ id }] } = await api("machines/hopper/calibrations");
    ids.push(id);
    const document = await api(`calibrations/${id}`);
    document.environment = { blas: { name: "a library", version: "2" } };
    document.node.memory_bytes *= 2;
    for (const row of document.kernels.dgemm.square) row.efficiency_fraction *= 0.8;
    document.contention.maximum.reverse();
    document.network.bytes_per_traffic_unit = 3;
    document.sources["/network/bytes_per_traffic_unit"] = "assumed: for a test";
    await upload(document, token);
    document.node.memory_bytes *= 2;
    await upload(document, token);
});

const shown = async (locator) => (await locator.innerText()).replaceAll("\u00a0", " ");
const part = () => page.locator("#comparison");
const compared = () => page.locator('#comparison [aria-busy="true"]').waitFor({ state: "detached" });

async function see() {
    await visit(`${QUESTION}#comparison`);
    await part().scrollIntoViewIfNeeded();
    await part().locator(".links").waitFor();
}

async function pick(label, id) {
    await part().getByLabel(label, { exact: true }).selectOption(id);
    await compared();
}

describe("the comparison of two calibrations", () => {
    it("begins with the two newest, shows the changes with their sources and the effect on predictions, and fits every screen", async () => {
        await see();
        assert.deepEqual([await part().getByLabel("Before").inputValue(), await part().getByLabel("After").inputValue()], [ids[1], ids[2]]);
        assert.match(await shown(part()), /^Changes between calibrations.*\n1 of \d+ common values differ\./s);
        assert.match(await shown(part().locator("table").nth(1)), /node\.memory_bytes\s+\+100 %/);

        await pick("Before", ids[0]);
        const answer = await api(`machines/hopper/calibrations/compare?from=${ids[0]}&to=${ids[2]}`);
        const cannon = answer.predictions.find((row) => row.name === "Cannon on 16 processes");
        assert.ok(cannon.ratio > 1.05, "slower kernels give a longer time");
        const row = part().getByRole("row", { name: "Cannon on 16 processes" });
        assert.ok((await shown(row)).includes(`+${Number((100 * (cannon.ratio - 1)).toPrecision(3))} %`), await shown(row));
        const bar = await row.locator(".effect .piece").evaluate((piece) => [piece.offsetLeft, piece.offsetWidth, piece.parentElement.offsetWidth]);
        assert.ok(bar[0] >= bar[2] / 2 - 1 && bar[1] > 5, `longer is to the right: ${bar}`);
        assert.match(await shown(part()), /environment\.blas\.version not stated → 2/);
        assert.match(await shown(part().getByRole("row", { name: /^kernels\.dgemm\.square/ }).first()), /−20 %/);
        for (const [name, start] of [["changes", /^path,change,/], ["fields", /^path,unit,/], ["predictions", /^name,model,/]]) {
            const href = await part().getByRole("link", { name: `CSV of ${name}` }).getAttribute("href");
            assert.match(await (await fetch(href)).text(), start);
        }
        await page.evaluate(() => { for (const details of document.querySelectorAll("#comparison details")) details.open = true; });
        assert.match(await shown(part()), /Sparse LU on 4 processes \(sparse_lu\): with both: .*/);
        const changes = part().locator("table").last();
        assert.equal(await changes.locator("tbody tr").count(), answer.changes.length);
        assert.match(await shown(changes.getByRole("row", { name: "network.bytes_per_traffic_unit" })), /–\s+3 B\s+added.*assumed: for a test/s);
        assert.equal(await changes.getByRole("row", { name: /contention/ }).count(), 0, "only the order of the rows has changed");

        for (const width of [1280, 400]) {
            await page.setViewportSize({ width, height: 900 });
            await assertNoOverflow(page);
            if (width > 400) await assertAccessible(page, "#comparison");
        }
    });

    it("includes the question of the page, follows its changes, works in both directions, and refuses one calibration twice", async () => {
        await see();
        await pick("Before", ids[0]);
        const own = part().getByRole("row", { name: "The question of this page" });
        const time = async () => (await shown(own)).match(/\t([\d.]+ s)\t/)?.[1];
        const before = await time();
        assert.ok(before, await shown(own));
        const asked = page.waitForResponse((r) => /compare\?.*n=16384/.test(r.url()));
        await page.locator("#p-n").fill("16384");
        await page.waitForURL(/n=16384/);
        await part().scrollIntoViewIfNeeded();
        await asked;
        await compared();
        assert.notEqual(await time(), before);

        await pick("After", ids[0]);
        assert.match(await shown(page.locator("#comparison .problem")), /These calibrations cannot be compared.*name another/s);
        await pick("Before", ids[2]);
        const row = part().getByRole("row", { name: "Cannon on 16 processes" });
        await row.waitFor();
        assert.match(await shown(row), /−\d/);
        assert.ok(await row.locator(".effect .computation").count(), "shorter is to the left");
    });
});
