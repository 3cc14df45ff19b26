/* A forecast: a table over two parameters, with the best of each cell marked. */
import { address, get, Latest } from "../core/api.js";
import { byId, el, fill, unseen, whenSeen } from "../core/dom.js";
import { fileOf, identityOf, lineOf } from "../core/identity.js";
import { knownChoice } from "../core/notes.js";
import { choose, chosen, page, write } from "../core/page.js";
import { alternatives, asText, flat, isKept, keptOf, predictQuery, tunables } from "../core/query.js";
import { none } from "../core/tip.js";
import { meantList } from "../core/typed.js";
import { alike, label, number } from "../core/units.js";
import { Faults, field, input, select, show } from "../parts/fields.js";
import { problemView } from "../parts/problem.js";
import { ROWS, scriptView } from "../parts/request.js";
import { listed, orderOf, rangeOf, seriesOf, words } from "../charts/chart_form.js";

/* The three parameters of the table: setting, label, and setting of its values. */
const AXES = [["rows", "Rows", "row_values", "Row values"], ["columns", "Columns", "column_values", "Column values"], ["by", "Compare", "by_values", "Values to compare"]];

const DIGITS = 3; /* in which the daemon tells ties */
const FEW = 3; /* usual values where each takes long */

const isShown = (p) => p.type !== "text" && p.type !== "set";
const listOf = (p) => (p.choices ? p.choices.join(",") : p.type === "boolean" ? "true,false" : null);

export class Forecast {
    #asking = new Latest();
    #faults = new Faults();
    #question = null; /* { model, state, row } */
    #filled = "";      /* what the form was filled with */
    #isEdited = false; /* the user has changed the form since */

    constructor({ section, form, body }) {
        Object.assign(this, { section, form, body });
        this.link = document.querySelector(`nav a[href="#${section.id}"]`);
        /* It is requested only when it becomes visible: it is expensive. */
        this.seen = whenSeen(() => this.#ask(), "25%");
        form.addEventListener("submit", () => this.#make());
        form.addEventListener("input", () => { this.#isEdited = true; });
    }

    /** row: the configuration of the answer, or null. */
    show(model, state, row) {
        this.seen.disconnect();
        this.#asking.next();
        this.body.setAttribute("aria-busy", "false");
        const isPossible = Boolean(model) && tunables(model).length > 0;
        this.section.hidden = this.link.hidden = !isPossible;
        if (!isPossible) return;
        this.#question = { model, state, row };
        this.#build();
        if (chosen("forecast.rows")) this.seen.observe(this.section);
        else fill(this.body);
    }

    /* The parameters that the user has chosen, or the usual ones. */
    #axes() {
        const { model, state: { values } } = this.#question, size = alternatives(model)[0];
        const pick = (name, of, usual) => {
            const given = knownChoice(`forecast.${name}`, (text) => of.some((p) => p.name === text), `${model.name} has no such parameter`);
            return of.find((p) => p.name === given) ?? usual;
        };
        const by = pick("by", tunables(model), tunables(model).find((p) => p.name === "variant") ?? tunables(model).find(listOf) ?? tunables(model)[0]);
        const axes = model.parameters.filter(isShown), others = axes.filter((p) => p !== by);
        const rows = pick("rows", axes, orderOf(model, values) ?? others[0]);
        const columns = pick("columns", axes, (size && (size.find((p) => values[p.name]) ?? size[0])) ?? others.find((p) => p !== rows));
        return { rows, columns, by };
    }

    #usual(p, isBy) {
        const { model, state: { values }, row } = this.#question, given = values[p.name] ?? row?.[p.name] ?? p.default;
        const list = listOf(p) ?? (isBy ? seriesOf : rangeOf)(model, p, values, given), each = listed(list);
        if (!isKept(model) || isBy || each.length <= FEW) return list;
        const at = Math.max(0, Math.min(each.length - FEW, each.indexOf(asText(given)) - 1));
        return each.slice(at, at + FEW).join(",");
    }

    #build() {
        const { model } = this.#question, filled = JSON.stringify([model.name, Object.entries(page.state.view).filter(([name]) => name.startsWith("forecast."))]);
        if (this.#isEdited && filled === this.#filled) return;
        this.#isEdited = false;
        this.#filled = filled;
        const held = this.form.contains(document.activeElement) && document.activeElement.id, axes = this.#axes(), all = model.parameters.filter(isShown);
        this.controls = {};
        this.#faults.unbind(() => true); /* the fields of the axes before */
        const fields = AXES.flatMap(([name, text, values, textOfValues]) => {
            const of = name === "by" ? tunables(model) : all, control = select(of.map((p) => [p.name, words(p.name)]), axes[name].name);
            const list = input(chosen(`forecast.${values}`), { inputmode: "text", placeholder: this.#usual(axes[name], name === "by") });
            control.addEventListener("change", () => {
                show(built, "");
                list.placeholder = this.#usual(of.find((p) => p.name === control.value), name === "by");
            });
            this.controls[name] = control;
            this.controls[values] = list;
            const built = field(`forecast-${values}`, { label: textOfValues, control: list, hint: "a, b, c · 1k..64k..*2" });
            list.addEventListener("input", () => {
                const meant = meantList(of.find((p) => p.name === control.value), list.value);
                built.understood.hidden = meant === list.value.trim();
                built.understood.textContent = `= ${meant.replaceAll(",", ", ")}`;
            });
            this.#faults.bind(axes[name].name, built);
            return [[name, field(`forecast-${name}`, { label: text, control })], [values, built]];
        });
        const outputs = model.outputs.filter((o) => o.type === "number").map((o) => [flat(o.name), label(flat(o.name))]);
        this.controls.y = select([["", "percent of peak, or time"], ...outputs],
            knownChoice("forecast.y", (text) => outputs.some(([name]) => name === text), `${model.name} has no such output`));
        fields.push(["y", field("forecast-y", { label: "Number in a cell", control: this.controls.y })]);
        for (const [name, built] of fields) this.#faults.bind(name, built);
        fill(this.form, fields.map(([, { root }]) => root), el("button", { id: "forecast-make" }, "Make the table"));
        if (held) byId(held)?.focus({ preventScroll: true });
    }

    #make() {
        for (const [name, control] of Object.entries(this.controls)) choose(`forecast.${name}`, control.value.trim());
        write({ push: true });
        this.#build();
        this.#ask();
    }

    #query() {
        const { model, state, row } = this.#question, axes = this.#axes(), query = { ...keptOf(model, row), ...predictQuery(state) };
        for (const [name, , values] of AXES) {
            const p = axes[name], isOther = (q) => (p.one_of && q.one_of === p.one_of) || q.unless === p.name || p.unless === q.name;
            for (const q of model.parameters) if (isOther(q)) delete query[q.name];
            query[p.name] = meantList(p, chosen(`forecast.${values}`) ?? "") || this.#usual(p, name === "by");
        }
        const y = chosen("forecast.y");
        return { ...query, rows: axes.rows.name, columns: axes.columns.name, by: axes.by.name, ...(y && { y }) };
    }

    /* Leaves out the usual values with which the other value of the question is not possible; those that the user gave stay. */
    #possible(query, { cells, ...answer }) {
        const { state, row: asked } = this.#question, own = (name) => asText(state.values[name] ?? asked?.[name] ?? "");
        const axes = AXES.slice(0, 2).filter(([, , values]) => !chosen(`forecast.${values}`)), left = { ...query }, dropped = [];
        for (const [role, , values] of axes) {
            const name = answer[role], other = answer[role === "rows" ? "columns" : "rows"], possible = cells.filter((cell) => cell.value !== null), near = possible.filter((cell) => asText(cell[other]) === own(other));
            const all = valuesOf(cells, name), kept = all.filter((text) => (near.length ? near : possible).some((cell) => asText(cell[name]) === text));
            if (!kept.length || kept.length === all.length) continue;
            left[name] = this.controls[values].placeholder = kept.join(",");
            dropped.push(`${words(name)} ${all.filter((text) => !kept.includes(text)).map(shown).join(", ")}`);
        }
        const isLeft = (cell) => axes.every(([role]) => left[answer[role]] === query[answer[role]] || left[answer[role]].split(",").includes(asText(cell[answer[role]])));
        return { query: left, dropped, answer: { ...answer, cells: cells.filter(isLeft) } };
    }

    async #ask() {
        const signal = this.#asking.next(), { model } = this.#question, query = this.#query();
        this.body.setAttribute("aria-busy", "true");
        try {
            const answer = await get(`forecast/${model.name}`, query, signal);
            if (signal.aborted) return;
            this.#faults.clear();
            fill(this.body, forecastView({ model, ...this.#possible(query, answer) }));
        } catch (error) {
            if (signal.aborted) return;
            fill(this.body, problemView(error, { shown: this.#faults.show(error.errors ?? []), retry: () => this.#ask(), title: "No table of these values." }));
        }
        this.body.setAttribute("aria-busy", "false");
    }
}

const valuesOf = (cells, name) => [...new Set(cells.map((cell) => asText(cell[name])))];
const shown = (text) => (/^\d+$/.test(text) ? number(Number(text)) : text);

function forecastView({ model, query, answer, dropped }) {
    const { cells, rows, columns, by, output, calibration } = answer, about = identityOf(model, query, calibration), path = `forecast/${model.name}`;
    const text = `${label(output)} over ${words(rows)} and ${words(columns)} for each ${words(by)}`;
    const { unit, text: textOf } = alike(output, cells.map(({ value }) => value).filter((value) => value !== null), { digits: DIGITS });
    const isIncomplete = cells.some(({ value }) => value === null);
    const file = (suffix) => fileOf(about, "forecast", suffix), link = (suffix, name) => el("a", { href: address(`${path}${suffix}`, query), download: file(suffix.slice(1) || "json") }, name);
    return [
        el("p", { class: "hint about" }, `${lineOf(about)}. ${text[0].toUpperCase()}${text.slice(1)}${unit && `, in ${unit}`}. Bold: least time of the cell`,
            cells.some(({ tie }) => tie) && "; †: equals it in the digits shown", cells.some(({ same_as }) => same_as) && "; =: the same by construction as one further left",
            isIncomplete && "; –: not possible, select it to see why", ".", dropped.length > 0 && ` Left out, because the question is not possible there: ${dropped.join("; ")}.`),
        tableOf(answer, textOf, `Forecast: ${text}`),
        el("p", { class: "links" }, link(".csv", "CSV"), link(".tex", "LaTeX"), link("", "JSON")),
        scriptView("forecast", [{ text: "the table", path, query, formats: [...ROWS, "tex"] },
            { text: "with the choices of each cell", path, query: { ...query, tunables: "true" }, formats: ["csv", "txt", "tex"] }]),
    ];
}

/* A column of numbers for each value of `by`, below each value of the columns. */
function tableOf({ cells, rows, columns, by }, textOf, caption) {
    const keyOf = (...values) => values.join("\0"), at = new Map(cells.map((cell) => [keyOf(...[rows, columns, by].map((name) => asText(cell[name]))), cell]));
    const across = valuesOf(cells, columns), within = valuesOf(cells, by);
    return el("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" }, el("table", { class: "forecast" }, el("caption", { class: "unseen" }, caption),
        el("thead", {},
            el("tr", {}, el("td"), across.map((column) => el("th", { scope: "colgroup", colspan: String(within.length) }, `${words(columns)} ${shown(column)}`))),
            el("tr", {}, el("th", { scope: "col" }, words(rows)), across.map(() => within.map((value, i) => el("th", { scope: "col", class: i ? "number" : "number first" }, shown(value)))))),
        el("tbody", {}, valuesOf(cells, rows).map((row) => el("tr", {}, el("th", { scope: "row" }, shown(row)),
            across.map((column) => within.map((value, i) => cellOf(at.get(keyOf(row, column, value)), textOf, !i))))))));
}

function cellOf(cell, textOf, isFirst) {
    const { value, best, tie, same_as: same, error, tunables: chosenOnes } = cell, choices = Object.entries(chosenOnes ?? {}).map(([name, each]) => `${words(name)} ${each === null ? "–" : asText(each)}`).join(", ");
    return el("td", { class: isFirst ? "number first" : "number", title: error ? null : choices }, value === null ? none(error ?? "the output has no value here") : best ? [el("strong", {}, textOf(value)), unseen(" best")] : textOf(value),
        tie && ["†", unseen(" tie")], same && [" =", unseen(` same as ${same}`)]);
}
