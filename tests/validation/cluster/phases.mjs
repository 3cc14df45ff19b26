// Compares measured and predicted times of the phases of an algorithm.
import { expect, percent, print } from "../blocked/tables.mjs";
import { algorithmOf, groups } from "./judge.mjs";

const AT_ONCE = 500;

async function predicted(api, runs) {
    const results = [];
    for (let from = 0; from < runs.length; from += AT_ONCE) {
        const requests = runs.slice(from, from + AT_ONCE).map(({ model, machine, parameters }) => ({ model, machine, parameters }));
        results.push(...expect(await api.post("/api/v1/predict", { requests }), "predictions", 200).json.results);
    }
    return results;
}

async function measured(api, runs) {
    const documents = [];
    for (const { url } of runs) documents.push(expect(await api.get(url), "a run", 200).json);
    return documents;
}

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** The share of each phase in the measured time, predicted and measured (mean over ranks), mean over runs. */
export async function printPhases(api, runs) {
    const guesses = await predicted(api, runs), truths = await measured(api, runs);
    const all = runs.map((run, i) => {
        const of = (list) => Object.fromEntries((list ?? []).map(({ phase, time_s: time }) => [phase, time / run.measured]));
        return { ...run, guess: of(guesses[i].breakdown), truth: of((truths[i].run ?? truths[i]).breakdown) };
    });
    for (const [algorithm, some] of groups(all, algorithmOf))
        for (const [variant, these] of groups(some, ({ parameters }) => parameters.variant)) {
            const phases = [...new Set(these.flatMap(({ guess, truth }) => [...Object.keys(guess), ...Object.keys(truth)]))];
            print(`refined, ${algorithm} ${variant}: share of the measured time`, ["phase", "measured", "predicted"],
                phases.map((phase) => [phase, percent(mean(these.map(({ truth }) => truth[phase] ?? 0))),
                    percent(mean(these.map(({ guess }) => guess[phase] ?? 0)))]));
        }
}
