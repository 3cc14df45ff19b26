// The simulated clusters, and the runs on each of them.
//
// p processes form c layers; `orders` are the orders of the local block of a process on one layer, so
// that all layer counts of a p have the same n.

import { inOrder, shuffled } from "./hosts.mjs";

export const clusters = [
    {
        name: "torus", about: "6x6x4 torus of one core each, ranks scattered", coresPerNode: 1,
        hosts: shuffled(inOrder("t", 144)),
        jobs: [
            { p: 16, layers: [1], orders: [128, 256, 512, 1024] },
            { p: 32, layers: [2], orders: [128, 512] },
            { p: 64, layers: [1, 4], orders: [128, 256, 512] },
            { p: 144, layers: [1, 4], orders: [128, 256, 512] },
        ],
    },
    {
        name: "fattree", about: "64 hosts of two cores, 2:1 oversubscribed fat tree", coresPerNode: 2,
        hosts: inOrder("f", 64, 2),
        jobs: [
            { p: 16, layers: [1], orders: [128, 256, 512, 1024] },
            { p: 64, layers: [1, 4], orders: [128, 256, 512] },
            { p: 100, layers: [1, 4], orders: [128, 256, 512] },
            { p: 128, layers: [2], orders: [128, 512] },
        ],
    },
    {
        name: "dragonfly", about: "dragonfly of 4 groups, 144 hosts of one core", coresPerNode: 1,
        hosts: inOrder("d", 144),
        jobs: [
            { p: 16, layers: [1], orders: [128, 256, 512, 1024] },
            { p: 32, layers: [2], orders: [128, 512] },
            { p: 64, layers: [1, 4], orders: [128, 256, 512] },
            { p: 144, layers: [1, 4], orders: [128, 256, 512] },
        ],
    },
];

/** A small selection, for tests that run often. */
export const short = [{ ...clusters[0], jobs: [{ p: 16, layers: [1], orders: [128, 512] }, { p: 32, layers: [2], orders: [128] }] }];

/** Clusters of 256 ranks. Their blocks have 8 KiB and more, on both sides of the eager limit. */
const wholeJobs = [{ p: 256, layers: [1, 4], orders: [32, 128, 512] }];
export const whole = [
    { name: "torus-256", about: "8x8x4 torus of one core each, ranks scattered", coresPerNode: 1,
        hosts: shuffled(inOrder("t", 256)), jobs: wholeJobs },
    { name: "fattree-256", about: "64 hosts of four cores, 2:1 oversubscribed fat tree", coresPerNode: 4,
        hosts: inOrder("f", 64, 4), jobs: wholeJobs },
    { name: "dragonfly-256", about: "dragonfly of 4 groups, 256 hosts of one core", coresPerNode: 1,
        hosts: inOrder("d", 256), jobs: wholeJobs },
];

const ALGORITHMS = [
    { algorithm: "cannon", blocks: [1] },
    { algorithm: "summa", blocks: [1, 2] },
    { algorithm: "trsm", blocks: [1, 2, 4] },
    { algorithm: "cholesky", blocks: [1, 2, 4] },
];

const LEAST_BLOCK = 128;

/** All runs of a job: {algorithm, variant, n, p, c, r, blockSize}. */
export function runsOf({ p, layers, orders }) {
    const runs = [];
    for (const order of orders) {
        const n = Math.round(Math.sqrt(p / layers[0])) * order;
        for (const c of layers) {
            const q = Math.round(Math.sqrt(p / c));
            for (const { algorithm, blocks } of ALGORITHMS)
                for (const r of blocks) {
                    const blockSize = n / (q * r);
                    if (!Number.isInteger(blockSize) || blockSize < Math.min(LEAST_BLOCK, orders[0]) || blockSize % c) continue;
                    for (const variant of c > 1 ? ["25d", "25d_ovlp"] : ["2d", "2d_ovlp"])
                        runs.push({ algorithm, variant, n, p, c, r, blockSize });
                }
        }
    }
    return runs;
}
