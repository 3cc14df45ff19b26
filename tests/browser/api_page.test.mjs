// The page of the API: each route with an example that works, its curl, and what comes back.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "node:test";
import { assertAccessible, assertNoOverflow, daemon, leave, page, withPages } from "./browser.mjs";

let writing;

withPages({ charts: true }, async () => {
    writing = { token: await daemon.token("write") };
});

const document = async () => (await fetch(`${daemon.url}/api/v1/openapi.json`)).json();
const command = () => page.locator("#command").textContent();
const field = (name) => page.locator(`[id="p-${name}"]`);
const answer = () => page.getByRole("region", { name: "Answer" });
const status = () => page.locator(".answer .status").innerText();

/** Shows a route, on the page that the test before has left unless it shows that route already. */
async function visit(fragment = "") {
    const { href, hash } = new URL(page.url());
    if (fragment && href.startsWith(`${daemon.url}/api.html`) && hash !== `#${fragment}`) return follow(fragment);
    await leave(page);
    await page.goto(`${daemon.url}/api.html${fragment && `#${fragment}`}`);
    return page.locator("#route:not([aria-busy]) h1").waitFor();
}

/** Follows a link to a fragment. */
async function follow(fragment) {
    await page.evaluate((hash) => new Promise((done) => {
        addEventListener("hashchange", done, { once: true });
        location.hash = hash;
    }), fragment);
    await page.locator("#route:not([aria-busy]) h1").waitFor();
}

/** Sends the request; returns its status. */
async function send() {
    await page.getByRole("button", { name: "Send", exact: true }).click();
    return status();
}

async function fits() {
    for (const width of [390, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        await assertNoOverflow(page);
    }
}

const shell = (text, env = {}) => execFileSync("sh", ["-c", text], { encoding: "utf8", env: { ...process.env, ...env }, maxBuffer: 1 << 26 });

it("lists every route with its sentence; they are found with the keyboard", async () => {
    await visit();
    await page.locator("#list li").first().waitFor();
    const { paths } = await document();
    const known = Object.entries(paths).flatMap(([path, item]) => ["get", "post", "put", "delete"].filter((method) => item[method])
        .map((method) => `${method === "get" ? "" : `${method} `}${path.replace(/^\/api\/v1\//, "")} ${item[method].summary.replace(/\.$/, "").replaceAll("`", "")}`));
    const listed = await page.locator("#list li > a").evaluateAll((links) => links.map((link) => link.textContent.trim()));
    assert.deepEqual([...listed].sort(), known.map((text) => text.replace(/\s+/g, " ")).sort());

    await fits();
    await assertAccessible(page);
    await page.keyboard.press("/");
    await page.keyboard.type("accuracy history");
    await page.locator("#found", { hasText: /^1 of/ }).waitFor();
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
    assert.equal(await status(), "200 OK");
});

it("a request has its parameters, the curl command of each keystroke, which gives what Send shows, and its own address", async () => {
    await visit("predict/matmul");
    const { parameters } = await (await fetch(`${daemon.url}/api/v1/models/matmul`)).json();
    for (const { name, description } of parameters) {
        const row = page.locator(".row", { has: field(name) });
        assert.ok((await row.innerText()).includes(description.replace(/\s+/g, " ").replaceAll("`", "")), name);
    }
    assert.equal(await page.locator("#p-threads-hint .range").innerText(), "integer; 1 to 65,536; default 1");

    for (const digits of ["1", "12", "128"]) {
        await field("n").fill(digits);
        assert.match(await command(), new RegExp(`[?&]n=${digits}'$|[?&]n=${digits}&`));
    }
    await page.locator("#format").selectOption(".txt");
    await page.waitForURL(/#predict\/matmul\.txt\?.*n=128/);
    assert.equal(await send(), "200 OK");
    const said = await page.locator(".answer").innerText();
    for (const header of ["Content-Type", "ETag", "Cache-Control"]) assert.ok(said.includes(header), said);
    const told = shell(await command());
    assert.equal(await answer().textContent(), told);
    assert.match(told, /^time_s=/m);

    await field("n").fill("0");
    await field("further").fill("procesess=4");
    assert.match(await send(), /^422/);
    assert.match(await page.locator(".answer").innerText(), /application\/problem\+json/);
    assert.equal(await field("n").getAttribute("aria-invalid"), "true");
    assert.match(await page.locator("#p-n-fault").innerText(), /outside 1 to/);
    assert.match(await page.locator("#p-further-fault").innerText(), /did you mean processes/);
    await fits();
    await assertAccessible(page, "#request");
    await page.setViewportSize({ width: 390, height: 844 });
    await assertAccessible(page, "body");
    await page.setViewportSize({ width: 1280, height: 844 });

    await field("threads").fill("2");
    await field("further").fill("what_if.network.bandwidth=*2");
    await page.waitForURL(/threads=2.*what_if/);
    const [before, address] = [await command(), page.url()];
    await visit(new URL(address).hash.slice(1));
    assert.equal(await command(), before);
    assert.equal(await field("further").inputValue(), "what_if.network.bandwidth=*2");
});

it("changes the model, with an example of it, and returns with Back; draws charts as pictures, and shows the beginning of a long answer", async () => {
    await visit("rank/matmul");
    await field("model").selectOption("trinv");
    await page.locator("#command", { hasText: "rank/trinv" }).waitFor();
    assert.match(await command(), /n=1000/);
    await page.goBack();
    await page.locator("#command", { hasText: "rank/matmul" }).waitFor();

    await follow("chart/matmul.png");
    await send();
    assert.ok(await page.locator(".answer img").evaluate((image) => image.decode().then(() => image.naturalWidth)) > 100);
    assert.match(await command(), /^curl -fsS -o matmul\.png '/);
    await fits();
    await assertAccessible(page, "#request .answer");
    await follow("models");
    await send();
    assert.match(await answer().textContent(), /^\{\n {2}"items": \[\n/);
    await follow("openapi.yaml");
    assert.equal(await send(), "200 OK");
    assert.equal((await answer().textContent()).length, 64 * 1024);
    await page.getByRole("link", { name: /open the whole answer/ }).waitFor();

    await page.evaluate(() => { location.hash = "no/such/route"; });
    await page.getByRole("alert").waitFor();
    assert.match(await page.getByRole("alert").innerText(), /no\/such\/route/);
});

it("sends a batch of predictions, which needs no token, but no writes, which it shows with the token of the shell", async () => {
    await visit("post:predict");
    assert.doesNotMatch(await command(), /TOKEN/);
    assert.equal(await send(), "200 OK");
    const shown = JSON.parse(await answer().textContent());
    assert.ok(shown.results[0].time_s > 0);
    assert.deepEqual(JSON.parse(shell(await command())), shown);

    const described = async () => (await (await fetch(`${daemon.url}/api/v1/machines/hopper`)).json()).description;
    const before = await described();
    await follow("put:machines/hopper");
    assert.equal(await page.getByRole("button", { name: "Send" }).count(), 0);
    await page.locator("#body").fill('{"description": "It\'s ours"}');
    const text = await command();
    assert.match(text, /-X PUT -H "Authorization: Bearer \$TOKEN"/);
    await fits();
    await assertAccessible(page, "#request");
    assert.equal(await described(), before);
    assert.equal(JSON.parse(shell(text, { TOKEN: writing.token })).description, "It's ours");
    for (const fragment of ["delete:machines/{machine}", "post:matrices", "audit"]) {
        await follow(fragment);
        assert.match(await command(), /\$TOKEN/);
        assert.equal(await page.getByRole("button", { name: "Send" }).count(), 0);
    }
});
