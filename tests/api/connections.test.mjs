// Many clients at once, and bytes that no client library sends.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { startDaemon, until } from "../daemon.mjs";
import { client, keepAlive, leave, raw, worked } from "./client.mjs";
import { gatedCharts } from "./clock.mjs";
import { PATIENT } from "./draws.mjs";

const cannon = "machine=worked&contention_model=paper&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4";
const big = "/api/v1/sweep/matmul.csv?machine=worked&algorithm=cannon,summa&variant=2d,2d_ovlp&n=1001..26000&processes=16&threads=4";

describe("under load", () => {
    let daemon, api, charts;
    before(async () => {
        charts = await gatedCharts();
        daemon = await startDaemon({ calibrations: null, ...charts.options, args: ["--workers", "4", ...charts.options.args] });
        api = client(daemon.url);
        assert.equal((await api.upload(worked, await daemon.token("write"))).status, 201);
    });
    after(async () => {
        await daemon?.stop();
        await charts?.remove();
    });

    test("32 connections are answered while large sweeps run and others wait", async () => {
        const agent = keepAlive(32);
        let left = 2;
        const held = [1000, 2000].map((n) => api.get(`/api/v1/chart/matmul.svg?${cannon.replace("4000", `${n},${n + 1}`)}`).finally(() => left--));
        const sweeps = [1, 2].map(() => api.get(big));
        await Promise.all(Array.from({ length: 32 }, async () => {
            for (let i = 0; i < 20; i++) assert.equal((await api.get(`/api/v1/predict/matmul?${cannon}`, { agent })).status, 200);
        }));
        assert.equal(left, 2, "no quick request waited for a long one");
        charts.pass(2);
        for (const answer of await Promise.all(held)) assert.equal(answer.status, 200);
        for (const answer of await Promise.all(sweeps)) {
            assert.equal(answer.status, 200);
            assert.equal(answer.text.split("\r\n").length, 100_002);
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
        const { hostname, port } = new URL(daemon.url);
        const silent = Array.from({ length: 64 }, () => connect(Number(port), hostname));
        await Promise.all(silent.map((socket) => new Promise((done) => socket.once("connect", () => socket.write("GET /healthz HTTP/1.1\r\n", done)))));
        assert.equal((await api.get("/healthz")).status, 200);
        for (const socket of silent) socket.destroy();
    });
});

describe("requests that no client library sends", () => {
    let daemon;
    before(async () => {
        daemon = await startDaemon({ calibrations: null });
    });
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
            + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 400 (?![\s\S]*HTTP\/1\.1 )[\s\S]*\r\nConnection: close\r\n/, Infinity],
        "a body with two lengths": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\nContent-Length: 7\r\n\r\n{}",
            /^HTTP\/1\.1 400 (?![\s\S]*HTTP\/1\.1 )[\s\S]*\r\nConnection: close\r\n/, Infinity],
        "an unknown transfer encoding": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip\r\n\r\n{}",
            /^HTTP\/1\.1 501 [\s\S]*\r\nConnection: close\r\n/, Infinity],
        "two transfer encodings": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            /^HTTP\/1\.1 501 [\s\S]*\r\nConnection: close\r\n/, Infinity],
        "a blank behind the name of a header": ["POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding : chunked\r\n"
            + "Content-Length: 4\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 400 (?![\s\S]*HTTP\/1\.1 )[\s\S]*\r\nConnection: close\r\n/, Infinity],
        "no HTTP at all": ["\x16\x03\x01\x02\x00hello\r\n\r\n", /^HTTP\/1\.1 4\d\d |^$/],
        "two requests at once": ["GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /readyz HTTP/1.1\r\nHost: x\r\n\r\n", /HTTP\/1\.1 200 [\s\S]*HTTP\/1\.1 200 /, 2],
        "a path with the host in it": ["GET http://x/healthz HTTP/1.1\r\nHost: x\r\n\r\n", /^HTTP\/1\.1 200 /],
        "a body where none belongs": ["GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello", /^HTTP\/1\.1 (200|4\d\d) /],
    };
    for (const [what, [bytes, expected, answers]] of Object.entries(cases))
        test(`${what} is answered, and the daemon continues`, async () => {
            const text = await raw(daemon.url, bytes, { answers });
            assert.match(text, expected, text.slice(0, 300));
            assert.equal((await client(daemon.url).get("/healthz")).status, 200);
        });

    test("a client that disconnects during its body leaves nothing behind, long before the timeouts", async (t) => {
        const patient = await startDaemon({ calibrations: null, args: PATIENT });
        t.after(() => patient.stop());
        const files = () => readdirSync(`/proc/${patient.process.pid}/fd`).length, opened = files();
        const head = "POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n";
        for (let i = 0; i < 20; i++) await leave(patient.url, head, "{");
        await until("its connections are closed", () => files() === opened);
        assert.equal((await client(patient.url).get("/healthz")).status, 200);
    });
});
