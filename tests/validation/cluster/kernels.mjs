// The modeled core.  On a simulated cluster kernels are not executed; their time is charged.
//
// A kernel of order n takes F n^3 / (e(n) peak), e(n) = top n / (n + half).  The programs and the
// calibration document use the same numbers, so that only communication can differ.
export const PEAK = 2e10;

const KERNELS = {
    dgemm: { flops: 2, top: 0.92, half: 40 },
    dtrsm: { flops: 1, top: 0.86, half: 90 },
    dsyrk: { flops: 1, top: 0.89, half: 60 },
    dpotrf: { flops: 1 / 3, top: 0.78, half: 150 },
};
export const kernelNames = Object.keys(KERNELS);

const efficiency = ({ top, half }, n) => top * n / (n + half);

export const kernelSeconds = (name, n) =>
    KERNELS[name].flops * n ** 3 / (efficiency(KERNELS[name], n) * PEAK);

/** The document of the calibrator with the node and kernels of the modeled core, one row for each order. */
export function withKernels(document, { coresPerNode, about }, orders) {
    const sources = { ...document.sources, "/node": "assumed: the modelled core of the simulated cluster" };
    const kernels = {};
    for (const [name, kernel] of Object.entries(KERNELS)) {
        kernels[name] = { square: orders.map((n) => ({ threads: 1, n, efficiency_fraction: efficiency(kernel, n) })) };
        sources[`/kernels/${name}`] =
            `assumed: modelled, ${kernel.top} n / (n + ${kernel.half}) of the peak; the programs are charged the same`;
    }
    for (const pointer of Object.keys(sources))
        if (pointer.startsWith("/node/") || (pointer.startsWith("/kernels/") && !(pointer.slice(9) in KERNELS)))
            delete sources[pointer];
    return {
        ...document, description: about, kernels, sources,
        node: { cores_per_node: coresPerNode, peak_flops_per_s: coresPerNode * PEAK },
    };
}
