// The alerts and the dashboard read metrics that a daemon has, and what an alert is about moves its metric.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, renameSync, statfsSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { get } from "node:https";
import { connect } from "node:net";
import { after, before, test } from "node:test";
import { parse } from "yaml";
import { isPostgresql, root, startDaemon, temporaryFolder, until } from "../daemon.mjs";
import { client, keepAlive, worked } from "./client.mjs";
import { gatedProgram, standingClock } from "./clock.mjs";
import { idOf, serve, small } from "./matrix_server.mjs";

const swept = "machine=worked&algorithm=cannon&variant=2d&n=1000,2000&processes=16&threads=4";
const rules = parse(readFileSync(`${root}/deploy/prometheus-rules.yml`, "utf8")).groups.flatMap((group) => group.rules);
const dashboard = JSON.parse(readFileSync(`${root}/deploy/grafana-dashboard.json`, "utf8"));

/** The samples of a text of metrics: [{name, labels, value}]. */
function samplesOf(text) {
    return text.trim().split("\n").filter((line) => !line.startsWith("#")).map((line) => {
        const [, name, labels = "", value] = line.match(/^(\w+)(?:\{(.*)\})? (\S+)$/);
        return { name, value: value === "+Inf" ? Infinity : Number(value), labels: labelsOf(labels, "=") };
    });
}

function labelsOf(text, operator) {
    return Object.fromEntries([...text.matchAll(/(\w+)(=~|=)"([^"]*)"/g)].filter((found) => found[2] === operator).map(([, label, , value]) => [label, value]));
}

/** What an expression selects, without the labels that Prometheus adds: [{name, labels}]. */
function selectorsOf(expr) {
    return [...expr.matchAll(/\b((?:forerun|process)_\w+)(?:\{([^}]*)\})?/g)].map(([, name, labels = ""]) => {
        const { job, ...own } = labelsOf(labels, "=");
        return { name, labels: own };
    });
}

const matching = (samples, { name, labels }) =>
    samples.filter((sample) => sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value));
const sum = (samples, name, labels = {}) => matching(samples, { name, labels }).reduce((total, { value }) => total + value, 0);

/** Asks `api` for metrics until they are as `is` wants; a second passes each time. */
const become = (api, is) => until(is, async () => {
    clock.pass(1);
    return is(samplesOf((await api.get("/metrics")).text));
});

let clock, gnuplot, server, api;
before(async () => {
    clock = await standingClock();
    gnuplot = await gatedProgram("gnuplot", "exit 1");
    const args = ["--workers", "2", "--child-folders", gnuplot.folder, "--connections-per-address", "60", "--writes-per-minute", "20", "--log-level", "debug"];
    server = await serve({ args, env: { ...clock.env, PATH: gnuplot.folder } });
    api = server.api;
    assert.equal((await api.upload(worked, server.token)).status, 201);
});
after(async () => {
    await server?.daemon.stop();
    await Promise.all([clock?.remove(), gnuplot?.remove()]);
});

/** Connections of one address that never end their headers, until the daemon closes one. */
async function drip(count) {
    const { hostname, port } = new URL(api.base);
    const sockets = Array.from({ length: count }, () => {
        const socket = connect({ port: Number(port), host: hostname, localAddress: "127.0.0.8" }, () => socket.write("GET / HTTP/1.1\r\nX: "));
        return socket.on("error", () => {});
    });
    let isOver = false;
    for (const socket of sockets) socket.once("close", () => (isOver = true)).resume();
    await until("one is closed", () => {
        clock.pass(1);
        return isOver;
    });
    for (const socket of sockets) socket.destroy();
}

// What causes each alert that is about a growing counter.
const causes = {
    async ForerunFailures() {
        gnuplot.pass();
        assert.equal((await api.get(`/api/v1/chart/matmul.svg?${swept}`)).status, 500);
    },
    async ForerunClientsLimited() {
        const put = () => api.put("/api/v1/machines/x", {}, { token: "0".repeat(64), agent: new Agent({ localAddress: "127.0.0.9" }) });
        for (let i = 0; (await put()).status !== 429; i++) assert.ok(i < 100);
    },
    ForerunConnectionsRefused: () => drip(80),
    ForerunConnectionsLate: () => drip(1),
    async ForerunLogLinesLost() {
        const agent = keepAlive(8), log = server.daemon.process.stderr;
        log.pause();
        for (let i = 0; i < 100 && !sum(samplesOf((await api.get("/metrics")).text), "forerun_log_lines_lost_total"); i++)
            await Promise.all(Array.from({ length: 100 }, () => api.get("/healthz", { agent })));
        log.resume();
        agent.destroy();
    },
    async ForerunAnalysesFail() {
        const text = small("crash");
        assert.equal((await server.upload(text, "?name=crash&orderings=natural")).status, 202);
        assert.equal((await server.ended(idOf(text))).status, "failed");
    },
};

for (const [name, cause] of Object.entries(causes))
    test(`what ${name} is about moves its metric`, async () => {
        const [{ name: metric, labels }] = selectorsOf(rules.find(({ alert }) => alert === name).expr);
        const from = sum(samplesOf((await api.get("/metrics")).text), metric, labels);
        await cause();
        await become(api, (samples) => sum(samples, metric, labels) > from);
    });

test("ForerunSlow and ForerunQueue: requests that wait are counted, and so is the time that they take", async () => {
    const slow = (samples) => sum(samples, "forerun_request_duration_seconds_count") - sum(samples, "forerun_request_duration_seconds_bucket", { le: "0.25" });
    const before = slow(samplesOf((await api.get("/metrics")).text));
    const asked = [];
    for (const gauge of ["forerun_workers_busy", "forerun_queue_length"]) { // one runs, one waits
        asked.push(api.get(`/api/v1/chart/matmul.svg?${swept}`));
        await until(`${gauge} is 1`, async () => sum(samplesOf((await api.get("/metrics")).text), gauge) === 1);
    }
    clock.pass(1);
    gnuplot.pass(2);
    await Promise.all(asked);
    await become(api, (samples) => slow(samples) === before + 2);
});

test("ForerunAnalysesWait: matrices that wait behind one that never ends are counted", async () => {
    for (const act of ["hang", ""]) assert.equal((await server.upload(small(act), "?orderings=natural")).status, 202);
    await become(api, (samples) => sum(samples, "forerun_matrices", { status: "queued" }) === 1);
});

test("ForerunDiskFull: the free space is that of the database's disk", { skip: isPostgresql }, async () => {
    const free = () => { const { bavail, bsize } = statfsSync(server.daemon.db); return bavail * bsize; };
    await become(api, (samples) => Math.abs(sum(samples, "forerun_disk_free_bytes") - free()) < 2 ** 26);
});

test("ForerunNotReady, ForerunStoreErrors, ForerunRestarts and ForerunDown: a database that goes away, a new start, and no daemon", { skip: isPostgresql }, async () => {
    const other = await serve({ env: clock.env }), { db } = other.daemon;
    const begun = (text) => sum(samplesOf(text), "process_start_time_seconds");
    const before = begun((await other.api.get("/metrics")).text);
    await become(other.api, (samples) => sum(samples, "forerun_ready") === 1);
    renameSync(db, `${db}.away`);
    await become(other.api, (samples) => sum(samples, "forerun_ready") === 0);
    assert.equal((await other.api.upload(worked, other.token)).status, 503);
    await become(other.api, (samples) => sum(samples, "forerun_store_errors_total") > 0);
    renameSync(`${db}.away`, db);
    await become(other.api, (samples) => sum(samples, "forerun_ready") === 1);
    assert.equal((await other.api.upload(worked, other.token)).status, 201);
    await other.daemon.stop();
    await assert.rejects(other.api.get("/metrics"), /ECONNREFUSED/);
    const next = await serve({ env: clock.env });
    assert.ok(begun((await next.api.get("/metrics")).text) > before);
    await next.daemon.stop();
});

test("ForerunReloadRefused and ForerunCertificateEnds: files that SIGHUP refuses, and a certificate that ends soon", async () => {
    const folder = await temporaryFolder(), [key, crt, config] = ["key", "crt", "conf"].map(folder.file);
    const certify = (days) => execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", String(days),
        "-subj", "/CN=monitored", "-keyout", key, "-out", crt], { stdio: "ignore" });
    const soon = (samples) => sum(samples, "forerun_tls_expiry_timestamp_seconds") - Date.now() / 1000 < 14 * 86400;
    const refused = (samples) => sum(samples, "forerun_reload_refused") === 1;
    certify(5);
    writeFileSync(config, `tls_certificate = ${crt}\ntls_key = ${key}\n`);
    const daemon = await startDaemon({ calibrations: null, args: ["--config", config] });
    const secure = { get: (path) => new Promise((done, fail) => {
        get(daemon.url + path, { rejectUnauthorized: false }, async (answer) => done({ text: Buffer.concat(await answer.toArray()).toString() })).on("error", fail);
    }) };
    const reload = () => daemon.process.kill("SIGHUP");
    try {
        await become(secure, (samples) => soon(samples) && !refused(samples));
        writeFileSync(key, "no key");
        reload();
        await become(secure, refused);
        certify(30);
        reload();
        await become(secure, (samples) => !soon(samples) && !refused(samples));
        writeFileSync(config, "workers = none\n");
        reload();
        await become(secure, refused);
        await become(api, (samples) => !refused(samples) && !soon(samples));
    } finally {
        await daemon.stop();
        await folder.remove();
    }
});

test("every metric and label of alerts and dashboard is one of the daemon's, and every alert has a cause above", { skip: isPostgresql }, async () => {
    const samples = samplesOf((await api.get("/metrics")).text);
    const said = readFileSync(new URL(import.meta.url), "utf8");
    const expressions = [...rules.map(({ expr }) => expr), ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))];
    for (const expr of expressions)
        for (const selector of selectorsOf(expr)) assert.ok(matching(samples, selector).length, `no sample of ${JSON.stringify(selector)} in: ${expr}`);
    for (const { alert } of rules) assert.match(said, new RegExp(`\\b${alert}\\b`), `no test causes ${alert}`);
});

test("every alert says what to do, in settings that exist", () => {
    const settings = [...readFileSync(`${root}/deploy/forerund.conf`, "utf8").matchAll(/^#(\w+) =/gm)].map(([, name]) => name);
    for (const { alert, labels, annotations } of rules) {
        assert.ok(["info", "warning", "critical"].includes(labels.severity), alert);
        assert.ok(annotations.summary && annotations.remedy, alert);
        for (const [word] of annotations.remedy.matchAll(/\b[a-z]+(_[a-z]+)+\b/g))
            assert.ok(settings.includes(word) || /^(forerun_|store_failed$)/.test(word), `${alert}: ${word}`);
    }
});
