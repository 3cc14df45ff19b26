// The machine section: calibrations, saved runs, accuracy, and uploads with a token.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { root, startDaemon } from "../daemon.mjs";
import { assertNoOverflow, browser, daemon, newPage, page, settled, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const CG = { solver: "pcg", nodes: 8, processes_per_node: 16, local_grid: [16, 16, 16], iterations: 20 };
const QUESTION = "model=cg&nodes=8&processes_per_node=16&iterations=20&local_grid=16x16x16";

let token;

withPages({}, async () => {
    token = await daemon.token("write");
});

const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();

async function visit(machine) {
    await page.goto(`${daemon.url}/?${QUESTION}&machine=${machine}`);
    await settled(page);
}

const openAll = (on) => on.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
const run = (time_s, more = {}, about = {}) =>
    ({ schema: "forerun-run-1", model: "cg", parameters: { ...CG, ...more }, time_s, started_at: "2026-11-20T10:00:00Z", ...about });
const file = (name, ...documents) => ({ name, mimeType: "application/json", buffer: Buffer.from(documents.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join("\n")) });
const said = () => page.locator("#upload .said > :not(.waiting)").first();

async function choose(...files) {
    await page.locator("#upload-files").setInputFiles(files);
    await said().waitFor();
    await page.locator("#upload .waiting").first().waitFor({ state: "detached" });
    return page.locator("#upload .said").innerText();
}

async function upload(...files) {
    await openAll(page);
    await page.locator("#upload-token").fill(token);
    return choose(...files);
}

/** Runs of three solvers over four sizes with times near the prediction, times `factor`. */
async function history(machine, factor = () => 1) {
    const runs = [];
    for (const solver of ["pcg", "nbpcg", "pipecg"]) for (const nodes of [8, 16, 32, 64]) {
        const { time_s } = await api(`predict/cg?machine=${machine}&solver=${solver}&nodes=${nodes}&processes_per_node=16&iterations=20&local_grid=16x16x16`);
        for (let k = 0; k < 6; k++) {
            const started_at = new Date(Date.UTC(2026, 8, 1 + k, runs.length % 24)).toISOString();
            runs.push(run(time_s * factor(k) * (0.97 + 0.01 * (runs.length % 7)), { solver, nodes }, { started_at, job: String(1000 + runs.length) }));
        }
    }
    return runs;
}

describe("a question with vectors and sets", () => {
    it("is built from its fields, and all objects of the answer are shown", async () => {
        await visit("blue-waters");
        await page.getByLabel("Local grid", { exact: true }).fill("8x8x8");
        await page.waitForURL(/local_grid=8x8x8/);
        await page.getByText(/^More parameters \(\d\d\)$/).click();
        await page.getByRole("group", { name: "Penalties" }).getByLabel("hops", { exact: true }).uncheck();
        await page.waitForURL(/penalties=max_rate:congestion_hops:synchronization/);
        await settled(page);
        const url = (await page.locator("#request code").innerText()).match(/'(http[^']+)'/)[1];
        const prediction = await (await fetch(url)).json();
        assert.deepEqual(prediction.parameters.local_grid, [8, 8, 8]);
        assert.deepEqual(prediction.parameters.penalties, ["max_rate", "congestion_hops", "synchronization"]);
        await openAll(page);
        const all = page.locator("details.all");
        assert.deepEqual(await all.locator("h3").allInnerTexts(), ["Initial", "Step", "Phases", "Halo", "Parameters"]);
        assert.match(await all.innerText(), /Process grid\s*8x4x4|process grid\s*8x4x4/);
    });

    it("says at the field that a vector is not whole, without asking", async () => {
        await visit("blue-waters");
        const asked = [];
        page.on("request", (request) => { if (/local_grid=16x(&|$)/.test(request.url()) && /\/api\//.test(request.url())) asked.push(request.url()); });
        const grid = page.getByLabel("Local grid", { exact: true });
        await grid.fill("16x");
        await page.locator("#p-local_grid[aria-invalid=true]").waitFor();
        assert.match(await page.locator("#p-local_grid-fault").innerText(), /16x16x16/);
        assert.equal(await page.locator("#time").count(), 0, "no old answer beside the fault");
        await grid.fill("0x8x8");
        await page.locator("#p-local_grid-fault", { hasText: "must lie between 1 and" }).waitFor();
        assert.deepEqual(asked, []);
        await grid.fill("8x8x8");
        await page.locator("#time").waitFor();
    });

    it("shows the spread of predictions with several saved runs", async () => {
        const box = { count: 6, minimum_s: 0.016, lower_whisker_s: 0.016, first_quartile_s: 0.017, median_s: 0.0175, third_quartile_s: 0.018, upper_whisker_s: 0.019, maximum_s: 0.021, outliers: 0 };
        await page.route("**/api/v1/predict/cg?**", async (route) => {
            const response = await route.fetch();
            await route.fulfill({ response, json: { ...(await response.json()), runs: box } });
        });
        await visit("blue-waters");
        const text = (await page.locator(".beside").innerText()).replaceAll("\u00a0", " ");
        assert.match(text, /6 saved runs are used as input: median 17\.5 ms, quartiles 17 – 18 ms, all within 16 – 21 ms/);
        assert.match(await page.locator("#ranking .lead").innerText(), /The prediction above uses saved runs as input\. The ranking does not/);
    });

    it("shows a fault of a set at the set", async () => {
        const other = await newPage(browser, { bypassCSP: true, reducedMotion: "reduce" });
        await other.goto(`${daemon.url}/?${QUESTION}&machine=blue-waters&penalties=foo`);
        await settled(other);
        assert.match(await other.getByRole("group", { name: "Penalties" }).innerText(), /'foo' is not one of max_rate/);
        await other.locator("#answer-problem").getByRole("link").click();
        assert.equal(await other.evaluate(() => document.activeElement.id), "p-penalties");
        await other.evaluate(await readFile(axe, "utf8"));
        const { violations } = await other.evaluate(() => window.axe.run());
        await other.context().close();
        assert.deepEqual(violations.map((v) => v.id), []);
    });

    it("shows an output of type text", async () => {
        await page.goto(`${daemon.url}/?model=cnc_matmul&machine=osu-e5630&n=4000&processes=16&algorithm=cannon&block_size=200`);
        await settled(page);
        assert.match(await page.locator(".facts").innerText(), /Bottleneck\s+(bandwidth|compute)/);
    });
});

describe("the machine's page", () => {
    it("shows the age of its calibrations and the sources of their values", async () => {
        await visit("blue-waters");
        const part = page.locator("#machine .part", { hasText: "Calibrations (1)" });
        const { items: [{ id }] } = await api("machines/blue-waters/calibrations");
        const { sources } = await api(`calibrations/${id}`);
        const count = (kind) => Object.values(sources).filter((text) => text.startsWith(kind)).length;
        await part.getByText(`${count("published")} published, ${count("assumed")} assumed`).waitFor();
        assert.match(await part.locator("time").first().innerText(), /ago|now/);
        assert.match(await part.locator("time").first().getAttribute("title"), /UTC$/);
        assert.equal(await page.locator("#runs").isVisible(), false, "without runs the table is hidden");
    });

    it("shows what its calibration lacks for which model, and what to run", async () => {
        await visit("blue-waters");
        const part = page.locator("#quality");
        await part.scrollIntoViewIfNeeded();
        await part.locator(".links").waitFor();
        const { items: [{ id }] } = await api("machines/blue-waters/calibrations");
        const { parts, node_command } = await api(`calibrations/${id}/quality`);
        const missing = parts.filter((each) => !each.is_present);
        assert.ok((await part.innerText()).includes(node_command));
        await openAll(page);
        assert.equal(await part.locator("table").first().locator("tbody tr").count(), missing.length);
        const trinv = part.locator("tr", { hasText: "kernels.routine_models (trinv)" });
        assert.match(await trinv.innerText(), /trinv[^]*--only=routine_models --kernels=trinv/);
        assert.equal(await part.locator("table").last().locator("tbody tr").count(), parts.length - missing.length);
        const blank = parts.filter(({ is_present: is, spread_fraction: spread }) => is && spread === null).length;
        assert.ok(blank > 0);
        assert.equal(await part.getByRole("button", { name: "No value", exact: true }).and(page.locator('[aria-description="the calibration does not state it"]')).count(), blank);
    });

    it("says which parts of a calibration to measure again", async () => {
        const { items: [{ id }] } = await api("machines/blue-waters/calibrations");
        const document = await api(`calibrations/${id}`);
        document.machine = "busy";
        document.sources["/network/protocols"] = "measured: x (9 samples, spread 2 %); on 2026-11-20; loaded: other work on 1.1 cores";
        await visit("blue-waters");
        assert.match(await upload(file("busy.json", document)), /is stored\. \/network\/protocols: other work, or a slower processor/);
        await visit("busy");
        const part = page.locator("#quality");
        await part.scrollIntoViewIfNeeded();
        await part.getByText("Measure again:").waitFor();
        assert.match(await part.locator(".notice").innerText(), /network\.protocols machine loaded: other work on 1\.1 cores/);
        await assertNoOverflow(page);
    });

    it("shows runs page by page, and of one model", async () => {
        await visit("blue-waters");
        assert.match(await upload(file("runs.ndjson", ...(await history("blue-waters")))), /72 stored, 0 already known/);
        const runs = page.locator("#runs");
        await runs.getByText("Saved runs (72)").waitFor();
        await runs.getByText("1 to 20").waitFor();
        const first = await runs.locator("tbody th").first().innerText();
        await runs.getByRole("button", { name: "Older" }).click();
        await runs.getByText("21 to 40").waitFor();
        assert.notEqual(await runs.locator("tbody th").first().innerText(), first);
        await runs.getByRole("button", { name: "Newer" }).click();
        await runs.getByText("1 to 20").waitFor();
        assert.equal(await runs.locator("tbody th").first().innerText(), first);
        const link = await runs.locator("tbody th a").first().getAttribute("href");
        assert.equal((await (await fetch(link)).json()).id, first);
        assert.match(await runs.locator("tbody tr").first().innerText(), /\sms\s.*local grid 16x16x16/s);
        await page.getByLabel("Runs of", { exact: true }).selectOption("allreduce");
        await runs.getByText("No saved run of allreduce.").waitFor();
    });

    it("shows the accuracy of predictions, and the interval that follows from it", async () => {
        await visit("blue-waters");
        const { models: [cg] } = await api("machines/blue-waters/accuracy");
        const accuracy = page.locator("#accuracy");
        await accuracy.scrollIntoViewIfNeeded();
        const row = accuracy.locator("table").first().locator("tbody tr");
        await row.first().waitFor();
        const shown = (await row.first().innerText()).replaceAll("\u00a0", " ");
        assert.match(shown, /^cg\s+72\s/);
        assert.ok(shown.includes(`${Number((100 * cg.median_error_fraction).toPrecision(3))} %`), shown);
        const width = await accuracy.locator("img").evaluate((image) => image.decode().then(() => image.naturalWidth));
        assert.ok(width > 100, "measured against predicted is drawn");
        const prediction = await api(`predict/cg?machine=blue-waters&${QUESTION.slice("model=cg&".length)}&solver=pcg`);
        assert.ok(prediction.interval);
        assert.match(await page.locator(".interval").innerText(), /–.*in 90\s% of cases.*72 runs/);
    });

    it("shows since when runs take longer", async () => {
        await visit("piz-daint");
        await upload(file("runs.ndjson", ...(await history("piz-daint", (k) => (k < 4 ? 1 : 1.5)))));
        const { drift: [drift] } = await api("machines/piz-daint");
        assert.ok(drift, "the daemon sees it");
        assert.match(await page.locator("#answer .drift").innerText(), /^Since \d+ Sept? 2026.*runs of cg take 1\.\d+ times as long/, "beside the answer that it concerns");
    });
});

describe("uploads", () => {
    it("report every fault with its line, and store nothing", async () => {
        await visit("hopper");
        const text = await upload(file("runs.ndjson", run(1), run(-1), { ...run(2), tine_s: 3 }));
        assert.match(text, /faults; nothing was stored/);
        assert.match(text, /line 2: time_s: -1 must/);
        assert.match(text, /line 3: tine_s: /);
        const { runs, calibrations } = await api("machines/hopper");
        assert.deepEqual([runs, calibrations], [0, 1]);
    });

    it("accept an array, and recognize runs that are already stored", async () => {
        await visit("example");
        const array = JSON.stringify([run(1), run(2)]);
        assert.match(await upload(file("runs.json", array)), /2 stored, 0 already known/);
        assert.match(await upload(file("again.json", array)), /0 stored, 2 already known/);
        assert.match(await upload(file("array.json", JSON.stringify([run(3), run(-1)]))), /run 2: time_s/);
    });

    it("are seen at once, also in an answer that caches may keep for a minute", async () => {
        const { items: [{ id }] } = await api("machines/example/calibrations");
        const visitNamed = async () => {
            await page.goto(`${daemon.url}/?${QUESTION}&machine=example&calibration=${id}`);
            await settled(page);
        };
        await visitNamed();
        assert.equal(await page.locator(".interval").count(), 0);
        const cached = await page.evaluate((path) => fetch(path).then((answer) => answer.headers.get("Cache-Control")), `api/v1/predict/cg?calibration=${id}&${QUESTION.slice("model=cg&".length)}&solver=pcg`);
        assert.match(cached, /max-age/);
        await upload(file("runs.ndjson", ...(await history("example"))));
        await visitNamed();
        assert.match(await page.locator(".interval").innerText(), /in 90\s% of cases/);
    });

    it("accept the output of another program, with the parameters that it lacks", async () => {
        await visit("blue-waters");
        await openAll(page);
        const log = { name: "log.csv", mimeType: "text/csv", buffer: await readFile(`${root}/tests/samples/imports/petsc-cg.csv`) };
        assert.match(await upload(log), /this is not JSON; select the format/);
        await page.getByLabel("Format of runs").selectOption("petsc");
        assert.match(await choose(log), /solver: required/);
        const last = page.getByLabel("Parameter of all runs").last();
        for (const text of ["solver=pcg", "processes_per_node=1", "local_grid=64x64x64"]) await last.fill(text);
        assert.equal(await page.getByLabel("Parameter of all runs").count(), 5);
        const [request] = await Promise.all([page.waitForRequest((r) => r.method() === "POST"), choose(log)]);
        const query = new URL(request.url()).searchParams;
        assert.deepEqual([query.get("format"), query.get("solver"), query.get("local_grid")], ["petsc", "pcg", "64x64x64"]);
        assert.match(await page.locator("#upload .said").innerText(), /1 stored/);
    });

    it("store a calibration for the machine that it names", async () => {
        const { items: [{ id }] } = await api("machines/osu-e5630/calibrations");
        const document = await api(`calibrations/${id}`);
        await visit("blue-waters");
        assert.match(await upload(file("set.json", { ...document, machine: "another" })), /calibration of another is stored/);
        assert.equal((await api("machines/another")).calibrations, 1);
        await page.locator("#machine-name option[value=another]").waitFor({ state: "attached" });
        assert.match(await choose(file("set.json", { ...document, machine: "another" })), /calibration of another was already stored/);
    });

    it("need a token, which is kept in the tab and not in the address", async () => {
        await visit("example");
        await openAll(page);
        assert.match(await choose(file("run.json", run(77))), /a valid token is needed/);
        await page.locator("#upload-token").fill("0".repeat(64));
        await page.locator("#upload .said").getByRole("button", { name: "Send again" }).click();
        await page.locator("#upload .said").getByText("run.json: not stored: This token is not known here; the operator makes tokens").waitFor();
        page.troubles().length = 0; /* the browser logs the refusals that were provoked */
        await page.locator("#upload-token").fill(token);
        await page.locator("#upload .said").getByRole("button", { name: "Send again" }).click();
        await page.locator("#upload .said").getByText("run.json: 1 stored").waitFor();
        await page.reload();
        await settled(page);
        await openAll(page);
        assert.equal(await page.locator("#upload-token").inputValue(), token);
        assert.ok(!page.url().includes(token));
        assert.equal(await page.evaluate(() => Object.keys(localStorage).length), 0);
    });

    it("accept dropped files, and ignore files that are dropped elsewhere", async () => {
        await visit("example");
        await openAll(page);
        await page.locator("#upload-token").fill(token);
        const drop = (selector, text) => page.evaluate(([at, content]) => {
            const data = new DataTransfer();
            data.items.add(new File([content], "dropped.json"));
            const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
            document.querySelector(at).dispatchEvent(event);
            return event.defaultPrevented;
        }, [selector, text]);
        assert.equal(await drop("#answer", JSON.stringify(run(5))), true, "the browser does not open the file");
        assert.equal(await page.locator("#upload .said > *").count(), 0);
        await drop("#upload .drop", JSON.stringify(run(6)));
        await said().waitFor();
        assert.match(await page.locator("#upload .said").innerText(), /dropped\.json: 1 stored/);
    });

    it("work with the keyboard", async () => {
        await visit("example");
        await page.locator("#upload > summary").focus();
        await page.keyboard.press("Enter");
        const reached = [];
        for (let i = 0; i < 3; i++) {
            await page.keyboard.press("Tab");
            reached.push(await page.evaluate(() => document.activeElement.id));
        }
        assert.deepEqual(reached, ["upload-token", "upload-format", "upload-files"]);
    });
});

describe("a daemon without machines", () => {
    it("accepts a calibration, and then answers", async () => {
        const empty = await startDaemon({ calibrations: null });
        try {
            const { items: [{ id }] } = await api("machines/blue-waters/calibrations");
            const document = await api(`calibrations/${id}`);
            await page.goto(`${empty.url}/?${QUESTION}`);
            await settled(page);
            assert.match(await page.locator("#answer-problem").innerText(), /There is no machine yet/);
            await openAll(page);
            await page.locator("#upload-token").fill(await empty.token("write"));
            assert.match(await choose(file("run.json", run(1))), /there is no machine yet/);
            await choose(file("set.json", document));
            await page.locator("#time").waitFor();
            assert.match(await page.locator("#upload .said").innerText(), /calibration of blue-waters is stored/);
            assert.equal(new URL(page.url()).searchParams.get("machine"), "blue-waters");
        } finally {
            await empty.stop();
        }
    });
});

describe("the page with runs", () => {
    for (const colorScheme of ["light", "dark"])
        for (const width of [400, 1280])
            it(`has no accessibility fault that axe finds, and fits its screen (${colorScheme}, ${width})`, async () => {
                const other = await newPage(browser, { colorScheme, bypassCSP: true, reducedMotion: "reduce", viewport: { width, height: 900 } });
                await other.goto(`${daemon.url}/?${QUESTION}&machine=piz-daint#machine`);
                await settled(other);
                await openAll(other);
                await other.locator("#accuracy").scrollIntoViewIfNeeded();
                await other.locator("#accuracy img").waitFor();
                await other.getByLabel("Format of runs").selectOption("petsc");
                await other.locator("#upload-files").setInputFiles([file("runs.ndjson", run(-1))]);
                await other.locator("#upload .said .problem").waitFor();
                await openAll(other);
                await assertNoOverflow(other);
                await other.evaluate(await readFile(axe, "utf8"));
                const { violations } = await other.evaluate(() => window.axe.run());
                await other.context().close();
                assert.deepEqual(violations.map((v) => `${v.id}: ${v.nodes.map((n) => n.target.join(" ") + " " + n.failureSummary).join("; ")}`), []);
            });
});
