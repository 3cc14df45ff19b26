// What strangers may send to exhaust the daemon: it refuses with a reason, and serves others.
import assert from "node:assert/strict";
import { Agent } from "node:http";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { startDaemon, until } from "../daemon.mjs";
import { assertProblem, client, worked } from "./client.mjs";
import { gatedCharts } from "./clock.mjs";

describe("memory", () => {
    let daemon, api;
    before(async () => {
        daemon = await startDaemon({ calibrations: null });
        api = client(daemon.url);
    });
    after(() => daemon?.stop());

    test("the memory of a request bounds what JSON unfolds to", async () => {
        const headers = { "content-type": "application/json", "content-encoding": "gzip" };
        const body = gzipSync(`[${"{},".repeat(5_500_000)}{}]`);
        assert.ok(body.length < 20_000);
        const problem = assertProblem(await api.post("/api/v1/predict", body, { headers }), 413);
        assert.match(problem.errors[0].message, /takes more than the 268435456 bytes .* request_memory_bytes$/);
        assert.equal((await api.post("/api/v1/predict", { requests: [] })).status, 200);
    });
});

describe("connections", () => {
    let daemon, api;
    before(async () => {
        daemon = await startDaemon({ calibrations: null, args: ["--connection-limit", "100", "--connections-per-address", "60"] });
        api = client(daemon.url);
    });
    after(() => daemon?.stop());

    test("one address that drips on all connections it can get keeps nobody else out", async () => {
        const { hostname, port } = new URL(daemon.url);
        const open = Array.from({ length: 120 }, () => {
            const socket = connect(Number(port), hostname, () => socket.write("GET /healthz HTTP/1.1\r\nX: "));
            return socket.on("error", () => {});
        });
        await Promise.all(open.map((socket) => new Promise((done) => socket.once("ready", done).once("close", done))));
        const agent = new Agent({ localAddress: "127.0.0.2" });
        assert.equal((await api.get("/healthz", { agent })).status, 200);
        const metrics = (await api.get("/metrics", { agent })).text;
        assert.ok(Number(metrics.match(/^forerun_connections_refused_total (\d+)$/m)[1]) >= 1);
        for (const socket of open) socket.destroy();
    });
});

describe("shares", () => {
    let daemon, api, charts;
    before(async () => {
        charts = await gatedCharts();
        const args = ["--workers", "2", "--queue-limit", "8", "--long-queue-limit", "8", ...charts.options.args];
        daemon = await startDaemon({ calibrations: null, ...charts.options, args });
        api = client(daemon.url);
        assert.equal((await api.upload(worked, await daemon.token("write"))).status, 201);
    });
    after(async () => {
        await daemon?.stop();
        await charts?.remove();
    });

    test("a greedy client gets 429, others their turn, and quick reads and /readyz are answered", async () => {
        const [first, modest] = ["127.0.0.3", "127.0.0.2"].map((localAddress) => new Agent({ localAddress }));
        const chart = (n, agent) => api.get(`/api/v1/chart/matmul.svg?machine=worked&algorithm=cannon&variant=2d&n=${n},${n + 1}&processes=16&threads=4`, { agent });
        const metrics = async (line) => (await api.get("/metrics", { agent: modest })).text.includes(`\n${line}\n`);
        const running = chart(1000, first), served = [], refused = [];
        await until("the long worker is busy", () => metrics("forerun_workers_busy 1"));
        const asked = Array.from({ length: 40 }, async (_, i) => {
            const answer = await chart(2000 + i);
            (answer.status === 200 ? served : refused).push(answer);
        });
        await until("all but half of the queue are refused", () => refused.length === 36);
        for (const answer of refused) {
            assertProblem(answer, 429);
            assert.equal(answer.headers["retry-after"], "5");
        }
        const turn = chart(1500, modest);
        await until("the other client waits too", () => metrics("forerun_queue_length_long 5"));
        for (let i = 0; i < 20; i++) {
            assert.equal((await api.get("/api/v1/machines", { agent: modest })).status, 200);
            assert.equal((await api.get("/readyz", { agent: modest })).status, 200);
        }
        charts.pass(3); // the one that runs, the first of the greedy client, and the other's
        assert.equal((await running).status, 200);
        assert.equal((await turn).status, 200);
        await until("one of the greedy client is served", () => served.length === 1);
        charts.pass(3);
        await Promise.all(asked);
        assert.equal(served.length, 4);
    });
});
