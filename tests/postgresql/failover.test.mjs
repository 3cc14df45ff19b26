// Failover: the primary is killed and its standby promoted, while two daemons serve that know both.
import assert from "node:assert/strict";
import { dirname } from "node:path";
import { after, before, test } from "node:test";
import { assertProblem, worked } from "../api/client.mjs";
import { gatedProgram } from "../api/clock.mjs";
import { fake, idOf, serve, small } from "../api/matrix_server.mjs";
import { isPostgresql, until } from "../daemon.mjs";
import { startPair } from "./pair.mjs";

assert.ok(isPostgresql, "run it by `make check-postgresql-short`");
const run = (job) => ({ model: "cholesky", parameters: { variant: "2d", n: 4000, processes: 16, threads: 4, blocks_per_process: 2 }, time_s: 1, job });
const WRITING = "7381240987123453001"; // the lock of whoever writes
const PREDICT = "/api/v1/predict/matmul?machine=worked&algorithm=cannon&variant=2d&n=1000&processes=4";

let pair, analyze, a, b;
before(async () => {
    pair = startPair();
    await until("the standby is synchronous", () => pair.psql("SELECT sync_state FROM pg_stat_replication") === "sync");
    pair.psql("CREATE DATABASE failover");
    const db = pair.url("failover");
    analyze = await gatedProgram("analyze.sh", `exec ${fake} "$@"`);
    const args = ["--analyze-program", analyze.program, "--child-folders", `${analyze.folder}:${dirname(fake)}`, "--analyses-at-once", "1"];
    a = await serve({ db, args });
    b = await serve({ db, args });
    assert.equal((await a.api.upload(JSON.parse(worked), a.token)).status, 201);
});
after(async () => {
    await a?.daemon.stop();
    await b?.daemon.stop();
    pair?.remove();
    await analyze?.remove();
});

/** A worker that has just failed to connect waits a second before it tries again. */
async function eventually(it, path) {
    let answer;
    await until(`an answer to ${path}`, async () => {
        answer = await it.api.get(path);
        if (answer.status !== 200) assertProblem(answer, 503);
        return answer.status === 200;
    });
    return answer;
}

/** Posts a run to each daemon in turn until `stop()`; resolves to the jobs that were confirmed. All else is 503. */
function write() {
    const confirmed = [];
    let stopped = false;
    const done = (async () => {
        for (let i = 0; !stopped; i++) {
            const job = `job ${i}`;
            const answer = await (i % 2 ? a : b).api.post("/api/v1/machines/worked/runs", run(job), { token: a.token });
            if (answer.status === 201) confirmed.push(job);
            else assertProblem(answer, 503);
        }
        return confirmed;
    })();
    return { confirmed, stop: () => (stopped = true, done) };
}

test("the daemons go on with the promoted standby, and what was confirmed is there", async () => {
    await until("the other daemon knows the machine", async () => (await b.api.get(PREDICT)).status === 200);
    const matrices = [small(), small()];
    for (const matrix of matrices) assert.equal((await a.upload(matrix, "?orderings=metis")).status, 202);
    await until("each daemon analyzes one", () => pair.psql("SELECT COUNT(DISTINCT claim) FROM matrix_orderings WHERE status = 'analyzing'", "failover") === "2");
    const writing = write();
    await until("some runs are confirmed", () => writing.confirmed.length >= 20);
    pair.kill();
    assertProblem(await a.api.post("/api/v1/machines/worked/runs", run("down"), { token: a.token }), 503);
    assertProblem(await b.api.get("/readyz"), 503);
    assert.equal((await b.api.get(PREDICT)).status, 200, "what is in memory is answered");
    const before = writing.confirmed.length;
    pair.promote();
    await until("runs are confirmed again", () => writing.confirmed.length >= before + 20);
    const confirmed = await writing.stop();
    for (const it of [a, b]) {
        await eventually(it, "/readyz");
        const items = [];
        for (let next = "/api/v1/machines/worked/runs?limit=500"; next;) {
            const { json } = await eventually(it, next);
            items.push(...json.items);
            next = json.next;
        }
        const jobs = items.map(({ job }) => job);
        assert.deepEqual(confirmed.filter((job) => !jobs.includes(job)), [], "lost");
        assert.equal(new Set(jobs).size, jobs.length, "twice");
    }
    // The daemon that is back first does not take the other for one that is gone.
    const claims = `SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid <> 0 AND (classid::bigint << 32 | objid::bigint) <> ${WRITING}`;
    await until("both claim their analyses", () => Number(pair.psql(claims)) >= 2);
    assert.equal(pair.psql("SELECT DISTINCT status || attempts FROM matrix_orderings", "failover"), "analyzing1");
    analyze.pass(2);
    for (const id of matrices.map(idOf)) {
        assert.equal((await a.ended(id)).status, "ready");
        const results = () => (a.daemon.log() + b.daemon.log()).split("\n").filter((line) => line.includes("event=analysis") && line.includes(id));
        await until("its result is logged", () => results().length > 0);
        assert.equal(results().length, 1, results().join("\n"));
    }
    assert.equal(pair.psql("SELECT pg_is_in_recovery()"), "f");
});
