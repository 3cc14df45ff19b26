// What the file of settings decides, when the daemon starts and at SIGHUP.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { unlink, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { forerund, startDaemon, temporaryFolder, until } from "../daemon.mjs";
import { assertProblem, client } from "./client.mjs";

let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

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
    const { code, stderr } = await forerund(["--config", config, "--db", folder.file("w.db"), "--listen", "127.0.0.1:0"]);
    assert.notEqual(code, 0);
    assert.match(stderr, /require_token_for_read\b/);
});

test("SIGHUP reloads the configuration without interrupting requests", async () => {
    const config = folder.file("reloaded.conf");
    await writeFile(config, "require_token_for_read = false\n");
    const daemon = await startDaemon({ calibrations: null, args: ["--config", config] });
    const api = client(daemon.url);
    const status = async () => (await api.get("/api/v1/machines")).status;
    const reload = async (text, logged) => {
        await writeFile(config, text);
        daemon.process.kill("SIGHUP");
        await until(logged, () => logged.test(daemon.log()));
    };
    assert.equal(await status(), 200);
    await reload("require_token_for_read = true\n", /event=reload changed=require_token_for_read value=true/);
    assert.equal(await status(), 401);
    await reload("require_token_for_read = perhaps\n", /event=reload .*perhaps/);
    assert.equal(await status(), 401, "a file that is wrong is reported and changes nothing");
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

test("a reload waits for no writer of a pipe", async () => {
    const config = folder.file("pipe.conf");
    await writeFile(config, "queue_limit = 9\n");
    const daemon = await startDaemon({ calibrations: null, args: ["--config", config] });
    const logged = (pattern) => until(pattern, () => pattern.test(daemon.log()));
    await unlink(config);
    execFileSync("mkfifo", [config]);
    daemon.process.kill("SIGHUP");
    await logged(/level=error event=reload setting=config error=".*pipe\.conf cannot be read: not a regular file"/);
    await unlink(config);
    await writeFile(config, "queue_limit = 8\n");
    daemon.process.kill("SIGHUP");
    await logged(/event=reload changed=queue_limit value=8/);
    await daemon.stop();
});
