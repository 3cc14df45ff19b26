// Clocks of a daemon that stand until a test moves them, and work that waits for a test: what depends on time is the
// same on every machine.
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { root, startDaemon, temporaryFolder } from "../daemon.mjs";

const SECOND_NS = 1_000_000_000n;
const inNs = (seconds) => BigInt(Math.round(seconds * 1e9));

/**
 * Both clocks of the processes that get `env` stand: {env, now(), pass(seconds), set(ms), step(seconds), remove()}.
 * The wall clock is set to this second.
 */
export async function standingClock() {
    const folder = await temporaryFolder(), library = folder.file("clock.so"), path = folder.file("clock");
    execFileSync("cc", ["-shared", "-fPIC", "-O1", "-D_GNU_SOURCE", "-o", library, join(root, "tests/api/clock.c"), "-ldl"]);
    const file = openSync(path, "w+"), times = new BigInt64Array(3);
    const read = () => (readSync(file, times, 0, times.byteLength, 0), times);
    const write = (at, value) => writeSync(file, new BigInt64Array([value]), 0, 8, 8 * at);
    write(0, BigInt(Math.floor(Date.now() / 1000)) * SECOND_NS);
    write(1, 1000n * SECOND_NS);
    write(2, 0n);
    const now = () => Number(read()[0] / 1_000_000n);
    return {
        env: { LD_PRELOAD: library, CLOCK: path, ASAN_OPTIONS: `${process.env.ASAN_OPTIONS ?? ""}:verify_asan_link_order=0` },
        /** What the wall clock says, in milliseconds. */
        now,
        /** So many seconds pass. */
        pass(seconds) {
            const [wall, monotonic] = read();
            write(0, wall + inNs(seconds));
            write(1, monotonic + inNs(seconds));
        },
        /** Somebody sets the wall clock. */
        set: (ms) => write(0, BigInt(ms) * 1_000_000n),
        /** From now on, so much time passes whenever somebody looks at the clock. */
        step: (seconds) => write(2, inNs(seconds)),
        remove() {
            closeSync(file);
            return folder.remove();
        },
    };
}

/** startDaemon() with clocks that stand: nothing that it waits for comes too late, a chart of gnuplot for one. */
export async function standingDaemon({ env, ...options } = {}) {
    const clock = await standingClock(), daemon = await startDaemon({ ...options, env: { ...clock.env, ...env } });
    const { stop } = daemon;
    return Object.assign(daemon, { stop: () => stop().finally(clock.remove) });
}

/**
 * A program `name` in a folder of its own, which waits at a gate before it does what `then` says:
 * {folder, program, pass(count), shut(), remove()}.  Each pass lets one through; one that nobody took stays until shut().
 */
export async function gatedProgram(name, then) {
    const folder = await temporaryFolder(), gate = folder.file("gate"), program = folder.file(name);
    execFileSync("mkfifo", [gate]);
    writeFileSync(program, `#!/bin/sh\nread -r pass <${gate}\n${then}\n`, { mode: 0o755 });
    const file = openSync(gate, constants.O_RDWR | constants.O_NONBLOCK);
    return {
        folder: folder.path, program,
        pass: (count = 1) => writeSync(file, "\n".repeat(count)),
        shut() {
            try {
                while (readSync(file, Buffer.alloc(1000)));
            } catch (error) {
                if (error.code !== "EAGAIN") throw error;
            }
        },
        remove() {
            closeSync(file); // those that still wait go on
            return folder.remove();
        },
    };
}

/** A daemon's charts wait until a test lets them pass, however long that takes: {options, clock, pass(count), remove()}. */
export async function gatedCharts() {
    const clock = await standingClock(), gnuplot = await gatedProgram("gnuplot", "echo '<svg/>'");
    return {
        clock,
        /** Of startDaemon(). */
        options: { args: ["--child-folders", gnuplot.folder], env: { ...clock.env, PATH: `${gnuplot.folder}:${process.env.PATH}` } },
        pass: gnuplot.pass,
        remove: () => Promise.all([clock.remove(), gnuplot.remove()]),
    };
}
