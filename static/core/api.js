/* Requests to the daemon.  A refusal becomes a Problem, a failed connection an Unreachable. */
import { token } from "./token.js";

/* Relative to the page, so that the dashboard also works under a path prefix of a reverse proxy. */
const base = new URL("api/v1/", document.baseURI);

/** A refusal of the daemon, from its application/problem+json. */
export class Problem extends Error {
    constructor(status, body) {
        super(body?.detail || body?.title || `The daemon answered ${status}.`);
        this.status = status;
        this.title = body?.title ?? "";
        this.errors = Array.isArray(body?.errors) ? body.errors : [];
    }

    has(code) {
        return this.errors.some((error) => error.code === code);
    }
}

export class Unreachable extends Error {}

/** The address of a resource: address("rank/matmul.csv", query). */
export function address(path, query) {
    const url = new URL(path, base);
    if (query) url.search = new URLSearchParams(query).toString();
    return url.href;
}

export const get = (path, query, signal) => ask(address(path, query), { signal });

/**
 * The answer of a question that may take long; progressed(progress) is called while the daemon works.
 * An abort ends its work too.
 */
export async function follow(path, query, signal, progressed) {
    const response = await reach(address(path, query), { signal, headers: { Accept: "application/x-ndjson" } });
    for await (const line of linesOf(response, signal)) {
        if (line.answer) return line.answer;
        if (line.problem) throw new Problem(line.problem.status, line.problem);
        progressed(line.progress);
    }
    throw new Unreachable("The daemon stopped before it had an answer.");
}

async function* linesOf(response, signal) {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    try {
        for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
            const lines = (text + value).split("\n");
            text = lines.pop();
            for (const line of lines) yield JSON.parse(line);
        }
    } catch (error) {
        if (signal?.aborted) throw error;
        throw new Unreachable("The connection ended before there was an answer.");
    }
}

/** Asks until the daemon has what the answer needs; until then it answers 202 after some seconds. */
export async function wait(path, query, signal) {
    for (let response; (response = await reach(address(path, query), { signal })).status === 202;) {
        const pause_s = Number(response.headers.get("Retry-After")) || 1;
        await new Promise((resolve) => { setTimeout(resolve, 1000 * pause_s); });
    }
}

/** A POST that stores nothing: a batch of predictions. */
export const post = (path, question) =>
    ask(address(path), { method: "POST", body: JSON.stringify(question), headers: { "Content-Type": "application/json" } });

/** Uploads a text with a token; returns { status, body }. */
export async function send(path, text, type, token) {
    const response = await reach(address(path), { method: "POST", body: text, headers: { "Content-Type": type, ...(token && { Authorization: `Bearer ${token}` }) } });
    return { status: response.status, body: await read(response) };
}

/** Deletes a resource; the token must have scope admin. */
export async function remove(path, token) {
    await reach(address(path), { method: "DELETE", headers: token && { Authorization: `Bearer ${token}` } });
}

/** A picture. */
export const blob = (path, query, signal) => fileAt(address(path, query), signal);

/** The file at an address of the API. */
export const fileAt = async (url, signal) => readBy((response) => response.blob(), await reach(url, { signal }), signal, "The connection ended before there was an answer.");

const ask = async (url, options) => read(await reach(url, options), options.signal);

async function reach(url, { signal, headers, ...options }) {
    let response;
    try {
        // A browser may keep an answer for a minute, but the page shows what was just uploaded.
        response = await fetch(url, { cache: "no-cache", ...options, signal, headers: { Accept: "application/json, image/svg+xml", ...token.headers, ...headers } });
    } catch (error) {
        if (signal?.aborted) throw error;
        throw new Unreachable("The daemon cannot be reached.");
    }
    if (response.ok) return response;
    if (response.status === 401 && options.method === undefined) token.demand();
    throw new Problem(response.status, await response.json().catch((error) => {
        if (signal?.aborted) throw error;
        return null;
    }));
}

const read = (response, signal) => readBy((answer) => answer.json(), response, signal, "The answer is not JSON: is this page served by forerund?");

/** What `taken` makes of the body; `broken` says why it could not be read. */
async function readBy(taken, response, signal, broken) {
    try {
        return await taken(response);
    } catch (error) {
        if (signal?.aborted) throw error;
        throw new Unreachable(broken);
    }
}

/** All items of a paged list. */
export async function list(path, signal) {
    const items = [];
    let query = { limit: "1000" };
    for (;;) {
        const page = await get(path, query, signal);
        items.push(...page.items);
        if (!page.next) return items;
        query = new URL(page.next, base).searchParams;
    }
}

const kept = new Map();

/** A resource that does not change while the page is open, or while `key` stays the same, requested once.  A failure is not kept. */
export function once(path, key = path) {
    if (!kept.has(key)) {
        kept.set(key, get(path).catch((error) => {
            kept.delete(key);
            throw error;
        }));
    }
    return kept.get(key);
}

/** The details of a machine of the list, of which what it answers follows from its calibration. */
export const detailsOf = ({ name, calibration }) => once(`machines/${encodeURIComponent(name)}`, `${name} ${calibration}`);

/** Gives each request an abort signal and aborts the previous one, so that answers stay in order. */
export class Latest {
    #controller = null;

    next() {
        this.stop();
        this.#controller = new AbortController();
        return this.#controller.signal;
    }

    stop() {
        this.#controller?.abort();
    }
}
