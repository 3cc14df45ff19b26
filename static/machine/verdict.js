/* Whether the machine got slower: drift of its runs, change of its calibrations. */
import { get, Latest } from "../core/api.js";
import { el, fill, whenSeen } from "../core/dom.js";
import { table } from "../core/table.js";
import { day, label, number } from "../core/units.js";
import { problemView, unplaced } from "../parts/problem.js";
import { chartFiles } from "../parts/request.js";
import { imageOf, picture, sizeOf } from "../charts/picture.js";
import { readable, valuesView } from "../charts/reader.js";

const LEAST_RUNS = 15; /* of one operation, for a drift to be found (docs/saved_runs.md) */
const NAMED = 3;       /* changed values in the sentence */
const TOLD = 0.005;    /* relative changes below this are not told */

const percent = (fraction) => `${number(100 * Math.abs(fraction), 2)}\u00a0%`;
const timeOf = ({ created_at: measured, uploaded_at: stored }) => measured ?? stored;
const whenOf = (row) => `${row.created_at ? "measured" : "stored"} on ${day(timeOf(row))}`;

export class Verdict {
    #asking = new Latest();

    constructor() {
        this.sentence = el("p", { class: "lead", id: "verdict" });
        this.before = el("div");
        this.history = el("div", { class: "body" });
        this.root = el("div", { class: "part" }, el("h3", {}, "Did the machine get slower?"), this.sentence, this.before, this.history);
        /* Both are expensive. */
        this.seen = whenSeen(() => this.#ask(), "25%");
    }

    /** calibrations: all of the machine, newest first. */
    show(machine, calibrations) {
        this.seen.disconnect();
        this.#asking.next();
        Object.assign(this, { machine, calibrations });
        fill(this.sentence, sentenceOf(machine, calibrations, []));
        fill(this.before, machine.drift?.length > 0 && beforeView(machine.drift));
        fill(this.history);
        this.history.setAttribute("aria-busy", "false");
        this.seen.observe(this.root);
    }

    async #ask() {
        const signal = this.#asking.next();
        await Promise.all([this.#compare(signal), this.#draw(signal)]);
    }

    async #compare(signal) {
        const { machine, calibrations: [to, from] } = this;
        if (!from) return;
        try {
            const { fields } = await get(`machines/${encodeURIComponent(machine.name)}/calibrations/compare`, { from: from.id, to: to.id, limit: "1" }, signal);
            if (!signal.aborted) fill(this.sentence, sentenceOf(machine, this.calibrations, changesOf(fields)));
        } catch (error) {
            if (!signal.aborted) this.sentence.append(` The last two calibrations cannot be compared: ${error.message}`);
        }
    }

    async #draw(signal) {
        if (!this.machine.runs) return;
        const path = `machines/${encodeURIComponent(this.machine.name)}/accuracy/history`, size = sizeOf({ width: "860", height: "380" });
        this.history.setAttribute("aria-busy", "true");
        try {
            const image = await picture(`${path}.svg`, size, signal);
            if (!signal.aborted) fill(this.history, figureOf(this.machine, image, { path, query: size, size }));
        } catch (error) {
            if (signal.aborted) return;
            fill(this.history, error.status === 404 ? el("p", { class: "waiting" }, "No saved run can be predicted.")
                : problemView(error, { shown: unplaced(error), retry: () => this.#ask(), title: "The errors over time cannot be drawn." }));
        }
        this.history.setAttribute("aria-busy", "false");
    }
}

function figureOf(machine, image, drawn) {
    const text = `How much longer the saved runs of ${machine.name} took than predicted with the calibration in use when they were uploaded`, values = { ...drawn, name: `the chart: ${text}`, key: "errors-over-time" };
    return el("figure", {}, el("div", { class: "paper" }, readable(imageOf(image, { alt: `${text}. The table below has the numbers.`, ...drawn.size }), values)),
        el("figcaption", {}, el("p", {}, `${text}; dashed lines mark where a calibration came into use, at its upload.`,
            machine.drift?.length > 0 && " Two lines show the medians before and since a change."),
            chartFiles("errors over time", { ...drawn, file: (suffix) => `errors-${machine.name}.${suffix}` })), valuesView(values));
}

/* Changes of values by more than the spread of their measurements, the largest first: [[subject, mean]]. */
function changesOf(fields) {
    const found = new Map();
    for (const { path, changed, within_spread: within, mean_relative_change: mean } of fields) {
        if (mean === null || Math.abs(mean) < TOLD || changed <= within) continue;
        const subject = subjectOf(path);
        if (!(Math.abs(found.get(subject) ?? 0) >= Math.abs(mean))) found.set(subject, mean);
    }
    return [...found].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
}

/* "dgemm" for its efficiency, otherwise "network latency". */
function subjectOf(path) {
    const [, kernel] = /^kernels\.(\w+)\.(?:.*\.)?efficiency_fraction$/.exec(path) ?? [];
    return kernel ?? path.split(".").filter((part) => part !== "*").map((part) => label(part.replace(/_(?:bytes|flops)_per_s$|_s_per_byte$/, ""))).join(" ");
}

const driftOf = ({ model, slowdown, since, until }) => [el("strong", {}, model, slowdown >= 2 ? ` ${number(slowdown, 2)} times as long` : ` ${percent(slowdown - 1)} ${slowdown > 1 ? "slower" : "less time"}`), until ? day(since) === day(until) ? ` on ${day(since)}` : ` from ${day(since)} to ${day(until)}` : ` since ${day(since)}`];
const driftsOf = (drift) => drift.map((each, i) => [i > 0 && ", ", driftOf(each)]);

function runsOf({ runs, drift = [] }) {
    if (drift.length) return driftsOf([...drift].sort((a, b) => Math.abs(Math.log(b.slowdown)) - Math.abs(Math.log(a.slowdown))));
    if (!runs) return "There are no saved runs that could tell";
    return runs < LEAST_RUNS ? `Too few saved runs to tell: ${number(runs)}, and it takes ${LEAST_RUNS} of one operation` : [el("strong", {}, "No lasting change"), " was found in the saved runs"];
}

function sentenceOf(machine, calibrations, changes) {
    const [to, from] = calibrations, shown = changes.slice(0, NAMED), more = changes.length - shown.length;
    const told = shown.map(([subject, mean], i) => [i > 0 && ", ", subject, ` ${mean < 0 ? "fell" : "rose"} by ${percent(mean)}`]);
    const isOld = to && machine.drift?.some(({ since }) => timeOf(to) < since);
    return [
        runsOf(machine), "; ",
        !from ? (to ? "there is no earlier calibration to compare with" : "there is no calibration")
            : shown.length ? [told, more > 0 && ` and ${number(more)} more`, ` from the calibration ${whenOf(from)} to that ${whenOf(to)}`]
                : `the last two calibrations agree, one ${whenOf(from)}, one ${whenOf(to)}`,
        ".", isOld && " The newest calibration is older than the change: calibrate again.", machine.past_drift?.length > 0 && [" For a while: ", driftsOf(machine.past_drift), "."],
    ];
}

const beforeView = (drift) => table({
    caption: "Measured ÷ predicted, and runs outside the interval before", rows: drift, columns: [
        { name: "model", label: "Operation", text: (row) => row.model },
        { name: "earlier_ratio", label: "Before", isNumber: true, text: (row) => row.earlier_ratio.toFixed(3) },
        { name: "ratio", label: "After", isNumber: true, text: (row) => row.ratio.toFixed(3) },
        { name: "since", label: "Since", text: (row) => day(row.since) },
        { name: "earlier_runs", label: "Runs before", isNumber: true, text: (row) => number(row.earlier_runs) },
        { name: "runs", label: "Runs since", isNumber: true, text: (row) => number(row.runs) },
        { name: "outside", label: "Outside", isNumber: true, text: (row) => number(row.outside) },
    ],
});
