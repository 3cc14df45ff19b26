// A primary PostgreSQL and a standby that follows it, in a temporary folder, for tests of failover.  Each listens on a
// socket in its folder alone.
import { execFileSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const versions = "/usr/lib/postgresql";
const bin = join(versions, readdirSync(versions).filter((version) => existsSync(join(versions, version, "bin/initdb"))).at(-1), "bin");
// PostgreSQL refuses to run as root.
const user = "postgres", isRoot = process.getuid() === 0;
const run = (program, ...args) => {
    const all = [join(bin, program), ...args];
    const options = { cwd: "/", stdio: ["ignore", "pipe", "pipe"] };
    return isRoot ? execFileSync("runuser", ["-u", user, "--", ...all], options) : execFileSync(all[0], all.slice(1), options);
};
const idOf = (what) => Number(execFileSync("id", [what, user]).toString());

// Nothing outlives the test, so that nothing has to reach the disk.
const settings = (folder) => `-c listen_addresses= -c unix_socket_directories=${folder} -c fsync=off`;
// Of the primary: what it confirms has reached the standby.
const synchronous = ["synchronous_standby_names = '*'", "synchronous_commit = remote_apply"];

/** Makes both: {url(database), psql(command, database), kill(), promote(), remove()}. */
export function startPair() {
    const folder = mkdtempSync(join(tmpdir(), "forerun-pair-"));
    if (isRoot) chownSync(folder, idOf("-u"), idOf("-g"));
    const places = ["a", "b"].map((name) => join(folder, name));
    const control = (place, ...args) => run("pg_ctl", "-D", join(place, "data"), "-w", "-t", "120", ...args);
    const start = (place) => control(place, "-l", join(place, "log"), "-o", settings(place), "start");
    const [primary, standby] = places;
    let current = primary;
    const psql = (command, database = "postgres") =>
        execFileSync("psql", ["-qXAt", "-h", current, "-U", "forerun", "-d", database, "-v", "ON_ERROR_STOP=1", "-c", command]).toString().trim();
    const remove = () => {
        for (const place of places) if (existsSync(join(place, "data/postmaster.pid"))) control(place, "-m", "immediate", "stop");
        rmSync(folder, { recursive: true, force: true });
    };
    try {
        for (const place of places) execFileSync("install", ["-d", "-m", "755", ...isRoot ? ["-o", user] : [], place]);
        run("initdb", "-D", join(primary, "data"), "-U", "forerun", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync");
        start(primary);
        run("pg_basebackup", "-h", primary, "-U", "forerun", "-D", join(standby, "data"), "-R", "-c", "fast", "--no-sync");
        start(standby);
        for (const setting of synchronous) psql(`ALTER SYSTEM SET ${setting}`);
        psql("SELECT pg_reload_conf()");
    } catch (error) {
        remove();
        throw error;
    }
    return {
        url: (database) => `postgresql://${places.map(encodeURIComponent).join(",")}/${database}?user=forerun&target_session_attrs=read-write`,
        psql, remove,
        /** Ends the primary at once. */
        kill: () => control(primary, "-m", "immediate", "stop"),
        promote() {
            control(standby, "promote");
            current = standby;
        },
    };
}
