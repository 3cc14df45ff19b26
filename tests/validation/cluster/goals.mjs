// The goals of the refined model over all simulated clusters.
import { percent, print } from "../blocked/tables.mjs";
import { algorithmOf, choices, errors, groups } from "./judge.mjs";

const is2d = ({ parameters: { variant } }) => variant.startsWith("2d");
const only = (algorithm) => (run) => algorithmOf(run) === algorithm;

const GOALS = [
    ["cannon: median error", only("cannon"), (runs) => errors(runs).median, 0.02],
    ["cannon: cases beyond 4 points of peak", only("cannon"), (runs) => 1 - errors(runs).within, 0.03],
    ["cannon: best variant wrong", only("cannon"), (runs) => 1 - choices(runs).best, 0.05],
    ["cannon: regret", only("cannon"), (runs) => choices(runs).regret, 0.05],
    ["summa: median error", only("summa"), (runs) => errors(runs).median, 0.02],
    ["summa: cases beyond 4 points of peak", only("summa"), (runs) => 1 - errors(runs).within, 0.03],
    ["summa: best variant wrong", only("summa"), (runs) => 1 - choices(runs).best, 0.05],
    ["summa: regret", only("summa"), (runs) => choices(runs).regret, 0.05],
    ["trsm 2d: median error", (run) => only("trsm")(run) && run.parameters.variant === "2d", (runs) => errors(runs).median, 0.03],
    ["trsm 2d: worst error", (run) => only("trsm")(run) && run.parameters.variant === "2d", (runs) => errors(runs).worst, 0.12],
    ["cholesky 2d: median error", (run) => only("cholesky")(run) && run.parameters.variant === "2d", (runs) => errors(runs).median, 0.03],
    ["cholesky 2d: worst error", (run) => only("cholesky")(run) && run.parameters.variant === "2d", (runs) => errors(runs).worst, 0.12],
];

const median = (runs) => errors(runs).median, regret = (runs) => choices(runs).regret;

/** On each cluster that was calibrated as a whole. */
const GOALS_OF_WHOLE = Object.entries({ cannon: 0.01, summa: 0.01, trsm: 0.02, cholesky: 0.02 }).flatMap(([name, most]) => [
    [`${name}: median error`, only(name), median, most],
    [`${name}: regret`, only(name), regret, 0.03],
]);

function printThose(title, goals, runs) {
    const rows = goals.map(([name, fits, figure, most]) => ({ name, value: figure(runs.filter(fits)), most }));
    print(title, ["", "reached", "at most", ""],
        rows.map(({ name, value, most }) => [name, percent(value), percent(most), value <= most ? "met" : "MISSED"]));
    return rows.every(({ value, most }) => value <= most);
}

/** Prints the goals; returns whether all are met. */
export const printGoals = ({ refined }) => printThose("goals of the refined model", GOALS, refined);

/** The same on each cluster. */
export const printGoalsOfWhole = ({ refined }) => groups(refined, ({ cluster }) => cluster)
    .map(([cluster, runs]) => printThose(`${cluster}: goals of the refined model`, GOALS_OF_WHOLE, runs))
    .every(Boolean);
