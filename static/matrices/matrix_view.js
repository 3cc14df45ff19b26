/* One sparse matrix: its facts, its pattern, its orderings. */
import { get, Latest, remove } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { readable } from "../core/state.js";
import { column, table } from "../core/table.js";
import { token } from "../core/token.js";
import { unfolding } from "../core/unfold.js";
import { date, number, quantity } from "../core/units.js";
import { problemView, unplaced } from "../parts/problem.js";
import { chartFiles, ROWS, scriptView } from "../parts/request.js";
import { tokenRefusal } from "../parts/token.js";
import { imageOf, picture } from "../charts/picture.js";
import { readable as readsValues } from "../charts/reader.js";
import { MatrixCharts } from "./matrix_charts.js";
import { Partitions } from "./partitions.js";
import { progressView } from "./status.js";
import { Structures } from "./structures.js";

const SIDE = { width: "420", height: "420" };
const words = (text) => text?.replaceAll("_", " ");

export class MatrixView {
    #asking = new Latest();
    #matrix = null; /* that is shown */
    #answer = null;
    #machine = null;
    #drawn = ""; /* id of the matrix whose pattern is shown */

    /** removed(), changed(): called when the matrix was deleted, and when it is analyzed again. */
    constructor({ removed, changed }) {
        this.removed = removed;
        this.head = el("div");
        this.spy = el("div", { class: "spy" });
        this.facts = el("div");
        this.orderings = el("div");
        this.said = el("div", { role: "status" });
        this.charts = new MatrixCharts();
        this.structures = new Structures({ added: changed });
        this.partitions = new Partitions();
        this.root = el("div", { class: "part", id: "matrix", hidden: true }, this.head, el("div", { class: "beside-spy" }, this.spy, this.facts), this.orderings, this.charts.root, this.structures.root, this.partitions.root, this.said);
    }

    /** machine: the machine for predictions, or null. */
    build(machine) {
        this.#machine = machine;
    }

    /** The charts are drawn for the matrix and the ordering of the answer: its parameters, or null. */
    answered(parameters) {
        this.#answer = parameters;
        if (this.#matrix) this.#chart();
    }

    #chart() {
        const matrix = this.#matrix, { matrix: named, ordering } = this.#answer ?? {};
        const isReady = [matrix.id, matrix.name].includes(named) && matrix.orderings.some((each) => each.ordering === ordering && each.status === "ready");
        this.charts.show({ matrix, ordering: isReady ? ordering : bestOf(matrix)?.ordering, machine: this.#machine });
    }

    /** row: a row of the list, or null. */
    async show(row) {
        const signal = this.#asking.next();
        this.root.hidden = !row;
        if (!row) return this.partitions.hide();
        try {
            const matrix = await get(`matrices/${row.id}`, undefined, signal);
            if (!signal.aborted) this.#draw(matrix);
        } catch (error) {
            if (signal.aborted) return;
            fill(this.head, problemView(error, { shown: unplaced(error), retry: () => this.show(row), title: "This matrix cannot be shown." }));
        }
    }

    #draw(matrix) {
        const best = bestOf(matrix);
        if (this.#drawn !== matrix.id) {
            fill(this.said);
            fill(this.spy);
            this.#drawn = matrix.id;
            this.#spy(matrix);
        }
        fill(this.head, el("h3", { id: "matrix-title" }, matrix.name), matrix.title && el("p", { class: "hint" }, matrix.title),
            matrix.reason && el("p", { class: "problem" }, el("strong", {}, "Not analyzed. "), matrix.reason));
        fill(this.facts, factsView(matrix));
        fill(this.orderings, el("h4", { class: "minor" }, "Comparison of orderings"), orderingsView(matrix),
            el("p", { class: "links" }, best && el("a", { href: questionOf(matrix.name, best.ordering, this.#machine) }, "Predict its factorization"),
                el("button", { type: "button", class: "quiet", on: { click: () => this.#remove(matrix) } }, "Delete …")), best && mumpsView(matrix, best.ordering), matrixScript(matrix, best?.ordering));
        this.#matrix = matrix;
        this.#chart();
        this.structures.show({ matrix, machine: this.#machine });
        this.partitions.show({ matrix, machine: this.#machine });
    }

    async #spy(matrix) {
        const path = `matrices/${matrix.id}/spy`;
        const image = await picture(`${path}.svg`, SIDE).catch((error) => error);
        if (this.#drawn !== matrix.id) return;
        fill(this.spy, image instanceof Blob
            ? el("figure", {}, el("div", { class: "paper" }, readsValues(imageOf(image, { alt: `Pattern of the entries of ${matrix.name}.`, ...SIDE }), { path, query: SIDE, size: SIDE, name: `the pattern of ${matrix.name}` })),
                el("figcaption", {}, chartFiles(`the pattern of ${matrix.name}`, { key: "pattern", path, query: SIDE, file: (suffix) => `${matrix.name}.${suffix}` })))
            : problemView(image, { shown: unplaced(image), title: "This matrix cannot be drawn." }));
    }

    async #remove(matrix) {
        if (!window.confirm(`Delete ${matrix.name} and the results of its analysis?`)) return;
        try {
            await remove(`matrices/${matrix.id}`, token.value);
            fill(this.said);
            await this.removed();
        } catch (error) {
            const isLacking = tokenRefusal(error, token.value) && !token.value;
            fill(this.said, el("p", { class: "problem" }, el("strong", {}, "Not deleted: "),
                isLacking ? "a token of scope admin is needed; enter it in the upload form above." : error.message));
        }
    }
}

/* The finished ordering with the fewest operations. */
const bestOf = ({ orderings = [] }) => orderings.filter((each) => each.status === "ready").reduce((best, each) => (best && best.flops <= each.flops ? best : each), null);

/** A link to the question about this matrix with one ordering: trying all of them takes long. */
function questionOf(name, ordering, machine) {
    const serves = machine?.models?.includes("sparse_lu");
    return `?${readable(new URLSearchParams({ model: "sparse_lu", ...(serves && { machine: machine.name }), matrix: name, ordering, processes: "16" }))}#answer`;
}

/* ordering: a finished one, or undefined. */
function matrixScript({ id, name }, ordering) {
    const path = `matrices/${id}`;
    return scriptView(`matrix ${name}`, [{ text: "facts and orderings", path, formats: ROWS },
        ...(ordering ? [{ text: `block structure of ${ordering}`, id: "structure", path: `${path}/structure`, query: { ordering }, formats: ["json"] },
            { text: `memory of MUMPS with ${ordering}`, id: "mumps", path: `${path}/mumps`, query: { ordering }, formats: ROWS }] : []),
        { text: "all matrices", path: "matrices", formats: ROWS }], { key: "matrix" });
}

function factsView(matrix) {
    const share = matrix.structural_symmetry_fraction;
    const facts = [
        ["Order", number(matrix.n)],
        ["Entries", matrix.entries === matrix.nnz ? number(matrix.nnz) : `${number(matrix.nnz)} (${number(matrix.entries)} in the file)`],
        ["Entries per row", number(matrix.nnz / matrix.n, 3)],
        ["Structural symmetry", typeof share === "number" ? quantity("x_fraction", share, 3) : "–"],
        ["Bandwidth below, above", `${number(matrix.lower_bandwidth)}, ${number(matrix.upper_bandwidth)}`],
        ["Zero diagonals", number(matrix.zero_diagonals)],
        ["Empty rows, columns", `${number(matrix.empty_rows)}, ${number(matrix.empty_columns)}`],
        ["Structurally singular", matrix.structurally_singular === null ? "not known yet" : matrix.structurally_singular ? `yes, rank ${number(matrix.structural_rank)}` : "no"],
        ["Row permutation", matrix.row_permutation ?? "not known yet"],
        ["File", [words(matrix.format), matrix.field, matrix.symmetry].filter(Boolean).join(", ")],
        ["Size, unpacked", quantity("bytes", matrix.bytes)],
        ["Uploaded", date(matrix.uploaded_at)],
        ["Id", el("code", {}, matrix.id)],
    ];
    return el("dl", { class: "pairs" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value))));
}

const LEAST = [["supernodes", "Supernodes"], ["nnz_lu", "nnz(L + U)"], ["fill", "Fill"], ["flops", "Operations"], ["seconds", "Analysis"]];

/* The memory of MUMPS on the numbers of processes where forecasts were compared with it. */
const mumpsView = ({ id, name }, ordering) => unfolding("mumps", "Memory of MUMPS", () => {
    const place = el("div", {});
    Promise.all(["1", "2", "4", "8"].map((processes) => get(`matrices/${id}/mumps`, { ordering, processes }))).then((rows) => {
        const most = column("memory_bytes_per_process", "The process that needs most", rows);
        fill(place, table({ caption: `Memory of MUMPS for ${name}`, rows, columns: [column("processes", "Processes", rows), most,
            { name: "range", label: "Measured may be", unit: most.unit, isNumber: true, text: (row) => most.written.range(row.memory_low_bytes_per_process, row.memory_high_bytes_per_process, row.memory_bytes_per_process) },
            column("memory_bytes_of_all_processes", "All processes", rows)] }),
        el("p", { class: "hint" }, `Ordering ${ordering}, ICNTL(14) = 20. More than 8 processes were not compared with MUMPS, and are not foreseen.`));
    }).catch((error) => fill(place, problemView(error, { shown: unplaced(error), title: "The memory of MUMPS is not known." })));
    return place;
});

/* The smallest value of each column in bold; the last cell says why an ordering failed. */
function orderingsView(matrix) {
    const rows = (matrix.orderings ?? []).map((each) => ({ ...each, name: each.ordering,
        seconds: each.status === "ready" ? (each.ordering_s ?? 0) + (each.symbolic_s ?? 0) + (each.extraction_s ?? 0) : null }));
    const least = (name) => Math.min(...rows.map((row) => row[name]).filter((value) => typeof value === "number"));
    const isSome = rows.filter((row) => row.status === "ready").length > 1;
    const columns = LEAST.map(([name, label]) => {
        const of = column(name === "seconds" ? "seconds_s" : name, label, rows.map((row) => ({ ...row, seconds_s: row.seconds })));
        const smallest = least(name);
        return { ...of, name, isNumber: true, cell: (row) => {
            const text = of.text({ ...row, seconds_s: row.seconds });
            return isSome && name !== "supernodes" && row[name] === smallest ? el("strong", {}, text) : text;
        } };
    });
    return table({ caption: `Orderings of ${matrix.name}`, rows, sorting: "orderings.sort", columns: [
        { name: "ordering", label: "Ordering", text: (row) => row.ordering }, ...columns,
        { name: "status", label: "Status", cell: (row) => (row.reason ? el("span", { class: "wide assumed" }, `${row.status}: ${row.reason}`)
            : progressView(row.status === "analyzing" ? { ...row, progress_fraction: undefined } : row)) },
    ] });
}
