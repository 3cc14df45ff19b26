/* A sweep drawn by the daemon, the same numbers as a table, and the files to take along. */
import { address, get } from "./api.js";
import { el, fill } from "./dom.js";
import { field, input, select } from "./fields.js";
import { alternatives, choiceOf, predictQuery, tunables } from "./query.js";
import { column, table } from "./table.js";
import { capital, label } from "./units.js";

const isNumeric = (p) => p.type === "integer" || p.type === "number";
const flat = (name) => name.replaceAll(".", "_"); /* rows name members of objects so */
const words = (name) => (name.length === 1 ? name : name.replaceAll("_", " "));

/* The kinds that any question has; the API has more. */
const KINDS = [["lines", "lines"], ["groups", "bars side by side"], ["boxes", "box plots of saved runs"]];

/** What the chart shows where the person has not said. */
export function chartDefaults(model, values) {
    const size = alternatives(model)[0];
    const x = size ? (size.find((p) => values[p.name]) ?? size[0]).name : (model.parameters.find((p) => p.required && isNumeric(p)) ?? model.parameters.find(isNumeric)).name;
    const choices = tunables(model).filter((p) => p.type === "choice");
    return { x, y: "time_s", series: (choices.find((p) => p.name === "variant") ?? choices[0])?.name ?? "", logx: "true", logy: "true", kind: "lines", measured: "false" };
}

/** Values around the one asked for: powers of four keep square grids square. */
export function around(p, value) {
    const here = Number(value) > 0 ? Number(value) : p.minimum > 0 ? p.minimum : 1;
    const step = p.one_of ? 4 : 2;
    const least = Math.max(p.minimum ?? 0, p.type === "integer" ? 1 : 0);
    let low = here, high = here;
    for (let i = 0; i < 3 && low / step >= least && (p.type !== "integer" || Number.isInteger(low / step)); i++) low /= step;
    for (let i = 0; i < 3 && high * step <= (p.maximum ?? Infinity); i++) high *= step;
    return low === high ? String(here) : `${low}..${high}..*${step}`;
}

export class Chart {
    /** change(): the person asked for another chart; state.chart holds it. */
    constructor({ form, body, change }) {
        Object.assign(this, { form, body, change });
    }

    build(model, state, machines) {
        const usual = chartDefaults(model, state.values);
        const now = { ...usual, ...state.chart };
        const set = (name, value) => {
            if (value === "" || value === usual[name]) delete state.chart[name];
            else state.chart[name] = value;
            this.change();
        };
        const numeric = model.parameters.filter(isNumeric);
        const kinds = model.parameters.filter((p) => p.type === "choice" || p.type === "boolean" || (p.tunable && isNumeric(p)));
        const x = select(numeric.map((p) => [p.name, words(p.name)]), now.x);
        const over = numeric.find((p) => p.name === now.x) ?? numeric[0];
        const values = input(state.chart.values, { inputmode: "text", placeholder: around(over, state.values[over.name] ?? over.default) });
        const y = select(model.outputs.filter((o) => o.type === "number").map((o) => [flat(o.name), label(flat(o.name))]), now.y);
        const series = select([["none", "none"], ...kinds.map((p) => [p.name, words(p.name)]), ...(machines.length > 1 ? [["machine", "machine"]] : [])], now.series || "none");
        const check = (name, text) => {
            const control = el("input", { type: "checkbox", id: `chart-${name}`, checked: now[name] === "true" });
            control.addEventListener("change", () => set(name, String(control.checked)));
            return el("div", { class: "check" }, control, el("label", { for: `chart-${name}` }, text));
        };
        const kind = select(KINDS, now.kind);
        kind.addEventListener("change", () => set("kind", kind.value));
        x.addEventListener("change", () => { delete state.chart.values; values.value = ""; set("x", x.value); });
        values.addEventListener("input", () => set("values", values.value.trim()));
        y.addEventListener("change", () => set("y", y.value));
        series.addEventListener("change", () => set("series", series.value));
        this.values = values;
        fill(this.form,
            field("chart-x", { label: "Over", control: x }).root,
            field("chart-values", { label: "Values", control: values, hint: "a,b,c · lo..hi..step · lo..hi..*factor" }).root,
            field("chart-y", { label: "Shown", control: y }).root,
            field("chart-series", { label: "One line for each", control: series }).root,
            field("chart-kind", { label: "Drawn as", control: kind }).root,
            el("div", { class: "checks" }, check("logx", "logarithmic x"), check("logy", "logarithmic y"), check("measured", "saved runs")));
    }

    /** Draws the question of the answer over a range. Throws what the daemon refused. */
    async show({ model, state, row, machines, signal }) {
        const spec = { ...chartDefaults(model, state.values), ...state.chart };
        const p = model.parameters.find((q) => q.name === spec.x) ?? model.parameters.find(isNumeric);
        const usual = around(p, state.values[p.name] ?? row?.[p.name] ?? p.default);
        this.values.placeholder = usual;
        const query = sweepOf({ model, state, row, machines, spec, p, values: spec.values || usual });
        const sweep = await get(`sweep/${model.name}`, query, signal);
        const narrow = window.matchMedia("(max-width: 40rem)").matches;
        const drawn = {
            ...query, x: p.name, y: spec.y, logx: spec.logx, logy: spec.logy, kind: spec.kind, measured: spec.measured,
            ...(spec.series && spec.series !== "none" ? { series: spec.series } : {}),
            ...(narrow ? { width: "480", height: "400" } : { width: "860", height: "440" }),
        };
        fill(this.body, figure({ model, query, drawn, sweep, spec, x: p.name, values: spec.values || usual }));
    }
}

function sweepOf({ model, state, row, machines, spec, p, values }) {
    const query = predictQuery(state);
    if (p.one_of) for (const other of model.parameters) if (other.one_of === p.one_of) delete query[other.name];
    query[p.name] = values;
    const series = model.parameters.find((q) => q.name === spec.series);
    if (spec.series === "machine") {
        query.machine = machines.map((m) => m.name).join(",");
        delete query.calibration;
    } else if (series && series !== p) {
        query[series.name] = series.type === "choice" ? series.choices.join(",") : series.type === "boolean" ? "true,false" : "1..16..*2";
    }
    /* What is still open takes its best at each point.  That keeps to the memory limit; where the
     * person ignores it, the choice of the answer is held instead. */
    const isOpen = tunables(model).some((t) => query[t.name] === undefined);
    if (isOpen && !state.memory) query.tune = "true";
    return query.tune || !row ? query : { ...choiceOf(model, row), ...query };
}

function figure({ model, query, drawn, sweep, spec, x, values }) {
    const file = (suffix) => address(`chart/${model.name}.${suffix}`, drawn);
    const series = drawn.series;
    const text = `${capital(label(spec.y))} of ${model.name} over ${words(x)} = ${values}` + (series ? `, one line for each ${words(series)}` : "");
    const failed = el("p", { class: "notice", hidden: true }, "The chart could not be drawn; the table below has its numbers.");
    const image = el("img", { src: file("svg"), alt: `${text}. The table below has the numbers.`, width: drawn.width, height: drawn.height });
    image.addEventListener("error", () => { failed.hidden = false; image.hidden = true; });
    const illegal = sweep.rows.filter((r) => r.error);
    const held = tunables(model).filter((p) => p.name !== series && p.name !== x && query[p.name]).map((p) => `${words(p.name)} ${query[p.name]}`);
    return el("figure", {},
        el("div", { class: "paper" }, image), failed,
        el("figcaption", {},
            el("p", {}, `${text}.`, held.length > 0 && ` Held: ${held.join(", ")}.`,
                query.tune && " What is open takes its best at each point.",
                illegal.length > 0 && ` ${illegal.length} of ${sweep.rows.length} points are not possible and left out.`),
            el("p", { class: "links" },
                el("a", { href: address(`sweep/${model.name}.csv`, query), download: `${model.name}-sweep.csv` }, "CSV"),
                ["svg", "png", "pdf", "gp"].map((suffix) => el("a", { href: file(suffix), download: `${model.name}.${suffix}` }, suffix === "gp" ? "gnuplot" : suffix.toUpperCase())))),
        el("details", {}, el("summary", {}, "The numbers as a table"),
            pivot({ rows: sweep.rows, x, y: spec.y, series, caption: text }),
            illegal.length > 0 && el("ul", { class: "reasons" }, [...new Set(illegal.map((r) => r.error))].slice(0, 8).map((reason) => el("li", {}, reason)))));
}

/* One row for each x, one column for each line of the chart. */
function pivot({ rows, x, y, series, caption }) {
    const lines = series ? [...new Set(rows.map((r) => r[series]))] : [null];
    const byX = new Map();
    for (const r of rows) {
        if (!byX.has(r[x])) byX.set(r[x], { [x]: r[x] });
        const key = `line ${series ? r[series] : null}`;
        byX.get(r[x])[key] ??= r[y];
    }
    const points = [...byX.values()];
    return table({ caption, rows: points, columns: [
        column(x, words(x), points),
        ...lines.map((line) => column(`line ${line}`, line === null ? capital(label(y)) : String(line), points)),
    ].map((c) => (c.name.startsWith("line ") ? sameUnit(c, y, rows) : c)) });
}

function sameUnit(c, y, rows) {
    const all = column(y, c.label, rows);
    return { ...all, name: c.name, text: (row) => all.text({ [y]: row[c.name] }) };
}
