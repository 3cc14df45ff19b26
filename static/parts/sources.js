/* Where calibrated values come from: shown at each value, and as a table. */
import { el } from "../core/dom.js";
import { table } from "../core/table.js";
import { tipped } from "../core/tip.js";
import { unfolding } from "../core/unfold.js";
import { day, number, percent, plural, quantity } from "../core/units.js";

const GROUPS = ["node", "network", "contention", "kernels", "memory", "sparse", "cnc"];

const UNREAD = { kind: "not known", text: "the daemon could not tell; load the page again", samples: null, spread_fraction: null };

/** The source of the value at this JSON pointer, or of the nearest part around it; undefined if there is none. */
export function sourceOf(quality, pointer) {
    if (!quality) return UNREAD;
    const found = quality.sources.find((source) => source.pointer === pointer);
    return found || !pointer ? found : sourceOf(quality, pointer.slice(0, pointer.lastIndexOf("/")));
}

/** What a source states, in words. */
export function inWords(source) {
    if (!source) return "not stated";
    const { kind, text, samples, spread_fraction, statistic, measured_on, load } = source;
    const counts = [samples && plural(samples, "sample"), spread_fraction !== null && `spread ${percent(spread_fraction)}`, statistic].filter(Boolean).join(", ");
    return [(kind === "stated" ? "" : `${kind}: `) + text + (counts && ` (${counts})`), measured_on && `on ${day(measured_on)}`, load && `loaded: ${load}`].filter(Boolean).join("; ");
}

/* The values below a path: a table of named rows by their names, another one as the number of its rows. */
function leavesOf(value, path, pointer) {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value) && !value.every((row) => row?.name)) return [{ path, pointer, text: value.every((each) => typeof each === "number") && value.length < 5 ? value.map((each) => number(each)).join(", ") : `${number(value.length)} rows` }];
    if (typeof value !== "object") return [{ path, pointer, text: typeof value === "number" ? quantity(path, value) : String(value) }];
    const members = Array.isArray(value) ? value.map(({ name, ...row }, i) => [name, row, String(i)]) : Object.entries(value).map(([name, each]) => [name, each, name]);
    return members.flatMap(([name, each, key]) => leavesOf(each, `${path}.${name}`, `${pointer}/${key}`));
}

/** Every value of a calibration with its source; null if it has none. */
export function valuesView(calibration, quality) {
    const rows = GROUPS.flatMap((group) => leavesOf(calibration?.[group], group, `/${group}`)).map((row) => {
        const source = sourceOf(quality, row.pointer);
        return { ...row, source, kind: source?.kind ?? "unstated" };
    });
    if (!rows.length) return null;
    const counts = ["measured", "published", "stated", "assumed"].map((kind) => [kind, quality?.sources.filter((source) => source.kind === kind).length])
        .filter(([, count]) => count > 0).map(([kind, count]) => `${number(count)} ${kind}`);
    return unfolding("values", `Values in use, with their sources${counts.length ? `: ${counts.join(", ")}` : ""}`, () => table({
        caption: "Calibrated values and their sources", rows, columns: [
            { name: "path", label: "Value", cell: (row) => el("code", {}, row.path) },
            { name: "text", label: "Calibrated as", isNumber: true, text: (row) => row.text },
            { name: "source", label: "Source", cell: (row) => tipped(el("span", { class: row.kind }, row.kind), inWords(row.source), { "aria-label": `Source of ${row.path}: ${row.kind}` }) },
        ],
    }));
}
