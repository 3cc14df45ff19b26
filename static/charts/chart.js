/* A sweep as a chart drawn by the daemon, as a table, and as files to download. */
import { address, get, Latest } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { fileOf, headingOf, identityOf, lineOf } from "../core/identity.js";
import { known } from "../core/notes.js";
import { asText, choiceOf, keptOf, predictQuery, tunables } from "../core/query.js";
import { column, table } from "../core/table.js";
import { meantList } from "../core/typed.js";
import { unfolding } from "../core/unfold.js";
import { capital, label } from "../core/units.js";
import { problemView, unplaced } from "../parts/problem.js";
import { chartRequest, ROWS, scriptView } from "../parts/request.js";
import { axisOf, ChartForm, chartOf, KINDS, listed, namesOf, needsSquares, rangeOf, seriesOf, words } from "./chart_form.js";
import { imageOf, picture, sizeOf } from "./picture.js";
import { readable } from "./reader.js";
import { listBetween } from "./zoom.js";

export class Chart {
    #asking = new Latest();

    /**
     * changed(): called when the user changes the chart; `state.chart` holds the new settings.
     * take(question): called with the parameters of a point that the user chooses.
     */
    constructor({ form, body, changed, take }) {
        Object.assign(this, { body, take });
        this.form = new ChartForm({ form, change: changed });
    }

    build(model, state, machines) {
        this.form.build(model, state, machines);
    }

    stop() {
        this.#asking.next();
    }

    /** Draws a range of values around the question of the answer. */
    async draw(question) {
        const signal = this.#asking.next();
        this.body.setAttribute("aria-busy", "true");
        try {
            const drawn = await this.#ask(question, signal);
            if (signal.aborted) return;
            const { activeElement } = document, line = this.body.contains(activeElement) ? activeElement.dataset.line : undefined;
            const isRead = this.body.querySelector(".reader") === activeElement && activeElement !== null;
            fill(this.body, figure(drawn, this.take, (range) => this.#zoom(drawn, range), (names) => this.form.setHidden(names), () => this.draw(question)));
            if (isRead) this.body.querySelector(".reader")?.focus();
            if (line) this.body.querySelector(`[data-line="${CSS.escape(line)}"]`)?.focus();
        } catch (error) {
            if (signal.aborted) return;
            fill(this.body, problemView(error, { shown: unplaced(error), retry: () => this.draw(question), title: "No chart of these values." }),
                question.state.chart.hidden && el("p", {}, el("button", { type: "button", class: "quiet", on: { click: () => this.form.setHidden([]) } }, "Show all lines")));
        }
        if (!signal.aborted) this.body.setAttribute("aria-busy", "false");
    }

    /* Asks for the values of a part of the axis; null: for the usual ones. */
    #zoom({ model, x }, range) {
        const p = model.parameters.find(({ name }) => name === x), values = range && listBetween(range, { axis: range.axis, p, isSquare: needsSquares(model, p) });
        if (values !== null || !range) this.form.setValues(values ?? "");
    }

    async #ask({ model, state, row, machines, calibration }, signal) {
        const spec = chartOf(model, state, row);
        const p = axisOf(model, spec);
        const given = state.values[p.name] ?? row?.[p.name] ?? p.default;
        /* A size that was refused is no good center: its multiples would be, too. */
        const usual = rangeOf(model, p, state.values, row || !p.one_of || !(given > 0) ? given : 4 ** Math.round(Math.log2(given) / 2));
        this.form.suggest(usual, row, spec.y);
        const values = spec.values ? meantList(p, spec.values) : usual;
        const query = sweepOf({ model, state, row, machines, spec, p, values }), switches = hide(query, spec, p.name);
        const identity = identityOf(model, query, calibration), title = `${whatOf(spec)} of ${headingOf(identity)}`;
        this.form.suggestTitle(title);
        const drawn = drawingOf({ query, spec, x: p.name, switches, title });
        const [sweep, image] = await Promise.all([
            get(`sweep/${model.name}`, query, signal),
            picture(`chart/${model.name}.svg`, drawn, signal).catch((error) => error), /* the table is shown without the chart */
        ]);
        return { model, identity, query, drawn, sweep, spec, x: p.name, values, image, switches };
    }
}

/** The query of the numbers that a chart shows. */
export function sweepOf({ model, state, row, machines, spec, p, values }) {
    const query = predictQuery(state);
    if (p.one_of) for (const other of model.parameters) if (other.one_of === p.one_of) delete query[other.name];
    query[p.name] = values;
    for (const name of [spec.series, spec.span]) {
        const other = model.parameters.find((q) => q.name === name);
        if (name === "machine") {
            query.machine = machines.map((m) => m.name).join(",");
            delete query.calibration;
        } else if (other && other !== p) {
            query[name] = seriesOf(model, other, state.values, row?.[name]);
        }
    }
    /* tune=true optimizes the open tunables at each point, within the memory limit.  If the user
     * ignores that limit, the tunables of the answer are used at every point instead. */
    const isOpen = tunables(model).some((t) => query[t.name] === undefined);
    if (isOpen && !state.memory) query.tune = "true";
    if (query.tune) return { ...keptOf(model, row), ...query };
    return row ? { ...choiceOf(model, row), ...query } : query;
}

/* Leaves out the lines that are switched off, but never all. */
function hide(query, { kind, series, hidden }, x) {
    if (!series || series === x || kind === "map" || !query[series]) return null;
    const names = listed(query[series]);
    known("chart.hidden", hidden, (text) => text.split(",").every((name) => names.includes(name)), "the chart does not have all of these lines");
    const off = (hidden ?? "").split(",").filter((name) => names.includes(name));
    if (names.length < 2 || off.length === names.length) return null;
    const given = query[series];
    if (off.length) query[series] = names.filter((name) => !off.includes(name)).join(",");
    return { names, off, given };
}

/** The query of the chart for a sweep. */
export function drawingOf({ query, spec, x, switches, title }) {
    const takes = KINDS[spec.kind]?.takes ?? [];
    const drawn = { ...query, kind: spec.kind, title: spec.title ?? title };
    for (const name of ["logx", "logy", "measured", "congestion"]) if (takes.includes(name)) drawn[name] = spec[name];
    if (drawn.congestion === "true") drawn.measured = "true";
    if (spec.kind !== "roofline") drawn.x = x;
    else if (spec.intensity === "true") drawn.x = "intensity_flops_per_byte";
    if (takes.includes("y")) drawn.y = spec.y;
    if (spec.series && spec.series !== x && spec.kind !== "roofline") drawn.series = spec.series;
    /* The others keep their colours and markers. */
    if (switches?.off.length) Object.assign(drawn, { [spec.series]: switches.given, hidden: switches.off.join(",") });
    const { width, height } = sizeOf({ width: "860", height: "440" }, { isMap: spec.kind === "map" });
    return { ...drawn, width: spec.width ?? width, height: spec.height ?? height };
}

const NOTHING = "These values cannot be drawn; the table has the predictions.";

function figure({ model, identity, query, drawn, sweep, spec, x, values, image, switches }, take, zoom, setHidden, again) {
    const file = (suffix) => address(`chart/${model.name}.${suffix}`, drawn);
    const called = (suffix) => fileOf(identity, `${spec.kind}-${words(x).replaceAll(" ", "-")}`, suffix);
    const lines = [spec.series, spec.span].filter((name) => name && name !== x);
    const text = captionOf({ identity, spec, x, values });
    const illegal = sweep.rows.filter((r) => r.error);
    const isDrawn = image instanceof Blob, size = { width: drawn.width, height: drawn.height };
    return el("figure", {},
        isDrawn ? el("div", { class: "paper" }, readable(imageOf(image, { alt: `${text}. The table below has the numbers.`, ...size }),
            { path: `chart/${model.name}`, query: drawn, size, name: `the chart: ${text}`, take, zoom: canZoom(spec) && zoom }))
            : problemView(image, { shown: unplaced(image), title: NOTHING, retry: again }),
        switches && switchesView(switches, words(spec.series), setHidden),
        el("figcaption", {},
            el("p", {}, `${text}.`,
                query.tune && " Open choices are optimized at each point.",
                leftOut(illegal, sweep.rows.length)),
            isDrawn && canZoom(spec) && el("p", { class: "zoom" }, el("span", { class: "by-mouse" }, "Drag over a part of the axis to see more of it. "), el("span", { class: "by-touch" }, "Tap a point to read its values, and again to ask about it. "),
                spec.values && el("button", { type: "button", class: "quiet", on: { click: () => zoom(null) } }, "Usual values")),
            el("p", { class: "links" },
                el("a", { href: address(`sweep/${model.name}.csv`, query), download: called("csv") }, "CSV"),
                isDrawn && ["svg", "png", "pdf", "gp"].map((suffix) => el("a", { href: file(suffix), download: called(suffix) }, suffix === "gp" ? "gnuplot" : suffix.toUpperCase()))),
            scriptView("scaling", [{ text: "the numbers", path: `sweep/${model.name}`, query, formats: [...ROWS, "ndjson"] }, ...(isDrawn ? [chartRequest(`chart/${model.name}`, drawn)] : [])])),
        unfolding("numbers", "The numbers as a table", () => [
            pivot({ rows: sweep.rows, x, y: spec.y, lines, caption: text }),
            illegal.length > 0 && el("ul", { class: "reasons" }, [...new Set(illegal.map((r) => r.error))].slice(0, 8).map((reason) => el("li", {}, reason)))]));
}

/* A button for each entry of the legend. */
function switchesView({ names, off }, what, setHidden) {
    const shown = names.filter((name) => !off.includes(name));
    return el("p", { class: "switches", role: "group", "aria-label": `Lines for each ${what}` }, names.map((name) =>
        el("button", { type: "button", class: "quiet", "aria-pressed": String(shown.includes(name)), disabled: shown.length === 1 && shown[0] === name,
            "data-line": name, on: { click: () => setHidden(shown.includes(name) ? [...off, name] : off.filter((other) => other !== name)) } }, name)));
}

/* The x axis of a map is one of two, and that of a roofline no parameter. */
const canZoom = ({ kind }) => kind !== "map" && kind !== "roofline";

const WHATS = { breakdown: "Breakdown", roofline: "Roofline", strong_efficiency: "Efficiency for the same problem", weak_efficiency: "Efficiency for a growing problem" };
const whatOf = (spec) => WHATS[spec.kind] ?? capital(namesOf(spec.y));

function captionOf({ identity, spec, x, values }) {
    return `${whatOf(spec)} of ${lineOf(identity)}, over ${words(x)} = ${values.replaceAll(",", ", ")}` +
        (spec.series && spec.series !== x ? `, ${spec.kind === "map" ? "and " : ""}${spec.kind === "lines" || spec.kind === "band" ? "one line " : ""}for each ${words(spec.series)}` : "") +
        (spec.span ? `, range over ${words(spec.span)}` : "");
}

/* A limit of the daemon is no impossibility. */
function leftOut(illegal, count) {
    const long = illegal.filter((row) => row.error_code === "too_long").length, impossible = illegal.length - long;
    return [impossible > 0 && ` ${impossible} of ${count} points are not possible and are left out.`,
        long > 0 && ` ${long} of ${count} points are possible but need more work than one request may ask for, and are left out; ask for fewer at a time.`];
}

/* A table with a row for each x and a column for each line of the chart. */
function pivot({ rows, x, y, lines, caption }) {
    const textOf = (value) => (value === null || value === undefined ? "–" : asText(value));
    const lineOf = (row) => lines.map((name) => textOf(row[name])).join(", ");
    const ys = y.split(",");
    const names = [...new Set(rows.map(lineOf))].flatMap((line) => ys.map((output) => ({ line, output,
        label: [line, (ys.length > 1 || !line) && capital(label(output))].filter(Boolean).join(": ") })));
    const byX = new Map();
    for (const row of rows) {
        const at = textOf(row[x]);
        if (!byX.has(at)) byX.set(at, { [x]: typeof row[x] === "number" ? row[x] : at });
        for (const output of ys) byX.get(at)[`${output} ${lineOf(row)}`] ??= row[output];
        byX.get(at)[`why ${lineOf(row)}`] = row.error;
    }
    const points = [...byX.values()];
    const values = new Map(ys.map((output) => [output, column(output, "", rows)]));
    return table({ caption, rows: points, columns: [
        column(x, words(x), points),
        ...names.map(({ line, output, label: head }) => ({ ...values.get(output), name: `${output} ${line}`, label: head, text: (row) => values.get(output).text({ [output]: row[`${output} ${line}`] }), why: (row) => row[`why ${line}`] })),
    ] });
}
