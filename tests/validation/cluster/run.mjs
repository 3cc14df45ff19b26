// Compares predictions with MPI programs on simulated clusters; part of `make check-cluster`.
//
//     node tests/validation/cluster/run.mjs [--short | --whole | --clusters FILE] [--keep FOLDER] [--phases] [CLUSTER…]
//
// For each cluster, the calibrator measures it, the document (with the kernels of a modeled core) and
// the saved runs of the programs are uploaded to a daemon, and /accuracy gives the errors. Each
// setting is a separate machine of the daemon. --whole takes clusters of 256 ranks, each calibrated
// with the calibrator's defaults; FILE is a module that exports such `clusters`. --phases also
// compares the phases. BUILD is the folder of the programs (default build). The results are deterministic: they do not depend on the speed of
// this computer. Exit status 1 if a goal is missed.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const build = resolve(process.env.BUILD ?? "build");
process.env.FORERUND ??= join(build, "forerund");
const { client } = await import("../../api/client.mjs");
const { startDaemon } = await import("../../daemon.mjs");
const { expect, percent, print } = await import("../blocked/tables.mjs");
const { clusters, runsOf, short, whole } = await import("./clusters.mjs");
const { kernelNames, kernelSeconds, withKernels } = await import("./kernels.mjs");
const { algorithmOf, choices, errors, groups } = await import("./judge.mjs");
const { printPhases } = await import("./phases.mjs");
const { inParallel, simulate } = await import("./simulate.mjs");
const { printGoals, printGoalsOfWhole } = await import("./goals.mjs");

const args = process.argv.slice(2);
const take = (name) => args.includes(name) && Boolean(args.splice(args.indexOf(name), 1));
const takeText = (name) => (args.includes(name) ? args.splice(args.indexOf(name), 2)[1] : null);
const isShort = take("--short"), withPhases = take("--phases");
const keep = takeText("--keep"), file = takeText("--clusters");
const isWhole = take("--whole") || file !== null; // the whole cluster is calibrated, with the defaults
const listed = file ? (await import(resolve(file))).clusters : isWhole ? whole : isShort ? short : clusters;
const chosen = listed.filter(({ name }) => !args.length || args.includes(name));

const TIMEOUT_S = isShort ? 60 : isWhole ? 3600 : 600;
const RUNS_AT_ONCE = 6; // the simulator slows down with the number of activities a process has had
const SETTINGS = [
    { name: "paper", parameters: { contention_model: "paper" } },
    { name: "paper-alone", parameters: { contention_model: "paper", contention: false } },
    { name: "refined-bare", parameters: { contention_model: "refined" }, isBare: true },
    { name: "refined", parameters: { contention_model: "refined" } },
    { name: "refined-iterations", parameters: { contention_model: "refined" }, isByIterations: true },
    { name: "refined-alone", parameters: { contention_model: "refined", contention: false } },
];

const folder = keep ? resolve(keep) : mkdtempSync(join(tmpdir(), "forerun-cluster-"));
mkdirSync(folder, { recursive: true });
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // and the simulators end
if (!keep) process.once("exit", () => rmSync(folder, { recursive: true, force: true }));

const unique = (values) => [...new Set(values)].sort((a, b) => a - b);
const runsOn = (cluster) => cluster.jobs.flatMap(runsOf);

async function calibrate(cluster) {
    const output = join(folder, `${cluster.name}.json`);
    const grids = cluster.jobs.flatMap(({ p, layers }) => layers.map((c) => (c > 1 ? `${p}:${c}` : `${p}`)));
    const processes = unique(cluster.jobs.map(({ p }) => p));
    if (!existsSync(output))
        await simulate({
            cluster, folder, ranks: processes.at(-1), timeoutS: TIMEOUT_S, last: "written after",
            program: join(build, "smpi", "forerun-calibrate"),
            args: ["--machine", cluster.name, "--only", "pingpong,contention,broadcast,patterns", "--repetitions", "1",
                "--grids", grids.join(","), "--processes", processes.join(","),
                ...(isWhole ? [] : ["--contention-message", "4M"]),
                ...(isShort ? ["--messages", "8K,64K,512K,4M"] : []), "-o", output],
        });
    return withKernels(JSON.parse(readFileSync(output, "utf8")), cluster,
        unique(runsOn(cluster).map(({ blockSize }) => blockSize)));
}

/** The broadcast algorithm of the library, which the overlapped variants also use. */
const broadcastOf = ({ network: { broadcast } }, bytes) =>
    broadcast.find(({ max_message_bytes: most }) => most === null || most >= bytes).algorithm;

const lineOf = (document, { algorithm, variant, n, c, r, blockSize }) => [
    "--broadcast", broadcastOf(document, 8 * blockSize ** 2 * (algorithm === "summa" ? r : 1)),
    "--algorithm", algorithm, "--variant", variant, "--n", n, "--replication", c, "--blocks-per-process", r,
    ...kernelNames.flatMap((name) => ["--kernel", `${name}=${kernelSeconds(name, blockSize)}`]),
].join(" ");

/** Tasks for the runs of one process count, several runs in each launch; they return saved runs. */
function launches(cluster, document) {
    const tasks = [];
    for (const { p } of cluster.jobs) {
        const all = runsOn(cluster).filter((run) => run.p === p);
        for (let from = 0; from < all.length; from += RUNS_AT_ONCE) {
            const name = join(folder, `${cluster.name}-${p}-${from}`), some = all.slice(from, from + RUNS_AT_ONCE);
            tasks.push(() => launch(cluster, document, name, p, some));
        }
    }
    return tasks;
}

async function launch(cluster, document, name, ranks, some) {
    const output = `${name}.ndjson`;
    const read = () => readFileSync(output, "utf8").trim().split("\n").map((line) => JSON.parse(line));
    if (existsSync(output) && read().length === some.length) return read();
    rmSync(output, { force: true });
    writeFileSync(`${name}.batch`, some.map((run) => `${lineOf(document, run)}\n`).join(""));
    await simulate({
        cluster, folder, ranks, timeoutS: TIMEOUT_S, last: "dense: ends well", program: join(build, "smpi", "dense"),
        args: ["--batch", `${name}.batch`, "-o", output],
        extra: ["--cfg=smpi/test:0"], // a look at the messages costs nothing, least of all to the simulator
    });
    return read();
}

/** The parameters for the prediction of a run; variant 2d of Cholesky has no panel_pricing. */
const parametersOf = ({ model, parameters }, setting) => ({
    ...parameters, ...setting.parameters,
    ...(setting.isByIterations && model === "cholesky" && parameters.variant !== "2d" ? { panel_pricing: "iterations" } : {}),
});

/** The runs in /accuracy for a setting, each with its cluster. */
async function judge(api, token, cluster, document, runs, setting) {
    const machine = `${cluster.name}-${setting.name}`, path = `/api/v1/machines/${machine}`;
    const { patterns, ...contention } = document.contention;
    const sources = Object.fromEntries(Object.entries(document.sources)
        .filter(([pointer]) => !setting.isBare || pointer !== "/contention/patterns"));
    const given = { ...document, machine, sources, contention: setting.isBare ? contention : document.contention };
    expect(await api.post(`${path}/calibrations`, given, { token }), "the calibration", 200, 201);
    expect(await api.post(`${path}/runs`, runs.map((run) => ({ ...run, parameters: parametersOf(run, setting) })),
        { token }), "the runs", 200, 201);
    const { json } = expect(await api.get(`${path}/accuracy`), "the accuracy", 200);
    const judged = json.runs.filter(({ error_fraction: error }) => error !== null);
    if (judged.length !== runs.length) throw new Error(`${machine}: ${judged.length} of ${runs.length} runs predicted`);
    return judged.map((run) => ({ ...run, cluster: cluster.name, machine }));
}

const row = (name, runs) => {
    const e = errors(runs);
    return [name, e.cases, percent(e.median), percent(e.p90), percent(e.worst), percent(e.bias), e.points.toFixed(1), percent(e.within)];
};

function report(setting, runs) {
    const head = ["", "cases", "median", "90 %", "worst", "bias", "points", "in 4 points"];
    const rows = groups(runs, algorithmOf).flatMap(([algorithm, some]) => [
        ...groups(some, ({ parameters: { variant } }) => variant).map(([variant, these]) => row(`${algorithm} ${variant}`, these)),
        row(`${algorithm}, all`, some),
    ]);
    print(`${setting}: error of time, and of percent of peak`, head, rows);
    print(`${setting}: choice of variant, layers and blocks`, ["", "problems", "pairs right", "best variant", "worst regret"],
        groups(runs, algorithmOf).map(([algorithm, some]) => {
            const c = choices(some);
            return [algorithm, c.problems, percent(c.pairs), percent(c.best), percent(c.regret)];
        }));
}

const judged = Object.fromEntries(SETTINGS.map(({ name }) => [name, []]));
const daemon = await startDaemon({ calibrations: null });
try {
    const api = client(daemon.url), token = await daemon.token("write");
    const documents = await inParallel(chosen.map((cluster) => () => calibrate(cluster)));
    for (const [i, cluster] of chosen.entries()) {
        const runs = (await inParallel(launches(cluster, documents[i]))).flat();
        console.log(`${cluster.name}: ${cluster.about}; ${runs.length} runs on ${unique(cluster.jobs.map(({ p }) => p)).join(", ")} processes`);
        for (const setting of SETTINGS) judged[setting.name].push(...await judge(api, token, cluster, documents[i], runs, setting));
    }
    for (const { name } of SETTINGS) report(name, judged[name]);
    if (chosen.length > 1)
        for (const { name } of chosen)
            for (const setting of ["paper", "refined", "refined-iterations"])
                report(`${name}, ${setting}`, judged[setting].filter(({ cluster }) => cluster === name));
    if (withPhases) await printPhases(api, judged.refined);
    process.exitCode = (isWhole ? printGoalsOfWhole : printGoals)(judged) ? 0 : 1;
} finally {
    await daemon.stop();
}
