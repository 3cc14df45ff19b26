// Saved runs: many at once, ids that clients recompute, hostile bodies, pages with filters.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { startDaemon } from "../daemon.mjs";
import { canonical } from "../tools/canonical.mjs";
import { assertProblem, client, parseCsv, worked } from "./client.mjs";
import { standingClock } from "./clock.mjs";

const MIB = 1024 * 1024;
const RUNS = "/api/v1/machines/worked/runs";
const LINES = { "Content-Type": "application/x-ndjson" };
const runOf = (n, more = {}) => ({
    model: "cholesky", time_s: 1 + n / 1000,
    parameters: { variant: "2d", n, processes: 16, threads: 4, blocks_per_process: 2 }, ...more,
});
const runId = (machine, run) =>
    createHash("sha256").update(`${machine}\n${canonical(run)}`).digest("hex").slice(0, 16);
const lines = (runs) => runs.map((run) => JSON.stringify(run) + "\n").join("");
const range = (first, count) => Array.from({ length: count }, (_, i) => first + i);

let clock, daemon, api, token, admin;
before(async () => {
    clock = await standingClock();
    daemon = await startDaemon({ calibrations: null, env: clock.env });
    api = client(daemon.url);
    token = await daemon.token("write");
    admin = await daemon.token("admin");
    assert.equal((await api.upload(worked, token)).status, 201);
});
after(async () => {
    await daemon?.stop();
    await clock?.remove();
});

const count = async () => (await api.get("/api/v1/machines/worked")).json.runs;
/** Sends what must be refused, and that nothing of it is stored. */
async function refused(body, status, options = {}) {
    const had = await count();
    const problem = assertProblem(await api.post(options.path ?? RUNS, body, { token, headers: options.headers }), status);
    assert.equal(await count(), had, "nothing of a refused upload is stored");
    return problem;
}

test("the id is the one that a client computes from machine and canonical form", async () => {
    const run = runOf(4000, { notes: "é \u{1f600} \"x\"", repetitions: [5, 5.5, 1e-7], time_s: 5 });
    const answer = await api.post(RUNS, run, { token });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.json.items[0].id, runId("worked", run));
    const { id, machine, calibration, uploaded_at, ...document } = (await api.get(answer.headers.location)).json;
    assert.deepEqual(document, run);
    assert.deepEqual([id, machine], [answer.json.items[0].id, "worked"]);
    assert.equal(Date.parse(uploaded_at), clock.now());
    assert.equal(calibration, (await api.get("/api/v1/machines/worked")).json.calibration);
});

test("a run without time_s has the median of its repetitions", async () => {
    const { time_s, ...run } = runOf(4001, { repetitions: [9, 1, 3, 4] });
    const { json } = await api.post(RUNS, run, { token });
    const listed = (await api.get(`${RUNS}?n=4001`)).json.items;
    assert.deepEqual(listed.map((item) => [item.id, item.time_s]), [[json.items[0].id, 3.5]]);
});

test("10,000 lines are stored in one transaction, and recognized the second time", async () => {
    const body = lines(range(10_000, 10_000).map((n) => runOf(n)));
    const first = await api.post(RUNS, body, { token, headers: LINES });
    assert.equal(first.status, 201, first.text.slice(0, 500));
    assert.deepEqual([first.json.stored, first.json.known, first.json.items.length], [10_000, 0, 10_000]);
    assert.equal(first.headers.location, undefined);
    // Each transaction has a row in the audit log. How long it takes is the benchmark's subject.
    const added = (await api.get("/api/v1/audit?limit=1", { token: admin })).json.items;
    assert.deepEqual(added.map(({ action, kind, id, count }) => [action, kind, id, count]), [["add", "run", first.json.items[0].id, 10_000]]);
    const again = await api.post(RUNS, gzipSync(body), { token, headers: { ...LINES, "Content-Encoding": "gzip" } });
    assert.equal(again.status, 200);
    assert.deepEqual([again.json.stored, again.json.known], [0, 10_000]);
    assert.deepEqual(again.json.items.map((item) => item.id), first.json.items.map((item) => item.id));
});

test("one invalid line in 10 MB is reported, and nothing is stored", async () => {
    const runs = range(50_000, 9_999).map((n) => runOf(n, { notes: "x".repeat(1000) }));
    runs[7_123].time_s = -1;
    const body = lines(runs);
    assert.ok(body.length > 10 * MIB);
    const problem = await refused(body, 422, { headers: LINES });
    assert.deepEqual(problem.errors.map((e) => [e.pointer, e.code]), [["/7124/time_s", "out_of_range"]]);
    assert.match(problem.errors[0].message, /^line 7124: -1 /);
    // A line that does not parse is named as well.
    const cut = await refused(body.replace('"time_s":-1', '"time_s":1').slice(0, -40), 400, { headers: LINES });
    assert.deepEqual(cut.errors.map((e) => e.pointer), ["/9999"]);
    assert.match(cut.errors[0].message, /^line 9999, column /);
});

test("faults of all lines are listed together", async () => {
    const problem = await refused(lines([runOf(1, { time_s: 0 }), runOf(60_000), runOf(2, { model: "hpcg" }), 7]), 422, { headers: LINES });
    assert.deepEqual(problem.errors.map((e) => [e.pointer, e.code]), [["/1/time_s", "out_of_range"],
        ["/3/model", "unknown_choice"], ["/4", "wrong_type"]]);
    const array = await refused([runOf(1, { time_s: 0 }), runOf(60_000), { time_s: 1 }], 422);
    assert.deepEqual(array.errors.map((e) => [e.pointer, e.code]), [["/0/time_s", "out_of_range"], ["/2/model", "required"]]);
});

test("blank lines, carriage returns and a last line without an end are no fault", async () => {
    const body = "\r\n" + lines([runOf(61_000)]).replace("\n", "\r\n") + " \t\n" + JSON.stringify(runOf(61_001));
    const answer = await api.post(RUNS, body, { token, headers: LINES });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.json.stored, 2);
});

test("an upload without a run", async () => {
    await refused("", 400);
    await refused("null", 422);
    const none = await refused("\n \n", 422, { headers: LINES });
    assert.deepEqual(none.errors.map((e) => e.code), ["required"]);
    const empty = await api.post(RUNS, [], { token });
    assert.deepEqual([empty.status, empty.json], [200, { preview: false, stored: 0, known: 0, left_out: 0, warnings: [], read: [], items: [] }]);
});

test("more than 10,000 runs are too many, as lines and as an array", async () => {
    await refused("{}\n".repeat(10_001), 413, { headers: LINES });
    await refused(`[${"{},".repeat(10_000)}{}]`, 413);
});

const hostile = [
    ["a time that is not a number", '{"model":"cholesky","time_s":NaN}', 400],
    ["a time beyond all doubles", '{"model":"cholesky","time_s":1e999}', 400],
    ["a time as a text", JSON.stringify(runOf(1, { time_s: "1" })), 422],
    ["a key twice", '{"model":"cholesky","model":"cholesky"}', 400],
    ["brackets to the end of the stack", "[".repeat(1_000_000), 400],
    ["objects within outputs", JSON.stringify(runOf(1)).slice(0, -1) + `,"outputs":${'{"a":'.repeat(1900)}1${"}".repeat(1900)}}`, 422],
    ["objects without names within outputs", JSON.stringify(runOf(1)).slice(0, -1) + `,"outputs":${'{"":'.repeat(1900)}1${"}".repeat(1900)}}`, 422],
    ["objects within parameters", JSON.stringify(runOf(1, { parameters: { n: { n: { n: 1 } } } })), 422],
    ["a hundred thousand unknown keys", `{${range(0, 100_000).map((i) => `"k${i}":1`)}}`, 422],
    ["a hundred thousand unknown parameters", `{"model":"cholesky","parameters":{${range(0, 100_000).map((i) => `"k${i}":1`)}}}`, 422],
    ["a hundred thousand unknown outputs", JSON.stringify(runOf(1)).slice(0, -1) + `,"outputs":{${range(0, 100_000).map((i) => `"k${i}":1`)}}}`, 422],
    ["ten thousand phases of one name", JSON.stringify(runOf(1, { breakdown: Array(10_000).fill({ phase: "a", time_s: 1 }) })), 422],
    ["ragged phases", JSON.stringify(runOf(1, { computation: { total_s: [[1, 2], [1]] } })), 422],
    ["a million empty rows", JSON.stringify(runOf(1)).slice(0, -1) + `,"computation":{"total_s":[${"[],".repeat(999_999)}[]]}}`, 422],
    ["more numbers than a list takes", JSON.stringify(runOf(1)).slice(0, -1) + `,"repetitions":[${"1,".repeat(1_000_000)}1]}`, 422],
    ["half a surrogate pair", JSON.stringify(runOf(1)).slice(0, -1) + ',"notes":"\\ud83d"}', 400],
    ["a NUL", JSON.stringify(runOf(1)).slice(0, -1) + ',"notes":"a\\u0000b"}', 400],
    ["bytes that are not UTF-8", Buffer.concat([Buffer.from(JSON.stringify(runOf(1)).slice(0, -1) + ',"notes":"'), Buffer.from([0xe9, 0xff]), Buffer.from('"}')]), 400],
    ["an array in an array", JSON.stringify([[runOf(1)]]), 422],
    ["lines without their content type", lines([runOf(1), runOf(2)]), 400],
    ["a document of another kind", worked, 422],
];
for (const [about, body, status] of hostile)
    test(`refused: ${about}`, async () => {
        const problem = await refused(body, status);
        assert.ok(problem.errors.length >= 1 && problem.errors.length <= 32);
    });

test("a gzip bomb and a body over the limit are too large", async () => {
    await refused(gzipSync(Buffer.alloc(64 * MIB, "\n"), { level: 9 }), 413, { headers: { ...LINES, "Content-Encoding": "gzip" } });
    await refused(JSON.stringify(runOf(1, { notes: "x".repeat(16 * MIB) })), 413);
});

test("two uploads at once of the same runs store each once", async () => {
    const body = lines(range(70_000, 500).map((n) => runOf(n)));
    const answers = await Promise.all(range(0, 4).map(() => api.post(RUNS, body, { token, headers: LINES })));
    for (const answer of answers) assert.ok([200, 201].includes(answer.status), answer.text.slice(0, 300));
    assert.equal(answers.reduce((sum, { json }) => sum + json.stored, 0), 500);
    assert.equal(answers.reduce((sum, { json }) => sum + json.known, 0), 1500);
});

test("pages with filters have every run once, in the order that holds without pages", async () => {
    const path = `${RUNS}?model=cholesky&processes=16&from=2026-01-01T00%3A00%3A00%2B01%3A00&n=`;
    const runs = range(0, 7).map((i) => runOf(80_000, { notes: `${i}`, started_at: `2026-01-0${i + 1}T00:00:00+01:00` }));
    await api.post(RUNS, runs, { token });
    const whole = (await api.get(`${path}80000`)).json;
    assert.deepEqual(whole.items.map((item) => item.id), runs.map((run) => runId("worked", run)).reverse());
    const seen = [];
    for (let next = `${path}80000&limit=2`, pages = 0; next && pages < 10; pages++) {
        const page = (await api.get(next)).json;
        assert.ok(page.items.length >= 1 && page.items.length <= 2);
        seen.push(...page.items);
        next = page.next;
    }
    assert.deepEqual(seen, whole.items);
    const links = []; // CSV has no place for `next`
    for (let next = `${path.replace("runs?", "runs.csv?")}80000&limit=3`; next && links.length < 10; next = links.at(-1)?.match(/^<(.*)>; rel="next"$/)?.[1]) {
        const page = await api.get(next, { headers: { Accept: "text/csv" } });
        links.push(page.headers.link);
        assert.equal(parseCsv(page.text).length - 1, Math.min(3, 7 - 3 * (links.length - 1)), next);
    }
    assert.equal(links.length, 3);
    assert.equal(links[2], undefined);
    const days = (await api.get(`${RUNS}?n=80000&from=2026-01-02&to=2026-01-03`)).json.items;
    assert.deepEqual(days.map((item) => item.started_at), ["2026-01-03T23:00:00.000Z", "2026-01-02T23:00:00.000Z"]);
});

test("the list as CSV has the parameters where one model is asked for, and never a formula's cell broken", async () => {
    await api.post(RUNS, runOf(81_000, { job: 'a,"b"\n=1+1' }), { token });
    const [header, row, ...rest] = parseCsv((await api.get(`${RUNS.replace("runs", "runs.csv")}?model=cholesky&n=81000`)).text);
    assert.equal(rest.length, 0);
    const of = Object.fromEntries(header.map((name, i) => [name, row[i]]));
    assert.equal(of.job, 'a,"b"\n=1+1');
    assert.deepEqual([of.n, of.variant, of.contention, of.started_at], ["81000", "2d", "true", ""]);
    const [short] = parseCsv((await api.get(`${RUNS.replace("runs", "runs.csv")}?n=81000`)).text);
    assert.deepEqual(short, ["id", "machine", "model", "calibration", "started_at", "uploaded_at", "job", "time_s", "url"]);
    const text = (await api.get(`${RUNS.replace("runs", "runs.txt")}?n=81000`)).text;
    assert.match(text, /^job=a__b___1\+1$/m);
});

test("an ETag of a list changes with a new run, that of a run does not", async () => {
    const { headers: { location } } = await api.post(RUNS, runOf(82_000), { token });
    const [run, list] = [await api.get(location), await api.get(`${RUNS}?limit=1`)];
    await api.post(RUNS, runOf(82_001), { token });
    assert.equal((await api.get(location, { headers: { "If-None-Match": run.headers.etag } })).status, 304);
    assert.equal((await api.get(`${RUNS}?limit=1`, { headers: { "If-None-Match": list.headers.etag } })).status, 200);
    const head = await api.head(location);
    assert.deepEqual([head.status, head.headers.etag, head.body.length], [200, run.headers.etag, 0]);
});

test("an answer with saved runs is the same each time, until runs, facts or the calibration change", async () => {
    const [machine, calibration] = ["/api/v1/machines/repeated", { ...JSON.parse(worked), machine: "repeated" }];
    const ask = async (more = "") => (await api.get(`/api/v1/predict/cg?machine=repeated&nodes=8&processes_per_node=1&local_grid=8x8x8&penalties=synchronization&iterations=10${more}`)).json;
    const save = async (matvec_s) => (await api.post(`${machine}/runs`, {
        model: "cg", time_s: 9, parameters: { nodes: 8, processes_per_node: 1, iterations: 10 }, local_grid: [8, 8, 8],
        computation: { phases: { matvec_s: [[matvec_s]], preconditioner_s: [[1]], vector_s: [[1]] } },
    }, { token })).headers.location;
    const agreed = async (more) => {
        const [first, ...rest] = [await ask(more), await ask(more), await ask(more)];
        rest.forEach((again) => assert.deepEqual(again, first));
        return first;
    };
    const matvec = async (runs, matvec_s) => {
        const found = await agreed();
        assert.equal(found.runs.count, runs);
        assert.ok(Math.abs(found.phases.matvec_s - matvec_s) < 1e-9, `${found.phases.matvec_s}`);
        return found;
    };
    assert.equal((await api.upload(JSON.stringify(calibration), token)).status, 201);
    await save(1);
    const last = await save(3);
    const before = await matvec(2, 2);
    assert.notEqual((await agreed("&iterations=20")).time_s, before.time_s);
    assert.ok((await agreed("&what_if.network.protocols.all.off_node.latency_s=1")).time_s > before.time_s);
    await save(5);
    await matvec(3, 3);
    assert.equal((await api.delete(last, { token: admin })).status, 204);
    await matvec(2, 3);
    await api.put(machine, { nodes: 1 }, { token });
    assert.ok((await agreed()).warnings.some(({ code }) => code === "exceeds_machine"));
    calibration.network.protocols[0].off_node.latency_s = 1;
    assert.equal((await api.upload(JSON.stringify(calibration), token)).status, 201);
    assert.ok((await matvec(2, 3)).time_s > before.time_s + 10);
});

test("arbitrary bytes in a filter are only values", async () => {
    const had = await count();
    for (const query of ["n=1'%20OR%201=1--", "variant=%22%5D%7D", "%24.n=1", "n%22%3A%5B1%5D%7D=1", "model=' OR 1=1".replaceAll(" ", "%20"),
        "from=2026-01-01'--", "cursor=1;DROP%20TABLE%20runs", "machine=worked"]) {
        const answer = await api.get(`${RUNS}?${query}`);
        assert.ok([400, 422].includes(answer.status), `${query}: ${answer.status} ${answer.text.slice(0, 200)}`);
        assertProblem(answer, answer.status);
    }
    assert.equal(await count(), had);
});

test("runs are deleted with their machine", async () => {
    await api.put("/api/v1/machines/leaving", {}, { token });
    const { headers: { location } } = await api.post("/api/v1/machines/leaving/runs", runOf(4000), { token });
    assert.equal((await api.get(location)).json.calibration, null);
    assert.equal((await api.delete("/api/v1/machines/leaving", { token: admin })).status, 409);
    assert.equal((await api.delete("/api/v1/machines/leaving?cascade=true", { token: admin })).status, 204);
    assert.equal((await api.get(location)).status, 404);
});
