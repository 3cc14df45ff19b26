// The daemon behind a real nginx with deploy/nginx.conf, with TLS and without.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { connect } from "node:tls";
import { root, temporaryFolder } from "../daemon.mjs";
import { assertProblem, client } from "./client.mjs";
import { serve, small, until } from "./matrix_server.mjs";

const RECORD_BYTES = 16 * 1024;
const LONG = "machine=example&n=100000&processes=1024&limit=3"; // seconds

let folder, service, nginx, ended, proxied, secure, admin;

const freePort = () => new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
        const { port } = server.address();
        server.close(() => done(port));
    });
});

/** The sample with these ports, this daemon and these folders. */
function configuration(port, securePort) {
    const sample = readFileSync(`${root}/deploy/nginx.conf`, "utf8")
        .replace(/server \{\s+listen 80;[^}]*\}/, "")
        .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port}; listen 127.0.0.1:${securePort} ssl http2;`)
        .replace("listen [::]:443 ssl http2;", "")
        .replaceAll("/etc/ssl/forerun/", `${folder.path}/`)
        .replace("/var/lib/nginx/forerun", folder.file("cache"))
        .replace("127.0.0.1:8080", new URL(service.daemon.url).host);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder.file(name)};`);
    return `${process.getuid() ? "" : "user root;"} daemon off; pid ${folder.file("pid")}; events {}
        http { access_log off; ${temporary.join(" ")} ${sample} }`;
}

before(async () => {
    folder = await temporaryFolder();
    mkdirSync(folder.file("cache"));
    service = await serve({ calibrations: "calibrations/sets", args: ["--proxies", "127.0.0.1"] });
    admin = await service.daemon.token("admin");
    const port = await freePort(), securePort = await freePort();
    execFileSync("openssl", ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=nginx",
        "-keyout", folder.file("privkey.pem"), "-out", folder.file("fullchain.pem")], { stdio: "pipe" });
    writeFileSync(folder.file("conf"), configuration(port, securePort));
    nginx = spawn("nginx", ["-p", folder.path, "-c", folder.file("conf"), "-e", folder.file("error")], {
        env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }, stdio: ["ignore", "ignore", "inherit"],
    });
    process.once("exit", () => nginx.kill());
    ended = new Promise((done) => nginx.once("exit", done).once("error", done));
    proxied = client(`http://127.0.0.1:${port}`);
    secure = { host: "127.0.0.1", port: securePort };
    await until("nginx serves", async () => {
        assert.ok(nginx.pid && nginx.exitCode === null, "nginx does not serve");
        return (await proxied.get("/readyz").catch(() => ({}))).status === 200;
    });
});
after(async () => {
    nginx?.kill();
    await ended;
    await service?.daemon.stop();
    await folder?.remove();
});

const metric = async (pattern) => Number((await service.api.get("/metrics")).text.match(pattern)?.[1] ?? 0);

test("lines come while the work goes on", async () => {
    const socket = connect({ ...secure, rejectUnauthorized: false });
    socket.write(`GET /api/v1/rank/hpl.ndjson?${LONG} HTTP/1.1\r\nHost: forerun\r\n\r\n`);
    const first = String(await new Promise((done, fail) => socket.once("data", done).once("error", fail)));
    socket.destroy();
    assert.match(first, /^HTTP\/1.1 200 /);
    assert.ok(first.length < RECORD_BYTES / 2 && !first.includes('"answer":'), "lines are held back until a record of TLS is full, or the end");
});

test("a matrix may be as large as the daemon takes it, other bodies are smaller", async () => {
    const padding = `% ${"x".repeat(997)}\n`.repeat(17_000), [head, ...rest] = small().split("\n");
    const matrix = Buffer.from([head, padding + rest.join("\n")].join("\n"));
    const headers = { "Content-Type": "application/octet-stream" };
    assert.ok(matrix.length > 16 * 1024 * 1024);
    assertProblem(await proxied.post("/api/v1/matrices", matrix, { token: "0".repeat(64), headers }), 401);
    const answer = await proxied.post("/api/v1/matrices", matrix, { token: service.token, headers });
    assert.equal(answer.status, 202, answer.text.slice(0, 500));
    assert.equal((await proxied.post("/api/v1/predict", matrix)).status, 413);
});

test("the address in the audit log is the client's, whatever it says of itself", async () => {
    const headers = { "X-Forwarded-For": "192.0.2.7" };
    assert.equal((await proxied.put("/api/v1/machines/proxied", { nodes: 4 }, { token: admin, headers })).status, 201);
    const [row] = (await proxied.get("/api/v1/audit?limit=1", { token: admin })).json.items;
    assert.deepEqual([row.id, row.address], ["proxied", "127.0.0.1"]);
});

test("of several lines, the last is the proxy's", async () => {
    const headers = { "X-Forwarded-For": ["192.0.2.7", "192.0.2.8, 192.0.2.9:5000"] };
    assert.equal((await service.api.put("/api/v1/machines/forwarded", { nodes: 4 }, { token: admin, headers })).status, 201);
    const [row] = (await service.api.get("/api/v1/audit?limit=1", { token: admin })).json.items;
    assert.deepEqual([row.id, row.address], ["forwarded", "192.0.2.9"]);
    assert.equal((await service.api.get("/api/v1/nothing", { headers })).status, 404);
    await until("the log has the request", () => service.daemon.log().includes("/api/v1/nothing"));
    assert.match(service.daemon.log(), /path=\/api\/v1\/nothing status=404 latency_us=\d+ address=192\.0\.2\.9$/m);
});

test("what names its calibration is asked for once, in each form", async () => {
    const { id } = (await proxied.get("/api/v1/machines/hopper/calibrations")).json.items[0];
    const query = `calibration=${id}&algorithm=cannon&variant=2d&n=4096&processes=1024&threads=6`;
    const predicted = () => metric(/^forerun_predictions_total\{model="matmul"\} (\d+)$/m), first = await predicted();
    const forms = [["", {}], [".csv", {}], [".txt", {}], ["", { Accept: "text/csv" }], ["", { "Accept-Encoding": "gzip" }]];
    for (const [suffix, headers] of forms) {
        const direct = await service.api.get(`/api/v1/predict/matmul${suffix}?${query}`, { headers });
        const before = await predicted();
        for (let again = 0; again < 3; again++) {
            const answer = await proxied.get(`/api/v1/predict/matmul${suffix}?${query}`, { headers });
            assert.deepEqual([answer.status, answer.body], [200, direct.body]);
            for (const name of ["content-type", "content-encoding", "etag", "vary"]) assert.equal(answer.headers[name], direct.headers[name]);
        }
        assert.equal(await predicted() - before, 1, `${suffix} ${JSON.stringify(headers)}`);
        const head = await proxied.head(`/api/v1/predict/matmul${suffix}?${query}`, { headers });
        assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", direct.headers.etag]);
    }
    assert.ok(await predicted() > first);
});
