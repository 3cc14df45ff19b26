// The report of krylov.mjs: errors of the predicted times, and whether gains were predicted.
//
// A run is {kind, place, limit, run, predicted}: the saved run, and the prediction of each contention
// model. Its kind is plain, library (with the algorithm that MPI chooses), between (on a number of
// ranks that was not calibrated), between, library (the same, predicted with the rounds of libraries), behind (non-blocking,
// overlapped with work), mapping or limit.
import { percent, print } from "../blocked/tables.mjs";
import { groups, quantile } from "./judge.mjs";

export const MODELS = ["paper", "refined"];
const GOALS = { allreduce: 0.10, halo_exchange: 0.25 }; // medians, of the refined model
const NOTHING = 0.005;                                  // smaller gains count as zero

const median = (values) => quantile(values, 0.5);
const errorOf = (one, model) => one.predicted[model] / one.run.time_s - 1;
const isOf = (kind, model) => (one) => one.kind === kind && one.run.model === model;

const protocolOf = ({ run }, { network: { protocols } }) =>
    protocols.find(({ max_message_bytes: most }) => most === null || run.parameters.message_bytes <= most).name;

function errorRow(title, model, runs) {
    const errors = runs.map((one) => errorOf(one, model)), sizes = errors.map(Math.abs);
    return [title, model, runs.length, percent(median(sizes)), percent(quantile(sizes, 0.9)), percent(Math.max(...sizes)),
        percent(errors.reduce((a, b) => a + b, 0) / errors.length)];
}

/** Prints the errors on one cluster. */
export function printErrors(title, runs, document) {
    const sets = ["allreduce", "halo_exchange"].flatMap((name) => {
        const own = runs.filter(isOf("plain", name));
        return [...groups(own, (one) => protocolOf(one, document)).map(([protocol, some]) => [`${name}, ${protocol}`, some]),
            [name, own], [`${name}, overlapped`, runs.filter(isOf("behind", name))]];
    });
    sets.push(["allreduce, chosen by the library", runs.filter(isOf("library", "allreduce"))],
        ["allreduce, other counts", runs.filter(isOf("between", "allreduce"))],
        ["allreduce, other counts, rounds=library", runs.filter(isOf("between, library", "allreduce"))],
        ["cg", runs.filter(isOf("mapping", "cg"))], ["cg, asked of solve", runs.filter(isOf("mapping", "solve"))]);
    print(`${title}; error of time`, ["", "contention", "runs", "median", "90 %", "worst", "bias"],
        sets.flatMap(([name, some]) => MODELS.map((model) => errorRow(name, model, some))));
}

const without = ({ mapping, eager_limit_bytes: limit, ...rest }) => JSON.stringify(rest);

/** The runs of a kind, each paired with the run with the default choice and otherwise equal parameters. */
function pairs(runs, kind, isDefault) {
    const own = runs.filter((one) => one.kind === kind), defaults = own.filter(isDefault);
    return own.filter((one) => !isDefault(one)).map((one) => [one, defaults.find((base) => base.place === one.place &&
        base.run.model === one.run.model && without(base.run.parameters) === without(one.run.parameters))]);
}

const gain = ([after, before], time) => 1 - time(after) / time(before);
const sign = (value) => (Math.abs(value) < NOTHING ? 0 : Math.sign(value));

function printPairs(title, found, label) {
    const right = Object.fromEntries(MODELS.map((model) => [model, 0]));
    const lines = groups(found, ([one]) => label(one)).map(([name, some]) => {
        const measured = some.map((pair) => gain(pair, ({ run }) => run.time_s));
        return [name, some.length, percent(median(measured)), ...MODELS.flatMap((model) => {
            const predicted = some.map((pair) => gain(pair, (one) => one.predicted[model]));
            const same = predicted.filter((value, i) => sign(value) === sign(measured[i])).length;
            right[model] += same;
            return [percent(median(predicted)), same];
        })];
    });
    print(`${title}: median gains in time; number of cases with the right sign`,
        ["", "cases", "measured", ...MODELS.flatMap((model) => [model, "sign"])],
        [...lines, ["all", found.length, "", ...MODELS.flatMap((model) => ["", right[model]])]]);
}

/** Prints gains of mappings and eager limits; `limit` is the default eager limit. */
export function printGains(runs, limit) {
    printPairs("mapping, relative to default", pairs(runs, "mapping", ({ run }) => run.parameters.mapping === "default"),
        ({ place, run: { model, parameters: { mapping, local_grid: local } } }) => `${place}, ${model} ${local.join("x")}, ${mapping}`);
    const between = ([one]) => one.run.parameters.message_bytes >= Math.min(one.limit, limit) &&
        one.run.parameters.message_bytes < Math.max(one.limit, limit);
    printPairs(`eager limit, relative to ${limit}`, pairs(runs, "limit", (one) => one.limit === limit).filter(between),
        ({ place, limit: moved, run: { model } }) => `${place}, ${model}, ${moved}`);
}

/** Prints the goals over all clusters; returns whether they are met. */
export function printGoals(runs) {
    const lines = Object.entries(GOALS).map(([name, goal]) => {
        const error = Object.fromEntries(MODELS.map((model) =>
            [model, median(runs.filter(isOf("plain", name)).map((one) => Math.abs(errorOf(one, model))))]));
        return { isMet: error.refined <= goal, cells: [name, ...MODELS.map((model) => percent(error[model])), percent(goal)] };
    });
    print("goals: median error of time on all clusters, from the calibrator's measurements alone", ["", ...MODELS, "goal", ""],
        lines.map(({ cells, isMet }) => [...cells, isMet ? "met" : "MISSED"]));
    return lines.every(({ isMet }) => isMet);
}
