/* The models of kernels in a calibration: their range, their errors, and their charts. */
import { el, fill } from "../core/dom.js";
import { knownChoice } from "../core/notes.js";
import { table } from "../core/table.js";
import { unfolding } from "../core/unfold.js";
import { date, duration, number, quantity } from "../core/units.js";
import { PLACES } from "../parts/faults.js";
import { KernelCharts, nameOf, titleOf } from "./kernel_charts.js";

const MEASURES = { p90: "the 90th percentile over the samples of a region", max: "the largest over the samples of a region", mean: "the mean over the samples of a region" };

export class KernelModels {
    #charts = new KernelCharts();

    constructor() {
        this.root = el("div", { class: "part", id: "kernel-models" });
    }

    /** calibration: the document with this id. */
    show({ calibration, id }) {
        const models = calibration?.kernels?.routine_models ?? [];
        this.root.hidden = !models.length;
        this.#charts.hide();
        fill(this.root);
        if (!models.length) return knownChoice("kernel.model", () => false, "the calibration has no models of kernels");
        fill(this.root, el("h3", {}, `Models of kernels (${number(models.length)})`), el("p", { class: "hint lead" }, summary(models, calibration)),
            unfolding("kernel-models", "The models as a table", () => tableOf(models.map(rowOf), (index) => this.#charts.turnTo(index))), this.#charts.root);
        return this.#charts.show({ models, id });
    }
}

function summary(models, { kernels }) {
    const sum = (name) => models.reduce((total, { build }) => total + (build?.[name] ?? 0), 0);
    const one = (name) => {
        const values = [...new Set(models.map(({ build }) => build?.[name]))];
        return values.length === 1 ? values[0] : undefined; /* undefined if not stated, or not the same for all */
    };
    const eps = one("eps"), measure = MEASURES[one("measure")];
    const weight = kernels.out_of_cache_weight;
    return `Piecewise polynomials for the times of kernels over their sizes, from which blocked algorithms are predicted.` +
        (sum("samples") ? ` Built from ${number(sum("samples"))} samples in ${duration(sum("seconds"))}.` : "") +
        (typeof eps === "number" ? ` A region is split while its error is above ${number(100 * eps, 3)}\u00a0%.` : "") +
        (measure ? ` An error is ${measure}.` : "") +
        (typeof weight === "number" ? ` A blend weights the out-of-cache time with ${number(100 * weight, 3)}\u00a0%.` : "");
}

function rowOf(model, index) {
    const errors = model.regions.map((region) => region.error).filter((error) => typeof error === "number");
    const { build = {}, library = {} } = model;
    return {
        index, model, kernel: nameOf(model), locality: PLACES[model.locality] ?? model.locality, threads: model.threads ?? 1,
        regions: model.regions.length, error: errors.length ? Math.max(...errors) : null, eps: build.eps, samples: build.samples, seconds: build.seconds,
        when: build.when, library: [library.name, library.version, library.core].filter(Boolean).join(" "),
    };
}

/* A box of the range as text: 8–256 × 8–1,024. */
const boxOf = ({ min, max }) => min.map((low, i) => (low === max[i] ? number(low) : `${number(low)}–${number(max[i])}`)).join(" × ");

function tableOf(rows, choose) {
    const some = (name) => rows.some((row) => row[name] !== undefined && row[name] !== null && row[name] !== "");
    const count = (name, label) => some(name) && { name, label, isNumber: true, text: (row) => number(row[name]) };
    return table({
        caption: "Models of kernels in the calibration", rows, sorting: "kernel.sort", columns: [
            { name: "kernel", label: "Kernel", cell: (row) => el("code", {}, row.kernel) },
            { name: "charts", label: "Charts", isFixed: true, cell: (row) => el("button", { type: "button", class: "quiet",
                "aria-label": `Charts of ${titleOf(row.model)}`, on: { click: () => choose(row.index) } }, "Charts") },
            { name: "locality", label: "Operands", text: (row) => row.locality },
            count("threads", "Threads"),
            { name: "range", label: "Range", isFixed: true, cell: (row) => [el("span", { class: "hint" }, row.model.parameters.join(" × "), ": "),
                row.model.range.map((box, i) => [i > 0 && el("br"), boxOf(box)])] },
            count("regions", "Regions"),
            { name: "error", label: "Largest error", isNumber: true, cell: (row) => errorOf(row) },
            count("samples", "Samples"),
            some("seconds") && { name: "seconds", label: "Build time", isNumber: true, text: (row) => (row.seconds === undefined ? "–" : quantity("time_s", row.seconds, 3)) },
            some("when") && { name: "when", label: "When", cell: (row) => (row.when ? el("time", { datetime: row.when }, date(row.when)) : "–") },
            some("library") && { name: "library", label: "Library", text: (row) => row.library || "–" },
        ].filter(Boolean),
    });
}

/* Marks an error above the requested one: the region could not be split further. */
function errorOf({ error, eps }) {
    if (error === null) return "–";
    const text = `${number(100 * error, 3)}\u00a0%`;
    return error > eps ? el("span", { class: "assumed", title: `above the requested ${number(100 * eps, 3)} %` }, `${text} (above ${number(100 * eps, 3)}\u00a0%)`) : text;
}
