// Predicts the runs in FOLDER with forerund and prints measured against predicted.
//
//     FORERUND=build/forerund node tests/validation/blocked/compare.mjs FOLDER
//
// run.sh writes FOLDER: calibration.json and runs/{trinv,trinv-blocks,sylv,sylv-blocks,
// sylv-own}.ndjson.  Some of the runs may be missing.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { client, parseCsv } from "../../api/client.mjs";
import { startDaemon } from "../../daemon.mjs";
import { expect, median, percent, print } from "./tables.mjs";

const [folder] = process.argv.slice(2);
if (!folder) throw new Error("usage: compare.mjs FOLDER");

const machine = "/api/v1/machines/here";
const SETS = ["trinv", "trinv-blocks", "sylv", "sylv-blocks", "sylv-own"];
const AT_ONCE = 500;
const NEAR = 0.02;
const TOP = [1, 2, 5, 6];

const calibration = readFileSync(join(folder, "calibration.json"), "utf8");
const models = JSON.parse(calibration).kernels?.routine_models ?? [];
const localities = ["in_cache", "out_of_cache"].filter((one) => models.some(({ locality }) => locality === one));
if (localities.length === 2 && JSON.parse(calibration).kernels.reuse) localities.push("reuse");

function read(set) {
    const file = join(folder, "runs", `${set}.ndjson`);
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8").trim().split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

const signed = (fraction) => (fraction < 0 ? "" : "+") + percent(fraction);
const ms = (seconds) => (1e3 * seconds).toFixed(3);
const least = (items, value) => items.reduce((best, item) => (value(item) < value(best) ? item : best));

/** Items by a key, in the order in which the keys first occur: [[key, items], …]. */
function groups(items, key) {
    const found = new Map();
    for (const item of items) found.set(key(item), [...(found.get(key(item)) ?? []), item]);
    return [...found];
}

/** The predictions of runs, in their order, with other values of some parameters. */
async function predict(api, runs, changes) {
    const results = [];
    for (let from = 0; from < runs.length; from += AT_ONCE) {
        const requests = runs.slice(from, from + AT_ONCE).map(({ model, parameters }) =>
            ({ model, machine: "here", parameters: { ...parameters, ...changes } }));
        results.push(...expect(await api.post("/api/v1/predict", { requests }), "predictions", 200).json.results);
    }
    return results;
}

/** Runs with what is predicted of them: {run, measured, predicted: {in_cache, out_of_cache}, outside}.
 *  Null, with the reason printed, where the calibration lacks a kernel. */
async function judge(api, set) {
    const runs = read(set), predicted = {};
    if (!runs.length) return null;
    for (const locality of localities) {
        predicted[locality] = await predict(api, runs, { locality });
        const problem = predicted[locality].find(({ time_s: time }) => time === undefined);
        if (problem) {
            console.log(`\n${set}, ${locality}: not predicted: ` +
                (problem.errors?.map(({ message }) => message).join("; ") ?? problem.detail).slice(0, 500));
            delete predicted[locality];
        }
    }
    return runs.map((run, i) => ({
        ...run.parameters, model: run.model, set, measured: run.time_s,
        spread: (Math.max(...run.repetitions) - Math.min(...run.repetitions)) / run.time_s,
        predicted: Object.fromEntries(Object.entries(predicted).map(([locality, all]) => [locality, all[i].time_s])),
        outside: Object.values(predicted)[0]?.[i].calls_outside ?? 0,
    }));
}

const error = (one, locality) => one.predicted[locality] / one.measured - 1;

function printErrors(set, all) {
    const known = Object.keys(all[0].predicted);
    const columns = (some) => known.flatMap((locality) => {
        const errors = some.map((one) => error(one, locality));
        return [percent(median(errors.map(Math.abs))), percent(Math.max(...errors.map(Math.abs))), signed(median(errors))];
    });
    const line = (name, some) => [name, some.length, ...columns(some)];
    if (!known.length) return;
    print(`${set}, block size 96: error of the predicted time`,
        ["variant", "runs", ...known.flatMap((locality) => [`${locality} median`, "worst", "bias"])],
        [...groups(all, (one) => one.variant).map(([variant, some]) => line(variant, some)), line("all", all)]);
    console.log(`repetitions of a run spread over ${percent(median(all.map(({ spread }) => spread)))} of its time (median); ` +
        `${all.reduce((sum, { outside }) => sum + outside, 0)} calls outside the models' ranges`);
    if (known.includes("in_cache") && known.includes("out_of_cache")) {
        const within = all.filter(({ measured, predicted: p }) => p.in_cache <= measured && measured <= p.out_of_cache);
        console.log(`between in_cache and out_of_cache: ${within.length} of ${all.length}`);
    }
}

/** The weight w with the least squares of ((1 - w) in_cache + w out_of_cache) / measured - 1. */
function fitWeight(all) {
    let up = 0, down = 0;
    for (const { measured, predicted: { in_cache: near, out_of_cache: far } } of all) {
        up += (1 - near / measured) * (far - near) / measured;
        down += ((far - near) / measured) ** 2;
    }
    return down > 0 ? Math.min(1, Math.max(0, up / down)) : 0;
}

/** Fitted to the odd orders of trinv; judged by runs that it has not seen. */
async function printBlend(api, judged) {
    const given = judged.trinv?.filter(({ n }) => n % 2 === 1) ?? [];
    if (!given.length || !given[0].predicted.out_of_cache) {
        console.log("\nblend: needs runs of trinv with odd orders, and both localities in the calibration");
        return;
    }
    const weight = fitWeight(given), lines = [];
    for (const set of SETS) {
        const all = judged[set]?.filter(({ n }) => set !== "trinv" || n % 2 === 0) ?? [];
        if (!all.length || !all[0].predicted.out_of_cache) continue;
        const runs = all.map(({ model, set: _, measured, spread, predicted, outside, ...parameters }) => ({ model, parameters }));
        const blended = await predict(api, runs, { locality: "blend", out_of_cache_weight: weight });
        all.forEach((one, i) => { one.predicted.blend = blended[i].time_s; });
        lines.push([set, all.length, ...["in_cache", "out_of_cache", "blend"].flatMap((locality) => {
            const errors = all.map((one) => error(one, locality));
            return [percent(median(errors.map(Math.abs))), signed(median(errors))];
        })]);
    }
    print(`Blend: out_of_cache_weight = ${weight.toFixed(3)}, fitted to trinv at the odd orders; errors of runs not fitted`,
        ["runs of", "count", "in_cache median", "bias", "out_of_cache median", "bias", "blend median", "bias"], lines);
}

/** What the service ranks first among those measured, and what taking it would lose. */
async function choose(api, model, fixed, open, measured) {
    const query = new URLSearchParams({ machine: "here", ...fixed });
    const answer = await api.get(`/api/v1/rank/${model}?${query}`);
    if (answer.status === 422 && answer.json.errors.every(({ code }) => code === "calibration_group_missing")) return null;
    expect(answer, `the ranking of ${query}`, 200);
    const rows = answer.json.rows.filter((row) => measured.some((one) => one[open] === row[open]));
    if (!rows.length) return null;
    const chosen = measured.find((one) => one[open] === rows[0][open]), best = least(measured, (one) => one.measured);
    return { chosen, best, loss: chosen.measured / best.measured - 1, rows };
}

/** Of all pairs of measured rows, those that are ranked in the order measured. */
function pairsRight(measured, rows, open) {
    const time = (row) => measured.find((one) => one[open] === row[open]).measured;
    let right = 0, pairs = 0;
    for (let i = 0; i < rows.length; i++)
        for (let j = i + 1; j < rows.length; j++) {
            pairs++;
            right += time(rows[i]) <= time(rows[j]);
        }
    return { right, pairs };
}

const shape = (one) => (one.model === "sylv" ? { m: one.m, leaf: one.leaf } : {});

async function printVariants(api, set, all) {
    const lines = [], losses = [];
    let right = 0, pairs = 0;
    for (const [n, some] of groups(all, (one) => one.n)) {
        const fixed = { ...shape(some[0]), n, block_size: some[0].block_size, threads: some[0].threads };
        const made = await choose(api, some[0].model, fixed, "variant", some);
        if (!made) continue;
        const order = pairsRight(some, made.rows, "variant");
        right += order.right;
        pairs += order.pairs;
        losses.push(made.loss);
        lines.push([n, made.chosen.variant, made.best.variant, ms(made.best.measured), percent(made.loss),
            `${order.right} of ${order.pairs}`,
            (Math.max(...some.map(({ measured }) => measured)) / made.best.measured).toFixed(2)]);
    }
    if (!lines.length) return;
    print(`${set}, block size 96: the variant that rank puts first`,
        ["n", "chosen", "fastest", "ms", "loss", "pairs right", "slowest / fastest"], lines);
    console.log(`within ${percent(NEAR)} of the fastest: ${losses.filter((loss) => loss <= NEAR).length} of ${losses.length} ` +
        `orders; worst loss ${percent(Math.max(...losses))}; ${right} of ${pairs} pairs in the right order`);
}

async function printBlockSizes(api, set, all) {
    const lines = [];
    for (const [, some] of groups(all, (one) => `${one.n} ${one.variant}`)) {
        const { n, variant, threads } = some[0];
        const made = await choose(api, some[0].model, { ...shape(some[0]), n, variant, threads }, "block_size", some);
        if (!made) continue;
        const usual = some.find(({ block_size: b }) => b === 96);
        const worst = Math.max(...some.map(({ measured }) => measured));
        lines.push([n, variant, made.chosen.block_size, made.best.block_size, ms(made.best.measured), percent(made.loss),
            usual ? percent(usual.measured / made.best.measured - 1) : "-", (worst / made.best.measured).toFixed(2)]);
    }
    if (lines.length)
        print(`${set}: the block size that rank puts first, among those measured`,
            ["n", "variant", "chosen", "fastest", "ms", "loss", "loss of 96", "worst / fastest"], lines);
}

/** Whether the paper's four fastest are apart from the other twelve. */
function printTopGroup(all) {
    const split = (some, time) => {
        const inside = some.filter(({ variant }) => TOP.includes(variant)).map(time);
        const outside = some.filter(({ variant }) => !TOP.includes(variant)).map(time);
        return inside.length && outside.length ? Math.min(...outside) / Math.max(...inside) : NaN;
    };
    print(`sylv-own: fastest of the other variants / slowest of ${TOP.join(", ")} (above 1: separate)`,
        ["n", "measured", "predicted", "slowest / fastest"],
        groups(all, (one) => one.n).map(([n, some]) => {
            const times = some.map(({ measured }) => measured);
            return [n, split(some, (one) => one.measured).toFixed(2),
                some[0].predicted.in_cache ? split(some, (one) => one.predicted.in_cache).toFixed(2) : "-",
                (Math.max(...times) / Math.min(...times)).toFixed(2)];
        }));
}

async function upload(api, token, set) {
    const runs = read(set);
    if (!runs.length) return;
    const body = runs.map((run) => JSON.stringify(run)).join("\n") + "\n";
    expect(await api.post(`${machine}/runs`, body, { token, headers: { "content-type": "application/x-ndjson" } }),
        `the upload of ${set}`, 200, 201);
}

/** What the service itself makes of all runs, after their upload. */
async function printAccuracy(api) {
    const FIGURES = ["median_error", "p90_error", "worst_error", "bias", "pairs_right", "best_right", "worst_regret"];
    const lines = [];
    for (const model of ["trinv", "sylv"]) {
        const answer = expect(await api.get(`${machine}/accuracy.csv?model=${model}`), "the accuracy", 200);
        const [head, ...rows] = parseCsv(answer.text);
        const value = (row, name) => row[head.indexOf(name)];
        for (const row of rows)
            lines.push([model, value(row, "predicted"),
                ...FIGURES.map((name) => percent(Number(value(row, `${name}_fraction`))))]);
    }
    print("Accuracy reported by the service (/accuracy, all block sizes, in_cache)", ["model", "runs", ...FIGURES], lines);
}

async function compare(daemon) {
    const api = client(daemon.url), token = await daemon.token("write"), judged = {};

    expect(await api.post(`${machine}/calibrations`, calibration, { token }), "the calibration", 200, 201);
    console.log(`${models.length} kernel models: ${localities.join(", ") || "none"}`);
    for (const set of SETS) judged[set] = await judge(api, set);
    for (const set of ["trinv", "sylv", "sylv-own"]) if (judged[set]) printErrors(set, judged[set]);
    await printBlend(api, judged);
    for (const set of ["trinv", "sylv", "sylv-own"]) if (judged[set]) await printVariants(api, set, judged[set]);
    for (const set of ["trinv-blocks", "sylv-blocks"]) if (judged[set]) await printBlockSizes(api, set, judged[set]);
    if (judged["sylv-own"]) printTopGroup(judged["sylv-own"]);
    for (const set of SETS) await upload(api, token, set);
    await printAccuracy(api);
}

const daemon = await startDaemon({ calibrations: null });
try {
    await compare(daemon);
} finally {
    await daemon.stop();
}
