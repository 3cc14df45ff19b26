// The chart of a question: its kinds, its numbers, and what it says where there is nothing to draw.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { daemon, page, settled, turn, withPages } from "./browser.mjs";
import { api, choice, entry, visit } from "./visit.mjs";

const QUESTION = "machine=hopper&model=matmul&n=16384&processes=64";
const CG = "model=cg&machine=blue-waters&nodes=8&processes_per_node=16&iterations=20&local_grid=16x16x16";

withPages({ charts: true });

const whenAsked = () => page.waitForRequest((r) => /\/api\/v1\/chart\/\w+\.svg/.test(r.url()));
const queryOf = (request) => new URL(request.url()).searchParams;

/** Performs an action that requests a chart; returns the query of that request. */
async function drawing(act) {
    const [request] = await Promise.all([whenAsked(), act()]);
    await settled(page);
    return queryOf(request);
}

const image = () => page.locator("#scaling img");
const numbers = () => page.getByText("The numbers as a table");

async function pictureWidth() {
    await image().scrollIntoViewIfNeeded();
    return image().evaluate((img) => img.decode().then(() => img.naturalWidth));
}

/** The color of a corner of the picture, which the frame of the axes does not reach. */
const groundOf = () => image().evaluate(async (img) => {
    await img.decode();
    const canvas = document.createElement("canvas");
    canvas.getContext("2d").drawImage(img, 0, 0);
    return [...canvas.getContext("2d").getImageData(2, 2, 1, 1).data].slice(0, 3);
});

describe("chart", () => {
    it("is drawn in the theme of the page, with its numbers in a table and in files, and a switch for each line", async () => {
        await page.emulateMedia({ colorScheme: "dark" });
        assert.equal((await drawing(() => page.goto(`${daemon.url}/?${QUESTION}`))).get("theme"), "dark");
        assert.ok((await pictureWidth()) > 100, "the image has been drawn");
        assert.deepEqual(await groundOf(), [17, 23, 27]);
        assert.equal(await page.locator("#scaling .paper").evaluate((paper) => getComputedStyle(paper).backgroundColor), "rgb(17, 23, 27)");
        const link = (name) => page.locator("#scaling").getByRole("link", { name, exact: true }).getAttribute("href");
        assert.doesNotMatch(await link("PDF"), /theme/, "a file is light, as paper is");
        const again = whenAsked(), old = await image().getAttribute("src");
        await page.emulateMedia({ colorScheme: "light" });
        assert.equal(queryOf(await again).get("theme"), null);
        await page.locator(`#scaling img[src]:not([src="${old}"])`).waitFor(); // the old picture stays until the new one is there
        assert.deepEqual(await groundOf(), [255, 255, 255]);

        await numbers().click();
        assert.ok((await page.locator("#scaling tbody tr").count()) > 3);
        for (const [name, type] of [["SVG", "image/svg+xml"], ["PDF", "application/pdf"], ["PNG", "image/png"]]) {
            const href = await link(name), response = await fetch(href);
            assert.equal(response.status, 200, href);
            assert.match(response.headers.get("content-type"), new RegExp(`^${type.replace("+", "\\+")}`));
        }

        /* By keyboard too, and in the link. */
        const switches = page.locator("#scaling .switches button"), names = await switches.allInnerTexts();
        assert.ok(names.length > 2);
        const drawn = await drawing(() => switches.first().click());
        assert.deepEqual([drawn.get(drawn.get("series")), drawn.get("hidden")], [names.join(","), names[0]]);
        assert.deepEqual(await switches.evaluateAll((all) => all.map((one) => one.getAttribute("aria-pressed"))), names.map((_, i) => String(i > 0)));
        assert.equal(await page.locator("#scaling .switches :focus").innerText(), names[0]);
        assert.equal(new URL(page.url()).searchParams.get("chart.hidden"), names[0]);
        await page.reload();
        await settled(page);
        const whole = await drawing(async () => { await switches.first().focus(); await page.keyboard.press("Enter"); });
        assert.deepEqual([whole.get(whole.get("series")), whole.get("hidden")], [names.join(","), null]);
        await turn(page, `${QUESTION}&chart.hidden=${names.slice(1).join(",")}`);
        assert.ok(await switches.first().isDisabled(), "the last line stays");
        await turn(page, "machine=hopper&model=cholesky&n=32768&processes=1024&threads=6&variant=2d&chart.series=replication&chart.hidden=1");
        await page.locator("#chart-body .problem").waitFor();
        await page.getByRole("button", { name: "Show all lines" }).click();
        await switches.first().waitFor();
        assert.equal(new URL(page.url()).searchParams.has("chart.hidden"), false, "where those that are left cannot be drawn");
    });

    it("has the best choices at each point, as a percentage on a linear axis where lines of time would meet, and says why an invalid list cannot be drawn", async () => {
        await visit(`${QUESTION}&chart.values=256,1024&chart.series=none`);
        await numbers().click();
        for (const processes of [256, 1024]) {
            const { rows } = await api(`rank/matmul?machine=hopper&n=16384&processes=${processes}`);
            const cells = await page.locator("#scaling tbody tr", { hasText: new RegExp(`^${processes.toLocaleString("en-GB")}`) }).locator("td").allInnerTexts();
            assert.ok(Math.abs(Number(cells[0]) / rows[0].percent_of_peak - 1) < 2e-3, `${processes} processes: ${cells[0]} is not ${rows[0].percent_of_peak}`);
        }

        const log = page.getByLabel("logarithmic y");
        assert.equal(await log.isChecked(), false);
        const query = await drawing(() => choice("Output").selectOption("time_s"));
        assert.equal(query.get("logy"), "true");
        assert.equal(await log.isChecked(), true);
        const again = await drawing(() => log.uncheck());
        assert.equal(again.get("logy"), "false");
        const back = await drawing(() => choice("Output").selectOption("percent_of_peak"));
        assert.equal(back.get("logy"), "false");

        await entry("Values").fill("4..x");
        await page.locator("#chart-body .problem").waitFor();
        assert.equal(await image().count(), 0);
        assert.equal(await page.locator("#time").count(), 1);
    });

    it("has no title that leaves the picture", async () => {
        const { rows: [{ algorithm, variant }] } = await api("rank/matmul?machine=hopper&n=16384&processes=64&limit=1");
        const chosen = `machine=hopper&n=16384&processes=64&algorithm=${algorithm}&variant=${variant}`;
        const title = "matmul of order 16,384 on hopper (03c77ce8) with 64 processes of 2 threads: algorithm cannon, variant 2d, precision double complex";
        const long = "W".repeat(150);
        await page.goto("about:blank");
        for (const width of [360, 390, 860]) for (const [path, text] of [["sensitivity/matmul/chart.svg", title], ["sensitivity/matmul/chart.svg", long], ["chart/matmul.svg", title]]) {
            const query = path.startsWith("chart") ? `${chosen.replace("processes=64", "processes=16,64,256")}&x=processes` : chosen;
            const look = `width=${width}&height=420&what_if.network.bandwidth=*2&title=${encodeURIComponent(text)}`;
            await page.setContent(await (await fetch(`${daemon.url}/api/v1/${path}?${query}&${look}`)).text());
            const texts = await page.evaluate(() => [...document.querySelectorAll("text")].map((each) => {
                const { left } = document.querySelector("svg").getBoundingClientRect(), place = each.getBoundingClientRect();
                return { words: each.textContent.trim(), left: place.left - left, right: place.right - left };
            }));
            const shown = texts.filter(({ words }) => words);
            assert.ok(shown.some(({ words }) => words.startsWith(text.slice(0, 8))) && shown.some(({ words }) => words.startsWith("imaginary machine")), `${path}: ${JSON.stringify(shown)}`);
            assert.deepEqual(shown.filter(({ left, right }) => left < 0 || right > width), [], `${path} ${text} ${width}`);
            /* A line ends with a word. */
            if (text === title) for (const { words } of shown.filter((each) => title.includes(each.words) && each.words.includes(" "))) assert.ok(` ${title} `.includes(` ${words} `), words);
        }
    });

    it("has kinds, each with its settings, over numbers and vectors", async () => {
        await visit(CG);
        assert.equal(await choice("Chart type").locator("option[value=roofline]").count(), 0, "the model has no bounds");
        for (const kind of ["breakdown", "band"]) { /* tests/page/chart.test.mjs has the queries of all */
            const query = await drawing(() => choice("Chart type").selectOption(kind));
            assert.equal(query.get("kind"), kind);
            assert.ok((await pictureWidth()) > 100, kind);
            assert.equal(await choice("One line for each").count(), kind === "breakdown" ? 0 : 1, kind);
            assert.equal(await choice("Range over").count(), kind === "band" ? 1 : 0, kind);
        }

        const query = await drawing(() => choice("Over").selectOption("local_grid"));
        assert.equal(query.get("local_grid"), "4x4x4,8x8x8,16x16x16,32x32x32,64x64x64");
        assert.ok((await pictureWidth()) > 100);
        await drawing(() => entry("Values").fill("8x8x8,16x16x16"));
        await numbers().click();
        assert.deepEqual(await page.locator("#scaling tbody th").allInnerTexts(), ["8x8x8", "16x16x16"]);
        const { rows } = await api(`rank/cg?${CG.slice("model=cg&".length)}&solver=pcg`);
        const cell = await page.locator("#scaling tbody tr", { hasText: "16x16x16" }).locator("td").first().innerText();
        assert.ok(Math.abs((Number(cell) * 1e-3) / rows[0].time_s - 1) < 1e-3, `${cell} ms is not ${rows[0].time_s} s`);

        /* Without a saved run there are no boxes, but the table stays. */
        await turn(page, CG);
        await drawing(() => choice("Chart type").selectOption("boxes"));
        assert.match(await page.locator("#chart-body .problem").innerText(), /no saved run/i);
        assert.equal(await image().count(), 0);
        await numbers().click();
        assert.ok((await page.locator("#scaling tbody tr").count()) > 3);
    });
});
