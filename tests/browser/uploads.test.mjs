// Uploads of what other programs print, and of measured times alone, with the parameters of the question.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { root } from "../daemon.mjs";
import { asking, assertNoOverflow, browser, daemon, newPage, page, settled, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const QUESTION = "model=matmul&machine=example&n=4096&processes=16&variant=2d&algorithm=cannon&replication=1";

let token;

withPages({}, async () => {
    token = await daemon.token("write");
});

const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();
const part = (on = page) => on.locator("#upload");
const said = () => part().locator(".said");
const pairs = () => part().getByLabel("Parameter of all runs").evaluateAll((all) => all.map(({ value }) => value));

async function visit(format, on = page) {
    await on.goto(`${daemon.url}/?${QUESTION}#upload`);
    await settled(on);
    await part(on).locator("summary").click();
    await part(on).getByLabel("Token").fill(token);
    await part(on).getByLabel("Format of runs").selectOption(format);
}

async function paste(text) {
    await part().getByLabel("Or paste the text").fill(text);
    const [response] = await Promise.all([page.waitForResponse((r) => r.request().method() === "POST" && new URL(r.url()).pathname.endsWith("/runs")), part().getByRole("button", { name: "Send the text" }).click()]);
    await part().locator(".waiting").first().waitFor({ state: "detached" });
    return response;
}

describe("the upload form", () => {
    it("offers every format that the daemon reads, and says what it expects", async () => {
        const { paths } = await api("openapi.json");
        const formats = paths["/api/v1/machines/{machine}/runs"].post.parameters.find(({ name }) => name === "format").schema.enum;
        await visit("");
        const options = await part().getByLabel("Format of runs").locator("option").evaluateAll((all) => all.map(({ value }) => value));
        assert.deepEqual(options, ["", ...formats]);
        const told = new Set();
        for (const format of options) {
            await part().getByLabel("Format of runs").selectOption(format);
            told.add(await part().locator("fieldset, .inline-form + .hint").first().innerText());
        }
        assert.equal(told.size, options.length);
    });

    for (const [format, file, given, stored] of [
        ["hpl", "hpl-2.3.txt", [], 1], ["scalapack", "scalapack-pblas.txt", [], 4], ["extrap", "extrap.jsonl", ["model=matmul", "algorithm=cannon", "variant=2d"], 2],
        ["sacct", "sacct.txt", ["model=matmul", "n=4096", "cores=16", "algorithm=cannon", "variant=2d"], 5], ["samples", "samples-journal.csv", [], 9]])
        it(`stores ${format}`, async () => {
            await visit(format);
            const last = part().getByLabel("Parameter of all runs").last();
            for (const text of given) await last.fill(text);
            const response = await paste(await readFile(`${root}/tests/samples/imports/${file}`, "utf8"));
            assert.ok(response.ok(), await response.text());
            assert.match(await said().innerText(), new RegExp(`^the text: ${stored} stored`));
        });

    it("takes measured times alone, with the parameters of the question", async () => {
        await visit("seconds");
        assert.deepEqual(await pairs(), ["model=matmul", "algorithm=cannon", "variant=2d", "n=4096", "processes=16", "replication=1", "job=", "started_at=", ""]);
        await asking(page, "predict", () => page.getByRole("textbox", { name: "n", exact: true }).fill("8192"));
        assert.equal((await pairs())[3], "n=8192", "they follow the question");
        await part().getByLabel("Parameter of all runs").nth(6).fill("job=17");
        await paste("3.5\n3.7\n3.6");
        assert.match(await said().innerText(), /^the text: 1 stored/);
        const { items: [run] } = await api("machines/example/runs?model=matmul&n=8192");
        assert.deepEqual([run.time_s, run.job, run.parameters.processes, run.parameters.variant], [3.6, "17", 16, "2d"]);
        await asking(page, "predict", () => page.getByRole("textbox", { name: "n", exact: true }).fill("2048"));
        assert.equal((await pairs())[3], "n=8192", "what the user has changed stays");
    });

    it("says what is wrong with the text, and that there is none", async () => {
        await visit("seconds");
        await part().getByRole("button", { name: "Send the text" }).click();
        assert.match(await said().innerText(), /There is no text to send/);
        await paste("3.5\nsoon");
        assert.match(await said().innerText(), /'soon' is not a time in seconds/);
    });

    for (const [colorScheme, width] of [["light", 1280], ["dark", 390]])
        it(`has no accessibility fault that axe finds (${colorScheme}, ${width} pixels)`, async () => {
            const other = await newPage(browser, { viewport: { width, height: 844 }, colorScheme, bypassCSP: true, reducedMotion: "reduce" });
            try {
                await visit("seconds", other);
                await assertNoOverflow(other);
                await other.evaluate(await readFile(axe, "utf8"));
                const { violations } = await other.evaluate(() => window.axe.run(document.getElementById("upload")));
                assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes[0].html}`), []);
            } finally {
                await other.context().close();
            }
        });
});
