// The machine section: calibrations, saved runs, accuracy, and uploads with a token, also of what other programs print.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { root, startDaemon } from "../daemon.mjs";
import { asking, assertAccessible, assertNoOverflow, daemon, leave, page, reopen, settled, turn, withPages } from "./browser.mjs";
import { api, choice, visit } from "./visit.mjs";

const CG = { solver: "pcg", nodes: 8, processes_per_node: 16, local_grid: [16, 16, 16], iterations: 20 };
const ASKED = "nodes=8&processes_per_node=16&iterations=20&local_grid=16x16x16";
const QUESTION = `model=cg&${ASKED}`;

let token;

withPages({}, async () => {
    token = await daemon.token("write");
});

const openAll = () => page.evaluate(() => { for (const details of document.querySelectorAll("details")) details.open = true; });
const run = (time_s, more = {}, about = {}) =>
    ({ schema: "forerun-run-1", model: "cg", parameters: { ...CG, ...more }, time_s, started_at: "2026-11-20T10:00:00Z", ...about });
const file = (name, ...documents) => ({ name, mimeType: "application/json", buffer: Buffer.from(documents.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join("\n")) });
const plain = (text) => text.replaceAll("\u00a0", " ");
const calibrationOf = async (machine) => (await api(`machines/${machine}/calibrations`)).items[0].id;
const turnTo = (machine) => asking(page, "predict/cg", () => choice("Machine").selectOption(machine));

async function choose(...files) {
    await page.locator("#upload-files").setInputFiles(files);
    await page.locator("#upload .said > :not(.waiting)").first().waitFor();
    await page.locator("#upload .waiting").first().waitFor({ state: "detached" });
    return page.locator("#upload .said").innerText();
}

const openUpload = () => page.locator("#upload").evaluate((details) => { details.open = true; });

async function enter(text = token) {
    await openUpload();
    await page.locator("#upload-token").fill(text);
}

/** Uploads what is stored, after which the page asks again. */
async function store(...files) {
    let told;
    await asking(page, "predict/cg", async () => { told = await choose(...files); });
    return told;
}

/** Runs of three solvers over four sizes with times near the prediction. */
async function history(machine) {
    const runs = [];
    for (const solver of ["pcg", "nbpcg", "pipecg"]) for (const nodes of [8, 16, 32, 64]) {
        const { time_s } = await api(`predict/cg?machine=${machine}&solver=${solver}&nodes=${nodes}&processes_per_node=16&iterations=20&local_grid=16x16x16`);
        for (let k = 0; k < 6; k++) {
            const started_at = new Date(Date.UTC(2026, 8, 1 + k, runs.length % 24)).toISOString();
            runs.push(run(time_s * (0.97 + 0.01 * (runs.length % 7)), { solver, nodes }, { started_at, job: String(1000 + runs.length) }));
        }
    }
    return runs;
}

describe("a question with vectors and sets", () => {
    it("is built from its fields, which say what is wrong with them, and all objects of the answer are shown", async () => {
        await visit(`${QUESTION}&machine=blue-waters&penalties=foo`);
        assert.match(await page.getByRole("group", { name: "Penalties" }).innerText(), /'foo' is not one of max_rate/);
        await page.locator("#answer-problem").getByRole("link").click();
        assert.equal(await page.evaluate(() => document.activeElement.id), "p-penalties");
        await assertAccessible(page, "#question, #answer");

        const built = await page.locator("#quality").elementHandle();
        await turn(page, `${QUESTION}&machine=blue-waters`);
        assert.ok(await built.evaluate((part) => part.isConnected), "the machine is the same, and is not built again");
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
        await asking(page, "predict/cg", () => grid.fill("8x8x8"));
        await page.locator("#time").waitFor();
        await page.waitForURL(/local_grid=8x8x8/);

        await page.getByText(/^More parameters \(\d\d\)$/).click();
        await asking(page, "predict/cg", () => page.getByRole("group", { name: "Penalties" }).getByLabel("hops", { exact: true }).uncheck());
        await page.waitForURL(/penalties=max_rate:congestion_hops:synchronization/);
        const url = (await page.locator("#request code").innerText()).match(/'(http[^']+)'/)[1];
        const prediction = await (await fetch(url)).json();
        assert.deepEqual(prediction.parameters.local_grid, [8, 8, 8]);
        assert.deepEqual(prediction.parameters.penalties, ["max_rate", "congestion_hops", "synchronization"]);
        await openAll();
        const all = page.locator("details.all");
        assert.deepEqual(await all.locator("h3").allInnerTexts(), ["Initial", "Step", "Phases", "Halo", "Parameters"]);
        assert.match(await all.innerText(), /Process grid\s*8x4x4|process grid\s*8x4x4/);

        const box = { count: 6, minimum_s: 0.016, lower_whisker_s: 0.016, first_quartile_s: 0.017, median_s: 0.0175, third_quartile_s: 0.018, upper_whisker_s: 0.019, maximum_s: 0.021, outliers: 0 };
        await page.route("**/api/v1/predict/cg?**", async (route) => {
            const response = await route.fetch();
            await route.fulfill({ response, json: { ...(await response.json()), runs: box } });
        });
        await asking(page, "predict/cg", () => grid.fill("16x16x16"));
        assert.match(plain(await page.locator(".beside").innerText()), /6 saved runs are used as input: median 17\.5 ms, quartiles 17 – 18 ms, all within 16 – 21 ms/);
        assert.match(await page.locator("#ranking .lead").innerText(), /The prediction above uses saved runs as input\. The ranking does not/);

        await turn(page, "model=cnc_matmul&machine=osu-e5630&n=4000&processes=16&algorithm=cannon&block_size=200");
        assert.ok(!await built.evaluate((part) => part.isConnected));
        assert.match(await page.locator(".facts").innerText(), /Bottleneck\s+(bandwidth|compute)/, "an output of type text");
        assert.equal(await page.locator("#comparison").isVisible(), false, "one calibration is compared with none");
    });
});

describe("the machine's page", () => {
    it("shows its calibrations with their sources, what they lack, its saved runs and the accuracy of its predictions", async () => {
        await visit(`${QUESTION}&machine=blue-waters`);
        const calibrations = page.locator("#machine .part", { hasText: "Calibrations (1)" }), id = await calibrationOf("blue-waters"), document = await api(`calibrations/${id}`);
        const count = (kind) => Object.values(document.sources).filter((text) => text.startsWith(kind)).length;
        await calibrations.getByText(`${count("published")} published, ${count("assumed")} assumed`).waitFor();
        assert.match(await calibrations.locator("time").first().innerText(), /ago|now/);
        assert.match(await calibrations.locator("time").first().getAttribute("title"), /UTC$/);
        assert.equal(await page.locator("#runs").isVisible(), false, "without runs the table is hidden");

        const quality = page.locator("#quality");
        await quality.scrollIntoViewIfNeeded();
        await quality.locator(".links").waitFor();
        const { parts, node_command } = await api(`calibrations/${id}/quality`);
        const missing = parts.filter((each) => !each.is_present), refused = new Set(missing.flatMap((part) => part.refused_models));
        const [, served, unserved] = (await page.locator("#machine").innerText()).match(/Operations served: (.*)\.\s+Not served with default options: (.*)\./);
        assert.deepEqual(served.split(", ").filter((name) => refused.has(name)), [], "one list of what is served");
        assert.equal(unserved.split("; ").length, refused.size);
        assert.ok(unserved.includes("trinv (kernels.routine_models)"));
        assert.ok((await quality.innerText()).includes(node_command));
        assert.equal(await quality.locator("table").count(), 0, "they are made when they are unfolded");
        await openAll();
        assert.equal(await quality.locator("table").first().locator("tbody tr").count(), missing.length);
        const trinv = quality.locator("tr", { hasText: "kernels.routine_models (trinv)" });
        assert.match(await trinv.innerText(), /trinv[^]*--only=routine_models --kernels=trinv/);
        assert.equal(await quality.locator("table").last().locator("tbody tr").count(), parts.length - missing.length);
        const blank = parts.filter(({ is_present: is, spread_fraction: spread }) => is && spread === null).length;
        assert.ok(blank > 0);
        assert.equal(await quality.getByRole("button", { name: "No value", exact: true }).and(page.locator('[aria-description="the calibration does not state it"]')).count(), blank);

        await enter();
        assert.match(await store(file("runs.ndjson", ...(await history("blue-waters")))), /72 stored, 0 already known/);
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

        const { models: [cg] } = await api("machines/blue-waters/accuracy");
        const accuracy = page.locator("#accuracy");
        await accuracy.scrollIntoViewIfNeeded();
        const row = accuracy.locator("table").first().locator("tbody tr");
        await row.first().waitFor();
        const shown = plain(await row.first().innerText());
        assert.match(shown, /^cg\s+72\s/);
        assert.ok(shown.includes(`${Number((100 * cg.median_error_fraction).toPrecision(3))} %`), shown);
        const width = await accuracy.locator("img").evaluate((image) => image.decode().then(() => image.naturalWidth));
        assert.ok(width > 100, "measured against predicted is drawn");
        assert.ok((await api(`predict/cg?machine=blue-waters&${ASKED}&solver=pcg`)).interval);
        assert.match(await page.locator(".interval").innerText(), /–.*in 90\s% of cases.*72 runs/);

        document.machine = "busy";
        document.sources["/network/protocols"] = "measured: x (9 samples, spread 2 %); on 2026-11-20; loaded: other work on 1.1 cores";
        assert.match(await store(file("busy.json", document)), /is stored\. \/network\/protocols: other work, or a slower processor/);
        await turnTo("busy");
        await quality.scrollIntoViewIfNeeded();
        await quality.getByText("Measure again:").waitFor();
        assert.match(await quality.locator(".notice").innerText(), /network\.protocols machine loaded: other work on 1\.1 cores/);
        await assertNoOverflow(page);
    });
});

describe("uploads", () => {
    it("need a token, which is kept in the tab and not in the address, and work with the keyboard", async () => {
        await reopen(`${daemon.url}/?${QUESTION}&machine=example`);
        await page.locator("#upload > summary").focus();
        await page.keyboard.press("Enter");
        const reached = [];
        for (let i = 0; i < 3; i++) {
            await page.keyboard.press("Tab");
            reached.push(await page.evaluate(() => document.activeElement.id));
        }
        assert.deepEqual(reached, ["upload-token", "upload-format", "upload-files"]);

        const again = page.locator("#upload .said").getByRole("button", { name: "Send again" });
        assert.match(await choose(file("run.json", run(77))), /a valid token is needed/);
        await enter("0".repeat(64));
        await again.click();
        await page.locator("#upload .said").getByText("run.json: not stored: This token is not known here; the operator makes tokens").waitFor();
        page.troubles().length = 0; /* the browser logs the refusals that were provoked */
        await enter();
        await asking(page, "predict/cg", () => again.click());
        await page.locator("#upload .said").getByText("run.json: 1 stored").waitFor();
        await page.reload();
        await settled(page);
        await openUpload();
        assert.equal(await page.locator("#upload-token").inputValue(), token);
        assert.ok(!page.url().includes(token));
        assert.equal(await page.evaluate(() => Object.keys(localStorage).length), 0);

        const drop = (selector, text) => page.evaluate(([at, content]) => {
            const data = new DataTransfer();
            data.items.add(new File([content], "dropped.json"));
            const event = new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true });
            document.querySelector(at).dispatchEvent(event);
            return event.defaultPrevented;
        }, [selector, text]);
        assert.equal(await drop("#answer", JSON.stringify(run(5))), true, "the browser does not open the file");
        assert.equal(await page.locator("#upload .said > *").count(), 0);
        await asking(page, "predict/cg", () => drop("#upload .drop", JSON.stringify(run(6))));
        assert.match(await page.locator("#upload .said").innerText(), /dropped\.json: 1 stored/);
    });

    it("accept arrays, other programs' output and calibrations, report every fault, and are seen at once", async () => {
        const id = await calibrationOf("example");
        await visit(`${QUESTION}&machine=example&calibration=${id}`);
        await enter();
        const array = JSON.stringify([run(1), run(2)]);
        assert.match(await store(file("runs.json", array)), /2 stored, 0 already known/);
        const [answer, told] = await Promise.all([page.waitForResponse(/\/predict\/cg\?/), store(file("again.json", array))]);
        assert.match(told, /0 stored, 2 already known/);
        assert.match(await choose(file("array.json", JSON.stringify([run(3), run(-1)]))), /run 2: time_s/);

        /* A cache may keep the answer of a named calibration for a minute. */
        assert.match(answer.headers()["cache-control"], /max-age/);
        assert.equal(await page.locator(".interval").count(), 0);
        await store(file("runs.ndjson", ...(await history("example"))));
        assert.match(await page.locator(".interval").innerText(), /in 90\s% of cases/);

        await turn(page, `${QUESTION}&machine=hopper`);
        await openUpload();
        const before = await api("machines/hopper");
        const text = await choose(file("runs.ndjson", run(1), run(-1), { ...run(2), tine_s: 3 }));
        assert.match(text, /faults; nothing was stored/);
        assert.match(text, /line 2: time_s: -1 must/);
        assert.match(text, /line 3: tine_s: /);
        const { runs, calibrations } = await api("machines/hopper");
        assert.deepEqual([runs, calibrations], [0, 1], `before: ${before.runs}, ${before.calibrations}`);

        await turn(page, `${QUESTION}&machine=blue-waters`);
        await openUpload();
        const log = { name: "log.csv", mimeType: "text/csv", buffer: await readFile(`${root}/tests/samples/imports/petsc-cg.csv`) };
        assert.match(await choose(log), /this is not JSON; select the format/);
        await page.getByLabel("Format of runs").selectOption("petsc");
        assert.match(await choose(log), /solver: required/);
        const last = page.getByLabel("Parameter of all runs").last();
        for (const given of ["solver=pcg", "processes_per_node=1", "local_grid=64x64x64"]) await last.fill(given);
        assert.equal(await page.getByLabel("Parameter of all runs").count(), 5);
        const isPost = (r) => r.method() === "POST";
        const [request, previewed] = await Promise.all([page.waitForRequest(isPost), choose(log)]);
        const query = new URL(request.url()).searchParams;
        assert.deepEqual([query.get("format"), query.get("solver"), query.get("local_grid"), query.get("preview")], ["petsc", "pcg", "64x64x64", "true"]);
        assert.match(previewed, /1 to be stored/);
        await asking(page, "predict/cg", () => page.locator("#upload .said").getByRole("button", { name: "Store", exact: true }).click());
        assert.match(await page.locator("#upload .said").innerText(), /1 stored/);

        const document = { ...(await api(`calibrations/${await calibrationOf("osu-e5630")}`)), machine: "another" };
        assert.match(await store(file("set.json", document)), /calibration of another is stored/);
        assert.equal(await page.locator("#upload .said").getByRole("link", { name: "Ask another" }).getAttribute("href"), "?machine=another");
        assert.equal((await api("machines/another")).calibrations, 1);
        await page.locator("#machine-name option[value=another]").waitFor({ state: "attached" });
        assert.match(await choose(file("set.json", document)), /calibration of another was already stored/);
    });
});

describe("texts of other programs", () => {
    const MATMUL = "model=matmul&machine=example&n=4096&processes=16&variant=2d&algorithm=cannon&replication=1";
    const n = () => page.getByRole("textbox", { name: "n", exact: true });
    const part = () => page.locator("#upload");
    const said = () => part().locator(".said").innerText();
    const format = () => part().getByLabel("Format of runs");
    const given = () => part().getByLabel("Parameter of all runs");
    const pairs = () => given().evaluateAll((all) => all.map(({ value }) => value));
    const send = () => part().getByRole("button", { name: "Send the text" }).click();

    async function paste(text) {
        await part().getByLabel("Or paste the text").fill(text);
        const [response] = await Promise.all([page.waitForResponse((r) => r.request().method() === "POST" && new URL(r.url()).pathname.endsWith("/runs")), send()]);
        await part().locator(".waiting").first().waitFor({ state: "detached" });
        return response;
    }

    /** Pastes a text, whose preview comes first, and stores it, after which the page asks again. */
    async function keep(text) {
        const response = await paste(text);
        assert.ok(response.ok(), await response.text());
        await asking(page, "predict/matmul", () => part().getByRole("button", { name: "Store", exact: true }).click());
    }

    it("are of every format that the daemon reads, or measured times alone with the parameters of the question", async () => {
        const { paths } = await api("openapi.json");
        const formats = paths["/api/v1/machines/{machine}/runs"].post.parameters.find(({ name }) => name === "format").schema.enum;
        await visit(`${MATMUL}#upload`);
        await enter();
        const options = await format().locator("option").evaluateAll((all) => all.map(({ value }) => value));
        assert.deepEqual(options, ["", ...formats]);
        const told = new Set();
        for (const name of options) {
            await format().selectOption(name);
            told.add(await part().locator("fieldset, .inline-form + .hint").first().innerText());
        }
        assert.equal(told.size, options.length, "each says what it expects");
        await send();
        assert.match(await said(), /There is no text to send/);

        await format().selectOption("sacct");
        assert.match((await pairs()).join(), /(^|,)utc_offset=,/, "the zone is asked");
        for (const text of ["model=matmul", "n=4096", "cores=16", "algorithm=cannon", "variant=2d"]) await given().last().fill(text);
        await paste(await readFile(`${root}/tests/samples/imports/sacct.txt`, "utf8"));
        assert.match(await said(), /^the text: 5 to be stored/);

        await format().selectOption("seconds");
        assert.deepEqual(await pairs(), ["model=matmul", "algorithm=cannon", "variant=2d", "n=4096", "processes=16", "replication=1", "job=", "started_at=", ""]);
        await asking(page, "predict", () => n().fill("8192"));
        assert.equal((await pairs())[3], "n=8192", "they follow the question");
        await given().nth(6).fill("job=17");
        await paste("3.5\n3.7\n3.6");
        assert.match(await said(), /^the text: 1 to be stored for example, 0 already known\./);
        assert.deepEqual(await part().locator(".said tbody tr").allInnerTexts(), ["time_s\t3.6\t1", "repetitions\t3.5, 3.7, 3.6\t1"]);
        assert.equal((await api("machines/example/runs?model=matmul&n=8192")).items.length, 0, "a preview stores nothing");
        await keep("3.5\n3.7\n3.6");
        assert.match(await said(), /^the text: 1 stored/);
        await paste("3.5\n3.7\n3.6");
        assert.match(await said(), /^the text: 0 to be stored for example, 1 already known\./);
        assert.equal(await part().getByRole("button", { name: "Store", exact: true }).count(), 0);
        const { items: [run] } = await api("machines/example/runs?model=matmul&n=8192");
        assert.deepEqual([run.time_s, run.job, run.parameters.processes, run.parameters.variant], [3.6, "17", 16, "2d"]);
        await asking(page, "predict", () => n().fill("2048"));
        assert.equal((await pairs())[3], "n=8192", "what the user has changed stays");
        await paste("3.5\nsoon");
        assert.match(await said(), /'soon' is not a time in seconds/);

        for (const width of [1280, 390]) {
            await page.setViewportSize({ width, height: 844 });
            await assertNoOverflow(page);
            if (width === 1280) await assertAccessible(page, "#upload");
        }
    });
});

describe("a daemon without machines", () => {
    it("accepts a calibration, and then answers", async () => {
        const empty = await startDaemon({ calibrations: null });
        try {
            const document = await api(`calibrations/${await calibrationOf("blue-waters")}`);
            await page.goto(`${empty.url}/?${QUESTION}`);
            await settled(page);
            assert.match(await page.locator("#answer-problem").innerText(), /There is no machine yet/);
            await enter(await empty.token("write"));
            assert.match(await choose(file("run.json", run(1))), /there is no machine yet/);
            await choose(file("set.json", document));
            await page.locator("#time").waitFor();
            assert.match(await page.locator("#upload .said").innerText(), /calibration of blue-waters is stored/);
            assert.equal(new URL(page.url()).searchParams.get("machine"), "blue-waters");
        } finally {
            await leave(page);
            await empty.stop();
        }
    });
});
