/* The routes as the daemon's own document tells them, their addresses, and values with which they answer here.
 *
 * The fragment of api.html is a request: `predict/matmul?machine=hopper&n=4000`, `put:machines/hopper`,
 * `/healthz`.  A part that is still to be filled stands in braces: `machines/{machine}/runs`.
 */
import { address, get, list, once } from "../core/api.js";
import { asText } from "../core/query.js";
import { readable } from "../core/state.js";
import { curlOf } from "../parts/curl.js";
import { EXAMPLE, exampleOf } from "../question/example.js";
import { chooseMachine, servedBy } from "../question/serving.js";

const ROOT = "/api/v1/";
const METHODS = ["get", "post", "put", "delete"];
const SUFFIXES = { "application/json": ".json", "text/csv": ".csv", "text/plain": ".txt", "application/x-ndjson": ".ndjson", "application/x-tex": ".tex",
    "text/x-hpl-dat": ".dat", "image/svg+xml": ".svg", "image/png": ".png", "application/pdf": ".pdf" };
const SUFFIX = /\.(json|csv|txt|ndjson|tex|dat|svg|png|pdf|gp)$/;

/**
 * { about, all }: a text, and the routes.  A parameter of a route has the members of one of a model, and `in`;
 * `isModel` stands for all of the model, which take lists if `isListed`.
 */
export async function routes() {
    const told = await once("openapi.json");
    const resolve = (node) => (node?.$ref ? resolve(node.$ref.slice(2).split("/").reduce((at, key) => at[key], told)) : node);
    const all = told.tags.flatMap(({ name: tag }) => Object.entries(told.paths).flatMap(([path, item]) => METHODS.filter((method) => item[method]?.tags[0] === tag).map((method) => {
        const operation = item[method];
        const responses = Object.entries(operation.responses).map(([status, response]) => [status, resolve(response)]);
        return {
            method, tag, path: path.startsWith(ROOT) ? path.slice(ROOT.length) : path, summary: operation.summary, description: operation.description,
            parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((p) => parameterOf(resolve(p), resolve)).filter(({ deprecated }) => !deprecated),
            formats: formatsOf(responses.filter(([status]) => status === "200").flatMap(([, { content }]) => Object.keys(content ?? {}))),
            statuses: responses.map(([status, { description }]) => [status, description]),
            body: bodyOf(operation.requestBody, resolve),
            isOpen: !operation.security,
        };
    })));
    return { all, about: told.info.description };
}

function parameterOf({ schema, ...p }, resolve) {
    const { enum: choices, additionalProperties, description, ...type } = { ...resolve(schema), ...schema };
    return { ...p, ...type, choices, isModel: Boolean(additionalProperties), isListed: /value list/.test(p.description) };
}

function formatsOf(types) {
    const isChart = types.includes("image/svg+xml");
    const suffixes = types.map((type) => (isChart && type === "text/plain" ? ".gp" : SUFFIXES[type])).filter(Boolean);
    return isChart ? suffixes.sort((a, b) => Number(b === ".svg") - Number(a === ".svg")) : suffixes;
}

/* { type, text }; text: an example, null where it is a file. */
function bodyOf(body, resolve) {
    if (!body) return null;
    const [type, { schema, examples }] = Object.entries(body.content)[0];
    if (type !== "application/json") return { type: "application/octet-stream", text: null };
    const [example] = Object.values(examples ?? {}).map((each) => resolve(each).value);
    const least = () => Object.fromEntries((resolve(schema).required ?? []).map((name) => [name, resolve(resolve(schema).properties[name]).enum?.[0] ?? null]));
    return { type, text: JSON.stringify(example ?? least()) };
}

/** Whether a suffix may follow the path: `/metrics` and the like have one representation. */
export const hasSuffix = ({ formats }) => formats.length > 1;

/** The fragment of a request: values is a Map of the parameters, format a suffix. */
export function fragment(route, values, format = "") {
    const path = route.path.replace(/\{(\w+)\}/g, (braced, name) => (values.get(name) ? encodeURIComponent(values.get(name)) : braced));
    const query = [...values].filter(([name, value]) => value && !route.path.includes(`{${name}}`));
    return `${route.method === "get" ? "" : `${route.method}:`}${path}${format}${query.length ? `?${readable(query)}` : ""}`;
}

/** The request of a fragment: { route, values, format, isFilled }; null if no route has this path. */
export function requestOf(all, hash) {
    const [, method = "get", path, query] = /^(?:(post|put|delete):)?([^?]*)(?:\?(.*))?$/.exec(hash);
    const bare = path.replace(SUFFIX, ""), format = path.slice(bare.length);
    for (const route of all.filter((each) => each.method === method).sort((a, b) => a.path.split("{").length - b.path.split("{").length)) {
        const values = matched(route.path, hasSuffix(route) ? bare : path);
        if (!values) continue;
        for (const [name, value] of new URLSearchParams(query)) values.set(name, value);
        return { route, values, format: hasSuffix(route) && route.formats.includes(format) ? format : "", isFilled: query !== undefined };
    }
    return null;
}

function matched(template, path) {
    const wanted = template.split("/"), given = path.split("/"), values = new Map();
    if (wanted.length !== given.length) return null;
    for (const [i, part] of wanted.entries()) {
        if (!part.startsWith("{")) {
            if (part !== given[i]) return null;
        } else if (given[i] !== part) values.set(part.slice(1, -1), decoded(given[i]));
    }
    return values;
}

function decoded(text) {
    try {
        return decodeURIComponent(text);
    } catch {
        return text; /* a stray % */
    }
}

/** The address of a request, below a path prefix too. */
export function urlOf(request) {
    const target = fragment(request.route, request.values, request.format).replace(/^\w+:/, "");
    return target.startsWith("/") ? new URL(target.slice(1) || ".", document.baseURI).href : address(target);
}

/** The command for a shell. */
export function commandOf(request) {
    const { route, text, format } = request, url = urlOf(request).replace(/%7B(\w+)%7D/g, "{$1}");
    return curlOf({ url, format: (format || route.formats[0])?.slice(1), method: route.method, body: route.body && { type: route.body.type, text }, needsToken: !route.isOpen });
}

/* ---- examples ---- */

const PROCESSES = "4";

class Lack extends Error {}

/** { values, lacks }: given completed; lacks: a sentence that says why there is no example here, or null. */
export async function exampleFor(route, given) {
    const values = new Map(given);
    const put = (name, value) => { if (!values.has(name)) values.set(name, value); };
    try {
        if (takesModel(route)) await ofModel(route, values, put);
        else if (route.method !== "delete") {
            for (const p of route.parameters.filter(({ name, in: where, required }) => (where === "path" || required) && !values.has(name))) put(p.name, await valueOf(p, route, values));
        }
        return { values, lacks: null };
    } catch (error) {
        if (!(error instanceof Lack)) throw error;
        return { values, lacks: error.message };
    }
}

/** Whether the parameters of a model are among those of the route. */
const takesModel = ({ path, parameters }) => path.includes("{model}") && parameters.some(({ isModel }) => isModel);

/** The body of POST predict. */
export async function exampleBatch() {
    const machine = await machineOf(EXAMPLE.model), { parameters } = (await servedBy(machine)).get(EXAMPLE.model);
    return JSON.stringify({ requests: [{ model: EXAMPLE.model, machine: machine.name, parameters }] });
}

async function valueOf({ name, choices }, { path }, values) {
    if (name === "machine") return (await machineFor(path)).name;
    if (name === "matrix") return matrixName();
    if (name === "model") return EXAMPLE.model;
    if (name === "processes") return PROCESSES;
    if (path.startsWith("runs/")) {
        const { name: machine } = await machineFor(path);
        return (await get(`machines/${encodeURIComponent(machine)}/runs`, { limit: "1" })).items[0].id;
    }
    if (path.startsWith("calibrations/") && name === "id") return (await (values.has("machine") ? details(values.get("machine")) : machineOf(EXAMPLE.model))).calibration;
    return choices[0];
}

const details = (machine) => get(`machines/${encodeURIComponent(machine)}`);
const machineOf = async (model) => chooseMachine(await machines(), model);

async function machines() {
    const all = await list("machines");
    if (!all.length) throw new Lack("This daemon has no machine yet: upload a calibration.");
    return all;
}

/* The machine with the most runs, or the most calibrations. */
async function machineFor(path) {
    const count = /runs|accuracy/.test(path) ? "runs" : "calibrations";
    const [most] = (await machines()).sort((a, b) => b[count] - a[count]);
    if (/^runs|\/chart$|\/history$/.test(path) && !most.runs) throw new Lack("This daemon has no saved run yet.");
    if (path.endsWith("/compare") && most.calibrations < 2) throw new Lack("No machine of this daemon has two calibrations.");
    return most;
}

async function matrixName() {
    const found = (await list("matrices")).find(({ status }) => status === "ready");
    if (!found) throw new Lack("This daemon has no analyzed matrix yet.");
    return found.name;
}

async function ofModel({ path }, values, put) {
    put("model", EXAMPLE.model);
    const name = values.get("model"), model = await once(`models/${encodeURIComponent(name)}`);
    const machine = await (values.has("machine") ? details(values.get("machine")) : machineOf(name));
    put("machine", machine.name);
    const served = (await servedBy(machine)).get(name);
    const example = new Map(Object.entries(served?.parameters ?? exampleOf(model, machine)).map(([key, value]) => [key, asText(value)]));
    changeFor(path.split("/")[0], model, example, put);
    for (const [key, value] of example) put(key, value);
    if (model.parameters.some((p) => p.name === "matrix" && p.required) && !values.has("matrix")) put("matrix", await matrixName());
    if (path.startsWith("recommend") && path.endsWith("/chart") && !model.parameters.some((p) => p.name === "nodes")) throw new Lack(`${name} has no nodes to draw over.`);
    if (path.startsWith("forecast") && !values.has("by") && !model.parameters.some(isCompared)) throw new Lack(`${name} has no tunable to compare.`);
}

const isCompared = (p) => p.tunable && (p.choices || p.type === "boolean");

/* What the route finds by itself is left open; what it varies becomes a list. */
function changeFor(kind, model, example, put) {
    const tuned = model.parameters.filter((p) => p.tunable), numbers = tuned.filter((p) => example.has(p.name) && p.type === "integer");
    const varied = model.parameters.filter((p) => !p.tunable && example.has(p.name) && ["integer", "number", "vector"].includes(p.type) && smaller(p, example.get(p.name)) !== example.get(p.name));
    const twice = (p) => `${example.get(p.name)},${2 * Number(example.get(p.name))}`;
    const toList = kind === "forecast" ? varied.slice(0, 2) : ["sweep", "chart"].includes(kind) ? varied.slice(0, 1) : [];
    if (kind === "forecast") {
        const listed = tuned.some(isCompared) ? numbers : numbers.slice(1), [by] = numbers;
        if (listed !== numbers && by) {
            put("by", by.name);
            put(by.name, twice(by));
        }
        for (const p of listed.slice(0, 2 - toList.length)) put(p.name, twice(p));
    }
    if (["rank", "recommend", "forecast"].includes(kind)) for (const p of tuned) example.delete(p.name);
    if (kind === "recommend") for (const p of model.parameters) if (p.one_of) example.delete(p.name); /* it finds that itself */
    for (const p of toList) example.set(p.name, `${smaller(p, example.get(p.name))},${example.get(p.name)}`);
}

/* A quarter of the processes keeps a square grid. */
function smaller(p, text) {
    const divisor = p.one_of ? 4 : 2;
    return text.split("x").map((item) => String(Math.max(p.minimum ?? 1, Math.floor(Number(item) / divisor)))).join("x");
}
