// "For a script": each command that the page prints is run by a shell, and answers.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { document as calibration } from "../api/golden_blocked.mjs";
import { root, temporaryFolder, until } from "../daemon.mjs";
import { assertNoOverflow, daemon, page, settled, turn, withPages } from "./browser.mjs";
import { choice, entry, narrowTo, visit } from "./visit.mjs";

const FIVE = `%%MatrixMarket matrix coordinate real general\n5 5 9\n${[1, 2, 3, 4, 5].map((i) => `${i} ${i} 4\n`).join("")}2 1 -1\n1 2 -1\n5 4 -1\n4 5 -1\n`;

let folder;

/* What waits until it is seen is drawn at once. */
function seeingAll() {
    window.IntersectionObserver = class {
        constructor(act) { this.act = act; }
        observe(target) { queueMicrotask(() => this.act?.([{ target, isIntersecting: true }])); }
        disconnect() {}
    };
}

withPages({ init: seeingAll, args: ["--analyze-program", `${root}/tests/fake-analyze.sh`] }, async () => {
    folder = await temporaryFolder();
    await writeFile(folder.file(".curlrc"), 'write-out = "%{stderr}%{http_code}\\n"\n');
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
    await until("the matrix is ready", async () => (await (await fetch(`${daemon.url}/api/v1/matrices/five`)).json()).status === "ready");
});
after(() => folder?.remove());

/** The commands of a part of the page: [{ title, format, command }]. */
const commands = (within) => page.locator(within).evaluateAll((parts) => parts.flatMap((part) => [...part.querySelectorAll(".script")]).flatMap((script) => {
    const select = script.querySelector("select");
    return [...select.options].filter((option) => !option.disabled && !/^(slurm|pbs|lsf|reframe|add)$/.test(option.value)).map((option) => {
        select.value = option.value;
        select.dispatchEvent(new Event("change"));
        return { title: select.getAttribute("aria-label").replace("For a script: ", ""), format: option.value, command: script.querySelector("code").textContent };
    });
}));

/** Runs lines; returns what they print to stderr: the status of each command. */
const shell = async (lines, env = {}) => (await promisify(execFile)("sh", ["-c", lines], { cwd: folder.path, env: { ...process.env, CURL_HOME: folder.path, ...env }, maxBuffer: 1 << 26 }).catch((error) => error)).stderr.trim();

/** Runs the commands, which have these formats and titles; returns all titles. */
async function runAll(within, formats, titles = []) {
    /* Those of a chart come with the chart. */
    for (const wanted of [...formats.map((format) => `option[value$="${format}"]`), ...titles.map((title) => `select[aria-label="For a script: ${title}"] option`)])
        await page.locator(within).locator(`.script ${wanted}:not([disabled])`).first().waitFor({ state: "attached" });
    const all = await commands(within), told = (await shell(all.map(({ command }) => command).join("\n"))).split("\n");
    assert.deepEqual(told.map((status, i) => `${status} ${all[i]?.command}`), all.map(({ command }) => `200 ${command}`));
    const found = new Set(all.map(({ format }) => format.split(".").at(-1)));
    assert.deepEqual([...formats].filter((format) => !found.has(format)), []);
    return [...new Set(all.map(({ title }) => title))];
}

const CHART = ["svg", "png", "pdf", "gp", "json"], ROWS = ["json", "csv", "txt"];

const MATMUL = "model=matmul&machine=hopper&n=16384&processes=64";

describe("each command answers 200", () => {
    it("of the sections about a question, which fit a phone", async () => {
        await visit(`${MATMUL}&what_if.network.bandwidth=*2`);
        for (const [section, formats, ...titles] of [["#answer", ROWS, "this prediction"], ["#scaling", [...ROWS, "ndjson", ...CHART], "scaling"], ["#ranking", [...ROWS, "ndjson"], "ranking"],
            ["#recommend", [...ROWS, "ndjson", ...CHART], "recommendation"], ["#what-if", [...ROWS, ...CHART], "what if", "what matters most"], ["#model", ROWS, "model"]])
            await runAll(section, formats, titles);

        await page.evaluate(() => { for (const details of document.querySelectorAll(".script")) details.open = true; });
        await settled(page); /* what is dimmed */
        await assertNoOverflow(page);
        for (const section of ["answer", "scaling", "ranking", "machine"]) await narrowTo(390, section);
    });

    it("of what-ifs without a change, of pins, of the machine, of kernels, of a matrix and its partitions, of HPL and its grids", async () => {
        await visit(MATMUL);
        /* An apostrophe, a newline and a dollar sign reach the daemon as they are. */
        const odd = await page.evaluate(async () => {
            const { scriptView } = await import(new URL("parts/request.js", document.querySelector("script").src)); /* that of the page */
            return scriptView("it's", [{ text: "odd", path: "predict/matmul", query: { machine: "it's $HOME `id`\n\"x\"" }, formats: ["json"] }]).querySelector("code").textContent;
        });
        assert.match(await shell(odd.replace("-fsS", "-sS --fail-with-body -o answer")), /422$/);
        assert.match(await readFile(folder.file("answer"), "utf8"), /it's \$HOME `id`/);

        assert.deepEqual(await runAll("#what-if-body", ["json"]), ["what if"]);
        await turn(page, "model=trinv&machine=example&n=500");
        assert.deepEqual(await runAll("#what-if-body", ["json"]), ["what if"]);

        const pin = "model=matmul&machine=hopper&n=8192&processes=64&algorithm=cannon&variant=2d&replication=1";
        await turn(page, `${MATMUL}&pin=${encodeURIComponent(pin)}`);
        assert.deepEqual(await runAll("#compare", ROWS), ["pinned questions"]);

        await runAll("#machine", [...ROWS, ...CHART], ["machine", "calibrations", "saved runs", "accuracy", "Predicted against measured times on hopper", "errors over time", "quality of the calibration", "comparison of calibrations"]);

        await turn(page, "model=trinv&machine=paper&n=500&shown=five");
        await page.locator(".kernel-charts figure").nth(2).waitFor();
        await runAll(".kernel-charts", CHART);
        await page.locator("#partitions").getByLabel("Processes", { exact: true }).fill("1,2");
        await page.getByRole("button", { name: "Divide", exact: true }).click();
        await page.locator("#partition-messages img").waitFor();
        await runAll("#matrices", [...ROWS, ...CHART], ["block structures of five", "matrix five", "partitions of five", "the pattern of five"]);
        assert.match(await page.locator("#structures code").textContent(), /matrices\/[0-9a-f]+'$/);
        await page.locator("#structure-supernode_max").fill("64");
        await page.locator("#structures .script select").evaluate((select) => { select.value = "add"; select.dispatchEvent(new Event("change")); });
        const added = await page.locator("#structures code").textContent();
        assert.match(added, /Bearer \$TOKEN" .*"supernode_max":64/);
        assert.match(await shell(added, { TOKEN: await daemon.token("write") }), /^20[02]$/);
        const keys = [...new URL(page.url()).searchParams.keys()];
        assert.ok(keys.includes("script.partitions") && !keys.some((key) => key.includes("five")), keys.join("\n"));

        await turn(page, "model=hpl&machine=example&n=4096&processes=4");
        for (const section of ["#answer", "#ranking", "#recommend"]) await runAll(section, ["dat"]);
        await runAll("#grids", CHART);
    });
});

it("the chosen command and the unfolded parts are in the address, without names, and stay with the next answer", async () => {
    const chosen = () => page.getByRole("combobox", { name: "For a script: ranking", includeHidden: true }), open = (part) => page.locator(part).first().evaluate((details) => details.open);
    const parts = () => Promise.all(["#ranking .script", "#request .script", "#answer .all", "#upload"].map(open));
    await visit(MATMUL);
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
    await choice("For a script: ranking").selectOption("the ranking.csv");
    await entry("n").fill("8192");
    await page.locator("#ranking code", { hasText: "rank/matmul.csv?machine=hopper&n=8192&processes=64" }).waitFor();
    await turn(page, `${MATMUL}&script.ranking=the+moon.csv`);
    assert.match(await page.locator("#notes").innerText(), /script\.ranking=the moon\.csv .+there is no such command/);

    await turn(page, `${MATMUL}&shown=five`);
    const part = page.locator("#matrix");
    for (const title of ["matrix five", "block structures of five", "the pattern of five"]) await part.locator(".script summary", { hasText: title }).click();
    await part.getByRole("combobox", { name: "For a script: matrix five" }).selectOption({ index: 1 });
    await page.locator("#accuracy").scrollIntoViewIfNeeded();
    await page.locator("#accuracy img").waitFor();
    await page.locator("#machine summary", { hasText: ": Predicted against" }).waitFor();
    for (const summary of await page.locator("#recommend summary, #machine summary", { hasText: /: Predicted against|The values as a table/ }).all()) await summary.click();
    const now = new URL(page.url()).searchParams;
    assert.deepEqual([...now.keys()].filter((key) => key.startsWith("script.")), ["script.matrix"]);
    const keys = now.get("open").split(",");
    for (const key of ["script-matrix", "script-structures", "script-pattern", "script-accuracy-chart", "values-errors-over-time", "values-nodes"]) assert.ok(keys.includes(key), `${key}: ${keys}`);
    assert.doesNotMatch(keys.join(), /five|hopper|matmul/);
});
