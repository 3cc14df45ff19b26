// How numbers are written: a value in the same unit as its interval, in texts, tables and charts.
import assert from "node:assert/strict";
import { it } from "node:test";
import { daemon, page, settled, withPages } from "./browser.mjs";

withPages({});

/** The results of calls [name, ...arguments] of units.js, with plain blanks. */
async function written(...calls) {
    await page.goto(daemon.url);
    await settled(page);
    return page.evaluate(async (each) => {
        const units = await import("./core/units.js");
        return each.map(([name, ...given]) => {
            const result = units[name](...given);
            return (result.text ? [result.unit, given[1].map(result.text).join(" | "), result.range(given[1][0], 1.1 * given[1][0], given[1][0])].join("; ") : result).replaceAll("\u00a0", " ");
        });
    }, calls);
}

it("writes a value and its interval in one unit", async () => {
    assert.deepEqual(await written(["range", 0.95, 1.1, { of: 0.99 }], ["range", 50, 70, { of: 55 }], ["range", 58, 72, { of: 65 }], ["range", 18.2, 22.5, { of: 20.3 }],
        ["range", 0.018, 0.0225, { of: 0.0203 }], ["range", 2 ** 29, 2 ** 31, { name: "memory_bytes", of: 2 ** 30 }]),
    ["950 – 1,100 ms", "50 – 70 s", "58 s – 1 min 12 s", "18.2 – 22.5 s", "18 – 22.5 ms", "0.5 – 2 GiB"]);
});

it("gives a column one unit, or each value its own where they are far apart", async () => {
    assert.deepEqual(await written(["alike", "time_s", [0.0205, 0.03, 0.5]], ["alike", "time_s", [20.257, 0.03, 0.04]], ["alike", "time_s", [5400, 3600]], ["alike", "memory_bytes", [2 ** 30, 2 ** 20]]),
        ["ms; 20.5 | 30.0 | 500.0; 20.5 – 22.6", "; 20.3 s | 30 ms | 40 ms; 20.3 – 22.3 s", "; 1 h 30 min | 1 h; 1 h 30 min – 1 h 39 min", "; 1 GiB | 1 MiB; 1 – 1.1 GiB"]);
});

it("writes times that are compared with the digits asked, from a minute on too", async () => {
    assert.deepEqual(await written(["quantity", "time_s", 3605], ["quantity", "time_s", 3629], ["quantity", "time_s", 61.73], ["quantity", "time_s", 61.73, 3], ["quantity", "time_s", 3600], ["quantity", "time_s", 119.996],
        ["quantity", "time_s", 20257, 3], ["quantity", "time_s", 86399.6], ["quantity", "time_s", 172800 + 65], ["quantity", "time_s", 1e7]),
    ["1 h 0 min 5 s", "1 h 0 min 29 s", "1 min 1.73 s", "1 min 1.7 s", "1 h", "2 min", "5 h 38 min", "1 d", "2 d 0 h 1 min", "115 d 18 h"]);
    assert.deepEqual(await written(["alike", "time_s", [3605, 3629]], ["range", 3605, 3629], ["range", 65.03, 65.11, { digits: 4 }]),
        ["; 1 h 0 min 5 s | 1 h 0 min 29 s; 1 h 0 min 5 s – 1 h 6 min 6 s", "1 h 0 min 5 s – 1 h 0 min 29 s", "1 min 5.03 s – 1 min 5.11 s"]);
});

it("writes the time of a headline in whole seconds, and from an hour on in whole minutes", async () => {
    assert.deepEqual(await written(["duration", 20.257], ["duration", 61.73], ["duration", 3599.6], ["duration", 3629], ["duration", 20257], ["duration", 90061]),
        ["20.3 s", "1 min 2 s", "1 h", "1 h", "5 h 38 min", "1 d 1 h 1 min"]);
});

it("knows the units of calibrated values", async () => {
    assert.deepEqual(await written(["quantity", "node.clock_hz", 2.1e9], ["quantity", "peak_flops_per_s", 201.6e9], ["quantity", "network.bandwidth_bytes_per_s", 5.8e9],
        ["quantity", "network.protocols.eager.inverse_bandwidth_s_per_byte", 1.7e-10], ["quantity", "time_s", 20257.4], ["change", -0.034], ["change", 0.12], ["change", 1e-6], ["change", 0]),
    ["2.1 GHz", "201.6 Gflop/s", "5.8 GB/s", "170 ps/B", "5 h 37 min 37 s", "−3.4 %", "+12 %", "< 0.01 %", "0 %"]);
});

it("shows a recommended time and its interval in one unit, far from that of the other rows", async () => {
    const interval = ({ time_s }) => ({ low_s: 0.9 * time_s, high_s: 1.11 * time_s, coverage_fraction: 0.9 });
    await page.route(/\/recommend\/matmul\?/, async (route) => {
        const { best, runners_up, ...answer } = await (await fetch(route.request().url())).json();
        const slow = { ...best, time_s: 20.257 }, quick = runners_up.map((row, i) => ({ ...row, time_s: 0.02 + i / 1000 }));
        const rows = [slow, ...quick].map((row) => ({ ...row, interval: interval(row) }));
        await route.fulfill({ contentType: "application/x-ndjson", body: `${JSON.stringify({ answer: { ...answer, best: rows[0], runners_up: rows.slice(1) } })}\n` });
    });
    await page.goto(`${daemon.url}/?model=matmul&machine=hopper&n=16384&processes=64#recommend`);
    await settled(page);
    const table = page.locator("#recommend-body table"), heads = await table.locator("thead th").allInnerTexts();
    const cells = (await table.locator("tbody tr").first().locator("th, td").allInnerTexts()).map((text) => text.replaceAll("\u00a0", " "));
    assert.deepEqual(["Time", "90 % of runs"].map((head) => cells[heads.findIndex((each) => each.replaceAll("\u00a0", " ") === head)]), ["20.3 s", "18.2 – 22.5 s"]);
});
