/* What a text, a chart or a file is about: one line from the query of the API that gives it. */
import { asText, lettersOf } from "./query.js";
import { number, plural } from "./units.js";

const ID_DIGITS = 8; /* of a calibration, enough to tell it from others */
const FILE_CHARACTERS = 120;
const SIZES = ["processes", "nodes", "cores"];

/* A sweep gives such a parameter a list, which is its axis and no part of the question. */
const isList = (text) => /,|\.\./.test(text);

/**
 * The parts of the line.  query: of the API, with the machine and the what-ifs; calibration: its id.
 * parameters: [name, value] of each that is tunable or differs from its default; the tunables come last.
 */
export function identityOf(model, query, calibration) {
    const given = new Map(model.parameters.filter((p) => query[p.name] !== undefined && (p.type === "text" || !isList(String(query[p.name]))))
        .map((p) => [p.name, asText(query[p.name])]));
    const take = (name) => {
        const value = given.get(name);
        given.delete(name);
        return value;
    };
    const subject = [model.name];
    const hasOrder = !lettersOf(model).length && given.has("n");
    if (hasOrder && given.has("m")) subject.push(`of size ${count(take("m"))} × ${count(take("n"))}`);
    else if (hasOrder) subject.push(`of order ${count(take("n"))}`);
    const size = SIZES.find((name) => given.has(name));
    const threads = Number(given.get("threads")) > 1 && size === "processes" ? ` of ${take("threads")} threads` : "";
    const run = size ? `${counted(take(size), size === "processes" ? "process" : size.slice(0, -1))}${threads}` : "";
    const descriptor = new Map(model.parameters.map((p) => [p.name, p]));
    const isTold = ([name, value]) => {
        const { tunable, default: usual } = descriptor.get(name);
        return tunable || usual === undefined || usual === null || asText(usual) !== value;
    };
    const isChoice = ([name]) => Number(descriptor.get(name).tunable === true);
    return {
        subject: subject.join(" "), machine: String(query.machine).replaceAll(",", ", "), calibration: isList(String(query.machine)) ? undefined : calibration, run,
        parameters: gridded([...given].filter(isTold).sort((a, b) => isChoice(a) - isChoice(b))),
        changes: changesOf(query),
    };
}

/** The what-ifs of a query: ["network.bandwidth × 2", "node.cores = 4"]. */
const changesOf = (query) => Object.entries(query).filter(([name]) => name.startsWith("what_if."))
    .map(([name, value]) => `${name.slice("what_if.".length)} ${/^\*/.test(value) ? value.replace("*", "×\u00a0") : `=\u00a0${value}`}`);

const count = (text) => (/^\d+$/.test(text) ? number(Number(text)) : text);
const counted = (text, noun) => (/^\d+$/.test(text) ? plural(Number(text), noun) : `${text} ${noun}`);

/* Rows and columns of a process grid stand together; a long text, such as a list of calls, is cut. */
function gridded(parameters) {
    const values = new Map(parameters), isGrid = values.has("process_rows") && values.has("process_columns");
    return parameters.filter(([name]) => !isGrid || name !== "process_columns").map(([name, value]) => (isGrid && name === "process_rows"
        ? ["grid", `${value}\u00a0×\u00a0${values.get("process_columns")}`] : [name.replaceAll("_", " "), short(value)]));
}

const short = (text) => (text.length > 40 ? `${text.slice(0, 39).replace(/\s+/g, " ")}…` : text.replace(/\s+/g, " "));

/** The identity of what a matrix alone gives, on no machine. */
export const identityOfMatrix = (name, parameters = []) => ({ subject: `matrix ${name}`, machine: "", run: "", parameters, changes: [] });

/** The line without what is imaginary, which the daemon adds to each chart. */
function titleOf({ subject, machine, calibration, run, parameters }) {
    const details = parameters.map(([name, value]) => `${name} ${value}`).join(", ");
    return `${subject}${machine && ` on ${machine}`}${calibration ? ` (${calibration.slice(0, ID_DIGITS)})` : ""}${run && ` with ${run}`}${details && `: ${details}`}`;
}

/** The same as the title of a chart for a paper: the page names the calibration beside it. */
export const headingOf = (identity) => titleOf({ ...identity, calibration: undefined });

/** The whole line. */
export const lineOf = (identity) => titleOf(identity) + (identity.changes.length ? `; ${imaginary(identity)}` : "");

/** "imaginary machine: hopper with network.bandwidth × 2" */
const imaginary = ({ machine, changes }) => `imaginary machine: ${machine} with ${changes.join(", ")}`;

/** The name of a file about it; what: "ranking". */
export function fileOf(identity, what, suffix) {
    const plain = (text, most) => text.replaceAll(",", "").replace(/[^\w.]+/g, "-").slice(0, most).replace(/-+$/, "");
    /* The change stays when the rest is cut: no file of an imaginary machine looks like one of the machine as calibrated. */
    const change = identity.changes.length ? `-${plain(`imaginary ${identity.changes.join(" ")}`, FILE_CHARACTERS / 2)}` : "";
    return `${plain(titleOf(identity), FILE_CHARACTERS - change.length)}${change}-${what}.${suffix}`;
}

/** The identity of an answer: also what follows from what was given. */
export function answerIdentity({ query, prediction, model }) {
    const { n, process_columns } = prediction.parameters, { processes } = prediction;
    return identityOf(model, { ...query, ...(typeof n === "number" && { n }), ...((query.nodes || query.cores) && { processes }),
        ...(query.process_rows && process_columns && { process_columns }) }, prediction.calibration);
}
