// Compares predictions with unmodified ScaLAPACK and HPL on simulated clusters: `make check-scalapack`.
//
//     node tests/validation/block_cyclic/compare.mjs [--short] [--one-latency] [--keep FOLDER]
//         [--only KIND]… [CLUSTER…]
//
// With --one-latency the predictions know no latencies by distance.
// For each cluster, the calibrator measures the network at the size of the job, the document (with
// the kernels of a modelled core) is uploaded to a daemon, and each run of the programs is asked for.
// The results are deterministic.  REFERENCE is the program of reference.mk, BUILD the folder of ours.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const build = resolve(process.env.BUILD ?? "build");
process.env.FORERUND ??= join(build, "forerund");
const { client } = await import("../../api/client.mjs");
const { startDaemon } = await import("../../daemon.mjs");
const { expect, median, percent, print } = await import("../blocked/tables.mjs");
const { groups } = await import("../cluster/judge.mjs");
const { inParallel, simulate } = await import("../cluster/simulate.mjs");
const { clusters, kinds, lineOf, parametersOf, runsOf, short } = await import("./cases.mjs");
const { coreLine, withCore } = await import("./core.mjs");

const args = process.argv.slice(2);
const isShort = args.includes("--short") && Boolean(args.splice(args.indexOf("--short"), 1));
const isOneLatency = args.includes("--one-latency") && Boolean(args.splice(args.indexOf("--one-latency"), 1));
const keep = args.includes("--keep") ? args.splice(args.indexOf("--keep"), 2)[1] : null;
const only = [];
while (args.includes("--only")) only.push(args.splice(args.indexOf("--only"), 2)[1]);
const rows = (only.length ? only : kinds).flatMap((kind) => (kind.startsWith("pdtrsm") ? [kind, `${kind}, B alone`] : kind));
const chosen = (isShort ? short : clusters).filter(({ name }) => !args.length || args.includes(name));
const reference = resolve(process.env.REFERENCE ?? join(build, "smpi", "reference"));

const TIMEOUT_S = 1200;
// The simulator slows down with the number of activities a process has had.  On 64 ranks a second run
// of HPL in one launch ends with MPI_ERR_TRUNCATE in its back substitution; alone the same run ends well.
const runsAtOnce = (p) => (p > 16 ? 1 : 12);
const folder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), "forerun-block-cyclic-"));
mkdirSync(folder, { recursive: true });
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // and the simulators end
if (!keep) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

/** The calibration of a cluster by all ranks of its largest job. */
async function calibrate(cluster) {
    const output = join(folder, `${cluster.name}.json`), ranks = cluster.processes.at(-1);
    if (!existsSync(output))
        await simulate({
            cluster, folder, ranks, timeoutS: TIMEOUT_S, last: "written after", program: join(build, "smpi", "forerun-calibrate"),
            args: ["--machine", cluster.name, "--only", "node_bandwidth,pingpong,distances,contention,broadcast", "--repetitions", "1",
                "--processes", cluster.processes.join(","), "--contention-message", "1M", "-o", output],
        });
    const document = withCore(JSON.parse(readFileSync(output, "utf8")), cluster);
    if (isOneLatency) {
        delete document.network.latency_by_distance;
        delete document.sources["/network/latency_by_distance"];
    }
    return document;
}

/** Tasks for the runs of a cluster, several runs in each launch; they return the runs, measured. */
function launches(cluster) {
    const tasks = [];
    for (const p of cluster.processes) {
        const all = runsOf(cluster).filter((run) => run.p === p && rows.includes(run.kind));
        for (let from = 0; from < all.length; from += runsAtOnce(p))
            tasks.push(() => launch(cluster, join(folder, `${cluster.name}-${p}-${from}`), p, all.slice(from, from + runsAtOnce(p))));
    }
    return tasks;
}

async function launch(cluster, name, ranks, some) {
    const output = `${name}.seconds`, read = () => readFileSync(output, "utf8").trim().split("\n").map(Number);
    if (!existsSync(output) || read().length !== some.length) {
        writeFileSync(`${name}.batch`, `${[coreLine, ...some.map(lineOf)].join("\n")}\n`);
        await simulate({
            cluster, folder, ranks, timeoutS: TIMEOUT_S, last: "reference: ends well", program: reference,
            args: [`${name}.batch`, output],
            extra: ["--cfg=smpi/auto-shared-malloc-thresh:0"], // ranks keep pivots in large buffers
        });
    }
    const seconds = read();
    return some.map((run, i) => ({ ...run, cluster: cluster.name, measured: seconds[i] }));
}

/** Adds the prediction of each run; null where the model refuses it. */
async function predict(api, token, cluster, document, runs) {
    expect(await api.post(`/api/v1/machines/${cluster.name}/calibrations`, document, { token }), "the calibration", 200, 201);
    const requests = runs.map((run) => ({ model: run.routine, machine: cluster.name, parameters: parametersOf(run) }));
    const { json } = expect(await api.post("/api/v1/predict", { requests }), "the predictions", 200);
    return runs.map((run, i) => ({ ...run, predicted: json.results[i].result?.time_s ?? json.results[i].time_s ?? null,
        kind: json.results[i].warnings?.some(({ code }) => code === "slow_variant") ? `${run.kind}, B alone` : run.kind,
        said: json.results[i].error ?? json.results[i].detail ?? null, breakdown: json.results[i].breakdown }));
}

const error = ({ measured, predicted }) => predicted / measured - 1;

const problemOf = ({ cluster, kind, m, n, k, p, option: { side, transa, transb } }) =>
    [cluster, kind, m, n, k, p, side, transa, transb].join(" ");

/** The largest loss of the predicted best among the choices of one problem. */
function regrets(runs) {
    const least = (some, key) => some.reduce((best, run) => (run[key] < best[key] ? run : best));
    return groups(runs, problemOf)
        .map(([, some]) => least(some, "predicted").measured / least(some, "measured").measured - 1);
}

function row(name, runs) {
    const known = runs.filter(({ predicted }) => predicted !== null);
    if (!known.length) return [name, 0, runs.length, "", "", "", "", "", ""];
    const errors = known.map(error), sizes = errors.map(Math.abs), lost = regrets(known);
    return [name, known.length, runs.length - known.length, percent(median(sizes)),
        percent(sizes.filter((size) => size <= 0.1).length / sizes.length), percent(Math.max(...sizes)), percent(median(errors)),
        percent(lost.filter((loss) => loss <= 0.05).length / lost.length), percent(Math.max(...lost))];
}

const head = ["", "runs", "refused", "median", "within 10 %", "worst", "bias", "regret <= 5 %", "worst regret"];
const daemon = await startDaemon();
try {
    const api = client(daemon.url), token = await daemon.token("write", "block-cyclic"), all = [];
    for (const cluster of chosen) {
        const document = await calibrate(cluster), runs = (await inParallel(launches(cluster))).flat();
        const predicted = await predict(api, token, cluster, document, runs);
        all.push(...predicted);
        if (keep) writeFileSync(join(folder, `${cluster.name}.runs`), JSON.stringify(predicted, null, 1));
        print(cluster.about, head, rows.map((kind) => row(kind, predicted.filter((run) => run.kind === kind))));
    }
    print("all clusters", head, rows.map((kind) => row(kind, all.filter((run) => run.kind === kind))));
} finally {
    await daemon.stop();
}
