// Several daemons on one database: what one writes the others read, an analysis is taken once, and
// taken over from a daemon that is gone.  tests/postgresql.sh runs it beside a server.
import assert from "node:assert/strict";
import { execFileSync, execSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { after, before, test } from "node:test";
import { assertProblem, worked } from "../api/client.mjs";
import { gatedProgram, standingClock } from "../api/clock.mjs";
import { fake, idOf, serve, small } from "../api/matrix_server.mjs";
import { isPostgresql, until } from "../daemon.mjs";

assert.ok(isPostgresql, "run it by `make check-postgresql-short`");
const control = (word) => execSync(`${process.env.FORERUN_PG_CTL} ${word}`, { stdio: "ignore" });
const run = (job) => ({ model: "cholesky", parameters: { variant: "2d", n: 4000, processes: 16, threads: 4, blocks_per_process: 2 }, time_s: 1, job });
const CHOLESKY = "/api/v1/predict/cholesky?machine=worked&variant=2d&n=4000&processes=16&threads=4&blocks_per_process=2";
const PREDICT = "/api/v1/predict/matmul?machine=worked&algorithm=cannon&variant=2d&n=1000&processes=4";

let clock, a, b, admin;
const gates = {};

/** How many processes have a word. The daemon names the script in its own words, too. */
const processesWith = (word) => readdirSync("/proc").filter((pid) => /^[0-9]+$/.test(pid)).filter((pid) => {
    try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words.includes(word) && !words.includes("--analyze-program");
    } catch {
        return false; // it has ended
    }
}).length;

/** A daemon whose analyses wait at a gate; at most one at a time, beside natural orderings. */
const gated = (gate, options) =>
    serve({ args: ["--analyze-program", gate.program, "--child-folders", `${gate.folder}:${dirname(fake)}`, "--analyses-at-once", "1"], ...options });
const ANY = 1000; // analyses that a gate lets through

/** Time passes for the daemons that have the clock: after a failure one waits a second before it tries again. */
const becomes = (it, path, status) => until(`${path} is ${status}`, async () => {
    clock.pass(1);
    return (await it.api.get(path)).status === status;
});

/** Two matrices, each of which one of the two daemons analyzes and waits for its gate. */
async function oneEach() {
    const before = { a: processesWith(gates.a.program), b: processesWith(gates.b.program) };
    const ids = [];
    for (const it of [a, b]) {
        const matrix = small();
        assert.equal((await it.upload(matrix, "?orderings=metis")).status, 202);
        ids.push(idOf(matrix));
    }
    await until("each daemon has one", () => ["a", "b"].every((it) => processesWith(gates[it].program) > before[it]));
    return ids;
}

/** How often the daemons have stored a result of this matrix. */
const kept = (id, ...logs) => logs.join("").split("\n").filter((line) => line.includes(id) && line.includes("event=analysis") && line.includes("is_kept=true")).length;

before(async () => {
    clock = await standingClock();
    for (const name of ["a", "b"]) gates[name] = await gatedProgram(`${name}.sh`, `exec ${fake} "$@"`);
    b = await gated(gates.b);
    a = await gated(gates.a, { db: b.daemon.db });
    admin = await a.daemon.token("admin", "root");
});
after(async () => {
    await a?.daemon.stop();
    await b?.daemon.stop();
    await Promise.all([clock, gates.a, gates.b].map((it) => it?.remove()));
});

test("what is written at one daemon is read at the other", async () => {
    assert.equal((await b.api.get(PREDICT)).status, 422);
    const posted = await a.api.upload(JSON.parse(worked), a.token);
    assert.equal(posted.status, 201);
    await becomes(b, PREDICT, 200);
    // What the store answers is there at once, also a token and a machine's new run.
    assert.equal((await b.api.post("/api/v1/machines/worked/runs", run("at b"), { token: a.token })).status, 201);
    assert.deepEqual((await a.api.get("/api/v1/machines/worked/runs")).json.items.map(({ job }) => job), ["at b"]);
    // What is kept in memory follows: the errors of saved runs, and the newest calibration.
    const interval = async (it) => (await it.api.get(CHOLESKY)).json.interval;
    assert.deepEqual([await interval(a), await interval(b)], [null, null]);
    const runs = Array.from({ length: 40 }, (_, i) => ({ ...run(`batch ${i}`), time_s: 1 + i / 100 }));
    assert.equal((await a.api.post("/api/v1/machines/worked/runs", runs, { token: a.token })).status, 201);
    await until("both know the runs", async () => await interval(a) && await interval(b));
    assert.deepEqual(await interval(a), await interval(b));
    const newer = { ...JSON.parse(worked), description: "another" };
    const second = await b.api.upload(newer, b.token);
    assert.equal(second.status, 201);
    const newest = async () => (await a.api.get(PREDICT)).json.calibration;
    await until("the newer calibration answers", async () => JSON.stringify(await newest()).includes(second.json.id));
    assert.equal((await b.api.delete(`/api/v1/calibrations/${second.json.id}`, { token: admin })).status, 204);
    await until("the older one answers again", async () => JSON.stringify(await newest()).includes(posted.json.id));
    assert.equal((await a.api.delete("/api/v1/machines/worked?cascade=true", { token: admin })).status, 204);
    await becomes(b, PREDICT, 422);
});

test("each analysis is taken by one daemon, whoever got the matrix", async () => {
    const ids = await oneEach();
    gates.a.pass(ANY);
    gates.b.pass(ANY);
    for (const id of ids) assert.equal((await a.ended(id)).status, "ready");
    const more = [];
    for (let i = 0; i < 6; i++) {
        const matrix = small();
        assert.equal((await (i % 2 ? a : b).upload(matrix)).status, 202);
        more.push(idOf(matrix));
    }
    for (const id of more) {
        const { orderings } = await b.ended(id);
        await until("all results are logged", () => kept(id, a.daemon.log(), b.daemon.log()) >= orderings.length);
        assert.equal(kept(id, a.daemon.log(), b.daemon.log()), orderings.length);
        assert.ok(orderings.every(({ status }) => status === "ready"));
    }
});

test("partitions are found once and known to both", async () => {
    const matrix = small();
    assert.equal((await a.upload(matrix)).status, 202);
    const id = idOf(matrix);
    await b.ended(id);
    const path = `/api/v1/matrices/${id}/partitions?partition=metis&processes=1,2`;
    const [one, other] = await Promise.all([a.api.get(path), b.api.get(path)]);
    for (const answer of [one, other]) assert.ok([200, 202].includes(answer.status), answer.text);
    await until("both are ready", async () => (await Promise.all([a, b].map((it) => it.api.get(path)))).every(({ text }) => text.match(/"ready"/g)?.length === 2));
    const logged = (a.daemon.log() + b.daemon.log()).split("\n").filter((line) => line.includes(id) && line.includes("processes"));
    assert.equal(logged.length, 2, logged.join("\n"));
});

/** Stops all processes of the server that serve the tests' database; returns what lets them go on. */
function hang() {
    const name = new URL(b.daemon.db).pathname.slice(1);
    const master = readFileSync(`${process.env.PGHOST}/data/postmaster.pid`, "utf8").split("\n")[0];
    const pids = execFileSync("psql", ["-qXAtd", "postgres", "-c", `SELECT pid FROM pg_stat_activity WHERE datname = '${name}'`]).toString();
    const all = [master, ...pids.trim().split("\n")].map(Number);
    for (const pid of all) process.kill(pid, "SIGSTOP");
    return () => {
        for (const pid of all.reverse()) process.kill(pid, "SIGCONT");
    };
}

/** What a promise gives while time passes. */
async function whileTimePasses(promise, seconds = 1) {
    let isOver = false;
    const over = () => (isOver = true);
    promise.then(over, over);
    await until("it is over", () => {
        clock.pass(seconds);
        return isOver;
    });
    return promise;
}

test("a server that hangs holds no request for longer than its limit", async () => {
    const patient = await serve({ db: `${b.daemon.db}?options=-c%20statement_timeout%3D2000`, env: clock.env });
    assert.equal((await b.api.upload({ ...JSON.parse(worked), machine: "late" }, b.token)).status, 201);
    const known = PREDICT.replace("worked", "late");
    await becomes(patient, known, 200);
    const goOn = hang();
    try {
        const asked = ["/api/v1/machines/late/runs", "/readyz"].map((path) => patient.api.get(path));
        for (const answer of await whileTimePasses(Promise.all(asked))) assertProblem(answer, 503);
        assert.equal((await patient.api.get(known)).status, 200);
        assert.match(patient.daemon.log(), /no answer within 4000 ms/);
        // Connections that were given up are made again one by one: a single thread waits for the server.
        await until("a thread waits for another", async () => {
            const asked = [1, 2, 3, 4].map((limit) => patient.api.get(`/api/v1/machines/late/runs?limit=${limit}`));
            for (const answer of await whileTimePasses(Promise.all(asked))) assertProblem(answer, 503);
            return patient.daemon.log().includes("another thread waits for a connection");
        });
    } finally {
        goOn();
    }
    await Promise.all([patient, a, b].map((it) => becomes(it, "/readyz", 200)));
    await becomes(patient, "/api/v1/machines/late/runs", 200);
    await patient.daemon.stop();
});

test("nor does it hold them where the URL lifts the limit", async () => {
    const endless = await serve({ db: `${b.daemon.db}?options=-c%20statement_timeout%3D0`, env: clock.env });
    await becomes(endless, "/api/v1/machines/late/runs", 200);
    const goOn = hang();
    try {
        assertProblem(await whileTimePasses(endless.api.get("/api/v1/machines/late/runs")), 503);
        assert.match(endless.daemon.log(), /no answer within 32000 ms/);
    } finally {
        goOn();
    }
    await Promise.all([endless, a, b].map((it) => becomes(it, "/readyz", 200)));
    await endless.daemon.stop();
});

test("a daemon ends soon after its limit for requests although the server hangs", async () => {
    const leaving = await serve({ db: b.daemon.db, args: ["--drain-timeout-s", "1"], env: clock.env });
    await becomes(leaving, "/readyz", 200);
    const goOn = hang();
    try {
        const asked = leaving.api.get("/api/v1/machines").catch(() => null);
        await until("a worker waits", async () => /^forerun_workers_busy 1$/m.test((await leaving.api.get("/metrics")).text));
        const stopped = leaving.daemon.stop();
        await until("the limit for requests is over", () => leaving.daemon.log().includes("some requests did not end in time"));
        await whileTimePasses(stopped, 0.05);
        await asked;
        assert.match(leaving.daemon.log(), /no answer, and the daemon stops/);
        assert.doesNotMatch(leaving.daemon.log(), /no answer within/, "a statement may take 32 s");
    } finally {
        goOn();
    }
    await Promise.all([a, b].map((it) => becomes(it, "/readyz", 200)));
});

test("a result that the server refuses is found three times, and others go on", async () => {
    const refused = small(), good = small(), name = new URL(b.daemon.db).pathname.slice(1);
    const psql = (command) => execFileSync("psql", ["-qXd", name, "-v", "ON_ERROR_STOP=1", "-c", command]);
    psql(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused' USING ERRCODE = '22021'; END $$;
        CREATE TRIGGER refuse BEFORE UPDATE ON matrices FOR EACH ROW WHEN (NEW.id = '${idOf(refused)}') EXECUTE FUNCTION refuse()`);
    for (const gate of [gates.a, gates.b]) gate.pass(ANY);
    for (const matrix of [refused, good]) assert.equal((await b.upload(matrix, "?orderings=metis")).status, 202);
    assert.equal((await b.ended(idOf(good))).status, "ready");
    const { status, orderings: [{ reason }] } = await b.ended(idOf(refused));
    assert.equal(status, "failed");
    assert.match(reason, /^the database refused the result each time/);
    const lost = (a.daemon.log() + b.daemon.log()).split("\n").filter((line) => line.includes(idOf(refused)) && line.includes("is_kept=false"));
    assert.equal(lost.length, 3, lost.join("\n"));
    psql("DROP TRIGGER refuse ON matrices; DROP FUNCTION refuse()");
    assert.equal((await b.upload(refused, "?orderings=metis")).status, 200);
    await until("the same file is tried again", async () => (await b.ended(idOf(refused))).status === "ready");
});

test("an analysis whose daemon is killed is taken over", async () => {
    gates.a.shut();
    gates.b.shut();
    const ids = await oneEach();
    a.daemon.process.kill("SIGKILL");
    await a.daemon.exited;
    gates.b.pass(ANY);
    for (const id of ids) {
        assert.equal((await b.ended(id)).status, "ready");
        await until("the result is logged", () => kept(id, b.daemon.log()) === 1);
    }
    a = await gated(gates.a, { db: b.daemon.db });
});

test("when the server comes back both serve again, and every analysis ends once", async () => {
    gates.a.shut();
    gates.b.shut();
    const ids = await oneEach();
    control("stop");
    try {
        for (const it of [a, b]) assertProblem(await it.api.get("/readyz"), 503);
        gates.a.pass(ANY); // a result that cannot be stored is found again
    } finally {
        control("start");
    }
    await Promise.all([a, b].map((it) => becomes(it, "/readyz", 200)));
    gates.b.pass(ANY);
    for (const id of ids) {
        assert.equal((await a.ended(id)).status, "ready");
        await until("the result is logged", () => kept(id, a.daemon.log(), b.daemon.log()) > 0);
        assert.equal(kept(id, a.daemon.log(), b.daemon.log()), 1);
    }
    // A worker that has just failed to connect waits a second before it tries again.
    await until("the upload is taken", async () => {
        const answer = await b.api.upload({ ...JSON.parse(worked), machine: "last" }, b.token);
        if (answer.status !== 201) assertProblem(answer, 503);
        return answer.status === 201;
    });
    await becomes(a, PREDICT.replace("worked", "last"), 200);
});
