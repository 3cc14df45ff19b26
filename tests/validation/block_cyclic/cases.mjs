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
];
export const short = [{ ...clusters[0], processes: [16], isShort: true }];

const GRIDS = { 16: [[4, 4], [2, 8], [8, 2], [1, 16]], 64: [[8, 8], [4, 16], [16, 4]] };
const ORDERS = { 16: [1024, 3072], 64: [2048, 4096] };
const BLOCKS = { 16: [32, 96], 64: [64] };
const DEFAULTS = { mapping: "row", side: "L", uplo: "L", broadcast: "1ringM", lookahead_depth: 1, swap: "mix" };

/** Sizes by routine, of the question and of the line of the batch. */
const SIZES = {
    pdgemm: (n) => ({ m: n, n, k: n }), pdtrsm: (n) => ({ m: n, n }), pdpotrf: (n) => ({ n }),
    pdgetrf: (n) => ({ m: n, n }), pdgeqrf: (n) => ({ m: n, n }), hpl: (n) => ({ n }),
};
export const routines = Object.keys(SIZES);

/** The options of a routine that are tried beside the grid and the block size, at the largest order. */
const OPTIONS = {
    hpl: [{}, { broadcast: "1ring" }, { broadcast: "2ringM" }, { broadcast: "long" }, { lookahead_depth: 0 },
        { swap: "binary_exchange" }],
};

export function runsOf({ processes, isShort }) {
    const runs = [];
    for (const p of processes)
        for (const routine of routines)
            for (const n of isShort ? [1024] : ORDERS[p])
                for (const block of isShort ? [64] : BLOCKS[p])
                    for (const [rows, columns] of isShort ? GRIDS[p].slice(0, 2) : GRIDS[p])
                        for (const option of (n === ORDERS[p].at(-1) && !isShort && OPTIONS[routine]) || [{}])
                            runs.push({ routine, p, n, block, rows, columns, option });
    return runs;
}

const USED = { // options that are parameters of the model
    pdgemm: ["mapping"], pdtrsm: ["mapping", "side", "uplo"], pdpotrf: ["mapping", "uplo"], pdgetrf: ["mapping"],
    pdgeqrf: ["mapping"], hpl: ["mapping", "broadcast", "lookahead_depth", "swap"],
};

/** The parameters of the question. */
export function parametersOf({ routine, n, block, rows, columns, option }) {
    const all = { ...DEFAULTS, ...option };
    return {
        ...SIZES[routine](n), block_size: block, process_rows: rows, process_columns: columns,
        ...Object.fromEntries(USED[routine].map((name) => [name, all[name]])),
    };
}

/** The line of the batch. */
export function lineOf({ routine, n, block, rows, columns, option }) {
    const { mapping, side, uplo, broadcast, lookahead_depth: depth, swap } = { ...DEFAULTS, ...option };
    return [routine, n, n, n, block, rows, columns, mapping, side, uplo, broadcast, depth, swap, 64, 4, 2].join(" ");
}
