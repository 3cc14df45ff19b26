/* A comparison of two calibrations: what changed, and the effect on predictions. */
import { address, get, Latest } from "../core/api.js";
import { el, fill, whenSeen } from "../core/dom.js";
import { knownChoice } from "../core/notes.js";
import { choose, write } from "../core/page.js";
import { table } from "../core/table.js";
import { unfolding } from "../core/unfold.js";
import { age, capital, change, date, number, quantity } from "../core/units.js";
import { field, select } from "../parts/fields.js";
import { problemView, unplaced } from "../parts/problem.js";
import { scriptView } from "../parts/request.js";

const LISTED = 200; /* changes on the page; the CSV has up to 1,000 */

/* A value with its unit.  A null in the document means that there is no limit. */
const valueOf = ({ path }, value, pointer) => (value === null && pointer ? "no limit" : quantity(path, value));

export class Comparison {
    #asking = new Latest();
    #machine = null;
    #calibrations = [];
    #question = {}; /* the question of the page, as a query */

    constructor() {
        this.form = el("div", { class: "inline-form" });
        this.body = el("div", { class: "body" });
        this.root = el("div", { class: "part", id: "comparison" }, el("h3", {}, "Changes between calibrations"), this.form, this.body);
        /* The comparison is requested only when it becomes visible: it is expensive. */
        this.seen = whenSeen(() => this.#ask(), "25%");
    }

    /** calibrations: all of the machine, newest first; id: the one in use. */
    show({ machine, calibrations, id }) {
        this.seen.disconnect();
        this.#asking.next();
        this.#machine = machine;
        this.#calibrations = calibrations;
        this.root.hidden = calibrations.length < 2;
        fill(this.body);
        this.body.setAttribute("aria-busy", "false");
        if (this.root.hidden) {
            for (const name of ["compare.from", "compare.to"]) knownChoice(name, () => false, "the machine has only one calibration");
            return;
        }
        const used = Math.max(0, calibrations.findIndex((row) => row.id === id));
        const to = used === calibrations.length - 1 ? used - 1 : used;
        this.from = this.#choice("compare.from", calibrations[to + 1].id);
        this.to = this.#choice("compare.to", calibrations[to].id);
        fill(this.form, field("compare-from", { label: "Before", control: this.from }).root, field("compare-to", { label: "After", control: this.to }).root);
        fill(this.body, el("p", { class: "waiting" }, "Loading …"));
        this.seen.observe(this.root);
    }

    /** Adds the question of the page to the comparison. */
    ask(model, values) {
        const given = model.parameters.filter(({ name }) => values[name]).map(({ name }) => [name, values[name]]);
        this.#question = { model: model.name, ...Object.fromEntries(given) };
        this.seen.disconnect();
        if (!this.root.hidden) this.seen.observe(this.root);
    }

    #choice(name, usual) {
        const id = knownChoice(name, (text) => this.#calibrations.some((row) => row.id === text), "the machine has no such calibration") ?? usual;
        const control = select(this.#calibrations.map((row) => [row.id, nameOf(row)]), id, { on: { change: () => {
            choose(name, control.value);
            write({ push: true });
            this.seen.disconnect();
            this.#ask();
        } } });
        return control;
    }

    async #ask() {
        const signal = this.#asking.next();
        const path = `machines/${encodeURIComponent(this.#machine.name)}/calibrations/compare`;
        const query = { ...this.#question, from: this.from.value, to: this.to.value };
        this.body.setAttribute("aria-busy", "true");
        try {
            const answer = await get(path, { ...query, limit: String(LISTED) }, signal);
            if (!signal.aborted) fill(this.body, comparisonView(answer, path, query));
        } catch (error) {
            if (signal.aborted) return;
            fill(this.body, problemView(error, { shown: unplaced(error), retry: () => this.#ask(), title: "These calibrations cannot be compared." }));
        }
        this.body.setAttribute("aria-busy", "false");
    }
}

const nameOf = (row) => `${row.id.slice(0, 8)}, ${row.created_at ? `measured ${date(row.created_at)}` : `stored ${age(row.uploaded_at)}`}`;

function comparisonView(answer, path, query) {
    const { values, predictions, changes, fields, conditions, left_out } = answer;
    const answered = predictions.filter((row) => row.reason === null), refused = predictions.filter((row) => row.reason !== null);
    const told = conditions.filter((row) => !["created_at", "description"].includes(row.path));
    const csv = (name) => el("a", { href: address(`${path}.csv`, { ...query, table: name, limit: "1000" }) }, `CSV of ${name}`);
    return [
        el("p", {}, summary(values)),
        told.length > 0 && el("p", { class: "hint" }, "Differences in tool and environment: ", told.map(({ path: name, from, to }, i) =>
            [i > 0 && "; ", el("code", {}, name), ` ${from ?? "not stated"} → ${to ?? "not stated"}`]), "."),
        el("h4", { class: "minor" }, "Effect on predictions"),
        answered.length > 0 ? effectsView(answered) : el("p", { class: "waiting" }, "No sample question can be answered with both."),
        refused.length > 0 && unfolding("unanswered", `No answer (${refused.length})`, el("ul", { class: "reasons" }, refused.map((row) => el("li", {}, `${titleOf(row)} (${row.model}): ${row.reason}`)))),
        fields.length > 0 && [el("h4", { class: "minor" }, "Changed fields"), fieldsView(fields)],
        changes.length > 0 && unfolding("changes", left_out ? `The ${number(changes.length)} largest of ${number(changes.length + left_out)} changes, with their sources`
            : `Every change, with its sources (${number(changes.length)})`, () => changesView(changes)),
        el("p", { class: "links" }, csv("changes"), csv("fields"), csv("predictions"), el("a", { href: address(path, { ...query, limit: "1000" }) }, "JSON")),
        scriptView("comparison of calibrations", [{ text: "all of it", path, query: { ...query, limit: "1000" }, formats: ["json"] },
            ...["changes", "fields", "predictions"].map((name) => ({ text: name, path, query: { ...query, table: name, limit: "1000" }, formats: ["csv", "txt"] }))]),
    ];
}

function summary({ compared, changed, within_spread, added, removed }) {
    if (!changed && !added && !removed) return `All ${number(compared)} values are equal.`;
    return `${number(changed)} of ${number(compared)} common values differ` +
        (within_spread ? `, ${number(within_spread)} of them within the spread of their measurements` : "") +
        (added ? `; ${number(added)} added` : "") + (removed ? `; ${number(removed)} removed` : "") + ".";
}

const titleOf = (row) => (row.is_asked ? "The question of this page" : capital(row.name));

/* Bars from the middle: to the right if the time is longer, to the left if it is shorter. */
function effectsView(rows) {
    const widest = Math.max(...rows.map((row) => Math.abs(Math.log(row.ratio))), 1e-9);
    const bar = ({ ratio }) => {
        const share = (50 * Math.log(ratio)) / widest;
        const piece = el("span", { class: `piece ${share > 0 ? "communication" : "computation"}` });
        piece.style.left = `${share > 0 ? 50 : 50 + share}%`;
        piece.style.width = `${Math.abs(share)}%`;
        return el("div", { class: "effect", "aria-hidden": "true" }, Math.abs(share) > 0.01 && piece);
    };
    return table({
        caption: "Predictions with the two calibrations", rows, columns: [
            { name: "name", label: "Question", cell: (row) => el("div", { class: "wide" }, titleOf(row),
                el("span", { class: "hint" }, ` ${row.model}${row.is_extrapolated ? ", extrapolated" : ""}`)) },
            { name: "from_time_s", label: "Before", isNumber: true, text: (row) => quantity("time_s", row.from_time_s, 3) },
            { name: "to_time_s", label: "After", isNumber: true, text: (row) => quantity("time_s", row.to_time_s, 3) },
            { name: "ratio", label: "Change of time", isNumber: true, text: (row) => change(row.ratio - 1) },
            { name: "bar", label: el("span", { class: "effect-head" }, el("span", {}, "← shorter"), el("span", {}, "longer →")), cell: bar },
        ],
    });
}

const range = (row) => (row.least_relative_change === null || row.compared < 2 ? "" : `${change(row.least_relative_change)} to ${change(row.greatest_relative_change)}`);

/* A name that may break after dots, commas and underscores. */
const pathView = (path) => el("code", { class: "changed-path" }, path.split(/(?<=[._,])/).map((part, i) => [i > 0 && el("wbr"), part]));

const sizeOf = (row) => Math.abs(Math.log1p(row.mean_relative_change ?? 0));

function fieldsView(rows) {
    const count = (name, label) => rows.some((row) => row[name]) && { name, label, isNumber: true, text: (row) => (row[name] ? number(row[name]) : "–") };
    return table({
        caption: "Fields of the calibration that differ", rows: [...rows].sort((a, b) => sizeOf(b) - sizeOf(a)), columns: [
            { name: "path", label: "Value", cell: (row) => pathView(row.path) },
            { name: "mean", label: "Mean change", isNumber: true, text: (row) => change(row.mean_relative_change) },
            { name: "range", label: "Range", isNumber: true, text: range },
            { name: "changed", label: "Changed", isNumber: true, text: (row) => (row.compared ? `${number(row.changed)} of ${number(row.compared)}` : "–") },
            count("within_spread", "Within the spread"), count("added", "Added"), count("removed", "Removed"),
        ].filter(Boolean),
    });
}

function sourceView({ change: kind, from_source, to_source }) {
    if (from_source === to_source) return from_source ?? "not stated";
    if (kind !== "changed") return (kind === "added" ? to_source : from_source) ?? "not stated";
    return [el("span", {}, "Before: ", from_source ?? "not stated", "."), el("br"), el("span", {}, "After: ", to_source ?? "not stated", ".")];
}

const changesView = (rows) => table({
    caption: "Changes, the largest first", rows, columns: [
        { name: "path", label: "Value", cell: (row) => pathView(row.path) },
        { name: "from", label: "Before", isNumber: true, text: (row) => valueOf(row, row.from, row.from_pointer) },
        { name: "to", label: "After", isNumber: true, text: (row) => valueOf(row, row.to, row.to_pointer) },
        { name: "change", label: "Change", isNumber: true, text: (row) => (row.change !== "changed" ? row.change : change(row.relative_change)) },
        { name: "spread", label: "Within the spread", text: (row) => (row.is_within_spread === null ? "–" : row.is_within_spread ? "yes" : "no") },
        { name: "source", label: "Source", cell: (row) => el("div", { class: "source" }, sourceView(row)) },
    ],
});
