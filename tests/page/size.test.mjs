// The pages are light: what a visitor loads, compressed.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { it } from "node:test";
import { gzipSync } from "node:zlib";
import { root } from "../daemon.mjs";

const MOST_BYTES = 180_000;
const REFERENCE = { names: ["api.html", "api.css", "reference/api_page.js", "reference/api_routes.js"], mostBytes: 12_800 }; /* the page of the API, without what the dashboard has too */

const read = (name) => readFileSync(`${root}/static/${name}`);
const sizeOf = (names, level) => names.reduce((total, name) => total + gzipSync(read(name), { level }).length, 0);

it("the page is light", () => {
    const names = readdirSync(`${root}/static`, { recursive: true }).filter((name) => name.includes(".")), bytes = sizeOf(names);
    assert.ok(names.length > 50 && bytes < MOST_BYTES, `${names.length} files have ${bytes} bytes`);
});

it("the page of the API is small, without inline script or style", () => {
    const bytes = sizeOf(REFERENCE.names, 9);
    assert.ok(bytes < REFERENCE.mostBytes, `${bytes} bytes`);
    assert.doesNotMatch(read("api.html").toString(), /<script(?![^>]* src=)|<style|style=|\son\w+=/);
});
