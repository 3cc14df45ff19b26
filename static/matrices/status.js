/* How far the analysis of a matrix, of an ordering or of a partition is. */
import { el } from "../core/dom.js";
import { number } from "../core/units.js";

/** Whether it is not finished. */
export const isUnderWay = ({ status }) => status === "queued" || status === "analyzing";

/** The status as text: "analyzing, 42 % (metis: symbolic)". */
function statusOf({ status, progress_fraction: fraction, stage }) {
    if (status !== "analyzing") return status;
    const percent = typeof fraction === "number" ? `, ${number(Math.floor(100 * fraction))}\u00a0%` : "";
    return `analyzing${percent}${stage ? ` (${stage})` : ""}`;
}

/** The status, and a bar while it is under way. */
export function progressView(row) {
    return [statusOf(row), row.status === "analyzing" && typeof row.progress_fraction === "number" &&
        el("progress", { max: "1", value: row.progress_fraction, "aria-label": `Analysis of ${row.name}` })];
}
