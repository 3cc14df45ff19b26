// Answers in lines: progress, rows as they are found, the answer; and work that nobody waits for.
import assert from "node:assert/strict";
import { Agent, get as httpGet } from "node:http";
import { after, before, test } from "node:test";
import { startDaemon, until } from "../daemon.mjs";
import { assertProblem, client } from "./client.mjs";
import { standingClock } from "./clock.mjs";
import { document } from "./document.mjs";
import { compileSchemas } from "./schemas.mjs";

const LINES = { Accept: "application/x-ndjson" };
const SHORT = "machine=example&n=1000&processes=4&limit=3";
const LONG = "machine=example&n=40000&processes=64&limit=3";
const LONGER = "machine=example&n=100000&max_nodes=512"; // more than ten
const TOO_LONG = "machine=example&n=1000..30000..500&processes=64&tune=true";

let clock, daemon, api, ajv;
before(async () => {
    clock = await standingClock();
    daemon = await startDaemon({ env: clock.env, args: ["--header-timeout-s", "86400", "--idle-timeout-s", "86400"] });
    api = client(daemon.url);
    ajv = compileSchemas(document);
});
after(async () => {
    await daemon?.stop();
    await clock?.remove();
});

/** From now on progress is told whenever the work looks at the clock. */
const hurry = () => clock.step(0.1);

/** The lines of an answer, each checked against its schema: [[member, value], …]. */
function linesOf(answer) {
    assert.equal(answer.status, 200, answer.text.slice(0, 300));
    assert.equal(answer.headers["content-type"], "application/x-ndjson");
    assert.ok(answer.text.endsWith("\n"));
    return answer.text.slice(0, -1).split("\n").map((text) => {
        const line = JSON.parse(text);
        ajv.check({ $ref: "#/components/schemas/Line" }, line, "a line");
        return Object.entries(line)[0];
    });
}

const members = (lines) => lines.map(([member]) => member);

/** Waits for the first bytes of an answer; returns how to leave. */
const begun = (path) => new Promise((done, fail) => {
    const request = httpGet(daemon.url + path, (answer) => answer.once("data", () => done(() => request.destroy())).on("error", () => {}));
    request.on("error", fail);
});

const metric = async (pattern) => Number((await api.get("/metrics")).text.match(pattern)?.[1] ?? 0);
const busy = () => metric(/^forerun_workers_busy (\d+)$/m);
const predicted = () => metric(/^forerun_predictions_total\{model="hpl"\} (\d+)$/m);

/** Long work, and the predictions that it counts at least if it comes to its end. */
const LONG_WORK = [[`/api/v1/sweep/hpl.ndjson?${TOO_LONG}`, 59], [`/api/v1/recommend/hpl.ndjson?${LONGER}`, 1]];

/** Begins work, leaves, and checks that it ends before it is done. */
async function leaves(path, all, begin) {
    const before = await predicted(), leave = await begin(path);
    assert.equal(await busy(), 1);
    leave();
    await until(`${path} ends`, async () => !await busy());
    assert.ok(await predicted() < before + all, path);
}

test("a short ranking is one line, the JSON answer, with a tag", async () => {
    const answer = await api.get(`/api/v1/rank/hpl.ndjson?${SHORT}`);
    assert.deepEqual(linesOf(answer), [["answer", (await api.get(`/api/v1/rank/hpl?${SHORT}`)).json]]);
    const tag = answer.headers.etag;
    assert.equal((await api.get(`/api/v1/rank/hpl?${SHORT}`, { headers: { ...LINES, "If-None-Match": tag } })).status, 304);
    assert.equal((await api.get(`/api/v1/rank/hpl?${SHORT}`, { headers: { "If-None-Match": tag } })).status, 200, "JSON has another tag");
});

test("a long ranking tells how far it has come, and ends with the JSON answer", async () => {
    hurry();
    const answer = await api.get(`/api/v1/rank/hpl?${LONG}`, { headers: LINES });
    const lines = linesOf(answer), [last, ...others] = lines.reverse();
    assert.equal(answer.headers.etag, undefined);
    assert.deepEqual(last, ["answer", (await api.get(`/api/v1/rank/hpl?${LONG}`)).json]);
    assert.ok(others.length >= 2);
    const rough = 0.03; /* predictions are at first right within this, so the best may get slower by it */
    let { considered } = last[1], time = last[1].rows[0].time_s, tried = Infinity;
    for (const [member, progress] of others) {
        assert.equal(member, "progress");
        assert.ok(progress.considered <= considered);
        considered = progress.considered;
        assert.ok(progress.considered <= progress.tried && progress.tried <= tried && progress.tried <= progress.configurations, JSON.stringify(progress));
        tried = progress.tried;
        if (!progress.best) continue;
        assert.ok(progress.best.time_s >= (1 - rough) * time);
        time = progress.best.time_s;
    }
    assert.ok(others.some(([, { best }]) => best?.block_size), "the best so far");
});

test("a sweep has its rows in lines", async () => {
    const query = "machine=example&n=1000,2000&processes=4&block_size=32,64&process_rows=2,3";
    const lines = linesOf(await api.get(`/api/v1/sweep/hpl?${query}`, { headers: LINES }));
    const { rows, ...rest } = (await api.get(`/api/v1/sweep/hpl?${query}`)).json;
    assert.equal(rows.length, 8);
    assert.ok(rows.some((row) => row.error) && rows.some((row) => !row.error));
    assert.deepEqual(lines, [...rows.map((row) => ["row", row]), ["answer", rest]]);
});

test("a recommendation ends with the JSON answer", async () => {
    const query = "machine=example&n=8000&max_nodes=8&block_size=64";
    const lines = linesOf(await api.get(`/api/v1/recommend/hpl?${query}`, { headers: LINES }));
    assert.deepEqual(lines.pop(), ["answer", (await api.get(`/api/v1/recommend/hpl?${query}`)).json]);
    assert.ok(members(lines).every((each) => each === "progress"));
});

test("progress does not break into an answer whose intervals come from saved runs", async () => {
    const path = "/api/v1/recommend/hpl?machine=example&n=4000&objective=nodes&deadline_s=60&limit=3";
    const runs = Array.from({ length: 30 }, (_, i) => ({ model: "hpl", time_s: 100 + i, started_at: `2026-11-${10 + i % 9}T10:00:00Z`,
        parameters: { n: 4000 + 200 * (i % 4), block_size: 128, process_rows: 2, process_columns: 2, threads: 1 } }));
    assert.equal((await api.post("/api/v1/machines/example/runs", runs, { token: await daemon.token("write") })).status, 201);
    hurry();
    const lines = linesOf(await api.get(path, { headers: LINES }));
    assert.ok(lines.length > 1);
    assert.deepEqual(lines.at(-1), ["answer", (await api.get(path)).json]);
});

test("what is refused before the first line has its status", async () => {
    assertProblem(await api.get("/api/v1/rank/hpl.ndjson?machine=example&n=1000&processes=4&block_size=-1"), 422);
    assertProblem(await api.get("/api/v1/sweep/hpl.ndjson?machine=example&n=1000&processes=4&process_rows=3"), 422);
    assertProblem(await api.get("/api/v1/rank/none.ndjson?machine=example"), 404);
});

test("lines are offered where the work may be long, and HEAD has none", async () => {
    assert.match(assertProblem(await api.get("/api/v1/predict/hpl.ndjson?machine=example"), 406).detail, /available as json, csv, txt, dat, slurm, pbs, lsf, reframe;/);
    assertProblem(await api.get("/api/v1/machines", { headers: LINES }), 406);
    assert.equal((await api.get(`/api/v1/rank/hpl?${SHORT}`, { headers: { Accept: "*/*" } })).headers["content-type"], "application/json");
    const head = await api.head(`/api/v1/sweep/hpl.ndjson?${SHORT.replace("&limit=3", "")}&block_size=32,64&process_rows=2`);
    assert.equal(head.status, 200);
    assert.equal(head.headers["content-type"], "application/x-ndjson");
    assert.equal(head.text, "");
});

test("a connection goes on after lines", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = 0; i < 3; i++) {
        linesOf(await api.get("/api/v1/sweep/hpl.ndjson?machine=example&n=1000&processes=4&block_size=32,64&process_rows=2", { agent }));
        assert.equal((await api.get("/healthz", { agent })).status, 200);
    }
    agent.destroy();
});

test("work ends when the client of lines leaves", async () => {
    hurry();
    for (const [path, all] of LONG_WORK) await leaves(path, all, begun);
});

test("work ends when the client of another format leaves", async () => {
    const begin = async (path) => {
        const request = httpGet(daemon.url + path).on("error", () => {});
        await until(`${path} begins`, busy);
        return () => request.destroy();
    };
    for (const [path, all] of LONG_WORK) await leaves(path.replace(".ndjson", path.includes("sweep") ? ".csv" : ""), all, begin);
});
