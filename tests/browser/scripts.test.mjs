// "For a script": each command that the page prints is run by a shell, and answers.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { document as calibration } from "../api/golden_blocked.mjs";
import { root, temporaryFolder } from "../daemon.mjs";
import { assertNoOverflow, browser, daemon, newPage, page, settled, withPages } from "./browser.mjs";

const axe = createRequire(import.meta.url).resolve("axe-core");
const FIVE = `%%MatrixMarket matrix coordinate real general\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}2 1 -1\n1 2 -1\n5 4 -1\n4 5 -1\n`;
const AT_ONCE = 4;

let folder;

withPages({ args: ["--analyze-program", `${root}/tests/fake-analyze.sh`] }, async () => {
    folder = await temporaryFolder();
    await writeFile(folder.file(".curlrc"), 'write-out = "%{stderr}%{http_code}"\n');
    const token = await daemon.token("write");
    const send = async (path, body) => {
        const response = await fetch(`${daemon.url}/api/v1/${path}`, { method: "POST", body, headers: { Authorization: `Bearer ${token}`, "Content-Type": path.startsWith("matrices") ? "application/octet-stream" : "application/json" } });
        assert.ok(response.ok, await response.text());
    };
    const hopper = await (await fetch(`${daemon.url}/api/v1/calibrations/${(await (await fetch(`${daemon.url}/api/v1/machines/hopper`)).json()).calibration}`)).json();
    hopper.node.memory_bytes *= 2;
    await send("machines/hopper/calibrations", JSON.stringify(hopper));
    await send("machines/paper/calibrations", JSON.stringify(calibration("paper")));
    await send("machines/hopper/runs", JSON.stringify(Array.from({ length: 5 }, (_, i) => ({ model: "matmul", time_s: 10 + i / 100, started_at: `2026-11-0${i + 1}T10:00:00Z`,
        parameters: { algorithm: "cannon", variant: "2d", n: 32768, processes: 1024, threads: 6 } }))));
    await send("matrices?name=five&orderings=amd", FIVE);
    for (let status; status !== "ready";) ({ status } = await (await fetch(`${daemon.url}/api/v1/matrices/five`)).json());
});
after(() => folder?.remove());

async function visit(query, on = page) {
    await on.goto(`${daemon.url}/?${query}`);
    await settled(on);
}

/** Has everything drawn that is drawn when it is seen. */
async function seeAll(on = page) {
    for (let y = 0, height = 1; y < height; y += 500) {
        height = await on.evaluate((top) => { window.scrollTo(0, top); return document.documentElement.scrollHeight; }, y);
        await on.locator('[aria-busy="true"]').first().waitFor({ state: "detached" });
    }
}

/** The commands of a part of the page: [{ title, format, command }]. */
const commands = (within) => page.locator(within).evaluateAll((parts) => parts.flatMap((part) => [...part.querySelectorAll(".script")]).flatMap((script) => {
    const select = script.querySelector("select");
    return [...select.options].filter((option) => !option.disabled && !/^(slurm|pbs|lsf|add)$/.test(option.value)).map((option) => {
        select.value = option.value;
        select.dispatchEvent(new Event("change"));
        return { title: select.getAttribute("aria-label").replace("For a script: ", ""), format: option.value, command: script.querySelector("code").textContent };
    });
}));

async function run({ title, format, command }) {
    const { stderr } = await promisify(execFile)("sh", ["-c", command], { cwd: folder.path, env: { ...process.env, CURL_HOME: folder.path } }).catch((error) => error);
    return stderr === "200" ? null : `${title}, ${format}: ${stderr}\n${command}`;
}

/** Runs the commands, which have these formats; returns their titles. */
async function runAll(within, formats) {
    /* Those of a chart come with the chart. */
    for (const format of formats) await page.locator(within).locator(`.script option[value$="${format}"]:not([disabled])`).first().waitFor({ state: "attached" });
    const all = await commands(within), failed = [];
    for (let i = 0; i < all.length; i += AT_ONCE) failed.push(...await Promise.all(all.slice(i, i + AT_ONCE).map(run)));
    assert.deepEqual(failed.filter(Boolean), []);
    const found = new Set(all.map(({ format }) => format.split(".").at(-1)));
    assert.deepEqual([...formats].filter((format) => !found.has(format)), []);
    return [...new Set(all.map(({ title }) => title))];
}

const CHART = ["svg", "png", "pdf", "gp", "json"], ROWS = ["json", "csv", "txt"];

describe("each command answers 200", () => {
    it("of the sections about a question", async () => {
        await visit("model=matmul&machine=hopper&n=16384&processes=64&what_if.network.bandwidth=*2");
        await seeAll();
        await page.locator("#sensitivity").scrollIntoViewIfNeeded(); /* what came above it may have moved it out of sight */
        await page.locator("#sensitivity .script").nth(1).waitFor();
        for (const [section, formats, ...titles] of [["#answer", ROWS, "this prediction"], ["#scaling", [...ROWS, "ndjson", ...CHART], "scaling"], ["#ranking", [...ROWS, "ndjson"], "ranking"],
            ["#recommend", [...ROWS, "ndjson", ...CHART], "recommendation"], ["#what-if", [...ROWS, ...CHART], "what if", "what matters most"], ["#model", ROWS, "model"]]) {
            const found = await runAll(section, formats);
            for (const title of titles) assert.ok(found.includes(title), `${section} has ${found}`);
        }
    });

    it("of what-ifs without a change", async () => {
        for (const question of ["model=matmul&machine=hopper&n=16384&processes=64", "model=trinv&machine=example&n=500"]) {
            await visit(question);
            assert.deepEqual(await runAll("#what-if-body", ["json"]), ["what if"]);
        }
    });

    it("of pinned questions", async () => {
        const pin = "model=matmul&machine=hopper&n=8192&processes=64&algorithm=cannon&variant=2d&replication=1";
        await visit(`model=matmul&machine=hopper&n=16384&processes=64&pin=${encodeURIComponent(pin)}`);
        await page.locator("#compare .script").waitFor();
        assert.deepEqual(await runAll("#compare", ROWS), ["pinned questions"]);
    });

    it("of the machine", async () => {
        await visit("model=matmul&machine=hopper&n=16384&processes=64#machine");
        await seeAll();
        const titles = await runAll("#machine", [...ROWS, ...CHART]);
        for (const title of ["machine", "calibrations", "saved runs", "accuracy", "Predicted against measured times on hopper", "errors over time", "quality of the calibration", "comparison of calibrations"])
            assert.ok(titles.includes(title), titles.join("\n"));
    });

    it("of kernels, of a matrix and of its partitions", async () => {
        await visit("model=trinv&machine=paper&n=500&shown=five#machine");
        await page.locator(".kernel-charts").scrollIntoViewIfNeeded();
        await page.locator(".kernel-charts figure").nth(2).waitFor();
        await runAll(".kernel-charts", CHART);
        await page.locator("#partitions").getByLabel("Processes", { exact: true }).fill("1,2");
        await page.getByRole("button", { name: "Divide", exact: true }).click();
        await page.locator("#partition-messages").scrollIntoViewIfNeeded();
        await page.locator("#partition-messages img").waitFor();
        const titles = await runAll("#matrices", [...ROWS, ...CHART]);
        assert.match(await page.locator("#structures code").textContent(), /matrices\/[0-9a-f]+'$/);
        await page.locator("#structure-supernode_max").fill("64");
        await page.locator("#structures .script select").evaluate((select) => { select.value = "add"; select.dispatchEvent(new Event("change")); });
        const added = await page.locator("#structures code").textContent();
        assert.match(added, /Bearer \$TOKEN" .*"supernode_max":64/);
        assert.match((await promisify(execFile)("sh", ["-c", added], { env: { ...process.env, TOKEN: await daemon.token("write"), CURL_HOME: folder.path } })).stderr, /^20[02]$/);
        for (const title of ["block structures of five", "matrix five", "partitions of five", "the pattern of five"]) assert.ok(titles.includes(title), titles.join("\n"));
        const keys = [...new URL(page.url()).searchParams.keys()];
        assert.ok(keys.includes("script.partitions") && !keys.some((key) => key.includes("five")), keys.join("\n"));
    });

    it("of HPL, with its input file, and of grids", async () => {
        await visit("model=hpl&machine=example&n=4096&processes=4");
        await seeAll();
        for (const section of ["#answer", "#ranking", "#recommend"]) await runAll(section, ["dat"]);
        await runAll("#grids", CHART);
    });
});

it("an apostrophe, a newline and a dollar sign reach the daemon as they are", async () => {
    const line = await page.goto(daemon.url).then(() => page.evaluate(async () => {
        const { scriptView } = await import("./parts/request.js");
        return scriptView("it's", [{ text: "odd", path: "predict/matmul", query: { machine: "it's $HOME `id`\n\"x\"" }, formats: ["json"] }]).querySelector("code").textContent;
    }));
    const { stderr } = await promisify(execFile)("sh", ["-c", line.replace("-fsS", "-sS --fail-with-body -o answer")], { cwd: folder.path, env: { ...process.env, CURL_HOME: folder.path } }).catch((error) => error);
    assert.match(stderr, /422$/);
    assert.match(await readFile(folder.file("answer"), "utf8"), /it's \$HOME `id`/);
});

it("the file of an answer is one word of the shell, in the folder where the command runs", async () => {
    const names = ["{model}", "matmul", "it's (one) $HOME é", "..%2Fup", "%7Bmodel%7D/chart"];
    const lines = await page.goto(daemon.url).then(() => page.evaluate(async (all) => {
        const { curlOf } = await import("./parts/curl.js");
        return all.map((name) => curlOf({ url: new URL(`api/v1/chart/${name}.svg`, document.baseURI).href, format: "svg" }));
    }, names));
    const words = await Promise.all(lines.map(async (line) => (await promisify(execFile)("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${line}`])).stdout.split("\n")));
    assert.deepEqual(words.map(([, , file]) => file), ["chart.svg", "matmul.svg", "it's (one) $HOME é.svg", "..-up.svg", "chart.svg"]);
    for (const each of words) assert.equal(each.length, 5); /* -fsS -o FILE URL, and the end */
    assert.match(lines[1], / -o matmul\.svg '/);
});

it("the names of what a part is about are not in its keys of the address", async () => {
    await visit("model=matmul&machine=hopper&n=16384&processes=64&shown=five#matrices");
    await seeAll();
    const part = page.locator("#matrix");
    for (const title of ["matrix five", "block structures of five", "the pattern of five"]) await part.locator(".script summary", { hasText: title }).click();
    await part.getByRole("combobox", { name: "For a script: matrix five" }).selectOption({ index: 1 });
    for (const summary of await page.locator("#recommend summary, #machine summary", { hasText: /: Predicted against|The values as a table/ }).all()) await summary.click();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([...searchParams.keys()].filter((key) => key.startsWith("script.")), ["script.matrix"]);
    const keys = searchParams.get("open").split(",");
    for (const key of ["script-matrix", "script-structures", "script-pattern", "script-accuracy-chart", "values-errors-over-time", "values-nodes"]) assert.ok(keys.includes(key), `${key}: ${keys}`);
    assert.doesNotMatch(keys.join(), /five|hopper|matmul/);
});

it("what was chosen stays chosen with the next answer", async () => {
    await visit("model=matmul&machine=hopper&n=16384&processes=64");
    await page.locator("#ranking .script summary").click();
    await page.getByRole("combobox", { name: "For a script: ranking" }).selectOption("the ranking.csv");
    await page.getByRole("textbox", { name: "n", exact: true }).fill("8192");
    await page.locator("#ranking code", { hasText: "rank/matmul.csv?machine=hopper&n=8192&processes=64" }).waitFor();
});

it("the chosen command and the unfolded parts are in the address", async () => {
    const chosen = () => page.getByRole("combobox", { name: "For a script: ranking", includeHidden: true }), open = (part) => page.locator(part).first().evaluate((details) => details.open);
    const parts = () => Promise.all(["#ranking .script", "#request .script", "#answer .all", "#upload"].map(open));
    await visit("model=matmul&machine=hopper&n=16384&processes=64");
    assert.deepEqual(await parts(), [false, true, false, false]);
    for (const part of ["#ranking .script", "#request .script", "#answer .all", "#upload"]) await page.locator(`${part} > summary`).first().click();
    await page.locator("#ranking .script select").selectOption("the ranking.csv");
    const { searchParams } = new URL(page.url());
    assert.equal(searchParams.get("open"), "script-ranking,-script-this-prediction,all,upload");
    assert.equal(searchParams.get("script.ranking"), "the ranking.csv");
    await page.reload();
    await settled(page);
    assert.deepEqual(await parts(), [true, false, true, true]);
    assert.equal(await chosen().inputValue(), "the ranking.csv");
    await page.goBack();
    await page.locator("#ranking code", { hasText: "rank/matmul?machine" }).waitFor();
    assert.equal(await chosen().inputValue(), "the ranking.json");
    await visit("model=matmul&machine=hopper&n=16384&processes=64&script.ranking=the+moon.csv");
    assert.match(await page.locator("#notes").innerText(), /script\.ranking=the moon\.csv .+there is no such command/);
});

for (const [colorScheme, width] of [["light", 1280], ["dark", 390]])
    it(`has no accessibility fault that axe finds (${colorScheme}, ${width} pixels)`, async () => {
        const other = await newPage(browser, { viewport: { width, height: 844 }, colorScheme, bypassCSP: true, reducedMotion: "reduce" });
        try {
            await visit("model=matmul&machine=hopper&n=16384&processes=64&what_if.network.bandwidth=*2", other);
            await seeAll(other);
            for (const section of ["answer", "scaling", "ranking", "machine"]) {
                await other.locator(`.top nav a[href="#${section}"]`).click();
                await other.evaluate(() => { for (const details of document.querySelectorAll(".script")) details.open = true; });
                await other.locator('[aria-busy="true"]').first().waitFor({ state: "detached" }); /* what is dimmed */
                await assertNoOverflow(other);
                await other.evaluate(await readFile(axe, "utf8"));
                const { violations } = await other.evaluate((id) => window.axe.run(document.getElementById(id)), section);
                assert.deepEqual(violations.map(({ id, nodes }) => `${section}: ${id}: ${nodes[0].html}`), []);
            }
            assert.deepEqual(other.troubles(), []);
        } finally {
            await other.context().close();
        }
    });
