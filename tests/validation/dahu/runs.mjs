// The published data of dahu, and predictions beside its runs of HPL.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../daemon.mjs";
import { groups, quantile } from "../cluster/judge.mjs";

const BROKEN = ", broken cooling";
const NUMBERS = ["n", "block_size", "process_rows", "process_columns", "lookahead_depth"];
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The rows of a file of calibrations/dahu, as texts by column. */
export function dataOf(name) {
    const [head, ...lines] = readFileSync(`${root}/calibrations/dahu/${name}.csv`, "utf8").trim().split("\n").map((line) => line.split(","));
    return lines.map((line) => Object.fromEntries(head.map((key, i) => [key, line[i]])));
}

export const parametersOf = (row) => ({
    ...Object.fromEntries(NUMBERS.map((name) => [name, Number(row[name])])), broadcast: row.broadcast, swap: row.swap, ranks_per_node: 32,
});

/** Sets of runs: runs while cooling was broken are a set of their own. */
const setOf = ({ set, cooling }) => (cooling === "bad" ? set + BROKEN : set);

/** The configurations of each set: {set, parameters, runs, measured, simulated}; times are means of the repetitions. */
export function configurations() {
    return groups(dataOf("hpl_runs"), (row) => setOf(row) + JSON.stringify(parametersOf(row))).map(([, rows]) => ({
        set: setOf(rows[0]), parameters: parametersOf(rows[0]), runs: rows.length,
        measured: mean(rows.map(({ time_s }) => Number(time_s))),
        simulated: mean(rows.map(({ simulated_time_s: time }) => Number(time || NaN))),
    }));
}

/** The same with `foreseen`, and the interval; `calibration` serves in place of the shipped set and its runs. */
export async function foreseen(api, calibration, all = configurations()) {
    const requests = all.map(({ parameters }) => ({ model: "hpl", machine: "dahu", parameters, ...(calibration && { calibration }) }));
    const { json: { results } } = await api.post("/api/v1/predict", { requests });
    return all.map((one, i) => ({ ...one, foreseen: results[i].time_s, interval: results[i].interval }));
}

/** The configurations that ran while four nodes were not cooled, foreseen with dgemm as it was then. */
export const foreseenBroken = (api) => foreseen(api, brokenCooling(), configurations().filter(({ set }) => set.endsWith(BROKEN)));

function brokenCooling() {
    const folder = mkdtempSync(join(tmpdir(), "forerun-dahu-"));
    try {
        execFileSync(`${root}/calibrations/dahu/make.py`, [folder, "--broken-cooling"]);
        return JSON.parse(readFileSync(join(folder, "dahu.json"), "utf8"));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

/** Whether the measured time lies in the interval. */
export const isInside = ({ interval, measured }) => interval.low_s <= measured && measured <= interval.high_s;

/** How the times of `by` (foreseen or simulated) agree with the measured ones of a set. */
export function agreement(rows, by) {
    const errors = rows.map((row) => row[by] / row.measured - 1), sizes = errors.map(Math.abs);
    const within = (limit) => sizes.filter((size) => size <= limit).length / rows.length;
    const worst = sizes.indexOf(Math.max(...sizes)), least = (key) => rows.reduce((best, row) => (row[key] < best[key] ? row : best));
    const pairs = rows.flatMap((a, i) => rows.slice(i + 1).map((b) => (a[by] - b[by]) * (a.measured - b.measured) > 0));
    return {
        median: quantile(errors, 0.5), typical: quantile(sizes, 0.5), within5: within(0.05), within10: within(0.1), worst: errors[worst], worstOf: rows[worst],
        regret: least(by).measured / least("measured").measured - 1, ordered: pairs.filter(Boolean).length / pairs.length,
    };
}
