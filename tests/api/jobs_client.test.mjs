// deploy/jobs/forerun, the client for job scripts: answers, refusals, silence, tokens and hostile arguments.
import assert from "node:assert/strict";
import { chmod, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root, startDaemon } from "../daemon.mjs";
import { client, worked } from "./client.mjs";
import { fakeDaemon, jobs, run, workplace } from "./shell.mjs";

const program = join(jobs, "forerun");
const QUESTION = ["cholesky", "machine=worked", "variant=2d", "n=4000", "processes=16", "threads=4", "blocks_per_process=2"];
const QUERY = QUESTION.slice(1).join("&");
const NOBODY = "http://127.0.0.1:1";

let daemon, api, token, place, env;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    token = await daemon.token("write");
    assert.equal((await api.upload(worked, token)).status, 201);
    place = await workplace();
    env = { PATH: place.PATH, HOME: place.path, FORERUN_URL: daemon.url };
});
after(() => Promise.all([daemon?.stop(), place?.remove()]));

const forerun = (args, options = {}) => run(program, args, { cwd: place.path, ...options, env: { ...env, ...options.env } });
/** Runs it in a shell: sh.code, its output, its standard error. */
const script = (text, options = {}) => run("sh", ["-c", text], { cwd: place.path, ...options, env: { ...env, ...options.env } });

test("a question prints the daemon's answer in each format", async () => {
    for (const [question, format] of [["predict", "txt"], ["predict", "json"], ["rank", "csv"], ["recommend", "csv"]]) {
        const pairs = question === "recommend" ? ["machine=worked", "n=4000", "threads=4"] : QUESTION.slice(1);
        const { code, stdout, stderr } = await forerun([question, `--format=${format}`, "cholesky", ...pairs]);
        assert.deepEqual([code, stderr], [0, ""]);
        const asked = question === "predict" ? pairs : [...pairs, "limit=10"];
        const { text } = await api.get(`/api/v1/${question}/cholesky.${format}?${asked.join("&")}`);
        assert.equal(stdout, text.replace(/\n?$/, "\n"));
    }
});

test("a recommendation as text is the best and a table", async () => {
    const { stdout } = await forerun(["recommend", "cholesky", "machine=worked", "n=4000", "threads=4"]);
    const { objective, best, runners_up: others } = (await api.get("/api/v1/recommend/cholesky?machine=worked&n=4000&threads=4&limit=10")).json;
    const [pairs, table] = stdout.split("\n\n"), [head, ...rows] = table.trimEnd().split("\n").map((line) => line.trim().split(/ +/));
    assert.match(pairs, new RegExp(`^rank=1\n[^]*^nodes=${best.nodes}$[^]*^objective=${objective}$`, "m"));
    assert.doesNotMatch(pairs, /^row_/m);
    assert.ok(["rank", "nodes", "time_s", "core_hours"].every((name) => head.includes(name)), head.join());
    assert.ok(head.every((name) => name === "rank" || others.some((row) => row[name] !== best[name])));
    assert.deepEqual(rows.map((row) => Number(row[head.indexOf("nodes")])), [best, ...others].map(({ nodes }) => nodes));
    assert.deepEqual(rows.map((row) => Number(row[head.indexOf("time_s")])), [best, ...others].map((row) => Number(row.time_s.toPrecision(4))));
});

test("variables of an answer are set by eval, and a failure is the status of eval", async () => {
    const { best } = (await api.get("/api/v1/recommend/cholesky?machine=worked&n=4000&threads=4&quantile=0.95")).json;
    const ask = "forerun recommend --format=shell cholesky machine=worked n=4000 threads=4 quantile=0.95";
    const set = await script(`set -eu; eval "$(${ask})"; echo "$forerun_nodes $forerun_time_s $forerun_wall_time"; set | grep -c ^forerun_row_ || :`);
    assert.equal(set.stdout, `${best.nodes} ${best.time_s} ${best.wall_time}\n0\n`);
    assert.match(set.stderr, /^forerun: too few saved runs for this quantile: 00:01:00 has an assumed margin; upload runs, or give margin_percent\n$/);
    const failed = await script(`set -e; eval "$(${ask} n=5 2>/dev/null)"; echo not reached`);
    assert.deepEqual([failed.code, failed.stdout], [65, ""]);
    const handled = await script(`forerun_nodes=4; eval "$(${ask} --url=${NOBODY} 2>/dev/null)" || echo "$? $forerun_nodes"`);
    assert.equal(handled.stdout, "69 4\n");
});

test("nothing but lines of the documented form is evaluated", async () => {
    const fake = await fakeDaemon(() => ({ body: "nodes=4\nEvil=$(touch evil)\npath=`touch evil`\nn=1;touch evil\na b=1\nx=\"\nwall_time=$(touch evil)\nwarnings=\n" }));
    const { code, stdout } = await script(`eval "$(forerun predict --format=shell m a=1 --url=${fake.url})"; set | grep ^forerun_; ls; forerun wall-time m a=1 --url=${fake.url}`);
    assert.equal(stdout, "forerun_nodes='4'\nforerun_warnings=''\n");
    assert.equal(code, 69);
    await fake.stop();
});

test("a wall time is that of the prediction, or the stated fallback", async () => {
    const { json } = await api.get(`/api/v1/predict/cholesky?${QUERY}&quantile=0.95`);
    const known = await forerun(["wall-time", "--fallback", "01:00:00", ...QUESTION]);
    assert.deepEqual([known.code, known.stdout], [0, `${json.wall_time}\n`]);
    assert.match(known.stderr, /assumed margin/);
    const stated = await forerun(["wall-time", ...QUESTION, "quantile=0.9", "margin_percent=10"]);
    assert.deepEqual([stated.code, stated.stdout, stated.stderr], [0, "00:01:00\n", ""]);
    for (const args of [[`--url=${NOBODY}`, ...QUESTION], ["cholesky", "machine=nowhere"]]) {
        const none = await forerun(["wall-time", "--fallback", "01:00:00", ...args]);
        assert.deepEqual([none.code, none.stdout], [0, "01:00:00\n"]);
        assert.match(none.stderr, /^forerun: the fallback 01:00:00 is taken as wall time$/m);
        assert.match(none.stderr, /no answer from|'nowhere' has no calibration/);
        assert.deepEqual((({ code, stdout }) => [code > 64, stdout])(await forerun(["wall-time", ...args])), [true, ""]);
    }
});

test("a wall time of a question with open choices is that of the best, and says which", async () => {
    const pairs = ["machine=worked", "n=4000", "processes=16", "threads=4"];
    const { rows: [best] } = (await api.get(`/api/v1/rank/cholesky?${pairs.join("&")}&quantile=0.95&limit=1`)).json;
    const { code, stdout, stderr } = await forerun(["wall-time", "cholesky", ...pairs]);
    assert.deepEqual([code, stdout], [0, `${best.wall_time}\n`]);
    assert.match(stderr, new RegExp(`^forerun: the wall time is that of the best choice: variant=${best.variant}$`, "m"));
    const refused = await forerun(["wall-time", "cholesky", "machine=worked", "processes=16"]);
    assert.deepEqual([refused.code, refused.stdout], [65, ""]);
    assert.match(refused.stderr, /^forerun: n: required/m);
    const fake = await fakeDaemon(({ url }) => (url.includes("/predict/")
        ? { status: 422, body: JSON.stringify({ errors: [{ parameter: "x\nq;e touch evil\n", code: "required", message: "required" }, { parameter: "a;e touch evil", code: "required", message: "" }] }) }
        : { body: "wall_time=00:01:00\nwarnings=\n" }));
    const strange = await script(`forerun wall-time m a=1 --url=${fake.url}; ls`);
    assert.equal(strange.stdout, "00:01:00\n");
    await fake.stop();
    const broken = await fakeDaemon(() => ({ status: 422, body: '{"errors":[{"code":"required" broken' }));
    const { code: ended, stdout: fallback } = await forerun(["--fallback=01:00:00", "wall-time", "m", "a=1", `--url=${broken.url}`]);
    assert.deepEqual([ended, fallback], [0, "01:00:00\n"]);
    await broken.stop();
});

test("machines and models are listed with a sentence about each", async () => {
    for (const [what, about] of [["machines", "description"], ["models", "summary"]]) {
        const { items } = (await api.get(`/api/v1/${what}`)).json;
        assert.ok(items.length > 0);
        const { code, stdout, stderr } = await forerun([what]);
        assert.deepEqual([code, stderr], [0, ""]);
        assert.deepEqual(stdout.trimEnd().split("\n"), items.map((item) => `${item.name}\t${(item[about] ?? "").replace(/\. .*/s, ".")}`));
        assert.equal((await forerun([what, "x"])).code, 64);
    }
});

test("a refused upload says what the file has to be, and names parameters as they were given", async () => {
    const access = { env: { FORERUN_TOKEN: token }, input: "12.5\n" };
    const bare = await forerun(["upload-run", "worked", "-"], access);
    assert.deepEqual([bare.code, bare.stdout], [65, ""]);
    assert.match(bare.stderr, /^forerun: without format=, standard input has to hold saved runs in JSON; format=seconds takes a time alone/m);
    const short = await forerun(["upload-run", "worked", "-", "format=seconds", "model=cholesky", "n=5006"], access);
    assert.equal(short.code, 65);
    assert.match(short.stderr, /^forerun: variant: run 1: required/m);
    assert.doesNotMatch(short.stderr, /\/parameters\/|without format=/);
});

test("a missing token and an unknown one are told apart, in words of the command line", async () => {
    const stderr = async (given) => (await forerun(["upload-run", "worked", "-", "format=seconds", "model=cholesky", "n=5006"], { env: given, input: "12.5\n" })).stderr;
    assert.match(await stderr({}), /^forerun: a token is needed; forerund token create makes one\nforerun: the token is taken from /);
    assert.match(await stderr({ FORERUN_TOKEN: "0".repeat(64) }), /^forerun: This token is not known here; .*\nforerun: the token is taken from /);
    const old = await daemon.token("write", "old");
    assert.equal((await run(process.env.FORERUND ?? join(root, "build/forerund"), ["token", "revoke", "--db", daemon.db, "old"])).code, 0);
    assert.match(await stderr({ FORERUN_TOKEN: old }), /^forerun: This token was revoked at 2/);
    const unknown = await forerun(["upload-run", "nowhere", "-"], { env: { FORERUN_TOKEN: token }, input: JSON.stringify(runOf(5000)) });
    assert.match(unknown.stderr, /^forerun: warning: there was no machine `nowhere`; it was created for these runs\n$/);
});

test("the parameters of a model are listed with what they mean", async () => {
    const { parameters } = (await api.get("/api/v1/models/cholesky")).json;
    const { code, stdout, stderr } = await forerun(["parameters", "cholesky"]);
    assert.deepEqual([code, stderr], [0, ""]);
    const lines = parameters.map(({ name, required, description, choices }) =>
        `${name}\t${required ? "required; " : ""}${description}${choices?.length ? ` (${choices.join(", ")})` : ""}`);
    assert.deepEqual(stdout.trimEnd().split("\n"), lines);
    assert.deepEqual((({ code, stdout }) => [code, stdout])(await forerun(["parameters", "choleski"])), [65, ""]);
    for (const args of [["parameters"], ["parameters", "../x"], ["parameters", "cholesky", "n=1"]]) assert.equal((await forerun(args)).code, 64);
});

test("a refusal is a line of plain text for each fault", async () => {
    const { code, stdout, stderr } = await forerun(["predict", "cholesky", "machine=worked", "n=x", "tread=6", "processes=\u001b[31m\n\"\\é"]);
    assert.deepEqual([code, stdout], [65, ""]);
    const { errors } = (await api.get("/api/v1/predict/cholesky?machine=worked&n=x&tread=6&processes=%1b[31m%0a%22%5c%c3%a9")).json;
    assert.ok(errors.length >= 4);
    const lines = stderr.trimEnd().split("\n");
    assert.equal(lines.length, errors.length);
    const printed = (text) => text.replace(/\n/g, " ").replace(/[\u0000-\u001f]/g, "?");
    assert.deepEqual(lines, errors.map(({ parameter, message }) => `forerun: ${parameter}: ${printed(message)}`));
    assert.match(stderr, /'\?\[31m "\\é'/);
    assert.doesNotMatch(stderr, /[\u0000-\u0009\u000b-\u001f]|\{/);
    assert.match((await forerun(["predict", "choleski", "n=1"])).stderr, /^forerun: .*choleski/);
});

test("arguments reach the daemon as they were given, in any shell", async () => {
    const fake = await fakeDaemon(() => ({ body: "nodes=4\n" }));
    const hostile = ["a b", "'\"", "$(touch evil)", "`touch evil`", "1;touch evil", "x&n=1#%00", "@/etc/passwd", "-é\u{1f600}", "two\nlines\n", "*", "<f>|", "\\", ""];
    for (const shell of [["dash"], ["bash", "--posix"]]) {
        fake.requests.length = 0;
        const pairs = hostile.map((value, i) => `k${i}=${value}`);
        const options = { cwd: place.path, env: { ...env, FORERUN_URL: `${fake.url}/` } };
        const asked = await run(shell[0], [...shell.slice(1), program, "predict", "m", "what_if.network.bandwidth=*0.5", ...pairs], options);
        assert.deepEqual(asked, { code: 0, stdout: "nodes=4\n", stderr: "" });
        await run(shell[0], [...shell.slice(1), program, "upload-run", "m", "-", ...pairs], { ...options, input: "{}\n\0" });
        const [question, upload] = fake.requests.map(({ url }) => new URL(url, fake.url));
        assert.equal(question.pathname, "/api/v1/predict/m.txt");
        assert.deepEqual([...question.searchParams], [["what_if.network.bandwidth", "*0.5"], ...hostile.map((value, i) => [`k${i}`, value])]);
        assert.deepEqual([...upload.searchParams], hostile.map((value, i) => [`k${i}`, value]));
        assert.deepEqual([fake.requests[1].method, fake.requests[1].body], ["POST", "{}\n\0"]);
    }
    fake.requests.length = 0;
    const misuses = [[], ["ask"], ["predict"], ["predict", "../x", "n=1"], ["predict", "m n", "n=1"], ["predict", "m", "@/etc/passwd"], ["predict", "m", "=1"],
        ["predict", "m", "a&b=1"], ["predict", "m", "$(touch evil)=1"], ["upload-run", "../x", "-"], ["upload-run", "m"], ["--evil", "predict", "m"],
        ["predict", "m", "--url=file:///etc/passwd"], ["predict", "m", "--url=http://a b/"], ["predict", "m", "--timeout=soon"], ["predict", "m", "--timeout"],
        ["predict", "m", "--format=xml"], ["wall-time", "m", "--fallback=soon"], ["predict", "m", "--fallback=01:00:00"]];
    for (const args of misuses) {
        const { code, stdout, stderr } = await forerun(args, { env: { FORERUN_URL: fake.url } });
        assert.deepEqual([code, stdout], [64, ""], args.join(" "));
        assert.match(stderr, /^forerun: .*; see forerun --help\n$/s);
    }
    assert.match((await forerun(["rank", "m", "--limit=3"])).stderr, /^forerun: there is no option --limit; a parameter is written limit=3; see/);
    assert.equal(fake.requests.length, 0);
    assert.equal((await script("ls -A")).stdout, "");
    await fake.stop();
});

test("without an answer the reason is said, and no longer waited for than allowed", async () => {
    const silent = await fakeDaemon(() => null);
    const failing = await fakeDaemon(({ url }) => url.includes("moved") ? { status: 301, headers: { Location: `${daemon.url}/api/v1` } }
        : url.includes("html") ? { status: 502, body: "<html>\"{bad\u001b[31m" } : { status: 503, body: '{"detail": "busy \\u001b\u001b\u007f\\n\\"later\\"", "errors": []}' });
    for (const [args, reason] of [[["m", `--url=${NOBODY}`], /^curl: .*\nforerun: no answer from http:\/\/127\.0\.0\.1:1\n$/],
        [["m", `--url=${silent.url}`, "--timeout=1"], /timed out after \d{4,} milliseconds.*\nforerun: no answer from/], [["moved", `--url=${failing.url}`], /^forerun: status 301 from http:.*moved\.txt\n$/],
        [["html", `--url=${failing.url}`], /^forerun: status 502 from http:.*html\.txt\n$/], [["m", `--url=${failing.url}`], /^forerun: busy \?\?\? "later"\n$/]]) {
        const { code, stdout, stderr } = await forerun(["predict", ...args]);
        assert.deepEqual([code, stdout], [69, ""]);
        assert.match(stderr, reason);
    }
    await Promise.all([silent.stop(), failing.stop()]);
});

const runOf = (n) => ({ model: "cholesky", time_s: 3.25, parameters: { variant: "2d", n, processes: 16, threads: 4, blocks_per_process: 2 } });
const stored = async (n) => (await api.get(`/api/v1/machines/worked/runs?n=${n}`)).json.items;

test("runs are stored from files of any name, lines, standard input and a time alone", async () => {
    const access = { env: { FORERUN_TOKEN: token } };
    const name = "- a 'b' \"$(touch evil)\".json";
    await place.write(name, JSON.stringify([runOf(5000), runOf(5001)]));
    await place.write("runs.ndjson", [5002, 5003].map((n) => JSON.stringify(runOf(n)) + "\n").join(""));
    assert.deepEqual(await forerun(["upload-run", "worked", `./${name}`], access), { code: 0, stdout: "stored=2\nknown=0\nleft_out=0\n", stderr: "" });
    assert.equal((await forerun(["upload-run", "worked", "runs.ndjson"], access)).stdout, "stored=2\nknown=0\nleft_out=0\n");
    assert.equal((await forerun(["upload-run", "worked", "-"], { ...access, input: JSON.stringify(runOf(5000)) })).stdout, "stored=0\nknown=1\nleft_out=0\n");
    const pairs = QUESTION.slice(2).map((pair) => pair.replace("4000", "5004"));
    const timed = await forerun(["upload-run", "worked", "-", "format=seconds", "model=cholesky", ...pairs, "job=77 'a'"], { ...access, input: "12.5\n" });
    assert.deepEqual(timed, { code: 0, stdout: "stored=1\nknown=0\nleft_out=0\n", stderr: "" });
    const [{ time_s, parameters, id }] = await stored(5004);
    assert.deepEqual([time_s, parameters.threads, parameters.variant], [12.5, 4, "2d"]);
    assert.equal((await api.get(`/api/v1/runs/${id}`)).json.job, "77 'a'");
    const refused = await forerun(["upload-run", "worked", "-", "format=seconds", "model=cholesky", "n=x"], { ...access, input: "soon" });
    assert.equal(refused.code, 65);
    assert.match(refused.stderr, /^forerun: n: 'x' is not a number$/m);
    for (const file of ["nothing.json", "/"]) assert.equal((await forerun(["upload-run", "worked", file], access)).code, 66);
    assert.equal((await script("ls -A")).stdout.split("\n").includes("evil"), false);
});

test("a calibration is stored, and its warnings are said", async () => {
    const shipped = join(root, "calibrations/sets/example.json");
    const { code, stdout, stderr } = await forerun(["upload-calibration", "example", shipped], { env: { FORERUN_TOKEN: token } });
    const { warnings } = (await api.upload(await readFile(shipped, "utf8"), token)).json;
    assert.deepEqual([code, stdout], [0, `id=${(await api.get("/api/v1/machines/example")).json.calibration}\n`]);
    assert.deepEqual(stderr.trimEnd().split("\n").filter(Boolean).sort(), warnings.map(({ message }) => `forerun: warning: ${message}`).sort());
    const wrong = await forerun(["upload-calibration", "other", shipped], { env: { FORERUN_TOKEN: token } });
    assert.equal(wrong.code, 65);
    assert.match(wrong.stderr, /^forerun: .*other/);
});

test("a token is taken from a file or the environment, and shown to nobody", async () => {
    await place.stub("curl", `tr '\\0' ' ' </proc/$$/cmdline >>curl.seen; env >>curl.seen; exec ${(await script("command -v curl")).stdout.trim()} "$@"`);
    await place.write("token", `${token}\nsecond line\n`);
    await place.write("wrong", "frog\n");
    await place.write("worse", 'x" \n');
    await chmod(place.file("token"), 0o600);
    const upload = (args, more) => forerun(["upload-run", "worked", "-", ...args], { input: JSON.stringify(runOf(6000)), env: more });
    assert.equal((await upload([], { FORERUN_TOKEN: token })).stdout, "stored=1\nknown=0\nleft_out=0\n");
    for (const [args, more] of [[["--token-file=token"], { FORERUN_TOKEN: "frog" }], [[], { FORERUN_TOKEN_FILE: "token" }], [[], { XDG_CONFIG_HOME: place.path }]]) {
        if (more.XDG_CONFIG_HOME) await script("mkdir forerun && cp token forerun/token && chmod 600 forerun/token");
        assert.deepEqual(await upload(args, more), { code: 0, stdout: "stored=0\nknown=1\nleft_out=0\n", stderr: "" });
    }
    const seen = await readFile(place.file("curl.seen"), "utf8");
    assert.ok(seen.includes("--config") && !seen.includes(token), "curl's arguments and environment have no token");
    await chmod(place.file("token"), 0o644);
    assert.match((await upload(["--token-file=token"])).stderr, /^forerun: others can read token; run: chmod 600 token\n$/);
    for (const args of [[], ["--token-file=wrong"], ["--token-file=worse"], ["--token-file=none"], ["--token-file=."]]) {
        const { code, stdout, stderr } = await upload(args);
        assert.deepEqual([code, stdout], [77, ""], args[0]);
        assert.match(stderr, /token/);
    }
});

test("the completion knows the daemon's models and the client's options", async () => {
    const complete = async (...words) => completeAt(daemon.url, ...words);
    const completeAt = async (url, ...words) => {
        const list = words.map((word) => `'${word}'`).join(" ");
        const { stdout } = await run("bash", ["--norc", "-c", `. "${jobs}/forerun.bash"; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _forerun; printf '%s\\n' "\${COMPREPLY[@]}"`], { env: { ...env, FORERUN_URL: url }, cwd: place.path });
        return stdout.trimEnd().split("\n");
    };
    const models = (await api.get("/api/v1/models")).json.items.map(({ name }) => name);
    assert.deepEqual((await complete("forerun", "rank", "")).sort(), models.sort());
    const help = (await forerun(["--help"])).stdout;
    const options = await complete("forerun", "--");
    assert.deepEqual(options.filter((option) => option !== "--help").sort(), [...help.matchAll(/^ {2}(--[a-z-]+=)/gm)].map(([, name]) => name).sort());
    assert.deepEqual(await complete("forerun", "upload-"), ["upload-run", "upload-calibration"]);
    assert.deepEqual(await complete("forerun", "--format", "=", "c"), ["csv"]);
    assert.ok((await complete("forerun", "upload-run", "worked", jobs)).length === 1);
    const names = (await api.get("/api/v1/models/cholesky")).json.parameters.map(({ name }) => name);
    assert.deepEqual((await complete("forerun", "rank", "cholesky", "n", "=", "4", "")).sort(), ["machine=", ...names.map((name) => `${name}=`)].sort());
    assert.deepEqual(await complete("forerun", "rank", "cholesky", "n", "=", "4"), [""]);
    assert.deepEqual(await completeAt(NOBODY, "forerun", "rank", "cholesky", ""), ["machine="]);
    const fake = await fakeDaemon(() => ({ body: JSON.stringify({ parameters: [{ name: "$(touch evil)" }, { name: "a`touch evil`\tb" }, { name: "n" }] }) }));
    assert.deepEqual(await completeAt(fake.url, "forerun", "rank", "cholesky", ""), ["machine=", "n="]);
    assert.equal((await script("ls -A")).stdout.split("\n").includes("evil"), false);
    await fake.stop();
});
