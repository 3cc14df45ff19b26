// A plain HTTP client: unlike fetch, it neither normalizes paths (`%2e%2e`) nor decompresses gzip.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";

export const worked = readFileSync(new URL("worked.json", import.meta.url), "utf8");

const TIMEOUT_MS = 180_000;

/** One answer: {status, headers, body, text, json}.  `body` is a text, a buffer or a value (sent as JSON). */
export function send(base, path, { method = "GET", headers = {}, body, token, agent } = {}) {
    const { hostname, port } = new URL(base);
    const all = Object.fromEntries(Object.entries(headers).map(([k, v]) => [k.toLowerCase(), v]));
    if (token) all.authorization ??= `Bearer ${token}`;
    if (body !== undefined && typeof body !== "string" && !Buffer.isBuffer(body)) body = JSON.stringify(body);
    if (body !== undefined) {
        all["content-type"] ??= "application/json";
        all["content-length"] ??= Buffer.byteLength(body);
    }
    return new Promise((done, fail) => {
        const rq = httpRequest({ hostname, port, path, method, headers: all, agent, timeout: TIMEOUT_MS }, (answer) => {
            const parts = [];
            answer.on("data", (part) => parts.push(part));
            answer.on("error", fail);
            answer.on("end", () => done(reply(answer.statusCode, answer.headers, Buffer.concat(parts))));
        });
        rq.on("timeout", () => rq.destroy(new Error(`no answer to ${method} ${path.slice(0, 200)} in ${TIMEOUT_MS} ms`)));
        rq.on("error", fail);
        rq.end(body);
    });
}

function reply(status, headers, body) {
    return {
        status, headers, body,
        get text() { return body.toString("utf8"); },
        get json() {
            try {
                return JSON.parse(body.toString("utf8"));
            } catch (error) {
                throw new Error(`status ${status}, not JSON: ${body.toString("utf8").slice(0, 300)}`);
            }
        },
    };
}

/** A client of one daemon: api.get(path), api.post(path, value, options), … */
export function client(base) {
    const call = (method) => (path, options) => send(base, path, { ...options, method });
    const write = (method) => (path, body, options) => send(base, path, { ...options, body, method });
    return {
        base, get: call("GET"), head: call("HEAD"), delete: call("DELETE"), options: call("OPTIONS"),
        post: write("POST"), put: write("PUT"), send: (path, options) => send(base, path, options),
        /** POST of one request to /api/v1/predict: its result. */
        async predict(request) {
            const answer = await send(base, "/api/v1/predict", { method: "POST", body: { requests: [request] } });
            assert.equal(answer.status, 200, answer.text.slice(0, 500));
            assert.equal(answer.json.results.length, 1);
            return answer.json.results[0];
        },
        async upload(document, token, machine) {
            const text = typeof document === "string" ? document : JSON.stringify(document);
            machine ??= JSON.parse(text).machine;
            return send(base, `/api/v1/machines/${machine}/calibrations`, { method: "POST", body: text, token });
        },
    };
}

/** How many whole answers a text begins with. */
function answersIn(text) {
    let count = 0;
    for (let from = 0, end; (end = text.indexOf("\r\n\r\n", from)) >= 0; count++) {
        const [, status] = text.slice(from, end).match(/^HTTP\/1\.1 (\d+)/) ?? [];
        const length = text.slice(from, end).match(/^content-length: *(\d+)/im)?.[1] ?? (status < 200 ? 0 : Infinity);
        from = end + 4 + Number(length);
        if (text.length < from) break;
    }
    return count;
}

/** Sends bytes as they are, which no HTTP library would; the text that comes until there are so many answers, or the peer closes. */
export function raw(base, bytes, { answers = 1 } = {}) {
    const { hostname, port } = new URL(base);
    return new Promise((done, fail) => {
        const socket = connect(Number(port), hostname);
        let text = "";
        socket.setTimeout(TIMEOUT_MS, () => fail(new Error(`no end of: ${text.slice(0, 500)}`)));
        socket.on("data", (part) => {
            text += part.toString("latin1");
            if (answersIn(text) >= answers) socket.destroy();
        });
        socket.on("close", () => done(text)).on("error", (error) => text ? done(text) : fail(error));
        socket.write(bytes);
    });
}

/** Sends the beginning of a request, waits for the part of an answer, and leaves. */
export const leave = (base, bytes, more = "") => new Promise((done, fail) => {
    const { hostname, port } = new URL(base);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.once("data", () => socket.end(more, () => socket.destroy())).on("close", done).on("error", fail);
});

export const keepAlive = (sockets) => new Agent({ keepAlive: true, maxSockets: sockets });

/** Checks a problem against the contract, and returns it. */
export function assertProblem(answer, status) {
    assert.equal(answer.status, status, answer.text.slice(0, 600));
    assert.match(answer.headers["content-type"] ?? "", /^application\/problem\+json/);
    return assertProblemObject(answer.json, status);
}

export function assertProblemObject(problem, status) {
    if (status) assert.equal(problem.status, status, JSON.stringify(problem).slice(0, 600));
    for (const key of ["type", "title", "detail"]) {
        assert.equal(typeof problem[key], "string", `${key} of ${JSON.stringify(problem)}`);
        assert.notEqual(problem[key], "");
    }
    for (const fault of problem.errors ?? []) {
        assert.ok((typeof fault.parameter === "string") !== (typeof fault.pointer === "string"),
            `a fault names a parameter or a pointer: ${JSON.stringify(fault)}`);
        assert.match(fault.code, /^[a-z][a-z0-9_]*$/);
        assert.ok(fault.message.length > 0);
    }
    return problem;
}

/** The sorted names or pointers of a problem's faults. */
export const faultNames = (problem) => [...new Set((problem.errors ?? []).map((f) => f.parameter ?? f.pointer))].sort();

export function assertClose(got, expected, what = "value", relative = 1e-9, floor = 1e-15) {
    assert.equal(typeof got, "number", `${what} is ${got}`);
    assert.ok(Math.abs(got - expected) <= Math.max(floor, relative * Math.abs(expected)),
        `${what}: got ${got}, expected ${expected}`);
}

/** Lines of CSV (RFC 4180) to arrays of fields. */
export function parseCsv(text) {
    const rows = [];
    let row = [], field = "", quoted = false;
    for (let i = 0; i < text.length; i++) {
        const c = text[i];
        if (quoted) {
            if (c === '"' && text[i + 1] === '"') { field += '"'; i++; }
            else if (c === '"') quoted = false;
            else field += c;
        } else if (c === '"' && field === "") quoted = true;
        else if (c === ",") { row.push(field); field = ""; }
        else if (c === "\r" && text[i + 1] === "\n") { row.push(field); rows.push(row); row = []; field = ""; i++; }
        else field += c;
    }
    assert.equal(field, "", "CSV ends with CRLF");
    assert.ok(!quoted && row.length === 0);
    return rows;
}
