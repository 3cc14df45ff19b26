/* The ranking: every combination of the open tunables, best first. */
import { address } from "../core/api.js";
import { el, unseen } from "../core/dom.js";
import { fileOf, identityOf, lineOf } from "../core/identity.js";
import { rankQuery, tunables } from "../core/query.js";
import { column, table, timeColumns, tunableColumn, warningsColumn } from "../core/table.js";
import { number, plural } from "../core/units.js";
import { ROWS, scriptView } from "../parts/request.js";
import { hplDat } from "./answer.js";

const LIMIT = 200; /* rows; the CSV has more */
export const rankLimit = LIMIT;

/** Why a share of the peak is missing. */
export const NO_PEAK = { why: () => "the calibration has no peak" };

/* Outputs that are shown besides the time, if the model has them. */
const OUTPUTS = [["percent_of_peak", "Of peak", NO_PEAK], ["memory_bytes_per_process", "Memory per process"], ["communication_bytes_per_process", "Sent per process"]];

/** use(row): copies its tunables into the form; isGoingOn: what is left out is being simulated. */
export function rankingView({ ranking, runs, model, state, calibration, use, isGoingOn }) {
    const { rows } = ranking, identity = identityOf(model, rankQuery(state), calibration);
    const columns = [
        { ...column("rank", "Rank", rows), isNumber: false }, /* left-aligned, so that the tags line up */
        /* With memory_fraction each row has its own n, and rows are in the order of their rate. */
        ...(ranking.ranked_by === "gflops" ? [column("n", "n", rows), column("gflops", "Rate", rows)] : []),
        ...timeColumns(rows),
        { name: "use", label: unseen("Use"), isFixed: true, cell: (row) => el("button", {
            type: "button", class: "quiet", "aria-label": `Use the configuration of rank ${row.rank}`, on: { click: () => use(row) },
        }, "Use") },
        ...tunables(model).filter((p) => rows.some((row) => row[p.name] !== undefined)).map((p) => tunableColumn(p, rows)),
        { ...column("slowdown", "Slowdown", rows), text: (row) => row.slowdown?.toFixed(2) ?? "–" },
        ...OUTPUTS.filter(([name]) => rows.some((row) => typeof row[name] === "number")).map(([name, text, more]) => column(name, text, rows, more)),
        warningsColumn,
    ];
    const isNear = (row) => row.rank !== 1 && row.within_2_percent === true;
    columns[0].cell = (row) => [number(row.rank), row.rank === 1 ? [" ", el("span", { class: "tag" }, "best")]
        : isNear(row) && [" ", el("span", { class: "tag near" }, "within 2 %")]];
    return [
        el("p", { class: "lead" }, summary(ranking), unjudged(ranking, isGoingOn), undecided(ranking, isNear), estimated(ranking, runs), networks(ranking)),
        el("p", { class: "hint about" }, `${lineOf(identity)}.`),
        table({ caption: `Ranking of configurations: ${lineOf(identity)}`, columns, rows, isMarked: (row) => row.rank === 1, isNear, sorting: "sort" }),
        el("p", { class: "links" }, el("a", { href: address(`rank/${model.name}.csv`, rankQuery(state)), download: fileOf(identity, "ranking", "csv") }, "Ranking as CSV"),
            model.name === "hpl" && hplDat("rank", rankQuery(state), "HPL.dat of the best, with those within 2\u00a0%")),
        scriptView("ranking", [{ text: "the ranking", path: `rank/${model.name}`, query: rankQuery(state), formats: [...ROWS, "ndjson", ...(model.name === "hpl" ? ["dat"] : [])] }]),
    ];
}

function summary({ considered, left_out: leftOut, rows }) {
    const missing = leftOut?.memory_exceeded ?? 0;
    const excluded = leftOut?.refused ? ` ${number(leftOut.refused)} more ${leftOut.refused === 1 ? "is" : "are"} excluded by what is given: ${leftOut.refusal}.` : "";
    return plural(considered, "possible configuration") +
        (missing ? `, ${number(missing)} of them left out because they do not fit into memory` : "") +
        (rows.length < considered - missing ? `; the best ${number(rows.length)} are shown.` : ".") + excluded;
}

/* A configuration that was not predicted may be better than all that are shown. */
export function unjudged({ left_out: leftOut }, isGoingOn) {
    const { calibration_group_missing: lacking = 0, too_long: long = 0, untried = 0, untried_nodes: nodes = 0, reason } = leftOut ?? {};
    const missing = lacking + long + untried;
    if (isGoingOn) return [" ", el("strong", {}, `${number(missing)} more ${missing === 1 ? "is" : "are"} being simulated`), ", and may be better."];
    const what = missing ? `${number(missing)} ${missing === 1 ? "was" : "were"} not predicted` : nodes && `${plural(nodes, "node count")} not tried`;
    return what ? [" ", el("strong", {}, what), `: ${reason}.`] : null;
}

/* Each row has the congestion of its own saved runs, as in a prediction. */
const networks = ({ networks_differ: differ }) => (differ
    ? " Saved runs give the rows different congestion, or some none: they are not compared in one network. Give the stalls per byte to compare them in one." : null);

/* The rows of a ranking have one basis, which may not be that of the prediction. */
const estimated = ({ basis }, runs) => (basis === "estimated" && runs
    ? " The prediction above uses saved runs as input. The ranking does not, so that its rows can be compared: its times may differ." : null);

/* Predictions are not accurate enough to order configurations within 2 %. */
function undecided({ considered, rows, left_out: leftOut }, isNear) {
    const near = rows.filter(isNear).length;
    if (!near) return null;
    const isCut = near === rows.length - 1 && rows.length < considered - (leftOut?.memory_exceeded ?? 0);
    return [" ", isCut ? "More than " : "", el("strong", {}, `${number(near)} ${near === 1 ? "is" : "are"} predicted within 2\u00a0% of the best`),
        ": the difference is too small to decide. Choose by other criteria, or measure."];
}
