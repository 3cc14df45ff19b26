// Answers side by side: pinned questions, their differences, and the link that has them.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertAccessible, assertNoOverflow, page, reopen, settled, turn, withPages } from "./browser.mjs";
import { api, visit } from "./visit.mjs";

const CHOICE = "algorithm=cannon&variant=2d&replication=1&threads=2";
const QUESTION = `model=matmul&machine=hopper&n=16384&processes=64&${CHOICE}`;

withPages({});

const plain = async (locator) => (await locator.innerText()).replaceAll("\u00a0", " ");
const compare = () => page.locator("#compare");
const cells = async (name) => (await compare().getByRole("row", { name, exact: false }).locator("td").allInnerTexts()).map((text) => text.replaceAll("\u00a0", " "));
const marked = (name) => compare().getByRole("row", { name }).locator("td").evaluateAll((all) => all.map((cell) => cell.querySelector("mark") !== null));
const unpin = (count) => compare().getByRole("button", { name: `Unpin ${count}` });
const pinned = (count) => unpin(count).waitFor();
const pin = () => page.getByRole("button", { name: "Pin this answer" });

/** A query that pins questions. */
const withPins = (...pins) => `${QUESTION}&${new URLSearchParams(pins.map((each) => ["pin", each]))}`;

describe("pinned questions", () => {
    it("stand beside the question of the page, also while its answer is awaited or where it has none, with the differences marked", async () => {
        await visit(QUESTION);
        assert.equal(await compare().isVisible(), false);
        let go;
        const gone = new Promise((done) => { go = done; });
        await page.route(/predict\/matmul.*n=32768/, (route) => gone.then(() => route.continue())); /* the question, and that of the recommendation's warnings */
        await page.locator("#p-n").fill("32768");
        await page.waitForRequest(/predict\/matmul.*n=32768/);
        await pin().click();
        await pinned(1);
        assert.deepEqual(await cells(/^n /).catch(() => []), []);
        go();
        await compare().locator("mark").first().waitFor();
        assert.deepEqual(await cells(/^n /), ["32,768", "16,384"]);
        await page.unroute(/predict\/matmul.*n=32768/);

        const [large, small] = await Promise.all([32768, 16384].map((n) => api(`predict/matmul?machine=hopper&n=${n}&processes=64&${CHOICE}`)));
        assert.deepEqual(await marked(/^n /), [false, true]);
        assert.match((await cells(/^Time/))[1], new RegExp(`${Number((large.time_s / small.time_s).toPrecision(3))} times as fast`));
        assert.deepEqual(await marked(/^Processes/), [false, false]);
        assert.match(await plain(compare().locator(".lead")), /The same in all: .*variant 2d/);

        await page.locator("#p-n").fill("x");
        await page.locator("#p-n[aria-invalid=true]").waitFor();
        assert.match(await plain(compare().locator("thead")), /This question has no answer/);
        assert.equal(await pin().count(), 0);
        await page.goBack(); /* undoes the edit */
        await page.locator("#p-n[aria-invalid=true]").waitFor({ state: "detached" });
        await pinned(1);
        await page.goBack();
        await compare().waitFor({ state: "hidden" });
    });

    it("may be of other machines, calibrations and what-ifs, are in the link, and fit every screen", async () => {
        const { items: [{ id }] } = await api("machines/hopper/calibrations");
        await visit(withPins(`model=matmul&machine=example&n=16384&processes=64&${CHOICE}`, `${QUESTION}&calibration=${id}&what_if.network.bandwidth=*2`, QUESTION));
        await pinned(3);
        assert.deepEqual(await cells(/^Machine/), ["hopper", "example", "hopper", "hopper"]);
        assert.deepEqual(await cells(/^What if/), ["as calibrated", "as calibrated", "network.bandwidth × 2", "as calibrated"]);

        const widths = await compare().locator("td").filter({ has: page.locator(".share") }).evaluateAll((all) => all.map((cell) => [...cell.querySelectorAll(".share")].map((bar) => bar.getBoundingClientRect().width)));
        const [own, same] = [widths[0], widths[3]];
        assert.ok(own.length > 0 && own.every((width, i) => Math.abs(width - same[i]) < 1), `bars of one scale: ${own} and ${same}`);

        const shown = await compare().innerText();
        await reopen();
        await pinned(3);
        assert.equal(await compare().innerText(), shown);

        await assertNoOverflow(page);
        await assertAccessible(page, "#compare, #answer");
        await page.setViewportSize({ width: 390, height: 840 });
        await turn(page, `${new URL(page.url()).search.slice(1)}#compare`);
        await pinned(3);
        await assertNoOverflow(page);
    });

    it("are at most four, once each, say why one has no answer, and are opened and unpinned with the keyboard", async () => {
        const pins = [2048, 4096, 8192].map((n) => QUESTION.replace("16384", String(n)));
        await visit(withPins(...pins, QUESTION.replace("hopper", "nowhere")));
        await pinned(4);
        assert.match(await plain(compare().locator("thead")), /Pinned 4\s+No answer: .*nowhere/);
        await pin().click();
        await page.getByText("At most 4 answers can be pinned").waitFor();
        await unpin(4).click();
        await unpin(4).waitFor({ state: "detached" });
        await pin().click();
        await pinned(4);
        await pin().click();
        await page.getByText("This answer is pinned already.").waitFor();

        await unpin(1).focus();
        await page.keyboard.press("Enter");
        await unpin(4).waitFor({ state: "detached" });
        assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Unpin 1", "the focus keeps its place");
        assert.deepEqual(await cells(/^n /), ["16,384", "4,096", "8,192", "16,384"]);
        await compare().getByRole("link", { name: "Open the question pinned 1" }).focus();
        await page.keyboard.press("Enter");
        await page.waitForURL((url) => url.searchParams.get("n") === "4096" && url.searchParams.getAll("pin").length === 3);
        await settled(page);
        await pinned(1);
    });
});
