// The database: restarts, kills, backups, restores, imports, and files that are none.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { symlink, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { forerund, isPostgresql, startDaemon, temporaryFolder } from "../daemon.mjs";
import { assertClose, assertProblem, client, worked } from "./client.mjs";

const cannon = "machine=worked&contention_model=paper&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4";
const workedFile = new URL("worked.json", import.meta.url).pathname;

let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

/** A database whose daemon was killed, and a backup of it when it had the machine `worked` alone. */
async function killedAfterBackup(name) {
    const db = folder.file(`${name}.db`), copy = folder.file(`${name}-backup.db`);
    let daemon = await startDaemon({ db, calibrations: null });
    const token = await daemon.token("write");
    assert.equal((await client(daemon.url).upload(worked, token)).status, 201);
    const made = await forerund(["backup", "--db", db, copy]);
    assert.equal(made.code, 0, made.stderr);
    const large = { ...JSON.parse(worked), machine: "later", description: "x".repeat(100_000) };
    assert.equal((await client(daemon.url).upload(large, token)).status, 201);
    await daemon.stop();
    daemon = await startDaemon({ db, calibrations: null });
    for (let i = 0; i < 20; i++) assert.equal((await client(daemon.url).put(`/api/v1/machines/m${i}`, {}, { token })).status, 201);
    assert.equal((await client(daemon.url).upload({ ...large, machine: "last" }, token)).status, 201);
    daemon.process.kill("SIGKILL");
    await daemon.exited;
    assert.ok(existsSync(`${db}-wal`));
    return { db, copy };
}

test("the doctor finds a daemon healthy while it runs, and damage a fault", async () => {
    const daemon = await startDaemon({ db: folder.file("doctor.db"), calibrations: null });
    const args = ["doctor", "--db", daemon.db, "--calibrations", "calibrations/sets", "--static", "static", "--uploads-limit-bytes", "1024"];
    const well = await forerund(args);
    assert.equal(well.code, 0, well.stdout);
    assert.deepEqual(well.stdout.trim().split("\n").map((line) => line.match(/^(ok|warning|fault) (\w+): ./)?.[2]),
        ["configuration", "permissions", "schema", "store", "disk", "clock", "gnuplot", "analysis"]);
    assert.equal((await client(daemon.url).put("/api/v1/machines/x", {}, { token: await daemon.token("write") })).status, 201);
    await daemon.stop();
    await writeFile(daemon.db, "no database");
    const ill = await forerund(args);
    assert.equal(ill.code, 1);
    assert.match(ill.stdout, /^fault schema: /m);
});

test("a restart keeps machines, calibrations and tokens", async () => {
    const db = folder.file("kept.db");
    let daemon = await startDaemon({ db, calibrations: null });
    const token = await daemon.token("write");
    const { id } = (await client(daemon.url).upload(worked, token)).json;
    const before = (await client(daemon.url).get(`/api/v1/predict/matmul?${cannon}`)).json;
    await daemon.stop();
    daemon = await startDaemon({ db, calibrations: null });
    const api = client(daemon.url);
    assert.equal((await api.get(`/api/v1/calibrations/${id}`)).text, worked);
    assert.deepEqual((await api.get(`/api/v1/predict/matmul?${cannon}`)).json, before);
    assert.equal((await api.upload(worked, token)).status, 200);
    await daemon.stop();
});

test("a daemon that is killed has kept what it confirmed", async () => {
    const db = folder.file("killed.db");
    const first = await startDaemon({ db, calibrations: null });
    const token = await first.token("write");
    assert.equal((await client(first.url).upload(worked, token)).status, 201);
    first.process.kill("SIGKILL");
    await first.exited;
    const second = await startDaemon({ db, calibrations: null });
    assert.equal((await client(second.url).get(`/api/v1/predict/matmul?${cannon}`)).status, 200);
    await second.stop();
});

test("a deleted calibration set does not come back after a restart", async () => {
    const db = folder.file("deleted.db");
    let daemon = await startDaemon({ db });
    const token = await daemon.token("admin");
    const { items } = (await client(daemon.url).get("/api/v1/machines")).json;
    assert.ok(items.length >= 2, "there are sets to delete");
    assert.equal((await client(daemon.url).delete(`/api/v1/machines/${items[0].name}?cascade=true`, { token })).status, 204);
    await daemon.stop();
    daemon = await startDaemon({ db });
    assert.equal((await client(daemon.url).get(`/api/v1/machines/${items[0].name}`)).status, 404);
    await daemon.stop();
});

test("a second daemon on one database is refused, and subcommands are not", async () => {
    const first = await startDaemon({ db: folder.file("locked.db"), calibrations: null });
    const second = await forerund(["--db", first.db, "--listen", "127.0.0.1:0"]);
    assert.notEqual(second.code, 0);
    assert.match(second.stderr, /another forerund serves from it/);
    await symlink(first.db, folder.file("link.db"));
    const linked = await forerund(["--db", folder.file("link.db"), "--listen", "127.0.0.1:0"]);
    assert.match(linked.stderr, /another forerund serves from it/, "by whatever name");
    assert.equal((await forerund(["token", "list", "--db", first.db])).code, 0);
    assert.equal((await client(first.url).get("/readyz")).status, 200);
    first.process.kill("SIGKILL");
    await first.exited;
    const next = await startDaemon({ db: first.db, calibrations: null });
    await next.stop();
});

test("subcommands refuse a database that is not there, and make none", async () => {
    const typo = folder.file("typo.db");
    for (const args of [["backup", folder.file("of-typo.db")], ["token", "create", "--name", "a", "--scope", "write"], ["token", "list"],
        ["check"]]) {
        const { code, stderr } = await forerund([...args, "--db", typo]);
        assert.equal(code, 1, args.join(" "));
        assert.match(stderr, /typo\.db: No such file/, args.join(" "));
    }
    assert.ok(!existsSync(typo) && !existsSync(folder.file("of-typo.db")));
});

test("a backup of a running daemon is a database that serves", { skip: isPostgresql }, async () => {
    const daemon = await startDaemon({ calibrations: null });
    const token = await daemon.token("write");
    await client(daemon.url).upload(worked, token);
    const copy = folder.file("copy.db");
    const made = await forerund(["backup", "--db", daemon.db, copy]);
    assert.equal(made.code, 0, made.stderr);
    await daemon.stop();
    const second = await startDaemon({ db: copy, calibrations: null });
    assertClose((await client(second.url).get(`/api/v1/predict/matmul?${cannon}`)).json.time_s, 0.2612112);
    assert.equal((await client(second.url).put("/api/v1/machines/x", {}, { token })).status, 201, "tokens are part of it");
    await second.stop();
});

test("a restore replaces the database of a daemon that was killed, with its log", async () => {
    const { db, copy } = await killedAfterBackup("restored");
    const restored = await forerund(["restore", "--db", db, "--from", copy]);
    assert.equal(restored.code, 0, restored.stderr);
    assert.equal((await forerund(["check", "--db", db])).stdout, `${db}: no damage\n`);
    const daemon = await startDaemon({ db, calibrations: null });
    const { items } = (await client(daemon.url).get("/api/v1/machines")).json;
    assert.deepEqual(items.map((item) => item.name), ["worked"], "what was there at the backup");
    const refused = await forerund(["restore", "--db", db, "--from", copy]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /has it open; stop it first/);
    assert.equal((await client(daemon.url).get("/readyz")).status, 200);
    await daemon.stop();
});

test("a database beside the log of another one is not served", async () => {
    const { db, copy } = await killedAfterBackup("copied");
    copyFileSync(copy, db);
    const { code, stderr } = await forerund(["--db", db, "--listen", "127.0.0.1:0"]);
    assert.notEqual(code, 0);
    assert.match(stderr, /malformed|store_damaged/);
    assert.equal((await forerund(["check", "--db", db])).code, 1);
    assert.equal((await forerund(["restore", "--db", db, "--from", copy])).code, 0);
    assert.equal((await forerund(["check", "--db", db])).code, 0);
});

test("/readyz says that the database is damaged, and a backup of it is refused", async () => {
    const db = folder.file("damaged.db");
    let daemon = await startDaemon({ db, calibrations: null });
    const large = { ...JSON.parse(worked), description: "x".repeat(900_000) };
    const token = await daemon.token("write");
    const { id } = (await client(daemon.url).upload(large, token)).json;
    await daemon.stop();
    daemon = await startDaemon({ db, calibrations: null, args: ["--workers", "1"] });
    const api = client(daemon.url);
    assert.equal((await api.get("/readyz")).status, 200);
    const bytes = readFileSync(db);
    await writeFile(db, bytes.fill(0xa5, bytes.length / 2)); /* the document of the calibration */
    assert.equal((await api.get(`/api/v1/calibrations/${id}`)).status, 503);
    const ready = await api.get("/readyz");
    assertProblem(ready, 503);
    assert.match(ready.json.detail, /damaged/);
    const write = await api.put("/api/v1/machines/x", {}, { token });
    assertProblem(write, 503);
    assert.match(write.json.detail, /damaged, so that nothing is written/);
    const backup = await forerund(["backup", "--db", db, folder.file("of-damaged.db")]);
    assert.equal(backup.code, 1);
    assert.ok(!existsSync(folder.file("of-damaged.db")));
    await daemon.stop();
    assert.notEqual((await forerund(["--db", db, "--listen", "127.0.0.1:0"])).code, 0);
});

test("import validates like an upload", async () => {
    const daemon = await startDaemon({ calibrations: null });
    const good = await forerund(["import", "--db", daemon.db, workedFile]);
    assert.equal(good.code, 0, good.stderr);
    assertClose((await client(daemon.url).get(`/api/v1/predict/matmul?${cannon}`)).json.time_s, 0.2612112);
    const again = await forerund(["import", "--db", daemon.db, workedFile]);
    assert.equal(again.code, 0, "the same again is no fault");
    const bad = folder.file("bad.json");
    await writeFile(bad, '{"schema": "forerun-calibration-1", "machine": "bad", "node": {"cores_per_nod": 8}, "extra": 1}');
    const refused = await forerund(["import", "--db", daemon.db, bad]);
    assert.notEqual(refused.code, 0);
    for (const part of ["/node/cores_per_nod", "/extra"]) assert.ok(refused.stderr.includes(part), refused.stderr);
    const missing = await forerund(["import", "--db", daemon.db, folder.file("no-such.json")]);
    assert.notEqual(missing.code, 0);
    assert.match(missing.stderr, /no-such\.json/);
    assert.equal((await client(daemon.url).get("/api/v1/machines/bad")).status, 404);
    await daemon.stop();
});

test("a file that is not a forerun database is not changed", async () => {
    const file = folder.file("notes.txt");
    await writeFile(file, "not a database\n".repeat(100));
    const { code } = await forerund(["--db", file, "--listen", "127.0.0.1:0"]);
    assert.notEqual(code, 0);
    assert.equal(readFileSync(file, "utf8"), "not a database\n".repeat(100));
});
