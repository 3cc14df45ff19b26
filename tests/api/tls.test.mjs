// HTTPS from the daemon itself: versions, certificates that are exchanged, files that are refused, limits.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, unlinkSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { connect as connectPlain } from "node:net";
import { after, before, describe, test } from "node:test";
import { connect } from "node:tls";
import { forerund, startDaemon, temporaryFolder, until } from "../daemon.mjs";
import { standingClock } from "./clock.mjs";

let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

const openssl = (...args) => execFileSync("openssl", args, { stdio: ["ignore", "pipe", "pipe"] });

/** A new key with a certificate for 127.0.0.1, which signs itself, in the files NAME.crt and NAME.key. */
function certify(name, days = 30) {
    const crt = folder.file(`${name}.crt`), key = folder.file(`${name}.key`), csr = folder.file(`${name}.csr`);
    openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key, "-out", csr, "-subj", `/CN=${name}`);
    openssl("x509", "-req", "-in", csr, "-signkey", key, "-days", String(days), "-out", crt);
    chmodSync(key, 0o600);
    return { crt, key };
}

const settings = ({ crt, key }) => ["--tls-certificate", crt, "--tls-key", key];
const port = (daemon) => Number(new URL(daemon.url).port);

/** One answer: {status, json, subject}, with the subject of the certificate that the daemon showed. */
function ask(daemon, path, { agent, method = "GET", body, headers = {}, ...options } = {}) {
    return new Promise((done, fail) => {
        const rq = request({ host: "127.0.0.1", port: port(daemon), path, method, headers, agent: agent ?? false, rejectUnauthorized: false, ...options }, (answer) => {
            const subject = answer.socket.getPeerCertificate().subject?.CN, version = answer.socket.getProtocol(), parts = [];
            answer.on("data", (part) => parts.push(part)).on("error", fail)
                .on("end", () => done({ status: answer.statusCode, text: Buffer.concat(parts).toString(), subject, version }));
        });
        rq.on("error", fail).end(body);
    });
}

describe("a daemon with a certificate", () => {
    let clock, daemon, first, second, crt, key;
    before(async () => {
        clock = await standingClock();
        first = certify("first");
        second = certify("second");
        [crt, key] = [folder.file("served.crt"), folder.file("served.key")];
        install(first);
        daemon = await startDaemon({ args: [...settings({ crt, key }), "--log-level", "debug"], env: clock.env });
    });
    after(async () => {
        await daemon?.stop();
        await clock?.remove();
    });
    const install = (pair) => [copyFileSync(pair.crt, crt), copyFileSync(pair.key, key)];
    /** Reloads the files; `told` is the last that the log says of them. */
    const reload = async (told = / level=info event=tls certificate=\S+ expires=\d{4}-\d\d-\d\dT/) => {
        let heard = "";
        const hear = (text) => { heard += text; };
        daemon.process.stderr.on("data", hear);
        daemon.process.kill("SIGHUP");
        await until(`the log says ${told}`, () => told.test(heard));
        daemon.process.stderr.off("data", hear);
    };

    test("speaks TLS 1.3 and 1.2, nothing older and no weak cipher", async () => {
        assert.match(daemon.url, /^https:\/\/127\.0\.0\.1:\d+$/);
        const get = (options) => ask(daemon, "/healthz", options);
        const plain = await get(), older = await get({ maxVersion: "TLSv1.2" });
        assert.deepEqual([plain.status, plain.version, plain.subject], [200, "TLSv1.3", "first"]);
        assert.deepEqual([older.status, older.version], [200, "TLSv1.2"]);
        await assert.rejects(get({ minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" }));
        for (const ciphers of ["AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA"])
            await assert.rejects(get({ maxVersion: "TLSv1.2", ciphers: `${ciphers}:@SECLEVEL=0` }), ciphers);
    });

    test("answers what it answers without TLS: long answers, uploads, kept connections", async () => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 }), token = await daemon.token("write");
        const many = `/api/v1/sweep/matmul?machine=hopper&n=${Array.from({ length: 200 }, (_, i) => 1024 * (i + 1)).join(",")}&processes=64&algorithm=cannon&variant=2d`;
        const answer = await ask(daemon, many, { agent });
        assert.equal(answer.status, 200, answer.text.slice(0, 300));
        assert.equal(JSON.parse(answer.text).rows.length, 200);
        const authorization = `Bearer ${token}`, lines = `%%MatrixMarket matrix coordinate real general\n${`%${"x".repeat(1000)}\n`.repeat(1000)}1 1 1\n1 1 1\n`;
        const upload = await ask(daemon, "/api/v1/matrices?name=one", { agent, method: "POST", body: lines, headers: { authorization, "Content-Type": "text/plain" } });
        assert.ok([202, 422].includes(upload.status), upload.text);
        assert.equal((await ask(daemon, "/healthz", { agent })).status, 200);
        agent.destroy();
    });

    test("SIGHUP exchanges the certificate, and loses no connection and no request", async () => {
        install(first);
        await reload();
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        assert.equal((await ask(daemon, "/healthz", { agent })).subject, "first");
        let isOver = false;
        const busy = (async () => {
            const statuses = [];
            while (!isOver) statuses.push((await ask(daemon, "/api/v1/models")).status);
            return statuses;
        })();
        install(second);
        await reload();
        assert.equal((await ask(daemon, "/healthz")).subject, "second");
        const kept = await ask(daemon, "/healthz", { agent });
        assert.deepEqual([kept.status, kept.subject], [200, "first"], "the connection of before");
        for (let i = 0; i < 20; i++) {
            install(i % 2 ? second : first);
            await reload();
        }
        isOver = true;
        assert.deepEqual([...new Set(await busy)], [200]);
        agent.destroy();
    });

    test("files that do not fit change nothing", async () => {
        install(second);
        await reload();
        copyFileSync(first.key, key);
        await reload(/level=error event=tls setting=tls_key error=".*served\.key is not the key of the certificate/);
        assert.equal((await ask(daemon, "/healthz")).subject, "second");
        writeFileSync(crt, "");
        await reload(/level=error event=tls setting=tls_certificate/);
        assert.equal((await ask(daemon, "/healthz")).subject, "second");
        unlinkSync(key);
        execFileSync("mkfifo", [key]);
        await reload(/level=error event=tls setting=tls_key/).finally(() => unlinkSync(key));
        assert.equal((await ask(daemon, "/healthz")).subject, "second");
        install(second);
        await reload();
    });

    test("a handshake that does not come, and what is no TLS, end with the time for headers", async () => {
        let open = 3;
        const said = ["", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n", "\x16\x03\x01"].map((bytes, i) => {
            const socket = connectPlain(port(daemon), "127.0.0.1");
            socket.on("error", () => {});
            if (bytes) socket.write(bytes, "latin1");
            socket.setEncoding("latin1").on("data", (text) => (said[i] += text)).on("close", () => open--);
            return "";
        });
        await until("all are closed", () => {
            clock.pass(1);
            return !open;
        });
        assert.doesNotMatch(said.join("\n"), /HTTP/);
    });

    test("work ends when its client has left", async () => {
        const busy = async () => Number(/^forerun_workers_busy (\d+)$/m.exec((await ask(daemon, "/metrics")).text)[1]);
        const socket = connect({ host: "127.0.0.1", port: port(daemon), rejectUnauthorized: false });
        await new Promise((done) => socket.once("secureConnect", done));
        await until("what others asked is done", async () => !await busy());
        socket.on("error", () => {}).write("GET /api/v1/recommend/hpl?machine=example&n=100000&max_nodes=512 HTTP/1.1\r\nHost: x\r\n\r\n");
        await until("it is worked on", busy);
        socket.end(); // an alert of TLS, and the end
        await until("it is ended", () => /path=\/api\/v1\/recommend\/hpl status=413 /.test(daemon.log()));
        socket.destroy();
    });
});

describe("files that a daemon refuses", () => {
    let pair, other, db;
    before(() => {
        pair = certify("pair");
        other = certify("other");
        db = folder.file("refused.db");
        writeFileSync(folder.file("empty"), "");
        openssl("ec", "-in", pair.key, "-aes128", "-passout", "pass:secret", "-out", folder.file("locked.key"));
    });
    const start = (...args) => forerund(["--listen", "127.0.0.1:0", "--db", db, ...args]);

    test("each is named with the remedy", async () => {
        const none = folder.file("none"), empty = folder.file("empty");
        for (const [files, ...messages] of [
            [{ crt: none, key: pair.key }, /setting=tls_certificate error=".*none: No such file or directory; name a PEM file with the certificate/],
            [{ crt: empty, key: none }, /setting=tls_certificate error=".*empty: .*; name a PEM/, /setting=tls_key error=".*none: No such file/],
            [{ crt: pair.key, key: pair.crt }, /setting=tls_certificate error=/, /setting=tls_key error=".*without a password/],
            [{ crt: pair.crt, key: other.key }, /setting=tls_key error=".*other\.key is not the key of the certificate .*pair\.crt/],
            [{ crt: pair.crt, key: folder.file("locked.key") }, /setting=tls_key error=".*locked\.key: .*without a password/],
        ]) {
            const { code, stderr } = await start(...settings(files));
            assert.equal(code, 1, stderr);
            for (const message of messages) assert.match(stderr, message);
        }
    });

    test("one without the other", async () => {
        for (const [given, missing] of [["certificate", "key"], ["key", "certificate"]]) {
            const { code, stderr } = await start(`--tls-${given}`, pair.crt);
            assert.equal(code, 2);
            assert.match(stderr, new RegExp(`tls_${missing}: is needed with tls_${given}`));
        }
    });

    test("the doctor looks at them", async () => {
        const doctor = async (files, ...args) => (await forerund(["doctor", "--db", db, ...settings(files), ...args])).stdout;
        assert.match(await doctor(pair), /^ok tls: \S+pair\.crt is good until \d{4}-\d\d-\d\d$/m);
        assert.match(await doctor(certify("soon", 5)), /^warning tls: .* ends on \d{4}-\d\d-\d\d; renew it and reload/m);
        assert.match(await doctor(certify("past", -1)), /^fault tls: .* ended on \d{4}-\d\d-\d\d; renew it and reload/m);
        assert.match(await doctor({ crt: pair.crt, key: other.key }), /^fault tls: tls_key: .* is not the key/m);
        assert.match(await doctor(pair, "--listen", "0.0.0.0:8080"), /^(?!.*without TLS)/s);
        chmodSync(pair.key, 0o644);
        assert.match(await doctor(pair), /^warning tls: .*pair\.key: other users may read it \(mode 644\); chmod 640/m);
        chmodSync(pair.key, 0o600);
    });
});
