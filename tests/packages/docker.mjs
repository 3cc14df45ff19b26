#!/usr/bin/env node
// The steps of docker/Dockerfile in clean roots, without Docker: each FROM is a new root of Debian 12, COPY takes from the
// unpacked tarball or another stage, RUN runs there.  Then the command of the image is started as its user, its health
// check has to pass, and it has to answer.  As root.
//   node tests/packages/docker.mjs TARBALL ROOTS
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { once } from "node:events";

const [archive, roots] = process.argv.slice(2);
const here = import.meta.dirname ?? new URL(".", import.meta.url).pathname;
const quoted = (words) => words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
const inRoot = (root, command, ...options) => execFileSync(join(here, "root.sh"), [...options, root, command],
    { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });

const context = join(roots, "docker-context");
rmSync(context, { recursive: true, force: true });
mkdirSync(context);
execFileSync("tar", ["-xzf", archive, "--strip-components=1", "-C", context]);

// A line that ends with a backslash goes on; comments and blank lines say nothing.
const instructions = readFileSync(join(context, "docker/Dockerfile"), "utf8").replace(/^#.*\n/gm, "").replace(/\\\n/g, " ")
    .split("\n").filter((line) => line.trim()).map((line) => line.match(/^([A-Z]+)\s+(.*)$/).slice(1));

const stages = new Map();
let stage;
const absolute = (path) => (path.startsWith("/") ? path : join(stage.folder, path));
const steps = {
    FROM(text) {
        const [, image, name] = text.match(/^(\S+)(?: AS (\S+))?$/);
        if (image !== "debian:12-slim")
            throw new Error(`there is a root for debian:12-slim alone, not for ${image}`);
        stage = { root: join(roots, `docker-${name ?? "image"}`), folder: "/", user: "root" };
        stages.set(name ?? "", stage);
        // Mounts of a root end with the processes in it.
        execFileSync("rm", ["-rf", "--one-file-system", stage.root]);
        inRoot(stage.root, ":");
    },
    RUN: (command) => inRoot(stage.root, `mkdir -p ${stage.folder}; cd ${stage.folder}; ${command}`),
    WORKDIR: (path) => { stage.folder = absolute(path); },
    COPY(text) {
        const words = text.split(/\s+/);
        const from = words[0].startsWith("--from=") ? stages.get(words.shift().slice(7)).root : context;
        const to = words.pop();
        const target = join(stage.root, absolute(to));
        for (const source of words) {
            const isFolder = statSync(join(from, source)).isDirectory();
            // A folder's content is copied; a file keeps its name below a folder.
            cpSync(join(from, source), !isFolder && to.endsWith("/") ? join(target, basename(source)) : target,
                { recursive: true });
        }
    },
    USER: (name) => { stage.user = name; },
    VOLUME() {},
    EXPOSE() {},
    STOPSIGNAL: (name) => { stage.signal = name; },
    HEALTHCHECK: (text) => { stage.health = JSON.parse(text.slice(text.indexOf("CMD") + 3)); },
    ENTRYPOINT: (text) => { stage.program = JSON.parse(text); },
    CMD: (text) => { stage.arguments = JSON.parse(text); },
};
for (const [name, text] of instructions) {
    if (!steps[name])
        throw new Error(`what ${name} does is not known here`);
    console.log(`docker: ${name} ${text.slice(0, 80)}`);
    try {
        steps[name](text);
    } catch (error) {
        console.error(String(error.stdout ?? ""), String(error.stderr ?? ""));
        throw error;
    }
}

// In one shell, so that the network is the same: the program, then the health check, a prediction and a chart.
const ask = (path) => `curl -sS --fail-with-body 'http://127.0.0.1:8080${path}'`;
const child = spawn(join(here, "root.sh"), ["--offline", stage.root, `
    setpriv --reuid=${stage.user} --regid=${stage.user} --init-groups ${quoted([...stage.program, ...stage.arguments])} & program=$!
    tries=0
    until ${quoted(stage.health)} 2>/dev/null; do
        tries=$((tries + 1)); [ $tries -lt 300 ] && kill -0 $program; sleep 0.1
    done
    ${ask("/api/v1/predict/matmul.txt?machine=example&n=4096&processes=4&algorithm=cannon&variant=2d")} | grep '^time_s='
    ${ask("/api/v1/chart/matmul.svg?machine=example&n=4096&processes=1,4,16&algorithm=cannon&variant=2d&x=processes")} | grep -c '</svg>'
    ${ask("/")} | grep -i '<!doctype html>'
    kill -s ${stage.signal.replace(/^SIG/, "")} $program
    wait $program`], { stdio: "inherit" });
const [status] = await once(child, "exit");
if (status !== 0)
    throw new Error(`the image does not serve: ${status}`);
console.log("docker: every step of the Dockerfile works, and its program serves");
