// Runs files of browser tests in one process: one Chromium, one page and one daemon serve all that change nothing in them.
//
//     node tests/browser/run.mjs tests/browser/dashboard.test.mjs tests/browser/pins.test.mjs
import { basename, resolve } from "node:path";
import { describe } from "node:test";
import { pathToFileURL } from "node:url";
import "./browser.mjs";

for (const file of process.argv.slice(2)) describe(basename(file, ".test.mjs"), () => import(pathToFileURL(resolve(file))));
