// Which answers a change moves: builds another revision, asks both daemons the golden cases and questions to the shipped
// sets (those of this tree), and prints for each model how many times moved, and by how much.
//   node tests/compare_answers.mjs REVISION            (make compare-answers BASE=REVISION)
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { client } from "./api/client.mjs";
import { casesOf, FILES } from "./api/golden.mjs";
import { golden as sparse, question as sparseQuestion } from "./api/golden_sparse.mjs";
import { root, startDaemon } from "./daemon.mjs";
import { quantile } from "./validation/cluster/judge.mjs";
import { configurations } from "./validation/dahu/runs.mjs";

const AT_ONCE = 500, VARIANTS = 8, ROUNDING = 1e-12;

/** Problems of each shipped machine that more than one model serves; variants of each follow from a ranking. */
const dense = ["matmul", "trsm", "cholesky"].flatMap((model) => [[8192, 64], [32768, 1024]].map(([n, processes]) => [model, { n, processes, threads: 1 }]));
const krylov = [[4, 16], [64, 16]].flatMap(([nodes, processes_per_node]) => [
    ["cg", { nodes, processes_per_node, local_grid: [16, 16, 16], iterations: 20 }],
    ["solve", { nodes, processes_per_node, local_grid: [16, 16, 16], iterations: 20 }],
    ["allreduce", { nodes, processes_per_node, message_bytes: 1024 }],
    ["halo_exchange", { nodes, processes_per_node, local_grid: [16, 16, 16] }],
]);
const small = krylov.map(([model, parameters]) => [model, { ...parameters, processes_per_node: 2 }]);
const cyclic = ["pdgemm", "pdtrsm", "pdpotrf", "pdgetrf", "pdgeqrf", "hpl"].flatMap((model) => [4096, 30000].map((size) =>
    [model, { ...(model === "pdgemm" ? { m: size, n: size, k: size } : model === "pdpotrf" || model === "hpl" ? { n: size } : { m: size, n: size }), processes: 64 }]));
const QUESTIONS = {
    hopper: dense, "blue-waters": krylov, "piz-daint": krylov, dahu: cyclic,
    "osu-e5630": [["cnc_matmul", { n: 2000, processes: 16 }], ["cnc_matmul", { n: 4000, processes: 64 }]],
    example: [...dense.filter(([, { processes }]) => processes === 64), ...small, ...cyclic, ["trinv", { n: 600 }], ["sylv", { m: 400, n: 400 }]],
};

/** A worktree of the revision below build/, with its daemon. */
function built(revision) {
    const commit = execFileSync("git", ["rev-parse", "--verify", `${revision}^{commit}`], { cwd: root, encoding: "utf8" }).trim();
    const folder = join(root, "build", "answers", commit);
    if (!existsSync(join(folder, "Makefile"))) execFileSync("git", ["worktree", "add", "--force", "--detach", folder, commit], { cwd: root, stdio: "ignore" });
    const { BUILD, MAKEFLAGS, MFLAGS, MAKELEVEL, ...env } = process.env;
    execFileSync("make", ["-j2", "build/forerund"], { cwd: folder, env, stdio: ["ignore", "ignore", "inherit"] });
    return { commit, executable: join(folder, "build", "forerund") };
}

/** The configurations of a problem, evenly over its ranking; the problem itself where a model has nothing to choose. */
async function variants(api, machine, model, parameters) {
    const query = new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, Array.isArray(value) ? value.join("x") : value]));
    const { json: { rows = [] } } = await api.get(`/api/v1/rank/${model}?machine=${machine}&${query}`);
    const { json: { parameters: known } } = await api.get(`/api/v1/models/${model}`);
    const tunable = known.filter((each) => each.tunable).map(({ name }) => name);
    const step = Math.max(1, Math.ceil(rows.length / VARIANTS));
    const chosen = rows.filter((_, i) => i % step === 0).map((row) => Object.fromEntries(tunable.filter((name) => row[name] != null).map((name) => [name, row[name]])));
    return (chosen.length ? chosen : [{}]).map((choice) => ({ model, machine, parameters: { ...parameters, ...choice } }));
}

async function questions(api) {
    const golden = FILES.flatMap(([file, model]) => casesOf(`${file}.json`, model)).map(({ request }) => request);
    golden.push(...sparse.cases.map((each) => sparseQuestion(each.structure, each.params, each.pr, each.pc)));
    const shipped = [];
    for (const [machine, list] of Object.entries(QUESTIONS))
        for (const [model, parameters] of list) shipped.push(...await variants(api, machine, model, parameters));
    const runs = configurations().map(({ parameters }) => ({ model: "hpl", machine: "dahu", parameters }));
    return [...golden, ...shipped, ...runs];
}

async function answers(api, requests) {
    const results = [];
    for (let from = 0; from < requests.length; from += AT_ONCE) {
        const { status, json, text } = await api.post("/api/v1/predict", { requests: requests.slice(from, from + AT_ONCE) });
        if (status !== 200) throw new Error(text.slice(0, 500));
        results.push(...json.results);
    }
    return results;
}

const percent = (value) => `${value < 0 ? "" : "+"}${(100 * value).toPrecision(3)} %`;

/** One line for a model: its questions, the moved ones, and those that only one daemon answers. */
function line(model, rows) {
    const both = rows.filter(({ before, after }) => before.time_s > 0 && after.time_s > 0);
    const moved = both.map((row) => ({ ...row, change: row.after.time_s / row.before.time_s - 1 })).filter(({ change }) => Math.abs(change) > ROUNDING);
    const other = rows.filter(({ before, after }) => (before.time_s > 0) !== (after.time_s > 0));
    const most = moved.reduce((worst, row) => (Math.abs(row.change) > Math.abs(worst?.change ?? 0) ? row : worst), undefined);
    const text = [`${model.padEnd(14)} ${String(rows.length).padStart(5)} asked ${String(moved.length).padStart(5)} moved`];
    if (most) text.push(`median ${percent(quantile(moved.map(({ change }) => change), 0.5))}, most ${percent(most.change)}: ${most.request.machine ?? "golden"} ${JSON.stringify(most.request.parameters)}`);
    const refused = rows.filter(({ request, before, after }) => request.machine && before.errors && after.errors);
    if (refused.length) text.push(`${refused.length} to shipped sets refused by both: ${JSON.stringify(refused[0].request.parameters)}`);
    if (other.length) text.push(`${other.length} answered by one alone: ${JSON.stringify(other[0].request.parameters)}`);
    return text.join("; ");
}

if (!process.argv[2]) throw new Error("which revision? make compare-answers BASE=origin/main");
const { commit, executable } = built(process.argv[2]);
const now = await startDaemon(), then = await startDaemon({ executable });
const requests = await questions(client(now.url));
const [after, before] = [await answers(client(now.url), requests), await answers(client(then.url), requests)];
const rows = requests.map((request, i) => ({ request, before: before[i], after: after[i] }));
console.log(`this tree beside ${commit.slice(0, 12)}: ${requests.length} questions`);
for (const model of [...new Set(requests.map((request) => request.model))].sort()) console.log(line(model, rows.filter(({ request }) => request.model === model)));
await now.stop();
await then.stop();
