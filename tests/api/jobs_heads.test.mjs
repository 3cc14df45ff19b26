// Heads of job scripts: the formats slurm, pbs and lsf of an answer, and of the client.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root, startDaemon } from "../daemon.mjs";
import { assertProblem, client, worked } from "./client.mjs";
import { fakeDaemon, jobs, run, workplace } from "./shell.mjs";

const golden = JSON.parse(await readFile(new URL("../validation/golden/block-cyclic.json", import.meta.url), "utf8"));
const LONGEST = "0.-_".repeat(16); /* the longest name of a machine, with each character that is no letter */
const CHOLESKY = "machine=worked&variant=2d&n=4000&processes=16&threads=4&blocks_per_process=3";
const LARGE = CHOLESKY.replace("n=4000", "n=40000");
const HPL = `machine=${LONGEST}&n=2000&process_rows=2&process_columns=3&block_size=64&broadcast=long&lookahead_depth=0`;
const SCHEDULERS = ["slurm", "pbs", "lsf"];

let daemon, api, place, engine, ids;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    const token = await daemon.token("write");
    ids = [];
    for (const document of [worked, { schema: "forerun-calibration-1", machine: LONGEST, ...golden.calibrations.plain }]) ids.push((await api.upload(document, token)).json.id);
    ({ engine } = (await api.get(`/api/v1/predict/cholesky?${CHOLESKY}`)).json);
    place = await workplace();
    for (const name of ["srun", "mpiexec"]) await place.stub(name, `echo "$@" >${name}.seen`);
});
after(() => Promise.all([daemon?.stop(), place?.remove()]));

/** The head, which a shell can read. */
async function head(path, scheduler, query) {
    const answer = await api.get(`/api/v1/${path}.${scheduler}?${query}`);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.headers["content-type"], "text/plain; charset=utf-8");
    for (const shell of ["bash", "dash"]) assert.deepEqual(await run(shell, ["-n"], { input: answer.text, env: { PATH: place.PATH } }), { code: 0, stdout: "", stderr: "" });
    return answer.text;
}

const DIRECTIVES = {
    slurm: ["#SBATCH --nodes=8", "#SBATCH --ntasks=16", "#SBATCH --ntasks-per-node=2", "#SBATCH --cpus-per-task=4", "#SBATCH --time=00:01:00"],
    pbs: ["#PBS -l select=8:ncpus=8:mpiprocs=2:ompthreads=4", "#PBS -l walltime=00:01:00"],
    lsf: ["#BSUB -n 16", "#BSUB -R \"span[ptile=2] affinity[core(4)]\"", "#BSUB -W 00:01"],
};
const STARTS = { slurm: ["srun --cpus-per-task=4 ./program"], pbs: ["cd \"$PBS_O_WORKDIR\" || exit", "mpiexec -n 16 ./program"], lsf: ["mpiexec -n 16 ./program"] };

test("a head asks for what the answer has, and its block size is whole", async () => {
    const { time_s, time_quantile_s, block_size, nodes } = (await api.get(`/api/v1/predict/cholesky?${CHOLESKY}&quantile=0.95`)).json;
    assert.ok(!Number.isInteger(block_size), "the model has a mean size");
    assert.equal(nodes, 8);
    for (const scheduler of SCHEDULERS)
        assert.deepEqual((await head("predict/cholesky", scheduler, CHOLESKY)).split("\n"), ["#!/bin/sh", `# cholesky on worked, calibration ${ids[0]}, by ${engine}`,
            `# predicted: ${Number(time_s.toPrecision(6))} s; ${Number(time_quantile_s.toPrecision(6))} s with an assumed margin of 25 %`, ...DIRECTIVES[scheduler],
            "# variant=2d", "# n=4000", "# processes=16", "# threads=4", "# replication=1", "# blocks_per_process=3", `# block_size=${Math.ceil(block_size)}`,
            "export OMP_NUM_THREADS=4", ...STARTS[scheduler], ""]);
});

test("the time limit is the wall time of the question", async () => {
    for (const more of ["quantile=0.9&margin_percent=9000", "quantile=0.95"]) {
        const { wall_time: wall } = (await api.get(`/api/v1/predict/cholesky?${LARGE}&${more}`)).json, query = `${LARGE}&${more}`;
        assert.match(wall, /^\d\d:\d\d:00$/);
        assert.ok((await head("predict/cholesky", "slurm", query)).includes(`#SBATCH --time=${wall}\n`));
        assert.ok((await head("predict/cholesky", "lsf", query)).includes(`#BSUB -W ${wall.slice(0, 5)}\n`));
    }
});

test("rankings and recommendations have the head of the best", async () => {
    const query = "machine=worked&n=4000&threads=4";
    const { best } = (await api.get(`/api/v1/recommend/cholesky?${query}`)).json, { rows } = (await api.get(`/api/v1/rank/cholesky?${query}&processes=16`)).json;
    for (const [path, more, { variant, nodes, processes }] of [["recommend", "", best], ["rank", "&processes=16", rows[0]]]) {
        const text = await head(`${path}/cholesky`, "slurm", query + more);
        for (const line of [`#SBATCH --nodes=${nodes}`, `#SBATCH --ntasks=${processes}`, `# variant=${variant}`]) assert.ok(text.includes(`${line}\n`), text);
        assert.doesNotMatch(text, /block_size=\d+\./);
    }
});

test("the head of HPL starts it with the HPL.dat of the question, also on an imaginary machine", async () => {
    for (const change of ["", "&what_if.network.bandwidth=*0.5&what_if.node.cores_per_node=1"]) {
        const text = await head("predict/hpl", "slurm", HPL + change);
        assert.match(text, /\nsrun \.\/xhpl # on a process grid of 2 x 3\n$/);
        if (change) assert.match(text, /^# what if: network\.bandwidth = \*0\.5\n# what if: node\.cores_per_node = 1$/m);
        const { code, stderr } = await run("sh", ["-c", text], { cwd: place.path, env: { PATH: place.PATH, FORERUN_URL: daemon.url } });
        assert.deepEqual([code, stderr], [0, ""]);
        assert.equal(await readFile(place.file("HPL.dat"), "utf8"), (await api.get(`/api/v1/predict/hpl.dat?${HPL}${change}`)).text);
        assert.equal(await readFile(place.file("srun.seen"), "utf8"), "./xhpl\n");
        await run("sh", ["-c", "rm HPL.dat srun.seen"], { cwd: place.path, env: { PATH: place.PATH } });
    }
    const lost = await run("sh", ["-c", await head("predict/hpl", "lsf", HPL)], { cwd: place.path, env: { PATH: place.PATH, FORERUN_URL: "http://127.0.0.1:1" } });
    assert.notEqual(lost.code, 0);
    assert.equal((await run("ls", [], { cwd: place.path, env: { PATH: place.PATH } })).stdout, "", "without HPL.dat nothing runs");
});

test("the line that fetches HPL.dat sends the token of the client's file, which no argument shows", async () => {
    const heard = [], fake = await fakeDaemon(({ headers }) => (heard.push(headers.authorization), { body: "" }));
    await place.write("mine", "a.token~of+mine\n");
    const text = await head("predict/hpl", "slurm", HPL), start = (more) => run("sh", ["-c", text], { cwd: place.path, env: { PATH: place.PATH, HOME: place.path, FORERUN_URL: fake.url, ...more } });
    for (const more of [{ FORERUN_TOKEN_FILE: place.file("mine") }, {}]) {
        const { code, stderr } = await start(more);
        assert.deepEqual([code, stderr], [0, ""]);
    }
    assert.deepEqual(heard, ["Bearer a.token~of+mine", undefined]);
    assert.match(text, /^sed .* \|\n {4}curl [^$]*-H @- /m);
    await run("sh", ["-c", "rm mine HPL.dat srun.seen"], { cwd: place.path, env: { PATH: place.PATH } });
    await fake.stop();
});

test("texts of a question reach no shell", async () => {
    assert.equal((await api.upload(await readFile(join(root, "calibrations/sets/example.json"), "utf8"), await daemon.token("write", "example"))).status, 201);
    const calls = await head("predict/calls", "pbs", `machine=example&calls=${encodeURIComponent("dgemm NN n n n ;\n| dtrsm LLNN 96 96 -1")}&n=200`);
    assert.match(calls, /^# calls=dgemm_NN_n_n_n_____dtrsm_LLNN_96_96_-1$/m);
    for (const value of ["*0.5'; touch evil; '", "*0.5\ntouch evil", "0x1p3"])
        assertProblem(await api.get(`/api/v1/predict/hpl.slurm?${HPL}&what_if.network.bandwidth=${encodeURIComponent(value)}`), 400);
});

test("other questions and crossovers have no head", async () => {
    for (const path of ["sweep/cholesky", "forecast/cholesky", "chart/cholesky", "sensitivity/cholesky", "machines"])
        for (const scheduler of SCHEDULERS) assertProblem(await api.get(`/api/v1/${path}.${scheduler}?machine=worked`), 406);
    const crossover = await api.get(`/api/v1/recommend/hpl.pbs?machine=${LONGEST}&objective=crossover&broadcast=1ring,long&n=500..600&nodes=2&block_size=64`);
    assert.deepEqual(assertProblem(crossover, 422).errors.map((fault) => fault.parameter), ["objective"]);
    assert.ok(!(await api.get(`/api/v1/predict/cholesky?${CHOLESKY}`, { headers: { accept: "text/plain" } })).text.startsWith("#!"), "Accept: text/plain asks for variables");
});

test("the client prints the head, which asks its daemon", async () => {
    const forerun = (args) => run(join(jobs, "forerun"), args, { cwd: place.path, env: { PATH: place.PATH, HOME: place.path } });
    for (const scheduler of SCHEDULERS) {
        const { code, stdout, stderr } = await forerun(["predict", `--format=${scheduler}`, `--url=${daemon.url}`, "hpl", ...HPL.split("&")]);
        assert.deepEqual([code, stderr], [0, ""]);
        assert.equal(stdout, (await head("predict/hpl", scheduler, HPL)).replace("http://127.0.0.1:8080", daemon.url));
    }
    const best = await forerun(["recommend", "--format=lsf", `--url=${daemon.url}`, "cholesky", "machine=worked", "n=4000", "threads=4"]);
    assert.equal(best.stdout, await head("recommend/cholesky", "lsf", "machine=worked&n=4000&threads=4"));
});
