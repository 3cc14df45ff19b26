// Several daemons on one PostgreSQL behind nginx: prints requests a second, p99 and the share that nginx answers itself.
//   FORERUND=build/forerund tests/postgresql.sh node tests/bench/front.mjs
// FRONT_SECONDS (10) is the duration of each load.  All of it shares this computer: load, nginx, daemons and PostgreSQL.
import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { promisify } from "node:util";
import { isPostgresql, root, startDaemon, temporaryFolder } from "../daemon.mjs";

const seconds = Number(process.env.FRONT_SECONDS ?? 10), CONNECTIONS = 32;
const OPEN = ["--requests-per-minute", "0", "--proxies", "127.0.0.1", "--log-level", "warning"];
const run = promisify(execFile), wait = (ms) => new Promise((done) => setTimeout(done, ms));

/** The cache of deploy/nginx.conf: its lines for a location, and where it is. */
const conf = readFileSync(`${root}/deploy/nginx.conf`, "utf8");
const CACHE = conf.match(/^ +proxy_cache.*$/gm).join("\n");
const STORE = conf.match(/^proxy_cache_path \S+ (.*)$/m)[1];
assert.match(CACHE, /proxy_cache forerun_answers;/);

let ports = 0;
const firstPort = 20_000 + Math.floor(12_000 * Math.random()); // below those of outgoing connections

/** nginx before these daemons: {url, stop()}; stop returns the share of answers from its cache. */
async function startNginx(folder, daemons, cache) {
    const port = firstPort + ports++, place = folder.file(`nginx-${port}`), log = `${place}/access`;
    mkdirSync(place);
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${place}/${name};`).join(" ");
    writeFileSync(`${place}/conf`, `${process.getuid() ? "" : "user root;"}
daemon off;
worker_processes auto;
pid ${place}/pid;
error_log ${place}/error;
events { worker_connections 1024; }
http {
    ${temporary}
    keepalive_requests 1000000000;
    log_format state '$upstream_cache_status';
    access_log ${log} state buffer=64k flush=1s;
    proxy_cache_path ${place}/cache ${STORE}
    upstream forerund {
        least_conn;
        ${daemons.map(({ url }) => `server ${new URL(url).host};`).join(" ")}
        keepalive 32;
    }
    server {
        listen 127.0.0.1:${port};
        location / {
            proxy_pass http://forerund;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $remote_addr;
            ${cache}
        }
    }
}
`);
    const nginx = spawn("nginx", ["-p", place, "-c", `${place}/conf`, "-e", `${place}/error`], { stdio: ["ignore", "ignore", "inherit"] });
    const ended = new Promise((done) => nginx.once("exit", done)), url = `http://127.0.0.1:${port}`;
    const kill = () => nginx.kill();
    process.once("exit", kill);
    for (let tries = 0; !(await fetch(`${url}/readyz`).catch(() => ({}))).ok; tries++) {
        assert.ok(tries < 100 && nginx.exitCode === null, "nginx does not serve");
        await wait(100);
    }
    return {
        url,
        async stop() {
            kill();
            await ended;
            process.removeListener("exit", kill);
            const states = readFileSync(log, "utf8").trim().split("\n");
            return states.filter((state) => ["HIT", "STALE", "UPDATING"].includes(state)).length / states.length;
        },
    };
}

/** A load of `sizes` different predictions that name their calibration: {perS, p99Ms}; fails if an answer is wrong. */
async function load(url, sizes) {
    const { items: [{ id }] } = await (await fetch(`${url}/api/v1/machines/hopper/calibrations`)).json();
    const { stdout } = await run("wrk", ["-t2", `-c${CONNECTIONS}`, `-d${seconds}s`, "-s", `${root}/tests/bench/front.lua`, url], { env: { ...process.env, SIZES: sizes, CALIBRATION: id } });
    const [, requests, us, p99Ms, errors] = stdout.match(/^figures (\S+) (\S+) (\S+) (\S+)$/m).map(Number);
    assert.equal(errors, 0, stdout);
    return { perS: requests / (us / 1e6), p99Ms };
}

const report = (what, { perS, p99Ms }, cached) =>
    console.log(`${what.padEnd(44)} ${perS.toFixed(0).padStart(7)} /s  p99 ${p99Ms.toFixed(1).padStart(6)} ms${cached === undefined ? "" : `  ${(100 * cached).toFixed(1)} % from nginx's cache`}`);

assert.ok(isPostgresql, "run it by `make bench-front`");
console.log(`${cpus().length} cores, load ${loadavg()[0].toFixed(1)}; ${CONNECTIONS} connections, ${seconds} s each`);
const folder = await temporaryFolder(), daemons = [];
try {
    daemons.push(await startDaemon({ args: OPEN }));
    report("1 daemon, no proxy", await load(daemons[0].url, 1000));
    for (const count of [1, 2, 4]) {
        while (daemons.length < count) daemons.push(await startDaemon({ args: OPEN, db: daemons[0].db }));
        for (const [what, cache, sizes] of [["1,000 questions", "", 1000], ["1,000 questions, its cache", CACHE, 1000],
            ["100,000 questions, its cache", CACHE, 100_000]]) {
            const nginx = await startNginx(folder, daemons, cache);
            const figures = await load(nginx.url, sizes), cached = await nginx.stop();
            report(`${count} behind nginx, ${what}`, figures, cache ? cached : undefined);
        }
    }
} finally {
    for (const daemon of daemons.reverse()) await daemon.stop();
    await folder.remove();
}
