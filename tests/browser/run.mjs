// Runs files of browser tests, two at a time, with one Chromium, and one daemon for the files that change nothing in it.
//
//     node tests/browser/run.mjs [--logs FOLDER] [FILE…]
//
// Without files it runs all of this folder.  The output of each is FOLDER/NAME.log, in TAP.
import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { startPageDaemon } from "../page/daemon.mjs";
import { CHROMIUM, isFirefox } from "./browser.mjs";

const AT_ONCE = 2, HUNG_MS = 900_000;
const here = fileURLToPath(new URL(".", import.meta.url));

const given = process.argv.slice(2), at = given.indexOf("--logs");
const [, folder = "build/tests/browser"] = at < 0 ? [] : given.splice(at, 2);
const files = given.length ? given : (await readdir(here)).filter((name) => name.endsWith(".test.mjs")).map((name) => join(here, name));

/* The largest first: none of them is then the last one alone. */
const sizes = new Map(await Promise.all(files.map(async (file) => [file, (await stat(file)).size])));
const waiting = [...files].sort((a, b) => sizes.get(b) - sizes.get(a));

await mkdir(folder, { recursive: true });
const [browser, daemon] = await Promise.all([isFirefox ? null : chromium.launchServer(CHROMIUM), startPageDaemon()]);
const env = { ...process.env, FORERUN_TEST_DAEMON: daemon.url, ...(browser && { FORERUN_TEST_BROWSER: browser.wsEndpoint() }) };
let failed = 0;
try {
    await Promise.all(Array.from({ length: AT_ONCE }, async () => {
        for (let file; (file = waiting.shift());) await run(file);
    }));
} finally {
    await Promise.all([browser?.close(), daemon.stop()]);
}
process.exitCode = failed ? 1 : 0;

async function run(file) {
    const name = basename(file, ".test.mjs"), log = join(folder, `${name}.log`), output = openSync(log, "w"), begun = Date.now();
    const child = spawn(process.execPath, ["--test-reporter=tap", file], { env, stdio: ["ignore", output, output], timeout: HUNG_MS });
    closeSync(output);
    const code = await new Promise((done) => { child.once("close", done); });
    console.log(`${code === 0 ? "ok    " : "failed"} ${name} ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    if (code === 0) return;
    failed++;
    console.log(await readFile(log, "utf8"));
}
