// Runs the cases of a readable text file, each a request and what must come back.
//
//     === what the product promises, as a sentence
//     GET /api/v1/predict/matmul?machine=worked&n=10     the request line
//     > Accept: text/csv                                  a header of the request
//     | {"a": 1}                                          a line of its body
//     | @repeat 20 x                                      the text x, 20 times
//     < 422                                               the status; `400|422` where the contract leaves it open
//     < Content-Type ~ ^application/problem                a header: matches (~), equals (:), or `absent`
//     ? errors[0].parameter == "n"                        the JSON body at a path: equals
//     ? time_s = 0.25                                      within 1e-9
//     ? errors[0].message ~ square                        matches; `!~` does not; `body` is the whole text
//     ? errors.*.code has "required"                      a list contains; `lacks`; `count 3`; `absent`; `present`
//     = id calibration                                    keeps a value (or `header:etag`) as {{id}}
//
// Blank lines and lines that begin with # are left out.  {{write}} and {{admin}} are tokens.
import assert from "node:assert/strict";
import { send, assertProblem, assertClose } from "./client.mjs";

/** [{title, line, requests: [{method, path, headers, body, checks}]}] */
export function parseCases(text, file) {
    const cases = [];
    let current, request;
    text.split("\n").forEach((line, index) => {
        const at = `${file}:${index + 1}`;
        const [, mark, rest] = line.match(/^(===|[><|?=])? ?(.*)$/s);
        if (!line.trim() || line.startsWith("#")) return;
        if (mark === "===") {
            cases.push((current = { title: rest.trim(), at, requests: [] }));
            request = undefined;
        } else if (!mark) {
            const [, method, path] = line.match(/^([A-Z]+) (\S+)$/) ?? assert.fail(`${at}: not a line of a case: ${line}`);
            current.requests.push((request = { at, method, path, headers: {}, body: undefined, status: undefined, checks: [] }));
        } else if (!request) {
            assert.fail(`${at}: before any request`);
        } else if (mark === ">") {
            const [, name, value] = rest.match(/^([^:]+):\s*(.*)$/);
            request.headers[name.toLowerCase()] = value;
        } else if (mark === "|") {
            const repeat = rest.match(/^@repeat (\d+) (.*)$/);
            const part = repeat ? repeat[2].repeat(Number(repeat[1])) : rest;
            request.body = request.body === undefined ? part : request.body + "\n" + part;
        } else if (mark === "<" && /^\d{3}(\|\d{3})*$/.test(rest)) {
            request.status = rest.split("|").map(Number);
        } else {
            request.checks.push({ at, mark, rest });
        }
    });
    for (const { title, at, requests } of cases)
        assert.ok(requests.length && requests.every((r) => r.status), `${at}: "${title}" lacks a request or a status`);
    return cases;
}

/** The value at `errors[0].code`; `*` gathers from every element. */
export function valueAt(value, path) {
    if (path === "$") return value;
    return path.replace(/\[(\d+)\]/g, ".$1").split(".").reduce((at, key, i, keys) => {
        if (at === undefined || at === null) return undefined;
        if (key !== "*") return at[key];
        const rest = keys.splice(i + 1).join(".");
        return Object.values(at).map((each) => (rest ? valueAt(each, rest) : each));
    }, value);
}

/** A regular expression; `(?m)` or `(?i)` at its beginning sets the flags. */
function expression(text) {
    const [, flags = "", rest] = text.match(/^(?:\(\?([ims]+)\))?(.*)$/s);
    return new RegExp(rest, flags);
}

function checkHeader(answer, rest) {
    const [, name, op, wanted] = rest.match(/^([A-Za-z-]+)\s*(:|~|!~|absent)\s*(.*)$/) ?? assert.fail(`not a check: < ${rest}`);
    const got = answer.headers[name.toLowerCase()];
    if (op === "absent") return assert.equal(got, undefined);
    assert.notEqual(got, undefined, `no header ${name}`);
    if (op === ":") assert.equal(got, wanted);
    else if (op === "~") assert.match(got, expression(wanted));
    else assert.doesNotMatch(got, expression(wanted));
}

function checkBody(answer, rest) {
    const [, path, op, wanted] =
        rest.match(/^(\S+)\s+(==|!=|=|!~|~|has|lacks|count|absent|present)\s*(.*)$/s) ?? assert.fail(`not a check: ? ${rest}`);
    const got = path === "body" ? answer.text : valueAt(answer.json, path);
    if (op === "==") assert.deepEqual(got, JSON.parse(wanted));
    else if (op === "!=") assert.notDeepEqual(got, JSON.parse(wanted));
    else if (op === "=") assertClose(got, Number(wanted), path);
    else if (op === "~") assert.match(String(got), expression(wanted));
    else if (op === "!~") assert.doesNotMatch(String(got), expression(wanted));
    else if (op === "count") assert.equal(got?.length, Number(wanted));
    else if (op === "absent") assert.equal(got, undefined);
    else if (op === "present") assert.notEqual(got, undefined);
    else assert.equal(got?.some((each) => JSON.stringify(each) === JSON.stringify(JSON.parse(wanted))), op === "has",
        `${JSON.stringify(got)} ${op} ${wanted}`);
}

/** Plays a case against a daemon.  `kept` holds the values for {{name}}; what a case keeps is added. */
export async function runCase({ requests }, base, kept) {
    const fill = (text) => text?.replace(/\{\{(\w+)\}\}/g, (_, name) => kept[name] ?? assert.fail(`{{${name}}} is not known`));
    for (const rq of requests) {
        const headers = Object.fromEntries(Object.entries(rq.headers).map(([k, v]) => [k, fill(v)]));
        const answer = await send(base, fill(rq.path), { method: rq.method, headers, body: fill(rq.body) });
        assert.ok(rq.status.includes(answer.status), `expected ${rq.status.join(" or ")}, got ${answer.status}: `
            + `${rq.at} ${rq.method} ${rq.path}\n${answer.text.slice(0, 800)}`);
        // Whatever else a case asks: every error is a problem, and names what it is about.
        if (answer.status >= 400 && rq.method !== "HEAD") assertProblem(answer, answer.status);
        for (const { at, mark, rest } of rq.checks) {
            try {
                if (mark === "<") checkHeader(answer, fill(rest));
                else if (mark === "?") checkBody(answer, fill(rest));
                else {
                    const [name, from] = rest.split(/\s+/);
                    kept[name] = from.startsWith("header:") ? answer.headers[from.slice(7)] : valueAt(answer.json, from);
                    assert.notEqual(kept[name], undefined, `nothing to keep as ${name}`);
                }
            } catch (error) {
                error.message = `${at}: ${mark} ${rest}\n${error.message}\n${answer.text.slice(0, 800)}`;
                throw error;
            }
        }
    }
}
