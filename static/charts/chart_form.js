/* The settings of a chart: the kinds, the settings of each kind, the defaults, and the form. */
import { el, fill } from "../core/dom.js";
import { known } from "../core/notes.js";
import { page } from "../core/page.js";
import { alternatives, asText, flat, lettersOf, tunables } from "../core/query.js";
import { label } from "../core/units.js";
import { unfolding } from "../core/unfold.js";
import { field, input, select } from "../parts/fields.js";
import { presetsView } from "./presets.js";

/* The kinds of GET /api/v1/chart: their settings besides x, and the output that a model must have. */
export const KINDS = {
    lines: { label: "lines", takes: ["y", "series", "logx", "logy", "measured", "congestion"] },
    breakdown: { label: "stacked phases", takes: [] },
    groups: { label: "bars side by side", takes: ["y", "series", "measured"] },
    boxes: { label: "box plots of runs", takes: ["y", "series"] },
    band: { label: "band", takes: ["y", "series", "span", "logx", "logy"] },
    map: { label: "map of two parameters", takes: ["y", "series"] },
    strong_efficiency: { label: "efficiency, same problem", takes: ["series"] },
    weak_efficiency: { label: "efficiency, growing problem", takes: ["series"] },
    residuals: { label: "runs less a quadratic", takes: ["y", "series"] },
    roofline: { label: "roofline", takes: ["series", "measured", "intensity"], needs: "compute_bound_gflops" },
};

const LOOK = ["title", "width", "height"]; /* of all kinds */
const LAST_LINE = 16;
const seriesLabel = (kind) => (kind === "map" ? "Vertical axis" : "One line for each");

/** The outputs of a chart as text: "time, analytic time". */
export const namesOf = (y) => y.split(",").map(label).join(", ");

const isNumeric = (p) => p.type === "integer" || p.type === "number";
const isNamed = (p) => p.type === "choice" || p.type === "boolean";
const isAxis = (p) => isNumeric(p) || p.type === "vector" || p.type === "choice";
export const words = (name) => (name.length === 1 ? name : name.replaceAll("_", " "));

/* Parameters with few values, which make good lines of a chart. */
const linesOf = (model) => model.parameters.filter((p) => isNamed(p) || (p.tunable && isNumeric(p)));

/* Integers that are names (variant 3): all values are shown. */
const isListed = (p) => p.type === "integer" && p.name === "variant";

/* A list of calls has as many variants as its text has parts; a run is no larger than the machine. */
function bounded(model, p, values) {
    const text = isListed(p) && model.parameters.find((q) => q.type === "text");
    if (text) return { ...p, maximum: (values[text.name] ?? "").split("|").length };
    return p.one_of || p.name === "nodes" ? { ...p, maximum: Math.min(p.maximum ?? Infinity, machineSize(p, values)) } : p;
}

/* How many nodes, cores or processes the machine has room for, where it states its nodes. */
function machineSize({ name }, { threads = 1 }) {
    const { nodes, cores_per_node: cores } = page.machine?.facts ?? {};
    if (!nodes || name === "nodes") return nodes ?? Infinity;
    return cores ? Math.floor((nodes * cores) / (name === "cores" ? 1 : threads)) : Infinity;
}

/** The parameter that gives the size of a problem on one node. */
export const orderOf = (model, values) => lettersOf(model).find((p) => values[p.name]) ?? model.parameters.find((p) => p.name === "n" && p.required) ??
    model.parameters.find((p) => p.required && isNumeric(p)) ?? model.parameters.find(isNumeric);

/* Sparse LU: the simulated time and its bounds. */
const TIMES = "time_s,analytic_time_s,critical_path_computation_s";
const isSparse = (model) => model.family === "sparse";
/* Rows of a grid divide the processes, so these need not be squares. */
const takesAnyGrid = (model) => tunables(model).some((p) => p.name === "process_rows");

/** Whether values of a parameter are squares: processes of a square grid. */
export const needsSquares = (model, p) => Boolean(p.one_of) && !takesAnyGrid(model);

/* Shares are compared by their difference, other outputs by their ratio. */
const isShare = (y) => /percent|fraction/.test(y);

/* The default chart of a model; chart: what the user has set; row: the answer's configuration. */
function chartDefaults(model, values, chart, row) {
    const size = alternatives(model)[0];
    const x = size ? (size.find((p) => values[p.name]) ?? size[0]).name : orderOf(model, values).name;
    const choices = tunables(model).filter((p) => p.type === "choice" || isListed(p));
    /* Each ordering or broadcast would be simulated separately. */
    const series = takesAnyGrid(model) ? "" : (choices.find((p) => p.name === "variant") ?? choices[0])?.name ?? "";
    const others = linesOf(model).filter((p) => p.name !== series);
    const span = (others.find((p) => p.type === "choice" && !p.tunable) ?? others[0])?.name ?? "";
    /* Times fall with the processes by so much that lines of variants lie on each other. */
    const hasShare = size && series && row?.percent_of_peak !== null && model.outputs.some(({ name }) => name === "percent_of_peak");
    const y = isSparse(model) ? TIMES : hasShare ? "percent_of_peak" : "time_s";
    return { x, y, series, span, logx: "true", logy: String(!isShare(chart.y ?? y)), kind: "lines", measured: String(isSparse(model)), congestion: "false", intensity: "false" };
}

/** The chart of the state, without settings that its kind does not have. */
export function chartOf(model, state, row) {
    const spec = { ...chartDefaults(model, state.values, state.chart, row), ...state.chart };
    const kind = KINDS[spec.kind];
    for (const name of ["series", "span"]) if (!kind?.takes.includes(name) || spec[name] === "none") spec[name] = "";
    /* A roofline has one roof; over the intensity its points form one series. */
    if (spec.kind === "roofline" && (spec.series === "machine" || spec.intensity === "true")) spec.series = "";
    if (spec.kind !== "lines") [spec.y] = spec.y.split(","); /* only lines show several outputs */
    if (!kind?.takes.includes("y")) spec.y = spec.kind === "roofline" ? "gflops" : "time_s";
    return spec;
}

/** The parameter along the axis. */
export const axisOf = (model, spec) => model.parameters.find((p) => p.name === spec.x) ?? model.parameters.find(isNumeric);

/** Values of a parameter along the axis: all values, or some around the given one. */
export const rangeOf = (model, p, values, value) => around(bounded(model, p, values), value, takesAnyGrid(model) ? 2 : 4);

/** The same for the lines of a chart, with few values. */
export function seriesOf(model, p, values, value) {
    const isOwn = isNamed(p) || isListed(p) || value > LAST_LINE;
    return isOwn ? rangeOf(model, p, values, value) : `1..${LAST_LINE}..*2`;
}

/** The values of a list of the API: a,b,c · lo..hi..step · lo..hi..*factor. */
export const listed = (text) => text.split(",").flatMap((part) => {
    const [low, high, step = "1"] = part.split(".."), values = [];
    if (high === undefined) return [part];
    const next = step.startsWith("*") ? (value) => value * Number(step.slice(1)) : (value) => value + Number(step);
    for (let value = Number(low); value <= Number(high) && next(value) > value; value = next(value)) values.push(String(value));
    return values;
});

function around(p, value, grids) {
    if (p.type === "choice") return p.choices.join(",");
    if (p.type === "boolean") return "true,false";
    if (p.type === "vector") return vectors(p, value);
    if (isListed(p)) return p.maximum > p.minimum ? `${p.minimum}..${p.maximum}` : String(p.minimum);
    const here = Number(value) > 0 ? Number(value) : p.minimum > 0 ? p.minimum : 1;
    /* Powers of four keep square grids square; otherwise powers of two. */
    const step = p.one_of ? grids : 2;
    const least = Math.max(p.minimum ?? 0, p.type === "integer" ? 1 : 0);
    let low = here, high = here;
    for (let i = 0; i < 3 && low / step >= least && (p.type !== "integer" || Number.isInteger(low / step)); i++) low /= step;
    for (let i = 0; i < 3 && high * step <= (p.maximum ?? Infinity); i++) high *= step;
    return low === high ? String(here) : `${low}..${high}..*${step}`;
}

function vectors(p, value) {
    const here = value === undefined || value === null || value === "" ? [1, 1, 1] : asText(value).split("x").map(Number);
    return [0.25, 0.5, 1, 2, 4].map((factor) => here.map((extent) => extent * factor))
        .filter((vector) => vector.every((extent) => Number.isInteger(extent) && extent >= p.minimum && extent <= p.maximum))
        .map(asText).join(",");
}

export class ChartForm {
    #usual = {};
    #model = null;
    #state = null;
    #answer = null;

    /** change(): called when the user changes the chart; state.chart holds the new settings. */
    constructor({ form, change }) {
        Object.assign(this, { form, change });
    }

    build(model, state, machines) {
        this.#model = model;
        this.#state = state;
        this.#usual = chartDefaults(model, state.values, state.chart);
        const now = { ...this.#usual, ...state.chart };
        const axes = model.parameters.filter(isAxis);
        const over = axisOf(model, now);
        known("chart.x", state.chart.x, (name) => axes.some((p) => p.name === name), `${model.name} has no such parameter`);
        const kinds = Object.entries(KINDS).filter(([, kind]) => !kind.needs || model.outputs.some((o) => o.name === kind.needs));
        const lines = linesOf(model).map((p) => [p.name, words(p.name)]);
        const hint = (p) => (isNumeric(p) ? "a,b,c · lo..hi..step · lo..hi..*factor" : p.type === "vector" ? "8x8x8,16x16x16" : "a,b,c");

        const parts = {
            kind: this.#choice("kind", "Chart type", kinds.map(([name, kind]) => [name, kind.label]), now.kind),
            x: this.#choice("x", "Over", axes.map((p) => [p.name, words(p.name)]), now.x),
            values: this.#text("values", "Values", hint(over)),
            y: this.#choice("y", "Output", [...model.outputs.filter((o) => o.type === "number").map((o) => [flat(o.name), label(flat(o.name))]),
                ...(now.y.includes(",") ? [[now.y, namesOf(now.y)]] : [])], now.y),
            series: this.#choice("series", seriesLabel(now.kind), [["none", "none"], ...lines, ...(machines.length > 1 ? [["machine", "machine"]] : [])], now.series || "none"),
            span: this.#choice("span", "Range over", lines, now.span),
            logx: this.#check("logx", "logarithmic x", now),
            logy: this.#check("logy", "logarithmic y", now),
            measured: this.#check("measured", "saved runs", now),
            congestion: this.#check("congestion", "with their congestion", now),
            intensity: this.#check("intensity", "over intensity", now),
            title: this.#text("title", "Title"),
            width: this.#text("width", "Width", "pixels"),
            height: this.#text("height", "Height", "pixels"),
        };
        parts.x.control.addEventListener("change", () => {
            delete state.chart.values;
            this.values.value = "";
            const p = axisOf(model, { x: parts.x.control.value });
            parts.values.root.querySelector(".hint").textContent = hint(p);
        });
        parts.series.control.addEventListener("change", () => delete state.chart.hidden, { capture: true });
        this.values = parts.values.control;
        this.y = parts.y.control;
        this.logy = parts.logy.control;
        this.title = parts.title.control;
        this.#takes(parts, now.kind);
        parts.kind.control.addEventListener("change", () => {
            this.#takes(parts, parts.kind.control.value);
            parts.series.root.querySelector("label").textContent = seriesLabel(parts.kind.control.value);
        });
        const presets = presetsView({ model, state, row: () => this.#answer, use: (chart) => {
            state.chart = chart;
            this.build(model, state, machines);
            this.change();
        } });
        fill(this.form, presets, ["kind", "x", "values", "y", "series", "span"].map((name) => parts[name].root),
            el("div", { class: "checks" }, ["logx", "logy", "measured", "congestion", "intensity"].map((name) => parts[name].root)),
            unfolding("chart-look", "Title and size", el("div", { class: "inline-form" }, LOOK.map((name) => parts[name].root)), { isUsual: LOOK.some((name) => state.chart[name]) }));
    }

    /** values: shown as the placeholder of the list; answer: the configuration of the answer; y: what is drawn. */
    suggest(values, answer, y) {
        const { values: asked, chart } = this.#state;
        this.#usual = chartDefaults(this.#model, asked, chart, answer);
        this.values.placeholder = values;
        this.y.value = y;
        this.logy.checked = (chart.logy ?? this.#usual.logy) === "true";
        this.#answer = answer;
    }

    /** Shown where the user gives no title. */
    suggestTitle(text) {
        this.title.placeholder = text;
    }

    /** Draws all lines but these. */
    setHidden(names) {
        this.#set("hidden", names.join(","));
    }

    /** Draws other values along the axis; "": the usual ones. */
    setValues(text) {
        this.values.value = text;
        this.#set("values", text);
    }

    /* Hides the fields that this kind does not have. */
    #takes(parts, kind) {
        const takes = ["kind", "x", "values", ...LOOK, ...(KINDS[kind]?.takes ?? [])];
        for (const [name, { root }] of Object.entries(parts)) root.hidden = !takes.includes(name);
    }

    #set(name, value) {
        if (value === "" || value === this.#usual[name]) delete this.#state.chart[name];
        else this.#state.chart[name] = value;
        this.change();
    }

    #choice(name, text, options, value) {
        const control = select(options, value);
        control.addEventListener("change", () => this.#set(name, control.value));
        return { control, ...field(`chart-${name}`, { label: text, control }) };
    }

    #text(name, text, hint) {
        const control = input(this.#state.chart[name], { inputmode: "text" });
        control.addEventListener("input", () => this.#set(name, control.value.trim()));
        return { control, ...field(`chart-${name}`, { label: text, control, hint }) };
    }

    #check(name, text, now) {
        const control = el("input", { type: "checkbox", id: `chart-${name}`, checked: now[name] === "true" });
        control.addEventListener("change", () => this.#set(name, String(control.checked)));
        return { control, root: el("div", { class: "check" }, control, el("label", { for: `chart-${name}` }, text)) };
    }
}
