// Uploads of what other programs print, and of measured times alone, with the parameters of the question.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { it } from "node:test";
import { root } from "../daemon.mjs";
import { asking, assertAccessible, assertNoOverflow, daemon, page, settled, withPages } from "./browser.mjs";

const QUESTION = "model=matmul&machine=example&n=4096&processes=16&variant=2d&algorithm=cannon&replication=1";

let token;

withPages({}, async () => {
    token = await daemon.token("write");
});

const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();
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
async function store(text) {
    const response = await paste(text);
    assert.ok(response.ok(), await response.text());
    await asking(page, "predict/matmul", () => part().getByRole("button", { name: "Store", exact: true }).click());
}

it("the upload form takes every format that the daemon reads, and measured times alone with the parameters of the question", async () => {
    const { paths } = await api("openapi.json");
    const formats = paths["/api/v1/machines/{machine}/runs"].post.parameters.find(({ name }) => name === "format").schema.enum;
    await page.goto(`${daemon.url}/?${QUESTION}#upload`);
    await settled(page);
    await part().locator("summary").click();
    await part().getByLabel("Token").fill(token);
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
    for (const text of ["model=matmul", "n=4096", "cores=16", "algorithm=cannon", "variant=2d"]) await given().last().fill(text);
    await paste(await readFile(`${root}/tests/samples/imports/sacct.txt`, "utf8"));
    assert.match(await said(), /^the text: 5 to be stored/);

    await format().selectOption("seconds");
    assert.deepEqual(await pairs(), ["model=matmul", "algorithm=cannon", "variant=2d", "n=4096", "processes=16", "replication=1", "job=", "started_at=", ""]);
    await asking(page, "predict", () => n().fill("8192"));
    assert.equal((await pairs())[3], "n=8192", "they follow the question");
    await given().nth(6).fill("job=17");
    await paste("3.5\n3.7\n3.6");
    assert.match(await said(), /^the text: 1 to be stored, 0 already known\./);
    assert.deepEqual(await part().locator(".said tbody tr").allInnerTexts(), ["time_s\t3.6\t1", "repetitions\t3.5, 3.7, 3.6\t1"]);
    assert.equal((await api("machines/example/runs?model=matmul&n=8192")).items.length, 0, "a preview stores nothing");
    await store("3.5\n3.7\n3.6");
    assert.match(await said(), /^the text: 1 stored/);
    await paste("3.5\n3.7\n3.6");
    assert.match(await said(), /^the text: 0 to be stored, 1 already known\./);
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
