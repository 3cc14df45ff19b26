/* Completes a question with example values, and requests its answer. */
import { follow, get, wait } from "./api.js";
import { bestBefore } from "./effect.js";
import { alternatives, asText, choiceOf, isChanged, lettersOf, openTunables, predictQuery, rankQuery, tunables } from "./query.js";
import { rankLimit } from "./ranking.js";

/* The question of a first visit. */
export const EXAMPLE = { model: "matmul", m: "16384", n: "16384", k: "16384", size: "64", processes_per_node: "8", message_bytes: "1024", iterations: "100" };

/* What a question may be about in place of a required parameter; the first is the example. */
const PROBLEMS = ["global_grid", "local_grid", "matrix"];
const isExample = (p) => p.required || p.name === "message_bytes" || (p.name === PROBLEMS[0] && p.automatic);

/* Blocked algorithms run on one node, and kernels are measured for sizes up to about 1000. */
const BLOCKED = { m: "1000", n: "1000", variant: "1", block_size: "96" };

/* The inverse of a triangular matrix of two by two blocks of order n, in two variants. */
const TEXTS = {
    calls: { n: 128, calls: "trinv1_unb n\ndtrmm RLNN n n\ndtrsm LLNN n n -1\ntrinv1_unb n\n|\ndtrsm RLNN n n -1\ndtrsm LLNN n n\ntrinv1_unb n\ntrinv1_unb n" },
};

/** An example of this text parameter. */
export const exampleText = (name) => TEXTS[name]?.[name];

/** A valid question of the model: its required parameters. */
export function exampleOf(of) {
    const values = {};
    for (const [size] of alternatives(of)) values[size.name] = Number(EXAMPLE.size);
    for (const p of of.parameters) {
        if (p.one_of || !isExample(p)) continue;
        if (p.type === "vector") values[p.name] = p.name === PROBLEMS[0] ? [64, 64, 64] : [16, 16, 16];
        else if (p.type === "text") Object.assign(values, TEXTS[p.name]);
        else values[p.name] = p.choices ? p.choices[0] : Number((of.family === "blocked" ? BLOCKED : EXAMPLE)[p.name] ?? p.minimum ?? 1);
    }
    return values;
}

/** Fits the values to the model: keeps known parameters and adds missing required ones. */
export function fit(model, values) {
    const given = (p) => values[p.name] !== undefined;
    const usual = exampleOf(model);
    /* The size parameters belong to the text that refers to them, so they come with the example. */
    const text = model.parameters.find((p) => p.type === "text");
    if (PROBLEMS.some((name) => values[name] !== undefined)) delete usual[PROBLEMS[0]];
    if (text) for (const p of lettersOf(model)) delete (given(text) ? usual : values)[p.name];
    for (const p of model.parameters) {
        const isMissing = p.one_of ? !model.parameters.some((q) => q.one_of === p.one_of && given(q)) : !given(p) && !p.tunable && values[p.unless] === undefined;
        if (isMissing && usual[p.name] !== undefined) values[p.name] = asText(usual[p.name]);
    }
}

/** Removes the values that do not suit this model, after another model was selected. */
export function drop(model, values, before) {
    const known = new Set(model.parameters.map((p) => p.name));
    const isOtherScale = (model.family === "blocked") !== (before.family === "blocked");
    for (const name of Object.keys(values)) if (!known.has(name) || (isOtherScale && name in BLOCKED)) delete values[name];
    /* Tunables were chosen for the other operation. */
    for (const p of tunables(model)) delete values[p.name];
}

/** Ranks the open tunables, and predicts the best configuration.  progressed(progress): see follow. */
export async function solve(model, asked, signal, progressed) {
    const rank = tunables(model).length ? follow(`rank/${model.name}`, rankQuery(asked, rankLimit), signal, progressed) : Promise.resolve(null);
    const isOpen = openTunables(model, asked).length > 0;
    if (isOpen) {
        const ranking = await rank;
        const query = predictQuery(asked, choiceOf(model, ranking.rows[0]));
        const [prediction, before] = await Promise.all([get(`predict/${model.name}`, query, signal), isChanged(asked) ? bestBefore(model, asked, signal) : undefined]);
        return { ranking, query, prediction, before, wasChosen: true };
    }
    /* With every tunable given, there is a prediction even if the ranking is refused (memory). */
    const query = predictQuery(asked);
    const [prediction, ranking] = await Promise.allSettled([get(`predict/${model.name}`, query, signal), rank]);
    if (prediction.status === "rejected") throw prediction.reason;
    return { query, prediction: prediction.value, ranking: ranking.value ?? null, refused: ranking.reason, wasChosen: false };
}

/** Has the daemon make the block structures that the question lacks, and waits for them. */
export function addStructures(model, asked, signal) {
    const isOpen = openTunables(model, asked).length > 0;
    const [path, query] = isOpen ? ["rank", rankQuery(asked, rankLimit)] : ["predict", predictQuery(asked)];
    return wait(`${path}/${model.name}`, { ...query, analyze: "wait" }, signal);
}
