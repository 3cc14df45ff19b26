/* Charts that the papers on blocked algorithms draw, each one click away. */
import { el } from "./dom.js";

const STEPS = 16; /* points over the order */

function overOrder(order) {
    const step = 8 * Math.max(1, Math.round(order / (8 * STEPS)));
    return `${step}..${STEPS * step}..${step}`;
}

const PRESETS = [
    ["preset-order", "Efficiency over n, all variants", (n) => ({ x: "n", values: overOrder(n) })],
    ["preset-block-size", "Efficiency over block size", (n) => ({ x: "block_size", values: `8..${Math.min(256, Math.max(16, n))}..8` })],
];

const isBlocked = (model) => ["variant", "block_size"].every((name) => model.parameters.some((p) => p.name === name && p.tunable && p.type === "integer")) &&
    model.family === "blocked";

/** use(chart): takes the chart in place of the one shown; row(): the configuration of the answer. */
export function presetsView({ model, state, row, use }) {
    if (!isBlocked(model)) return null;
    return el("div", { class: "presets", role: "group", "aria-label": "Charts of the papers" }, el("span", { class: "hint" }, "As in the papers:"),
        PRESETS.map(([id, text, chart]) => el("button", { type: "button", class: "quiet", id, on: { click: () => {
            const order = Number(row()?.n ?? state.values.n) || 1000;
            /* Without a peak there is no share of it. */
            const y = row()?.percent_of_peak === null ? "gflops" : "percent_of_peak";
            use({ ...chart(order), y, series: "variant", kind: "lines", measured: "true", logx: "false", logy: "false" });
            document.getElementById(id)?.focus();
        } } }, text)));
}
