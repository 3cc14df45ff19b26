/* Charts of the model of one kernel: its regions, its performance, its error over the samples. */
import { address, Latest } from "./api.js";
import { debounced, el, fill, whenSeen } from "./dom.js";
import { field, input, select } from "./fields.js";
import { PLACES } from "./faults.js";
import { imageOf, picture, sizeOf } from "./picture.js";
import { problemView, unplaced } from "./problem.js";
import { readable } from "./reader.js";
import { age } from "./units.js";

const SIZES = ["m", "n", "k"];

/* kind -> its caption, its settings besides the kernel, the number of sizes along its axes, and
 * whether it shows all models of the kernel.  A kind without `with` is drawn for both calibrations. */
const KINDS = {
    regions: { text: "Regions of the model, colored by their error", takes: ["x", ...SIZES], axes: 2 },
    routine: { text: "Performance by the models", takes: ["x", ...SIZES, "with"], axes: 1, isOfAll: true },
    convergence: { text: "Error over the number of samples", takes: ["with"] },
};
const TYPING_MS = 300;

/* Letters of the flags in the routine's order; "*" is any. */
const flagsOf = (model) => Object.values(model.flags ?? {}).join("");

/** dtrsm LLNN */
export const nameOf = (model) => [model.routine, flagsOf(model)].filter(Boolean).join(" ");

/** The same with locality and threads, unique within a calibration. */
export const titleOf = (model) =>
    `${nameOf(model)}, operands ${PLACES[model.locality] ?? model.locality}, ${model.threads ?? 1} thread${model.threads > 1 ? "s" : ""}`;

const ownOf = (model) => ({ locality: model.locality, threads: String(model.threads ?? 1) });

function queryOf(model) {
    const flags = flagsOf(model);
    return { routine: model.routine, ...(flags && { flags }) };
}

export class KernelCharts {
    #models = [];
    #index = 0;
    #asked = {}; /* the settings of the user: x, sizes, with */
    #others = [];
    #asking = new Latest();

    constructor() {
        this.form = el("div", { class: "inline-form" });
        this.body = el("div", { class: "gallery body" });
        this.title = el("h3", { id: "kernel-charts-title", tabindex: "-1" }, "Charts of a kernel");
        this.root = el("div", { class: "kernel-charts", role: "group", "aria-labelledby": "kernel-charts-title" }, this.title, this.form, this.body);
        this.draw = debounced(() => this.#draw(), TYPING_MS);
        /* Charts are requested only when they become visible: they are expensive. */
        this.seen = whenSeen(() => this.#draw(), "25%");
    }

    hide() {
        this.seen.disconnect();
        this.#asking.next();
        this.body.setAttribute("aria-busy", "false");
    }

    /** others: calibrations that can be drawn together with this one. */
    show({ models, id, others }) {
        Object.assign(this, { id });
        this.#models = models;
        this.#others = others;
        const usual = models.findIndex((model) => model.routine === "dgemm");
        this.#index = Math.max(0, usual);
        this.#asked = {};
        this.#build();
        fill(this.body);
        this.seen.observe(this.root);
    }

    /** Shows the charts of this model. */
    choose(index) {
        this.#index = index;
        this.#build();
        this.seen.disconnect();
        this.#draw();
        this.title.focus();
        this.title.scrollIntoView({ block: "start" });
    }

    #build() {
        const model = this.#models[this.#index];
        const sizes = model.parameters;
        for (const name of SIZES) if (!sizes.includes(name)) delete this.#asked[name];
        if (!sizes.includes(this.#asked.x)) delete this.#asked.x;
        const set = (name, value) => {
            if (value) this.#asked[name] = value;
            else delete this.#asked[name];
            this.draw();
        };
        const choice = (name, label, options, value, act) => {
            const control = select(options, value);
            control.addEventListener("change", () => act(control.value));
            return field(`kernel-${name}`, { label, control }).root;
        };
        const size = (name) => {
            const control = input(this.#asked[name], { inputmode: "numeric", placeholder: "automatic" });
            control.addEventListener("input", () => set(name, control.value.trim()));
            return field(`kernel-${name}`, { label: `Size ${name}`, control }).root;
        };
        fill(this.form,
            choice("model", "Kernel", this.#models.map((each, i) => [String(i), titleOf(each)]), String(this.#index), (value) => {
                this.#index = Number(value);
                this.#build();
                document.getElementById("kernel-model").focus();
                this.draw();
            }),
            sizes.length > 1 && [choice("x", "Drawn over", [["", "automatic"], ...sizes.map((name) => [name])], this.#asked.x, (value) => set("x", value)), sizes.map(size)],
            this.#others.length > 0 && choice("with", "Compare with", [["", "no other calibration"], ...this.#others.map((row) => [row.id, `${row.id}, ${age(row.created_at ?? row.uploaded_at)}`])],
                this.#asked.with, (value) => set("with", value)));
    }

    /* The settings of the user, without sizes that would leave too few for the axes. */
    #taken(model, takes, axes) {
        const fixed = SIZES.filter((name) => this.#asked[name]).slice(0, Math.max(0, model.parameters.length - axes));
        return Object.fromEntries(Object.entries(this.#asked).filter(([name]) => takes.includes(name) && (!SIZES.includes(name) || fixed.includes(name))));
    }

    async #draw() {
        const signal = this.#asking.next();
        const model = this.#models[this.#index];
        this.body.setAttribute("aria-busy", "true");
        const beside = this.#asked.with;
        const wanted = Object.entries(KINDS).flatMap(([kind, of]) =>
            (beside && !of.takes.includes("with") ? [this.id, beside] : [this.id]).map((id) => ({ kind, id, ...of })));
        const figures = await Promise.all(wanted.map(async ({ kind, id, text, takes, axes, isOfAll }) => {
            const query = { ...queryOf(model), ...(!isOfAll && ownOf(model)), ...this.#taken(model, takes, axes) };
            const path = `calibrations/${id}/chart/${kind}`, size = sizeOf({ width: "760", height: "440" }, { isMap: kind === "regions" });
            const image = await picture(`${path}.svg`, { ...query, ...size }, signal).catch((error) => error);
            return figureOf({ kind, image, size, path, query, text: `${text}: ${isOfAll ? nameOf(model) : titleOf(model)}${id === this.id ? "" : `; calibration ${id}`}` });
        }));
        if (signal.aborted) return;
        fill(this.body, figures);
        this.body.setAttribute("aria-busy", "false");
    }
}

function figureOf({ kind, image, size, path, query, text }) {
    const isDrawn = image instanceof Blob;
    return el("figure", { class: kind },
        isDrawn ? el("div", { class: "paper" }, readable(imageOf(image, { alt: `${text}.`, ...size }), { path, query: { ...query, ...size }, size, name: `the chart: ${text}` }))
            : image.status === 404 ? el("p", { class: "waiting" }, `No chart. ${image.message}`)
                : problemView(image, { shown: unplaced(image), title: "This chart cannot be drawn." }),
        el("figcaption", {}, el("p", {}, `${text}.`), isDrawn && el("p", { class: "links" }, ["svg", "png", "pdf", "gp"].map((suffix) =>
            el("a", { href: address(`${path}.${suffix}`, query), download: `${kind}-${query.routine}.${suffix}` }, suffix === "gp" ? "gnuplot" : suffix.toUpperCase())))));
}
