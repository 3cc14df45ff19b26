// Runs a command, and stops random programs below it for up to a second again and again: what goes by a clock fails.
//     node tests/stalls.mjs COMMAND...
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const [command, ...args] = process.argv.slice(2);
const stalled = new Set(["forerund", "forerun-analyze", "forerun", "runner", "node", "gnuplot", "chromium-headle"]);

/** Of a running process: {pid, parent, name}; null if it has ended. */
function processOf(pid) {
    try {
        const [, name, parent] = /\((.*)\) . (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, "utf8"));
        return { pid, parent: Number(parent), name };
    } catch {
        return null;
    }
}
function below(root) {
    const all = readdirSync("/proc").map(Number).filter(Boolean).map(processOf).filter(Boolean);
    const found = [root];
    for (const pid of found) found.push(...all.filter(({ parent }) => parent === pid).map(({ pid }) => pid));
    return all.filter(({ pid, name }) => pid !== root && found.includes(pid) && (stalled.has(name) || name.startsWith("test_"))).map(({ pid }) => pid);
}
function signal(pid, name) {
    try {
        process.kill(pid, name);
    } catch { /* it has ended */ }
}

const child = spawn(command, args, { stdio: "inherit" });
let ended = false, stalls = 0, chosen = [];
const proceed = () => chosen.forEach((pid) => signal(pid, "SIGCONT"));
for (const name of ["SIGINT", "SIGTERM"]) process.on(name, () => { proceed(); child.kill(name); });
child.on("exit", (code) => { ended = true; process.exitCode = code ?? 1; });
while (!ended) {
    const pids = below(child.pid);
    chosen = [1, 2, 3].map(() => pids[Math.floor(Math.random() * pids.length)]).filter(Boolean);
    chosen.forEach((pid) => signal(pid, "SIGSTOP"));
    await wait(1000 * Math.random() ** 3);
    proceed();
    stalls += chosen.length;
    await wait(150 * Math.random());
}
console.log(`${stalls} stalls`);
