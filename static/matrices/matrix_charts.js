/* Charts of the predicted factorization of a matrix. */
import { el, fill } from "../core/dom.js";
import { Gallery } from "../charts/gallery.js";

const GRIDS = "1..16..*2", PROCESSES = "1..64..*2";

const CHARTS = [
    { name: "time", text: "Predicted, analytic and critical-path computation time over processes, each with its best grid",
        query: { processes: PROCESSES, x: "processes", tune: "true", y: "time_s,analytic_time_s,critical_path_computation_s", logx: "true", logy: "true", measured: "true" } },
    { name: "speedup", text: "Speedup over processes, each with its best grid", query: { processes: PROCESSES, x: "processes", tune: "true", y: "speedup", logx: "true", logy: "true" } },
    { name: "efficiency", text: "Parallel efficiency over processes, each with its best grid", query: { processes: PROCESSES, x: "processes", tune: "true", y: "parallel_efficiency_fraction", logx: "true", logy: "false" } },
    { name: "grids", text: "Time of each process grid", query: { kind: "map", x: "process_columns", series: "process_rows", process_rows: GRIDS, process_columns: GRIDS } },
    { name: "balance", text: "Load balance factor of each process grid (1 is perfect balance)",
        query: { kind: "map", x: "process_columns", series: "process_rows", process_rows: GRIDS, process_columns: GRIDS, y: "load_balance_factor" } },
];

export class MatrixCharts {
    constructor() {
        this.title = el("h4", { class: "minor" });
        const body = el("div", { class: "gallery body" });
        this.root = el("div", { id: "matrix-charts" }, this.title, body);
        this.gallery = new Gallery(this.root, body);
    }

    /** ordering: the ordering that is drawn, undefined if none is ready. */
    show({ matrix, ordering, machine }) {
        if (!ordering || !machine) return this.gallery.hide();
        const serves = machine.models?.includes("sparse_lu");
        fill(this.title, `Factorization with ${ordering} on ${machine.name}`);
        this.gallery.show(JSON.stringify([matrix.id, matrix.name, ordering, machine.name, machine.calibration]), serves ? chartsOf({ matrix, ordering, machine }) : null);
        if (!serves) fill(this.gallery.body, el("p", { class: "waiting" }, `The calibration of ${machine.name} does not serve sparse_lu; select another machine to see times.`));
    }
}

function chartsOf({ matrix: { name }, ordering, machine }) {
    const about = { subject: "sparse_lu", machine: machine.name, calibration: machine.calibration, run: "", parameters: [["matrix", name], ["ordering", ordering]], changes: [] };
    return CHARTS.map(({ query, ...chart }) => ({ ...chart, key: `matrix-${chart.name}`, about, path: "chart/sparse_lu", query: { machine: machine.name, matrix: name, ordering, ...query } }));
}
