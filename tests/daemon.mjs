// Starts a forerund for a test, on a free port with a new database, and stops it.  The database is a
// file, or one of the PostgreSQL that tests/postgresql.sh has started.
//
//     const daemon = await startDaemon();
//     await fetch(daemon.url + "/healthz");
//     const token = await daemon.token("write");
//     await daemon.stop();                       // SIGTERM; fails unless it exits 0
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
export const program = resolve(root, process.env.FORERUND ?? "build/forerund");

// These limits only end what hangs.
const HUNG_MS = 120_000;
const POLL_MS = 10;
const run = promisify(execFile);

/** Waits until `made` gives something, and returns it. */
export async function until(what, made) {
    for (let left = HUNG_MS / POLL_MS; left; left--) {
        const value = await made();
        if (value) return value;
        await wait(POLL_MS);
    }
    return assert.fail(`never: ${what}`);
}

/** Runs a subcommand; returns {code, stdout, stderr}. */
export async function forerund(args, { env, timeout = HUNG_MS } = {}) {
    try {
        const { stdout, stderr } = await run(program, args, {
            cwd: root, env: { ...process.env, ...env }, timeout, killSignal: "SIGKILL",
        });
        return { code: 0, stdout, stderr };
    } catch (error) {
        if (typeof error.code !== "number") throw error;
        return { code: error.code, stdout: error.stdout, stderr: error.stderr };
    }
}

const server = process.env.FORERUN_POSTGRESQL;
export const isPostgresql = Boolean(server);
const psql = (command) => run("psql", ["-qXd", "postgres", "-v", "ON_ERROR_STOP=1", "-c", command]);

let databases = 0;
/** A new, empty database: {name, remove()}. */
async function newDatabase(folder) {
    if (!server) return { name: folder.file("forerun.db"), remove: async () => {} };
    const name = `test_${process.pid}_${++databases}`;
    await psql(`CREATE DATABASE ${name}`);
    return { name: server + name, remove: () => psql(`DROP DATABASE ${name} WITH (FORCE)`) };
}

/** A temporary folder for databases and configuration files; remove() deletes it. */
export async function temporaryFolder() {
    const path = await mkdtemp(join(tmpdir(), "forerun-test-"));
    return { path, file: (name) => join(path, name), remove: () => rm(path, { recursive: true, force: true }) };
}

/**
 * args: more arguments of `forerund serve`; db: a database to keep (default: a new one, removed by
 * stop()); env: more environment, also of commands that make tokens; calibrations: the folder of sets, null for none;
 * executable: another forerund.
 * Returns {url, process, db, log(), stop(), token(scope, name)}.
 */
export async function startDaemon({ args = [], db, env = {}, calibrations = "calibrations/sets", executable = program } = {}) {
    const folder = await temporaryFolder();
    const own = db ? null : await newDatabase(folder);
    const file = db ?? own.name;
    const empty = folder.file("no-sets");
    await mkdir(empty);
    const all = ["--listen", "127.0.0.1:0", "--db", file, "--static", "static", "--calibrations", calibrations ?? empty];
    const child = spawn(executable, [...all, ...args], {
        cwd: root, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "", log = "";
    const exited = new Promise((done) => {
        child.once("error", (error) => done({ error }));
        child.once("exit", (code, signal) => done({ code, signal }));
    });
    child.stderr.setEncoding("utf8").on("data", (text) => {
        log = (log + text).slice(-200_000);
    });
    // An exception in a test file must not leave its daemon running.
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);

    const url = await new Promise((done, fail) => {
        const timer = setTimeout(() => {
            kill();
            fail(new Error(`forerund does not say where it listens\n${log}`));
        }, HUNG_MS);
        child.stdout.setEncoding("utf8").on("data", (text) => {
            out += text;
            const line = out.match(/^forerund: listening on (https?:\/\/\S+)$/m);
            if (line) {
                clearTimeout(timer);
                done(line[1]);
            }
        });
        exited.then(({ code, signal, error }) => {
            clearTimeout(timer);
            fail(error ?? new Error(`forerund ended (${code ?? signal}) before it listened\n${log}`));
        });
    });

    // From here on it keeps no test process alive: one that forgets to stop it ends, and takes it along.
    for (const handle of [child, child.stdout, child.stderr]) handle.unref();

    let tokens = 0;
    return {
        url,
        process: child,
        db: file,
        log: () => log,
        out: () => out,
        /** The exit: {code, signal}. */
        get exited() {
            child.ref();
            return exited;
        },
        async token(scope, name = `test-${scope}-${++tokens}`) {
            const made = await forerund(["token", "create", "--db", file, "--name", name, "--scope", scope], { env });
            assert.equal(made.code, 0, `token create failed: ${made.stderr}`);
            return made.stdout.trim();
        },
        /** Stops the daemon; fails unless it exits with 0. */
        async stop() {
            if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
            const timer = setTimeout(kill, HUNG_MS);
            const end = await exited;
            clearTimeout(timer);
            process.removeListener("exit", kill);
            await own?.remove();
            await folder.remove();
            assert.deepEqual(end, { code: 0, signal: null }, `forerund did not end well\n${log.slice(-4000)}`);
        },
    };
}
