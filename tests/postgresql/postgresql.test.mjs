// What only a daemon on PostgreSQL does: lost connections, several processes, no passwords.
// tests/postgresql.sh runs it beside a server.
import assert from "node:assert/strict";
import { execFileSync, execSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { assertProblem, client, worked } from "../api/client.mjs";
import { forerund, isPostgresql, startDaemon, temporaryFolder, until } from "../daemon.mjs";

assert.ok(isPostgresql, "run it by `make check-postgresql-short`");
const psql = (command) => execFileSync("psql", ["-qXAtd", "postgres", "-c", command]).toString();
const WRITING = "7381240987123453001"; // the lock of those who write, server/store/postgresql/postgresql.c
const control = (word) => execSync(`${process.env.FORERUN_PG_CTL} ${word}`, { stdio: "ignore" });

let daemon, api, write, admin;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    write = await daemon.token("write", "writer");
    admin = await daemon.token("admin", "root");
    assert.equal((await api.upload(JSON.parse(worked), write)).status, 201);
});
after(() => daemon?.stop());

const name = () => new URL(daemon.db).pathname.slice(1);
const run = (job) => ({ model: "cholesky", parameters: { variant: "2d", n: 4000, processes: 16, threads: 4, blocks_per_process: 2 }, time_s: 1, job });
const post = (job) => api.post("/api/v1/machines/worked/runs", run(job), { token: write });

/** Asks until the answer has the status; every other answer is 503. */
const eventually = (ask, status) => until(`an answer ${status}`, async () => {
    const answer = await ask();
    if (answer.status === status) return answer;
    assertProblem(answer, 503);
});

test("connections that the server ends are made again, and no client notices", async () => {
    assert.equal((await post("before")).status, 201);
    const ended = psql(`SELECT COUNT(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '${name()}'`);
    assert.ok(Number(ended) > 3, `${ended} connections`);
    assert.equal((await api.get("/api/v1/machines/worked")).json.runs, 1);
    assert.equal((await post("after")).status, 201);
    assert.equal((await api.get("/api/v1/machines/worked")).json.runs, 2);
});

test("while the server is down the answer is 503 with Retry-After, and recovery needs no restart", async () => {
    control("stop");
    try {
        const read = await api.get("/api/v1/machines/worked");
        assertProblem(read, 503);
        assert.ok(read.headers["retry-after"]);
        assertProblem(await post("down"), 503);
        assertProblem(await api.get("/readyz"), 503);
        assert.equal((await api.get("/healthz")).status, 200);
        assert.equal((await api.get("/api/v1/models")).status, 200);
    } finally {
        control("start");
    }
    await eventually(() => api.get("/readyz"), 200);
    assert.equal((await eventually(() => post("up"), 201)).status, 201);
    assert.deepEqual((await eventually(() => api.get("/api/v1/machines/worked/runs"), 200)).json.items.map(({ job }) => job), ["up", "after", "before"]);
});

test("what another process writes is seen, also after connections were lost", async () => {
    const known = { ...JSON.parse(worked), machine: "other" };
    psql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`);
    const folder = await temporaryFolder();
    writeFileSync(folder.file("other.json"), JSON.stringify(known));
    const imported = await forerund(["import", "--db", daemon.db, folder.file("other.json")]);
    await folder.remove();
    assert.equal(imported.code, 0, imported.stderr);
    const ask = () => api.get("/api/v1/predict/matmul?machine=other&algorithm=cannon&variant=2d&n=1000&processes=4");
    await until("the catalog is read again", async () => (await ask()).status === 200);
});

test("runs that somebody adds and deletes by SQL are counted and seen", async () => {
    const sql = (command) => execFileSync("psql", ["-qXAtd", name(), "-v", "ON_ERROR_STOP=1", "-c", command]).toString();
    const seen = async () => {
        const [machine, runs] = await Promise.all(["", "/runs"].map((more) => api.get(`/api/v1/machines/worked${more}`)));
        assert.equal(runs.json.items.length, machine.json.runs);
        return machine.json.runs;
    };
    const before = await seen();
    assert.ok(before);
    sql(`INSERT INTO runs (id, machine, model, uploaded_at, job, parameters, time_s, document)
        SELECT 'feedfeedfeedfee' || number, machine, model, uploaded_at, 'by SQL', parameters, time_s, document
        FROM (SELECT * FROM runs WHERE machine = 'worked' LIMIT 1) AS one, generate_series(1, 3) AS number`);
    assert.equal(await seen(), before + 3);
    assert.equal((await api.get("/api/v1/runs/feedfeedfeedfee2")).json.time_s, 1);
    sql("DELETE FROM runs WHERE id IN ('feedfeedfeedfee1', 'feedfeedfeedfee3')");
    assert.equal(await seen(), before + 1);
});

test("a URL with a password is refused and not repeated", async () => {
    for (const url of ["postgresql://u:hunter2@localhost/x", "postgres:///x?password=hunter2"]) {
        const refused = await forerund(["--listen", "127.0.0.1:0", "--db", url]);
        assert.notEqual(refused.code, 0);
        assert.match(refused.stderr, /holds a password.*PGPASSFILE/);
        assert.ok(!(refused.stderr + refused.stdout).includes("hunter2"), refused.stderr);
    }
});

test("what the tools of PostgreSQL do is left to them, with their names", async () => {
    for (const [args, tool] of [
        [["backup", "--db", daemon.db, "/tmp/forerun-never"], /pg_dump/],
        [["restore", "--db", daemon.db, "--from", "/tmp/forerun-never"], /pg_restore/],
        [["check", "--db", daemon.db], /pg_amcheck/],
    ]) {
        const left = await forerund(args);
        assert.notEqual(left.code, 0);
        assert.match(left.stderr, tool);
    }
});

test("the doctor tells a server that is well from one that does not answer and one without our tables", async (t) => {
    const doctor = async (db) => (await forerund(["doctor", "--db", db, "--static", "static", "--calibrations", "calibrations/sets"])).stdout;
    const well = await doctor(daemon.db);
    assert.match(well, /^ok schema: version [0-9]+$/m);
    assert.match(well, /^ok store: it answers, and takes writes$/m);
    const absent = await doctor(`${daemon.db}_absent`);
    assert.match(absent, /^fault schema: the server does not answer, refuses this user, or takes no writes/m);
    assert.doesNotMatch(absent, / store:|backup/);
    psql(`CREATE DATABASE ${name()}_empty`);
    t.after(() => psql(`DROP DATABASE ${name()}_empty`));
    assert.match(await doctor(`${daemon.db}_empty`), /^fault schema: the database has no tables of forerund/m);
});

test("a server that takes no writes, as a standby, is none to be ready on", async () => {
    const set = (value) => {
        psql(`ALTER DATABASE ${name()} SET default_transaction_read_only = ${value}`);
        psql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name()}'`);
    };
    set("on");
    try {
        assertProblem(await eventually(() => api.get("/readyz"), 503), 503);
        const said = await forerund(["doctor", "--db", daemon.db, "--static", "static", "--calibrations", "calibrations/sets"]);
        assert.match(said.stderr, /read-only/);
        assert.match(said.stdout, /^fault schema: the server does not answer/m);
    } finally {
        set("off");
    }
    await eventually(() => api.get("/readyz"), 200);
    await eventually(() => post("written again"), 201);
});

test("a schema that becomes newer while a daemon waits to bring it up to date stays as it is", async (t) => {
    const version = () => Number(execFileSync("psql", ["-qXAtd", name(), "-c", "SELECT version FROM forerun_schema"]));
    const known = version(), newest = known + 900;
    const other = spawn("psql", ["-qXAtd", name(), "-v", "ON_ERROR_STOP=1"], { stdio: ["pipe", "pipe", "inherit"] });
    t.after(async () => {
        await write(`UPDATE forerun_schema SET version = ${known}`);
        other.kill();
    });
    const write = (command) => new Promise((done) => {
        other.stdout.once("data", done);
        other.stdin.write(`${command};\n\\echo done\n`);
    });
    const waiting = () => Number(psql("SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"));
    await write(`UPDATE forerun_schema SET version = ${known - 1}`);
    await write(`BEGIN; SELECT FROM pg_advisory_xact_lock(${WRITING})`);
    const refused = forerund(["serve", "--db", daemon.db, "--listen", "127.0.0.1:0"]);
    await until("it waits", waiting);
    await write(`UPDATE forerun_schema SET version = ${newest}; COMMIT`);
    const { code, stderr } = await refused;
    assert.equal(version(), newest);
    assert.equal(code, 1);
    assert.match(stderr, /schema version 90[0-9]/);
});

test("a command leaves the schema of an older version to its daemons", async () => {
    const add = (count) => execFileSync("psql", ["-qXAtd", name(), "-c", `UPDATE forerun_schema SET version = version + ${count} RETURNING version`]).toString();
    const older = Number(add(-1));
    const refused = await forerund(["token", "list", "--db", daemon.db]);
    assert.equal(Number(add(1)), older + 1);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /start the daemon of this version/);
});

test("a newer schema is refused, and so is a server that is not there", async () => {
    const there = new URL(daemon.db);
    const add = (count) => execFileSync("psql", ["-qXd", name(), "-c", `UPDATE forerun_schema SET version = version + ${count}`]);
    add(900);
    const newer = await forerund(["token", "list", "--db", daemon.db]);
    add(-900);
    assert.notEqual(newer.code, 0);
    assert.match(newer.stderr, /schema version 90[0-9]/);
    const missing = await forerund(["token", "list", "--db", `postgresql:///${there.pathname.slice(1)}_not`]);
    assert.notEqual(missing.code, 0);
    assert.match(missing.stderr, /does not exist/);
});
