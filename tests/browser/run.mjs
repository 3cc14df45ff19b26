// Runs a command beside one Chromium, and one daemon for the files of browser tests that change nothing in it.
//
//     node tests/browser/run.mjs make -j2 build/checked/browser/dashboard.log
import { spawn } from "node:child_process";
import { chromium } from "playwright-core";
import { startPageDaemon } from "../page/daemon.mjs";
import { CHROMIUM } from "./browser.mjs";

const [browser, daemon] = await Promise.all([chromium.launchServer(CHROMIUM), startPageDaemon()]);
try {
    const [program, ...args] = process.argv.slice(2);
    const env = { ...process.env, FORERUN_TEST_DAEMON: daemon.url, FORERUN_TEST_BROWSER: browser.wsEndpoint() };
    const child = spawn(program, args, { env, stdio: "inherit" });
    process.exitCode = await new Promise((done) => { child.once("error", () => done(127)).once("close", (code) => done(code ?? 1)); });
} finally {
    await Promise.all([browser.close(), daemon.stop()]);
}
