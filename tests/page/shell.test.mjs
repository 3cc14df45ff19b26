// The commands of the page, as a shell takes them.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { it } from "node:test";
import { load } from "./page.mjs";

const { curlOf } = await load("parts/curl.js");

it("the file of an answer is one word of the shell, in the folder where the command runs", () => {
    const names = ["{model}", "matmul", "it's (one) $HOME é", "..%2Fup", "%7Bmodel%7D/chart"];
    const lines = names.map((name) => curlOf({ url: new URL(`api/v1/chart/${name}.svg`, document.baseURI).href, format: "svg" }));
    const words = lines.map((line) => execFileSync("sh", ["-c", `curl() { printf '%s\\n' "$@"; }; ${line}`], { encoding: "utf8" }).split("\n"));
    assert.deepEqual(words.map(([, , file]) => file), ["chart.svg", "matmul.svg", "it's (one) $HOME é.svg", "..-up.svg", "chart.svg"]);
    for (const each of words) assert.equal(each.length, 5); /* -fsS -o FILE URL, and the end */
    assert.match(lines[1], / -o matmul\.svg '/);
});
