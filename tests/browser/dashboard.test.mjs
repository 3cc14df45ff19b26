// The dashboard as a user works with it.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asking, assertAccessible, assertNoOverflow, daemon, downloaded, inEachSection, page, reopen, settled, shownTime, turn, withPages } from "./browser.mjs";
import { api, choice, entry, visit } from "./visit.mjs";

const QUESTION = "model=matmul&n=8192&processes=64";

let machine;

withPages({}, async () => { machine = await serving("matmul"); });

/** The machine that the page selects: of those that answer the question, the one that serves most models. */
async function serving(model) {
    const names = (await api("machines")).items.map(({ name }) => name);
    const details = await Promise.all(names.map((name) => api(`machines/${name}`)));
    for (const { name, models } of details.sort((one, other) => other.models.length - one.models.length))
        if (models.includes(model) && (await api(`rank/${model}?machine=${name}&n=8192&processes=64`)).rows) return name;
    throw new Error(`no machine answers ${model} for n=8192 and processes=64`);
}

const visitIt = (more = "") => visit(`machine=${machine}&${QUESTION}${more}`);
const ranked = () => api(`rank/matmul?machine=${machine}&n=8192&processes=64`);
const openAll = () => page.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
});
const parametersInAddress = () => new URL(page.url()).searchParams;
const problem = () => page.locator("#answer-problem");
const tryAgain = (on) => on.getByRole("button", { name: "Try again" });

/** Answers these requests with a problem, which the browser logs. */
async function refuse(path, status, body, headers = {}) {
    await page.route(path, (route) => route.fulfill({ status, contentType: "application/problem+json", headers, body: JSON.stringify({ status, ...body }) }));
    return { end: () => page.unroute(path) };
}
const forgive = (status) => page.troubles().splice(0, Infinity, ...page.troubles().filter((text) => !text.includes(status)));

describe("a first visit", () => {
    it("shows an answer with its ranking and breakdown, and its question in the address and for a shell", async () => {
        await page.setViewportSize({ width: 360, height: 800 });
        await visit("");
        await page.locator("#doors li").nth(4).waitFor();
        await assertNoOverflow(page);
        await page.setViewportSize({ width: 1280, height: 900 });
        await assertAccessible(page, ".top, #doors");

        const query = parametersInAddress();
        assert.deepEqual(["model", "machine", "n", "processes"].map((name) => query.get(name)), ["matmul", machine, "8192", "64"]);
        assert.equal(await entry("n").inputValue(), "8192");
        await page.getByText(/^--time=\d\d+:\d\d:00$/).waitFor();
        assert.match(await page.title(), /matmul of order 8,192 on .* · forerun/);
        assert.match(await page.locator("#live").textContent(), /^Predicted time/, "screen readers say it");

        const { rows } = await ranked(), [best] = rows;
        assert.ok(best.time_s > 0);
        const shown = (await shownTime(page)).match(/^([\d.]+) (s|ms|µs)$/);
        assert.ok(shown, "a time below a minute");
        const seconds = Number(shown[1]) * { s: 1, ms: 1e-3, "µs": 1e-6 }[shown[2]];
        assert.ok(Math.abs(seconds / best.time_s - 1) < 5e-3, `${seconds} is not ${best.time_s}`);
        assert.match(await page.locator(".restated").innerText(), new RegExp(`variant ${best.variant}\\b`));

        const shares = await page.locator(".breakdown tbody td:last-child").allInnerTexts();
        const total = shares.reduce((sum, text) => sum + Number.parseFloat(text), 0);
        assert.ok(Math.abs(total - 100) < 0.5, `the shares add up to ${total} %`);
        const widths = await page.locator(".piece:not(.hidden)").evaluateAll((pieces) => pieces.map((piece) => Number.parseFloat(piece.style.width)));
        assert.ok(Math.abs(widths.reduce((sum, width) => sum + width, 0) - 100) < 0.5);

        const marked = page.locator("#ranking tr.marked");
        assert.equal(await marked.count(), 1);
        assert.match(await marked.innerText(), /best/);
        assert.equal(await page.locator("#ranking tbody tr").first().getAttribute("class"), "marked");
        assert.equal(await page.locator("#ranking tbody tr").count(), Math.min(rows.length, 200));
        assert.match(await marked.innerText(), new RegExp(`\\b${best.variant}\\b`));

        const line = await page.locator("#request code").innerText();
        const url = line.match(/^curl -fsS '(http[^']+)'$/)?.[1];
        assert.ok(url, line);
        assert.equal((await (await fetch(url)).json()).time_s, best.time_s);

        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Ranking as CSV" }).click()]);
        const [head, first] = (await downloaded(download)).split("\r\n");
        assert.ok(head.split(",").includes("time_s"), head);
        assert.equal(first.split(",").length, head.split(",").length);
    });
});

describe("changing the question", () => {
    it("never replaces a newer answer by an older one, keeps the size of the run in other words, and is undone by the back button", async () => {
        await visitIt();
        let let20000Go;
        const isNewer = new Promise((done) => { let20000Go = done; });
        await page.route(/\/predict\/matmul\?.*n=20000/, async (route) => {
            await isNewer;
            await route.continue().catch(() => {}); /* it is aborted */
        });
        const ends = ["requestfinished", "requestfailed"].map((event) => page.waitForEvent(event, (request) => /\/predict\/matmul\?.*n=20000/.test(request.url())));
        await entry("n").fill("20000");
        await page.waitForRequest(/\/predict\/matmul\?.*n=20000/);
        await asking(page, "predict", () => entry("n").fill("8192"));
        const newer = await shownTime(page);
        let20000Go();
        await Promise.any(ends);
        for (const end of ends) end.catch(() => {});
        await page.evaluate(() => fetch("healthz")); /* what came before is shown */
        await settled(page);
        assert.equal(await shownTime(page), newer);
        assert.match(await page.locator(".restated").innerText(), /8,192/);

        await asking(page, "predict", () => choice("Size given as").selectOption("cores"));
        assert.equal(parametersInAddress().get("processes"), null);
        assert.equal(parametersInAddress().get("cores"), "64");
        assert.match(await page.locator(".restated").innerText(), /64 processes/);

        await asking(page, "predict/cholesky", () => choice("Operation").selectOption("cholesky"));
        assert.match(await page.locator(".restated").innerText(), /^cholesky/);
        assert.equal(await choice("Algorithm").count(), 0);
        await asking(page, "predict/matmul", () => page.goBack());
        assert.match(await page.locator(".restated").innerText(), /^matmul/);
        assert.equal(await choice("Operation").inputValue(), "matmul");
    });

    it("is reproduced from its address in another browser, where the keyboard alone changes it", async () => {
        await visitIt();
        await asking(page, "predict", () => entry("n").fill("12288"));
        await asking(page, "predict", () => choice("Variant").selectOption("2d"));
        await asking(page, "recommend", () => choice("Objective").selectOption("core_hours"));
        await asking(page, "predict", () => page.getByRole("button", { name: "network.bandwidth" }).click());
        const time = await shownTime(page), address = page.url();
        await reopen();
        assert.equal(await shownTime(page), time);
        assert.equal(await entry("n").inputValue(), "12288");
        assert.equal(await choice("Variant").inputValue(), "2d");
        assert.equal(await choice("Objective").inputValue(), "core_hours");
        assert.equal(await choice("Calibrated value").inputValue(), "network.bandwidth");
        assert.equal(page.url(), address);

        /* The keyboard alone is enough. */
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
        await page.keyboard.press("Enter");
        await page.locator("#answer:focus").waitFor();
        await choice("Machine").focus();
        const reached = [];
        for (let i = 0; i < 4; i++) {
            await page.keyboard.press("Tab");
            reached.push(await page.evaluate(() => document.activeElement.id || document.activeElement.getAttribute("aria-label")));
        }
        assert.ok(reached.includes("p-n") && reached.includes("model-name") && reached.includes("p-processes"), reached.join(", "));
        const before = await shownTime(page);
        await page.locator("#p-n").focus();
        await page.keyboard.press("Control+A");
        await asking(page, "predict", () => page.keyboard.type("30000"));
        assert.notEqual(await shownTime(page), before);
        assert.equal(parametersInAddress().get("n"), "30000");
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notEqual(outline, "none", "the focus is visible");
    });

    it("takes a row of the ranking, whose order is in the address, and limits of the recommendation", async () => {
        await visitIt();
        const byTime = page.locator("#ranking").getByRole("button", { name: /^Time/ });
        await byTime.click();
        await byTime.click();
        assert.equal(await page.locator("#ranking th[aria-sort=descending]").count(), 1);
        assert.notEqual(await page.locator("#ranking tbody tr").first().getAttribute("class"), "marked");
        assert.equal(parametersInAddress().get("sort"), "-time_s");

        await page.locator("#goal-form").getByText("More limits").click();
        await asking(page, "recommend", () => entry("At most").fill("16"));
        const answer = await api(`recommend/matmul?machine=${machine}&n=8192&objective=knee&prefer_calibrated=true&max_nodes=16`);
        assert.ok(answer.best.nodes <= 16);
        const marked = page.locator("#recommend tr.marked");
        assert.equal(await marked.count(), 1);
        assert.match(await marked.innerText(), new RegExp(`^${answer.best.nodes}\\b`));

        await entry("Deadline").fill("1e-9");
        await page.locator("#goal-deadline_s[aria-invalid=true]").waitFor();
        assert.notEqual(await page.locator("#goal-deadline_s-fault").innerText(), "");
        assert.equal(await page.locator("#time").count(), 1, "the answer is kept");

        const { rows } = await ranked();
        await asking(page, "predict", () => page.getByRole("button", { name: "Use the configuration of rank 2" }).click());
        assert.equal(await choice("Variant").inputValue(), rows[1].variant);
        assert.equal(await entry("Replication").inputValue(), String(rows[1].replication));
    });
});

describe("faults", () => {
    it("are shown at their field until it is corrected, or in the summary as text, with a button to drop the parameter", async () => {
        await visit("model=matmul&n=8192&processes=64&machine=hopper&algorithm=cannon&variant=2d_ovlp&contention_model=refined");
        const missing = page.locator("#answer .warnings li", { hasText: "pattern_missing" });
        assert.equal(await missing.count(), 1, "of several patterns");
        assert.match(await missing.innerText(), /shift_column, shift_pair, shift_row/);

        const n = entry("n");
        await n.fill("many");
        await page.locator("#p-n[aria-invalid=true]").waitFor();
        const described = (await n.getAttribute("aria-describedby")).split(" ");
        const texts = await Promise.all(described.map((id) => page.locator(`#${id}`).innerText()));
        assert.ok(texts.some((text) => /many/.test(text)), "the message is bound to the field");
        assert.equal(await page.locator("#time").count(), 0, "no old answer beside the fault");
        await asking(page, "predict", () => n.fill("1e4"));
        assert.equal(await n.getAttribute("aria-invalid"), null);
        assert.equal(await page.locator("#p-n-fault").isVisible(), false);

        await entry("Size of the run").fill("63"); /* no square grid */
        await page.locator("#p-processes[aria-invalid=true]").waitFor();
        assert.match(await page.locator("#p-processes-fault").innerText(), /63/);

        await turn(page, `machine=no-such-machine&${QUESTION}`);
        await page.locator("#machine-name[aria-invalid=true]").waitFor();

        await turn(page, `machine=${machine}&${QUESTION}&procesess=4&%3Cimg%20src=x%20onerror=alert(1)%3E=1`);
        assert.equal(await page.locator("#answer img").count(), 0);
        await problem().getByText("<img src").first().waitFor();
        await problem().getByText("procesess").first().waitFor();
        const leaveOut = (name) => page.locator("#answer").getByRole("button", { name: `Leave out ${name}` });
        await leaveOut("procesess").click();
        await leaveOut("procesess").waitFor({ state: "detached" });
        assert.equal(parametersInAddress().get("procesess"), null);
        await asking(page, "predict", () => leaveOut("<img").click());
    });

    it("of a busy daemon, one that is down and one that fails to draw offer to try again", async () => {
        const failed = await refuse(/\/chart\/matmul\.svg/, 500, { title: "Internal error", detail: "gnuplot failed." });
        await visitIt();
        const chart = page.locator("#chart-body");
        await chart.getByText("gnuplot failed.").waitFor();
        await chart.getByText("The numbers as a table").click();
        await chart.locator("details table").waitFor();
        await failed.end();
        await tryAgain(chart).click();
        await chart.locator("img").waitFor();
        forgive(500);

        const busy = await refuse(/\/api\/v1\/(rank|predict)\//, 429,
            { type: "urn:forerun:problem:too-many-requests", title: "Too many requests", detail: "This address asks too often; try again in 1 s." }, { "Retry-After": "1" });
        await entry("n").fill("4096");
        await problem().getByText("asks too often").first().waitFor();
        assert.match(await problem().innerText(), /^Too many requests\./);
        await busy.end();
        await asking(page, "predict", () => tryAgain(problem()).click());
        assert.match(await shownTime(page), /s$/);
        forgive(429);

        await page.route("**/api/v1/**", (route) => route.abort());
        await entry("n").fill("2048");
        await problem().getByText("cannot be reached").first().waitFor();
        assert.equal(await page.locator("#time").count(), 0);
        await page.unroute("**/api/v1/**");
        await asking(page, "predict", () => tryAgain(problem()).click());
        assert.match(await page.locator(".restated").innerText(), /2,048/);
        forgive("ERR_FAILED");
    });

    it("of a daemon that fails are no absence of a machine, an operation or a calibration", async () => {
        for (const paths of [[/\/models\/matmul$/, /\/machines\/[\w-]+$/, /\/api\/v1\/calibrations\/\w+$/, /\/calibrations\?limit/], [/\/api\/v1\/fields$/]]) {
            let act = () => page.goto(`${daemon.url}/?machine=${machine}&${QUESTION}`);
            for (const [i, path] of paths.entries()) {
                const failed = await refuse(path, 500, { title: "Internal error", detail: `The store failed: ${i}.` });
                await act();
                await problem().getByText(`The store failed: ${i}.`).first().waitFor();
                assert.match(await problem().innerText(), /^The daemon failed\./);
                await failed.end();
                act = () => tryAgain(problem()).click();
            }
            await act();
            await page.locator("#time").waitFor();
        }
        forgive(500);
    });
});

describe("the page", () => {
    it("fits every screen, follows the color scheme of the system, and has no accessibility fault that axe finds", async () => {
        for (const [width, n] of [[360, 16000], [1280, 8192]]) { /* blocked.test.mjs has the width between them */
            await page.setViewportSize({ width, height: 800 });
            /* Charts as large as the screen; axe takes long for many rows. */
            await visit(`machine=${machine}&${QUESTION.replace("8192", n)}&threads=2&algorithm=cannon&what_if.network.bandwidth=*2`);
            await openAll();
            await inEachSection(page, () => assertNoOverflow(page));
        }
        await assertAccessible(page);

        const ground = async (colorScheme) => {
            await page.emulateMedia({ colorScheme });
            return page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.querySelector(".paper")).backgroundColor]);
        };
        const [light, lightPaper] = await ground("light");
        const [dark, darkPaper] = await ground("dark");
        const sum = (color) => color.match(/\d+/g).slice(0, 3).reduce((total, part) => total + Number(part), 0);
        assert.ok(sum(light) > 600 && sum(dark) < 150, `${light} and ${dark}`);
        assert.equal(lightPaper, "rgb(255, 255, 255)");
        assert.equal(darkPaper, dark);
    });
});
