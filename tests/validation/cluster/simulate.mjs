// Runs programs on a simulated cluster, several at a time, each with its own files.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ours = fileURLToPath(new URL("platforms/", import.meta.url));
const flagsOf = (folder) => readFileSync(join(folder, "flags.txt"), "utf8").trim().split("\n");
const AT_ONCE = Math.min(2, cpus().length);
const SAID_MAX = 4000;

/** Runs the tasks, AT_ONCE at a time; returns their results in order. The first failure stops all. */
export async function inParallel(tasks) {
    const results = [];
    let next = 0;
    const worker = async () => {
        while (next < tasks.length) {
            const mine = next++;
            results[mine] = await tasks[mine]();
        }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    return results;
}

/**
 * Runs smpirun on the first `ranks` places of the cluster. It succeeds only if the program prints
 * `last`, because the exit status of the simulator does not show a deadlock.
 */
export function simulate({ cluster, folder, program, args, ranks, last, extra = [], timeoutS }) {
    const platforms = cluster.platforms ?? ours;
    const hostfile = join(folder, `${cluster.name}.hosts`);
    if (!existsSync(hostfile)) writeFileSync(hostfile, `${cluster.hosts.join("\n")}\n`);
    const all = [
        "-np", `${ranks}`, "-platform", join(platforms, `${cluster.platform ?? cluster.name}.xml`), "-hostfile", hostfile,
        ...flagsOf(platforms), "--cfg=smpi/auto-shared-malloc-thresh:65536", ...extra, program, ...args,
    ];
    return new Promise((done, fail) => {
        const child = spawn("smpirun", all, { cwd: folder, stdio: ["ignore", "pipe", "pipe"], detached: true,
            env: { ...process.env, OPENBLAS_NUM_THREADS: "1" } });
        let said = "";
        const keep = (text) => { said = (said + text).slice(-SAID_MAX); };
        const end = () => { try { process.kill(-child.pid, "SIGKILL"); } catch { /* it has ended */ } };
        const timer = setTimeout(() => { keep(`\nstopped after ${timeoutS} s`); end(); }, 1000 * timeoutS);
        process.once("exit", end);
        child.stdout.setEncoding("utf8").on("data", keep);
        child.stderr.setEncoding("utf8").on("data", keep);
        child.once("error", fail);
        child.once("close", (code) => {
            clearTimeout(timer);
            process.removeListener("exit", end);
            if (code === 0 && said.includes(last)) done(said);
            else fail(new Error(`${program} on ${cluster.name}, ${ranks} ranks (${code}):\n${args.join(" ")}\n${said}`));
        });
    });
}
