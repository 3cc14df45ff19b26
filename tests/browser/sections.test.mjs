// A phone shows the answer and one section at a time; a wide screen shows them all.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessible, asking, assertNoOverflow, browser, daemon, go, inEachSection, newPage, page, reopen, settled, shownTime, turn, withPages } from "./browser.mjs";
import { visit } from "./visit.mjs";

const QUESTION = "model=matmul&machine=hopper&n=16384&processes=64";
const MOST_PIXELS = 4500; /* of one section at 390 pixels; together they had 10,000 */

withPages();

const shown = (on) => on.locator("main > section, #question").evaluateAll((all) => all.filter((each) => each.offsetParent !== null).map(({ id }) => id));

/** Waits until a section is shown, alone. */
async function shows(on, section) {
    await on.locator(`#${section}.current`).waitFor();
    assert.deepEqual(await shown(on), [section]);
}

describe("on a phone", () => {
    let phone;
    before(async () => {
        phone = await newPage(browser, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    });
    after(() => phone?.context().close());
    const onPhone = (test) => async () => {
        phone.troubles().length = 0;
        await test(phone);
        assert.deepEqual(phone.troubles(), []);
    };

    it("the answer comes first, the question is changed in its section, Back leads to the section before, and each link at the top shows its section alone", onPhone(async (phone) => {
        await reopen(`${daemon.url}/?${QUESTION}`, phone);
        await shows(phone, "answer");
        const top = await phone.locator("#time").evaluate((time) => time.getBoundingClientRect().bottom);
        assert.ok(top < 300, `the answer ends at ${top}`);
        await phone.locator('.top nav a[href="#ranking"]').tap();
        await shows(phone, "ranking");
        await phone.goBack(); /* to an address without a fragment */
        await shows(phone, "answer");

        await phone.getByRole("link", { name: "Change the question" }).tap();
        await shows(phone, "question");
        await asking(phone, "predict", () => phone.locator("#p-n").fill("8192"));
        await phone.locator("#strip strong").tap();
        await shows(phone, "answer");
        assert.equal(await phone.locator("#strip").isVisible(), false);
        assert.match(await phone.locator(".restated").innerText(), /8,192/);
        await phone.goBack();
        await shows(phone, "question");

        await inEachSection(phone, async () => {
            const name = new URL(phone.url()).hash.slice(1);
            await shows(phone, name);
            assert.equal(await phone.locator(".top nav a[aria-current=true]").evaluate((link) => link.hash.slice(1)), name);
            await assertNoOverflow(phone);
            const height = await phone.evaluate(() => document.documentElement.scrollHeight);
            assert.ok(height < MOST_PIXELS, `${name} has ${height} pixels`);
        });
        await go(phone, "question"); /* the others differ from those of a wide screen in width alone */
        await assertAccessible(phone);
    }));

    it("a link to a section, or to a part of one, shows it, until another operation does not have it", onPhone(async (phone) => {
        for (const [hash, section] of [["#%", "answer"], ["#quality", "machine"]]) {
            await reopen(`${daemon.url}/?${QUESTION}${hash}`, phone);
            await shows(phone, section);
        }
        const { y } = await phone.locator("#quality").boundingBox();
        assert.ok(y >= 0 && y < 844, `its heading stands at ${y}`);

        await turn(phone, "model=solve&machine=example&solver=pcg&nodes=4&processes_per_node=2&iterations=100&global_grid=64x64x64#strong-weak");
        await shows(phone, "strong-weak");
        await go(phone, "question");
        await asking(phone, "predict/matmul", () => phone.getByRole("combobox", { name: "Operation", exact: true }).selectOption("matmul"));
        for (const hash of ["#strong-weak", "#nowhere"]) {
            await phone.goto(`${phone.url().replace(/#.*/, "")}${hash}`);
            await shows(phone, "answer");
        }
    }));

    it("a fault leads to its field, and a chosen configuration to its answer", onPhone(async (phone) => {
        await visit(`${QUESTION}&threads=x`, phone);
        const problem = phone.locator("#answer-problem .problem"), link = phone.getByRole("link", { name: "Change the question" });
        const [below, above] = await Promise.all([problem, link].map((each) => each.boundingBox()));
        assert.ok(above.y + above.height <= below.y, `beside the title, not over what the refusal says: ${JSON.stringify({ above, below })}`);
        await phone.locator("#answer-problem").getByRole("link").first().tap();
        await shows(phone, "question");
        assert.equal(await phone.evaluate(() => document.activeElement.id), "p-threads");
        await phone.locator("#p-threads").fill("2");
        await phone.waitForURL(/threads=2/);
        await settled(phone);
        await go(phone, "ranking");
        await asking(phone, "predict", () => phone.getByRole("button", { name: "Use the configuration of rank 2" }).tap());
        await shows(phone, "answer");
    }));
});

it("on a wide screen all sections are shown, and on paper too", async () => {
    await visit(QUESTION);
    const all = await shown(page);
    assert.deepEqual(all.filter((name) => !["grids", "strong-weak", "compare"].includes(name)), ["question", "answer", "scaling", "ranking", "recommend", "forecast", "what-if", "model", "matrices", "machine"]);
    assert.equal(await page.locator(".narrow-only:visible").count(), 0);
    await page.setViewportSize({ width: 700, height: 900 });
    await shows(page, "answer");
    assert.notEqual(await shownTime(page), "");
    await page.emulateMedia({ media: "print" });
    assert.ok((await shown(page)).includes("ranking"));
});
