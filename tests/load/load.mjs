// A mixed load on a daemon of its own: `make check-load`.  Prints what was measured, and fails unless
//   - no request fails,
//   - the resident memory is flat after a warm-up,
//   - the p99 of quick requests beside the heavy ones is below 10 ms,
//   - beyond its capacity the daemon refuses with 429 or 503, and afterwards serves at once.
//
//     LOAD_SECONDS=600 node tests/load/load.mjs
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { Agent } from "node:http";
import { loadavg } from "node:os";
import { gzipSync } from "node:zlib";
import { client, keepAlive } from "../api/client.mjs";
import { fake, real, wait } from "../api/matrix_server.mjs";
import { startDaemon } from "../daemon.mjs";

const seconds = Number(process.env.LOAD_SECONDS ?? 600);
const HEAVY_CLIENTS = 4, OVERLOAD_CLIENTS = 150, QUICK_PER_S = 50;
const P99_MS = 10, GROWTH = 1.1;

/** A grid of k x k points, five neighbours each; `serial` tells one from another. */
function grid(k, serial) {
    const lines = [];
    for (let i = 0; i < k * k; i++) {
        lines.push(`${i + 1} ${i + 1} 4`);
        if (i % k) lines.push(`${i + 1} ${i} -1`, `${i} ${i + 1} -1`);
        if (i >= k) lines.push(`${i + 1} ${i + 1 - k} -1`, `${i + 1 - k} ${i + 1} -1`);
    }
    return gzipSync(`%%MatrixMarket matrix coordinate real general\n% ${serial}\n${k * k} ${k * k} ${lines.length}\n${lines.join("\n")}\n`);
}

const multiply = "machine=example&algorithm=cannon&variant=2d&threads=1";
const factorize = "machine=example&matrix=load&ordering=metis";
const octets = { "content-type": "application/octet-stream" };
const document = (serial) => ({ schema: "forerun-calibration-1", machine: "load", description: `number ${serial}` });
const run = (serial) => ({ schema: "forerun-run-1", model: "matmul", time_s: 1 + serial / 1e6, parameters: { algorithm: "cannon", variant: "2d", n: 1000, processes: 4, threads: 1 } });

/** Heavy requests; what they store they delete.  Each question is a new one, so that no cache answers. */
const heavy = {
    sweep: ({ get, n }) => get(`/api/v1/sweep/matmul.csv?${multiply}&processes=4,16,64&n=${n}..${n + 500}`),
    ranking: ({ get, n }) => get(`/api/v1/rank/matmul?machine=example&n=${n}&processes=64`),
    recommendation: ({ get, n }) => get(`/api/v1/recommend/matmul?machine=example&n=${n}`),
    chart: ({ get, n }) => get(`/api/v1/chart/matmul.svg?${multiply}&processes=4,16&n=${n},${n + 7},${n + 99}`),
    batch: ({ api, n, agent }) => api.post("/api/v1/predict", { requests: Array.from({ length: 50 }, (_, i) => ({ model: "matmul", machine: "example", parameters: { algorithm: "cannon", variant: "2d", n: n + i, processes: 16, threads: 1 } })) }, { agent }),
    simulation: ({ get, n }) => get(`/api/v1/predict/sparse_lu?${factorize}&process_rows=${1 + n % 61}&process_columns=${1 + n % 7}`),
    calibration: async ({ api, n, token, agent }) => {
        const answer = await api.post("/api/v1/machines/load/calibrations", document(n), { token, agent });
        if (answer.status === 201) await api.delete(`/api/v1/calibrations/${answer.json.id}`, { token, agent });
        return answer;
    },
    runs: async ({ api, n, token, agent }) => {
        const answer = await api.post("/api/v1/machines/example/runs", Array.from({ length: 20 }, (_, i) => run(n * 20 + i)), { token, agent });
        for (const { id } of answer.json.items ?? []) await api.delete(`/api/v1/runs/${id}`, { token, agent });
        return answer;
    },
    matrix: async ({ api, n, token, agent }) => {
        const answer = await api.post("/api/v1/matrices?orderings=metis", grid(20, n), { token, agent, headers: octets });
        if (answer.status === 202) await api.delete(`/api/v1/matrices/${answer.json.id}`, { token, agent });
        return answer;
    },
};

/** The quick ones, whose time is measured. */
const quick = [
    (n) => `/api/v1/predict/matmul?${multiply}&processes=16&n=${n}`, () => "/api/v1/machines", () => "/api/v1/models", () => "/healthz", () => "/readyz",
    () => "/api/v1/machines/example/runs?limit=10",
];

const quantile = (values, q) => values.sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(q * values.length))];
const print = (name, value) => console.log(`${name.padEnd(44)} ${value}`);

// ---- the child: heavy clients, in a process of its own so that they do not delay the measuring one ----

async function beHeavy({ url, token, seed }) {
    const api = client(url), kinds = Object.entries(heavy), times = Object.fromEntries(kinds.map(([kind]) => [kind, []])), failures = [];
    let isOver = false, serial = seed;
    process.once("message", () => (isOver = true));
    await Promise.all(Array.from({ length: HEAVY_CLIENTS }, async (_, i) => {
        const agent = keepAlive(1), get = (path) => api.get(path, { agent });
        for (let next = i; !isOver; next++) {
            const [kind, ask] = kinds[next % kinds.length], from = performance.now();
            const answer = await ask({ api, get, token, agent, n: 1000 + ++serial }).catch((error) => ({ status: String(error) }));
            times[kind].push(performance.now() - from);
            if (![200, 201, 202].includes(answer.status)) failures.push(`${kind}: ${answer.status} ${answer.text?.slice(0, 300) ?? ""}`);
        }
        agent.destroy();
    }));
    process.send({ times: Object.fromEntries(Object.entries(times).map(([kind, t]) => [kind, { count: t.length, p50: quantile(t, 0.5), p99: quantile(t, 0.99) }])), failures });
    process.disconnect();
}

// ---- the measuring process ----------------------------------------------------------------------

/** Quick requests at a constant rate until `end` settles: their times in ms. */
async function measureQuick(api, end) {
    const agent = keepAlive(8), times = [], failures = [], asked = new Set();
    let isOver = false, n = 0;
    end.finally(() => (isOver = true));
    for (const begun = performance.now(); !isOver; await wait(Math.max(0, begun + (1000 * ++n) / QUICK_PER_S - performance.now()))) {
        const from = performance.now(), path = quick[n % quick.length](1000 + n);
        const one = api.get(path, { agent }).then(({ status, text }) => {
            times.push(performance.now() - from);
            if (status !== 200) failures.push(`${path}: ${status} ${text.slice(0, 300)}`);
        }, (error) => failures.push(`${path}: ${error}`)).finally(() => asked.delete(one));
        asked.add(one);
    }
    await Promise.all(asked);
    agent.destroy();
    return { times, failures };
}

const residentBytes = (daemon) => Number(readFileSync(`/proc/${daemon.process.pid}/status`, "utf8").match(/^VmRSS:\s+(\d+)/m)[1]) * 1024;

/** The resident memory, once a second until `end` settles. */
async function watchMemory(daemon, end) {
    const samples = [];
    let isOver = false;
    end.finally(() => (isOver = true));
    for (; !isOver; await wait(1000)) samples.push(residentBytes(daemon));
    return samples;
}

/** Many clients of several addresses at once: the answers by status, and the time until the daemon serves as before. */
async function overload(api, ms) {
    const byStatus = {}, agents = Array.from({ length: 10 }, (_, i) => new Agent({ keepAlive: true, localAddress: `127.0.0.${i + 2}` }));
    const until = performance.now() + ms;
    let serial = 0;
    await Promise.all(Array.from({ length: OVERLOAD_CLIENTS }, async (_, i) => {
        while (performance.now() < until) {
            const answer = await heavy.sweep({ n: 20_000 + ++serial, get: (path) => api.get(path, { agent: agents[i % agents.length] }) });
            byStatus[answer.status] = (byStatus[answer.status] ?? 0) + 1;
            if (answer.status !== 200) assert.ok([429, 503].includes(answer.status) && Number(answer.headers["retry-after"]) >= 1, answer.text);
        }
    }));
    const from = performance.now();
    assert.equal((await heavy.sweep({ n: 10, get: api.get })).status, 200);
    assert.equal((await api.get("/readyz")).status, 200);
    for (const agent of agents) agent.destroy();
    return { byStatus, recoveryMs: performance.now() - from };
}

async function main() {
    const analyze = existsSync(real) ? real : fake;
    const daemon = await startDaemon({ args: ["--analyze-program", analyze, "--writes-per-minute", "0", "--long-requests-per-minute", "0",
        "--requests-per-minute", "0", "--upload-bytes-per-day", "0", "--analyses-per-hour", "0", "--audit-retention-days", "1",
        // Small caches are full after the warm-up.
        "--chart-cache-bytes", "1000000", "--simulation-cache-bytes", "1000000", "--long-queue-limit", "32", "--log-level", "warning"] });
    const api = client(daemon.url), token = await daemon.token("admin");
    const uploaded = await api.post("/api/v1/matrices?name=load&orderings=metis", grid(40, 0), { token, headers: octets });
    assert.equal(uploaded.status, 202, uploaded.text);
    for (let tries = 0; (await api.get("/api/v1/matrices/load")).json.status !== "ready"; tries++, await wait(50)) assert.ok(tries < 1200);
    assert.equal((await api.put("/api/v1/machines/load", {}, { token })).status, 201);

    const alone = await measureQuick(api, wait(Math.min(10, seconds / 6) * 1000));
    const child = fork(new URL(import.meta.url), ["heavy"]);
    const heavyEnded = new Promise((done, fail) => child.once("message", done).once("error", fail).once("exit", (code) => fail(new Error(`the heavy clients ended with ${code}`))));
    child.send({ url: daemon.url, token, seed: 0 });
    await wait((seconds / 4) * 1000); // the warm-up
    const load = loadavg()[0], span = wait((seconds * 3 / 4) * 1000);
    const [beside, memory] = await Promise.all([measureQuick(api, span), watchMemory(daemon, span)]);
    child.send("over");
    const { times, failures } = await heavyEnded;
    const shed = await overload(api, Math.min(10, seconds / 6) * 1000);
    const growth = quantile(memory.slice(-memory.length / 4), 0.5) / quantile(memory.slice(0, memory.length / 4), 0.5);
    await daemon.stop();

    for (const [kind, { count, p50, p99 }] of Object.entries(times)) print(kind, `${count} requests, median ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
    print("quick requests, alone", `${alone.times.length}, median ${quantile(alone.times, 0.5).toFixed(2)} ms, p99 ${quantile(alone.times, 0.99).toFixed(2)} ms`);
    const p99 = quantile(beside.times, 0.99);
    print("quick requests, beside the heavy ones", `${beside.times.length}, median ${quantile(beside.times, 0.5).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (aim: below ${P99_MS})`);
    print("resident memory, last quarter to first", `${(memory.at(-1) / 1e6).toFixed(0)} MB, ratio ${growth.toFixed(3)} (aim: at most ${GROWTH})`);
    print("beyond capacity", `${Object.entries(shed.byStatus).map(([status, count]) => `${count} x ${status}`).join(", ")}; a sweep ${shed.recoveryMs.toFixed(0)} ms after it`);
    print("load of the machine at the warm-up's end", load.toFixed(1));
    const failed = [...failures, ...alone.failures, ...beside.failures];
    const wrong = {
        [`${failed.length} requests failed, for example: ${failed[0]}`]: failed.length,
        "nothing was refused beyond capacity": !(shed.byStatus[429] || shed.byStatus[503]),
        "the memory is not flat": growth > GROWTH,
        "quick requests are too slow": p99 >= P99_MS,
    };
    for (const [what, is] of Object.entries(wrong)) {
        if (!is) continue;
        console.error(`load: ${what}`);
        process.exitCode = 1;
    }
}

if (process.argv[2] === "heavy") process.once("message", beHeavy);
else await main();
