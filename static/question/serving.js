/* What a machine can answer, found by trial: its calibration may have the groups that a model needs,
 * but not the rows. */
import { detailsOf, get, once, post, Problem } from "../core/api.js";
import { asText, choiceOf, tunables } from "../core/query.js";
import { exampleOf } from "./example.js";

/* Tunables of a trial that have no choices and no default. */
const TUNED = { variant: 1, replication: 1, blocks_per_process: 1 };
const BLOCK_SIZES = { blocked: 96, cnc: 2048 };
const BLOCK_SIZE = 64;

/* Questions that need less of a calibration, tried if the example is refused. */
const LESS = [{ processes_per_node: 1 }, { processes_per_node: 1, penalties: [] }];

const kept = new Map(); /* machine and calibration -> the promise of its answers */

/**
 * The models that the machine answers: Map of name -> { parameters, differs, warnings }, the answered
 * question and its parameters that differ from the example.  A model that only lacks a matrix counts as answered.
 */
export function servedBy(machine, id = machine.calibration) {
    const key = `${machine.name} ${id}`;
    if (!kept.has(key)) {
        kept.set(key, tried(machine, id).catch((error) => {
            kept.delete(key);
            throw error;
        }));
    }
    return kept.get(key);
}

async function tried(machine, id) {
    const known = await Promise.all((machine.models ?? []).map((model) => once(`models/${model}`)));
    const trials = known.flatMap((model) => variantsOf(model).map((differs) => ({ model, differs, parameters: { ...exampleOf(model, machine), ...choices(model, machine), ...differs } })));
    if (!trials.length) return new Map();
    const { results } = await post("predict", { requests: trials.map(({ model, parameters }) => ({ model: model.name, machine: machine.name, calibration: id, parameters })) });
    const answers = trials.map((trial, i) => ({ ...trial, warnings: results[i].warnings ?? [], isAnswered: isAnswered(results[i]) }));
    const ranked = await Promise.all(known.map((model) => !answers.some((each) => each.model === model && each.isAnswered) && bestOf(model, machine, id)));
    return new Map(known.flatMap((model, i) => {
        const found = answers.find((each) => each.model === model && each.isAnswered) ?? (ranked[i] && { parameters: { ...exampleOf(model, machine), ...ranked[i] }, differs: {}, warnings: [] });
        return found ? [[model.name, found]] : [];
    }));
}

/* Other choices than those of the trial may be measured: the best ones, null if there are none. */
async function bestOf(model, machine, id) {
    if (!tunables(model).length) return null;
    const question = Object.fromEntries(Object.entries(exampleOf(model, machine)).map(([key, value]) => [key, asText(value)]));
    try {
        const { rows } = await get(`rank/${model.name}`, { machine: machine.name, calibration: id, ...question, limit: "1" });
        return choiceOf(model, rows[0]);
    } catch (error) {
        if (error instanceof Problem) return null;
        throw error;
    }
}

function variantsOf(model) {
    const isKnown = (differs) => Object.keys(differs).every((name) => model.parameters.some((p) => p.name === name));
    return [{}, ...LESS.filter(isKnown)];
}

/* Of process_rows the square root of the processes, or the next lower divisor. */
function rowsOf({ processes }) {
    let rows = Math.floor(Math.sqrt(processes));
    while (processes % rows) rows--;
    return rows;
}

const choices = (model, machine) => Object.fromEntries(tunables(model).filter((p) => (p.default ?? null) === null && !p.automatic).map((p) => [p.name,
    p.choices ? p.choices[0] : p.name === "block_size" ? BLOCK_SIZES[model.family] ?? BLOCK_SIZE
        : p.name === "process_rows" ? rowsOf(exampleOf(model, machine)) : TUNED[p.name] ?? p.minimum ?? 1]));

const isAnswered = (result) => typeof result.time_s === "number" || (result.errors?.length > 0 && result.errors.every((error) => error.parameter === "matrix"));

/** Calibrated machines that are not shipped, the newest first. */
export const ownOf = (machines) => machines.filter(({ shipped, calibration }) => shipped === false && calibration).sort((a, b) => b.updated_at.localeCompare(a.updated_at));

/** The machine to begin with, its details: it answers the model, and is one's own, or serves many models; or the first machine. */
export async function chooseMachine(machines, model) {
    const details = await Promise.all(machines.map(detailsOf)), own = ownOf(machines).map(({ name }) => name).reverse();
    const serving = details.filter(({ models }) => models?.includes(model))
        .sort((a, b) => own.indexOf(b.name) - own.indexOf(a.name) || b.models.length - a.models.length);
    for (const machine of serving) {
        const found = (await servedBy(machine)).get(model);
        if (found && !found.warnings.some(({ code }) => code === "memory_exceeded")) return machine;
    }
    return serving[0] ?? details[0];
}

/** The model to ask of a machine that does not answer `now`: of the same family if possible; null if it answers none. */
export function chooseModel(served, models, now) {
    const able = models.filter(({ name }) => served.has(name)), family = models.find(({ name }) => name === now)?.family;
    return (able.find((model) => model.family === family) ?? able[0])?.name ?? null;
}
