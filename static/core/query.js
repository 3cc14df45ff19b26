/* Queries of the API from the state of the page. */

export const tunables = (model) => model.parameters.filter((p) => p.tunable);
export const openTunables = (model, state) => tunables(model).filter((p) => !state.values[p.name]);

/** ScaLAPACK and HPL. */
export const isCyclic = (model) => model.family === "block_cyclic";

/** Groups of parameters of which exactly one is given: [["processes", "cores", "nodes"]]. */
export function alternatives(model) {
    const groups = new Map();
    for (const p of model.parameters) {
        if (!p.one_of) continue;
        if (!groups.has(p.one_of)) groups.set(p.one_of, []);
        groups.get(p.one_of).push(p);
    }
    const isFirst = (p) => Number(p.name === p.one_of);
    return [...groups.values()].map((group) => group.sort((a, b) => isFirst(b) - isFirst(a)));
}

/** Size parameters that a text parameter, such as a list of calls, may refer to by a letter. */
export const lettersOf = (model) =>
    (model.parameters.some((p) => p.type === "text") ? model.parameters.filter((p) => p.automatic && p.name.length === 1) : []);

/** A value from an answer, in the form of a query. */
export function asText(value) {
    if (Array.isArray(value) && !value.length) return "none"; /* an empty set */
    return Array.isArray(value) ? value.join(value.every((x) => typeof x === "number") ? "x" : ":") : String(value);
}

/** A member of an answer; `step.time_s` is the member `time_s` of its object `step`. */
export const outputOf = (answer, name) => name.split(".").reduce((at, key) => at?.[key], answer);

/** The name of that member in a row of a sweep, which has no nested objects. */
export const flat = (name) => name.replaceAll(".", "_");

/* Longest text parameter in an address, which may have 8 KiB in all. */
const ADDRESS_BYTES = 7000;

function textFault(model, { name }, text) {
    const most = model.schema?.properties?.[name]?.maxLength;
    if (text.length > most) return { code: "out_of_range", message: `has ${text.length} characters; at most ${most} are allowed` };
    const bytes = new URLSearchParams({ [name]: text }).toString().length;
    if (bytes <= ADDRESS_BYTES) return null;
    return { code: "out_of_range", message: `takes ${bytes} bytes in an address; this page can send at most ${ADDRESS_BYTES}; shorten it, or POST the question to api/v1/predict` };
}

/** Faults that can be found without a request, in the form of the daemon. */
export function faultsOf(model, values) {
    const isWhole = (item) => /^\d+(e\d+)?$/.test(item);
    const faults = [];
    for (const p of model.parameters) {
        const text = values[p.name];
        const tooLong = p.type === "text" && text !== undefined && textFault(model, p, text);
        if (tooLong) faults.push({ parameter: p.name, ...tooLong });
        if (p.type !== "vector" || text === undefined) continue;
        const items = text.split("x");
        if (!items.every(isWhole)) {
            faults.push({ parameter: p.name, code: "syntax", message: `'${text}' must be whole numbers separated by x, such as 16x16x16` });
        } else if (items.some((item) => Number(item) < p.minimum || Number(item) > p.maximum)) {
            faults.push({ parameter: p.name, code: "out_of_range", message: `${text}: each extent must lie between ${p.minimum} and ${p.maximum}` });
        }
    }
    return faults;
}

function subject(state) {
    const query = { machine: state.machine };
    if (state.calibration) query.calibration = state.calibration;
    return query;
}

const complete = (state) => state.whatIf.filter((c) => c.path && c.value);
const changes = (state) => Object.fromEntries(complete(state).map((c) => [`what_if.${c.path}`, c.value]));

/** Whether the question is about an imaginary machine. */
export const isChanged = (state) => complete(state).length > 0;

/** The tunables of a row of a ranking. */
export function choiceOf(model, row) {
    return Object.fromEntries(tunables(model).filter((p) => row[p.name] !== undefined && row[p.name] !== null)
        .map((p) => [p.name, asText(row[p.name])]));
}

/** The tunables of choiceOf in a sentence: "block size 64, process rows 16". */
export const spelled = (choice) => Object.entries(choice).map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(", ");

/* Sixteen variants of sylv, each with all block sizes, would be priced call by call at each size. */
const isManifold = (model) => model.family === "blocked" && model.parameters.some((p) => p.name === "variant" && p.maximum > 4);

/** The choices that charts and recommendations over sizes keep, where trying all takes too long. */
export function keptOf(model, row) {
    if (!row) return {};
    if (model.family === "sparse") return row.ordering ? { ordering: row.ordering } : {};
    if (isManifold(model)) return { block_size: row.block_size };
    const { process_rows: rows, ...kept } = isCyclic(model) ? choiceOf(model, row) : {};
    return kept;
}

/** Whether recommendations keep choices of the answer, and so wait for it. */
export const isKept = (model) => isCyclic(model) || model.family === "sparse";

export function predictQuery(state, choice = {}) {
    return { ...subject(state), ...choice, ...state.values, ...changes(state) };
}

export function rankQuery(state, limit) {
    const query = { ...subject(state), ...state.values, ...changes(state) };
    if (state.memory) query.memory = state.memory;
    if (limit) query.limit = String(limit);
    return query;
}

/** The prediction of a row of a recommendation. */
export function rowQuery(state, model, row) {
    const query = predictQuery(state, choiceOf(model, row)), [size] = alternatives(model);
    for (const p of size) delete query[p.name];
    const { name } = ["processes", "nodes"].map((each) => size.find((p) => p.name === each && row[each] !== undefined)).find(Boolean) ?? size[0];
    return { ...query, [name]: String(row[name]) };
}

export function recommendQuery(state, model, limit, kept = {}) {
    const query = { ...kept, ...rankQuery(state, limit) };
    for (const p of alternatives(model).flat()) delete query[p.name];
    return { ...query, prefer_calibrated: "true", ...state.goal };
}
