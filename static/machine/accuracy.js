/* The accuracy of predictions for the saved runs of a machine, by model, and its drift. */
import { address, get, Latest } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { table } from "../core/table.js";
import { unfolding } from "../core/unfold.js";
import { change, date, number, percent, quantity } from "../core/units.js";
import { problemView, unplaced } from "../parts/problem.js";
import { chartFiles, ROWS, scriptView } from "../parts/request.js";
import { imageOf, picture, sizeOf } from "../charts/picture.js";
import { readable } from "../charts/reader.js";

const NO_RUN = "no saved run could be predicted", NO_PAIR = "no saved runs of several variants of one problem";
const COLUMNS = [["median_error_fraction", "Median error"], ["p90_error_fraction", "90 % within"], ["worst_error_fraction", "Worst"],
    ["bias_fraction", "Bias", change], ["within_10_percent_fraction", "Within 10 %"], ["within_20_percent_fraction", "Within 20 %"],
    ["best_right_fraction", "Best variant found", percent, NO_PAIR], ["median_regret_fraction", "Median regret", percent, NO_PAIR], ["worst_regret_fraction", "Worst regret", percent, NO_PAIR]];

export class Accuracy {
    #asking = new Latest();
    #machine = null;

    constructor() {
        this.body = el("div", { class: "body" });
        this.root = el("div", { class: "part accuracy", id: "accuracy" }, el("h3", {}, "Accuracy"), this.body);
    }

    async show(machine) {
        const signal = this.#asking.next();
        const size = sizeOf({ width: "640", height: "480" });
        const path = `machines/${encodeURIComponent(machine.name)}/accuracy`;
        if (machine.name !== this.#machine) fill(this.body, el("p", { class: "waiting" }, "Loading …"));
        this.#machine = machine.name;
        this.body.setAttribute("aria-busy", "true");
        try {
            const [accuracy, image] = await Promise.all([
                get(path, undefined, signal),
                picture(`${path}/chart.svg`, size, signal).catch(() => null), /* no run could be predicted */
            ]);
            if (!signal.aborted) fill(this.body, accuracyView({ machine, accuracy, image, size, path }));
        } catch (error) {
            if (signal.aborted) return;
            fill(this.body, problemView(error, { shown: unplaced(error), retry: () => this.show(machine), title: "No accuracy report." }));
        }
        this.body.setAttribute("aria-busy", "false");
    }
}

function accuracyView({ machine, accuracy: { models }, image, size, path }) {
    if (!models.length) return el("p", { class: "waiting" }, "No saved run that a model can predict.");
    const text = `Predicted against measured times on ${machine.name}`;
    return [
        el("p", { class: "hint lead" }, "Saved runs compared with their predictions from the newest calibration. The error is relative to the measured time; ",
            "the regret is the time lost by choosing the variant that is predicted to be the best."),
        table({
            caption: "Accuracy of each operation", rows: models.flatMap(rowsOf), columns: [
                { name: "model", label: "Operation", text: (row) => row.text },
                { name: "runs", label: "Runs", isNumber: true, text: (row) => (row.predicted === row.runs ? number(row.runs) : `${number(row.predicted)} of ${number(row.runs)}`) },
                ...COLUMNS.map(([name, label, write = percent, why = NO_RUN]) => ({ name, label, isNumber: true, text: (row) => write(row[name]), why: () => why })),
                { name: "interval", label: "Inside the interval", isNumber: true, why: () => "too few saved runs for intervals", text: (row) => (row.interval
                    ? `${percent(row.interval.covered_fraction)} (expected ${percent(row.interval.coverage_fraction)})` : "–") },
            ],
        }),
        leftOut(models),
        image && el("figure", {}, el("div", { class: "paper" }, readable(imageOf(image, { alt: `${text}. The table above summarizes it.`, ...size }), { path: `${path}/chart`, query: size, size, name: `the chart: ${text}` })),
            el("figcaption", {}, el("p", {}, `${text}.`), chartFiles(text, { key: "accuracy-chart", path: `${path}/chart`, query: size, file: (suffix) => `accuracy-${machine.name}.${suffix}` }))),
        el("p", { class: "links" }, el("a", { href: address(`${path}.csv`) }, "CSV"), el("a", { href: address(`${path}.csv`, { rows: "runs" }) }, "CSV of all runs"),
            el("a", { href: address(path) }, "JSON")),
        scriptView("accuracy", [{ text: "each operation", path, formats: ROWS }, { text: "each run", path, query: { rows: "runs" }, formats: ["csv", "txt"] }]),
        unfolding("largest-errors", "Largest errors", models.filter((model) => model.worst.length > 0).map(worstView)),
    ];
}

/* A second row, if the calibrations that were current at the time of the runs give other figures. */
function rowsOf(report) {
    const { model, runs, then } = report;
    const differs = then.predicted !== report.predicted || COLUMNS.some(([name]) => then[name] !== report[name]);
    return [{ ...report, text: model }, ...(differs ? [{ ...then, runs, text: `${model}, with the calibration of that time` }] : [])];
}

const worstView = ({ model, worst }) => table({
    caption: `Largest errors of ${model}`, rows: worst, columns: [
        { name: "run", label: model, cell: (row) => el("a", { href: address(`runs/${row.run}`) }, el("code", {}, row.run)) },
        { name: "at", label: "When", text: (row) => date(row.at) },
        { name: "measured", label: "Measured", isNumber: true, text: (row) => quantity("time_s", row.measured) },
        { name: "predicted", label: "Predicted", isNumber: true, text: (row) => quantity("time_s", row.predicted) },
        { name: "error_fraction", label: "Error", isNumber: true, text: (row) => change(row.error_fraction) },
    ],
});

const whyLeftOut = {
    too_long: "predicting them would take too long",
    calibration_group_missing: "the calibration lacks what the model needs",
    matrix_missing: "their matrix, or its structure or partition, is not stored",
    refused: "the model refuses their parameters",
};

/* The runs that were not predicted, by reason. */
function leftOut(models) {
    return Object.entries(whyLeftOut).map(([reason, words]) => {
        const missing = models.filter(({ left_out }) => left_out[reason] > 0);
        return missing.length > 0 && el("p", { class: "hint" }, `Left out, because ${words}: ${
            missing.map(({ model, left_out }) => `${number(left_out[reason])} of ${model}`).join(", ")}.`);
    });
}

/** A notice for each model whose newest runs no longer agree with the earlier ones; drift: of the machine. */
export function driftView(drift) {
    return drift.map(({ model, since, slowdown, runs, outside }) => el("p", { class: "notice drift" },
        el("strong", {}, `Since ${date(since)}, runs of ${model} take ${number(slowdown, 3)} times as long as before`),
        `, relative to their predictions; ${number(outside)} of ${number(runs)} lie outside the interval of the earlier runs. The machine has changed: calibrate it again if that was not done since.`));
}
