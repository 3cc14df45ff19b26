/* Charts of the predicted factorization of a matrix: time, speedup and efficiency over processes,
 * time and load balance of each process grid. */
import { address, Latest, once, picture } from "./api.js";
import { el, fill, imageOf } from "./dom.js";
import { problemView, unplaced } from "./problem.js";

const SIZE = { width: "700", height: "430" }, NARROW = { width: "480", height: "400" };
const GRIDS = "1..16..*2", PROCESSES = "1..64..*2";

const CHARTS = [
    { name: "time", text: "Predicted, analytic and critical-path computation time over processes, each with its best grid",
        query: { processes: PROCESSES, x: "processes", tune: "true", y: "time_s,analytic_time_s,critical_path_computation_s", logx: "true", logy: "true", measured: "true" } },
    { name: "speedup", text: "Speedup over processes, each with its best grid", query: { processes: PROCESSES, x: "processes", tune: "true", y: "speedup", logx: "true", logy: "true" } },
    { name: "efficiency", text: "Efficiency over processes, each with its best grid", query: { processes: PROCESSES, x: "processes", tune: "true", y: "parallel_efficiency_fraction", logx: "true", logy: "false" } },
    { name: "grids", text: "Time of each process grid", query: { kind: "map", x: "process_columns", series: "process_rows", process_rows: GRIDS, process_columns: GRIDS } },
    { name: "balance", text: "Load balance factor of each process grid (1 is perfect balance)",
        query: { kind: "map", x: "process_columns", series: "process_rows", process_rows: GRIDS, process_columns: GRIDS, y: "load_balance_factor" } },
];

export class MatrixCharts {
    #asking = new Latest();
    #of = null;
    #key = ""; /* identifies the charts that are shown */

    constructor() {
        this.title = el("h4", { class: "minor" });
        this.body = el("div", { class: "gallery body" });
        this.root = el("div", { hidden: true, id: "matrix-charts" }, this.title, this.body);
        /* Charts are requested only when they become visible: their simulations are expensive. */
        this.seen = new IntersectionObserver((entries) => {
            if (!entries.some((entry) => entry.isIntersecting)) return;
            this.seen.disconnect();
            this.#draw();
        }, { rootMargin: "25% 0px" });
    }

    /** ordering: the ordering that is drawn, undefined if none is ready. */
    show({ matrix, ordering, machine }) {
        const key = JSON.stringify([matrix.id, matrix.name, ordering, machine?.name, machine?.calibration]);
        this.root.hidden = !ordering || !machine;
        if (this.root.hidden || key === this.#key) return;
        this.#key = key;
        this.#of = { matrix, ordering, machine };
        this.seen.disconnect();
        this.#asking.next();
        fill(this.title, `Factorization with ${ordering} on ${machine.name}`);
        fill(this.body);
        if (machine.models?.includes("sparse_lu")) this.seen.observe(this.root);
        else fill(this.body, el("p", { class: "waiting" }, `The calibration of ${machine.name} does not serve sparse_lu; select another machine to see times.`));
    }

    async #draw() {
        const signal = this.#asking.next();
        const { matrix, ordering, machine } = this.#of;
        const size = window.matchMedia("(max-width: 40rem)").matches ? NARROW : SIZE;
        this.body.setAttribute("aria-busy", "true");
        const model = await once("models/sparse_lu").catch(() => null);
        const isKnown = (name) => model?.outputs.some((output) => output.name === name);
        const figures = await Promise.all(CHARTS.filter(({ query }) => !query.y || query.y.split(",").every(isKnown)).map(async ({ name, text, query }) => {
            const asked = { machine: machine.name, matrix: matrix.name, ordering, ...query };
            const image = await picture("chart/sparse_lu.svg", { ...asked, ...size }, signal).catch((error) => error);
            return figureOf({ name, text, asked, image, size });
        }));
        if (signal.aborted) return;
        fill(this.body, figures);
        this.body.setAttribute("aria-busy", "false");
    }
}

function figureOf({ name, text, asked, image, size }) {
    if (!(image instanceof Blob)) return el("figure", { class: `chart-${name}` }, problemView(image, { shown: unplaced(image), title: `${text}: no chart.` }));
    return el("figure", { class: `chart-${name}` }, el("div", { class: "paper" }, imageOf(image, { alt: `${text}.`, ...size })),
        el("figcaption", {}, el("p", {}, `${text}.`), el("p", { class: "links" }, ["svg", "png", "pdf", "gp"].map((suffix) =>
            el("a", { href: address(`chart/sparse_lu.${suffix}`, asked), download: `${asked.matrix}-${name}.${suffix}` }, suffix === "gp" ? "gnuplot" : suffix.toUpperCase())))));
}
