// The dashboard as a user works with it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { asking, assertNoOverflow, browser, daemon, inEachSection, newPage, page, settled, shownTime, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const QUESTION = "model=matmul&n=16384&processes=64";

let machine;

withPages({}, async () => {
    machine = await serving("matmul");
});

const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();

/** The machine that the page selects: of those that answer the question, the one that serves most models. */
async function serving(model) {
    const names = (await api("machines")).items.map(({ name }) => name);
    const details = await Promise.all(names.map((name) => api(`machines/${name}`)));
    for (const { name, models } of details.sort((one, other) => other.models.length - one.models.length))
        if (models.includes(model) && (await api(`rank/${model}?machine=${name}&n=16384&processes=64`)).rows) return name;
    throw new Error(`no machine answers ${model} for n=16384 and processes=64`);
}

async function visit(query = "") {
    await page.goto(`${daemon.url}/${query && `?${query}`}`);
    await settled(page);
}

/* Controls by their label. */
const choice = (name, on = page) => on.getByRole("combobox", { name, exact: true });
const entry = (name, on = page) => on.getByRole("textbox", { name, exact: true });
const openAll = (on) => on.evaluate(() => {
    for (const details of document.querySelectorAll("details")) details.open = true;
});
const parametersInAddress = () => new URL(page.url()).searchParams;

describe("first visit", () => {
    it("joins warnings that say the same of several patterns", async () => {
        await visit(`${QUESTION}&machine=hopper&algorithm=cannon&variant=2d_ovlp&contention_model=refined`);
        const missing = page.locator("#answer .warnings li", { hasText: "pattern_missing" });
        assert.equal(await missing.count(), 1);
        assert.match(await missing.innerText(), /shift_column, shift_pair, shift_row/);
    });

    it("shows the weightiest warning first, and none on which nothing depends", async () => {
        await visit("model=cholesky&machine=example&variant=2d&n=16384&processes=256&threads=1&blocks_per_process=2");
        const texts = await page.locator("#answer .warnings li").allInnerTexts();
        const place = (words) => texts.findIndex((text) => text.includes(words));
        assert.ok(place("contention.patterns.processes") >= 0, texts.join("\n"));
        assert.ok(place("contention.patterns.processes") < place("contention.maximum.processes"), texts.join("\n"));
        assert.equal(place("does not depend on it"), -1, texts.join("\n"));
    });

    it("shows an answer, and its question in the address", async () => {
        await visit();
        assert.match(await shownTime(page), /^[\d.,]+ (s|ms|µs|min|h)/);
        const query = parametersInAddress();
        assert.equal(query.get("model"), "matmul");
        assert.equal(query.get("machine"), machine);
        assert.equal(query.get("n"), "16384");
        assert.equal(await entry("n").inputValue(), "16384");
        await page.getByText(/^--time=\d\d+:\d\d:00$/).waitFor();
        assert.match(await page.title(), /matmul of order 16,384 on .* · forerun/);
    });

    it("shows the time of the best configuration in the ranking", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        const { rows } = await api(`rank/matmul?machine=${machine}&n=16384&processes=64`);
        const [best] = rows;
        assert.ok(best.time_s > 0);
        const shown = (await shownTime(page)).match(/^([\d.]+) (s|ms|µs)$/);
        assert.ok(shown, "a time below a minute");
        const seconds = Number(shown[1]) * { s: 1, ms: 1e-3, "µs": 1e-6 }[shown[2]];
        assert.ok(Math.abs(seconds / best.time_s - 1) < 5e-3, `${seconds} is not ${best.time_s}`);
        assert.match(await page.locator(".restated").innerText(), new RegExp(`variant ${best.variant}\\b`));
    });

    it("draws the breakdown so that its parts add up to the total", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        const shares = await page.locator(".breakdown tbody td:last-child").allInnerTexts();
        const total = shares.reduce((sum, text) => sum + Number.parseFloat(text), 0);
        assert.ok(Math.abs(total - 100) < 0.5, `the shares add up to ${total} %`);
        const widths = await page.locator(".piece:not(.hidden)").evaluateAll((pieces) => pieces.map((piece) => Number.parseFloat(piece.style.width)));
        assert.ok(Math.abs(widths.reduce((sum, width) => sum + width, 0) - 100) < 0.5);
    });
});

describe("changing the question", () => {
    it("updates the answer during typing", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        const before = await shownTime(page);
        await asking(page, "predict", () => entry("n").fill("32768"));
        assert.notEqual(await shownTime(page), before);
        assert.equal(parametersInAddress().get("n"), "32768");
    });

    it("never replaces a newer answer by an older one", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        /* The first prediction arrives after the second. */
        await page.route(/\/predict\/matmul\?.*n=20000/, async (route) => {
            await new Promise((done) => setTimeout(done, 1200));
            await route.continue().catch(() => {});
        });
        await entry("n").fill("20000");
        await page.waitForRequest(/\/predict\/matmul\?.*n=20000/);
        await asking(page, "predict", () => entry("n").fill("8192"));
        const newer = await shownTime(page);
        await page.waitForTimeout(1500);
        assert.equal(await shownTime(page), newer);
        assert.match(await page.locator(".restated").innerText(), /8,192/);
    });

    it("keeps the size of the run when it is given as nodes instead of processes", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        await asking(page, "predict", () => choice("Size given as").selectOption("cores"));
        assert.equal(parametersInAddress().get("processes"), null);
        assert.equal(parametersInAddress().get("cores"), "64");
        assert.match(await page.locator(".restated").innerText(), /64 processes/);
    });

    it("changes the operation, and returns with the back button", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        await asking(page, "predict/cholesky", () => choice("Operation").selectOption("cholesky"));
        assert.match(await page.locator(".restated").innerText(), /^cholesky/);
        assert.equal(await choice("Algorithm").count(), 0);
        await asking(page, "predict/matmul", () => page.goBack());
        assert.match(await page.locator(".restated").innerText(), /^matmul/);
        assert.equal(await choice("Operation").inputValue(), "matmul");
    });

    it("is reproduced from its address in another browser", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        await asking(page, "predict", () => entry("n").fill("12288"));
        await asking(page, "predict", () => choice("Variant").selectOption("2d"));
        await asking(page, "recommend", () => choice("Objective").selectOption("core_hours"));
        await asking(page, "predict", () => page.getByRole("button", { name: "network.bandwidth" }).click());
        const other = await newPage(browser);
        await other.goto(page.url());
        await settled(other);
        assert.equal(await shownTime(other), await shownTime(page));
        assert.equal(await entry("n", other).inputValue(), "12288");
        assert.equal(await choice("Variant", other).inputValue(), "2d");
        assert.equal(await choice("Objective", other).inputValue(), "core_hours");
        assert.equal(await choice("Calibrated value", other).inputValue(), "network.bandwidth");
        assert.equal(other.url(), page.url());
        assert.deepEqual(other.troubles(), []);
        await other.context().close();
    });
});

describe("faults", () => {
    it("are shown at their field until it is corrected", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
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
    });

    it("without a field are shown in the summary, with a button to drop the parameter", async () => {
        await visit(`machine=${machine}&${QUESTION}&procesess=4`);
        await page.locator("#answer-problem").getByText("procesess").first().waitFor();
        await asking(page, "predict", () => page.locator("#answer").getByRole("button", { name: "Leave out procesess" }).click());
        assert.equal(parametersInAddress().get("procesess"), null);
    });

    it("of an impossible grid are shown at the size of the run", async () => {
        await visit(`machine=${machine}&${QUESTION}&variant=2d&replication=1&blocks_per_process=1&algorithm=cannon`);
        await entry("Size of the run").fill("63");
        await page.locator("#p-processes[aria-invalid=true]").waitFor();
        assert.match(await page.locator("#p-processes-fault").innerText(), /63/);
    });

    it("of an unknown machine are shown at the machine", async () => {
        await visit(`machine=no-such-machine&${QUESTION}`);
        await page.locator("#machine-name[aria-invalid=true]").waitFor();
    });

    it("of a busy daemon offer to try again", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        const busy = { type: "urn:forerun:problem:too-many-requests", title: "Too many requests", status: 429, detail: "This address asks too often; try again in 1 s." };
        await page.route(/\/api\/v1\/(rank|predict)\//, (route) => route.fulfill({ status: 429, contentType: "application/problem+json", headers: { "Retry-After": "1" }, body: JSON.stringify(busy) }));
        await entry("n").fill("4096");
        await page.locator("#answer-problem").getByText("asks too often").waitFor();
        assert.match(await page.locator("#answer-problem").innerText(), /^Too many requests\./);
        await page.unroute(/\/api\/v1\/(rank|predict)\//);
        await asking(page, "predict", () => page.locator("#answer").getByRole("button", { name: "Try again" }).click());
        assert.match(await shownTime(page), /s$/);
        page.troubles().splice(0); /* status 429 */
    });

    it("of a daemon that fails are no absence of a machine, an operation or a calibration", async () => {
        const failed = { title: "Internal error", status: 500, detail: "The store failed." };
        for (const path of [/\/machines\/[\w-]+$/, /\/models\/matmul$/, /\/api\/v1\/fields$/, /\/calibrations\?limit/, /\/api\/v1\/calibrations\/\w+$/]) {
            await page.route(path, (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify(failed) }));
            await page.goto(`${daemon.url}/?machine=${machine}&${QUESTION}`);
            const problem = page.locator("#answer-problem", { hasText: "The store failed." });
            await problem.waitFor();
            assert.match(await problem.innerText(), /^The daemon failed\./);
            await page.unroute(path);
            await problem.getByRole("button", { name: "Try again" }).click();
            await page.locator("#time").waitFor();
        }
        page.troubles().splice(0); /* status 500 */
    });

    it("of a chart alone leave its table, and offer to try again", async () => {
        await page.route(/\/chart\/matmul\.svg/, (route) => route.fulfill({ status: 500, contentType: "application/problem+json", body: JSON.stringify({ title: "Internal error", status: 500, detail: "gnuplot failed." }) }));
        await visit(`machine=${machine}&${QUESTION}`);
        const chart = page.locator("#chart-body");
        await chart.getByText("gnuplot failed.").waitFor();
        assert.equal(await chart.locator("details table").count(), 1);
        await page.unroute(/\/chart\/matmul\.svg/);
        await chart.getByRole("button", { name: "Try again" }).click();
        await chart.locator("img").waitFor();
        page.troubles().splice(0); /* status 500 */
    });

    it("report that the daemon is down, and offer to try again", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        await page.route("**/api/v1/**", (route) => route.abort());
        await entry("n").fill("4096");
        await page.locator("#answer-problem").getByText("cannot be reached").waitFor();
        assert.equal(await page.locator("#time").count(), 0);
        await page.unroute("**/api/v1/**");
        await asking(page, "predict", () => page.locator("#answer").getByRole("button", { name: "Try again" }).click());
        assert.match(await page.locator(".restated").innerText(), /4,096/);
        /* The browser logs the requests that the test aborted. */
        page.troubles().splice(0, Infinity, ...page.troubles().filter((text) => !/ERR_FAILED/.test(text)));
    });
});

describe("ranking", () => {
    it("marks the best configuration, which is first and has the least time", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        const marked = page.locator("#ranking tr.marked");
        assert.equal(await marked.count(), 1);
        assert.match(await marked.innerText(), /best/);
        assert.equal(await page.locator("#ranking tbody tr").first().getAttribute("class"), "marked");
        const { rows } = await api(`rank/matmul?machine=${machine}&n=16384&processes=64`);
        assert.equal(await page.locator("#ranking tbody tr").count(), Math.min(rows.length, 200));
        assert.match(await marked.innerText(), new RegExp(`\\b${rows[0].variant}\\b`));
    });

    it("sorts by a column, and keeps the order in the address", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        await page.locator("#ranking").getByRole("button", { name: /^Time/ }).click();
        await page.locator("#ranking").getByRole("button", { name: /^Time/ }).click();
        assert.equal(await page.locator("#ranking th[aria-sort=descending]").count(), 1);
        assert.notEqual(await page.locator("#ranking tbody tr").first().getAttribute("class"), "marked");
        assert.equal(parametersInAddress().get("sort"), "-time_s");
    });

    it("copies a row to the form", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        const { rows } = await api(`rank/matmul?machine=${machine}&n=16384&processes=64`);
        await asking(page, "predict", () => page.getByRole("button", { name: "Use the configuration of rank 2" }).click());
        assert.equal(await choice("Variant").inputValue(), rows[1].variant);
        assert.equal(await entry("Replication").inputValue(), String(rows[1].replication));
    });

    it("can be downloaded as CSV", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name: "Ranking as CSV" }).click()]);
        const text = await readFile(await download.path(), "utf8");
        const [head, first] = text.split("\r\n");
        assert.ok(head.split(",").includes("time_s"), head);
        assert.equal(first.split(",").length, head.split(",").length);
    });
});

describe("recommendation", () => {
    it("gives the best number of nodes within a limit", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        await page.locator("#goal-form").getByText("More limits").click();
        await asking(page, "recommend", () => entry("At most").fill("16"));
        const answer = await api(`recommend/matmul?machine=${machine}&n=16384&objective=knee&prefer_calibrated=true&max_nodes=16`);
        assert.ok(answer.best.nodes <= 16);
        const marked = page.locator("#recommend tr.marked");
        assert.equal(await marked.count(), 1);
        assert.match(await marked.innerText(), new RegExp(`^${answer.best.nodes}\\b`));
    });

    it("says at the deadline that no configuration meets it", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        await entry("Deadline").fill("1e-9");
        await page.locator("#goal-deadline_s[aria-invalid=true]").waitFor();
        assert.notEqual(await page.locator("#goal-deadline_s-fault").innerText(), "");
        assert.equal(await page.locator("#time").count(), 1, "the answer is kept");
    });
});

describe("accessibility", () => {
    it("works with the keyboard only", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        await page.keyboard.press("Tab");
        assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
        await page.keyboard.press("Enter");
        assert.equal(await page.evaluate(() => document.activeElement.id), "answer");
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
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notEqual(outline, "none", "the focus is visible");
    });

    it("announces the answer to screen readers", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        assert.match(await page.locator("#live").textContent(), /^Predicted time/);
    });

    for (const colorScheme of ["light", "dark"]) {
        for (const query of ["", "&n=x&what_if.network.bandwidth=*2", "&what_if.network.bandwidth=*2"]) {
            it(`has no accessibility fault that axe finds (${colorScheme}${query})`, async () => {
                const other = await newPage(browser, { colorScheme, bypassCSP: true, reducedMotion: "reduce" });
                await other.goto(`${daemon.url}/?machine=${machine}&${QUESTION.replace("n=16384&", query.includes("n=x") ? "" : "n=16384&")}${query}`);
                await settled(other);
                await openAll(other);
                await other.evaluate(await readFile(axe, "utf8"));
                const { violations } = await other.evaluate(() => window.axe.run());
                assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ") + " " + n.failureSummary).join("; ")}`), []);
                await other.context().close();
            });
        }
    }

    it("has no such fault in the first view, and fits a narrow screen", async () => {
        const other = await newPage(browser, { viewport: { width: 360, height: 800 }, bypassCSP: true, reducedMotion: "reduce" });
        await other.goto(daemon.url);
        await settled(other);
        await other.locator("#doors li").nth(4).waitFor();
        await assertNoOverflow(other);
        await other.evaluate(await readFile(axe, "utf8"));
        const { violations } = await other.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ")).join("; ")}`), []);
        await other.context().close();
    });

    for (const width of [360, 768, 1280]) {
        it(`fits a screen of ${width} pixels`, async () => {
            await page.setViewportSize({ width, height: 800 });
            await visit(`machine=${machine}&${QUESTION}&threads=2&what_if.network.bandwidth=*2`);
            await openAll(page);
            await inEachSection(page, () => assertNoOverflow(page));
        });
    }

    it("follows the color scheme of the system, with charts on its ground", async () => {
        const ground = async (colorScheme) => {
            await page.emulateMedia({ colorScheme });
            await visit(`machine=${machine}&${QUESTION}`);
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

describe("markup", () => {
    it("in the question is shown as text", async () => {
        await visit(`machine=${machine}&${QUESTION}&%3Cimg%20src=x%20onerror=alert(1)%3E=1`);
        assert.equal(await page.locator("#answer img").count(), 0);
        await page.locator("#answer-problem").getByText("<img src", { exact: false }).first().waitFor();
    });

    it("carries no inline script or style", async () => {
        const html = await (await fetch(`${daemon.url}/`)).text();
        assert.doesNotMatch(html, /\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)/);
        const response = await fetch(`${daemon.url}/`);
        assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'self'/);
    });
});

describe("the command line", () => {
    it("has the question of the page", async () => {
        await visit(`machine=${machine}&${QUESTION}`);
        const line = await page.locator("#request code").innerText();
        const url = line.match(/^curl -fsS '(http[^']+)'$/)?.[1];
        assert.ok(url, line);
        const prediction = await (await fetch(url)).json();
        const { rows } = await api(`rank/matmul?machine=${machine}&n=16384&processes=64`);
        assert.equal(prediction.time_s, rows[0].time_s);
    });
});
