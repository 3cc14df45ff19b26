/* Example values of each model. */
import { alternatives } from "../core/query.js";

/* The question of a first visit, which the machine `example` answers within its calibrated range. */
export const EXAMPLE = { model: "matmul", m: "8192", n: "8192", k: "8192", size: "64", processes_per_node: "8", message_bytes: "1024", iterations: "100" };

/* What a question may be about in place of a required parameter; the first is the example. */
export const PROBLEMS = ["global_grid", "local_grid", "matrix"];
const isExample = (p) => p.required || p.name === "message_bytes" || (p.name === PROBLEMS[0] && p.automatic);

/* Blocked algorithms run on one node, and kernels are measured for sizes up to about 1000. */
export const BLOCKED = { m: "1000", n: "1000", variant: "1", block_size: "96" };

/* The inverse of a triangular matrix of two by two blocks of order n, in two variants. */
const TEXTS = {
    calls: { n: 128, calls: "trinv1_unb n\ndtrmm RLNN n n\ndtrsm LLNN n n -1\ntrinv1_unb n\n|\ndtrsm RLNN n n -1\ndtrsm LLNN n n\ntrinv1_unb n\ntrinv1_unb n" },
};

/** An example of this text parameter. */
export const exampleText = (name) => TEXTS[name]?.[name];

/* Processes or nodes of the example, as many as the machine has; the dense algorithms need a square. */
function sizeOf(model, name, { cores_per_node: cores, single_node: isSingle }) {
    const most = Number(EXAMPLE.size);
    if (!isSingle) return most;
    if (name === "nodes") return 1;
    const processes = Math.min(most, cores ?? 1);
    return model.family === "dense" ? Math.floor(Math.sqrt(processes)) ** 2 : processes;
}

/** A valid question of the model: its required parameters, on a machine of this size if it is given. */
export function exampleOf(of, machine = {}) {
    const values = {}, usual = of.family === "blocked" ? BLOCKED : EXAMPLE;
    for (const [size] of alternatives(of)) values[size.name] = sizeOf(of, size.name, machine);
    for (const p of of.parameters) {
        if (p.one_of || !isExample(p)) continue;
        if (p.type === "vector") values[p.name] = p.name === PROBLEMS[0] ? [64, 64, 64] : [16, 16, 16];
        else if (p.type === "text") Object.assign(values, TEXTS[p.name]);
        else values[p.name] = p.choices ? p.choices[0] : Number(usual[p.name] ?? p.minimum ?? 1);
    }
    if (machine.cores_per_node && values.processes_per_node > machine.cores_per_node) values.processes_per_node = machine.cores_per_node;
    return values;
}
