// Compares allreduce, halo exchange and CG on simulated clusters with predictions of allreduce,
// halo_exchange, cg and solve from the calibrator's measurements; part of `make check-cluster`.
//
//     node tests/validation/cluster/krylov.mjs [--short] [--keep FILE] [CLUSTER…]
//
// Reports errors of the times by protocol, for both contention models, and the gains of mappings and
// eager limits. BUILD is the folder of the programs (default build). The results are deterministic:
// they do not depend on the speed of this computer. Exit status 1 if a goal is missed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const build = resolve(process.env.BUILD ?? "build");
process.env.FORERUND ??= join(build, "forerund");
const { client } = await import("../../api/client.mjs");
const { startDaemon } = await import("../../daemon.mjs");
const { expect } = await import("../blocked/tables.mjs");
const { MODELS, printErrors, printGains, printGoals } = await import("./gains.mjs");
const { inParallel, simulate } = await import("./simulate.mjs");

const args = process.argv.slice(2);
const isShort = args.includes("--short") && Boolean(args.splice(args.indexOf("--short"), 1));
const keep = args.includes("--keep") ? args.splice(args.indexOf("--keep"), 2)[1] : null;

const TIMEOUT_S = 600;
const MEMORY_RATE = 1e10;                       // of a process, for the kernels of cg
const CORE_FLOPS = 2e10;
const MAPPINGS = "default,node_aware,topology_aware";
const LIMIT = 16384;                            // eager limit in flags.txt
const PROGRESS = "all";                         // the simulated network moves messages while a process computes
const DOUBLING = ["--cfg=smpi/allreduce:rdb"];  // recursive doubling at all sizes, as in the model

/* ---- clusters and what is run on them ------------------------------------------------------- */

/** A fixed shuffle of the nodes, as a batch system would scatter a job; ranks fill the nodes in order. */
function scattered(prefix, nodes, perNode) {
    const order = [...nodes];
    for (let i = order.length - 1, state = 7; i > 0; i--) {
        state = (state * 48271) % 2147483647;
        const j = state % (i + 1);
        [order[i], order[j]] = [order[j], order[i]];
    }
    return order.flatMap((node) => Array(perNode).fill(`${prefix}${node}`));
}
const upTo = (count) => Array.from({ length: count }, (_, i) => i);
const blockOfTorus = upTo(64).map((i) => (i % 4) + 6 * ((i >> 2) % 4) + 36 * (i >> 4)); // 4x4x4 of 6x6x4

/** counts: numbers of ranks; the largest fills a block of the torus, as topology_aware needs. */
const places = [
    { name: "torus", about: "a 4x4x4 block of a 6x6x4 torus, one core each, nodes scattered", coresPerNode: 1,
        hosts: scattered("t", blockOfTorus, 1), topology: "torus:6x6x4", counts: [16, 36, 64], mappings: MAPPINGS },
    { name: "fattree", about: "32 hosts of two cores below a 2:1 oversubscribed fat tree, nodes scattered", coresPerNode: 2,
        hosts: scattered("f", upTo(32), 2), topology: "uniform", counts: [16, 64], mappings: "default,node_aware" },
    { name: "dragonfly", about: "64 hosts of one core in two groups of a dragonfly, nodes in order", coresPerNode: 1,
        hosts: upTo(64).map((i) => `d${i}`), topology: "dragonfly:3x4:3", counts: [16, 64], mappings: MAPPINGS },
    { name: "cores", about: "16 hosts of four cores, a plane of a 4x4x2 torus, nodes scattered", coresPerNode: 4,
        hosts: scattered("g", upTo(16), 4), topology: "torus:4x4x2", counts: [16, 64], mappings: MAPPINGS },
];
const short = [{ ...places[3], counts: [16], hosts: places[3].hosts.slice(0, 16), mappings: "default,node_aware" }];
const chosen = (isShort ? short : places).filter(({ name }) => !args.length || args.includes(name));

/** The jobs of a cluster, by kind of comparison: {kind, ranks, words, limit, extra}. */
function jobsOf({ counts, mappings, coresPerNode }) {
    const most = counts.at(-1), sizes = "message_bytes=8,64,512,2048,8192,65536", moved = "message_bytes=4096,8192,32768";
    const local = coresPerNode > 1 ? "4x16x16" : "8x8x8", behind = ["blocking=false", "overlap_s=1e-4"];
    return [
        ...counts.flatMap((ranks) => [
            { kind: "plain", ranks, words: ["allreduce", sizes], extra: DOUBLING },
            { kind: "library", ranks, words: ["allreduce", sizes] },
            { kind: "plain", ranks, words: ["halo_exchange", `${sizes},262144`] },
        ]),
        ...[3 / 8 * most, 3 / 4 * most].filter((ranks) => ranks % coresPerNode === 0)
            .map((ranks) => ({ kind: "between", ranks, words: ["allreduce", sizes], extra: DOUBLING })),
        { kind: "behind", ranks: most, words: ["allreduce", sizes, ...behind] },
        { kind: "behind", ranks: most, words: ["halo_exchange", sizes, ...behind] },
        { kind: "mapping", ranks: most, extra: DOUBLING, words: ["cg", `local_grid=${local},16x16x16`, "iterations=3",
            `mapping=${mappings}`, "solver=pcg,pipecg"] },
        { kind: "mapping", ranks: most, words: ["halo_exchange", "local_grid=8x32x32,64x64x64", `mapping=${mappings}`] },
        ...[LIMIT, 2048, 65536].flatMap((limit) => [
            { kind: "limit", ranks: most, limit, extra: DOUBLING, words: ["allreduce", moved] },
            { kind: "limit", ranks: most, limit, words: ["halo_exchange", moved] },
        ]),
    ];
}

/* ---- the simulator -------------------------------------------------------------------------- */

/** The simulator's flags with another eager limit, in all flags that contain it. */
function withLimit(limit) {
    const flags = readFileSync(new URL("platforms/flags.txt", import.meta.url), "utf8").trim().split("\n");
    return flags.filter((flag) => flag.includes(String(LIMIT))).map((flag) => flag.replaceAll(String(LIMIT), String(limit)));
}

/** Runs a program in its own folder; returns its output. */
async function launch(place, name, folder, options) {
    const own = join(folder, `${place.name}-${name}`), output = join(own, "output");
    mkdirSync(own);
    await simulate({ cluster: place, folder: own, timeoutS: TIMEOUT_S, ...options, args: [...options.args, "-o", output] });
    return readFileSync(output, "utf8");
}

async function runJob(place, job, folder, number) {
    const { limit = LIMIT, words, extra = [], ranks } = job;
    const lines = await launch(place, number, folder, {
        program: join(build, "smpi", "krylov"), ranks, last: "krylov: ends well", extra: [...withLimit(limit), ...extra],
        args: [...words, ...(limit === LIMIT ? [] : [`eager_limit_bytes=${limit - 1}`]), "--topology", place.topology,
            "--memory-rate", `${MEMORY_RATE}`],
    });
    return lines.trim().split("\n").map((line) => ({ kind: job.kind, limit, place: place.name, run: JSON.parse(line) }));
}

/** The document of the calibrator, with the memory bandwidth and peak that the program charges. */
async function calibrate(place, folder) {
    const { coresPerNode } = place;
    const document = JSON.parse(await launch(place, "calibration", folder, {
        program: join(build, "smpi", "forerun-calibrate"), ranks: place.hosts.length, last: "written after",
        args: ["--machine", place.name, "--only", "pingpong,contention,node_bandwidth,hops,exchange,burst",
            "--topology", place.topology, "--processes", place.counts.join(","), "--contention-message", "1M",
            "--max-message", "1M", "--repetitions", "1", "--cores-per-node", `${coresPerNode}`],
    }));
    const sources = Object.entries(document.sources).filter(([pointer]) => !pointer.startsWith("/node/"));
    return {
        ...document,
        description: place.about,
        node: { cores_per_node: coresPerNode, peak_flops_per_s: coresPerNode * CORE_FLOPS },
        memory: { node_bandwidth_bytes_per_s: coresPerNode * MEMORY_RATE, index_bytes: 4 },
        sources: {
            ...Object.fromEntries(sources),
            "/node": "assumed: of the simulated cluster", "/memory": "assumed: the program charges the same",
        },
    };
}

/* ---- the daemon ----------------------------------------------------------------------------- */

const text = (value) => (Array.isArray(value) ? value.join("x") : String(value));

/** A prediction before any run is uploaded, from the calibration only. */
async function predict(api, { place, run }, model) {
    const asked = { machine: place, ...run.parameters, contention_model: model };
    if (run.model === "halo_exchange" || run.model === "solve") asked.progress = PROGRESS;
    if (run.allocation) asked.allocation = run.allocation;
    const query = Object.entries(asked).map(([name, value]) => `${name}=${encodeURIComponent(text(value))}`).join("&");
    return expect(await api.get(`/api/v1/predict/${run.model}?${query}`), query, 200).json.time_s;
}

/** The same run as a question of solve (it charges the same computation), or with the rounds of libraries. */
function alsoAs(one) {
    if (one.run.model === "cg") return [one, { ...one, isUploaded: false, run: { ...one.run, model: "solve" } }];
    if (one.kind !== "between") return [one];
    return [one, { ...one, kind: "between, library", isUploaded: false,
        run: { ...one.run, parameters: { ...one.run.parameters, rounds: "library" } } }];
}

async function judge(api, runs) {
    for (const one of runs) {
        one.predicted = {};
        for (const model of MODELS) one.predicted[model] = await predict(api, one, model);
    }
}

async function upload(api, token, runs) {
    for (const { name } of chosen) {
        const own = runs.filter(({ place, kind, isUploaded }) => place === name && kind !== "library" && isUploaded !== false).map(({ run }) => run);
        expect(await api.post(`/api/v1/machines/${name}/runs`, own, { token }), "the runs", 200, 201);
    }
}

const folder = mkdtempSync(join(tmpdir(), "forerun-krylov-"));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // and the simulators end
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const daemon = await startDaemon({ calibrations: null });
try {
    const api = client(daemon.url), token = await daemon.token("write");
    const documents = await inParallel(chosen.map((place) => () => calibrate(place, folder)));
    for (const document of documents)
        expect(await api.post(`/api/v1/machines/${document.machine}/calibrations`, document, { token }), "the calibration", 201);
    const runs = (await inParallel(chosen.flatMap((place) =>
        jobsOf(place).map((job, i) => () => runJob(place, job, folder, i))))).flat().flatMap(alsoAs);
    await judge(api, runs);
    await upload(api, token, runs);
    if (keep) writeFileSync(keep, runs.map((one) => `${JSON.stringify(one)}\n`).join(""));
    for (const [i, { name, about }] of chosen.entries())
        printErrors(`${name}: ${about}`, runs.filter(({ place }) => place === name), documents[i]);
    printGains(runs, LIMIT);
    process.exitCode = printGoals(runs) ? 0 : 1;
} finally {
    await daemon.stop();
}
