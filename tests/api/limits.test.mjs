// The limits of a client: requests, long requests, writes, bytes and analyses apart, for each token and address.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Agent } from "node:http";
import { after, before, test } from "node:test";
import { startDaemon, until } from "../daemon.mjs";
import { assertProblem, client, leave, raw, worked } from "./client.mjs";
import { standingClock } from "./clock.mjs";
import { idOf, serve, small } from "./matrix_server.mjs";

const cannon = "machine=worked&contention_model=paper&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4";
const limits = {
    "requests-per-minute": 20, "long-requests-per-minute": 3, "writes-per-minute": 5, "upload-bytes-per-day": 20_000, "analyses-per-hour": 2,
};

// Nothing comes back while the clock stands.
let clock, daemon, api;
before(async () => {
    clock = await standingClock();
    daemon = await startDaemon({ calibrations: null, env: clock.env, args: Object.entries(limits).flatMap(([name, value]) => [`--${name}`, String(value)]) });
    api = client(daemon.url);
    assert.equal((await api.upload(worked, await daemon.token("write"))).status, 201);
});
after(async () => {
    await daemon?.stop();
    await clock?.remove();
});

/** What the refusal after `most` answers says, each of which has one of the statuses; one comes back after `wait_s`. */
async function exhaust(ask, most, wait_s, ...statuses) {
    for (let i = 0; i < most; i++) {
        const answer = await ask();
        assert.ok(statuses.includes(answer.status), answer.text);
    }
    const refused = await ask();
    assert.equal(refused.headers["retry-after"], String(wait_s));
    clock.pass(wait_s);
    assert.ok(statuses.includes((await ask()).status));
    assertProblem(await ask(), 429);
    return assertProblem(refused, 429).detail;
}

const from = (address) => new Agent({ localAddress: address });
const refused = async (limit) => Number((await api.get("/metrics")).text.match(new RegExp(`^forerun_requests_limited_total\\{limit="${limit}"\\} (\\d+)$`, "m"))[1]);

test("an address has its share of quick requests; others, long requests and a token are apart", async () => {
    const ask = () => api.get(`/api/v1/predict/matmul?${cannon}`, { agent: from("127.0.0.3") });
    assert.match(await exhaust(ask, 20, 3, 200), /^This address may have 20 quick requests in a minute \(`requests_per_minute`\); try again in 3 seconds\.$/);
    const sweep = () => api.get(`/api/v1/sweep/matmul?${cannon.replace("n=4000", "n=4000,5000")}`, { agent: from("127.0.0.3") });
    assert.match(await exhaust(sweep, 3, 20, 200), /3 long requests .*`long_requests_per_minute`/);
    assert.equal((await api.get("/healthz", { agent: from("127.0.0.3") })).status, 200, "liveness has no limit");
    assert.equal((await api.get("/api/v1/models", { agent: from("127.0.0.4") })).status, 200);
    const token = await daemon.token("write");
    assert.equal((await api.put("/api/v1/machines/a", {}, { token, agent: from("127.0.0.3") })).status, 201);
    assert.equal(await refused("requests_per_minute"), 2);
    assert.equal(await refused("long_requests_per_minute"), 2);
});

test("a token has its share of writes, from whatever address", async () => {
    const token = await daemon.token("write"), other = await daemon.token("write");
    let address = 10;
    const put = () => api.put("/api/v1/machines/b", {}, { token, agent: from(`127.0.0.${++address}`) });
    assert.match(await exhaust(put, 5, 12, 200, 201), /^This token may have 5 writes .*`writes_per_minute`/);
    assert.equal((await api.put("/api/v1/machines/b", {}, { token: other })).status, 200);
});

test("a token has its share of bytes, and nothing of a refused upload is stored", async () => {
    const token = await daemon.token("write");
    const document = (n) => JSON.stringify({ schema: "forerun-calibration-1", machine: "bytes", description: "x".repeat(9_000 + n) });
    assert.equal((await api.upload(document(1), token)).status, 201);
    assert.equal((await api.upload(document(2), token)).status, 201);
    assert.match(assertProblem(await api.upload(document(3), token), 429).detail, /20000 bytes of uploads in a day \(`upload_bytes_per_day`\)/);
    assert.equal((await api.get("/api/v1/machines/bytes")).json.calibrations, 2);
    assert.equal(await refused("upload_bytes_per_day"), 1);
});

test("bytes are refused before they come, or while they come; those that do not come are given back", async (t) => {
    /* Any number of writes: each look is one.  libmicrohttpd overlooks an end that comes with the last bytes until its
       time limit has passed, so that the clock has to go on. */
    const own = await startDaemon({ calibrations: null, env: clock.env, args: ["--upload-bytes-per-day", "20000", "--writes-per-minute", "0"] });
    t.after(() => own.stop());
    const token = await own.token("write");
    const post = (headers) => `POST /api/v1/machines/bytes/calibrations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n${headers}\r\n`;
    const document = (name) => JSON.stringify({ schema: "forerun-calibration-1", machine: "bytes", description: name.padEnd(9_000, "x") });
    await leave(own.url, post("Content-Length: 20000\r\nExpect: 100-continue\r\n"), "{");
    await until("the daemon has noticed", async () => {
        clock.pass(10);
        const { status } = await client(own.url).upload(document("after one that left"), token);
        assert.ok([201, 429].includes(status));
        return status === 201;
    });
    assert.match(await raw(own.url, post("Content-Length: 15000\r\nExpect: 100-continue\r\n")), /^HTTP\/1\.1 429 [\s\S]*`upload_bytes_per_day`/, "before the body");
    const chunk = `1000\r\n${"x".repeat(4096)}\r\n`;
    assert.match(await raw(own.url, post("Transfer-Encoding: chunked\r\n") + chunk.repeat(4) + "0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", { answers: 2 }),
        /^HTTP\/1\.1 429 [\s\S]*`upload_bytes_per_day`[\s\S]*HTTP\/1\.1 200 /, "in its middle, and the connection goes on");
});

test("an untouched bucket gives a larger upload also in chunks, and then nothing", async () => {
    const body = (name) => JSON.stringify({ schema: "forerun-calibration-1", machine: "bytes", description: name }).padEnd(60_000);
    const chunks = (text) => text.match(/[^]{1,4096}/g).map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join("") + "0\r\n\r\n";
    const post = (token, text) => raw(daemon.url, `POST /api/v1/machines/bytes/calibrations HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks(text)}`);
    const declared = await daemon.token("write"), chunked = await daemon.token("write");
    clock.step(1e-6); // between two chunks: what has been taken and what is missing differ by rounding alone otherwise
    assert.equal((await api.upload(body("declared"), declared)).status, 201);
    assertProblem(await api.upload(body("declared again"), declared), 429);
    assert.match(await post(chunked, body("chunked")), /^HTTP\/1\.1 201 /);
    assert.match(await post(chunked, body("chunked again")), /^HTTP\/1\.1 429 [^]*`upload_bytes_per_day`/);
    clock.step(0);
});

test("a token that is refused costs its address", async () => {
    const token = "0".repeat(64);
    const put = () => api.put("/api/v1/machines/c", {}, { token, agent: from("127.0.0.6") });
    assert.match(await exhaust(put, 5, 12, 401), /^This address may have 5 writes /);
});

test("another structure of a matrix is an analysis, also of a known file", async () => {
    const matrix = readFileSync(new URL("../samples/matrices/symmetric.mtx", import.meta.url), "utf8");
    const token = await daemon.token("write"), headers = { "content-type": "application/octet-stream" };
    const post = (query) => api.post(`/api/v1/matrices?name=limited&orderings=natural${query}`, matrix, { token, headers });
    const add = (supernode_max) => api.post("/api/v1/matrices/limited/structures", { ordering: "natural", supernode_max, supernode_relax: 1 }, { token });
    assert.equal((await post("")).status, 202);
    assert.equal((await add(8)).status, 202);
    assert.match(assertProblem(await add(9), 429).detail, /2 analyses of matrices in an hour/);
    assertProblem(await post("&supernode_max=9&supernode_relax=1"), 429);
    assert.ok([200, 202].includes((await add(8)).status), "what is known costs nothing");
});

test("so is one that a question has made", async () => {
    const matrix = readFileSync(new URL("../samples/matrices/skew.mtx", import.meta.url), "utf8");
    const headers = { "content-type": "application/octet-stream" };
    assert.equal((await api.post("/api/v1/matrices?name=asked&orderings=natural", matrix, { token: await daemon.token("write"), headers })).status, 202);
    const ask = (limits) => api.get(`/api/v1/sweep/sparse_lu?machine=worked&matrix=asked&ordering=natural&process_rows=1&process_columns=1` +
        `&kernel_model=paper&supernode_relax=1&supernode_max=${limits}&analyze=wait`, { agent: from("127.0.0.7") });
    const detail = assertProblem(await ask("5,6,7"), 429).detail;
    assert.match(detail, /^This address may have 2 analyses of matrices in an hour/);
});

test("a client queues so many analyses", async () => {
    const matrix = readFileSync(new URL("../samples/matrices/general.mtx", import.meta.url), "utf8");
    const token = await daemon.token("write"), headers = { "content-type": "application/octet-stream" };
    const post = (name, body) => api.post(`/api/v1/matrices?name=${name}&orderings=natural`, body, { token, headers });
    assert.equal((await post("one", matrix)).status, 202);
    assert.equal((await post("two", matrix.replace("\n", "\n% two\n"))).status, 202);
    assert.match(assertProblem(await post("three", matrix.replace("\n", "\n% three\n")), 429).detail, /2 analyses of matrices in an hour/);
    assert.equal((await post("one", matrix)).status, 200, "what is known costs nothing");
    const divide = (processes) => api.get(`/api/v1/matrices/one/partitions?partition=contiguous&processes=${processes}`, { agent: from("127.0.0.5") });
    assert.ok([200, 202].includes((await divide("1,2")).status));
    assert.ok([200, 202].includes((await divide("1,2")).status));
    assertProblem(await divide("1,2,3"), 429);
});

test("so do questions that need partitions", async () => {
    const server = await serve({ args: ["--analyses-per-hour", "2"], env: clock.env, calibrations: "calibrations/sets" }), text = small();
    assert.equal((await server.upload(text, "?name=divided&orderings=natural")).status, 202);
    await server.ended(idOf(text));
    const query = "machine=example&matrix=divided&solver=gmres&iterations=10&processes_per_node=1";
    const ask = (partition, nodes, address, kind = "predict") =>
        server.api.get(`/api/v1/${kind}/solve?${query}&partition=${partition}&nodes=${nodes}`, { agent: from(address) });
    for (const nodes of [1, 2]) assert.equal((await ask("contiguous", nodes, "127.0.0.3")).status, 200);
    const refused = await ask("metis", 1, "127.0.0.3");
    const [error] = assertProblem(refused, 429).errors;
    assert.equal(error.code, "limited");
    assert.match(error.message, /^This address may have 2 analyses of matrices in an hour \(`analyses_per_hour`\); try again in 1800 seconds\.$/);
    assert.equal(refused.headers["retry-after"], "1800");
    assert.equal((await ask("contiguous", 2, "127.0.0.3")).status, 200, "what is known costs nothing");
    const rows = (await ask("metis", "1,2", "127.0.0.4", "sweep")).json.rows;
    assert.deepEqual(rows.map((row) => row.error), [null, null], "many at once count one by one");
    await server.daemon.stop();
});
