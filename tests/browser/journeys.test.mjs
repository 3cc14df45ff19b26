// What people come for, from the first view to a file: above all with FORERUN_BROWSER=firefox in Firefox.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asking, assertNoOverflow, belowPrefix, daemon, darkPage, go, isFirefox, page, settled, shownTime, turn, withPages } from "./browser.mjs";
import { api, choice, entry, visit } from "./visit.mjs";

const QUESTION = "model=matmul&machine=hopper&n=16384&processes=64";
const CHART = `${QUESTION}&algorithm=cannon&chart.values=64,256,1024&chart.logx=true`;
const MATRIX = `%%MatrixMarket matrix coordinate real general\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}2 1 -1\n1 2 -1\n5 4 -1\n4 5 -1\n`;

let token;

withPages({}, async () => {
    token = await daemon.token("write");
});

const tip = () => page.locator("#scaling .tip");
const reader = () => page.locator("#scaling .reader");

describe("a journey", () => {
    it("begins with the first view, whose five doors lead to answers", async () => {
        await visit("");
        assert.match(await page.locator("#doors").innerText(), /forerun tells how long/);
        const doors = await page.locator("#doors a").evaluateAll((links) => links.map(({ href }) => href));
        assert.deepEqual(await page.locator("#doors a").allInnerTexts(), ["How many nodes do I ask for?", "Which variant and block size?", "How does it scale?", "Did the machine get slower?", "What would a better network bring?"]);
        const asked = new Set([new URL(page.url()).search]); /* it is answered here */
        await page.locator("#doors a").first().click();
        for (const href of doors) {
            const { search, hash } = new URL(href);
            await page.locator(`${hash} h2`).first().waitFor({ state: "attached" });
            if (asked.has(search)) continue; /* another section of the same question */
            asked.add(search);
            if (href === doors[0]) await page.waitForURL(href);
            else await turn(page, search.slice(1) + hash);
            await settled(page);
            await page.locator("#time").waitFor();
            assert.equal(await page.locator("#doors").isVisible(), false, href);
            await page.locator(`${hash} h2`).first().waitFor();
        }
    });

    it("works below a path prefix", () => belowPrefix(async (url) => {
        await page.goto(`${url}/?${QUESTION}`);
        await settled(page);
        assert.match(await page.locator("#request code").textContent(), new RegExp(`${url}/api/v1/predict/matmul`));
        await page.getByRole("link", { name: "API", exact: true }).click();
        await page.locator("#list li").first().waitFor();
        assert.ok(page.url().startsWith(`${url}/api.html`));
        for (const [fragment, path] of [["rank/matmul", "/api/v1/rank/matmul"], ["/healthz", "/healthz"]]) {
            await page.evaluate((hash) => { location.hash = hash; }, fragment);
            await page.locator("#command", { hasText: `'${url}${path}` }).waitFor();
            await page.getByRole("button", { name: "Send", exact: true }).click();
            await page.locator(".answer .status", { hasText: "200" }).waitFor();
        }
    }));
});

/* In Chromium other files look closer at each step. */
if (isFirefox) describe("a journey step by step", () => {
    it("asks, ranks, finds the number of nodes, changes the machine in thought, and reads a chart and the calibration", async () => {
        await visit(QUESTION);
        await asking(page, "recommend", () => entry("Deadline").fill("1 s"));
        await page.locator("#recommend-body .job summary").click();
        const { best } = await api("recommend/matmul?machine=hopper&n=16384&deadline_s=1&objective=nodes&prefer_calibrated=true");
        await page.locator("#recommend-body .job code").getByText(`--nodes=${best.nodes}`).waitFor();

        const { rows } = await api("rank/matmul?machine=hopper&n=16384&processes=64");
        const shown = page.locator("#ranking tbody tr");
        assert.equal(await shown.count(), rows.length);
        await asking(page, "predict", () => shown.nth(1).getByRole("button").first().click());
        assert.equal(new URL(page.url()).searchParams.get("algorithm"), rows[1].algorithm);

        /* The answer follows what is typed, and stands in the address. */
        const before = await shownTime(page);
        await asking(page, "predict", () => entry("n").fill("32k"));
        assert.notEqual(await shownTime(page), before);
        assert.equal(new URL(page.url()).searchParams.get("n"), "32768");
        await entry("n").fill("0");
        await page.locator("#p-n[aria-invalid=true]").waitFor();
        assert.match(await page.locator("#p-n-fault").innerText(), /outside 1 to/);

        await turn(page, `${QUESTION}&what_if.network.bandwidth=*0.01`);
        assert.match(await page.locator(".imaginary").innerText(), /network\.bandwidth/);
        const slower = await shownTime(page);
        await asking(page, "predict", () => page.getByRole("button", { name: "Back to the machine as calibrated" }).click());
        assert.notEqual(await shownTime(page), slower);

        await turn(page, CHART);
        await reader().scrollIntoViewIfNeeded();
        const { x, y, width, height } = await reader().boundingBox();
        await page.mouse.move(x + width / 2, y + height / 2);
        await tip().waitFor();
        assert.match(await tip().innerText(), /^processes (64|256|1,?024)/);
        await page.mouse.move(2, 2);
        await tip().waitFor({ state: "hidden" });
        await reader().focus();
        await page.keyboard.press("End");
        await page.locator("#scaling .tip", { hasText: /^processes\s1,?024/ }).waitFor();
        await asking(page, "predict", () => page.keyboard.press("Enter"));
        assert.equal(new URL(page.url()).searchParams.get("processes"), "1024");

        await turn(page, `${QUESTION}#machine`);
        await page.locator("#machine-body .cards .card, #machine-body .part").first().waitFor();
        await page.locator("#machine-body img").first().scrollIntoViewIfNeeded();
        await page.locator("#machine-body img").first().and(page.locator("[src]")).waitFor();
        assert.ok(await page.locator("#machine-body img").first().evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
        await asking(page, "rank", () => choice("Machine").selectOption("example"));
        assert.match(await page.locator(".restated").innerText(), /on example/);
    });

    it("uploads a matrix, and factorizes it", async () => {
        await visit(`${QUESTION}#matrices`);
        await page.locator("#matrix-upload summary").click();
        await page.locator("#matrix-token").fill(token);
        await page.locator("#matrix-file").setInputFiles({ name: "five.mtx", mimeType: "text/plain", buffer: Buffer.from(MATRIX) });
        await page.locator("#matrix-upload .done").waitFor();
        await page.locator("#matrices-body > .body tbody tr", { hasText: "five" }).locator("td", { hasText: /^ready$/ }).waitFor();
        await turn(page, "model=sparse_lu&machine=example&matrix=five&process_rows=1&process_columns=1");
        assert.match(await shownTime(page), /\d/);
    });

    it("is dark where the system is, with its charts", async () => {
        const { dark, close } = await darkPage();
        try {
            const [chart] = await Promise.all([dark.waitForRequest((each) => each.url().includes("/chart/matmul.svg")), visit(QUESTION, dark)]);
            assert.equal(new URL(chart.url()).searchParams.get("theme"), "dark");
            const ground = await dark.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).slice(0, 3).map(Number));
            assert.ok(Math.max(...ground) < 50, `the ground is ${ground}`);
            assert.deepEqual(dark.troubles(), []);
        } finally {
            await close();
        }
    });

    it("fits a phone, one section at a time", async () => {
        await page.setViewportSize({ width: 390, height: 844 });
        await visit(QUESTION);
        await assertNoOverflow(page);
        for (const section of ["ranking", "scaling", "machine"]) {
            await go(page, section);
            await assertNoOverflow(page);
        }
        await page.goto(`${daemon.url}/api.html#predict/matmul`);
        await page.locator("#command", { hasText: "predict/matmul" }).waitFor();
        await assertNoOverflow(page);
        await page.getByRole("button", { name: "Send", exact: true }).click();
        await page.locator(".answer .status", { hasText: "200" }).waitFor();
        await assertNoOverflow(page);
    });
});
