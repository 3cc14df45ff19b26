/* Completes a question with example values, and requests its answer. */
import { follow, get, wait } from "../core/api.js";
import { asText, choiceOf, isChanged, lettersOf, openTunables, predictQuery, rankQuery, tunables } from "../core/query.js";
import { bestBefore } from "../answer/effect.js";
import { rankLimit } from "../answer/ranking.js";
import { BLOCKED, exampleOf, PROBLEMS } from "./example.js";

/** Fits the values to the model: keeps known parameters and adds missing required ones, which are returned, for a machine of this size. */
export function fit(model, values, machine) {
    const given = (p) => values[p.name] !== undefined;
    const usual = exampleOf(model, machine), added = [];
    /* The size parameters belong to the text that refers to them, so they come with the example. */
    const text = model.parameters.find((p) => p.type === "text");
    if (PROBLEMS.some((name) => values[name] !== undefined)) delete usual[PROBLEMS[0]];
    if (text) for (const p of lettersOf(model)) delete (given(text) ? usual : values)[p.name];
    for (const p of model.parameters) {
        const isMissing = p.one_of ? !model.parameters.some((q) => q.one_of === p.one_of && given(q)) : !given(p) && !p.tunable && values[p.unless] === undefined;
        if (!isMissing || usual[p.name] === undefined) continue;
        values[p.name] = asText(usual[p.name]);
        added.push(p.name);
    }
    return added;
}

/* The same number of processes, where one of the models counts them and the other has nodes with processes on each. */
function keepProcesses(known, values, cores = 1) {
    const { processes, nodes, processes_per_node: each } = values;
    if (processes > 0 && !known.has("processes") && known.has("processes_per_node")) {
        let most = Math.min(Number(processes), cores);
        while (processes % most) most--;
        Object.assign(values, { nodes: String(processes / most), processes_per_node: String(most) });
    } else if (nodes > 0 && each > 0 && known.has("processes") && !known.has("processes_per_node")) {
        values.processes = String(nodes * each);
        delete values.nodes;
    }
}

/** Removes the values that do not suit this model, after another model was selected on this machine. */
export function drop(model, values, before, machine) {
    const known = new Set(model.parameters.map((p) => p.name));
    keepProcesses(known, values, machine?.cores_per_node);
    const isOtherScale = (model.family === "blocked") !== (before.family === "blocked");
    for (const name of Object.keys(values)) if (!known.has(name) || (isOtherScale && name in BLOCKED)) delete values[name];
    /* Tunables were chosen for the other operation. */
    for (const p of tunables(model)) delete values[p.name];
}

/* With the time limit of a job, beside which an assumed margin is said: it is no warning of its own. */
async function predict(model, query, signal) {
    const { warnings, ...prediction } = await get(`predict/${model.name}`, { ...query, quantile: "0.95" }, signal);
    return { ...prediction, warnings: warnings.filter(({ code }) => code !== "margin_assumed") };
}

/** Ranks the open tunables, and predicts the best configuration.  progressed(progress): see follow. */
export async function solve(model, asked, signal, progressed) {
    const rank = tunables(model).length ? follow(`rank/${model.name}`, rankQuery(asked, rankLimit), signal, progressed) : Promise.resolve(null);
    const isOpen = openTunables(model, asked).length > 0;
    if (isOpen) {
        const ranking = await rank;
        const query = predictQuery(asked, choiceOf(model, ranking.rows[0]));
        const [prediction, before] = await Promise.all([predict(model, query, signal), isChanged(asked) ? bestBefore(model, asked, signal) : undefined]);
        return { ranking, query, prediction, before, wasChosen: true };
    }
    /* With every tunable given, there is a prediction even if the ranking is refused (memory). */
    const query = predictQuery(asked);
    const [prediction, ranking] = await Promise.allSettled([predict(model, query, signal), rank]);
    if (prediction.status === "rejected") throw prediction.reason;
    return { query, prediction: prediction.value, ranking: ranking.value ?? null, refused: ranking.reason, wasChosen: false };
}

/** Has the daemon make the block structures that the question lacks, and waits for them. */
export function addStructures(model, asked, signal) {
    const isOpen = openTunables(model, asked).length > 0;
    const [path, query] = isOpen ? ["rank", rankQuery(asked, rankLimit)] : ["predict", predictQuery(asked)];
    return wait(`${path}/${model.name}`, { ...query, analyze: "wait" }, signal);
}
