// `forerund migrate`: from a file into a database of PostgreSQL.  tests/postgresql.sh runs it beside a server.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, test } from "node:test";
import { client, worked } from "../api/client.mjs";
import { fake, idOf, serve, small } from "../api/matrix_server.mjs";
import { forerund, isPostgresql, startDaemon, temporaryFolder, until } from "../daemon.mjs";

assert.ok(isPostgresql, "run it by `make check-postgresql-short`");
const name = `migrated_${process.pid}`, url = process.env.FORERUN_POSTGRESQL + name;
const psql = (command, database = name) => execFileSync("psql", ["-qXAtd", database, "-v", "ON_ERROR_STOP=1", "-c", command]).toString().trim();
const migrate = (from, to) => forerund(["migrate", "--from", from, "--to", to]);
const run = (job, more) => ({ model: "matmul", parameters: { algorithm: "cannon", variant: "2d", n: 1000, processes: 4, step_barriers: true }, time_s: 0.1 + 0.2, job, ...more });

let folder, it, matrix, kept;
before(async () => {
    folder = await temporaryFolder();
    psql(`CREATE DATABASE ${name}`, "postgres");
    it = await serve({ db: folder.file("old.db") });
    const admin = await it.daemon.token("admin", "root");
    const post = (body) => it.api.post("/api/v1/machines/worked/runs", body, { token: it.token });
    assert.equal((await it.api.upload(worked, it.token)).status, 201);
    const posted = await post(Array.from({ length: 450 }, (_, i) => run(`job ${i} ÄÖ "`, { time_s: 1 / (i + 3) })));
    assert.equal(posted.status, 201, posted.text);
    const idOfRun = async (job) => (await post(run(job, { started_at: "2026-01-02T03:04:05Z" }))).json.items[0].id;
    const gone = await idOfRun("deleted");
    kept = await idOfRun("kept");
    for (const id of [gone, await idOfRun("newest")])
        assert.equal((await it.api.delete(`/api/v1/runs/${id}`, { token: admin })).status, 204);
    matrix = small();
    assert.equal((await it.upload(matrix)).status, 202);
    assert.equal((await it.ended(idOf(matrix))).status, "ready");
    const parts = `/api/v1/matrices/${idOf(matrix)}/partitions?partition=metis&processes=1,2`;
    await until("the partitions are ready", async () => /ready.*ready/s.test((await it.api.get(parts)).text));
});
after(async () => {
    await it?.daemon.stop();
    psql(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, "postgres");
    await folder?.remove();
});

test("the wrong way round, without a file, or into nothing, it says what is wrong", async () => {
    for (const [from, to, message] of [[url, url, /--from FILE and --to/], [it.daemon.db, it.daemon.db, /--from FILE and --to/],
        [folder.file("none.db"), url, /none[.]db: No such file/], [it.daemon.db, `${url}_not`, /does not exist/]]) {
        const refused = await migrate(from, to);
        assert.notEqual(refused.code, 0);
        assert.match(refused.stderr, message);
    }
});

test("a row that arrives otherwise than it left is found, and nothing stays", async () => {
    assert.equal((await forerund(["token", "list", "--db", url])).code, 0); // makes the tables
    psql(`CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.time_s := NEW.time_s * 1.0000000000000002; RETURN NEW; END $$;
        CREATE TRIGGER spoil BEFORE INSERT ON runs FOR EACH ROW WHEN (NEW.job = 'kept') EXECUTE FUNCTION spoil()`);
    const refused = await migrate(it.daemon.db, url);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /runs: row 451 differs after the copy; nothing was changed/);
    assert.equal(psql("SELECT COUNT(*) FROM machines"), "0");
    psql("DROP TRIGGER spoil ON runs");
});

test("everything moves while the daemon serves, and the new one answers alike", async () => {
    const done = await migrate(it.daemon.db, url);
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stdout, /^runs: 451 rows, the same in both$/m);
    assert.match(done.stdout, /^matrix_partition_facts: 2 rows, the same in both$/m);
    const daemon = await startDaemon({ db: url, calibrations: null, args: ["--analyze-program", fake] });
    const api = client(daemon.url), id = idOf(matrix);
    const paths = ["/api/v1/machines", "/api/v1/machines/worked", "/api/v1/machines/worked/calibrations", "/api/v1/machines/worked/runs?limit=500",
        "/api/v1/machines/worked/runs?step_barriers=true&limit=3", "/api/v1/machines/worked/runs?step_barriers=false", `/api/v1/runs/${kept}`,
        "/api/v1/machines/worked/accuracy", `/api/v1/matrices/${id}`, `/api/v1/matrices/${id}/structure?ordering=metis`, `/api/v1/matrices/${id}/partitions`,
        `/api/v1/matrices/${id}/spy`];
    for (const path of paths) {
        const [old, moved] = [await it.api.get(path), await api.get(path)];
        assert.equal(old.status, 200, `${path}: ${old.text}`);
        assert.equal(moved.text, old.text, path);
    }
    // What each token keeps has moved with what it uploaded.
    const keeps = async (db) => (await forerund(["token", "list", "--db", db])).stdout.trim().split("\n").map((line) => line.split("\t")).map((row) => [row[0], row[8], row[9]]);
    assert.deepEqual(await keeps(url), await keeps(it.daemon.db));
    assert.ok((await keeps(url)).some(([, kept]) => Number(kept) > 1000));
    const owned = "SELECT SUM(kept_bytes) FROM (SELECT kept_bytes FROM runs UNION ALL SELECT kept_bytes FROM calibrations UNION ALL SELECT kept_bytes FROM matrices) AS rows";
    assert.equal(psql("SELECT SUM(kept_bytes) FROM tokens"), psql(owned));
    // Tokens stay good; the number of a deleted run is not given again.
    assert.equal((await api.post("/api/v1/machines/worked/runs", run("new"), { token: it.token })).status, 201);
    assert.equal(psql("SELECT MAX(sequence) FROM runs"), "454");
    // What another analysis needs has moved too.
    const added = await api.post(`/api/v1/matrices/${id}/structures`, { ordering: "metis", supernode_max: 3, supernode_relax: 2 }, { token: it.token });
    assert.equal(added.status, 202, added.text);
    await daemon.stop();
    const again = await migrate(it.daemon.db, url);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /not empty; make a new one/);
});
