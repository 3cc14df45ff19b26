/* Changes of a question that remove a fault, from the remedy that the daemon's message names. */
import { asText } from "../core/query.js";
import { plural } from "../core/units.js";
import { exampleOf } from "./example.js";

const NUMBER = "(-?[\\d.]+(?:e[+-]?\\d+)?)";
const USE = [new RegExp(`the (?:nearest|next)(?: \\w+)? is ${NUMBER}$`), new RegExp(`; (?:use|try) ${NUMBER}$`)];
const RANGE = [new RegExp(`is outside ${NUMBER} to ${NUMBER}$`), new RegExp(`must lie between ${NUMBER} and ${NUMBER}$`)];

/* What an unreachable goal can reach, and whether it is rounded up. */
const REACHED = [
    ["deadline_s", new RegExp(`takes ${NUMBER} s:`), Math.ceil],
    ["max_nodes", new RegExp(`it takes ${NUMBER} nodes`), Math.ceil],
    ["min_efficiency_fraction", new RegExp(`reaches ${NUMBER}:`), Math.floor],
    ["min_scaling_fraction", new RegExp(`reaches ${NUMBER}:`), Math.floor],
];

const WHAT_IF = "what_if."; /* before the path of a calibrated value */

/* The most nodes that one question can try. */
const AFFORDED = new RegExp(`; ask with max_nodes=${NUMBER},`);

/* The fewest nodes on which something fits into memory. */
const FITTING = new RegExp(`; give it ${NUMBER} nodes?,`);

/**
 * The remedies of a fault: [{ text, label, values, goal, paths, memory, structures }].  `values`, `goal` and `paths` (of calibrated
 * values that change) map names to new texts, undefined leaves one out; `structures`: the daemon makes the block structures first.
 * machine: its document, or undefined; goal: of the recommendation; served: of servedBy for the model, or undefined.
 */
export function remediesOf({ parameter, code, message }, { model, machine, values, goal, served }) {
    const use = (value, what = "values") => ({ text: `Use ${value}`, label: `Use ${value} for ${parameter.replaceAll("_", " ")}`, [what]: { [parameter]: value } });
    if (parameter?.startsWith(WHAT_IF)) return changed({ path: parameter.slice(WHAT_IF.length), message });
    if (code === "unknown_parameter") return unknown({ parameter, message, values });
    if (code === "calibration_group_missing") return lesser(served);
    if (code === "structure_missing") return [{ text: "Add it and wait", label: "Add this block structure and wait for it", structures: true }];
    if (code === "infeasible" && parameter === "memory") return [...fitting(message, model), { text: "Ignore the memory limit", memory: "ignore" }];
    const [, afforded] = AFFORDED.exec(message) ?? [];
    if (afforded !== undefined) return [use(afforded, "goal")];
    if (code === "infeasible") {
        const [, pattern, round] = REACHED.find(([name]) => name === parameter) ?? [], [, reached] = pattern?.exec(message) ?? [];
        return reached === undefined ? [] : [use(rounded(Number(reached), round), "goal")];
    }
    const [, least, most] = RANGE.map((pattern) => pattern.exec(message)).find(Boolean) ?? [];
    if (least !== undefined && goal?.[parameter] !== undefined) return [use(Number(goal[parameter]) < Number(least) ? least : most, "goal")];
    const p = model?.parameters.find(({ name }) => name === parameter);
    if (code === "required" && p) return example(p, model, machine);
    if (p?.type !== "integer" && p?.type !== "number") return [];
    const [, named] = USE.map((pattern) => pattern.exec(message)).find(Boolean) ?? [];
    if (named !== undefined) return [use(named)];
    return least === undefined ? [] : [use(Number(values[parameter]) < Number(least) ? least : most)];
}

/* More nodes, which are enough for the memory: of the run, or for a recommendation to choose from. */
function fitting(message, model) {
    const [, nodes] = FITTING.exec(message) ?? [], [, most] = AFFORDED.exec(message) ?? [];
    if (nodes !== undefined && model?.parameters.some(({ name }) => name === "nodes")) return [{ text: `Use ${counted(nodes)}`, values: { nodes } }];
    return most === undefined ? [] : [{ text: `Allow ${counted(most)}`, goal: { max_nodes: most } }];
}

const counted = (nodes) => plural(Number(nodes), "node");

/* A value to begin with. */
function example({ name }, model, machine) {
    const value = exampleOf(model, machine)[name];
    return value === undefined ? [] : [{ text: `Use ${asText(value)}, an example`, label: `Use ${asText(value)} for ${name.replaceAll("_", " ")}, an example`, values: { [name]: asText(value) } }];
}

/* A calibrated value that there is not, or a value that it cannot have. */
function changed({ path, message }) {
    const [, meant] = /did you mean ([\w.]+)/.exec(message) ?? [];
    return [...(meant ? [{ text: `Use ${meant}`, paths: { [path]: meant } }] : []), { text: "Leave it out", label: `Leave out the change of ${path}`, paths: { [path]: undefined } }];
}

function unknown({ parameter, message, values }) {
    const [, meant] = /did you mean (\w+)/.exec(message) ?? [];
    return [...(meant && values[parameter] !== undefined ? [{ text: `Use ${meant}`, values: { [parameter]: undefined, [meant]: values[parameter] } }] : []),
        { text: "Leave it out", label: `Leave out ${parameter}`, values: { [parameter]: undefined } }];
}

/* A question that needs less of the calibration. */
function lesser(served) {
    const differs = Object.entries(served?.differs ?? {}).map(([name, value]) => [name, Array.isArray(value) ? value.join(":") || "none" : String(value)]);
    if (!differs.length) return [];
    return [{ text: `Use ${differs.map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`).join(", ")}`, values: Object.fromEntries(differs) }];
}

/* To three digits, to the side that the goal can reach. */
function rounded(value, round) {
    if (Number.isInteger(value)) return String(value);
    const step = 10 ** (Math.floor(Math.log10(Math.abs(value))) - 2);
    return String(Number((round(value / step) * step).toPrecision(3)));
}
