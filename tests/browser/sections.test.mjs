// A phone shows the answer and one section at a time; a wide screen shows them all.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { root } from "../daemon.mjs";
import { asking, assertNoOverflow, browser, daemon, go, inEachSection, newPage, page, settled, shownTime, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const QUESTION = "model=matmul&machine=hopper&n=16384&processes=64";
const MOST_BYTES = 180_000; /* of the whole page, compressed */
const MOST_PIXELS = 4500; /* of one section at 390 pixels; together they had 10,000 */

withPages({});

const shown = (on) => on.locator("main > section, #question").evaluateAll((all) => all.filter((each) => each.offsetParent !== null).map(({ id }) => id));

async function visit(on, rest = "") {
    await on.goto(`${daemon.url}/?${QUESTION}${rest}`);
    await settled(on);
}

/** Runs a test on a phone. */
async function onPhone(test, context = {}) {
    const phone = await newPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, ...context });
    try {
        await test(phone);
        assert.deepEqual(phone.troubles(), []);
    } finally {
        await phone.context().close();
    }
}

describe("on a phone", () => {
    it("the link to the question stands beside the title, not over what a refusal says", () => onPhone(async (phone) => {
        await phone.goto(`${daemon.url}/?model=matmul&machine=hopper&n=65536&processes=64`);
        const problem = phone.locator("#answer-problem .problem"), link = phone.getByRole("link", { name: "Change the question" });
        await problem.waitFor();
        const [below, above] = await Promise.all([problem, link].map((each) => each.boundingBox()));
        assert.ok(above.y + above.height <= below.y, JSON.stringify({ above, below }));
    }));

    it("the answer comes first, and each link at the top shows its section alone", () => onPhone(async (phone) => {
        await visit(phone);
        assert.deepEqual(await shown(phone), ["answer"]);
        const top = await phone.locator("#time").evaluate((time) => time.getBoundingClientRect().bottom);
        assert.ok(top < 300, `the answer ends at ${top}`);
        await inEachSection(phone, async () => {
            const name = new URL(phone.url()).hash.slice(1);
            assert.deepEqual(await shown(phone), [name]);
            assert.equal(await phone.locator(".top nav a[aria-current=true]").evaluate((link) => link.hash.slice(1)), name);
            await assertNoOverflow(phone);
            const height = await phone.evaluate(() => document.documentElement.scrollHeight);
            assert.ok(height < MOST_PIXELS, `${name} has ${height} pixels`);
        });
    }));

    it("Back leads to the section before, also without a fragment", () => onPhone(async (phone) => {
        await visit(phone);
        await phone.locator('.top nav a[href="#ranking"]').tap();
        assert.deepEqual(await shown(phone), ["ranking"]);
        await phone.goBack();
        await phone.locator("#answer.current").waitFor();
        assert.deepEqual(await shown(phone), ["answer"]);
    }));

    it("the question is changed in its section, and the answer follows at the edge", () => onPhone(async (phone) => {
        await visit(phone);
        await phone.getByRole("link", { name: "Change the question" }).tap();
        assert.deepEqual(await shown(phone), ["question"]);
        await asking(phone, "predict", () => phone.locator("#p-n").fill("8192"));
        await phone.locator("#strip strong").tap();
        assert.deepEqual(await shown(phone), ["answer"]);
        assert.equal(await phone.locator("#strip").isVisible(), false);
        assert.match(await phone.locator(".restated").innerText(), /8,192/);
        await phone.goBack();
        assert.deepEqual(await shown(phone), ["question"]);
    }));

    it("a link to a section, or to a part of one, shows it", () => onPhone(async (phone) => {
        for (const [hash, section] of [["#ranking", "ranking"], ["#quality", "machine"], ["#nowhere", "answer"], ["#%", "answer"]]) {
            await phone.goto("about:blank");
            await visit(phone, hash);
            assert.deepEqual(await shown(phone), [section], hash);
        }
        await phone.goto("about:blank");
        await visit(phone, "#quality");
        const { top } = await phone.locator("#quality").boundingBox().then(({ y }) => ({ top: y }));
        assert.ok(top >= 0 && top < 844, `its heading stands at ${top}`);
    }));

    it("a fault leads to its field, and a chosen configuration to its answer", () => onPhone(async (phone) => {
        await visit(phone, "&threads=x");
        await phone.locator("#answer-problem").getByRole("link").first().tap();
        assert.deepEqual(await shown(phone), ["question"]);
        assert.equal(await phone.evaluate(() => document.activeElement.id), "p-threads");
        await phone.locator("#p-threads").fill("2");
        await phone.waitForURL(/threads=2/);
        await settled(phone);
        await go(phone, "ranking");
        await asking(phone, "predict", () => phone.getByRole("button", { name: "Use the configuration of rank 2" }).tap());
        assert.deepEqual(await shown(phone), ["answer"]);
    }));

    it("a section that another operation does not have makes way for the answer", () => onPhone(async (phone) => {
        await phone.goto(`${daemon.url}/?model=solve&machine=example&solver=pcg&nodes=4&processes_per_node=2&iterations=100&global_grid=64x64x64#strong-weak`);
        await settled(phone);
        assert.deepEqual(await shown(phone), ["strong-weak"]);
        await go(phone, "question");
        await asking(phone, "predict/matmul", () => phone.getByRole("combobox", { name: "Operation", exact: true }).selectOption("matmul"));
        await phone.goto(`${phone.url().replace(/#.*/, "")}#strong-weak`);
        assert.deepEqual(await shown(phone), ["answer"]);
    }));

    for (const colorScheme of ["light", "dark"])
        it(`has no accessibility fault that axe finds (${colorScheme})`, () => onPhone(async (phone) => {
            await visit(phone);
            await phone.evaluate(await readFile(axe, "utf8"));
            for (const section of ["answer", "question", "what-if"]) {
                await go(phone, section);
                const { violations } = await phone.evaluate(() => window.axe.run());
                assert.deepEqual(violations.map(({ id, nodes }) => `${section}: ${id}: ${nodes[0].html}`), []);
            }
        }, { colorScheme, bypassCSP: true, reducedMotion: "reduce" }));
});

it("the page is light", async () => {
    const files = await Promise.all((await readdir(`${root}/static`, { recursive: true })).filter((name) => name.includes(".")).map((name) => readFile(`${root}/static/${name}`)));
    const bytes = files.reduce((total, text) => total + gzipSync(text).length, 0);
    assert.ok(files.length > 50 && bytes < MOST_BYTES, `${files.length} files have ${bytes} bytes`);
});

describe("on a wide screen", () => {
    it("all sections are shown, and on paper too", async () => {
        await visit(page);
        const all = await shown(page);
        assert.deepEqual(all.filter((name) => !["grids", "strong-weak", "compare"].includes(name)), ["question", "answer", "scaling", "ranking", "recommend", "forecast", "what-if", "model", "matrices", "machine"]);
        assert.equal(await page.locator(".narrow-only:visible").count(), 0);
        await page.setViewportSize({ width: 700, height: 900 });
        assert.deepEqual(await shown(page), ["answer"]);
        assert.notEqual(await shownTime(page), "");
        await page.emulateMedia({ media: "print" });
        assert.ok((await shown(page)).includes("ranking"));
    });
});
