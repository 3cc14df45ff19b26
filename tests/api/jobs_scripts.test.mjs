// The job scripts of deploy/jobs against a daemon, with stubs of the scheduler and of the programs.
import assert from "node:assert/strict";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { client } from "./client.mjs";
import { jobs, run, workplace } from "./shell.mjs";

const NOBODY = "http://127.0.0.1:1";

let daemon, api, token, place, env;
before(async () => {
    daemon = await startDaemon();
    api = client(daemon.url);
    token = await daemon.token("write");
    // A small one, on which recommendations are quick.
    const set = JSON.parse(await readFile(join(jobs, "../../calibrations/sets/hopper.json"), "utf8"));
    assert.equal((await api.upload({ ...set, machine: "small" }, token)).status, 201);
    assert.equal((await api.put("/api/v1/machines/small", { nodes: 32 }, { token })).status, 200);
});
after(() => daemon?.stop());
beforeEach(async (context) => {
    place = await workplace();
    env = { PATH: place.PATH, HOME: place.path, FORERUN_URL: daemon.url };
    const { remove } = place;
    context.after(remove);
});

const stored = async (machine, query) => (await api.get(`/api/v1/machines/${machine}/runs?${query}`)).json.items;
const seen = (name) => readFile(place.file(name), "utf8");
const ARGUMENTS = (file) => `printf '%s\\n' "$@" >${file}`;

test("HPL runs with the daemon's HPL.dat for the nodes of the job, and its result is stored", async () => {
    const sample = join(jobs, "../../tests/samples/imports/hpl-2.3.txt");
    await place.write("HPL.dat.fallback", "fallback\n");
    await place.stub("srun", `${ARGUMENTS("srun.seen")}\nhead -n 1 HPL.dat >&2\ncat ${sample}`);
    const job = { ...env, SLURM_JOB_NUM_NODES: "4", SLURM_CLUSTER_NAME: "Example", RANKS_PER_NODE: "2", MEMORY_FRACTION: "0.01" };
    const hpl = (more) => run(join(jobs, "hpl-slurm.sh"), [], { cwd: place.path, env: { ...job, ...more } });

    const done = await hpl({ FORERUN_TOKEN: token });
    assert.equal(done.code, 0, done.stderr);
    assert.match(done.stderr, /^HPLinpack benchmark input file$/m);
    assert.match(await seen("srun.seen"), /^--ntasks-per-node=2\n--cpu-bind=cores\n\.\/xhpl\n$/);
    const asked = "machine=example&nodes=4&ranks_per_node=2&memory_fraction=0.01&block_size=128";
    assert.equal(await seen("HPL.dat"), (await api.get(`/api/v1/rank/hpl.dat?${asked}`)).text);
    assert.equal((await stored("example", "model=hpl")).length, 1);

    const refused = await hpl({ NB: "no", FORERUN_TOKEN: token });
    assert.equal(refused.code, 0);
    assert.match(refused.stderr, /block_size.*\nhpl-slurm: no answer; the job runs with HPL\.dat\.fallback\nfallback\n/s);
    const alone = await hpl({ FORERUN_URL: NOBODY });
    assert.equal(alone.code, 0);
    assert.match(alone.stderr, /^fallback\n.*^hpl-slurm: the result was not stored$/ms);
    assert.equal(alone.stdout, await readFile(sample, "utf8"));
});

// Each scheduler as a stub that runs the job at once.
const SCHEDULERS = {
    slurm: {
        submit: ["sbatch", 'for script; do :; done; SLURM_JOB_ID=77 exec sh "$script"'], launch: "srun", job: "77",
        request: (nodes, processes, threads, limit) => [`--nodes=${nodes}`, `--ntasks=${processes}`, `--cpus-per-task=${threads}`, `--time=${limit}`],
    },
    pbs: {
        // A job of PBS begins in another folder, with the variables of -v alone.
        submit: ["qsub", `while [ $# -gt 1 ]; do [ "$1" != -v ] || given=$2; shift; done
            IFS=,; cd / && exec env -i PATH="$PATH" HOME="$HOME" PBS_JOBID=77.head PBS_O_WORKDIR="$OLDPWD" $given sh "$1"`], launch: "mpirun", job: "77.head",
        request: (nodes, processes, threads, limit) => [`select=${nodes}:ncpus=${processes / nodes * threads}:mpiprocs=${processes / nodes}:ompthreads=${threads}`, `walltime=${limit}`],
    },
    lsf: {
        submit: ["bsub", "cat >job; LSB_JOBID=77 exec sh ./job"], launch: "mpirun", job: "77",
        request: (nodes, processes, threads, limit) => [String(processes), limit.slice(0, -3), `span[ptile=${processes / nodes}] affinity[core(${threads})]`],
    },
};

for (const [scheduler, { submit, launch, job, request }] of Object.entries(SCHEDULERS)) {
    const n0 = String(65536 - 1024 * Object.keys(SCHEDULERS).indexOf(scheduler)); // runs of its own
    test(`under ${scheduler} a job asks, runs and stores its time`, async () => {
        await mkdir(place.file(".config/forerun"), { recursive: true, mode: 0o700 });
        await place.write(".config/forerun/token", token);
        await place.stub(submit[0], `${ARGUMENTS("submit.seen")}\n${submit[1]}`);
        await place.stub(launch, `${ARGUMENTS("launch.seen")}\necho "$OMP_NUM_THREADS" >>launch.seen\necho 103.5 >now\n[ ! -e failing ]`);
        await place.stub("date", "cat now 2>/dev/null || echo 100");
        const cholesky = (n, more) => run(join(jobs, `cholesky-${scheduler}.sh`), [n], { cwd: place.path, env: { ...env, MACHINE: "small", ...more } });
        const question = `machine=small&n=${n0}&threads=6&objective=nodes&deadline_s=600&quantile=0.95`;
        const { best } = (await api.get(`/api/v1/recommend/cholesky?${question}`)).json;
        const { variant, n, processes, threads, replication, blocks_per_process } = best.parameters ?? best;

        const done = await cholesky(n0);
        assert.equal(done.code, 0, done.stderr);
        const asked = (await seen("submit.seen")).split("\n");
        for (const words of request(best.nodes, processes, threads, best.wall_time)) assert.ok(asked.includes(words), `${words} in ${asked}`);
        const launched = await seen("launch.seen");
        for (const words of [`--n\n${n}\n`, `--variant\n${variant}\n`, `--layers\n${replication}\n`, `--blocks-per-process\n${blocks_per_process}\n${threads}\n`])
            assert.ok(launched.includes(words), `${words} in ${launched}`);
        const [run0, ...others] = await stored("small", `model=cholesky&n=${n}`);
        assert.equal(others.length, 0);
        assert.equal(run0.time_s, 3.5);
        assert.deepEqual([run0.parameters.variant, run0.parameters.processes, run0.parameters.replication], [variant, processes, replication]);
        assert.equal((await api.get(`/api/v1/runs/${run0.id}`)).json.job, job);

        const alone = await cholesky(n0, { FORERUN_URL: NOBODY });
        assert.equal(alone.code, 0, alone.stderr);
        assert.match(alone.stderr, /no answer; 16 nodes are requested for 01:00:00\n.*the time was not stored\n$/s);
        for (const words of request(16, 64, 6, "01:00:00")) assert.ok((await seen("submit.seen")).includes(words));

        await place.write("failing", "");
        const failed = await cholesky(String(n0 - 1));
        assert.notEqual(failed.code, 0);
        assert.equal((await stored("small", `model=cholesky&n=${n0 - 1}`)).length, 0);
    });
}
