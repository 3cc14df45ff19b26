// The pages are light: what a visitor loads, compressed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { root } from "../daemon.mjs";

const MOST_BYTES = 180_000;
const REFERENCE = { names: ["api.html", "api.css", "reference/api_page.js", "reference/api_routes.js"], mostBytes: 12_800 }; /* the page of the API, without what the dashboard has too */

const files = readdirSync(`${root}/static`, { recursive: true }).filter((name) => name.includes(".")), isOfPapers = (name) => name.startsWith("papers");
const GALLERY = { names: files.filter(isOfPapers), mostBytes: 12_800 }; /* the page of the papers, likewise */
const read = (name) => readFileSync(`${root}/static/${name}`);
const sizeOf = (names, level) => names.reduce((total, name) => total + gzipSync(read(name), { level }).length, 0);

it("the page is light", () => {
    const names = files.filter((name) => !isOfPapers(name)), bytes = sizeOf(names);
    assert.ok(names.length > 50 && bytes < MOST_BYTES, `${names.length} files have ${bytes} bytes`);
});

for (const page of ["index.html", "api.html", "papers.html"]) it(`${page} has no inline script or style`, () => {
    assert.doesNotMatch(read(page).toString(), /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=/);
});

for (const [page, { names, mostBytes }] of [["api.html", REFERENCE], ["papers.html", GALLERY]]) it(`${page} is small`, () => {
    const bytes = sizeOf(names, 9);
    assert.ok(bytes < mostBytes, `${bytes} bytes`);
});
