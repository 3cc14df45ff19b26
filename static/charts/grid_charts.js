/* Charts of a block-cyclic program around the configuration of the answer: its grids, its block
 * sizes, its broadcasts. */
import { identityOf } from "../core/identity.js";
import { alternatives, choiceOf, isCyclic, predictQuery } from "../core/query.js";

const BLOCKS = [32, 64, 96, 128, 192, 256]; /* those that a ranking tries */
const MOST_GRIDS = 12;

/* The numbers of process rows that divide the processes, nearest to a square grid. */
function rowsOf(processes) {
    const rows = [];
    for (let row = 1; row * row <= processes; row++) if (processes % row === 0) rows.push(row, processes / row);
    const away = (row) => Math.abs(Math.log(row * row / processes));
    return [...new Set(rows)].sort((a, b) => away(a) - away(b)).slice(0, MOST_GRIDS).sort((a, b) => a - b).join(",");
}

/* The lists of each chart, and how it is drawn. */
function specsOf(model, { processes, block_size: block, percent_of_peak: percent }) {
    const process_rows = rowsOf(processes), block_size = [...new Set([...BLOCKS, block])].sort((a, b) => a - b).join(",");
    const sides = `1..${2 ** Math.ceil(Math.log2(processes) / 2 + 1)}..*2`;
    const broadcast = model.parameters.find((p) => p.name === "broadcast")?.choices.join(",");
    const [y, what] = percent === null ? ["gflops", "Rate"] : ["percent_of_peak", "Percent of peak"]; /* the calibration may have no peak */
    return [
        { name: "blocks", text: `Time of each grid of ${processes} processes and each block size`,
            lists: { processes, process_rows, block_size }, drawn: { kind: "map", x: "process_rows", series: "block_size" } },
        { name: "peak", text: `${what} over block sizes on ${processes} processes, a line for each ${broadcast ? "broadcast" : "number of process rows"}`,
            lists: { processes, block_size, ...(broadcast ? { broadcast } : { process_rows }) },
            drawn: { x: "block_size", series: broadcast ? "broadcast" : "process_rows", y, logx: "true" } },
        { name: "grids", text: "Time of each grid P × Q",
            lists: { process_rows: sides, process_columns: sides }, drawn: { kind: "map", x: "process_columns", series: "process_rows" } },
    ];
}

function chartsOf(model, state, row) {
    const choice = choiceOf(model, row), asked = predictQuery(state, choice);
    for (const p of alternatives(model).flat()) delete asked[p.name];
    delete asked.memory_fraction; /* which determines n */
    return specsOf(model, row).map(({ name, text, lists, drawn }) => {
        const query = { ...asked, n: row.n, ...lists };
        return { name, text, about: identityOf(model, query, row.calibration), path: `chart/${model.name}`, query: { ...query, ...drawn } };
    });
}

export const gridCharts = { isFor: isCyclic, chartsOf };
