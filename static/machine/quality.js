/* The quality of a calibration: how sure its parts are, what models lack, and what to run. */
import { address } from "../core/api.js";
import { copyButton, el } from "../core/dom.js";
import { table } from "../core/table.js";
import { tipped } from "../core/tip.js";
import { unfolding } from "../core/unfold.js";
import { number, percent } from "../core/units.js";
import { ROWS, scriptView } from "../parts/request.js";
import { inWords, sourceOf } from "../parts/sources.js";

/** The name of a part. */
export const nameOf = ({ pointer }) => pointer.slice(1).replaceAll("/", ".");

/** quality: of the calibration in use; nothing without one. */
export const qualityPart = (quality) => quality && el("div", { class: "part", id: "quality" }, el("h3", {}, "Quality of the calibration"), el("div", { class: "body" }, qualityView(quality)));

function qualityView(quality) {
    const { parts, node_command, network_command } = quality, path = `calibrations/${quality.calibration}/quality`;
    const present = parts.filter((part) => part.is_present), missing = parts.filter((part) => !part.is_present);
    const doubtful = present.filter((part) => part.is_doubtful);
    return [
        el("p", {}, summary(present, missing)),
        doubtful.length > 0 && el("div", { class: "notice" }, el("p", {}, "Measure again:"),
            el("ul", { class: "reasons" }, doubtful.map((part) => el("li", {}, el("code", {}, nameOf(part)), ` ${doubtsOf(part)}`)))),
        commandsView([["On one node:", node_command], ["On the whole machine:", network_command]].filter(([, command]) => command)),
        missing.length > 0 && unfolding("missing", `What is missing for which model (${number(missing.length)} parts)`, () => missingTable(missing)),
        unfolding("parts", `Parts of the calibration (${number(present.length)})`, () => presentTable(present, quality)),
        el("p", { class: "links" }, el("a", { href: address(`${path}.csv`) }, "CSV"), el("a", { href: address(path) }, "JSON")),
        scriptView("quality of the calibration", [{ text: "its quality", path, formats: ROWS }]),
    ];
}

function summary(present, missing) {
    const refused = [...new Set(missing.flatMap((part) => part.refused_models))];
    const count = (kind) => present.filter((part) => part.provenance === kind).length;
    const kinds = ["measured", "published", "stated", "assumed", "unstated"].filter(count).map((kind) => `${number(count(kind))} ${kind}`);
    return `Models read ${number(present.length)} parts of this calibration: ${kinds.join(", ")}. ` +
        (refused.length ? `It does not serve ${refused.join(", ")} with default options.` : "It serves every model.");
}

/** Why a part is doubtful. */
export const doubtsOf = ({ spread_fraction, load }) => [load && `machine loaded: ${load}`, spread_fraction > 0.1 && `spread ${percent(spread_fraction)}`]
    .filter(Boolean).join("; ");

/** The three parts of the widest spread, in a sentence that counts the others. */
export function worstOf(doubtful) {
    const worst = [...doubtful].sort((one, other) => (other.spread_fraction ?? 0) - (one.spread_fraction ?? 0)).slice(0, 3);
    return `${worst.map((part) => `${nameOf(part)} (${doubtsOf(part)})`).join(", ")}${doubtful.length > 3 ? ` and ${number(doubtful.length - 3)} more` : ""}.`;
}

function missingTable(rows) {
    return table({
        caption: "Parts that models read and this calibration lacks", rows, columns: [
            { name: "pointer", label: "Part", cell: (row) => [el("code", {}, nameOf(row)), row.kernels && ` (${row.kernels})`] },
            { name: "refused_models", label: "Refused without it", cell: (row) => el("div", { class: "wide" }, row.refused_models.join(", ") || "–") },
            { name: "helped_models", label: "Less exact without it", cell: (row) => el("div", { class: "wide" }, row.helped_models.join(", ") || "–") },
            { name: "command", label: "Measured by", cell: (row) => (row.command ? commandCell(row.command) : "no benchmark; state it from a publication") },
        ],
    });
}

const commandCell = (command) => el("div", { class: "command" }, copyButton("Copy", () => command), el("code", {}, command));

function commandsView(commands) {
    if (!commands.length) return null;
    return [
        el("h4", { class: "minor" }, "To measure what is missing or doubtful"),
        commands.map(([where, command]) => [el("p", {}, where), el("div", { class: "slurm" }, el("code", {}, command), copyButton("Copy", () => command))]),
        el("p", { class: "hint" }, "Then ", el("code", {}, "forerun-calibrate --merge OLD.json NEW.json -o MERGED.json"), " and upload the result."),
    ];
}

function presentTable(rows, quality) {
    return table({
        caption: "Parts of the calibration that models read", rows, isMarked: (row) => row.is_doubtful, sorting: "quality.sort", columns: [
            { name: "pointer", label: "Part", cell: (row) => el("code", {}, nameOf(row)) },
            { name: "provenance", label: "Source", cell: (row) => tipped(el("span", { class: row.provenance }, row.provenance), inWords(sourceOf(quality, row.pointer)), { "aria-label": `Source of ${nameOf(row)}: ${row.provenance}` }) },
            { name: "samples", label: "Samples", isNumber: true, why: () => "the calibration does not state them", text: (row) => (row.samples === null ? "–" : number(row.samples)) },
            { name: "spread_fraction", label: "Spread", isNumber: true, why: () => "the calibration does not state it", text: (row) => percent(row.spread_fraction) },
            { name: "error_fraction", label: "Error of left-out values", isNumber: true, why: () => "no table, or too small a one to leave values out", text: (row) => percent(row.error_fraction) },
            { name: "age_days", label: "Age", unit: "days", isNumber: true, why: () => "the time of the measurement is not stated", text: (row) => (row.age_days === null ? "–" : number(row.age_days)) },
            { name: "load", label: "Disturbed by", cell: (row) => el("div", { class: "wide" }, row.load ?? "–") },
        ],
    });
}
