// The page of the API: each route with an example that works, its curl, and what comes back.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { gzipSync } from "node:zlib";
import { client, worked } from "../api/client.mjs";
import { root } from "../daemon.mjs";
import { assertNoOverflow, belowPrefix, browser, daemon, newPage, page, settled, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const FILES = ["api.html", "api.css", "reference/api_page.js", "reference/api_routes.js"];
const MOST_BYTES = 12_800; /* compressed, without what the dashboard has too */
const SIDE = 12;           /* of the grid of a matrix */

let writing;

/* Something of each kind: two calibrations of a machine, runs with predictions, an analyzed and divided matrix. */
withPages({}, async () => {
    const api = client(daemon.url), token = await daemon.token("write");
    writing = { token };
    const upload = async (path, body, type = "application/json") => {
        const { status, json } = await api.post(`/api/v1/${path}`, Buffer.from(body), { token, headers: { "Content-Type": type } });
        assert.ok([200, 201, 202].includes(status), `${path}: ${status} ${JSON.stringify(json)}`);
    };
    for (const description of ["one", "another"]) await upload("machines/worked/calibrations", JSON.stringify({ ...JSON.parse(worked), description }));
    const parameters = { algorithm: "cannon", variant: "2d", n: 4000, processes: 16, threads: 4 };
    await upload("machines/worked/runs", JSON.stringify([0.3, 0.31].map((time_s, i) => ({ schema: "forerun-run-1", model: "matmul", parameters, time_s, started_at: `2026-11-2${i}T10:00:00Z` }))));
    await upload("matrices?name=grid", grid(), "application/octet-stream");
    await until(async () => (await api.get("/api/v1/matrices/grid")).json.status === "ready");
    await until(async () => (await api.get("/api/v1/matrices/grid/partitions?processes=2,4")).status === 200);
});

async function until(isDone) {
    for (let i = 0; i < 600; i++) {
        if (await isDone()) return;
        await new Promise((done) => { setTimeout(done, 50); });
    }
    assert.fail("never done");
}

function grid() {
    const entries = [], at = (i, j) => i * SIDE + j + 1;
    for (let i = 0; i < SIDE; i++) for (let j = 0; j < SIDE; j++) {
        entries.push(`${at(i, j)} ${at(i, j)} 4`);
        if (i) entries.push(`${at(i, j)} ${at(i - 1, j)} -1`, `${at(i - 1, j)} ${at(i, j)} -1`);
        if (j) entries.push(`${at(i, j)} ${at(i, j - 1)} -1`, `${at(i, j - 1)} ${at(i, j)} -1`);
    }
    return `%%MatrixMarket matrix coordinate real general\n${SIDE * SIDE} ${SIDE * SIDE} ${entries.length}\n${entries.join("\n")}\n`;
}

const document = async () => (await fetch(`${daemon.url}/api/v1/openapi.json`)).json();
const command = (on = page) => on.locator("#command").textContent();
const field = (name, on = page) => on.locator(`[id="p-${name}"]`);
const heading = (on = page) => on.locator("#route h1");

async function visit(fragment = "", on = page, url = daemon.url) {
    await on.goto("about:blank"); /* a new fragment alone loads nothing */
    await on.goto(`${url}/api.html${fragment && `#${fragment}`}`);
    await on.locator("#route:not([aria-busy]) h1").waitFor();
}

/** Sends the request; returns { status, answer }. */
async function send(on = page) {
    await on.getByRole("button", { name: "Send", exact: true }).click();
    const status = await on.locator(".answer .status").innerText();
    return { status, answer: await on.locator(".answer").innerText() };
}

const shell = (text, env = {}) => execFileSync("sh", ["-c", text], { encoding: "utf8", env: { ...process.env, ...env }, maxBuffer: 1 << 26 });

describe("the page of the API", () => {
    it("is where the dashboard's link leads, and lists every route with its sentence", async () => {
        await page.goto(daemon.url);
        await settled(page);
        await page.getByRole("link", { name: "API", exact: true }).click();
        await page.locator("#list li").first().waitFor();
        const { paths } = await document();
        const known = Object.entries(paths).flatMap(([path, item]) => ["get", "post", "put", "delete"].filter((method) => item[method])
            .map((method) => `${method === "get" ? "" : `${method} `}${path.replace(/^\/api\/v1\//, "")} ${item[method].summary.replace(/\.$/, "").replaceAll("`", "")}`));
        const listed = await page.locator("#list li > a").evaluateAll((links) => links.map((link) => link.textContent.trim()));
        assert.deepEqual([...listed].sort(), known.map((text) => text.replace(/\s+/g, " ")).sort());
    });

    it("has an example of every GET route that answers 200 when it is sent", async () => {
        await visit();
        const routes = await page.locator("#list li > a").evaluateAll((links) => links.map((link) => link.getAttribute("href").slice(1)));
        let sent = 0;
        for (const route of routes.filter((each) => !/^(post|put|delete):|^audit$/.test(each))) {
            await visit(route);
            assert.equal((await send()).status, "200 OK", `${route}: ${await command()}`);
            sent++;
        }
        assert.ok(sent > 30, `${sent} routes`);
    });

    it("has examples that work for every model, or says why there is none", async () => {
        await visit();
        const { wrong, lacking, asked } = await page.evaluate(async () => {
            const { exampleFor, routes, urlOf } = await import("./reference/api_routes.js"), { all } = await routes(), found = { wrong: [], lacking: [], asked: 0 };
            const { items } = await (await fetch("api/v1/models")).json();
            for (const route of all.filter(({ path, method }) => method === "get" && path.includes("{model}"))) for (const { name } of items) {
                const { values, lacks } = await exampleFor(route, new Map([["model", name]]));
                const { status } = await fetch(urlOf({ route, values, format: "" }));
                found.asked++;
                if (lacks) found.lacking.push(lacks);
                else if (status !== 200) found.wrong.push(`${status} ${urlOf({ route, values, format: "" })}`);
            }
            return found;
        });
        assert.deepEqual(wrong, []);
        assert.deepEqual([...new Set(lacking.map((text) => text.replace(/^\w+ /, "")))].sort(), ["has no nodes to draw over.", "has no tunable to compare."]);
        assert.ok(asked > 150, `${asked} examples`);
    });

    it("shows the curl command of each keystroke, which gives what Send shows", async () => {
        await visit("predict/matmul");
        for (const digits of ["1", "12", "128"]) {
            await field("n").fill(digits);
            assert.match(await command(), new RegExp(`[?&]n=${digits}'$|[?&]n=${digits}&`));
        }
        await page.locator("#format").selectOption(".txt");
        await page.waitForURL(/#predict\/matmul\.txt\?.*n=128/);
        const { status, answer } = await send();
        assert.equal(status, "200 OK");
        for (const header of ["Content-Type", "ETag", "Cache-Control"]) assert.ok(answer.includes(header), answer);
        const told = shell(await command());
        assert.equal(await page.getByRole("region", { name: "Answer" }).textContent(), told);
        assert.match(told, /^time_s=/m);
    });

    it("is reproduced from its address", async () => {
        await visit("predict/matmul");
        await field("threads").fill("2");
        await field("further").fill("what_if.network.bandwidth=*2");
        await page.waitForURL(/threads=2.*what_if/);
        const [before, address] = [await command(), page.url()];
        const other = await newPage(browser);
        await other.goto(address);
        await heading(other).waitFor();
        assert.equal(await command(other), before);
        assert.equal(await field("further", other).inputValue(), "what_if.network.bandwidth=*2");
        assert.deepEqual(other.troubles(), []);
        await other.context().close();
    });

    it("says of each parameter what its descriptor says", async () => {
        await visit("predict/matmul");
        const { parameters } = await (await fetch(`${daemon.url}/api/v1/models/matmul`)).json();
        for (const { name, description } of parameters) {
            const row = page.locator(".row", { has: field(name) });
            assert.ok((await row.innerText()).includes(description.replace(/\s+/g, " ").replaceAll("`", "")), name);
        }
        const hint = await page.locator("#p-threads-hint .range").innerText();
        assert.equal(hint, "integer; 1 to 65,536; default 1");
    });

    it("shows a refusal at its field", async () => {
        await visit("predict/matmul");
        await field("n").fill("0");
        await field("further").fill("procesess=4");
        const { status, answer } = await send();
        assert.match(status, /^422/);
        assert.match(answer, /application\/problem\+json/);
        assert.equal(await field("n").getAttribute("aria-invalid"), "true");
        assert.match(await page.locator("#p-n-fault").innerText(), /outside 1 to/);
        assert.match(await page.locator("#p-further-fault").innerText(), /did you mean processes/);
    });

    it("changes the model, with an example of it, and returns with Back", async () => {
        await visit("rank/matmul");
        await field("model").selectOption("trinv");
        await page.locator("#command", { hasText: "rank/trinv" }).waitFor();
        assert.match(await command(), /n=1000/);
        await page.goBack();
        await page.locator("#command", { hasText: "rank/matmul" }).waitFor();
    });

    it("draws charts as pictures, and indents JSON", async () => {
        await visit("chart/matmul.png");
        await send();
        assert.ok(await page.locator(".answer img").evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
        assert.match(await command(), /^curl -fsS -o matmul\.png '/);
        await visit("models");
        await send();
        assert.match(await page.getByRole("region", { name: "Answer" }).textContent(), /^\{\n {2}"items": \[\n/);
    });

    it("shows the beginning of a long answer alone", async () => {
        await visit("openapi.yaml");
        const { status } = await send();
        assert.equal(status, "200 OK");
        assert.equal((await page.getByRole("region", { name: "Answer" }).textContent()).length, 64 * 1024);
        await page.getByRole("link", { name: /open the whole answer/ }).waitFor();
    });

    it("shows writes with the token of the shell, and does not send them", async () => {
        const before = await (await fetch(`${daemon.url}/api/v1/machines/worked`)).json();
        await visit("put:machines/worked");
        assert.equal(await page.getByRole("button", { name: "Send" }).count(), 0);
        await page.locator("#body").fill('{"description": "It\'s ours"}');
        const text = await command();
        assert.match(text, /-X PUT -H "Authorization: Bearer \$TOKEN"/);
        assert.equal((await (await fetch(`${daemon.url}/api/v1/machines/worked`)).json()).description, before.description);
        assert.equal(JSON.parse(shell(text, { TOKEN: writing.token })).description, "It's ours");
        for (const fragment of ["delete:machines/{machine}", "post:matrices", "audit"]) {
            await visit(fragment);
            assert.match(await command(), /\$TOKEN/);
            assert.equal(await page.getByRole("button", { name: "Send" }).count(), 0);
        }
    });

    it("sends a batch of predictions, which needs no token", async () => {
        await visit("post:predict");
        assert.doesNotMatch(await command(), /TOKEN/);
        const { status } = await send();
        assert.equal(status, "200 OK");
        const shown = JSON.parse(await page.getByRole("region", { name: "Answer" }).textContent());
        assert.ok(shown.results[0].time_s > 0);
        assert.deepEqual(JSON.parse(shell(await command())), shown);
    });

    it("finds routes and parameters with the keyboard", async () => {
        await visit();
        await page.keyboard.press("/");
        await page.keyboard.type("accuracy history");
        await page.locator("#found", { hasText: "1 of" }).waitFor();
        await page.keyboard.press("Enter");
        await page.locator("h1", { hasText: "accuracy/history" }).waitFor();
        await page.locator("#search").fill("rank block_size");
        const models = page.locator("#list li", { hasText: "rank/{model}" }).locator(".links a");
        await models.first().waitFor();
        assert.ok((await models.allInnerTexts()).includes("trinv"));
        assert.ok(!(await models.allInnerTexts()).includes("matmul"));
        await models.getByText("trinv", { exact: true }).press("Enter");
        await page.locator("#command", { hasText: "rank/trinv" }).waitFor();
        await field("n").fill("500");
        await field("n").press("Enter"); /* sends */
        assert.equal(await page.locator(".answer .status").innerText(), "200 OK");
    });

    it("says that a route is unknown", async () => {
        await page.goto(`${daemon.url}/api.html#no/such/route`);
        await page.getByRole("alert").waitFor();
        assert.match(await page.getByRole("alert").innerText(), /no\/such\/route/);
    });

    it("works below a path prefix", () => belowPrefix(async (url) => {
        await visit("rank/matmul", page, url);
        assert.match(await command(), new RegExp(`'${url}/api/v1/rank/matmul\\?`));
        assert.equal((await send()).status, "200 OK");
        await visit("/healthz", page, url);
        assert.equal(await command(), `curl -fsS '${url}/healthz'`);
        assert.equal((await send()).status, "200 OK");
    }));
});

for (const [colorScheme, width] of [["light", 1280], ["dark", 390]])
    it(`has no accessibility fault that axe finds, and fits ${width} pixels (${colorScheme})`, async () => {
        const own = await newPage(browser, { colorScheme, bypassCSP: true, viewport: { width, height: 844 } });
        try {
            for (const fragment of ["", "predict/matmul", "chart/trinv.svg", "put:machines/worked"]) {
                await visit(fragment, own);
                if (!fragment.startsWith("put") && fragment) await send(own);
                await assertNoOverflow(own);
                await own.evaluate(await readFile(axe, "utf8"));
                const { violations } = await own.evaluate(() => window.axe.run());
                assert.deepEqual(violations.map(({ id, nodes }) => `${fragment}: ${id}: ${nodes[0].html}`), []);
            }
            assert.deepEqual(own.troubles(), []);
        } finally {
            await own.context().close();
        }
    });

it("is small, without inline script or style", async () => {
    const files = await Promise.all(FILES.map((name) => readFile(`${root}/static/${name}`, "utf8")));
    const bytes = files.reduce((total, text) => total + gzipSync(text, { level: 9 }).length, 0);
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
    assert.doesNotMatch(files[0], /<script(?![^>]* src=)|<style|style=|\son\w+=/);
});
