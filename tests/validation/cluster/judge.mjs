// Accuracy figures of an algorithm from the list of runs in /accuracy.
import { PEAK } from "./kernels.mjs";

export const quantile = (values, share) => {
    const sorted = [...values].sort((a, b) => a - b), at = share * (sorted.length - 1);
    const low = Math.floor(at), high = Math.ceil(at);
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
};

const FLOPS = { matmul: 2, trsm: 1, cholesky: 1 / 3 };

const percentOfPeak = ({ model, parameters }, seconds) =>
    100 * FLOPS[model] * parameters.n ** 3 / (seconds * parameters.processes * PEAK);

export const algorithmOf = ({ model, parameters }) => parameters.algorithm ?? model;

/** Groups runs by a key, in the order of first occurrence: [[key, runs], …]. */
export function groups(runs, key) {
    const found = new Map();
    for (const run of runs) {
        if (!found.has(key(run))) found.set(key(run), []);
        found.get(key(run)).push(run);
    }
    return [...found];
}

export function errors(runs) {
    const time = runs.map(({ error_fraction: error }) => Math.abs(error));
    const points = runs.map((run) => Math.abs(percentOfPeak(run, run.predicted) - percentOfPeak(run, run.measured)));
    return {
        cases: runs.length,
        median: quantile(time, 0.5), p90: quantile(time, 0.9), worst: Math.max(...time),
        bias: runs.reduce((sum, { error_fraction: error }) => sum + error, 0) / runs.length,
        points: Math.max(...points), within: points.filter((point) => point <= 4).length / points.length,
    };
}

const least = (runs, value) => runs.reduce((best, run) => (value(run) < value(best) ? run : best));

/** How well the predicted best choice performs, over problems {cluster, n, processes}. */
export function choices(runs) {
    let pairs = 0, right = 0, best = 0, problems = 0;
    const regrets = [];
    for (const [, all] of groups(runs, ({ cluster, parameters: { n, processes } }) => `${cluster} ${n} ${processes}`)) {
        for (let i = 0; i < all.length; i++)
            for (let j = 0; j < i; j++) {
                const order = (all[i].measured - all[j].measured) * (all[i].predicted - all[j].predicted);
                pairs++;
                right += order > 0 ? 1 : order === 0 ? 0.5 : 0;
            }
        const chosen = least(all, ({ predicted }) => predicted), truth = least(all, ({ measured }) => measured);
        problems++;
        best += chosen.parameters.variant === truth.parameters.variant;
        regrets.push(chosen.measured / truth.measured - 1);
    }
    return { problems, pairs: right / pairs, best: best / problems, regret: Math.max(...regrets) };
}
