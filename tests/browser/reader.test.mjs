// Values read off a chart: by mouse, touch and keys, as a table; a point taken as the question.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertAccessible, assertNoOverflow, browser, daemon, go, isFirefox, newPage, page, settled, turn, withPages } from "./browser.mjs";
import { visit } from "./visit.mjs";

const MATMUL = "model=matmul&machine=hopper&n=16384&processes=64&algorithm=cannon&chart.values=64,256,1024&chart.y=time_s";

withPages({ charts: true });

const tip = (on = page) => on.locator("#scaling .tip");
const reader = (on = page) => on.locator("#scaling .reader");

/** The JSON of the chart that the page shows. */
async function chartOf(on = page) {
    const href = await on.locator("#scaling").getByRole("link", { name: "SVG", exact: true }).getAttribute("href");
    return (await fetch(href.replace(".svg?", ".json?"))).json();
}

/** The place on the screen of a series at an x of the chart. */
async function placeOf(chart, series, x, on = page) {
    await reader(on).scrollIntoViewIfNeeded();
    const { box } = chart, { left, top, width, height } = await reader(on).evaluate((e) => e.getBoundingClientRect().toJSON());
    const part = (axis, value) => (axis.scale === "log" ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low));
    const point = series.points.find((each) => each.x === x);
    return [left + (width / chart.width) * (box.left + part(chart.x, x) * (box.right - box.left)),
        top + (height / chart.height) * (box.bottom - part(chart.y, point.y) * (box.bottom - box.top))];
}

const plain = (text) => text.replaceAll("\u00a0", " ");
const asked = () => new URL(page.url()).searchParams;

/** Waits for the question of a point. */
async function taken(act) {
    await act();
    await page.waitForURL(/processes=1024/);
    await settled(page);
}

describe("a chart", () => {
    it("is read by keys and by mouse, says why it has no values, and takes a point as the question", async () => {
        await visit(MATMUL);
        assert.equal(await tip().isVisible(), false);
        await page.route("**/chart/matmul.json?*", (route) => route.fulfill({ status: 422, contentType: "application/problem+json", body: '{"detail":"Nothing to read."}' }));
        await reader().hover();
        await tip().filter({ hasText: "No values: Nothing to read." }).waitFor();
        await page.unroute("**/chart/matmul.json?*");

        const slider = page.locator("#scaling").getByRole("slider", { name: /Values of the chart/ });
        await slider.focus();
        for (const [key, wanted] of [["ArrowRight", 64], ["ArrowRight", 256], ["End", 1024], ["ArrowRight", 1024], ["ArrowLeft", 256], ["Home", 64]]) {
            const text = wanted.toLocaleString("en-GB");
            await page.keyboard.press(key);
            await page.locator(`#scaling .reader[aria-valuetext^="processes ${text}: 2d "]`).waitFor();
            await tip().filter({ hasText: `processes ${text}` }).waitFor();
        }
        assert.equal(await slider.getAttribute("aria-valuemax"), "3");
        for (const own of [{ key: "ArrowLeft", altKey: true }, { key: "+", ctrlKey: true }])
            assert.ok(await slider.evaluate((one, keys) => one.dispatchEvent(new KeyboardEvent("keydown", { ...keys, cancelable: true })), own), "the browser's keys stay its own");
        await page.keyboard.press("End");
        await taken(() => page.keyboard.press("Enter"));
        assert.equal(asked().get("variant"), null);
        await page.goBack();
        await settled(page);

        await page.mouse.move(2, 2);
        await reader().blur();
        const chart = await chartOf();
        await page.mouse.move(...await placeOf(chart, chart.series[0], 256));
        await tip().waitFor();
        const text = plain(await tip().innerText());
        assert.match(text, /^processes 256/);
        for (const { label, points } of chart.series) {
            const shown = new RegExp(`${label}: ([\\d.]+) s`).exec(text), { y } = points.find(({ x }) => x === 256);
            assert.ok(shown && Math.abs(Number(shown[1]) / y - 1) < 1e-3, `${label} is ${y}: ${text}`);
        }
        const hair = await page.locator("#scaling .hair").evaluate((e) => e.getBoundingClientRect().x);
        assert.ok(Math.abs(hair - (await placeOf(chart, chart.series[0], 256))[0]) < 1.5, "the crosshair is at the point");
        await page.mouse.move(2, 2);
        await tip().waitFor({ state: "hidden" });

        /* A click takes the line that is near, too. */
        await turn(page, MATMUL.replace("&chart.y=time_s", ""));
        const percents = await chartOf(), series = [...percents.series].sort((a, b) => b.points[2].y - a.points[2].y)[0], place = await placeOf(percents, series, 1024);
        await taken(() => page.mouse.click(...place));
        assert.equal(asked().get("variant"), series.value);
        await page.goBack();
        await settled(page);
        assert.equal(asked().get("processes"), "64");
        assert.equal(asked().get("variant"), null);
    });

    it("shows more of a part of its axis that is dragged over, or by plus; minus and a button show the usual values", async () => {
        await visit(MATMUL);
        const chart = await chartOf(), [x64, y] = await placeOf(chart, chart.series[0], 64), [x256] = await placeOf(chart, chart.series[0], 256);
        await page.mouse.move(x64, y);
        await tip().waitFor();
        await page.mouse.down();
        await page.mouse.move(x256, y);
        await page.locator("#scaling .range").waitFor();
        await page.mouse.move(x256 + 4, y); /* near the point, which belongs to the drag */
        await Promise.all([page.waitForResponse(/\/sweep\/matmul\?.*processes=64%2C81%2C100/), page.mouse.up()]); /* the address has it before */
        await page.waitForURL((url) => url.searchParams.get("chart.values") === "64,81,100,121,144,169,196,225,256");
        await settled(page);
        assert.deepEqual((await chartOf()).series[0].points.map((point) => point.x), [64, 81, 100, 121, 144, 169, 196, 225, 256]);
        assert.equal(asked().get("processes"), "64"); /* a drag is no click */
        await reader().focus();
        await page.keyboard.press("End");
        await tip().filter({ hasText: "processes 256" }).waitFor();
        await page.keyboard.press("+");
        await page.waitForURL((url) => url.searchParams.get("chart.values") === "225,256");
        await settled(page);
        assert.ok(await reader().evaluate((e) => e === document.activeElement), "the new chart has the focus");
        await page.keyboard.press("-");
        await page.waitForURL((url) => !url.searchParams.has("chart.values"));
        await settled(page);
        assert.equal(await page.locator("#scaling .zoom button").count(), 0);
        await turn(page, MATMUL);
        await page.locator("#scaling").getByRole("button", { name: "Usual values" }).click();
        await page.waitForURL((url) => !url.searchParams.has("chart.values"));
        await settled(page);
    });

    it("of the nodes, of lying bars from the top down, and of a calibration is read in the same way", async () => {
        await visit(`${MATMUL}&variant=2d`);
        for (const [section, name, wanted] of [
            ["recommend", /^Values of the chart: Time and core hours/, /^nodes [\d,]+: time [\d.]+ m?s/],
            ["what-if", /^Values of the chart: Change of the time/, /^[a-z_.]+: × 2 [-\d.]+ %, ÷ 2 [-\d.]+ %$/],
            ["machine", /^Values of the chart: Efficiency of the kernels/, /^Order n of the square operands 64: dgemm, 1 thread 0\.78/],
        ]) {
            await page.evaluate((id) => { location.hash = id; }, section);
            await page.locator(`#${section}`).scrollIntoViewIfNeeded();
            const slider = page.getByRole("slider", { name });
            await slider.focus();
            await page.keyboard.press("Home");
            await slider.and(page.locator("[aria-valuetext*=':']")).waitFor();
            assert.match(plain(await slider.getAttribute("aria-valuetext")), wanted);
        }

        /* The charts of a gallery have tables too, which are requested when they are opened. */
        await turn(page, "model=hpl&machine=example&n=16384&processes=16&block_size=96");
        await page.locator("#grids").scrollIntoViewIfNeeded();
        const figure = page.locator("#grids figure").first();
        await figure.locator("img").waitFor();
        const [answer] = await Promise.all([page.waitForResponse(/\/chart\/hpl\.json\?/), figure.getByText("The values as a table").click()]);
        const { cells, series } = await answer.json();
        await figure.locator("tbody tr").first().waitFor();
        const count = cells ? cells.list.length : Math.max(...series.map(({ points }) => points.length));
        assert.equal(await figure.locator("tbody tr").count(), count);
        assert.match(await figure.locator("tbody td").first().innerText(), /^(refused|[\d.,]+)/);
    });

    it("on a phone has its size, shows values at a tap and asks at the second, and no accessibility fault in both themes", async () => {
        const phone = await newPage(browser, { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
        try {
            await phone.goto(`${daemon.url}/?${MATMUL}#machine`);
            await settled(phone);
            const image = phone.locator("#machine .paper img").first();
            await image.scrollIntoViewIfNeeded();
            await image.and(phone.locator("[src]")).waitFor();
            assert.equal(await image.evaluate((each) => each.decode().then(() => each.naturalWidth)), 360);
            if (isFirefox) return; /* no finger is emulated in it */

            await go(phone, "scaling");
            const chart = await chartOf(phone), place = await placeOf(chart, chart.series[0], 1024, phone);
            await phone.touchscreen.tap(...place);
            await tip(phone).filter({ hasText: "processes 1,024" }).filter({ hasText: "A second tap asks" }).waitFor();
            assert.match(phone.url(), /processes=64/);
            assert.match(await phone.locator("#scaling .zoom").innerText(), /^Tap a point to read its values, and again to ask about it\./);
            await assertNoOverflow(phone);
            await assertAccessible(phone, "#scaling");
            await phone.touchscreen.tap(...place);
            await phone.waitForURL(/processes=1024/);
            await settled(phone);
            assert.deepEqual(phone.troubles(), []);
        } finally {
            await phone.context().close();
        }
    });
});
