// The address of the page: every choice is in it, a copied link keeps its calibration, Back undoes the last edit.
import assert from "node:assert/strict";
import { it } from "node:test";
import { document as calibration } from "../api/golden_blocked.mjs";
import { root, until } from "../daemon.mjs";
import { asking, assertAccessible, assertNoOverflow, daemon, page, reopen, settled, shownTime, turn, withPages } from "./browser.mjs";
import { api, choice, entry, narrowTo, visit } from "./visit.mjs";

const QUESTION = "model=matmul&machine=hopper&n=16384&processes=64";
const KERNELS = "model=trinv&machine=paper&n=500";
const FIVE = `%%MatrixMarket matrix coordinate real general\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}2 1 -1\n1 2 -1\n5 4 -1\n4 5 -1\n`;

let token;
const ids = []; /* of the calibrations of hopper, the newest first */

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
    await until("the matrix is ready", async () => (await api("matrices/five")).status === "ready");
    await until("it is divided", async () => (await fetch(`${daemon.url}/api/v1/matrices/five/partitions?processes=1,2`)).status === 200);
});

const inAddress = (name) => new URL(page.url()).searchParams.get(name);
const notes = () => page.locator("#notes").innerText().then((text) => text.replaceAll("\u00a0", " "));

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

it("Back undoes the last edit, of which a burst of typing is one; Forward does it again", async () => {
    await visit(`${QUESTION}&algorithm=cannon&chart.values=64`);
    await narrowTo(700, "question"); /* the other sections are not drawn */
    const first = await shownTime(page), before = await page.evaluate(() => history.length);
    for (const digit of ["8191", "4096"]) await asking(page, "predict", () => entry("n").fill(digit));
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

    /* Edits of two fields that follow each other at once. */
    await asking(page, "predict", () => page.evaluate(() => {
        for (const [id, value] of [["p-n", "8192"], ["p-processes", "256"]]) {
            const field = document.getElementById(id);
            field.value = value;
            field.dispatchEvent(new Event("input", { bubbles: true }));
        }
    }));
    assert.equal(await page.evaluate(() => history.length), before + 4);
    await asking(page, "predict", () => page.goBack());
    assert.deepEqual([await entry("n").inputValue(), await entry("Size of the run").inputValue()], ["8192", "64"]);

    /* A field that was left, and Enter, end an edit. */
    await asking(page, "predict", () => entry("n").fill("1024"));
    await entry("n").press("Enter");
    await asking(page, "predict", () => entry("n").fill("4096"));
    await entry("n").press("Tab");
    await entry("n").focus();
    await asking(page, "predict", () => entry("n").fill("2048"));
    for (const n of ["4096", "1024", "8192"]) {
        await asking(page, "predict", () => page.goBack());
        assert.equal(await entry("n").inputValue(), n);
    }
    assert.equal(await page.evaluate(() => document.activeElement.id), "p-n", "the field keeps the focus");
});

it("Back restores goal, chart, what-ifs, sorting and section", async () => {
    await visit(QUESTION);
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

it("the copied link pins the calibration of the answer, and the page says when another is newer", async (t) => {
    t.after(() => page.context().clearPermissions());
    const copied = async () => {
        await page.getByRole("button", { name: "Copy link" }).click();
        return page.evaluate(() => navigator.clipboard.readText());
    };
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await visit(QUESTION);
    await asking(page, "predict", () => choice("Variant").selectOption("2d"));
    const time = await shownTime(page), [pinned] = ids, link = await copied();
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

    await turn(page, `${QUESTION}&calibration=0123456789abcdef`);
    assert.match(await notes(), /^The address pins calibration 01234567, which is not stored for this machine\. The newest of /);
    await asking(page, "predict", () => page.getByRole("button", { name: "Use the newest" }).click());
    await page.locator("#time").waitFor();

    const hold = holding(/\/api\/v1\/machines\/paper$/);
    await choice("Machine").selectOption("paper");
    await hold.asked;
    const other = new URL(await copied());
    assert.deepEqual(["machine", "calibration"].map((name) => other.searchParams.get(name)), ["paper", null], "not that of the machine that was asked before");
    hold.release();
    await page.locator("#machine-body .lead", { hasText: "paper" }).waitFor();
    await settled(page);
});

it("the address has the kernel, its sizes and what it is compared with", async () => {
    await visit(`${KERNELS}#machine`);
    await page.locator(".kernel-charts").scrollIntoViewIfNeeded();
    await choice("Kernel").selectOption({ label: "dtrmm RLNN, operands in the cache, 1 thread" });
    await choice("Drawn over").selectOption("n");
    await entry("Size m").fill("256");
    await choice("Compare with").selectOption(ids[0]);
    await page.waitForURL(/kernel\.with/);
    assert.deepEqual(["kernel.model", "kernel.x", "kernel.m", "kernel.with"].map(inAddress), ["dtrmm RLNN in_cache 1", "n", "256", ids[0]]);
    await reopen(); /* the page scrolls to the section */
    const { top, height } = await page.evaluate(() => ({ top: document.querySelector("#machine").getBoundingClientRect().top, height: window.innerHeight }));
    assert.ok(top < height && top > -height, `it is at ${top} of ${height}`); /* charts above may still grow */
    await page.locator(".kernel-charts").scrollIntoViewIfNeeded();
    await choice("Compare with").waitFor();
    const shown = [await choice("Kernel").locator("option:checked").innerText(), await choice("Drawn over").inputValue(), await entry("Size m").inputValue(), await choice("Compare with").inputValue()];
    assert.deepEqual(shown, ["dtrmm RLNN, operands in the cache, 1 thread", "n", "256", ids[0]]);
    assert.equal(await notes(), "");
});

it("the address has the calibrations that are compared, the page of the runs, how a matrix is divided and whose messages are shown", async () => {
    const runs = page.locator("#runs"), talks = (processes) => page.getByRole("button", { name: `Messages of ${processes} processes, contiguous` });
    await visit(`${QUESTION}&shown=five#machine`);
    await entry("Processes").fill("1,2");
    await page.getByRole("button", { name: "Divide", exact: true }).click();
    for (const processes of [1, 2]) await talks(processes).click();
    assert.deepEqual(["partitions.processes", "partitions.by", "partitions.messages"].map(inAddress), ["1,2", "contiguous", "contiguous 2"]);
    await page.goBack();
    await talks(1).and(page.locator("[aria-pressed=true]")).waitFor();
    await talks(2).click();

    await page.locator("#comparison").scrollIntoViewIfNeeded();
    await choice("Before").selectOption(ids[2]);
    await choice("After").selectOption(ids[0]);
    await runs.scrollIntoViewIfNeeded();
    await runs.getByRole("button", { name: "Older" }).click();
    await runs.filter({ hasText: "21 to 40" }).waitFor();
    assert.deepEqual(["compare.from", "compare.to", "runs.page"].map(inAddress), [ids[2], ids[0], "2"]);
    const address = page.url();
    await choice("Runs of").selectOption("cholesky");
    await runs.filter({ hasText: "1 to 20" }).waitFor();
    assert.deepEqual([inAddress("runs.model"), inAddress("runs.page")], ["cholesky", null]);
    await page.goBack();
    await runs.filter({ hasText: "21 to 40" }).waitFor();
    await page.goBack();
    await runs.filter({ hasText: "1 to 20" }).waitFor();
    assert.equal(await choice("Runs of").inputValue(), "");

    let isDown = true;
    await page.route(/\/runs\?/, (route) => (isDown ? route.fulfill({ body: "no answer" }) : route.continue()));
    await reopen(address);
    assert.deepEqual([await choice("Before").inputValue(), await choice("After").inputValue()], [ids[2], ids[0]]);
    await talks(2).and(page.locator("[aria-pressed=true]")).waitFor();
    assert.equal(await entry("Processes").inputValue(), "1,2");
    await runs.scrollIntoViewIfNeeded();
    const again = runs.getByRole("button", { name: "Try again" });
    await again.waitFor();
    isDown = false;
    await again.click();
    await runs.filter({ hasText: "21 to 40" }).waitFor();
});

it("a link that asks for what is not there says so", async () => {
    await visit(QUESTION);
    const unknown = "0123456789abcdef";
    for (const [query, ...told] of [
        [`${QUESTION}&chart.color=red&chart.x=voltage&sort=-beauty&shown=six&compare.from=${unknown}&runs.page=3&runs.model=cholesky&kernel.model=dgemm`,
            /^chart\.color in the address is not known to this page, and is left out\.$/, /^chart\.x=voltage in the address is not shown: matmul has no such parameter\.$/,
            /^sort=-beauty in the address is not shown: the table has no such column\.$/, /^shown=six in the address is not shown: there is no such matrix\.$/,
            /^compare\.from=0123456789abcdef .+: the machine has no such calibration\.$/, /^runs\.page=3 .+: there is no such page of runs\.$/,
            /^kernel\.model=dgemm .+: the calibration has no models of kernels\.$/],
        [`${QUESTION}&shown=five&chart.color=red&chart.hue=7&chart.hidden=3d&runs.page=9&partitions.messages=metis+7&partitions.by=hand`,
            /^chart\.color, chart\.hue in the address are not known to this page, and are left out\.$/, /^chart\.hidden=3d in the address is not shown: the chart does not have all of these lines\.$/,
            /^runs\.page=9 .+: there is no such page of runs\.$/, /^partitions\.by=hand /, /^partitions\.messages=metis 7 .+: the matrix has no such partition\.$/],
        [`${KERNELS}&kernel.model=dnone&kernel.x=q&runs.page=2&compare.to=${unknown}`,
            /^kernel\.model=dnone .+: the calibration has no such model of a kernel\.$/, /^kernel\.x=q .+: the kernel has no such size\.$/,
            /^compare\.to=0123456789abcdef .+: the machine has only one calibration\.$/, /^runs\.page=2 .+: the machine has no saved runs\.$/],
    ]) {
        await turn(page, query);
        for (const section of ["#matrices", "#machine"]) await page.locator(section).scrollIntoViewIfNeeded();
        for (const line of told) await page.locator("#notes p").filter({ hasText: line }).waitFor();
        assert.equal(await page.locator("#notes p").count(), told.length, query);
    }

    await turn(page, `${QUESTION}&calibration=${ids.at(-1)}&chart.color=red`);
    await page.locator("#notes p").nth(1).waitFor();
    await assertAccessible(page, "#notes");
    await page.setViewportSize({ width: 390, height: 844 });
    await assertNoOverflow(page);
    await page.setViewportSize({ width: 1280, height: 900 });

    /* Once, until another value is chosen, also where nothing draws its part any more. */
    await turn(page, `${KERNELS}&kernel.model=dnone&kernel.x=q&sort=-beauty#machine`);
    await page.locator("#notes p").nth(2).waitFor();
    await choice("Kernel").selectOption({ label: "dtrmm RLNN, operands in the cache, 1 thread" });
    await page.locator("#notes", { hasNotText: "kernel" }).waitFor();
    assert.match(await notes(), /^sort=-beauty .+: the table has no such column\.$/);
    const line = await page.locator("#notes p").elementHandle();
    await asking(page, "predict", () => entry("n").fill("400"));
    await page.locator("#ranking-body table").waitFor();
    assert.ok(await line.evaluate((each) => each.isConnected), "a screen reader does not read it again");
    await choice("Operation").selectOption("calls");
    await page.waitForURL(/model=calls/);
    await settled(page);
    assert.equal(await notes(), "");

    await turn(page, `${QUESTION}&voltage=3`);
    assert.match(await page.locator("#answer-problem").innerText(), /voltage/, "told by the daemon where it is part of the question");
});
