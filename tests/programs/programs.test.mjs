// The reference programs krylov and cnc: what they send and compute is right, for real and on a
// simulated cluster, their saved runs are the daemon's, and what they refuse says what would do.
//
//   BUILD=build FORERUND=build/forerund node --test tests/programs/programs.test.mjs
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import { client } from "../api/client.mjs";
import { startDaemon } from "../daemon.mjs";

const platforms = fileURLToPath(new URL("../validation/cluster/platforms", import.meta.url));
const build = resolve(process.env.BUILD ?? "build");
const folder = mkdtempSync(join(tmpdir(), "forerun-cluster-"));
after(() => rmSync(folder, { recursive: true }));

// Allows many ranks on one computer, as root, without ssh, in a container, with a quick start.
const environment = {
    ...process.env, TMPDIR: folder, OPENBLAS_NUM_THREADS: "1",
    OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1", OMPI_MCA_plm: "isolated",
    OMPI_MCA_pml: "ob1", OMPI_MCA_btl: "self,vader", OMPI_MCA_btl_vader_single_copy_mechanism: "none",
    OMPI_MCA_ess_singleton_isolated: "1", OMPI_MCA_rmaps_base_oversubscribe: "1", OMPI_MCA_mpi_yield_when_idle: "1",
};

function run(command, words) {
    const ran = spawnSync(command, words, { env: environment, cwd: folder, encoding: "utf8", timeout: 600e3 });
    return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

/** One rank needs no launcher. */
const real = (ranks, program, ...words) => (ranks === 1 ? run(join(build, "programs", program), words)
    : run("mpirun", ["--oversubscribe", "-n", String(ranks), join(build, "programs", program), ...words]));

/** hosts: their names in the order of the ranks; flags: more of the simulator's. */
function simulated(hosts, flags, program, ...words) {
    const file = join(folder, "hosts");
    writeFileSync(file, hosts.join("\n") + "\n");
    const platform = join(platforms, hosts[0].startsWith("f") ? "fattree.xml" : "torus.xml");
    return run("smpirun", ["-np", String(hosts.length), "-platform", platform, "-hostfile", file,
        ...readFileSync(join(platforms, "flags.txt"), "utf8").trim().split("\n"), ...flags,
        join(build, "smpi", program), ...words]);
}

/** The saved runs of a program that ended well: a deadlock leaves the simulator's status at 0. */
function runs(ran) {
    assert.equal(ran.status, 0, ran.err);
    assert.match(ran.err, /: ends well$/m);
    return ran.out.trim().split("\n").filter(Boolean).map(JSON.parse);
}

function refused(ran, remedy) {
    assert.notEqual(ran.status, 0);
    assert.match(ran.err, remedy);
}

const torus = (numbers) => numbers.map((n) => `t${n}`);
const solvers = ["pcg", "sapcg", "nbpcg", "pipecg", "pipe2cg"];
const phases = ["matvec", "preconditioner", "vector", "allreduce", "halo_exchange", "synchronization"];
const all = [];                       // runs of 2 nodes with 2 processes, to be uploaded
const pretended = ["--processes-per-node", "2"];

// Sums, values of halos and products of the stencil are compared by the program itself, before it
// times anything; counts of messages and calls with the engine's, after.
test("allreduces of the library and of the program are correct on any number of ranks", () => {
    all.push(...runs(real(4, "krylov", "allreduce", "message_bytes=0,8,4096", "blocking=true,false",
        "overlap_s=5e-5", ...pretended)));
    assert.equal(all.length, 6);
    for (const ranks of [1, 3, 5])
        runs(real(ranks, "krylov", "allreduce", "message_bytes=8,64", "--own-allreduce", "--repetitions", "3"));
});

test("halos are exchanged in one to three dimensions, periodic or not", () => {
    const made = runs(real(4, "krylov", "halo_exchange", "dimensions=1,2,3", "message_bytes=1024",
        "mapping=default,node_aware", "blocking=true,false", "overlap_s=5e-5", ...pretended));
    assert.equal(made.length, 12);
    all.push(...made);
    for (const ranks of [1, 2, 3])
        runs(real(ranks, "krylov", "halo_exchange", "message_bytes=8", "periodic=true,false"));
    all.push(...runs(real(4, "krylov", "halo_exchange", "local_grid=4x2x3", ...pretended)));
});

test("the calls of the five solvers equal the counts of the engine, with executed and charged kernels", () => {
    const words = ["cg", `solver=${solvers}`, "mapping=default,node_aware", "iterations=5", ...pretended];
    const made = [...runs(real(4, "krylov", ...words, "local_grid=5x4x3", "--real")),
        ...runs(real(4, "krylov", ...words, "local_grid=5x4x3", "--kernel", "matvec=2e-5"))];
    assert.equal(made.length, 20);
    for (const { parameters, computation, breakdown, iteration_times_s } of made) {
        const rows = parameters.solver === "pipe2cg" ? 6 : 5;
        assert.deepEqual(breakdown.map((one) => one.phase), phases);
        assert.equal(iteration_times_s.length, rows);
        for (const rows_of of Object.values(computation.phases))
            assert.deepEqual(rows_of.map((row) => row.length), Array(rows).fill(4));
    }
    all.push(...made);
    runs(real(3, "krylov", "cg", "local_grid=2x2x2", "iterations=2", "periodic=true", "--real"));
    runs(real(1, "krylov", "cg", "local_grid=1x1x2", `solver=${solvers}`, "iterations=1", "--real"));
});

test("krylov refuses impossible requests and names a remedy", () => {
    const lines = [
        [["nonsense"], /allreduce, halo_exchange or cg/],
        [["allreduce", "message_byte=8"], /did you mean message_bytes/],
        [["allreduce", "message_bytes=12"], /whole doubles/],
        [["allreduce", "message_bytes=-8"], /message_bytes/],
        [["allreduce"], /message_bytes: required/],
        [["allreduce", "message_bytes=8", "nodes=2"], /the job determines it/],
        [["allreduce", "message_bytes=8", "penalties=none"], /how to predict, not what is run/],
        [["halo_exchange", "message_bytes=8", "mapping=topology_aware", "--topology", "uniform"], /use node_aware/],
        [["cg", "iterations=2", "local_grid=4x4"], /local_grid/],
        [["allreduce", "message_bytes=8", "--processes-per-node", "3"], /does not divide the 2 ranks/],
        [["allreduce", "message_bytes=8", "eager_limit_bytes=100000000"], /MPI has another limit/],
        [["halo_exchange", "local_grid=1x65536x65536"], /at most 1 GiB; use a smaller local_grid/],
        [["allreduce", "message_bytes=8", "--topology", "ring"], /must be like torus:4x4x4/],
        [["cg", "iterations=2", "local_grid=4x4x4", "--kernel", "matvek=1e-3"], /one of matvec, preconditioner, vector/],
    ];
    for (const [words, remedy] of lines) refused(simulated(torus([0, 1]), [], "krylov", ...words), remedy);
    refused(real(2, "krylov", "allreduce", "message_bytes=8", "eager_limit_bytes=100000000"), /MPI has another limit/);
    const endless = [
        [["allreduce", "message_bytes=8", "blocking=false", "overlap_s=1e9"], /in slices of 2e-05 s: more than 1000000/],
        [["halo_exchange", "message_bytes=8", "blocking=false", "overlap_s=1", "--slice", "1e-300"], /take longer ones/],
        [["cg", "iterations=1", "local_grid=4x4x4", "--slice", "1e-300"], /take longer ones/],
    ];
    for (const [words, remedy] of endless) refused(real(2, "krylov", ...words), remedy);
});

const cube = [0, 1, 6, 7, 36, 37, 42, 43];             // 2 x 2 x 2 hosts of a 6 x 6 x 4 torus
const shuffled = [42, 1, 37, 0, 43, 6, 36, 7];
const along = ["halo_exchange", "message_bytes=65536", "--topology", "torus:6x6x4"];

test("a topology-aware mapping does not depend on the order of the host file", () => {
    const one = (hosts, mapping) => runs(simulated(torus(hosts), [], "krylov", ...along, `mapping=${mapping}`))[0];
    const ordered = one(cube, "topology_aware"), found = one(shuffled, "topology_aware");
    assert.deepEqual(ordered.allocation, [2, 2, 2]);
    assert.ok(Math.abs(found.time_s / ordered.time_s - 1) < 1e-9);
    assert.ok(one(shuffled, "default").time_s > 1.2 * ordered.time_s);
});

test("simulated runs are reproducible, and the eager limit can be changed", () => {
    const words = ["cg", "local_grid=8x8x8", "iterations=3", `solver=${solvers}`, "--imbalance", "0.1"];
    const hosts = Array.from({ length: 16 }, (_, i) => `f${i >> 1}`);
    const first = simulated(hosts, [], "krylov", ...words);
    assert.equal(runs(first)[0].parameters.processes_per_node, 2);
    assert.equal(simulated(hosts, [], "krylov", ...words).out, first.out);
    const moved = ["--cfg=smpi/async-small-thresh:2049", "--cfg=smpi/send-is-detached-thresh:2049"];
    const [run] = runs(simulated(hosts, moved, "krylov", "allreduce", "message_bytes=4096", "eager_limit_bytes=2048"));
    assert.equal(run.parameters.eager_limit_bytes, 2048);
    refused(simulated(hosts, [], "krylov", "allreduce", "message_bytes=4096", "eager_limit_bytes=2048"),
        /send-is-detached-thresh/);
    refused(simulated(["f1", "f2", "f1"], [], "krylov", "allreduce", "message_bytes=8"), /order the host file/);
});

test("the layer keeps its promises: steps wait, tags prescribe once, items are put once", () => {
    for (const ranks of [1, 2, 5]) runs(real(ranks, "cnc", "--self-test"));
    runs(simulated(torus(cube.slice(1)), [], "cnc", "--self-test"));
});

const products = [];
test("Cannon's and Johnson's products are right on any number of ranks", () => {
    for (const algorithm of ["cannon", "johnson"]) {
        const words = ["--algorithm", algorithm, "--n", "96", "--block-size", "24", "--verify"];
        for (const ranks of [1, 3, 4]) products.push(...runs(real(ranks, "cnc", ...words)));
        runs(real(2, "cnc", ...words, "--sgemm"));
        products.push(...runs(simulated(torus(cube.slice(1)), [], "cnc", ...words)));
    }
    runs(real(2, "cnc", "--n", "500", "--block-size", "500", "--verify"));   // more than one tile of the third cache
    refused(simulated(torus([0]), [], "cnc", "--n", "100", "--block-size", "30"), /does not divide --n 100/);
    refused(simulated(torus([0]), [], "cnc", "--verify", "--rate", "1e9"), /computes nothing/);
    refused(simulated(torus([0]), [], "cnc", "--kernel", "multply=0.1"), /one of multiply/);
    refused(simulated(torus([0]), [], "cnc", "--verify", "--mode", "communication"), /makes no product/);
    refused(simulated(torus([0]), [], "cnc", "--n", "400", "--block-size", "1"), /more than 128 blocks/);
});

test("a charged product takes what its busiest rank multiplies, and the modes are apart", () => {
    const words = ["--n", "800", "--block-size", "100", "--rate", "1e9"];          // 8 x 8 blocks, 2 ms a product
    const [run] = runs(simulated(torus(cube), [], "cnc", ...words));
    assert.ok(Math.abs(run.outputs.computation_s / (64 * 2e-3) - 1) < 0.01, JSON.stringify(run));
    assert.ok(run.time_s >= run.outputs.computation_s && run.outputs.communication_s < 0.1 * run.time_s);
    // Each rank has a row of blocks: it gets all of B seven times, and at first a row of both.
    assert.equal(run.outputs.communication_bytes_per_process, (7 * 8 + 2 * 8) * 40_000);
    products.push(run);
    for (const mode of ["compute", "communication"])
        assert.deepEqual(runs(simulated(torus(cube), [], "cnc", ...words, "--mode", mode)), []);
});

const calibration = {
    schema: "forerun-calibration-1", machine: "here",
    node: { cores_per_node: 2, peak_flops_per_s: 4e9 },
    network: {
        protocols: [["eager", 4096], ["rendezvous", null]].map(([name, max_message_bytes]) => ({
            name, max_message_bytes, pipelined: name === "eager",
            off_node: { latency_s: 2e-6, inverse_bandwidth_s_per_byte: 4e-10 },
            on_node: { latency_s: 1e-6, inverse_bandwidth_s_per_byte: 2e-10 },
        })),
        node_bandwidth_bytes_per_s: 2.5e9,
        topology: { type: "torus", dimensions: [6, 6, 4], nodes_per_router: 1, hop_latency_s: 1.5e-7 },
    },
    memory: { node_bandwidth_bytes_per_s: 2e10, index_bytes: 4 },
    cnc: {
        intra_node_bandwidth_bytes_per_s: 8e9, inter_node_bandwidth_bytes_per_s: 2e9,
        step_kernel: [{ block_size: 24, rate_flops_per_s: 1e9 }],
    },
};

test("the daemon takes the runs and predicts each of them", async () => {
    const daemon = await startDaemon({ calibrations: null });
    try {
        const api = client(daemon.url), token = await daemon.token("write");
        const ndjson = { "content-type": "application/x-ndjson" };
        all.push(...runs(simulated(torus(shuffled), [], "krylov", ...along, "mapping=topology_aware,node_aware")));
        const sent = [...all, ...products];
        const made = await api.post("/api/v1/machines/here/calibrations", calibration, { token });
        assert.equal(made.status, 201, made.text);
        const answer = await api.post("/api/v1/machines/here/runs",
            sent.map((one) => JSON.stringify(one)).join("\n") + "\n", { token, headers: ndjson });
        assert.ok([200, 201].includes(answer.status), answer.text.slice(0, 2000));
        const { models } = (await api.get("/api/v1/machines/here/accuracy")).json;
        const judged = models.map((one) => [one.model, one.runs]).sort();
        const count = (name) => sent.filter((one) => one.model === name).length;
        assert.deepEqual(judged, ["allreduce", "cg", "cnc_matmul", "halo_exchange"].map((name) => [name, count(name)]));
    } finally {
        await daemon.stop();
    }
});
