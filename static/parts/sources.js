/* Where calibrated values come from: shown at each value on hover, focus and tap, and as a table. */
import { el } from "../core/dom.js";
import { table } from "../core/table.js";
import { tipped } from "../core/tip.js";
import { unfolding } from "../core/unfold.js";
import { number, quantity } from "../core/units.js";

const GROUPS = ["node", "network", "contention", "kernels", "memory", "sparse", "cnc"];

/** What the calibration says of the value at this JSON pointer, or of the nearest part around it. */
export function sourceOf(calibration, pointer) {
    const sources = calibration?.sources ?? {};
    for (let part = pointer; part; part = part.slice(0, part.lastIndexOf("/"))) if (sources[part]) return sources[part];
    return sources[""] ?? "not stated";
}

/** A source begins with its kind: "published: table 2". */
const kindOf = (source) => /^(measured|published|assumed)\b/.exec(source)?.[1] ?? "other";

/* The values below a path: a table of named rows by their names, another one as the number of its rows. */
function leavesOf(value, path, pointer) {
    if (value === null || value === undefined) return [];
    if (Array.isArray(value) && !value.every((row) => row?.name)) return [{ path, pointer, text: value.every((each) => typeof each === "number") && value.length < 5 ? value.map((each) => number(each)).join(", ") : `${number(value.length)} rows` }];
    if (typeof value !== "object") return [{ path, pointer, text: typeof value === "number" ? quantity(path, value) : String(value) }];
    const members = Array.isArray(value) ? value.map(({ name, ...row }, i) => [name, row, String(i)]) : Object.entries(value).map(([name, each]) => [name, each, name]);
    return members.flatMap(([name, each, key]) => leavesOf(each, `${path}.${name}`, `${pointer}/${key}`));
}

/** Every value of a calibration with its source; null if it has none. */
export function valuesView(calibration) {
    const rows = GROUPS.flatMap((group) => leavesOf(calibration?.[group], group, `/${group}`))
        .map((row) => ({ ...row, source: sourceOf(calibration, row.pointer) }));
    if (!rows.length) return null;
    const stated = Object.values(calibration.sources ?? {});
    const counts = ["measured", "published", "assumed", "other"].map((kind) => [kind, stated.filter((source) => kindOf(source) === kind).length])
        .filter(([, count]) => count > 0).map(([kind, count]) => `${number(count)} ${kind}`);
    return unfolding("values", `Values in use, with their sources${counts.length ? `: ${counts.join(", ")}` : ""}`, table({
        caption: "Calibrated values and their sources", rows, columns: [
            { name: "path", label: "Value", cell: (row) => el("code", {}, row.path) },
            { name: "text", label: "Calibrated as", isNumber: true, text: (row) => row.text },
            { name: "source", label: "Source", cell: (row) => tipped(el("span", { class: kindOf(row.source) }, kindOf(row.source)), row.source, { "aria-label": `Source of ${row.path}: ${kindOf(row.source)}` }) },
        ],
    }));
}
