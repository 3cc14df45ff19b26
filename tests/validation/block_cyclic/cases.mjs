// The simulated clusters and the runs on them.
import { fileURLToPath } from "node:url";
import { inOrder, shuffled } from "../cluster/hosts.mjs";

const small = fileURLToPath(new URL("platforms/", import.meta.url));

export const clusters = [
    { name: "torus64", platforms: small, hosts: inOrder("t", 64), coresPerNode: 1, processes: [16, 64],
        about: "4x4x4 torus of one core each" },
    { name: "fattree16", platforms: small, hosts: inOrder("f", 8, 2), coresPerNode: 2, processes: [16],
        about: "8 hosts of two cores, oversubscribed fat tree" },
    { name: "dragonfly72", platforms: small, hosts: inOrder("d", 64), coresPerNode: 1, processes: [16, 64],
        about: "dragonfly of 3 groups, one core each" },
    { name: "scattered", platform: "torus", hosts: shuffled(inOrder("t", 144), 7).slice(0, 64), coresPerNode: 1, processes: [16, 64],
        about: "64 hosts scattered over a 6x6x4 torus" },
    { name: "cores", hosts: inOrder("g", 32, 4), coresPerNode: 4, processes: [16, 64],
        about: "4x4x2 torus of four cores each" },
    { name: "crowd32", platforms: small, hosts: inOrder("c", 4, 8), coresPerNode: 8, processes: [32],
        about: "4 hosts of eight cores that share card and memory" },
];
export const short = [{ ...clusters[0], processes: [16], isShort: true }];

const GRIDS = { 16: [[4, 4], [2, 8], [8, 2], [1, 16]], 32: [[4, 8], [8, 4], [16, 2], [32, 1], [2, 16], [1, 32]], 64: [[8, 8], [4, 16], [16, 4]] };
const ORDERS = { 16: [1024, 3072], 32: [2048], 64: [2048, 4096] };
const BLOCKS = { 16: [32, 96], 32: [64], 64: [64] };
const DEFAULTS = {
    mapping: "row", side: "L", uplo: "L", transa: "N", transb: "N", broadcast: "1ringM", lookahead_depth: 1, swap: "mix",
};

/** Parameters of the models besides the grid. */
const SIZES = {
    pdgemm: ["m", "n", "k"], pdtrsm: ["m", "n"], pdpotrf: ["n"], pdgetrf: ["m", "n"], pdgeqrf: ["m", "n"], hpl: ["n"],
};
const USED = {
    pdgemm: ["mapping", "transa", "transb"], pdtrsm: ["mapping", "side", "uplo", "trans"], pdpotrf: ["mapping", "uplo"],
    pdgetrf: ["mapping"], pdgeqrf: ["mapping"], hpl: ["mapping", "broadcast", "lookahead_depth", "swap"],
};
export const routines = Object.keys(SIZES);

/** The options of a routine that are tried beside the grid and the block size, at the largest order. */
const OPTIONS = {
    hpl: [{}, { broadcast: "1ring" }, { broadcast: "2ringM" }, { broadcast: "long" }, { lookahead_depth: 0 },
        { swap: "binary_exchange" }],
};

function plainRuns(p, isShort) {
    const runs = [];
    for (const routine of routines)
        for (const n of isShort ? [1024] : ORDERS[p])
            for (const block of isShort ? [64] : BLOCKS[p])
                for (const [rows, columns] of isShort ? GRIDS[p].slice(0, 2) : GRIDS[p])
                    for (const option of (n === ORDERS[p].at(-1) && !isShort && OPTIONS[routine]) || [{}])
                        runs.push({ kind: routine, routine, p, m: n, n, k: n, block, rows, columns, option });
    return runs;
}

const LINES = { 16: [[1, 16], [16, 1]], 32: [], 64: [] };
const TRANSPOSED = [{ transa: "T" }, { transb: "T" }, { transa: "T", transb: "T" }];

/** Products of transposed operands: C, B or A stays. */
function transposedProducts(p, isShort) {
    const n = ORDERS[p][0], few = 128, runs = [];
    for (const [rows, columns] of isShort ? [[4, 4]] : [...GRIDS[p].slice(0, 3), ...LINES[p]])
        for (const [m, columnsOfC, k] of isShort ? [[n, n, n]] : [[n, n, n], [few, n, n], [n, few, n], [n, n, 2 * few]])
            for (const option of TRANSPOSED)
                runs.push({ kind: "pdgemm transposed", routine: "pdgemm", p, m, n: columnsOfC, k, block: 64, rows, columns, option });
    return runs;
}

/** Solves with few right-hand sides or on a line of processes, and transposed ones. In some B moves alone. */
function solves(p, isShort) {
    const n = ORDERS[p][0], runs = [];
    for (const [rows, columns] of isShort ? [[4, 4]] : [...GRIDS[p].slice(0, 3), ...LINES[p]])
        for (const side of isShort ? ["L"] : ["L", "R"])
            for (const trans of ["N", "T"])
                for (const sides of isShort ? [32] : [32, 100, n]) {
                    const [m, columnsOfB] = side === "L" ? [n, sides] : [sides, n];
                    runs.push({ kind: trans === "N" ? "pdtrsm sides" : "pdtrsm transposed", routine: "pdtrsm", p, m, n: columnsOfB,
                        k: n, block: 64, rows, columns, option: { side, transa: trans } });
                }
    return runs;
}

/** Cholesky factorizations with few panels, and on grids of many rows. */
function rareFactorizations(p, isShort) {
    const runs = [], tall = { 16: [8, 2], 32: [16, 2], 64: [32, 2] };
    for (const uplo of ["L", "U"]) {
        for (const n of isShort ? [] : [256, 512])
            for (const [rows, columns] of GRIDS[p].slice(0, 3))
                runs.push({ kind: "pdpotrf few panels", routine: "pdpotrf", p, m: n, n, k: n, block: 64, rows, columns, option: { uplo } });
        for (const n of isShort ? [] : ORDERS[p])
            for (const block of [32, 64])
                runs.push({ kind: "pdpotrf tall", routine: "pdpotrf", p, m: n, n, k: n, block, rows: tall[p][0], columns: tall[p][1],
                    option: { uplo } });
    }
    return runs;
}

export const kinds = [...routines, "pdgemm transposed", "pdtrsm sides", "pdtrsm transposed", "pdpotrf few panels", "pdpotrf tall"];

export const runsOf = ({ processes, isShort }) =>
    processes.flatMap((p) => [plainRuns, transposedProducts, solves, rareFactorizations].flatMap((some) => some(p, isShort)));

/** The parameters of the question. */
export function parametersOf({ routine, block, rows, columns, option, ...sizes }) {
    const all = { ...DEFAULTS, ...option };
    all.trans = all.transa;
    return {
        block_size: block, process_rows: rows, process_columns: columns,
        ...Object.fromEntries(SIZES[routine].map((name) => [name, sizes[name]])),
        ...Object.fromEntries(USED[routine].map((name) => [name, all[name]])),
    };
}

/** The line of the batch. */
export function lineOf({ routine, m, n, k, block, rows, columns, option }) {
    const { mapping, side, uplo, transa, transb, broadcast, lookahead_depth: depth, swap } = { ...DEFAULTS, ...option };
    return [routine, m, n, k, block, rows, columns, mapping, side, uplo, transa, transb, broadcast, depth, swap, 64, 4, 2].join(" ");
}
