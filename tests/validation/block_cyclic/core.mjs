// The modelled core of the programs: polynomial times of kernels, and a memory of two bandwidths.
// The programs (charged.c) and the calibration document use the same numbers, so that a prediction
// can differ from a run only in what the programs do between the kernels.
export const PEAK = 2e10;

// Coefficients of products of the sizes; a key names the exponents.
const KERNELS = {
    dgemm: { parameters: ["m", "n", "k"], flags: { transA: "N", transB: "N" }, degrees: [1, 1, 1],
        terms: { "0 0 0": 1.5e-7, "1 1 1": 1.09e-10, "1 1 0": 6e-10, "1 0 1": 2.5e-10, "0 1 1": 2.5e-10 } },
    dtrsm: { parameters: ["m", "n"], flags: { side: "L", uplo: "L", trans: "N", diag: "N" }, degrees: [2, 1],
        terms: { "0 0": 2e-7, "2 1": 6e-11, "1 1": 1.4e-9, "2 0": 2e-10 } },
    dsyrk: { parameters: ["n", "k"], flags: { uplo: "L", trans: "N" }, degrees: [2, 1],
        terms: { "0 0": 2e-7, "2 1": 5.8e-11, "1 1": 4e-10, "2 0": 4e-10 } },
};
const MEMORY = { cached_bytes: 262144, bandwidths: [2.2e10, 9e9], call_s: 6e-8, line_bytes: 64 };
const LARGEST = 16384;

const exponents = (degrees) => degrees.reduce((all, degree) =>
    all.flatMap((some) => Array.from({ length: degree + 1 }, (_, e) => [...some, e])), [[]]);

const binomial = (n, k) => (k ? binomial(n - 1, k - 1) * n / k : 1);

/** The polynomial in local coordinates, x = 1 + (LARGEST - 1) t in each size. */
function localCoefficients({ degrees, terms }) {
    return exponents(degrees).map((basis) => {
        let sum = 0;
        for (const [key, factor] of Object.entries(terms)) {
            const powers = key.split(" ").map(Number);
            sum += powers.reduce((product, power, d) =>
                product * (basis[d] > power ? 0 : binomial(power, basis[d]) * (LARGEST - 1) ** basis[d]), factor);
        }
        return sum;
    });
}

function routineModel(routine) {
    const kernel = KERNELS[routine], sizes = kernel.parameters.length;
    const box = { min: Array(sizes).fill(1), max: Array(sizes).fill(LARGEST) };
    const values = localCoefficients(kernel), zero = values.map(() => 0);
    return {
        kind: "routine_model", routine, flags: kernel.flags, parameters: kernel.parameters, unit: "s", locality: "in_cache",
        threads: 1, range: [box], basis: exponents(kernel.degrees),
        regions: [{ ...box, error: 0, coef: { min: values, med: values, avg: values, max: values, std: zero } }],
    };
}

/** The first line of a batch of the program. */
export const coreLine = [
    ...["0 0 0", "1 1 1", "1 1 0", "1 0 1", "0 1 1"].map((key) => KERNELS.dgemm.terms[key]),
    ...["0 0", "2 1", "1 1", "2 0"].map((key) => KERNELS.dtrsm.terms[key]),
    ...["0 0", "2 1", "1 1", "2 0"].map((key) => KERNELS.dsyrk.terms[key]),
    MEMORY.cached_bytes, ...MEMORY.bandwidths, MEMORY.call_s, MEMORY.line_bytes,
].join(" ");

/** The document of the calibrator with the modelled core. */
export function withCore(document, { coresPerNode, about }) {
    const sources = Object.fromEntries(Object.entries(document.sources)
        .filter(([pointer]) => pointer.startsWith("/network") || pointer.startsWith("/contention")));
    const said = "assumed: the modelled core of the simulated cluster; the programs are charged the same";
    return {
        ...document, description: about,
        sources: { ...sources, "/node": said, "/kernels": said, "/memory": said },
        node: { cores_per_node: coresPerNode, peak_flops_per_s: coresPerNode * PEAK },
        kernels: { routine_models: Object.keys(KERNELS).map(routineModel) },
        memory: {
            core_bandwidth_bytes_per_s: MEMORY.bandwidths[1], call_s: MEMORY.call_s, line_bytes: MEMORY.line_bytes,
            streams: [{ max_operand_bytes: MEMORY.cached_bytes, bandwidth_bytes_per_s: MEMORY.bandwidths[0] },
                { max_operand_bytes: null, bandwidth_bytes_per_s: MEMORY.bandwidths[1] }],
        },
    };
}
