/* Strong and weak scaling of an iterative solver around the configuration of the answer. */
import { identityOf } from "../core/identity.js";
import { asText, choiceOf, predictQuery } from "../core/query.js";

const MOST_NODES = 4096, MOST_OF_MATRIX = 64; /* each number of processes is a partition of its own */
const PLACES = ["nodes", "local_grid", "global_grid", "process_grid", "on_node_grid", "allocation"]; /* they change with the nodes */

/* Powers of two around the nodes of the answer. */
const nodesOf = ({ nodes, matrix }) => `1..${Math.min(matrix ? MOST_OF_MATRIX : MOST_NODES, 2 ** Math.ceil(Math.log2(Math.max(16, 4 * nodes))))}..*2`;

/* The points of all processes. */
const wholeOf = ({ global_grid: whole, local_grid: local, process_grid: processes }) => whole ?? local.map((points, i) => points * processes[i]);

const STRONG = [
    { name: "strong", text: "Strong scaling: time of the same problem", drawn: { y: "time_s", logx: "true", logy: "true" } },
    { name: "strong-efficiency", text: "Efficiency of strong scaling: where it falls, more nodes do not pay", drawn: { kind: "strong_efficiency" } },
];
const WEAK = [
    { name: "weak", text: "Weak scaling: time of a problem that grows with the nodes", drawn: { y: "time_s", logx: "true", logy: "true" } },
    { name: "weak-efficiency", text: "Efficiency of weak scaling", drawn: { kind: "weak_efficiency" } },
];
const MEMORY = { name: "memory", text: "Memory of a process for the same problem, and its limit",
    drawn: { y: "memory_bytes_per_process,memory_limit_bytes_per_process", logx: "true", logy: "true" } };

function chartsOf(model, state, row) {
    const asked = predictQuery(state, choiceOf(model, row));
    for (const name of PLACES) delete asked[name];
    const same = row.matrix ? {} : { global_grid: asText(wholeOf(row)) };
    const strong = [...STRONG, MEMORY].map((chart) => ({ ...chart, problem: same }));
    const weak = row.matrix ? [] : WEAK.map((chart) => ({ ...chart, problem: { local_grid: asText(row.local_grid) } }));
    const pairs = weak.flatMap((chart, i) => [strong[i], chart]);
    return [...pairs, ...strong.slice(weak.length)].map(({ name, text, drawn, problem }) => {
        const query = { ...asked, ...problem, nodes: nodesOf(row) };
        return { name, text, about: identityOf(model, query, row.calibration), path: `chart/${model.name}`, query: { ...query, x: "nodes", ...drawn } };
    });
}

export const solveCharts = { isFor: (model) => model.name === "solve", chartsOf };
