/* Preset charts, as in the papers on blocked algorithms and sparse LU. */
import { el } from "../core/dom.js";

const STEPS = 16; /* points over the order */

function overOrder(order) {
    const step = 8 * Math.max(1, Math.round(order / (8 * STEPS)));
    return `${step}..${STEPS * step}..${step}`;
}

const PRESETS = [
    ["preset-order", "Percent of peak over n, all variants", (n) => ({ x: "n", values: overOrder(n) })],
    ["preset-block-size", "Percent of peak over block size", (n) => ({ x: "block_size", values: `8..${Math.min(256, Math.max(16, n))}..8` })],
];

const isBlocked = (model) => ["variant", "block_size"].every((name) => model.parameters.some((p) => p.name === name && p.tunable && p.type === "integer")) &&
    model.family === "blocked";

/* Charts of sparse LU. */
const SPARSE = [
    ["preset-times", "Predicted, analytic, critical path", { kind: "lines", x: "processes", values: "1..64..*2", y: "time_s,analytic_time_s,critical_path_computation_s", series: "none", measured: "true" }],
    ["preset-grids", "Time of each grid", { kind: "map", x: "process_columns", values: "1..16..*2", y: "time_s", series: "process_rows" }],
    ["preset-balance", "Load balance of each grid", { kind: "map", x: "process_columns", values: "1..16..*2", y: "load_balance_factor", series: "process_rows" }],
    ["preset-speedup", "Speedup", { kind: "lines", x: "processes", values: "1..64..*2", y: "speedup", series: "none" }],
];

/** use(chart): shows this chart; row(): the configuration of the answer. */
export function presetsView({ model, state, row, use }) {
    if (model.family === "sparse") return sparseView(use);
    if (!isBlocked(model)) return null;
    return el("div", { class: "presets", role: "group", "aria-label": "Charts of the papers" }, el("span", { class: "hint" }, "As in the papers:"),
        PRESETS.map(([id, text, chart]) => el("button", { type: "button", class: "quiet", id, on: { click: () => {
            const order = Number(row()?.n ?? state.values.n) || 1000;
            /* Without a peak there is no percent_of_peak. */
            const y = row()?.percent_of_peak === null ? "gflops" : "percent_of_peak";
            use({ ...chart(order), y, series: "variant", kind: "lines", measured: "true", logx: "false", logy: "false" });
            document.getElementById(id)?.focus();
        } } }, text)));
}

const sparseView = (use) => el("div", { class: "presets", role: "group", "aria-label": "Charts of a factorization" }, el("span", { class: "hint" }, "As in the paper:"),
    SPARSE.map(([id, text, chart]) => el("button", { type: "button", class: "quiet", id, on: { click: () => {
        use({ ...chart });
        document.getElementById(id)?.focus();
    } } }, text)));
