/* A lane of computation above one of communication, whose hidden part (hatched) ends with computation. */
import { el } from "../core/dom.js";
import { table } from "../core/table.js";
import { alike, duration, share } from "../core/units.js";

/* The part of a phase that adds to the total time; rounding errors count as zero. */
const shown = (phase) => {
    const rest = phase.time_s - phase.hidden_s;
    return rest > 1e-12 * phase.time_s ? rest : 0;
};
const sum = (phases, of) => phases.reduce((total, phase) => total + of(phase), 0);

/** What computation and communication add to the total: [{ kind, time_s }]. */
export const breakdownParts = (breakdown) => ["computation", "communication"].map((kind) => ({ kind, time_s: sum(breakdown.filter((phase) => phase.kind === kind), shown) }));

export function breakdownView(breakdown, time_s) {
    const lanes = ["computation", "communication"].map((kind) =>
        breakdown.filter((phase) => phase.kind === kind).sort((a, b) => b.time_s - a.time_s));
    const rank = new Map(lanes.flatMap((lane) => lane.map((phase, i) => [phase, i])));
    const [computing, communicating] = lanes;
    const end = sum(computing, shown);

    const bar = el("div", { class: "bar", "aria-hidden": "true" },
        lane("Computing", [
            ...pieces(computing, 0, shown, ""),
            ...pieces(computing, end, (phase) => phase.hidden_s, " hidden"),
        ]),
        lane("Communicating", [
            ...pieces(communicating, Math.max(0, end - sum(communicating, (phase) => phase.hidden_s)), (phase) => phase.hidden_s, " hidden"),
            ...pieces(communicating, end, shown, ""),
        ]));

    function lane(name, segments) {
        return el("div", { class: "lane" }, el("span", { class: "lane-name" }, name),
            el("div", { class: "lane-track" }, segments));
    }

    function pieces(phases, from, length, look) {
        let at = from;
        return phases.filter((phase) => length(phase) > 0).map((phase) => {
            const piece = el("span", { class: `piece ${phase.kind} shade-${rank.get(phase) % 4}${look}` });
            piece.style.left = `${(100 * at) / time_s}%`;
            piece.style.width = `${(100 * length(phase)) / time_s}%`;
            piece.title = `${phase.phase}${look && ", hidden"}: ${duration(length(phase))}`;
            at += length(phase);
            return piece;
        });
    }

    const { unit, text } = alike("time_s", breakdown.flatMap((phase) => [phase.time_s, phase.hidden_s]), { of: time_s });
    const time = (name, value) => ({ isNumber: true, unit, text: (phase) => text(value(phase)), name });
    const legend = table({
        caption: "Breakdown of the time by phase",
        rows: lanes.flat(),
        columns: [
            { name: "phase", label: "Phase", cell: (phase) => [
                el("span", { class: `swatch ${phase.kind} shade-${rank.get(phase) % 4}`, "aria-hidden": "true" }),
                phase.phase.replaceAll("_", " ")] },
            { name: "kind", label: "Kind", text: (phase) => phase.kind },
            { ...time("time_s", (phase) => phase.time_s), label: "Time" },
            { ...time("hidden_s", (phase) => phase.hidden_s), label: "Hidden" },
            { ...time("shown_s", shown), label: "Counted" },
            { name: "share", label: "Share", isNumber: true, text: (phase) => share(shown(phase), time_s) },
        ],
    });
    return el("div", { class: "breakdown" }, el("h2", { class: "minor" }, "Where the time goes"), bar,
        breakdown.some((phase) => phase.hidden_s > 0) &&
            el("p", { class: "hint" }, el("span", { class: "swatch communication hidden", "aria-hidden": "true" }),
                "Hatched: overlapped with the other lane, so it adds no time."),
        legend);
}
