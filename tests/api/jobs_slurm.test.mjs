// What a site gives all users of Slurm: the plugin job_submit.lua with a stub of its table, and the epilog with a stub of sacct.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { client } from "./client.mjs";
import { fakeDaemon, jobs, run, workplace } from "./shell.mjs";

const PAIRS = ["variant=2d", "n=65536", "processes=64", "threads=6"];
const COMMENT = `forerun cholesky machine=hopper ${PAIRS.join(" ")}`;

let daemon, api, token, place, env;
before(async () => {
    daemon = await startDaemon();
    api = client(daemon.url);
    token = await daemon.token("write");
});
after(() => daemon?.stop());
beforeEach(async (context) => {
    place = await workplace();
    env = { PATH: place.PATH, FORERUN_URL: daemon.url };
    const { remove } = place;
    context.after(remove);
});

const text = (value) => value === undefined ? "nil" : `"${[...Buffer.from(value)].map((byte) => `\\${String(byte).padStart(3, "0")}`).join("")}"`;

/** Submits jobs in turn to one slurmctld: [{limit, said}], limit null where the job has none, said what its user reads. */
async function submit(descriptions, more = {}) {
    const driver = `
        slurm = { SUCCESS = 0, NO_VAL = 4294967294, log_info = function() end,
                  log_user = function(format, ...) print("said " .. string.format(format, ...)) end }
        assert(dofile("${jobs}/job_submit.lua") == slurm.SUCCESS)
        ${descriptions.map(({ comment, limit }) => `
        job = { time_limit = ${limit ?? "slurm.NO_VAL"}, comment = ${text(comment)} }
        assert(slurm_job_submit(job, {}, 1000) == slurm.SUCCESS)
        print("limit " .. (job.time_limit == slurm.NO_VAL and "none" or string.format("%d", job.time_limit)))`).join("\n")}
        assert(slurm_job_modify({}, {}, {}, 1000) == slurm.SUCCESS)`;
    const { code, stdout, stderr } = await run("lua5.4", ["-"], { input: driver, cwd: place.path, env: { ...env, FORERUN_CLIENT: join(jobs, "forerun"), FORERUN_TIMEOUT_S: "60", ...more } });
    assert.deepEqual([code, stderr], [0, ""]);
    return stdout.split(/^limit (.*)\n/m).slice(0, -1).reduce((all, part, i, parts) => i % 2 ? [...all,
        { limit: part === "none" ? null : Number(part), said: parts[i - 1] }] : all, []);
}

test("a job without a time limit gets that of its question, and keeps its own", async () => {
    const { json } = await api.get(`/api/v1/predict/cholesky?machine=hopper&${PAIRS.join("&")}&quantile=0.95`);
    const [hours, minutes] = json.wall_time.split(":").map(Number);
    const [asked, longer, own, other, none] = await submit([{ comment: `${COMMENT} step=cholesky` }, { comment: `${COMMENT} quantile=0.9 margin_percent=9000` },
        { comment: COMMENT, limit: 17 }, { comment: "forerunner of a paper" }, {}]);
    assert.equal(asked.limit, 60 * hours + minutes);
    assert.match(asked.said, new RegExp(`^said forerun: the time limit is ${asked.limit} minutes$`, "m"));
    assert.equal(longer.limit, Math.ceil(json.time_s * 91 / 60));
    assert.ok(longer.limit > 120);
    assert.deepEqual([own, other, none], [{ limit: 17, said: "" }, { limit: null, said: "" }, { limit: null, said: "" }]);
});

test("the user of a refused question reads every fault", async () => {
    const [{ limit, said }, after] = await submit([{ comment: "forerun cholesky machine=nowhere n=x" }, { comment: COMMENT }]);
    assert.equal(limit, null);
    for (const words of [/^said forerun: machine: 'nowhere' has no calibration/m, /^said forerun: n: 'x' is not a number$/m, /the default time limit of its partition$/m])
        assert.match(said, words);
    assert.notEqual(after.limit, null);
});

test("a comment runs no command, names no other daemon and no file", async () => {
    const fake = await fakeDaemon(() => ({ body: "wall_time=00:02:00\n" }));
    const hostile = ["$(touch${IFS}evil)", "`touch${IFS}evil`", "'$(touch${IFS}evil)'", "';touch${IFS}evil;'", '"$(touch${IFS}evil)"', "1&touch=evil", "\\'", "%s%n"];
    const taken = await submit(hostile.map((value) => ({ comment: `forerun m n=${value}` })), { FORERUN_URL: fake.url });
    assert.deepEqual(fake.requests.map(({ url }) => [...new URL(url, fake.url).searchParams]), hostile.map((value) => [["n", value], ["quantile", "0.95"]]));
    assert.deepEqual(taken.map(({ limit }) => limit), hostile.map(() => 2));
    fake.requests.length = 0;
    const options = ["n=$(touch evil)", "n=1;touch\tevil=1;touch evil", `--url=${fake.url}`, "m n=1 --token-file=/etc/passwd", "m n=1 --timeout=9", "m n=1 --url http://127.0.0.1:1", "../x n=1", "m' n=1", `m n=${"1".repeat(3000)}`, "m", ""];
    for (const { limit } of await submit(options.map((words) => ({ comment: `forerun ${words}` })), { FORERUN_URL: fake.url })) assert.equal(limit, null);
    assert.equal(fake.requests.length, 0);
    assert.equal((await run("ls", ["-A"], { cwd: place.path, env })).stdout, "");
    await fake.stop();
});

test("a daemon that is silent holds up one job", async () => {
    const silent = await fakeDaemon(() => null);
    const [first, second] = await submit([{ comment: COMMENT }, { comment: COMMENT }], { FORERUN_URL: silent.url, FORERUN_TIMEOUT_S: "2" });
    assert.equal(first.limit, null);
    assert.match(first.said, /no answer from/);
    assert.deepEqual(second, { limit: null, said: "" });
    assert.equal(silent.requests.length, 1);
    await silent.stop();
});

const TABLE = (state) => `JobID|JobName|State|ElapsedRaw|NNodes|NTasks|Start
77|job|${state}|320|16||2026-05-14T09:12:03+0200
77.batch|batch|${state}|320|1|1|2026-05-14T09:12:03+0200
77.0|cholesky|${state === "COMPLETED" ? state : "RUNNING"}|301|16|64|2026-05-14T09:12:18+0200
`;
const stored = async (query) => (await api.get(`/api/v1/machines/hopper/runs?${query}`)).json.items;

/** The epilog of job 77; returns what the system's log reads. */
async function epilog(comment, more = {}) {
    await place.stub("logger", 'printf "%s\\n" "$@" >log; cat >>log');
    const { code, stdout, stderr } = await run("env", ["-i", ...Object.entries({ ...env, SLURM_JOB_ID: "77", SLURM_JOB_COMMENT: comment, FORERUN_PAUSE_S: "0", FORERUN_TOKEN: token, ...more })
        .map(([name, value]) => `${name}=${value}`), join(jobs, "epilog-slurm.sh")], { cwd: place.path });
    assert.deepEqual([code, stdout, stderr], [0, "", ""]);
    return readFile(place.file("log"), "utf8").catch(() => null);
}

test("the epilog stores the steps of a job when accounting has them", async () => {
    // Accounting knows the job, then that it runs, then its end.
    await place.stub("sacct", `printf '%s\\n' "$@" >sacct.seen; echo "$SLURM_TIME_FORMAT" >>sacct.seen; echo >>sacct.calls
        case $(wc -l <sacct.calls) in
        1) echo 'JobID|JobName|State|ElapsedRaw|NNodes|NTasks|Start' ;;
        2) cat running ;;
        *) cat completed ;;
        esac`);
    await place.write("running", TABLE("RUNNING"));
    await place.write("completed", TABLE("COMPLETED"));
    assert.equal(await epilog(`${COMMENT} quantile=0.9`), "-t\nforerun-epilog[77]\nstored=1\nknown=0\nleft_out=0\n");
    assert.match(await readFile(place.file("sacct.seen"), "utf8"), /^--jobs=77\n--parsable2\n[^]*\n%FT%T%z\n$/);
    const [{ time_s, parameters, id, started_at }, ...others] = await stored("model=cholesky&n=65536");
    assert.deepEqual([time_s, parameters.processes, parameters.threads, others.length, started_at], [301, 64, 6, 0, "2026-05-14T07:12:18.000Z"]);
    assert.equal((await api.get(`/api/v1/runs/${id}`)).json.job, "77.0");
    assert.match(await epilog(COMMENT), /stored=0\nknown=1\n/);
    await place.write("completed", TABLE("COMPLETED").replaceAll("\n77", "\n70_5"));
    assert.match(await epilog(COMMENT, { SLURM_ARRAY_JOB_ID: "70", SLURM_ARRAY_TASK_ID: "5" }), /^-t\nforerun-epilog\[70_5\]\nstored=1\n/);
    assert.match(await readFile(place.file("sacct.seen"), "utf8"), /^--jobs=70_5\n/);
    await place.write("completed", `${TABLE("COMPLETED")}77.1|plot.py|COMPLETED|9|1|1|2026-05-14T09:20:00+0200\n`);
    assert.match(await epilog(COMMENT), /step: .*job 77 has 2 steps.*: 0 cholesky 301 s, 1 plot.py 9 s/);
    assert.match(await epilog(`${COMMENT} step=cholesky`), /stored=0\nknown=1\n/);
    await place.write("completed", TABLE("COMPLETED"));
    assert.match(await epilog(COMMENT.replace("processes=64", "processes=32")), /processes is 64 here, but 32 in the request/);
    assert.match(await epilog(COMMENT, { FORERUN_TOKEN: "frog" }), /token/);
    assert.match(await epilog(COMMENT, { FORERUN_URL: "http://127.0.0.1:1" }), /no answer/);
});

test("the epilog leaves other jobs alone, and gives up", async () => {
    await place.stub("sacct", "echo >>sacct.calls; cat running");
    await place.write("running", TABLE("RUNNING"));
    for (const comment of ["", "forerun", "another cholesky machine=hopper", "forerun cholesky n=1", `${COMMENT} --url=http://127.0.0.1:1`, "forerun cholesky machine=--help n=1"])
        assert.equal(await epilog(comment), null, comment);
    assert.match(await epilog(COMMENT), /no completed job/);
    assert.equal((await readFile(place.file("sacct.calls"), "utf8")).length, 10);
    await place.write("n=5", "");
    assert.match(await epilog(COMMENT.replace("65536", "*")), /n: '\*' is not a number/);
});
