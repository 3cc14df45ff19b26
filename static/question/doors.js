/* The first view: what forerun is, and questions to begin with, each a link. */
import { el, fill } from "../core/dom.js";
import { writeState } from "../core/state.js";

/* text, how the question of the page changes, and the section that answers it. */
const DOORS = [
    ["How many nodes do I ask for?", (state) => ({ ...state, goal: { ...state.goal, min_scaling_fraction: "0.5" } }), "recommend"],
    ["Which variant and block size?", (state) => ({ ...state, model: "pdgetrf", values: {} }), "ranking"],
    ["How does it scale?", (state) => state, "scaling"],
    ["Did the machine get slower?", (state) => state, "machine"],
    ["What would a better network bring?", (state) => ({ ...state, whatIf: [{ path: "network.bandwidth", value: "*2" }] }), "what-if"],
];

/** state: of the page; models: those of its machine. */
export function showDoors(root, state, models) {
    const doors = DOORS.map(([text, change, section]) => ({ text, to: change(state), section })).filter(({ to }) => models?.includes(to.model));
    root.hidden = false;
    fill(root, el("p", {}, el("strong", {}, "forerun"), " tells how long a parallel linear-algebra run takes before you run it, from measurements of the machine."),
        el("ul", { class: "doors" }, doors.map(({ text, to, section }) => el("li", {}, el("a", { href: `?${writeState(to)}#${section}` }, text)))));
}
