// A listening socket that is passed to the daemon, as systemd does: it stays open when the daemon restarts.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { Agent } from "node:http";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { program, root, temporaryFolder, until } from "../daemon.mjs";
import { client } from "./client.mjs";

// Holds the socket, and starts the daemon again whenever it ends well, until the file $STOP exists.
const supervisor = `while sh -c 'echo "pid $$"; LISTEN_PID=\${FOR-$$} exec "$@"' sh "$@"; do if [ -e "$STOP" ]; then exit 0; fi; done; exit 1`;

let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

/** Starts the supervisor with a new socket on descriptor 3; `said` is what it and the daemons print. */
async function supervise(name, env) {
    const server = createServer();
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const { port } = server.address();
    const args = ["--listen", "127.0.0.1:0", "--db", folder.file(`${name}.db`), "--calibrations", "calibrations/sets"];
    const child = spawn("sh", ["-c", supervisor, "sh", program, ...args], {
        cwd: root, env: { ...process.env, LISTEN_FDS: "1", STOP: folder.file(`${name}.stop`), ...env },
        stdio: ["ignore", "pipe", "pipe", server._handle.fd],
    });
    await new Promise((done) => server.close(done)); // the child has the socket, and no other process accepts
    const all = { port, said: "", ended: new Promise((done) => child.once("exit", done)) };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (all.said += text));
    all.pids = () => [...all.said.matchAll(/^pid (\d+)$/gm)].map(([, pid]) => Number(pid));
    all.urls = () => [...all.said.matchAll(/^forerund: listening on (\S+)$/gm)].map(([, url]) => url);
    all.listening = (times) => until("it listens again", () => {
        assert.equal(child.exitCode, null, all.said);
        return all.urls().length >= times;
    });
    all.stop = async () => {
        await writeFile(folder.file(`${name}.stop`), "");
        process.kill(all.pids().at(-1), "SIGTERM");
        assert.equal(await all.ended, 0, all.said);
    };
    return all;
}

test("no connection is refused or lost while the daemon restarts", async () => {
    const held = await supervise("restarts");
    await held.listening(1);
    const url = `http://127.0.0.1:${held.port}`, api = client(url), agent = new Agent({ keepAlive: false });
    let isOver = false;
    const statuses = await Promise.all(Array.from({ length: 4 }, async (_, i) => {
        const path = ["/healthz", "/api/v1/machines", "/api/v1/models", "/readyz"][i], seen = [];
        while (!isOver) seen.push((await api.get(path, { agent })).status);
        return seen;
    }).concat((async () => {
        for (let restart = 1; restart <= 3; restart++) {
            process.kill(held.pids().at(-1), "SIGTERM");
            await held.listening(restart + 1);
        }
        isOver = true;
        return [];
    })()));
    assert.deepEqual([...new Set(statuses.flat())], [200]);
    assert.equal(new Set(held.pids()).size, 4);
    assert.deepEqual([...new Set(held.urls())], [url], "the address is that of the socket");
    await held.stop();
});

test("a socket for another process is not taken, two are refused", async () => {
    const other = await supervise("other", { FOR: "1" });
    await other.listening(1);
    assert.notEqual(other.urls()[0], `http://127.0.0.1:${other.port}`);
    await other.stop();
    const two = await supervise("two", { LISTEN_FDS: "2" });
    assert.equal(await two.ended, 1);
    assert.match(two.said, /event=listen \S*="?2 sockets are passed; leave one ListenStream/);
});
