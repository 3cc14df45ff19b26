// How numbers are written: a value in the same unit as its interval, in texts, tables and charts.
import assert from "node:assert/strict";
import { it } from "node:test";
import { load } from "./page.mjs";

const { age, alike, change, date, day, duration, number, quantity, range } = await load("core/units.js");
const plain = (texts) => texts.map((text) => text.replaceAll("\u00a0", " "));

it("writes a value and its interval in one unit", () => {
    assert.deepEqual(plain([range(0.95, 1.1, { of: 0.99 }), range(50, 70, { of: 55 }), range(58, 72, { of: 65 }), range(18.2, 22.5, { of: 20.3 }),
        range(0.018, 0.0225, { of: 0.0203 }), range(2 ** 29, 2 ** 31, { name: "memory_bytes", of: 2 ** 30 })]),
    ["950 – 1,100 ms", "50 – 70 s", "58 s – 1 min 12 s", "18.2 – 22.5 s", "18 – 22.5 ms", "0.5 – 2 GiB"]);
});

/** How values below each other are written: their unit, the values, and a range from the first to a tenth more. */
function column(name, values) {
    const { unit, text, range: ends } = alike(name, values), [first] = values;
    return [unit, values.map(text).join(" | "), ends(first, 1.1 * first, first)].join("; ");
}

it("gives a column one unit, or each value its own where they are far apart", () => {
    assert.deepEqual(plain([column("time_s", [0.0205, 0.03, 0.5]), column("time_s", [20.257, 0.03, 0.04]), column("time_s", [5400, 3600]), column("memory_bytes", [2 ** 30, 2 ** 20])]),
        ["ms; 20.5 | 30.0 | 500.0; 20.5 – 22.6", "; 20.3 s | 30 ms | 40 ms; 20.3 – 22.3 s", "; 1 h 30 min | 1 h; 1 h 30 min – 1 h 39 min", "; 1 GiB | 1 MiB; 1 – 1.1 GiB"]);
});

it("writes times that are compared with the digits asked, from a minute on too", () => {
    assert.deepEqual(plain([[3605], [3629], [61.73], [61.73, 3], [3600], [119.996], [20257, 3], [86399.6], [172800 + 65], [1e7]].map(([time_s, digits]) => quantity("time_s", time_s, digits))),
        ["1 h 0 min 5 s", "1 h 0 min 29 s", "1 min 1.73 s", "1 min 1.7 s", "1 h", "2 min", "5 h 38 min", "1 d", "2 d 0 h 1 min", "115 d 18 h"]);
    assert.deepEqual(plain([column("time_s", [3605, 3629]), range(3605, 3629), range(65.03, 65.11, { digits: 4 })]),
        ["; 1 h 0 min 5 s | 1 h 0 min 29 s; 1 h 0 min 5 s – 1 h 6 min 6 s", "1 h 0 min 5 s – 1 h 0 min 29 s", "1 min 5.03 s – 1 min 5.11 s"]);
});

it("writes the time of a headline in whole seconds, and from an hour on in whole minutes", () => {
    assert.deepEqual(plain([20.257, 61.73, 3599.6, 3629, 20257, 90061].map(duration)), ["20.3 s", "1 min 2 s", "1 h", "1 h", "5 h 38 min", "1 d 1 h 1 min"]);
});

it("knows the units of calibrated values", () => {
    assert.deepEqual(plain([quantity("node.clock_hz", 2.1e9), quantity("peak_flops_per_s", 201.6e9), quantity("network.bandwidth_bytes_per_s", 5.8e9),
        quantity("network.protocols.eager.inverse_bandwidth_s_per_byte", 1.7e-10), quantity("time_s", 20257.4), change(-0.034), change(0.12), change(1e-6), change(0)]),
    ["2.1 GHz", "201.6 Gflop/s", "5.8 GB/s", "170 ps/B", "5 h 37 min 37 s", "−3.4 %", "+12 %", "< 0.01 %", "0 %"]);
});

it("makes a formatter once for as many numbers as there are", async (t) => {
    const made = t.mock.method(Intl, "NumberFormat"), again = Array.from({ length: 50 }, (_, i) => [number(i + 0.123456), number(1234 * i), ...column("memory_bytes", [2 ** 30 + i * 1e6])]);
    assert.deepEqual([number(3.123456), number(3702), number(123456.789, 2)], [...again[3].slice(0, 2), "123,457"]);
    assert.ok(made.mock.callCount() < 4, `${made.mock.callCount()} formatters`);
});

it("writes instants in UTC, and what is no instant as it is", () => {
    for (const instant of ["2026-11-03T23:30:00Z", Date.UTC(2026, 10, 3, 23, 30)]) assert.deepEqual([day, date].map((write) => write(instant)), ["3 November 2026", "3 Nov 2026, 23:30 UTC"]);
    assert.equal(age("2026-11-03T23:30:00Z", Date.UTC(2026, 10, 7)), "3 days ago");
    assert.deepEqual([day, date, age].map((write) => [write("in spring"), write(null)]), Array(3).fill(["in spring", "–"]));
});
