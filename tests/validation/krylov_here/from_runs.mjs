// Predictions that rest on saved runs: of the measured solves some are stored, with PETSc's own logs, and the others predicted.
import { readFileSync } from "node:fs";

const { expect, median, percent, print } = await import("../blocked/tables.mjs");

const ROUNDS = 4;
const STORED = [5, 12, 30, 100]; // of all solves, in each round

/** A fixed shuffle for each round. */
function shuffled(list, round) {
    const order = [...list];
    for (let i = order.length - 1, state = 7919 * (round + 1); i > 0; i--) {
        state = (state * 48271) % 2147483647;
        const j = state % (i + 1);
        [order[i], order[j]] = [order[j], order[i]];
    }
    return order;
}

const queryOf = ({ question, solver, preconditioner, processes }, more) => `${new URLSearchParams({
    nodes: 1, processes_per_node: processes, solver, preconditioner, ...question, ...more })}`;

/** A prediction; more: the machine and the iterations. */
export async function predict(api, run, more) {
    const query = queryOf(run, more);
    return expect(await api.get(`/api/v1/predict/solve?${query}`), query, 200).json;
}

async function store(api, token, machine, run, iterations) {
    const query = queryOf(run, { format: "petsc", stage: run.solver, iterations });
    const headers = { "content-type": "text/plain" };
    expect(await api.send(`/api/v1/machines/${machine}/runs?${query}`, { method: "POST", body: readFileSync(run.log, "utf8"), token, headers }),
        `${run.label} ${query}`, 200, 201);
}

/** Stores the first `stored` of a round on a machine of its own, and predicts the others. */
async function attempt(api, token, document, runs, { round, stored, iterations }) {
    const machine = `here-${stored}-${round}`, order = shuffled(runs, round), answers = [];
    expect(await api.post(`/api/v1/machines/${machine}/calibrations`, { ...document, machine }, { token }), machine, 200, 201);
    for (const run of order.slice(0, stored)) await store(api, token, machine, run, iterations);
    for (const run of order.slice(stored)) {
        const { time_s, interval } = await predict(api, run, { machine, iterations });
        answers.push({
            error: Math.abs(time_s / run.measured - 1),
            isCovered: interval ? interval.low_s <= run.measured && run.measured <= interval.high_s : null,
            coverage: interval?.coverage_fraction,
        });
    }
    return answers;
}

/** Errors and the coverage of intervals, by the number of stored runs. */
export async function reportFromRuns(api, token, document, runs, iterations) {
    const rows = [];
    for (const stored of STORED.filter((count) => 2 * count < runs.length)) {
        const answers = [];
        for (let round = 0; round < ROUNDS; round++)
            answers.push(...await attempt(api, token, document, runs, { round, stored, iterations }));
        const known = answers.filter(({ isCovered }) => isCovered !== null);
        rows.push([stored, answers.length, percent(median(answers.map(({ error }) => error))), known.length,
            known.length ? percent(median(known.map(({ coverage }) => coverage))) : "",
            known.length ? percent(known.filter(({ isCovered }) => isCovered).length / known.length) : ""]);
    }
    print("from stored runs", ["stored", "predicted", "median error", "with an interval", "stated", "covered"], rows);
}
