// Tokens: what each may write, until when, who used it last, and what a refusal says.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { forerund, program, startDaemon, temporaryFolder } from "../daemon.mjs";
import { assertProblem, client, raw, worked } from "./client.mjs";
import { standingClock } from "./clock.mjs";

let clock, daemon, api, folder;
const start = async () => {
    daemon = await startDaemon({ calibrations: null, db: folder.file("tokens.db"), env: clock.env });
    api = client(daemon.url);
};
before(async () => {
    folder = await temporaryFolder();
    clock = await standingClock();
    await start();
});
after(async () => {
    await daemon?.stop();
    await clock?.remove();
    await folder.remove();
});

const create = (...args) => forerund(["token", "create", "--db", daemon.db, ...args], { env: clock.env });
const token = async (...args) => {
    const made = await create(...args);
    assert.equal(made.code, 0, made.stderr);
    return made.stdout.trim();
};
/** The rows of `token list` by name. */
const list = async () => Object.fromEntries((await forerund(["token", "list", "--db", daemon.db])).stdout.trim().split("\n").map((line) => {
    const [name, scope, created, machines, expires, used, revoked, note, kept, keep] = line.split("\t");
    return [name, { scope, created, machines, expires, used, revoked, note, kept, keep }];
}));

test("a token of scope runs adds runs of its machines, and changes nothing else", async () => {
    const all = await token("--name", "owner", "--scope", "write"), job = await token("--name", "job", "--scope", "runs", "--machine", "job-*");
    const machine = { ...JSON.parse(worked), machine: "job-1" };
    assert.equal((await api.upload(machine, all)).status, 201);
    const run = { schema: "forerun-run-1", model: "matmul", time_s: 1, parameters: { algorithm: "cannon", variant: "2d", n: 100, processes: 4, threads: 1 } };
    const add = (name) => api.post(`/api/v1/machines/${name}/runs`, run, { token: job });
    const saved = await add("job-1");
    assert.equal(saved.status, 201, saved.text);
    assert.match(assertProblem(await add("worked"), 403).detail, /may not write the machine `worked`/);
    for (const refused of [await api.upload(machine, job), await api.put("/api/v1/machines/job-1", {}, { token: job }),
        await api.post("/api/v1/matrices?name=m", "x", { token: job, headers: { "content-type": "text/plain" } })])
        assert.match(assertProblem(refused, 403).detail, /needs a token of scope `write`/);
    assert.match(assertProblem(await api.delete(`/api/v1/runs/${saved.json.items[0].id}`, { token: job }), 403).detail, /scope `admin`/);
});

describe("a token with machines", () => {
    test("writes those, reads all, and is refused with the machine's name", async () => {
        const all = await token("--name", "all", "--scope", "admin");
        const mine = await token("--name", "mine", "--scope", "admin", "--machine", "worked", "--machine", "twin");
        const other = { ...JSON.parse(worked), machine: "other" };
        const uploaded = await api.upload(other, all);
        assert.equal(uploaded.status, 201);
        const run = { schema: "forerun-run-1", model: "matmul", time_s: 1, parameters: { algorithm: "cannon", variant: "2d", n: 100, processes: 4, threads: 1 } };
        const saved = await api.post("/api/v1/machines/other/runs", run, { token: all });
        assert.equal(saved.status, 201, saved.text);

        assert.equal((await api.upload(worked, mine)).status, 201);
        assert.equal((await api.put("/api/v1/machines/twin", {}, { token: mine })).status, 201);
        for (const refused of [
            await api.put("/api/v1/machines/other", {}, { token: mine }),
            await api.upload(other, mine),
            await api.post("/api/v1/machines/other/runs", run, { token: mine }),
            await api.delete(`/api/v1/calibrations/${uploaded.json.id}`, { token: mine }),
            await api.delete(`/api/v1/runs/${saved.json.items[0].id}`, { token: mine }),
            await api.delete("/api/v1/machines/other?cascade=true", { token: mine }),
        ]) assert.match(assertProblem(refused, 403).detail, /may not write the machine `other`, only: worked twin\./);
        assert.match(assertProblem(await api.post("/api/v1/matrices?name=m", "x", { token: mine, headers: { "content-type": "text/plain" } }), 403).detail,
            /belongs to no machine/);
        assert.equal((await api.get("/api/v1/machines/other", { token: mine })).status, 200);
        assertProblem(await api.delete("/api/v1/runs/0123456789abcdef", { token: mine }), 404);
        assert.equal((await api.delete("/api/v1/machines/twin", { token: mine })).status, 204);
    });

    test("writes all whose names begin as a group does", async () => {
        const group = await token("--name", "group", "--scope", "admin", "--machine", "gpu-*", "--machine", "twin");
        for (const name of ["gpu-", "gpu-a", "gpu-a.2", "twin"]) assert.equal((await api.put(`/api/v1/machines/${name}`, {}, { token: group })).status, 201, name);
        for (const name of ["gpu", "gp", "agpu-a", "twin-b"])
            assert.match(assertProblem(await api.put(`/api/v1/machines/${name}`, {}, { token: group }), 403).detail, /only: gpu-\* twin\./, name);
        for (const name of ["gpu-", "gpu-a", "gpu-a.2", "twin"]) assert.equal((await api.delete(`/api/v1/machines/${name}`, { token: group })).status, 204, name);
    });

    test("is created with legal names only", async () => {
        for (const machine of ["", "Hopper", "a b", "../x", "*", "a*b", "a**", "A*"]) {
            const { code, stderr } = await create("--name", "x", "--scope", "write", "--machine", machine);
            assert.equal(code, 2, machine);
            assert.match(stderr, /--machine/);
        }
    });
});

describe("a token that ends", () => {
    test("is refused with the moment of its expiry", async () => {
        const expires = new Date(clock.now() + 60_000).toISOString();
        const short = await token("--name", "short", "--scope", "write", "--expires", expires);
        const put = () => api.put("/api/v1/machines/brief", {}, { token: short });
        assert.equal((await put()).status, 201);
        clock.pass(59);
        assert.equal((await put()).status, 200);
        clock.pass(1);
        const answer = await put();
        assert.ok(assertProblem(answer, 401).detail.startsWith(`This token expired at ${expires}`), answer.text);
        assert.match(answer.headers["www-authenticate"], /^Bearer/);
    });

    test("takes a day, a moment or a number of days, and no past", async () => {
        await token("--name", "days", "--scope", "read", "--expires", "30");
        await token("--name", "day", "--scope", "read", "--expires", "2190-01-31");
        const rows = await list();
        assert.equal(Date.parse(rows.days.expires), clock.now() + 30 * 86_400_000);
        assert.equal(rows.day.expires, "2190-01-31T23:59:59.999Z");
        for (const expires of ["0", "-3", "2020-01-01", "2020-01-01T00:00:00Z", "soon", "", "99999"]) {
            const { code, stderr } = await create("--name", "y", "--scope", "read", `--expires=${expires}`);
            assert.equal(code, 2, expires);
            assert.match(stderr, /--expires/);
        }
    });

    test("is refused as revoked, and keeps its name", async () => {
        const first = await token("--name", "twice", "--scope", "write");
        assert.equal((await forerund(["token", "revoke", "--db", daemon.db, "twice"])).code, 0);
        assert.match(assertProblem(await api.put("/api/v1/machines/a", {}, { token: first }), 401).detail, /was revoked at 2/);
        assert.match(assertProblem(await api.put("/api/v1/machines/a", {}, { token: "0".repeat(64) }), 401).detail, /not known here; .*`forerund token create`/);
        const again = await create("--name", "twice", "--scope", "write");
        assert.equal(again.code, 1);
        assert.match(again.stderr, /a token is or was named twice; choose another name/);
        assert.equal((await forerund(["token", "revoke", "--db", daemon.db, "nobody"])).code, 1);
        assert.equal((await forerund(["token", "revoke", "--db", daemon.db])).code, 2);
    });
});

describe("a token with --keep", () => {
    test("uploads until it has stored so much, and again after a deletion", async () => {
        const keeper = await token("--name", "keeper", "--scope", "write", "--keep", "3000"), admin = await token("--name", "cleaner", "--scope", "admin");
        const document = (n) => JSON.stringify({ schema: "forerun-calibration-1", machine: "kept", description: `${n}`.padEnd(1000, "x") });
        const bytes = document(1).length;
        const first = await api.upload(document(1), keeper);
        assert.deepEqual([first.status, (await api.upload(document(2), keeper)).status], [201, 201]);
        const refused = await api.upload(document(3), keeper);
        assert.match(assertProblem(refused, 403).detail, new RegExp(`keeps ${2 * bytes} bytes .* may keep 3000 .*no room for ${bytes} more\\. Have some deleted`));
        assert.equal((await api.upload(document(2), keeper)).status, 200, "what is known needs no room");
        assert.equal((await api.upload(document(3), admin)).status, 201, "others have room");
        let rows = await list();
        assert.deepEqual([rows.keeper.kept, rows.keeper.keep, rows.cleaner.kept, rows.cleaner.keep], [`${2 * bytes}`, "3000", `${bytes}`, "-"]);
        assert.equal((await api.delete(`/api/v1/calibrations/${first.json.id}`, { token: admin })).status, 204);
        assert.equal((await api.upload(document(4), keeper)).status, 201);
        rows = await list();
        assert.equal(rows.keeper.kept, `${2 * bytes}`);
    });

    test("takes a number of bytes", async () => {
        for (const keep of ["", "-1", "1e9", "10 GB", "9999999999999999"]) {
            const { code, stderr } = await create("--name", "k", "--scope", "write", `--keep=${keep}`);
            assert.equal(code, 2, keep);
            assert.match(stderr, /--keep takes a number of bytes/);
        }
    });
});

test("the list has a note, a name even where none was given, and the last use, also after a restart", async () => {
    const made = await create("--scope", "write", "--note", "nightly, of the group");
    const name = made.stderr.match(/name is (t[0-9a-f]{8})\n/)[1];
    assert.match(made.stdout, /^[0-9a-f]{64}\n$/);
    let rows = await list();
    assert.deepEqual([rows[name].note, rows[name].machines, rows[name].used], ["nightly, of the group", "*", "-"]);
    assert.equal((await api.put("/api/v1/machines/noted", {}, { token: made.stdout.trim() })).status, 201);
    await daemon.stop();
    await start();
    rows = await list();
    assert.equal(Date.parse(rows[name].used), clock.now());
    for (const hidden of ["a\tb", "\u009b31m", "\u202eabc", "\u2028"])
        assert.equal((await create("--scope", "write", "--note", hidden)).code, 2, JSON.stringify(hidden));
    const latin = 'exec "$0" token create --db "$1" --scope write --note "$(printf \'M\\374ller\')"';
    assert.equal(spawnSync("sh", ["-c", latin, program, daemon.db]).status, 2, "no UTF-8");
});

describe("tokens", () => {
    test("are printed once, listed without their secret, revoked, and stored only hashed", async () => {
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
    });

    test("an unknown token is refused before its body, a known one is not", async () => {
        const upload = (token, length, more = "") => `POST /api/v1/matrices?name=m HTTP/1.1\r\nHost: x\r\n`
            + `Authorization: Bearer ${token}\r\nContent-Length: ${length}\r\n${more}\r\n`;
        const unknown = "0123456789abcdef".repeat(4), known = await daemon.token("write");
        for (const more of ["", "Expect: 100-continue\r\n"])
            assert.match(await raw(daemon.url, upload(unknown, 500_000_000, more)), /^HTTP\/1\.1 401 /);
        assert.match(await raw(daemon.url, upload(unknown, 20) + "x".repeat(20) + "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", { answers: 2 }),
            /^HTTP\/1\.1 401 [\s\S]*HTTP\/1\.1 200 /, "a short body is passed over");
        assert.match(await raw(daemon.url, upload(known, 20, "Expect: 100-continue\r\n")), /^HTTP\/1\.1 100 /);
        const matrix = readFileSync(new URL("../samples/matrices/general.mtx", import.meta.url), "utf8");
        assert.match(await raw(daemon.url, upload(known, matrix.length) + matrix), /^HTTP\/1\.1 202 /, "the body comes with the headers");
    });
});
