// The address of the page: every choice is in it, a copied link keeps its calibration, Back undoes the last edit.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { document as calibration } from "../api/golden_blocked.mjs";
import { root } from "../daemon.mjs";
import { asking, assertNoOverflow, browser, daemon, newPage, page, settled, shownTime, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const QUESTION = "model=matmul&machine=hopper&n=16384&processes=64";
const KERNELS = "model=trinv&machine=paper&n=500";
const FIVE = `%%MatrixMarket matrix coordinate real general\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}2 1 -1\n1 2 -1\n5 4 -1\n4 5 -1\n`;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="760" height="440"><rect width="760" height="440" fill="#eee"/></svg>';

let token;
const ids = []; /* of the calibrations of hopper, the newest first */

const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();

async function send(path, body, type = "application/json") {
    const response = await fetch(`${daemon.url}/api/v1/${path}`, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body), headers: { "Content-Type": type, Authorization: `Bearer ${token}` } });
    assert.ok(response.ok, await response.clone().text());
    return response.json();
}

/** A newer calibration of hopper, whose kernels are slower. */
async function recalibrate() {
    const document = await api(`calibrations/${(await api("machines/hopper")).calibration}`);
    for (const row of document.kernels.dgemm.square) row.efficiency_fraction *= 0.8;
    ids.unshift((await send("machines/hopper/calibrations", document)).id);
}

withPages({ args: ["--analyze-program", `${root}/tests/fake-analyze.sh`] }, async () => {
    token = await daemon.token("write");
    ids.push((await api("machines/hopper")).calibration);
    await recalibrate();
    await recalibrate();
    await send("machines/paper/calibrations", calibration("paper"));
    await send("machines/hopper/runs", Array.from({ length: 45 }, (_, i) => ({ model: i % 2 ? "matmul" : "cholesky", time_s: 10 + i / 100,
        parameters: { variant: "2d", n: 32768, processes: 1024, threads: 6, ...(i % 2 ? { algorithm: "cannon" } : { blocks_per_process: 1 }) } })));
    await send("matrices?name=five&orderings=amd", FIVE, "application/octet-stream");
    for (let status; status !== "ready";) ({ status } = await api("matrices/five"));
});

const entry = (name, on = page) => on.getByRole("textbox", { name, exact: true });
const choice = (name, on = page) => on.getByRole("combobox", { name, exact: true });
const inAddress = (name) => new URL(page.url()).searchParams.get(name);
const notes = () => page.locator("#notes").innerText().then((text) => text.replaceAll("\u00a0", " "));

async function visit(query = QUESTION, on = page) {
    await on.goto(`${daemon.url}/?${query}`);
    await settled(on);
}

/** Holds requests until release(); `asked`: the first has come. */
function holding(url) {
    const hold = {};
    hold.asked = new Promise((begun) => { hold.begun = begun; });
    const released = new Promise((release) => { hold.release = release; });
    page.route(url, async (route) => {
        hold.begun();
        await released;
        await route.continue();
    });
    return hold;
}

describe("Back", () => {
    it("undoes the last edit, of which a burst of typing is one; Forward does it again", async () => {
        await visit();
        const first = await shownTime(page), before = await page.evaluate(() => history.length);
        for (const digit of ["8192", "8191", "4095", "4096"]) await asking(page, "predict", () => entry("n").fill(digit));
        await asking(page, "predict", () => choice("Variant").selectOption("2d"));
        const last = await shownTime(page);
        assert.equal(await page.evaluate(() => history.length), before + 2);
        await asking(page, "predict", () => page.goBack());
        assert.deepEqual([await entry("n").inputValue(), await choice("Variant").inputValue(), inAddress("n")], ["4096", "", "4096"]);
        await asking(page, "predict", () => page.goBack());
        assert.equal(await entry("n").inputValue(), "16384");
        assert.equal(await shownTime(page), first);
        await asking(page, "predict", () => page.goForward());
        await asking(page, "predict", () => page.goForward());
        assert.deepEqual([await entry("n").inputValue(), await choice("Variant").inputValue()], ["4096", "2d"]);
        assert.equal(await shownTime(page), last);
    });

    it("takes a field that was left, and Enter, for the end of an edit", async () => {
        await visit();
        await asking(page, "predict", () => entry("n").fill("8192"));
        await entry("n").press("Enter");
        await asking(page, "predict", () => entry("n").fill("4096"));
        await entry("n").press("Tab");
        await entry("n").focus();
        await asking(page, "predict", () => entry("n").fill("2048"));
        for (const n of ["4096", "8192", "16384"]) {
            await asking(page, "predict", () => page.goBack());
            assert.equal(await entry("n").inputValue(), n);
        }
        assert.equal(await page.evaluate(() => document.activeElement.id), "p-n", "the field keeps the focus");
    });

    it("keeps edits of two fields apart that follow each other at once", async () => {
        await visit();
        const before = await page.evaluate(() => history.length);
        await asking(page, "predict", () => page.evaluate(() => {
            for (const [id, value] of [["p-n", "8192"], ["p-processes", "256"]]) {
                const field = document.getElementById(id);
                field.value = value;
                field.dispatchEvent(new Event("input", { bubbles: true }));
            }
        }));
        assert.equal(await page.evaluate(() => history.length), before + 2);
        await asking(page, "predict", () => page.goBack());
        assert.deepEqual([await entry("n").inputValue(), await entry("Size of the run").inputValue()], ["8192", "64"]);
    });

    it("restores goal, chart, what-ifs, sorting and section", async () => {
        await visit();
        await page.locator('.top nav a[href="#ranking"]').click();
        await page.locator("#ranking").getByRole("button", { name: "Time s" }).click();
        await asking(page, "recommend", () => entry("Deadline").fill("20 min"));
        await asking(page, "sweep", () => choice("Chart type").selectOption("map"));
        await asking(page, "predict", () => page.getByRole("button", { name: "network.latency" }).click());
        await asking(page, "predict", () => page.goBack());
        assert.equal(await page.locator(".change").count(), 0);
        await asking(page, "sweep", () => page.goBack());
        assert.equal(await choice("Chart type").inputValue(), "lines");
        await asking(page, "recommend", () => page.goBack());
        assert.equal(await entry("Deadline").inputValue(), "");
        assert.equal(await page.locator("#ranking [aria-sort]").getAttribute("aria-sort"), "ascending");
        await asking(page, "rank", () => page.goBack());
        assert.equal(await page.locator("#ranking [aria-sort]").count(), 0);
        assert.equal(new URL(page.url()).hash, "#ranking");
        await page.goBack();
        assert.equal(new URL(page.url()).hash, "");
        assert.equal(await entry("n").inputValue(), "16384");
    });
});

describe("the copied link", () => {
    it("pins the calibration of the answer, and the page says when another is newer", async () => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await visit();
        await asking(page, "predict", () => choice("Variant").selectOption("2d"));
        const time = await shownTime(page), [pinned] = ids;
        await page.getByRole("button", { name: "Copy link" }).click();
        const link = await page.evaluate(() => navigator.clipboard.readText());
        assert.equal(new URL(link).searchParams.get("calibration"), pinned);
        assert.equal(inAddress("calibration"), null, "the page itself stays with the newest");
        await recalibrate();
        await page.goto(link);
        await settled(page);
        assert.equal(await shownTime(page), time);
        assert.match(await notes(), new RegExp(`^The answers below are of the calibration ${pinned.slice(0, 8)} \\(.+\\), which the address pins\\. The newest of hopper is ${ids[0].slice(0, 8)} \\(.+\\)\\.`));
        await asking(page, "predict", () => page.getByRole("button", { name: "Use the newest" }).click());
        assert.notEqual(await shownTime(page), time);
        assert.equal(await notes(), "");
        await asking(page, "predict", () => page.goBack());
        assert.equal(await shownTime(page), time);
        assert.match(await notes(), /Use the newest$/);
    });

    it("does not pin the calibration of the machine that was asked before", async () => {
        await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        await visit();
        const hold = holding(/\/api\/v1\/machines\/paper$/);
        await choice("Machine").selectOption("paper");
        await hold.asked;
        await page.getByRole("button", { name: "Copy link" }).click();
        const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
        assert.deepEqual(["machine", "calibration"].map((name) => link.searchParams.get(name)), ["paper", null]);
        hold.release();
        await page.locator("#machine-body .lead", { hasText: "paper" }).waitFor();
        await settled(page);
    });

    it("of a calibration that was deleted says so, and leads to the newest", async () => {
        await visit(`${QUESTION}&calibration=0123456789abcdef`);
        assert.match(await notes(), /^The address pins calibration 01234567, which is not stored for this machine\. The newest of /);
        await asking(page, "predict", () => page.getByRole("button", { name: "Use the newest" }).click());
        await page.locator("#time").waitFor();
    });
});

/** Opens the address of the page in another browser. */
async function elsewhere(test, { url = page.url(), ...options } = {}) {
    const other = await newPage(browser, options);
    try {
        await mocked(other);
        await other.goto(url);
        await settled(other);
        await test(other);
        assert.deepEqual(other.troubles(), []);
    } finally {
        await other.context().close();
    }
}

/* Charts of kernels, without gnuplot; returns the queries. */
async function mocked(on = page) {
    const asked = [];
    await on.route(/\/chart\/(regions|routine|convergence)\.svg/, (route) => {
        asked.push(new URL(route.request().url()));
        return route.fulfill({ contentType: "image/svg+xml", body: SVG });
    });
    return asked;
}

describe("the address has", () => {
    it("the kernel, its sizes and what it is compared with", async () => {
        await mocked();
        await visit(`${KERNELS}#machine`);
        await page.locator(".kernel-charts").scrollIntoViewIfNeeded();
        await choice("Kernel").selectOption({ label: "dtrmm RLNN, operands in the cache, 1 thread" });
        await choice("Drawn over").selectOption("n");
        await entry("Size m").fill("256");
        await choice("Compare with").selectOption(ids[0]);
        await page.waitForURL(/kernel\.with/);
        assert.deepEqual(["kernel.model", "kernel.x", "kernel.m", "kernel.with"].map(inAddress), ["dtrmm RLNN in_cache 1", "n", "256", ids[0]]);
        await elsewhere(async (other) => {
            await other.locator(".kernel-charts").scrollIntoViewIfNeeded();
            await choice("Compare with", other).waitFor();
            const shown = [await choice("Kernel", other).locator("option:checked").innerText(), await choice("Drawn over", other).inputValue(),
                await entry("Size m", other).inputValue(), await choice("Compare with", other).inputValue()];
            assert.deepEqual(shown, ["dtrmm RLNN, operands in the cache, 1 thread", "n", "256", ids[0]]);
            assert.equal(await other.locator("#notes").innerText(), "");
        });
    });

    it("the calibrations that are compared, the operation and the page of the runs", async () => {
        await visit(`${QUESTION}#machine`);
        await page.locator("#comparison").scrollIntoViewIfNeeded();
        await choice("Before").selectOption(ids[2]);
        await choice("After").selectOption(ids[0]);
        await page.locator("#runs").scrollIntoViewIfNeeded();
        await page.locator("#runs").getByRole("button", { name: "Older" }).click();
        await page.locator("#runs", { hasText: "21 to 40" }).waitFor();
        assert.deepEqual(["compare.from", "compare.to", "runs.page"].map(inAddress), [ids[2], ids[0], "2"]);
        await elsewhere(async (other) => {
            assert.deepEqual([await choice("Before", other).inputValue(), await choice("After", other).inputValue()], [ids[2], ids[0]]);
            await other.locator("#runs").scrollIntoViewIfNeeded();
            await other.locator("#runs", { hasText: "21 to 40" }).waitFor();
        });
        await choice("Runs of").selectOption("cholesky");
        await page.locator("#runs", { hasText: "1 to 20" }).waitFor();
        assert.deepEqual([inAddress("runs.model"), inAddress("runs.page")], ["cholesky", null]);
        await page.goBack();
        await page.locator("#runs", { hasText: "21 to 40" }).waitFor();
        await page.goBack();
        await page.locator("#runs", { hasText: "1 to 20" }).waitFor();
        assert.equal(await choice("Runs of").inputValue(), "");
    });

    it("the page of the runs, which is listed where it is tried again", async () => {
        let isDown = true;
        await page.route(/\/runs\?/, (route) => (isDown ? route.fulfill({ body: "no answer" }) : route.continue()));
        await visit(`${QUESTION}&runs.page=2#runs`);
        const again = page.locator("#runs").getByRole("button", { name: "Try again" });
        await again.waitFor();
        isDown = false;
        await again.click();
        await page.locator("#runs", { hasText: "21 to 40" }).waitFor();
    });

    it("a section, or a part of one, to which the page scrolls", async () => {
        for (const hash of ["#scaling", "#forecast", "#matrices", "#comparison"]) {
            await page.goto("about:blank");
            await visit(`${QUESTION}${hash}`);
            const { top, height } = await page.evaluate((id) => ({ top: document.querySelector(id).getBoundingClientRect().top, height: window.innerHeight }), hash);
            assert.ok(top < height && top > -height, `${hash} is at ${top} of ${height}`); /* charts above may still grow */
        }
    });

    it("how a matrix is divided, and whose messages are shown", async () => {
        await visit(`${QUESTION}&shown=five#matrices`);
        await entry("Processes").fill("1,2");
        await page.getByRole("button", { name: "Divide", exact: true }).click();
        for (const processes of [1, 2]) await page.getByRole("button", { name: `Who talks to whom: ${processes} processes, contiguous` }).click();
        assert.deepEqual(["partitions.processes", "partitions.by", "partitions.messages"].map(inAddress), ["1,2", "contiguous", "contiguous 2"]);
        await elsewhere(async (other) => {
            await other.getByRole("button", { name: "Who talks to whom: 2 processes, contiguous", pressed: true }).waitFor();
            assert.equal(await entry("Processes", other).inputValue(), "1,2");
        });
        await page.goBack();
        await page.getByRole("button", { name: "Who talks to whom: 1 processes, contiguous", pressed: true }).waitFor();
    });
});

describe("a link that asks for what is not there", () => {
    for (const [query, told] of [
        [`${QUESTION}&chart.color=red`, /^chart\.color in the address is not known to this page, and is left out\.$/],
        [`${QUESTION}&chart.color=red&chart.hue=7`, /^chart\.color, chart\.hue in the address are not known to this page, and are left out\.$/],
        [`${QUESTION}&chart.x=voltage`, /^chart\.x=voltage in the address is not shown: matmul has no such parameter\.$/],
        [`${QUESTION}&chart.hidden=3d`, /^chart\.hidden=3d in the address is not shown: the chart does not have all of these lines\.$/],
        [`${QUESTION}&sort=-beauty`, /^sort=-beauty in the address is not shown: the table has no such column\.$/],
        [`${QUESTION}&shown=six`, /^shown=six in the address is not shown: there is no such matrix\.$/],
        [`${QUESTION}&compare.from=0123456789abcdef`, /^compare\.from=0123456789abcdef .+: the machine has no such calibration\.$/],
        [`${QUESTION}&runs.page=3&runs.model=cholesky#runs`, /^runs\.page=3 .+: there is no such page of runs\.$/],
        [`${QUESTION}&runs.page=9#runs`, /^runs\.page=9 .+: there is no such page of runs\.$/],
        [`${QUESTION}&kernel.model=dgemm`, /^kernel\.model=dgemm .+: the calibration has no models of kernels\.$/],
        [`${KERNELS}&kernel.model=dnone&kernel.x=q`, /^kernel\.model=dnone .+: the calibration has no such model of a kernel\.\nkernel\.x=q .+: the kernel has no such size\.$/],
        [`${QUESTION}&partitions.messages=metis+7&partitions.by=hand`, /^partitions\.by=hand .+\npartitions\.messages=metis 7 .+: the matrix has no such partition\.$/],
        [`${KERNELS}&runs.page=2&compare.to=0123456789abcdef`, /^compare\.to=0123456789abcdef .+: the machine has only one calibration\.\nruns\.page=2 .+: the machine has no saved runs\.$/],
    ]) it(`says so: ${query.slice(query.lastIndexOf("&") + 1)}`, async () => {
        await visit(query);
        await page.locator("#notes p").nth(told.source.includes("\\n") ? 1 : 0).waitFor();
        assert.match((await notes()).replaceAll(/\n+/g, "\n"), told);
    });

    it("says so until another value is chosen, also where nothing draws its part any more", async () => {
        await mocked();
        await visit(`${KERNELS}&kernel.model=dnone&kernel.x=q&sort=-beauty#machine`);
        await page.locator("#notes p").nth(2).waitFor();
        await choice("Kernel").selectOption({ label: "dtrmm RLNN, operands in the cache, 1 thread" });
        await page.locator("#notes", { hasNotText: "kernel" }).waitFor();
        assert.match(await notes(), /^sort=-beauty .+: the table has no such column\.$/);
        await choice("Operation").selectOption("calls");
        await page.waitForURL(/model=calls/);
        await settled(page);
        assert.equal(await notes(), "");
    });

    it("says the same only once", async () => {
        await visit(`${QUESTION}&sort=-beauty`);
        const line = await page.locator("#notes p").elementHandle();
        await asking(page, "predict", () => entry("n").fill("8192"));
        await page.locator("#ranking-body table").waitFor();
        assert.ok(await line.evaluate((each) => each.isConnected), "a screen reader does not read it again");
    });

    it("is told by the daemon where it is part of the question", async () => {
        await visit(`${QUESTION}&voltage=3`);
        assert.match(await page.locator("#answer-problem").innerText(), /voltage/);
    });

    for (const colorScheme of ["light", "dark"])
        it(`has no accessibility fault that axe finds, also on a phone (${colorScheme})`, async () => {
            await elsewhere(async (phone) => {
                await phone.locator("#notes p").nth(1).waitFor();
                await assertNoOverflow(phone);
                await phone.evaluate(await readFile(axe, "utf8"));
                const { violations } = await phone.evaluate(() => window.axe.run());
                assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
            }, { url: `${daemon.url}/?${QUESTION}&calibration=${ids.at(-1)}&chart.color=red`, viewport: { width: 390, height: 844 }, colorScheme, bypassCSP: true, reducedMotion: "reduce" });
        });
});
