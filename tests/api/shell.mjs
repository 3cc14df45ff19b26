// Runs the shell programs of deploy/jobs, with stubs of a cluster's commands before them on the PATH.
import { spawn } from "node:child_process";
import { chmod, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { root, temporaryFolder } from "../daemon.mjs";

const TIMEOUT_MS = 120_000;
export const jobs = join(root, "deploy/jobs");

/** Runs a program with exactly this environment; returns {code, stdout, stderr}. */
export function run(command, args, { env = {}, input = "", cwd } = {}) {
    return new Promise((done, fail) => {
        const child = spawn(command, args, { env, cwd, timeout: TIMEOUT_MS, killSignal: "SIGKILL" });
        let stdout = "", stderr = "";
        child.stdout.setEncoding("utf8").on("data", (text) => { stdout += text; });
        child.stderr.setEncoding("utf8").on("data", (text) => { stderr += text; });
        child.once("error", fail);
        child.once("close", (code, signal) => signal ? fail(new Error(`${command} ended by ${signal}\n${stderr}`))
            : done({ code, stdout, stderr }));
        child.stdin.on("error", () => {}); // a program that does not read its input
        child.stdin.end(input);
    });
}

/** A folder to work in; stub(name, script) puts an sh script on the path, before deploy/jobs and the system's commands. */
export async function workplace() {
    const folder = await temporaryFolder(), bin = await temporaryFolder();
    return {
        ...folder,
        PATH: `${bin.path}:${jobs}:${process.env.PATH}`,
        write: (name, text) => writeFile(folder.file(name), text),
        async stub(name, script) {
            await writeFile(bin.file(name), `#!/bin/sh\n${script}\n`);
            await chmod(bin.file(name), 0o755);
        },
        remove: () => Promise.all([folder.remove(), bin.remove()]),
    };
}

/** A server that keeps the requests, and answers with reply(request): {status, headers, body}, or null for no answer. */
export async function fakeDaemon(reply) {
    const requests = [];
    const server = createServer((request, response) => {
        const parts = [];
        request.on("data", (part) => parts.push(part)).on("end", () => {
            requests.push({ method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() });
            const answer = reply(request);
            if (answer) response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? "");
        });
    });
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    return {
        url: `http://127.0.0.1:${server.address().port}`, requests,
        stop: () => new Promise((done) => { server.closeAllConnections(); server.close(done); }),
    };
}
