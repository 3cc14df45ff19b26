// The daemon as a program: subcommands, restart, signals, configuration, many clients at once.
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { forerund, isPostgresql, root, startDaemon, temporaryFolder } from "../daemon.mjs";
import { calibrationId } from "../tools/canonical.mjs";
import { assertClose, assertProblem, client, keepAlive, raw, worked } from "./client.mjs";

const cannon = "machine=worked&contention_model=paper&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4";
const big = "/api/v1/sweep/matmul.csv?machine=worked&algorithm=cannon,summa&variant=2d,2d_ovlp&n=1001..26000&processes=16&threads=4";
const workedFile = new URL("worked.json", import.meta.url).pathname;

let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

test("facts beside the sets are those of their machines; faulty ones are reported and left out", async () => {
    const sets = folder.file("sets");
    await mkdir(`${sets}/facts`, { recursive: true });
    await writeFile(`${sets}/one.json`, JSON.stringify({ ...JSON.parse(worked), machine: "one" }));
    await writeFile(`${sets}/two.json`, JSON.stringify({ ...JSON.parse(worked), machine: "two" }));
    await writeFile(`${sets}/facts/one.json`, '{ "nodes": 7, "site": "here" }');
    await writeFile(`${sets}/facts/two.json`, '{ "nodez": 7 }');
    const daemon = await startDaemon({ calibrations: sets }), api = client(daemon.url);
    assert.deepEqual((await api.get("/api/v1/machines/one")).json.facts, { nodes: 7, site: "here" });
    assert.deepEqual((await api.get("/api/v1/machines/two")).json.facts, {});
    assert.match(daemon.log(), /event=facts_refused path=\S*facts\/two\.json/);
    await daemon.stop();
});

describe("the program", () => {
    test("prints its version and its help", async () => {
        const version = await forerund(["--version"]);
        assert.equal(version.code, 0);
        assert.match(version.stdout, /forerun\S* \d+\.\d+\.\d+/);
        const help = await forerund(["--help"]);
        assert.equal(help.code, 0);
        for (const word of ["--listen", "--db", "token", "import", "backup", "check", "restore"]) assert.ok(help.stdout.includes(word), word);
    });

    test("refuses unknown arguments, on standard error", async () => {
        for (const args of [["--no-such-option"], ["frobnicate"], ["serve", "--listen", "nonsense"], ["token"], ["token", "create"],
            ["backup"], ["import", "--db", folder.file("x.db")], ["--workers", "0"], ["--listen", "127.0.0.1:99999"]]) {
            const { code, stdout, stderr } = await forerund(args, { env: { XDG_STATE_HOME: folder.path }, timeout: 10_000 });
            assert.notEqual(code, 0, args.join(" "));
            assert.equal(stdout, "", args.join(" "));
            assert.notEqual(stderr, "", args.join(" "));
        }
        for (const address of ["nonsense", "127.0.0.1:99999", ":8080", "[]:8080"]) {
            const { code, stderr } = await forerund(["--listen", address], { env: { XDG_STATE_HOME: folder.path }, timeout: 10_000 });
            assert.equal(code, 2, stderr);
            assert.equal(stderr, `forerund: listen: '${address}' is not ADDR:PORT, such as 127.0.0.1:8080 or [::1]:8080\n`);
        }
        assert.match((await forerund(["token"])).stderr, /^forerund: token takes create, list or revoke; try --help\n$/);
    });

    test("prints one line on standard output when it accepts connections", async () => {
        const daemon = await startDaemon();
        assert.match(daemon.url, /^http:\/\/127\.0\.0\.1:\d+$/);
        assert.equal(daemon.out(), `forerund: listening on ${daemon.url}\n`, "the line that clients wait for");
        assert.equal((await client(daemon.url).get("/readyz")).status, 200);
        await daemon.stop();
    });

    test("ends with an error when its port is taken", async () => {
        const daemon = await startDaemon({ calibrations: null });
        const { code, stderr } = await forerund(["--listen", daemon.url.slice(7), "--db", folder.file("second.db")], { timeout: 10_000 });
        await daemon.stop();
        assert.notEqual(code, 0);
        assert.match(stderr, /address|listen|port|in use/i);
    });

    test("an empty database is filled with the sets that are shipped, and they serve predictions", async () => {
        const daemon = await startDaemon();
        const api = client(daemon.url);
        const shipped = readdirSync(`${root}/calibrations/sets`).filter((name) => name.endsWith(".json"));
        const { items } = (await api.get("/api/v1/machines?limit=1000")).json;
        assert.ok(shipped.length >= 1);
        for (const name of shipped) {
            const text = readFileSync(`${root}/calibrations/sets/${name}`, "utf8");
            const document = JSON.parse(text);
            assert.ok(items.some((item) => item.name === document.machine), document.machine);
            assert.equal((await api.get(`/api/v1/calibrations/${calibrationId(document)}`)).text, text);
        }
        await daemon.stop();
    });
});

describe("tokens", () => {
    test("are printed once, listed without their secret, revoked, and stored only hashed", async () => {
        const daemon = await startDaemon({ calibrations: null });
        const api = client(daemon.url);
        const created = await forerund(["token", "create", "--db", daemon.db, "--name", "ci", "--scope", "write"]);
        assert.equal(created.code, 0, created.stderr);
        assert.match(created.stdout, /^[A-Za-z0-9_-]{32,}\n$/, "alone on a line");
        const token = created.stdout.trim();
        assert.equal((await api.put("/api/v1/machines/a", {}, { token })).status, 201, "a token works while the daemon runs");
        const again = await forerund(["token", "create", "--db", daemon.db, "--name", "ci", "--scope", "write"]);
        assert.notEqual(again.code, 0, "a name is taken once");
        const list = await forerund(["token", "list", "--db", daemon.db]);
        assert.match(list.stdout, /ci\b.*write/);
        assert.ok(!list.stdout.includes(token));
        const stored = Buffer.concat(["", "-wal"].map((end) => daemon.db + end).filter(existsSync).map((file) => readFileSync(file)));
        assert.ok(!stored.includes(token), "the database does not hold the token");
        assert.ok(!daemon.log().includes(token), "nor does the log");
        const revoked = await forerund(["token", "revoke", "--db", daemon.db, "--name", "ci"]);
        assert.equal(revoked.code, 0, revoked.stderr);
        assert.equal((await api.put("/api/v1/machines/b", {}, { token })).status, 401);
        await daemon.stop();
    });

    test("an unknown token is refused before its body, a known one is not", async () => {
        const daemon = await startDaemon({ calibrations: null });
        const upload = (token, length, more = "") => `POST /api/v1/matrices?name=m HTTP/1.1\r\nHost: x\r\n`
            + `Authorization: Bearer ${token}\r\nContent-Length: ${length}\r\n${more}\r\n`;
        const unknown = "0123456789abcdef".repeat(4), known = await daemon.token("write");
        for (const more of ["", "Expect: 100-continue\r\n"])
            assert.match(await raw(daemon.url, upload(unknown, 500_000_000, more), { silence: 2000, limit: 5000 }), /^HTTP\/1\.1 401 /);
        assert.match(await raw(daemon.url, upload(unknown, 20) + "x".repeat(20) + "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"),
            /^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /, "a short body is passed over");
        assert.match(await raw(daemon.url, upload(known, 20, "Expect: 100-continue\r\n"), { silence: 500, limit: 1000 }),
            /^HTTP\/1\.1 100 /);
        const matrix = readFileSync(new URL("../samples/matrices/general.mtx", import.meta.url), "utf8");
        assert.match(await raw(daemon.url, upload(known, matrix.length) + matrix), /^HTTP\/1\.1 202 /, "the body comes with the headers");
        await daemon.stop();
    });

    test("reading can be closed by the configuration", async () => {
        const config = folder.file("closed.conf");
        await writeFile(config, "require_token_for_read = true\n");
        const daemon = await startDaemon({ calibrations: null, args: ["--config", config] });
        const api = client(daemon.url);
        const refused = await api.get("/api/v1/machines");
        assertProblem(refused, 401);
        assert.match(refused.headers["www-authenticate"], /^Bearer/);
        const token = await daemon.token("write");
        assert.equal((await api.get("/api/v1/machines", { token })).status, 200);
        assert.equal((await api.get("/healthz")).status, 200, "liveness stays open");
        await daemon.stop();
    });

    test("one configured origin may write, no other", async () => {
        const config = folder.file("origin.conf");
        await writeFile(config, "cors_write_origin = https://tools.example.org\n");
        const daemon = await startDaemon({ calibrations: null, args: ["--config", config] });
        const api = client(daemon.url);
        const preflight = (origin) => api.options("/api/v1/machines/m", { headers: { Origin: origin, "Access-Control-Request-Method": "PUT" } });
        const right = await preflight("https://tools.example.org");
        assert.equal(right.headers["access-control-allow-origin"], "https://tools.example.org");
        assert.match(right.headers["access-control-allow-methods"], /PUT/);
        assert.match(right.headers["access-control-allow-headers"], /authorization/i);
        for (const origin of ["https://example.org", "https://tools.example.org.evil.net", "null"]) {
            const wrong = await preflight(origin);
            assert.doesNotMatch(wrong.headers["access-control-allow-methods"] ?? "", /PUT/, origin);
            assert.notEqual(wrong.headers["access-control-allow-origin"], origin);
        }
        await daemon.stop();
    });

    test("the limit of a body is what the configuration says", async () => {
        const config = folder.file("limit.conf");
        await writeFile(config, "body_limit_bytes = 2000\n");
        const daemon = await startDaemon({ calibrations: null, args: ["--config", config] });
        const body = (length) => JSON.stringify({ requests: [] }).padEnd(length, " ");
        assert.equal((await client(daemon.url).post("/api/v1/predict", body(2000))).status, 200);
        assertProblem(await client(daemon.url).post("/api/v1/predict", body(2001)), 413);
        await daemon.stop();
    });

    test("an invalid configuration is refused with the nearest name", async () => {
        const config = folder.file("wrong.conf");
        await writeFile(config, "require_token_for_reed = true\n");
        const { code, stderr } = await forerund(["--config", config, "--db", folder.file("w.db"), "--listen", "127.0.0.1:0"], { timeout: 10_000 });
        assert.notEqual(code, 0);
        assert.match(stderr, /require_token_for_read\b/);
    });
});

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

describe("data", () => {
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
        const second = await forerund(["--db", first.db, "--listen", "127.0.0.1:0"], { timeout: 10_000 });
        assert.notEqual(second.code, 0);
        assert.match(second.stderr, /another forerund serves from it/);
        await symlink(first.db, folder.file("link.db"));
        const linked = await forerund(["--db", folder.file("link.db"), "--listen", "127.0.0.1:0"], { timeout: 10_000 });
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
        const { code, stderr } = await forerund(["--db", db, "--listen", "127.0.0.1:0"], { timeout: 10_000 });
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
        const { id } = (await client(daemon.url).upload(large, await daemon.token("write"))).json;
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
        const backup = await forerund(["backup", "--db", db, folder.file("of-damaged.db")]);
        assert.equal(backup.code, 1);
        assert.ok(!existsSync(folder.file("of-damaged.db")));
        await daemon.stop();
        assert.notEqual((await forerund(["--db", db, "--listen", "127.0.0.1:0"], { timeout: 10_000 })).code, 0);
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
        const { code } = await forerund(["--db", file, "--listen", "127.0.0.1:0"], { timeout: 10_000 });
        assert.notEqual(code, 0);
        assert.equal(readFileSync(file, "utf8"), "not a database\n".repeat(100));
    });
});

describe("under load", () => {
    let daemon, api;
    before(async () => {
        daemon = await startDaemon({ calibrations: null });
        api = client(daemon.url);
        assert.equal((await api.upload(worked, await daemon.token("write"))).status, 201);
    });
    after(() => daemon?.stop());

    test("32 connections are answered while large sweeps run", async () => {
        const agent = keepAlive(32);
        const sweeps = [1, 2].map(() => api.get(big));
        let slowest = 0;
        await Promise.all(Array.from({ length: 32 }, async () => {
            for (let i = 0; i < 20; i++) {
                const from = Date.now();
                const answer = await api.get(`/api/v1/predict/matmul?${cannon}`, { agent });
                slowest = Math.max(slowest, Date.now() - from);
                assert.equal(answer.status, 200);
            }
        }));
        assert.ok(slowest < 30_000, `a quick request waited ${slowest} ms`);
        for (const answer of await Promise.all(sweeps)) {
            assert.ok([200, 503].includes(answer.status));
            if (answer.status === 200) assert.equal(answer.text.split("\r\n").length, 100_002);
        }
        agent.destroy();
    });

    test("uploads from many clients at once are all stored, each once", async () => {
        const token = await daemon.token("write", "many");
        const uploads = Array.from({ length: 32 }, (_, i) =>
            api.upload({ schema: "forerun-calibration-1", machine: "many", description: `number ${i % 16}` }, token));
        const answers = await Promise.all(uploads);
        const statuses = answers.map((answer) => answer.status).sort();
        assert.deepEqual(statuses, [...Array(16).fill(200), ...Array(16).fill(201)]);
        assert.equal((await api.get("/api/v1/machines/many")).json.calibrations, 16);
    });

    test("metrics count the requests", async () => {
        const count = async () => Number((await api.get("/metrics")).text.match(/^\S*predictions\S*model="trsm"\S*\s+(\d+)/m)?.[1] ?? 0);
        const before = await count();
        for (let i = 0; i < 3; i++) await api.get(`/api/v1/predict/trsm?machine=worked&variant=2d&n=${2000 + i}&processes=4&threads=4`);
        assert.equal(await count(), before + 3);
    });

    test("many idle connections do not block others", async () => {
        const silent = Array.from({ length: 64 }, () => raw(daemon.url, "GET /healthz HTTP/1.1\r\n", { silence: 3000, limit: 3000 }).catch(() => ""));
        assert.equal((await api.get("/healthz")).status, 200);
        await Promise.all(silent);
    });
});

describe("requests that no client library sends", () => {
    let daemon;
    before(async () => (daemon = await startDaemon({ calibrations: null })));
    after(() => daemon?.stop());

    const cases = {
        "an over-long path": [`GET /${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, /^HTTP\/1\.1 (4\d\d) /],
        "an over-long query": [`GET /api/v1/models?x=${"a".repeat(100_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, /^HTTP\/1\.1 (4\d\d) /],
        "thousands of parameters": [`GET /api/v1/models?${"a=1&".repeat(3000)} HTTP/1.1\r\nHost: x\r\n\r\n`, /^HTTP\/1\.1 (4\d\d) /],
        "a header without end": [`GET / HTTP/1.1\r\nHost: x\r\nX: ${"a".repeat(100_000)}\r\n\r\n`, /^HTTP\/1\.1 4\d\d /],
        "an unknown method": ["BREW /api/v1/models HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 (405|501) /],
        "a length below zero": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: -1\r\n\r\n", /^HTTP\/1\.1 4\d\d |^$/],
        "a body that is chunked": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "f\r\n{\"requests\": []\r\n1\r\n}\r\n0\r\n\r\n", /^HTTP\/1\.1 200 /],
        "a body that is chunked and has a length": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 400 (?![\s\S]*HTTP\/1\.1 )[\s\S]*\r\nConnection: close\r\n/],
        "a body with two lengths": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\n{}",
            /^HTTP\/1\.1 400 (?![\s\S]*HTTP\/1\.1 )[\s\S]*\r\nConnection: close\r\n/],
        "an unknown transfer encoding": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip\r\n\r\n{}",
            /^HTTP\/1\.1 501 [\s\S]*\r\nConnection: close\r\n/],
        "two transfer encodings": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            /^HTTP\/1\.1 501 [\s\S]*\r\nConnection: close\r\n/],
        "a blank behind the name of a header": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding : chunked\r\n"
            + "Content-Length: 4\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 400 (?![\s\S]*HTTP\/1\.1 )[\s\S]*\r\nConnection: close\r\n/],
        "no HTTP at all": ["\x16\x03\x01\x02\x00hello\r\n\r\n", /^HTTP\/1\.1 4\d\d |^$/],
        "two requests at once": ["GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n\r\n", /HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 /],
        "a path with the host in it": ["GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 200 /],
        "a body where none belongs": ["GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", /^HTTP\/1\.1 (200|4\d\d) /],
    };
    for (const [what, [bytes, expected]] of Object.entries(cases))
        test(`${what} is answered, and the daemon continues`, async () => {
            const text = await raw(daemon.url, bytes);
            assert.match(text, expected, text.slice(0, 300));
            assert.equal((await client(daemon.url).get("/healthz")).status, 200);
        });

    test("a client that disconnects during its body leaves nothing behind", async () => {
        for (let i = 0; i < 20; i++)
            await raw(daemon.url, "POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", { silence: 20, limit: 50 });
        assert.equal((await client(daemon.url).get("/healthz")).status, 200);
    });
});

describe("signals", () => {
    for (const signal of ["SIGTERM", "SIGINT"])
        test(`${signal} while requests are in flight: they are answered, the exit code is 0`, async () => {
            const daemon = await startDaemon({ calibrations: null });
            const api = client(daemon.url);
            await api.upload(worked, await daemon.token("write"));
            const flying = Array.from({ length: 4 }, () => api.get(big).catch((error) => ({ error })));
            await new Promise((done) => setTimeout(done, 100));
            daemon.process.kill(signal);
            const end = await daemon.exited;
            assert.deepEqual(end, { code: 0, signal: null }, daemon.log().slice(-2000));
            const answers = await Promise.all(flying);
            // What a worker had begun is finished; what was still in the queue may be turned away.
            assert.ok(answers.some((answer) => answer.status === 200), JSON.stringify(answers.map((a) => a.status ?? String(a.error))));
            for (const answer of answers) assert.ok(answer.error || [200, 503].includes(answer.status));
            await daemon.stop();
        });

    test("SIGTERM with idle connections open ends promptly", async () => {
        const daemon = await startDaemon({ calibrations: null });
        const agent = keepAlive(8);
        await Promise.all(Array.from({ length: 8 }, () => client(daemon.url).get("/healthz", { agent })));
        const from = Date.now();
        await daemon.stop();
        agent.destroy();
        assert.ok(Date.now() - from < 20_000, "it waits for requests that nobody sends");
    });

    test("SIGHUP reloads the configuration without interrupting requests", async () => {
        const config = folder.file("reloaded.conf");
        await writeFile(config, "require_token_for_read = false\n");
        const daemon = await startDaemon({ calibrations: null, args: ["--config", config] });
        const api = client(daemon.url);
        const until = async (status) => {
            for (let i = 0; i < 50; i++) {
                if ((await api.get("/api/v1/machines")).status === status) return;
                await new Promise((done) => setTimeout(done, 100));
            }
            assert.fail(`never ${status}\n${daemon.log().slice(-1000)}`);
        };
        await until(200);
        await writeFile(config, "require_token_for_read = true\n");
        daemon.process.kill("SIGHUP");
        await until(401);
        await writeFile(config, "require_token_for_read = perhaps\n");
        daemon.process.kill("SIGHUP");
        await new Promise((done) => setTimeout(done, 300));
        await until(401);
        assert.match(daemon.log(), /perhaps/, "a file that is wrong is reported and changes nothing");
        await daemon.stop();
    });

    test("the log is key=value, or JSON if configured", async () => {
        const plain = await startDaemon({ calibrations: null });
        await client(plain.url).get("/api/v1/models?x=%22quoted%22%0aline");
        await plain.stop();
        for (const line of plain.log().trim().split("\n")) assert.match(line, /^\w+=("(\\.|[^"\\])*"|[^\s"]*)( \w+=("(\\.|[^"\\])*"|[^\s"]*))*$/, line);
        const json = await startDaemon({ calibrations: null, args: ["--log", "json"] });
        await client(json.url).get("/api/v1/models?x=%22quoted%22%0aline");
        await json.stop();
        for (const line of json.log().trim().split("\n")) assert.equal(typeof JSON.parse(line), "object");
    });

    test("after a clean exit only the database is left in the folder", async () => {
        const own = await temporaryFolder();
        const daemon = await startDaemon({ db: own.file("a.db"), calibrations: null });
        await daemon.token("write");
        await daemon.stop();
        assert.deepEqual(readdirSync(own.path), ["a.db"], "no -wal and no -shm after a clean end");
        await own.remove();
    });
});
