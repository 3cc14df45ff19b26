// The tables of the accuracy report.
import { parseCsv } from "../../api/client.mjs";
import { expect, median, percent, print } from "../blocked/tables.mjs";
import { published, PROCESSES } from "./published.mjs";

const FLOPS_TOLERANCE = 0.03;
const FLOPS_COUNTED = 10e6; // below, the library's own small terms are a larger share
const LONG_S = 5e-3;
const WITHIN = 1.3;
/** For one process, and for several. */
const GOALS = [{ median: 1.12, share: 0.9, worst: 1.5 }, { median: 1.15, share: 0.85, worst: 1.75 }];
const SPEEDUP_WITHIN = 1.2;
const LONG_SOLVE_S = 1e-3;
const SOLVE_GOAL = { median: 1.3, share: 0.8, within: 1.6 };

const factor = (one, time) => Math.max(time / one.measured, one.measured / time);
const ratio = (one, time) => (time === undefined ? "-" : (time / one.measured).toFixed(2));
const ms = (seconds) => (seconds === undefined ? "-" : (1e3 * seconds).toFixed(2));
const label = ({ name, ordering, process_rows: rows, process_columns: columns, lookahead }) => [name, ordering, `${rows}x${columns}`, lookahead];
const LABELS = ["matrix", "ordering", "grid", "window"];

/** Compares the daemon's structure with the library's. */
export function printStructures(judged) {
    let wrong = 0;
    const lines = judged.map((one) => {
        const { known } = one, off = known.flops / one.flops - 1;
        const isExact = known.supernodes === one.supernodes && known.nnz_lu === one.nnz_lu;
        const isNear = one.flops < FLOPS_COUNTED || Math.abs(off) <= FLOPS_TOLERANCE;
        wrong += !isExact || !isNear;
        return [...label(one), one.n, one.nnz, known.supernodes, known.nnz_lu, isExact ? "equal" : `${one.supernodes}, ${one.nnz_lu}`,
            (one.flops / 1e6).toFixed(1), percent(off), isNear ? "" : "too far"];
    });
    print("Structure: supernodes and nnz(L+U) against the library's, its flops against ours",
        [...LABELS, "n", "nnz", "supernodes", "nnz(L+U)", "library", "Mflop", "ours", ""], lines);
    console.log(wrong ? `${wrong} of ${judged.length} structures are not as the library's` : `all ${judged.length} structures are as the library's`);
    if (wrong) process.exitCode = 1;
}

/** The factors of some runs on the same number of processes, and whether they meet the goals. */
function summarise(some, time) {
    const factors = some.map((one) => factor(one, time(one))).filter(Number.isFinite);
    if (!factors.length) return [0, "-", "-", "-", ""];
    const goal = GOALS[Math.min(some[0].processes, 2) - 1], middle = median(factors), worst = Math.max(...factors);
    const share = factors.filter((one) => one <= WITHIN).length / factors.length;
    const isMet = middle <= goal.median && share >= goal.share && worst <= goal.worst;
    return [factors.length, middle.toFixed(3), percent(share), worst.toFixed(2), isMet ? "yes" : "no"];
}

const MODELS = [
    ["window", (one) => one.predicted.window.time_s],
    ["overlap paper", (one) => one.predicted.calibrated.time_s],
    ["paper, low latency", (one) => one.predicted.paper.time_s],
    ["paper, high latency", (one) => (one.processes === 1 ? one.predicted.paper.sequential_time_upper_s : undefined) ?? undefined],
];

const distinct = (judged, key) => [...new Set(judged.map((one) => one[key]))].sort((a, b) => a - b);

export function printTimes(judged) {
    print("Time of the factorization: measured, and predicted over measured",
        [...LABELS, "Mflop", "ms", "spread", ...MODELS.map(([name]) => name)],
        [...judged].sort((a, b) => a.measured - b.measured).map((one) => [...label(one), (one.flops / 1e6).toFixed(1), ms(one.measured),
            percent(one.spread), ...MODELS.map(([, time]) => ratio(one, time(one)))]));
    const lines = [];
    for (const processes of distinct(judged, "processes")) for (const lookahead of distinct(judged, "lookahead"))
        for (const [name, time] of MODELS) for (const [which, least] of [[`>= ${1e3 * LONG_S} ms`, LONG_S], ["all", 0]]) {
            const some = judged.filter((one) => one.processes === processes && one.lookahead === lookahead && one.measured >= least && time(one) !== undefined);
            lines.push([name, processes, lookahead, which, ...summarise(some, time)]);
        }
    const words = GOALS.map(({ median, share, worst }) => `median <= ${median}, ${percent(share)} within ${WITHIN}, worst <= ${worst}`);
    print(`Factors; goals from ${1e3 * LONG_S} ms on: one process ${words[0]}; several ${words[1]}`,
        ["model", "processes", "window", "runs", "count", "median", `within ${WITHIN}`, "worst", "goals met"], lines);
}

/** How much faster several processes are than one, measured and predicted. */
export function printSpeedups(judged) {
    const lines = [], off = [];
    for (const one of judged) {
        const alone = judged.find((other) => other.processes === 1 && ["name", "ordering", "lookahead"].every((key) => other[key] === one[key]));
        if (one.processes === 1 || !alone || one.measured < LONG_S || one.predicted.window.time_s === undefined) continue;
        const measured = alone.measured / one.measured, predicted = alone.predicted.window.time_s / one.predicted.window.time_s;
        off.push(Math.max(measured / predicted, predicted / measured));
        lines.push([...label(one), measured.toFixed(2), predicted.toFixed(2), (predicted / measured).toFixed(2)]);
    }
    if (!lines.length) return;
    print("Speed-up over one process, with a window", [...LABELS, "measured", "predicted", "ratio"], lines);
    console.log(`median factor ${median(off).toFixed(3)}, worst ${Math.max(...off).toFixed(2)}; the goal is ${SPEEDUP_WITHIN}`);
}

/** The solves: their redistribution is in the prediction for several processes, as in the library's time. */
export function printSolves(judged) {
    const all = judged.flatMap((one) => one.solves.map((solve) => ({ ...one, ...solve })));
    print("Time of a solve: measured, and predicted over measured", [...LABELS, "right-hand sides", "ms", "predicted"],
        [...all].sort((a, b) => a.measured - b.measured).map((one) => [...label(one), one.nrhs, ms(one.measured), ratio(one, one.predicted)]));
    const lines = [];
    for (const processes of distinct(all, "processes")) for (const nrhs of distinct(all, "nrhs"))
        for (const [which, least] of [[`>= ${1e3 * LONG_SOLVE_S} ms`, LONG_SOLVE_S], ["all", 0]]) {
            const factors = all.filter((one) => one.processes === processes && one.nrhs === nrhs && one.measured >= least && one.predicted)
                .map((one) => factor(one, one.predicted));
            if (!factors.length) continue;
            const middle = median(factors), share = factors.filter((one) => one <= SOLVE_GOAL.within).length / factors.length;
            lines.push([processes, nrhs, which, factors.length, middle.toFixed(3), percent(share), Math.max(...factors).toFixed(2),
                middle <= SOLVE_GOAL.median && share >= SOLVE_GOAL.share ? "yes" : "no"]);
        }
    print(`Factors of the solves; goal from ${1e3 * LONG_SOLVE_S} ms on: median <= ${SOLVE_GOAL.median}, ${percent(SOLVE_GOAL.share)} within ${SOLVE_GOAL.within}`,
        ["processes", "right-hand sides", "solves", "count", "median", `within ${SOLVE_GOAL.within}`, "worst", "goal met"], lines);
}

/** A matrix of the paper, where the user has brought one: n, nnz and symmetry must agree, the rest
 *  depends on the ordering and on limits that the paper does not state. */
export function printPublished(judged) {
    const lines = [];
    for (const one of judged) {
        const paper = published[one.name];
        if (!paper) continue;
        const at = PROCESSES.indexOf(one.processes);
        const isSame = paper.n === one.n && paper.nnz === one.nnz &&
            Math.abs(paper.symmetry - one.matrix.structural_symmetry_fraction) < 0.0051;
        lines.push([...label(one), isSame ? "the same" : "another", one.n, paper.n, one.nnz, paper.nnz,
            (one.known.nnz_lu / 1e6).toFixed(1), (paper.nnzLu / 1e6).toFixed(1), (one.flops / 1e9).toFixed(2), paper.gflop,
            (one.predicted.calibrated.load_balance_factor ?? 1).toFixed(2), at < 0 ? "-" : paper.loadBalance[at],
            one.measured.toFixed(2), at < 0 ? "-" : paper.times[at]]);
    }
    if (!lines.length) return console.log("\nNone of the paper's eight matrices is among these; --matrix brings one.");
    print("Beside the paper: ours, then what it prints (another machine)",
        [...LABELS, "is", "n", "", "nnz", "", "nnz(L+U) 1e6", "", "Gflop", "", "LB", "", "s", ""], lines);
}

/** The service's accuracy report after the upload of the runs. */
export async function printAccuracy(api, machine) {
    const FIGURES = ["median_error", "p90_error", "worst_error", "bias"];
    const answer = expect(await api.get(`${machine}/accuracy.csv?model=sparse_lu`), "the accuracy", 200);
    const [head, ...rows] = parseCsv(answer.text);
    const value = (row, name) => row[head.indexOf(name)];
    print("The service's own account (/accuracy)", ["runs", ...FIGURES],
        rows.map((row) => [value(row, "predicted"), ...FIGURES.map((name) => percent(Number(value(row, `${name}_fraction`))))]));
}
