/* A scrollable table with sortable columns. */
import { el, fill } from "./dom.js";
import { knownChoice } from "./notes.js";
import { choose, write } from "./page.js";
import { none } from "./tip.js";
import { alike, capital } from "./units.js";

/** A column of an output or a parameter, with the unit of all rows in its head if they have one. */
export function column(name, label, rows, more = {}) {
    const values = rows.map((row) => row[name]).filter((value) => typeof value === "number");
    const isNumber = values.length > 0;
    const written = alike(name, values);
    const text = (row) => {
        const value = row[name];
        if (value === null || value === undefined) return "–";
        return typeof value === "number" ? written.text(value) : String(value);
    };
    return { name, label, unit: written.unit, isNumber, text, written, ...more };
}

/** The column of a tunable.  The rows of a process grid are shown with its columns. */
export function tunableColumn(p, rows) {
    if (p.name === "process_rows" && rows.every((row) => row.process_columns !== undefined))
        return { ...column(p.name, "Grid", rows), text: (row) => `${row.process_rows} × ${row.process_columns}` };
    return column(p.name, capital(p.name.replaceAll("_", " ")), rows);
}

/** The columns of predicted times and of the intervals of measured ones, in the same unit. */
export function timeColumns(rows) {
    const time = column("time_s", "Time", rows), { unit, written } = time;
    if (!rows.some((row) => row.interval)) return [time];
    return [time, { name: "interval", label: "90\u00a0% of runs", unit, isNumber: true, isFixed: true, why: () => "too few saved runs",
        text: ({ interval, time_s }) => (interval ? written.range(interval.low_s, interval.high_s, time_s) : "–") }];
}

/** How many warnings a row has. */
export const warningsColumn = { name: "warnings", label: "Warnings", isNumber: true, isFixed: true, text: (row) => (row.warnings?.length ? String(row.warnings.length) : "") };

/**
 * columns: [{ name, label, unit, isNumber, text(row), cell(row)?, why(row)? }], `why` an empty cell is so; the first is the row header.
 * sorting: the choice of the page that has the column to sort by; isNear(row): marked as close
 * to the best; isFaint(row): in gray.
 */
export function table({ caption, columns, rows, isMarked = () => false, isNear = () => false, isFaint = () => false, sorting }) {
    const body = el("tbody");
    const heads = new Map();
    const isKnown = (text) => columns.some(({ name, isFixed }) => !isFixed && name === text.replace(/^-/, ""));
    let order = (sorting && knownChoice(sorting, isKnown, "the table has no such column")) ?? "";

    const draw = () => {
        const name = order.replace(/^-/, "");
        const sign = order.startsWith("-") ? -1 : 1;
        const shown = columns.some((c) => c.name === name) ? [...rows].sort((a, b) => sign * compare(a[name], b[name])) : rows;
        for (const [key, head] of heads) {
            if (key === name) head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
            else head.removeAttribute("aria-sort");
        }
        fill(body, shown.map((row) => el("tr", { class: isMarked(row) ? "marked" : isNear(row) ? "near" : isFaint(row) && "faint" },
            columns.map((c, i) => el(i === 0 ? "th" : "td", { scope: i === 0 && "row", class: c.isNumber && "number" },
                c.cell ? c.cell(row) : textOf(c, row))))));
    };

    const head = columns.map((c) => {
        const text = [c.label, c.unit && el("span", { class: "unit" }, `\u00a0${c.unit}`)];
        const th = el("th", { scope: "col", class: c.isNumber && "number" },
            sorting && !c.isFixed ? el("button", { type: "button", class: "sort", on: { click: () => {
                order = order === c.name ? `-${c.name}` : c.name;
                draw();
                choose(sorting, order);
                write({ push: true });
            } } }, text) : text);
        heads.set(c.name, th);
        return th;
    });
    draw();
    return el("div", { class: "scroll", role: "region", "aria-label": caption, tabindex: "0" },
        el("table", {}, el("caption", { class: "unseen" }, caption), el("thead", {}, el("tr", {}, head)), body));
}

function textOf({ text, why }, row) {
    const written = text(row), reason = written === "–" && why?.(row);
    return reason ? none(reason) : written;
}

function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    if (typeof a === "number") return -1;
    if (typeof b === "number") return 1;
    return String(a ?? "").localeCompare(String(b ?? ""), "en", { numeric: true });
}
