/* static/papers.md as data, and what a row of it asks, of the API and on the dashboard. */
import { KINDS, listed } from "../charts/chart_form.js";
import { readable } from "../core/state.js";

const DRAWN = ["kind", "x", "y", "series", "logx", "logy", "measured", "tune"], TABLE = ["rows", "columns"];
const SECTIONS = { chart: "scaling", sweep: "scaling", rank: "ranking", forecast: "forecast", predict: "answer" };

/** [{ machine, about, rows: [{ name, shows, address, verdict, claim }] }]; the address is null where the paper's figure has no answer. */
export const papersOf = (text) => text.split(/^## /m).slice(1).map((section) => {
    const [machine, ...lines] = section.split("\n");
    return { machine, about: lines.filter((line) => line && !line.startsWith("|")).join(" "), rows: lines.filter((line) => /^\| (Table|Figure)/.test(line)).map(rowOf) };
});

function rowOf(line) {
    const [name, shows, address, answer] = line.slice(2, -2).split(" | "), [, verdict, claim = ""] = /^([^:]*)(?:: (.*))?$/.exec(answer);
    return { name, shows, address: address === "-" ? null : address.slice(1, -1), verdict, claim };
}

/** What an address asks of a machine: { path, query } of the API.  calibrations: their ids by machine; the address has that of the paper. */
export function requestOf(address, { own, machine = own, calibrations = {} }) {
    const [path, query] = address.replace("/api/v1/", "").replace(`{${own}}`, calibrations[machine]).replace(`machines/${own}`, `machines/${machine}`).split("?");
    const asked = Object.fromEntries(new URLSearchParams(query));
    return { path, query: { ...asked, ...(asked.machine && machine !== own && { machine }) } };
}

/** The machine that a paper is drawn for at first: the one of the address, its own, or else any; undefined without one. */
export const machineOf = (machines, chosen, own) => [chosen, own, machines[0]].find((name) => machines.includes(name));

/** The rows of a forecast: of each row its best values, or each of several outputs.  written: (output, value) -> text. */
export function linesOf({ rows, columns }, cells, written) {
    const values = (name) => [...new Set(cells.map((cell) => cell[name]))], at = (name, value) => cells.filter((cell) => cell[name] === value);
    const best = (list) => list.filter((cell) => cell.best || cell.tie).map(({ variant, value }) => `${variant} ${written("percent_of_peak", value)}`).join(", ");
    const texts = (list, of) => Object.fromEntries(values(columns).map((value) => [value, of(list.filter((cell) => cell[columns] === value)) || "–"]));
    return cells[0].output === undefined
        ? values(rows).map((row) => ({ [rows]: row, ...texts(at(rows, row), best) }))
        : values(rows).flatMap((row) => values("output").map((output) => ({ [rows]: row, output, ...texts(at(rows, row).filter((cell) => cell.output === output), ([cell]) => cell?.value != null && written(output, cell.value)) })));
}

const isList = (text) => /,|\.\./.test(text);

/* How well a list serves as the x axis: numbers before names, the longest first. */
const lengthOf = (text) => listed(text).length + (/^\d/.test(text) ? 1e6 : 0);

/** The parameters that a request gives several values, that of the x axis first. */
export const axesOf = (query) => Object.keys(query).filter((name) => !DRAWN.includes(name) && isList(query[name])).sort((a, b) => lengthOf(query[b]) - lengthOf(query[a]));

/** The address of the dashboard with the same question, where another machine can be chosen. */
export function pageOf({ path, query }, machine) {
    const [route, model] = path.split(/[/.]/), section = SECTIONS[route];
    if (route === "matrices") return "./#matrices";
    if (!section) return `./?${readable(route === "models" ? { model, machine } : { machine })}#${route === "models" ? "model" : "machine"}`;
    const values = Object.entries(query).filter(([name]) => ![...DRAWN, ...TABLE, "limit"].includes(name)).map(([name, text]) => [name, listed(text).at(-1)]);
    return `./?${readable([["model", model], ...values, ...Object.entries(viewOf(route, query)).filter(([, text]) => text)])}#${section}`;
}

function viewOf(route, query) {
    const { rows, columns, kind, y, series, measured, logx = "false", logy = "false" } = query;
    if (route === "forecast") return { "forecast.rows": rows, "forecast.row_values": query[rows], "forecast.columns": columns, "forecast.column_values": query[columns] };
    const axes = axesOf(query), x = axes.includes(query.x) ? query.x : axes[0], lines = series ?? axes.find((name) => name !== x);
    if (!x || (kind && !KINDS[kind])) return {};
    const seen = { "chart.x": x, "chart.values": query[x], "chart.series": lines, "chart.span": KINDS[kind]?.takes.includes("span") && axes.find((name) => name !== x && name !== lines) };
    return route === "sweep" ? seen : { ...seen, "chart.kind": kind, "chart.y": y, "chart.measured": measured, "chart.logx": logx, "chart.logy": logy };
}
