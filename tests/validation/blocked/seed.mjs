// Builds models of one kernel in several ways and compares each at points that it has not sampled.
//
//     FORERUND=… CALIBRATE=… [QUICK=1] [ONLY=TEXT] TIME_LIMIT=100 node seed.mjs dtrsm|dgemm FOLDER
//
// The points are measured before and after each build, because the speed of the machine may change.
// Predictions are compared with the mean of both; their difference is printed beside the error.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { client } from "../../api/client.mjs";
import { startDaemon } from "../../daemon.mjs";
import { expect, median, percent, print } from "./tables.mjs";

const [study, folder] = process.argv.slice(2);
const { CALIBRATE: calibrate, QUICK: quick, ONLY: only = "", TIME_LIMIT: limit = "100" } = process.env;
const AT_ONCE = 500, SHORT_S = 1e-4;
const SIZE = quick ? 256 : 1024, BLOCK = quick ? 64 : 256;

/** Whole numbers from low to high, the same in each run (xorshift32). */
let seed = 20120713;
function draw(low, high) {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return low + Math.floor((seed >>> 0) / 2 ** 32 * (high - low + 1));
}

/** Half of the sizes are multiples of 8, as those sampled are; half are any. */
const size = (most, isEighth) => (isEighth ? 8 * draw(1, most / 8) : draw(8, most));

const PAPER = ["--absolute", "--measure", "max"];
const REFINED = [...PAPER, "--split", "all", "--s-min", "32"];
const EXPANDED = [...PAPER, "--strategy", "model_expansion", "--direction", "toward_origin"];
const STUDIES = {
    dtrsm: {
        kernel: "dtrsm LLNN",
        kernels: "dtrsm:LLNN",
        points: quick ? 40 : 400,
        call: (isEighth) => `dtrsm LLNN ${size(SIZE, isEighth)} ${size(SIZE, isEighth)} -1`,
        ways: [
            ["expansion, 10 %", [...EXPANDED, "--eps", "0.1"], "expansion"],
            ["expansion, 5 %", [...EXPANDED, "--eps", "0.05"], "expansion"],
            ["refinement, 10 %, cartesian", [...REFINED, "--grid", "cartesian", "--eps", "0.1"], "refinement"],
            ["refinement, 5 %, cartesian", [...REFINED, "--grid", "cartesian", "--eps", "0.05"], "refinement"],
            ["refinement, 10 %, chebyshev", [...REFINED, "--eps", "0.1"], "refinement"],
            ["refinement, 5 %, chebyshev", [...REFINED, "--eps", "0.05"], "refinement"],
            ["default", []],
            ["default, 4 %", ["--eps", "0.04"]],
            ["default, 2 %", ["--eps", "0.02"]],
        ],
    },
    dgemm: {
        kernel: "dgemm NN",
        kernels: "sylv",
        points: quick ? 30 : 300,
        call: (isEighth, i) =>
            `dgemm NN ${[0, 1, 2].map((d) => size(d === i % 3 ? BLOCK : SIZE, isEighth)).join(" ")} -1`,
        ways: [
            ["(a) first attempt", ["--measure", "max", "--eps", "0.1", "--s-min", "64", "--repetitions", "5", "--tolerance", "0"]],
            ["(b) default, all repetitions", ["--tolerance", "0"]],
            ["(c) default", []],
            ["(d) fewer points in k", ["--oversampling", "2,2,1"]],
            ["(e) tolerance 0.03", ["--tolerance", "0.03"]],
            ["(f) eps 5 %, s_min 64", ["--eps", "0.05", "--s-min", "64"]],
            ["(g) fewer in every size", ["--oversampling", "1"]],
            ["(h) as d, s_min 64", ["--oversampling", "2,2,1", "--s-min", "64"]],
            ["(i) as g, eps 5 %", ["--oversampling", "1", "--eps", "0.05"]],
        ],
    },
};

/** Samples and average errors that the paper states for its models of dtrsm. */
const PUBLISHED = {
    expansion: [[65220, 0.104], [32680, 0.0698], [53550, 0.0579], [138290, 0.0596]],
    refinement: [[61880, 0.0721], [81890, 0.0632], [134160, 0.0429], [227820, 0.0317]],
};

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const p90 = (values) => [...values].sort((a, b) => a - b)[Math.ceil(0.9 * values.length) - 1];
const thousands = (value) => String(value).replace(/\B(?=(\d{3})+$)/g, ",");

/** The median time of each call, in seconds. */
function measure(calls) {
    const input = join(folder, `${study}.calls`), output = join(folder, `${study}.csv`);
    writeFileSync(input, calls.join("\n") + "\n");
    execFileSync(calibrate, ["--sample", input, "--repetitions", "7", "-o", output]);
    return readFileSync(output, "utf8").trim().split("\n").slice(1).map((line) => Number(line.split(",")[2]));
}

/** Builds models; what the calibrator says about the study's kernel, and the calls that it sampled. */
function build({ kernel, kernels }, machine, options) {
    const document = join(folder, `${machine}.json`), samples = join(folder, `${machine}.csv`);
    rmSync(samples, { force: true });
    const { status, stderr } = spawnSync(calibrate, ["--machine", machine, "--threads", "1", "--only", "routine_models",
        "--kernels", kernels, "--model-size", SIZE, "--model-block", BLOCK, "--model-time", limit, "--samples", samples,
        ...options, "-o", document], { encoding: "utf8" });
    const said = stderr.split("\n").find((line) => line.includes(`: ${kernel}, in cache, 1 thread: `) && line.includes(" executions, "));
    if (status !== 0 || !said) throw new Error(`forerun-calibrate ${options.join(" ")}: status ${status}\n${stderr}`);
    const [, regions, count, executions, seconds] =
        said.match(/: (\d+) regions, (\d+) samples, (\d+) executions, .* ([\d.]+) s\b/).map(Number);
    return {
        document: readFileSync(document, "utf8"), regions, samples: count, executions, seconds,
        isCut: said.includes("the time did not suffice"),
        sampled: new Set(readFileSync(samples, "utf8").split("\n").map((line) => line.split(" +1,")[0])),
    };
}

async function predict(api, machine, calls) {
    const times = [];
    for (let from = 0; from < calls.length; from += AT_ONCE) {
        const requests = calls.slice(from, from + AT_ONCE).map((call) => ({ model: "calls", machine, parameters: { calls: call } }));
        times.push(...expect(await api.post("/api/v1/predict", { requests }), "predictions", 200).json.results.map(({ time_s }) => time_s));
    }
    return times;
}

/** Of the points that were not sampled: |predicted / measured - 1|, and how well the latter repeats. */
function judge(calls, predicted, before, after, sampled) {
    return calls.map((call, i) => {
        const measured = (before[i] + after[i]) / 2;
        return {
            call, measured, bias: predicted[i] / measured - 1, error: Math.abs(predicted[i] / measured - 1),
            apart: Math.abs(before[i] - after[i]) / measured,
            isEighth: call.match(/ \d+/g).every((one) => one % 8 === 0),
        };
    }).filter(({ call }) => !sampled.has(call.replace(/ -1$/, "")));
}

/** Half the error with a tenth of the executions: against how many of the paper's models. */
function aim({ executions, error, strategy }) {
    const rivals = strategy ? PUBLISHED[strategy] : [...PUBLISHED.expansion, ...PUBLISHED.refinement];
    const beaten = rivals.filter(([samples, published]) => executions <= samples / 10 && error <= published / 2);
    return `${beaten.length} of ${rivals.length}`;
}

function printCosts(rows) {
    const isPublished = study === "dtrsm";
    print(`${study}: cost of a model, and its error at points not sampled`,
        ["configuration", "samples", "executions", "seconds", "regions", "mean error", "median", "p90", "repeats within",
            ...(isPublished ? ["aim met"] : [])],
        [...rows.map((row) => [row.name + (row.isCut ? " (cut)" : ""), thousands(row.samples), thousands(row.executions),
            row.seconds.toFixed(1), row.regions, percent(row.error), percent(median(row.points.map(({ error }) => error))),
            percent(p90(row.points.map(({ error }) => error))), percent(mean(row.points.map(({ apart }) => apart))),
            ...(isPublished ? [aim(row)] : [])]),
        ...(isPublished ? Object.entries(PUBLISHED).flatMap(([strategy, all]) => all.map(([samples, error]) =>
            [`the paper, ${strategy}`, "", thousands(samples), "", "", percent(error), "", "", "", ""])) : [])]);
}

/** Where the error comes from: sizes between the multiples of 8 that are sampled, and short calls. */
function printOrigins(rows) {
    const parts = [["multiples of 8", (one) => one.isEighth], ["other sizes", (one) => !one.isEighth],
        ["below 100 us", (one) => one.measured < SHORT_S], ["above", (one) => one.measured >= SHORT_S]];
    const of = (points, key, statistic) => (points.length ? percent(statistic(points.map((one) => one[key]))) : "-");
    print(`${study}: mean error and bias by kind of point`,
        ["configuration", ...parts.flatMap(([name]) => [name, "bias"])],
        rows.map(({ name, points }) => [name, ...parts.flatMap(([, is]) => {
            const some = points.filter(is);
            return [of(some, "error", mean), of(some, "bias", median)];
        })]));
    console.log(`points: ${parts.map(([name, is]) => `${rows[0].points.filter(is).length} ${name}`).join(", ")}`);
}

/** Builds in every way, with measurements before and after each. */
function buildAll(settings, calls) {
    const ways = settings.ways.filter(([name]) => name.includes(only));
    if (!ways.length) throw new Error(`ONLY=${only}: no configuration's name contains it`);
    let before = measure(calls);
    return ways.map(([name, options, strategy], index) => {
        const machine = `${study}-${index + 1}`, made = build(settings, machine, options), after = measure(calls);
        const row = { ...made, name, strategy, machine, before, after };
        before = after;
        return row;
    });
}

async function judgeAll(api, token, rows, calls) {
    for (const row of rows) {
        expect(await api.post(`/api/v1/machines/${row.machine}/calibrations`, row.document, { token }), "the calibration", 200, 201);
        row.points = judge(calls, await predict(api, row.machine, calls), row.before, row.after, row.sampled);
        row.error = mean(row.points.map(({ error }) => error));
    }
}

const settings = STUDIES[study];
const calls = Array.from({ length: settings.points }, (_, i) => settings.call(i % 2 === 0, i >> 1));
const rows = buildAll(settings, calls);
const daemon = await startDaemon({ calibrations: null });
try {
    await judgeAll(client(daemon.url), await daemon.token("write"), rows, calls);
} finally {
    await daemon.stop();
}
writeFileSync(join(folder, `${study}-points.json`), JSON.stringify(rows.map(({ name, points }) => ({ name, points }))));
printCosts(rows);
printOrigins(rows);
