// Uploads of matrices at their limits: of a file, of all together, of the workers, of the disk.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { connect } from "node:net";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { isPostgresql } from "../daemon.mjs";
import { assertProblem } from "./client.mjs";
import { serve, small, until } from "./matrix_server.mjs";

/** The files that the daemon has open and that have no name any more. */
const unnamed = ({ process: { pid } }) => readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const file = `/proc/${pid}/fd/${fd}`;
    try {
        const path = readlinkSync(file);
        return path.endsWith("(deleted)") && !path.startsWith("/memfd") ? [{ path, bytes: statSync(file).size }] : [];
    } catch { return []; /* it was closed */ }
});
/** They are closed soon after their client or child is gone. */
const allClosed = (daemon) => until("all files are closed", () => !unnamed(daemon).length);

test("a file over the limit is refused, also compressed, and nothing of it is kept", async () => {
    const it = await serve({ args: ["--matrix-limit-bytes", "100000"] });
    const large = small() + "\n".repeat(200_000);
    assertProblem(await it.upload(large), 413);
    assertProblem(await it.upload(gzipSync(large)), 413);
    assertProblem(await it.upload(gzipSync(Buffer.alloc(64 << 20))), 413);
    const chunked = await new Promise((done, fail) => {
        const socket = connect(Number(new URL(it.daemon.url).port), "127.0.0.1");
        let text = "";
        socket.on("data", (part) => { text += part; if (text.includes("}")) { socket.destroy(); done(text); } });
        socket.on("error", fail);
        socket.write(`POST /api/v1/matrices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\nTransfer-Encoding: chunked\r\n\r\n`);
        for (let i = 0; i < 15; i++) socket.write(`2710\r\n${"%".repeat(9999)}\n\r\n`);
        socket.write("0\r\n\r\n");
    });
    assert.match(chunked, /^HTTP\/1\.1 413 /);
    await allClosed(it.daemon);
    assert.deepEqual((await it.api.get("/api/v1/matrices")).json.items, []);
    await it.daemon.stop();
});

test("a preview tells what was read of the head, by its lines, and stores nothing", async () => {
    const it = await serve();
    const text = "\n%%MatrixMarket matrix coordinate real symmetric\n% a small one\n%\n3 3 4\n1 1 1\n2 2 1\n3 1 2\n3 3 1\n";
    const previewed = await it.upload(text, "?name=seen&preview=true");
    assert.equal(previewed.status, 200, previewed.text);
    const read = [["title", "a small one", 3], ["format", "matrix_market", 2], ["field", "real", 2], ["symmetry", "symmetric", 2], ["n", 3, 5], ["entries", 4, 5]]
        .map(([field, value, line]) => ({ field, value, line }));
    assert.deepEqual(previewed.json, { preview: true, id: previewed.json.id, known: false, nnz: 5, read });
    assert.deepEqual((await it.api.get("/api/v1/matrices")).json.items, []);
    assertProblem(await it.upload(text.replace("3 3 4", "3 3 5"), "?name=seen&preview=true"), 422);
    const stored = await it.upload(text, "?name=seen");
    assert.equal(stored.status, 202);
    assert.deepEqual([stored.json.id, stored.json.read], [previewed.json.id, read]);
    assert.equal((await it.api.get("/api/v1/matrices/seen")).json.read, undefined);
    assert.equal((await it.upload(text, "?name=seen&preview=true")).json.known, true);
    assertProblem(await it.upload(text, "?name=other&preview=true"), 409);
    assertProblem(await it.upload(text + "\n", "?name=seen&preview=true"), 409);
    await it.ended(stored.json.id);
    await it.daemon.stop();
});

test("concurrent uploads respect the common limit", async () => {
    const it = await serve({ args: ["--uploads-limit-bytes", "150000"] });
    const socket = connect(Number(new URL(it.daemon.url).port), "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`POST /api/v1/matrices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\nContent-Length: 200000\r\n\r\n${"%".repeat(100_000)}`);
    const written = ({ process }) => unnamed({ process }).reduce((sum, { bytes }) => sum + bytes, 0);
    await until("its bytes are taken", () => written(it.daemon) === 100_000);
    const refused = await it.upload(small() + "\n".repeat(100_000));
    assertProblem(refused, 503);
    assert.ok(refused.headers["retry-after"]);
    const taken = await it.upload(small());
    assert.equal(taken.status, 202, "a small one has room");
    await it.ended(taken.json.id); // its analysis has files of its own
    socket.destroy();
    await allClosed(it.daemon); // a client that goes away leaves nothing
    assert.equal((await it.upload(small() + "\n".repeat(100_000))).status, 202);
    await it.daemon.stop();
});

test("uploads that are read or wait for it hold no worker", async () => {
    const it = await serve({ args: ["--workers", "2"] });
    const { pid: own } = it.daemon.process;
    const children = () => readdirSync(`/proc/${own}/task`).flatMap((task) => readFileSync(`/proc/${own}/task/${task}/children`, "latin1").split(" ").filter(Boolean));
    /** Stops the process that reads a matrix, when there is one; undefined once `ended` is true. */
    const stopReader = async (ended) => {
        for (; !ended(); await wait(1))
            try {
                const pid = children().find((child) => readFileSync(`/proc/${child}/cmdline`, "latin1").includes("inspect-matrix"));
                if (pid && process.kill(Number(pid), "SIGSTOP")) return Number(pid);
            } catch { /* a thread or child has ended */ }
    };
    const entries = Array.from({ length: 600_000 }, (_, i) => `${i + 1} ${i + 1} 1`).join("\n");
    const large = gzipSync(`%%MatrixMarket matrix coordinate real general\n600000 600000 600000\n${entries}\n`);
    const uploads = [];
    let reader;
    // A slow test may miss the short time in which a matrix is read.
    for (let i = 0; reader === undefined; i++) {
        let isAnswered = false;
        uploads.push(it.upload(Buffer.concat([large, gzipSync("\n".repeat(i))])).finally(() => (isAnswered = true)));
        reader = await stopReader(() => isAnswered);
    }
    for (let i = 0; i < 3; i++) uploads.push(it.upload(small()));
    await until("all uploads have come", () => unnamed(it.daemon).length === 4);
    const sweep = it.api.get("/api/v1/sweep/matmul?machine=none&n=1..10&processes=4");
    const first = await Promise.race([sweep, ...uploads]);
    process.kill(reader, "SIGCONT");
    assert.equal(first?.status, 422, "a long request is answered while uploads wait");
    for (const upload of await Promise.all(uploads)) assert.equal(upload.status, 202, upload.text);
    await it.daemon.stop();
});

test("a full disk is reported, and nothing is lost", { skip: isPostgresql || !existsSync("/usr/bin/prlimit") }, async () => {
    const it = await serve();
    const kept = await it.upload(small(), "?name=kept");
    // A file of the daemon may not grow beyond this: as good as a full disk.
    execFileSync("prlimit", ["--pid", String(it.daemon.process.pid), "--fsize=1000000"]);
    const [first, ...rest] = small().split("\n");
    const padded = (lines) => [first, ...Array.from({ length: lines }, (_, i) => `%${Math.sin(i)}`), ...rest].join("\n");
    // Too large as it comes, plain and packed; and just not, so that the database finds no room.
    for (const body of [padded(200_000), gzipSync(padded(200_000)), gzipSync(padded(110_000))]) {
        const answer = await it.upload(body);
        assert.match(assertProblem(answer, 503).detail, /disk of the database has no space/);
        assert.ok(answer.headers["retry-after"]);
    }
    assert.deepEqual((await it.api.get("/api/v1/matrices")).json.items.map((item) => item.name), ["kept"]);
    const last = await it.upload(small());
    assert.equal(last.status, 202);
    for (const { json } of [kept, last]) assert.equal((await it.ended(json.id)).status, "ready");
    await allClosed(it.daemon);
    await it.daemon.stop();
});
