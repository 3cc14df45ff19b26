/* The answer: the predicted time, what it is based on, and the time limit for a job script. */
import { address } from "../core/api.js";
import { copyButton, el, unseen } from "../core/dom.js";
import { answerIdentity } from "../core/identity.js";
import { asText, outputOf } from "../core/query.js";
import { unfolding } from "../core/unfold.js";
import { capital, duration, durationParts, label, number, plural, quantity, range } from "../core/units.js";
import { JOBS, jobScript } from "../parts/job.js";
import { ROWS, scriptView } from "../parts/request.js";
import { countOf, warningsView } from "../parts/warnings.js";
import { driftView } from "../machine/accuracy.js";
import { breakdownView } from "./breakdown.js";
import { callsView, hasCalls } from "./calls.js";
import { effectView } from "./effect.js";

/* Outputs that are shown above the list of all outputs. */
const TOLD = new Set(["time_s", "percent_of_peak", "gflops", "nodes", "processes", "memory_bytes_per_process",
    "memory_limit_bytes_per_process", "communication_bytes_per_process"]);

export function answerView({ query, prediction, before, model, ranking, wasChosen, keepMachine, drift = [] }) {
    const identity = answerIdentity({ query, prediction, model });
    return [
        identity.changes.length > 0 && imaginaryView(identity, keepMachine),
        headline(prediction, identity),
        driftView(drift.filter((each) => each.model === model.name)),
        effectView(prediction, before),
        el("p", { class: "restated" }, restated(identity, ranking, wasChosen)),
        facts(prediction, model),
        warningsView(prediction.warnings),
        prediction.breakdown.length > 0 && breakdownView(prediction.breakdown, prediction.time_s),
        model.name === "hpl" && el("p", { class: "links" }, hplDat("predict", query, "Download HPL.dat")),
        hasCalls(model) && callsView(model, query),
        further(prediction, model),
        provenance(prediction),
    ];
}

/** A link to the input file of HPL. */
export const hplDat = (kind, query, text) => el("a", { href: address(`${kind}/hpl.dat`, query), download: "HPL.dat" }, text);

/** The answer for a script, and the heads of job scripts for it; there is no job on an imaginary machine. */
export const answerScript = ({ query, model, identity }) => scriptView("this prediction", [
    { text: "this prediction", path: `predict/${model.name}`, query, formats: model.name === "hpl" ? [...ROWS, "dat"] : ROWS },
    ...(hasCalls(model) ? [{ text: "with its calls", path: `predict/${model.name}`, query: { ...query, explain: "true" }, formats: ROWS }] : []),
    ...JOBS.map(([name, text]) => ({ name, text, isOff: identity.changes.length > 0, line: () => jobScript(name, model, query) })),
], { isOpen: true });

/** One sentence for the live region. */
export function spoken(prediction, before) {
    const { percent_of_peak: percent } = prediction, baseline = before?.baseline ?? prediction.baseline, length = countOf(prediction.warnings);
    return `Predicted time ${duration(prediction.time_s)}` +
        (typeof percent === "number" ? `, ${number(percent, 3)} percent of peak` : "") +
        (baseline ? `; without the change ${duration(baseline.time_s)}` : "") +
        (length ? `; ${plural(length, "warning")}` : "") + ".";
}

const BASIS = {
    residuals_of_runs_of_this_model: "from past errors for this operation",
    residuals_of_runs_of_this_size: "from past errors for this size",
    transfer: "from how well the saved runs predict each other",
    variability: "from how much processors differ and how wrong the model was elsewhere; too few saved runs",
};

/* Where `time_quantile_s` comes from. */
const LIMITS = {
    residuals_of_runs_of_this_model: "what 95 of 100 runs of this operation keep",
    residuals_of_runs_of_this_size: "what 95 of 100 runs of this size keep",
    largest_residual: "predicted time and the largest error of the saved runs",
    assumed_margin: "predicted time and an assumed margin of 25\u00a0%",
};

function headline(prediction, { changes }) {
    const { time_s, interval, extrapolation, runs, wall_time: limit } = prediction;
    return el("div", { class: "headline" },
        el("p", { class: "time", id: "time" }, unseen("Predicted time: "),
            durationParts(time_s).map(([value, unit]) => [el("span", { class: "time-value" }, value), el("span", { class: "time-unit" }, `\u00a0${unit} `)])),
        el("div", { class: "beside" },
            interval && intervalView(interval, time_s),
            extrapolation && extrapolationView(extrapolation, time_s),
            runs && el("p", { class: "hint" }, servedBy(runs)),
            !changes.length && /* there is no job on an imaginary machine */
            el("p", { class: "slurm" }, el("code", {}, `--time=${limit}`), copyButton("Copy", () => `--time=${limit}`),
                el("span", { class: "hint" }, `${LIMITS[prediction.time_quantile_basis]}${extrapolation?.high_s ? ", extrapolated" : ""}, rounded up to a minute`))));
}

const intervalView = ({ low_s, high_s, coverage_fraction: coverage, basis, runs }, time_s) => el("p", { class: "interval" },
    el("strong", {}, range(low_s, high_s, { of: time_s })), " ",
    el("span", { class: "hint" }, `in ${quantity("coverage_fraction", coverage)} of cases, ${BASIS[basis] ?? basis.replaceAll("_", " ")}`,
        runs > 0 && ` (${plural(runs, "run")})`));

const extrapolationView = ({ low_s, high_s, message }, time_s) => el("p", { class: "interval" },
    low_s !== null && [el("strong", {}, range(low_s, high_s, { of: time_s })), " "], el("span", { class: "hint" }, message));

function servedBy({ count, median_s: median, first_quartile_s: first, third_quartile_s: third, minimum_s: least, maximum_s: most }) {
    const what = `${plural(count, "saved run")} ${count === 1 ? "is" : "are"} used as input`;
    if (count === 1) return `${what}.`;
    if (most - least <= 1e-9 * most) return `${what}; all give the same time.`;
    return `${what}: median ${duration(median)}, quartiles ${range(first, third, { of: median })}, all within ${range(least, most, { of: median })}.`;
}

/* The identity as a sentence. */
function restated({ subject, machine, calibration, run, parameters, changes }, ranking, wasChosen) {
    return [
        el("strong", {}, subject), " on ", el("strong", {}, machine), calibration && [" (calibration ", el("code", {}, calibration.slice(0, 8)), ")"], run && ` with ${run}`,
        parameters.length > 0 && [": ", parameters.map(([name, value], i) => [i > 0 && ", ", `${name} `, el("strong", {}, value)])],
        changes.length > 0 && ["; if ", el("strong", {}, changes.join(", "))],
        wasChosen && ranking ? `, the best of ${number(ranking.considered)} configurations` +
            (ranking.left_out?.memory_exceeded ? `, ${number(ranking.left_out.memory_exceeded)} of which do not fit into memory.` : ".") : ".",
    ];
}

const imaginaryView = (identity, keepMachine) => el("div", { class: "notice imaginary" }, el("p", {}, el("strong", {}, "Imaginary machine. "),
    `All that follows is for ${identity.machine} with ${identity.changes.join(", ")}. `,
    el("button", { type: "button", class: "quiet", on: { click: keepMachine } }, "Back to the machine as calibrated")));

function facts(p, model) {
    const fact = (name, value, note) => value !== undefined && el("div", { class: "fact" },
        el("dt", {}, name), el("dd", {}, typeof value === "string" ? withUnit(value) : value, note && el("span", { class: "hint" }, note)));
    return el("dl", { class: "facts" },
        "percent_of_peak" in p && fact("Of peak", p.percent_of_peak === null ? "–" : `${number(p.percent_of_peak, 3)}\u00a0%`,
            p.percent_of_peak === null && "the calibration has no peak"),
        p.solve_time_s != null && fact("Triangular solves", withUnit(quantity("solve_time_s", p.solve_time_s, 3)), "in the time above"),
        "gflops" in p && fact("Rate", quantity("gflops", p.gflops, 3)),
        "nodes" in p && fact("Nodes", number(p.nodes)),
        "processes" in p && fact("Processes", number(p.processes)),
        "memory_bytes_per_process" in p && fact("Memory per process", [withUnit(quantity("memory_bytes_per_process", p.memory_bytes_per_process, 3)), memoryMeter(p)],
            p.memory_limit_bytes_per_process ? `of ${quantity("memory_limit_bytes_per_process", p.memory_limit_bytes_per_process, 3)}; ${shareOf(p)} of the node's memory` : "limit unknown"),
        "communication_bytes_per_process" in p && fact("Sent per process", quantity("communication_bytes_per_process", p.communication_bytes_per_process, 3)),
        model.outputs.filter((o) => o.type === "text" && p[o.name]).map((o) => fact(capital(label(o.name)), p[o.name].replaceAll("_", " "))));
}

/* The unit in a smaller font than the number. */
function withUnit(text) {
    const [value, unit] = text.split("\u00a0");
    return unit ? [value, el("span", { class: "unit" }, `\u00a0${unit}`)] : value;
}

/* A process may use its part of the node's memory, so this is also the share of a full node. */
const shareOf = ({ memory_bytes_per_process: used, memory_limit_bytes_per_process: limit }) => quantity("share_fraction", used / limit, 2);

function memoryMeter({ memory_bytes_per_process: used, memory_limit_bytes_per_process: limit }) {
    if (!limit || used === null) return null;
    const level = el("span", { class: used > limit ? "level over" : "level" });
    level.style.width = `${Math.min(100, (100 * used) / limit)}%`;
    return el("span", { class: "meter", "aria-hidden": "true" }, level);
}

/* All other outputs and parameters.  Each nested object of the answer has its own heading. */
function further(prediction, model) {
    const groups = new Map([["", []]]);
    for (const o of model.outputs) {
        const value = outputOf(prediction, o.name);
        if (TOLD.has(o.name) || value === undefined || prediction.parameters[o.name] !== undefined) continue;
        const [name, group = ""] = o.name.split(".").reverse();
        if (!groups.has(group)) groups.set(group, []);
        groups.get(group).push(pair(capital(called(name)), o.description, quantity(o.name, value)));
    }
    const parameters = model.parameters.filter((p) => prediction.parameters[p.name] !== undefined && prediction.parameters[p.name] !== null);
    return unfolding("all", "All outputs and parameters", () => [
        [...groups].filter(([, pairs]) => pairs.length > 0).map(([group, pairs]) => [
            group && el("h3", {}, capital(label(group))), el("dl", { class: "pairs" }, pairs)]),
        el("h3", {}, "Parameters"),
        el("dl", { class: "pairs" }, parameters.map((p) => pair(p.name.replaceAll("_", " "), p.description, asText(prediction.parameters[p.name])))),
    ], { class: "all" });
}

/* Keeps names apart that differ only in their unit: `hops` and `hops_s`. */
const called = (name) => (/_bytes$|^hops_s$/.test(name) ? name.replace(/_s$/, "_time").replaceAll("_", " ") : label(name));

const pair = (name, title, value) => el("div", {}, el("dt", { title }, name), el("dd", {}, value));

function provenance({ calibration, engine }) {
    return el("p", { class: "provenance" }, "Calibration ",
        calibration ? el("a", { href: address(`calibrations/${calibration}`) }, el("code", {}, calibration)) : "of the request",
        ` · computed by ${engine}`);
}
