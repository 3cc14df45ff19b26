// Answers side by side: pinned questions, their differences, and the link that has them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { asking, assertNoOverflow, browser, daemon, newPage, page, settled, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const CHOICE = "algorithm=cannon&variant=2d&replication=1&threads=2";
const QUESTION = `model=matmul&machine=hopper&n=16384&processes=64&${CHOICE}`;

withPages({});

const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();
const plain = async (locator) => (await locator.innerText()).replaceAll("\u00a0", " ");
const compare = (on = page) => on.locator("#compare");
const cells = async (name, on = page) => (await compare(on).getByRole("row", { name, exact: false }).locator("td").allInnerTexts()).map((text) => text.replaceAll("\u00a0", " "));
const marked = (name, on = page) => compare(on).getByRole("row", { name }).locator("td").evaluateAll((all) => all.map((cell) => cell.querySelector("mark") !== null));
const pinned = (count, on = page) => compare(on).getByRole("button", { name: `Unpin ${count}` }).waitFor();

async function visit(query = QUESTION, on = page) {
    await on.goto(`${daemon.url}/?${query}`);
    await settled(on);
}

/** A query that pins questions. */
const withPins = (...pins) => `${QUESTION}&${new URLSearchParams(pins.map((pin) => ["pin", pin]))}`;

describe("pinned questions", () => {
    it("stand beside the question of the page, with the differences marked", async () => {
        await visit();
        assert.equal(await compare().isVisible(), false);
        await page.getByRole("button", { name: "Pin this answer" }).click();
        await pinned(1);
        await asking(page, "predict", () => page.locator("#p-n").fill("32768"));
        await page.locator("#compare mark").first().waitFor();
        const [large, small] = await Promise.all([32768, 16384].map((n) => api(`predict/matmul?machine=hopper&n=${n}&processes=64&${CHOICE}`)));
        assert.deepEqual(await cells(/^n /), ["32,768", "16,384"]);
        assert.deepEqual(await marked(/^n /), [false, true]);
        assert.match((await cells(/^Time/))[1], new RegExp(`${Number((large.time_s / small.time_s).toPrecision(3))} times as fast`));
        assert.deepEqual(await marked(/^Processes/), [false, false]);
        assert.match(await plain(compare().locator(".lead")), /The same in all: .*variant 2d/);
    });

    it("may be of other machines, calibrations and what-ifs, and are in the link", async () => {
        const { items: [{ id }] } = await api("machines/hopper/calibrations");
        const link = withPins(`model=matmul&machine=example&n=16384&processes=64&${CHOICE}`, `${QUESTION}&calibration=${id}&what_if.network.bandwidth=*2`);
        await visit(link);
        await pinned(2);
        assert.deepEqual(await cells(/^Machine/), ["hopper", "example", "hopper"]);
        assert.deepEqual(await cells(/^What if/), ["as calibrated", "as calibrated", "network.bandwidth × 2"]);
        const other = await newPage(browser);
        await other.goto(page.url());
        await settled(other);
        await pinned(2, other);
        assert.equal(await compare(other).innerText(), await compare().innerText());
        await other.context().close();
    });

    it("are opened, and unpinned with the keyboard, which keeps its place", async () => {
        await visit(withPins(QUESTION, QUESTION.replace("16384", "8192")));
        await pinned(2);
        await compare().getByRole("button", { name: "Unpin 1" }).focus();
        await page.keyboard.press("Enter");
        await compare().getByRole("button", { name: "Unpin 2" }).waitFor({ state: "detached" });
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Unpin 1");
        assert.deepEqual(await cells(/^n /), ["16,384", "8,192"]);
        await compare().getByRole("link", { name: "Open the question pinned 1" }).focus();
        await page.keyboard.press("Enter");
        await page.waitForURL((url) => url.searchParams.get("n") === "8192" && url.searchParams.getAll("pin").length === 1);
        await settled(page);
        await pinned(1);
    });

    it("are of the answer that is shown, while another is awaited", async () => {
        await visit();
        let go;
        const gone = new Promise((done) => { go = done; });
        await page.route(/predict\/matmul.*n=32768/, (route) => gone.then(() => route.continue())); /* the question, and that of the recommendation's warnings */
        await page.locator("#p-n").fill("32768");
        await page.waitForRequest(/predict\/matmul.*n=32768/);
        await page.getByRole("button", { name: "Pin this answer" }).click();
        await pinned(1);
        assert.deepEqual(await cells(/^n /).catch(() => []), []);
        go();
        await page.locator("#compare mark").first().waitFor();
        assert.deepEqual(await cells(/^n /), ["32,768", "16,384"]);
        await page.unroute(/predict\/matmul.*n=32768/);
    });

    it("have bars of one scale", async () => {
        await visit(withPins(QUESTION));
        await pinned(1);
        const widths = await compare().locator(".share").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
        const [own, other] = [widths.slice(0, widths.length / 2), widths.slice(widths.length / 2)];
        assert.ok(own.length > 0 && own.every((width, i) => Math.abs(width - other[i]) < 1), `${own} and ${other}`);
    });

    it("are at most four, once each, and say why one has no answer", async () => {
        const pins = [2048, 4096, 8192].map((n) => QUESTION.replace("16384", String(n)));
        await visit(withPins(...pins, QUESTION.replace("hopper", "nowhere")));
        await pinned(4);
        assert.match(await plain(compare().locator("thead")), /Pinned 4\s+No answer: .*nowhere/);
        await page.getByRole("button", { name: "Pin this answer" }).click();
        await page.getByText("At most 4 answers can be pinned").waitFor();
        await compare().getByRole("button", { name: "Unpin 4" }).click();
        await compare().getByRole("button", { name: "Unpin 4" }).waitFor({ state: "detached" });
        await page.getByRole("button", { name: "Pin this answer" }).click();
        await pinned(4);
        await page.getByRole("button", { name: "Pin this answer" }).click();
        await page.getByText("This answer is pinned already.").waitFor();
    });

    it("stay where the question has no answer, and go with the Back button", async () => {
        await visit();
        await page.getByRole("button", { name: "Pin this answer" }).click();
        await pinned(1);
        await page.locator("#p-n").fill("x");
        await page.locator("#p-n[aria-invalid=true]").waitFor();
        assert.match(await plain(compare().locator("thead")), /This question has no answer/);
        assert.equal(await page.getByRole("button", { name: "Pin this answer" }).count(), 0);
        await page.goBack(); /* undoes the edit */
        await page.locator("#p-n[aria-invalid=true]").waitFor({ state: "detached" });
        await pinned(1);
        await page.goBack();
        await compare().waitFor({ state: "hidden" });
    });

    for (const [name, context] of [["light", {}], ["dark", { colorScheme: "dark" }], ["narrow", { viewport: { width: 390, height: 840 } }]])
        it(`have no accessibility fault that axe finds, and fit the screen (${name})`, async () => {
            const other = await newPage(browser, { bypassCSP: true, reducedMotion: "reduce", ...context });
            await visit(`${withPins(QUESTION.replace("hopper", "example"), `${QUESTION}&what_if.network.bandwidth=*2`)}#compare`, other);
            await pinned(2, other);
            await assertNoOverflow(other);
            await other.evaluate(await readFile(axe, "utf8"));
            const { violations } = await other.evaluate(() => window.axe.run({ include: [["#compare"], ["#answer"]] }));
            await other.context().close();
            assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ") + " " + n.failureSummary).join("; ")}`), []);
        });
});
