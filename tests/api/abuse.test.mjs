// What strangers may send to exhaust the daemon: it refuses with a reason, and serves others.
import assert from "node:assert/strict";
import { Agent } from "node:http";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { startDaemon } from "../daemon.mjs";
import { assertProblem, client, worked } from "./client.mjs";

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
    const sweep = "/api/v1/sweep/matmul.csv?machine=worked&algorithm=cannon&variant=2d&n=1001..11000&processes=16&threads=4";
    let daemon, api;
    before(async () => {
        daemon = await startDaemon({ calibrations: null, args: ["--workers", "2", "--queue-limit", "8", "--long-queue-limit", "8"] });
        api = client(daemon.url);
        assert.equal((await api.upload(worked, await daemon.token("write"))).status, 201);
    });
    after(() => daemon?.stop());

    test("a greedy client gets 429, others their turn, and quick reads and /readyz are answered", async () => {
        const greedy = new Agent({ maxSockets: 40 }), modest = new Agent({ localAddress: "127.0.0.2" });
        let answered = 0, before;
        const asked = Array.from({ length: 40 }, () => api.get(sweep, { agent: greedy }).then((answer) => {
            if (answer.status === 200) answered++;
            return answer;
        }));
        while (!/^forerun_queue_length_long [3-9]/m.test((await api.get("/metrics", { agent: modest })).text));
        const turn = api.get(sweep, { agent: modest }).then((answer) => {
            before = answered;
            return answer;
        });
        for (let i = 0; i < 20; i++) {
            assert.equal((await api.get("/api/v1/machines", { agent: modest })).status, 200);
            assert.equal((await api.get("/readyz", { agent: modest })).status, 200);
        }
        assert.equal((await turn).status, 200);
        const refused = (await Promise.all(asked)).filter(({ status }) => status !== 200);
        assert.ok(refused.length >= 10, `${refused.length} were refused`);
        for (const answer of refused) {
            assertProblem(answer, 429);
            assert.equal(answer.headers["retry-after"], "5");
        }
        assert.ok(before < answered, `${before} of ${answered} answers came first`);
    });
});
