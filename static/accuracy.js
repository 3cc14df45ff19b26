/* How far predictions lay from what was measured on this machine, for each model. */
import { address } from "./api.js";
import { el } from "./dom.js";
import { table } from "./table.js";
import { date, number, quantity } from "./units.js";

const percent = (fraction) => (fraction === null ? "–" : `${number(100 * fraction, 3)}\u00a0%`);
const COLUMNS = [["median_error_fraction", "Median error"], ["p90_error_fraction", "90 % within"], ["worst_error_fraction", "Worst"],
    ["bias_fraction", "Bias"], ["within_10_percent_fraction", "Within 10 %"], ["best_right_fraction", "Best variant right"],
    ["worst_regret_fraction", "Worst regret"]];

/** accuracy: the answer of machines/{machine}/accuracy; null where it could not be had. */
export function accuracyView(machine, accuracy) {
    if (!accuracy?.models.length) return null;
    const text = `Predicted against measured times on ${machine.name}`;
    return el("div", { class: "accuracy" },
        el("h3", { class: "minor" }, "Accuracy"),
        el("p", { class: "hint lead" }, "Saved runs beside their predictions with the newest calibration. An error is the difference over what was measured."),
        table({
            caption: "Accuracy of each operation", rows: accuracy.models, columns: [
                { name: "model", label: "Operation", text: (row) => row.model },
                { name: "runs", label: "Runs", isNumber: true, text: (row) => number(row.runs) },
                ...COLUMNS.map(([name, label]) => ({ name, label, isNumber: true, text: (row) => percent(row[name]) })),
                { name: "interval", label: "In the 90 % interval", isNumber: true, text: (row) => percent(row.interval?.covered_fraction ?? null) },
            ],
        }),
        chart(machine, text),
        el("details", {}, el("summary", {}, "Largest errors"), accuracy.models.map((model) => table({
            caption: `Largest errors of ${model.model}`, rows: model.worst, columns: [
                { name: "run", label: model.model, cell: (row) => el("a", { href: address(`runs/${row.run}`) }, el("code", {}, row.run)) },
                { name: "at", label: "When", text: (row) => date(row.at) },
                { name: "measured", label: "Measured", isNumber: true, text: (row) => quantity("time_s", row.measured) },
                { name: "predicted", label: "Predicted", isNumber: true, text: (row) => quantity("time_s", row.predicted) },
                { name: "error_fraction", label: "Error", isNumber: true, text: (row) => percent(row.error_fraction) },
            ],
        }))));
}

function chart(machine, text) {
    const image = el("img", { src: address(`machines/${encodeURIComponent(machine.name)}/accuracy/chart.svg`, { width: "640", height: "560" }),
        alt: `${text}. The table above sums it up.`, loading: "lazy", width: "640", height: "560" });
    const figure = el("figure", {}, el("div", { class: "paper" }, image), el("figcaption", {}, el("p", {}, `${text}.`)));
    image.addEventListener("error", () => figure.remove()); /* no run of this machine is predicted */
    return figure;
}

/** Since when the newest runs no longer fit: a reason to calibrate anew. */
export function driftView(machine) {
    return (machine.drift ?? []).map((drift) => el("p", { class: "notice" },
        `Since ${date(drift.since)}, runs of ${drift.model} take ${number(drift.slowdown, 3)} times as long as before, relative to their predictions `,
        `(${number(drift.outside)} of ${number(drift.runs)} lie outside the interval of the earlier ones). The machine has changed: calibrate it anew.`));
}
