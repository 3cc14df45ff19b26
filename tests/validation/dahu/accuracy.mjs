// Writes docs/accuracy.md: predictions beside the evidence that is shipped, and what evidence is missing.
//   node tests/validation/dahu/accuracy.mjs docs/accuracy.md            (make accuracy)
import { readFileSync, writeFileSync } from "node:fs";
import { client } from "../../api/client.mjs";
import { root, startDaemon } from "../../daemon.mjs";
import { percent } from "../blocked/tables.mjs";
import { groups } from "../cluster/judge.mjs";
import { agreement, foreseen, foreseenBroken, isInside } from "./runs.mjs";

const ABOUT = { options: "block size, look-ahead, broadcast and swap", grids: "960 processes from 1 x 960 to 480 x 2", sizes: "n from 50,000 to 500,000" };
const FASTER = 1.5;
const DATA = "calibrations/dahu/README.md";
const model = (name, heading = "") => `[${name}](models/${name}.md${heading})`;

const set = JSON.parse(readFileSync(`${root}/calibrations/sets/dahu.json`, "utf8"));
const recorded = JSON.parse(readFileSync(`${root}/tests/validation/recorded.json`, "utf8"));
const signed = (value) => `${value < 0 ? "" : "+"}${percent(value)}`;
const isChoice = (name) => !name.startsWith("sizes"); // of problems of one size
const shapeOf = ({ parameters: p }) => `n ${p.n}, nb ${p.block_size}, ${p.process_rows} x ${p.process_columns}, depth ${p.lookahead_depth}, ${p.broadcast}, ${p.swap}`;

function row(name, of, rows, by) {
    const a = agreement(rows, by);
    return `| ${[name, of, rows.length, rows.reduce((sum, { runs }) => sum + runs, 0), signed(a.median), percent(a.typical), percent(a.within5), percent(a.within10),
        `${signed(a.worst)} (${shapeOf(a.worstOf)})`, ...(isChoice(name) ? [percent(a.regret), percent(a.ordered)] : ["", ""])].join(" | ")} |`;
}

const share = (value) => (value === null ? "" : percent(value));
/** What the worst error is within, all are. */
const within = (value, worst, limit) => share(value ?? (worst !== null && worst <= limit ? 1 : null));
const recordedRow = ({ model: name, machine, cases, median, within_5: five, within_10: ten, worst, regret, seen, source }) => `| ${[`[${name}](${source.startsWith("docs/") ? source.slice(5) : `../${source}`})`, machine,
    cases ?? "", percent(median), within(five, worst, 0.05), within(ten, worst, 0.1), share(worst), share(regret), seen === null ? "" : seen ? "yes" : "no"].join(" | ")} |`;

const daemon = await startDaemon(), api = client(daemon.url);
const sets = groups(await foreseen(api, set), ({ set: name }) => name);
const { core_bandwidth_bytes_per_s: bandwidth } = set.memory;
const faster = groups(await foreseen(api, { ...set, memory: { ...set.memory, core_bandwidth_bytes_per_s: FASTER * bandwidth } }), ({ set: name }) => name);
const broken = await foreseenBroken(api);
await daemon.stop();

const assumed = Object.entries(set.sources).filter(([, source]) => source.startsWith("assumed")).map(([pointer]) => `\`${pointer}\``);
const page = `# Accuracy

How far predictions are from runs whose times are in the tree. \`make accuracy\` makes this page anew; run it after a change of the
models that it names.

## HPL on a real cluster

\`dahu\`, 32 nodes of 32 cores, measured and published by others ([calibrations/dahu](../${DATA})). The
calibration is of November 2020; the runs are of 2018 to 2020, and nothing was fitted to them. They were looked at, though, while
the model was made: its rules come from HPL's source and from simulations. Repeated runs count as their mean. The rows
*SimGrid* are what the publication's own simulation of HPL foresaw, in hours for each run; forerun takes milliseconds.

| runs | foreseen by | configurations | runs | median of foreseen / measured - 1 | median size | within 5 % | within 10 % | worst | regret of the choice | pairs in order |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
${sets.flatMap(([name, rows]) => [row(name, "forerun", rows, "foreseen"), ...(rows.every(({ simulated }) => simulated > 0) ? [row(name, "SimGrid", rows, "simulated")] : [])]).join("\n")}
${row("sizes, broken cooling", "forerun, dgemm of that state", broken, "foreseen")}

${Object.entries(ABOUT).map(([name, text]) => `*${name}*: ${text}.`).join("\n")} *Broken cooling*:
runs while four nodes were not cooled, which the calibration does not know; *dgemm of that state* was measured on all processors some months later,
before they were repaired. *Regret*: how much longer the choice foreseen as the fastest
took than the fastest.

Before any run is saved, intervals of 90 % follow from ${model("variability", "#intervals-before-any-run")}. They contain the
measured time of ${sets.map(([name, rows]) => `${rows.filter(isInside).length} of ${rows.length} configurations (${name})`).join(", ")}.

Assumed, because the publication does not have it:

${assumed.join(",\n")}.

What the memory bandwidth of a core is worth: with ${FASTER} times ${(bandwidth / 1e9).toFixed(1)} GB/s the medians are ${faster.map(([name, rows]) => `${signed(agreement(rows, "foreseen").median)} (${name})`).join(", ")}.

## Recorded

Measured times of other programs are not in the tree, but those that a paper prints of SuperLU_DIST (\`tests/validation/sparse\`), whose
matrices are not. One recorded run each, as the document describes; other sessions were worse. They are of \`make check-cluster\`, \`check-scalapack\`, \`check-scalapack-here\`,
\`check-krylov-here\`, and of \`tests/validation/sparse\` and \`blocked\` by hand; they are kept in
[recorded.json](../tests/validation/recorded.json), and the documents say more. *Seen*: whether the runs were looked at while the
model was made. An empty cell was not recorded. Errors of \`sparse_lu\` are factors less 1.

| model | machine | cases | median size | within 5 % | within 10 % | worst | regret of the choice, worst | seen |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${recorded.map(recordedRow).join("\n")}

Operations and messages of PETSc's solvers, and levels of its and hypre's multigrid, are recorded and compared by unit tests; they have no times.
Missing altogether: runs of programs other than HPL on a real cluster.
`;
writeFileSync(process.argv[2], page);
