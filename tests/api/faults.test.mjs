// Faults of the machine around a daemon that works: kills, disk, files, clock, signals.  FAULT_ROUNDS makes it long (`make check-faults`).
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { after, before, test } from "node:test";
import { forerund, isPostgresql, program, startDaemon, temporaryFolder, until } from "../daemon.mjs";
import { assertProblem, client, keepAlive, worked } from "./client.mjs";
import { standingClock } from "./clock.mjs";
import { fake, small } from "./matrix_server.mjs";

const rounds = Number(process.env.FAULT_ROUNDS ?? 2);
const question = "machine=worked&algorithm=cannon&variant=2d&processes=16&threads=4";
const predict = (api, n, options) => api.get(`/api/v1/predict/matmul?${question}&n=${n}`, options);
const chart = (api, n, options) => api.get(`/api/v1/chart/matmul.svg?${question}&n=${n},${n + 1000}`, options);
const octets = { "content-type": "application/octet-stream" };
const limit = (daemon, what) => execFileSync("prlimit", ["--pid", String(daemon.process.pid), what]);
const withoutLimits = !existsSync("/usr/bin/prlimit");

let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

let serial = 0;
/** Uploads, each of which returns the answer, and the address of what it stored. */
const uploads = [
    async (api, token) => {
        const parameters = { algorithm: "cannon", variant: "2d", n: 100, processes: 4, threads: 1 };
        const answer = await api.post("/api/v1/machines/worked/runs", { schema: "forerun-run-1", model: "matmul", time_s: 1 + ++serial / 1000, parameters }, { token });
        return { answer, path: answer.status === 201 && `/api/v1/runs/${answer.json.items[0].id}` };
    },
    async (api, token) => {
        const answer = await api.upload({ ...JSON.parse(worked), description: `number ${++serial}` }, token);
        return { answer, path: answer.status === 201 && `/api/v1/calibrations/${answer.json.id}` };
    },
    async (api, token) => {
        const answer = await api.post("/api/v1/matrices?orderings=natural", small(), { token, headers: octets });
        return { answer, path: answer.status === 202 && `/api/v1/matrices/${answer.json.id}` };
    },
    async (api, token) => {
        const path = `/api/v1/machines/m${++serial}`, answer = await api.put(path, {}, { token });
        return { answer, path: answer.status === 201 && path };
    },
];

/**
 * `clients` upload one thing after the other, until the daemon is gone; `confirmed` gets the addresses.
 * ended: a promise; beyond(count): awaits that so many are confirmed.
 */
function uploadMany(api, token, clients, confirmed) {
    const one = async (i) => {
        for (let next = i; ; next++) {
            const { answer, path } = await uploads[next % uploads.length](api, token).catch((error) => ({ answer: error }));
            if (answer instanceof Error || answer.status === 503) return;
            assert.ok(path, `${answer.status}: ${answer.text}`);
            confirmed.push(path);
        }
    };
    const ended = Promise.all(Array.from({ length: clients }, (_, i) => one(i)));
    const beyond = async (count) => {
        let isOver = false;
        ended.finally(() => (isOver = true)).catch(() => {});
        await until("uploads are confirmed", async () => {
            if (isOver) throw await ended.then(() => new Error(`uploads ended after ${confirmed.length}`), (error) => error);
            return confirmed.length > count;
        });
    };
    return { ended, beyond };
}

async function assertKept(api, confirmed) {
    for (const path of confirmed) assert.equal((await api.get(path)).status, 200, `${path} was confirmed`);
}

/** A daemon with the machine `worked`, and a new token that may write. */
async function start(options) {
    const daemon = await startDaemon({ calibrations: null, ...options, args: ["--analyze-program", fake, ...(options.args ?? [])] });
    const api = client(daemon.url), token = await daemon.token("write", `token-${++serial}`);
    assert.ok((await api.upload(worked, token)).status <= 201);
    return { daemon, api, token };
}

test("what was confirmed outlasts a kill at any moment", async () => {
    const db = folder.file("killed.db"), confirmed = [];
    for (let round = 0; round < rounds; round++) {
        const { daemon, api, token } = await start({ db });
        const load = uploadMany(api, token, 6, confirmed);
        await load.beyond(confirmed.length + Math.random() * 30);
        daemon.process.kill("SIGKILL");
        await Promise.all([load.ended, daemon.exited]);
        assert.equal((await forerund(["check", "--db", db])).code, 0);
        const next = await start({ db });
        await assertKept(next.api, confirmed.slice(round + 1 < rounds ? -100 : 0));
        await next.daemon.stop();
    }
});

test("SIGTERM under load: what was confirmed is kept, the end is clean", async () => {
    const db = folder.file("ended.db"), confirmed = [];
    for (let round = 0; round < rounds; round++) {
        const { daemon, api, token } = await start({ db }), load = uploadMany(api, token, 4, confirmed), agent = new Agent();
        const connecting = Array.from({ length: 4 }, async () => { while (await api.get("/healthz", { agent }).catch(() => null)); });
        await load.beyond(confirmed.length + Math.random() * 10);
        daemon.process.kill("SIGTERM");
        await Promise.all([load.ended, ...connecting]);
        await daemon.stop();
    }
    const { daemon, api } = await start({ db });
    await assertKept(api, confirmed);
    await daemon.stop();
});

test("SIGHUP again and again disturbs nobody", async () => {
    const config = folder.file("again.conf"), confirmed = [];
    writeFileSync(config, "");
    const { daemon, api, token } = await start({ args: ["--config", config] });
    const load = uploadMany(api, token, 3, confirmed), agent = keepAlive(1);
    for (let i = 0; i < 5 * rounds; i++) {
        writeFileSync(config, i % 3 ? `log_level = ${i % 2 ? "info" : "warning"}\nqueue_limit = ${200 + i}\n` : "queue_limit = none\n");
        daemon.process.kill("SIGHUP");
        assert.equal((await predict(api, 1000 + i, { agent })).status, 200);
        await load.beyond(confirmed.length);
    }
    agent.destroy();
    daemon.process.kill("SIGTERM");
    await load.ended;
    assert.match(daemon.log(), /event=reload/);
    await daemon.stop();
});

test("on a full disk uploads are refused, questions answered, and later uploads taken", { skip: isPostgresql || withoutLimits }, async () => {
    const { daemon, api, token } = await start({});
    limit(daemon, "--fsize=4096:");
    for (const upload of uploads) {
        const { answer } = await upload(api, token);
        assert.match(assertProblem(answer, 503).detail, /disk of the database has no space/);
        assert.ok(Number(answer.headers["retry-after"]) >= 1);
    }
    assert.equal((await predict(api, 4000)).status, 200);
    assert.equal((await chart(api, 4000)).status, 200);
    limit(daemon, "--fsize=unlimited:");
    for (const upload of uploads) assert.ok((await upload(api, token)).path);
    await daemon.stop();
});

test("without file descriptors what needs one is refused, and later served", { skip: withoutLimits }, async () => {
    const { daemon, api, token } = await start({}), agent = keepAlive(1), files = `/proc/${daemon.process.pid}/fd`;
    assert.equal((await predict(api, 1000, { agent })).status, 200);
    limit(daemon, `--nofile=${readdirSync(files).length}:`);
    const waiting = Array.from({ length: 5 }, () => api.get("/healthz"));
    assert.equal((await predict(api, 2000, { agent })).status, 200);
    const refused = [await chart(api, 2000, { agent }), await api.post("/api/v1/matrices", small(), { token, agent, headers: octets })];
    for (const answer of refused) assertProblem(answer, [500, 503].includes(answer.status) ? answer.status : 503);
    limit(daemon, "--nofile=1024:");
    agent.destroy();
    for (const answer of await Promise.all(waiting)) assert.equal(answer.status, 200);
    assert.equal((await chart(api, 2000)).status, 200);
    for (const upload of uploads) assert.ok((await upload(api, token)).path);
    await daemon.stop();
});

const hasNamespaces = spawnSync("unshare", ["--map-root-user", "--mount", "true"]).status === 0;
test("a database that cannot be written is not served", { skip: !hasNamespaces }, async () => {
    const place = folder.file("read-only"), db = `${place}/forerun.db`;
    mkdirSync(place);
    await (await start({ db })).daemon.stop();
    const script = 'mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && exec "$2" --db "$1/forerun.db" --listen 127.0.0.1:0';
    const { status, stderr } = spawnSync("unshare", ["--map-root-user", "--mount", "sh", "-c", script, "sh", place, program], { timeout: 120_000, encoding: "utf8" });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /forerun\.db.*(read-only|readonly|Read-only)/i);
});

test("gnuplot that is killed, or has no memory, fails one chart", async () => {
    const place = folder.file("bin"), act = folder.file("act");
    mkdirSync(place);
    writeFileSync(`${place}/gnuplot`, `#!/bin/sh\nread -r act <${act}\neval "$act"\n`, { mode: 0o755 });
    const { daemon, api } = await start({ args: ["--child-folders", folder.path], env: { PATH: `${place}:${process.env.PATH}` } });
    const acts = { "kill -KILL $$": 500, "awk 'BEGIN { sprintf(\"%2000000000s\", \"\") }'": 500, "exit 0": 500, "exec /usr/bin/gnuplot -d -": 200 };
    let n = 1000;
    for (const [text, status] of Object.entries(acts)) {
        writeFileSync(act, `${text}\n`);
        const answer = await chart(api, (n += 1000));
        assert.equal(answer.status, status, `${text}: ${answer.text.slice(0, 300)}`);
    }
    await daemon.stop();
});

test("a wall clock that jumps ends tokens in time and nothing else", async () => {
    const clock = await standingClock(), today = clock.now(), DAY_MS = 86_400_000;
    const { daemon, api, token } = await start({ db: folder.file("clock.db"), env: clock.env });
    const made = await forerund(["token", "create", "--db", daemon.db, "--name", "day", "--scope", "write", "--expires", "1"], { env: clock.env });
    const day = { token: made.stdout.trim() };
    const newest = async () => (await api.get("/api/v1/machines/worked/calibrations")).json.items[0];
    const put = (name) => api.put(`/api/v1/machines/${name}`, {}, day);
    assert.equal((await put("today")).status, 201);
    for (const days of [2, -400, 3650, 0]) {
        clock.set(today + days * DAY_MS);
        const answer = await put(`at${days}`);
        assert.equal(answer.status, days < 1 ? 201 : 401, `${days}: ${answer.text}`);
        if (days >= 1) assert.match(answer.json.detail, /expired at/);
        const uploaded = await api.upload({ ...JSON.parse(worked), description: `${days} days` }, token);
        assert.equal(uploaded.status, 201);
        assert.equal((await newest()).id, uploaded.json.id, "the last upload is the newest whatever the clock says");
        assert.equal(Date.parse((await newest()).uploaded_at), clock.now(), "the clock did jump");
        for (const answer of [await predict(api, 4000), await chart(api, 5000 + days), await api.get("/readyz")]) assert.equal(answer.status, 200);
    }
    await daemon.stop();
    await clock.remove();
});
