/* Charts of the model of one kernel: its regions, its performance, its error over the samples. */
import { Latest, list } from "../core/api.js";
import { el, fill, whenSeen } from "../core/dom.js";
import { knownChoice } from "../core/notes.js";
import { choose, chosen, page, soon } from "../core/page.js";
import { age } from "../core/units.js";
import { PLACES } from "../parts/faults.js";
import { field, input, select } from "../parts/fields.js";
import { problemView, unplaced } from "../parts/problem.js";
import { chartFiles } from "../parts/request.js";
import { imageOf, picture, sizeOf } from "../charts/picture.js";
import { readable } from "../charts/reader.js";

const SIZES = ["m", "n", "k"];

/* kind -> its caption, its settings besides the kernel, the number of sizes along its axes, and
 * whether it shows all models of the kernel.  A kind without `with` is drawn for both calibrations. */
const KINDS = {
    regions: { text: "Regions of the model, colored by their error", takes: ["x", ...SIZES], axes: 2 },
    routine: { text: "Performance by the models", takes: ["x", ...SIZES, "with"], axes: 1, isOfAll: true },
    convergence: { text: "Error over the number of samples", takes: ["with"] },
};

/* Letters of the flags in the routine's order; "*" is any. */
const flagsOf = (model) => Object.values(model.flags ?? {}).join("");

/** dtrsm LLNN */
export const nameOf = (model) => [model.routine, flagsOf(model)].filter(Boolean).join(" ");

/** The same with locality and threads, unique within a calibration. */
export const titleOf = (model) =>
    `${nameOf(model)}, operands ${PLACES[model.locality] ?? model.locality}, ${model.threads ?? 1} thread${model.threads > 1 ? "s" : ""}`;

/** The same for an address. */
const keyOf = (model) => [model.routine, flagsOf(model), model.locality, model.threads ?? 1].filter(Boolean).join(" ");

const ownOf = (model) => ({ locality: model.locality, threads: String(model.threads ?? 1) });

function queryOf(model) {
    const flags = flagsOf(model);
    return { routine: model.routine, ...(flags && { flags }) };
}

export class KernelCharts {
    #models = [];
    #index = 0;
    #others = null; /* calibrations to compare with, by machine; null: not yet known */
    #asking = new Latest();

    constructor() {
        this.form = el("div", { class: "inline-form" });
        this.body = el("div", { class: "gallery body" });
        this.title = el("h3", { id: "kernel-charts-title", tabindex: "-1" }, "Charts of a kernel");
        this.root = el("div", { class: "kernel-charts", role: "group", "aria-labelledby": "kernel-charts-title" }, this.title, this.form, this.body);
        this.draw = soon(() => this.#draw());
        /* Charts are requested only when they become visible: they are expensive. */
        this.seen = whenSeen(() => { this.#draw(); this.#offer(); }, "25%");
    }

    hide() {
        this.seen.disconnect();
        this.#asking.next();
        this.body.setAttribute("aria-busy", "false");
    }

    show({ models, id }) {
        Object.assign(this, { id });
        this.#models = models;
        this.#others = null;
        const usual = models.findIndex((model) => model.routine === "dgemm");
        const key = knownChoice("kernel.model", (text) => models.some((model) => keyOf(model) === text), "the calibration has no such model of a kernel");
        this.#index = Math.max(0, key ? models.findIndex((model) => keyOf(model) === key) : usual);
        this.#build();
        fill(this.body);
        this.seen.observe(this.root);
    }

    /** Shows the charts of this model. */
    turnTo(index) {
        this.#take(index);
        this.seen.disconnect();
        if (!this.#others) this.#offer();
        this.title.focus();
        this.title.scrollIntoView({ block: "start" });
    }

    #take(index) {
        this.#index = index;
        choose("kernel.model", keyOf(this.#models[index]));
        const { parameters } = this.#models[index];
        for (const name of SIZES) if (!parameters.includes(name)) choose(`kernel.${name}`, "");
        if (!parameters.includes(chosen("kernel.x"))) choose("kernel.x", "");
        this.#build();
        this.draw();
    }

    /* The calibrations of all machines, which may be of other libraries; asked for when the charts are seen. */
    async #offer() {
        const rows = await Promise.all(page.machines.map(async ({ name }) => ({ name, rows: await list(`machines/${encodeURIComponent(name)}/calibrations`).catch(() => []) })));
        this.#others = rows.map(({ name, rows: all }) => ({ label: name, options: all.filter(({ id, groups }) => id !== this.id && groups?.includes("kernels"))
            .map((row) => [row.id, `${row.id}, ${age(row.created_at ?? row.uploaded_at)}`]) })).filter(({ options }) => options.length > 0);
        this.#build();
    }

    #build() {
        const sizes = this.#models[this.#index].parameters, held = this.form.contains(document.activeElement) && document.activeElement.id;
        const set = (name, value) => {
            choose(`kernel.${name}`, value);
            this.draw();
        };
        const choice = (name, label, options, value, act) => {
            const control = select(options, value);
            control.addEventListener("change", () => act(control.value));
            return field(`kernel-${name}`, { label, control }).root;
        };
        const size = (name) => {
            const control = input(chosen(`kernel.${name}`), { inputmode: "numeric", placeholder: "automatic" });
            control.addEventListener("input", () => set(name, control.value.trim()));
            return field(`kernel-${name}`, { label: `Size ${name}`, control }).root;
        };
        const x = knownChoice("kernel.x", (name) => sizes.includes(name), "the kernel has no such size");
        const beside = this.#others && knownChoice("kernel.with", (id) => this.#others.some(({ options }) => options.some(([other]) => other === id)), "there is no such calibration to compare with");
        fill(this.form,
            choice("model", "Kernel", this.#models.map((each, i) => [String(i), titleOf(each)]), String(this.#index), (value) => this.#take(Number(value))),
            sizes.length > 1 && [choice("x", "Drawn over", [["", "automatic"], ...sizes.map((name) => [name])], x, (value) => set("x", value)), sizes.map(size)],
            this.#others?.length > 0 && choice("with", "Compare with", [["", "no other calibration"], ...this.#others], beside, (value) => set("with", value)));
        if (held) document.getElementById(held)?.focus();
    }

    /* The settings of the user, without sizes that would leave too few for the axes. */
    #taken(model, takes, axes) {
        const settings = ["x", ...SIZES, "with"].map((name) => [name, chosen(`kernel.${name}`)]).filter(([, value]) => value);
        const fixed = SIZES.filter((name) => chosen(`kernel.${name}`)).slice(0, Math.max(0, model.parameters.length - axes));
        return Object.fromEntries(settings.filter(([name, value]) => takes.includes(name) && (name !== "x" || model.parameters.includes(value)) && (!SIZES.includes(name) || fixed.includes(name))));
    }

    async #draw() {
        const signal = this.#asking.next();
        const model = this.#models[this.#index];
        this.body.setAttribute("aria-busy", "true");
        const beside = chosen("kernel.with");
        const wanted = Object.entries(KINDS).flatMap(([kind, of]) =>
            (beside && !of.takes.includes("with") ? [this.id, beside] : [this.id]).map((id) => ({ kind, id, ...of })));
        const charts = await Promise.all(wanted.map(async ({ kind, id, text, takes, axes, isOfAll }) => {
            const query = { ...queryOf(model), ...(!isOfAll && ownOf(model)), ...this.#taken(model, takes, axes) };
            const path = `calibrations/${id}/chart/${kind}`, size = sizeOf({ width: "760", height: "440" }, { isMap: kind === "regions" });
            const image = await picture(`${path}.svg`, { ...query, ...size }, signal).catch((error) => error);
            return { kind, image, size, path, query, text: `${text}: ${isOfAll ? nameOf(model) : titleOf(model)}${id === this.id ? "" : `; calibration ${id}`}` };
        }));
        if (signal.aborted) return;
        fill(this.body, charts.map(figureOf));
        this.body.setAttribute("aria-busy", "false");
    }
}

function figureOf({ kind, image, size, path, query, text }) {
    const isDrawn = image instanceof Blob;
    return el("figure", { class: kind },
        isDrawn ? el("div", { class: "paper" }, readable(imageOf(image, { alt: `${text}.`, ...size }), { path, query: { ...query, ...size }, size, name: `the chart: ${text}` }))
            : image.status === 404 ? el("p", { class: "waiting" }, `No chart. ${image.message}`)
                : problemView(image, { shown: unplaced(image), title: "This chart cannot be drawn." }),
        el("figcaption", {}, el("p", {}, `${text}.`), isDrawn && chartFiles(text, { key: `kernel-${kind}`, path, query, file: (suffix) => `${kind}-${query.routine}.${suffix}` })));
}
