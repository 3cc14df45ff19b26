/* The kernel calls of a blocked algorithm, requested when the list is opened. */
import { address, get, Latest } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { table } from "../core/table.js";
import { unfolding } from "../core/unfold.js";
import { number, plural, quantity, share } from "../core/units.js";
import { problemView, unplaced } from "../parts/problem.js";

const LIMIT = 200; /* rows; the CSV has them all */
const asking = new Latest();

/** Whether predictions of the model can list their calls. */
export const hasCalls = (model) => model.outputs.some((output) => output.name === "calls_outside");

/** query: the query of the prediction that is shown. */
export function callsView(model, query) {
    const body = el("div", { class: "body" });
    const explained = { ...query, explain: "true" };
    let isAsked = false;
    asking.next();

    async function load() {
        const signal = asking.next();
        isAsked = true;
        body.setAttribute("aria-busy", "true");
        fill(body, el("p", { class: "waiting" }, "Loading …"));
        try {
            const prediction = await get(`predict/${model.name}`, explained, signal);
            fill(body, listView(prediction, address(`predict/${model.name}.csv`, explained)));
        } catch (error) {
            if (signal.aborted) return;
            fill(body, problemView(error, { shown: unplaced(error), retry: load, title: "The calls cannot be listed." }));
        }
        body.setAttribute("aria-busy", "false");
    }

    return unfolding("calls", "Calls", body, { class: "calls", opened: () => { if (!isAsked) load(); } });
}

function listView({ call_list: calls, time_s: total }, csv) {
    const rows = calls.slice(0, LIMIT).map((call, i) => ({ ...call, place: i + 1 }));
    const idle = calls.filter((call) => call.time_s === 0).length, outside = calls.filter((call) => call.outside).length;
    const more = calls.length - rows.length;
    return [
        el("p", { class: "hint" }, `${plural(calls.length, "call")}, in execution order`,
            idle > 0 && `; ${number(idle)} of them have no work`, ".",
            outside > 0 && ` ${number(outside)} have sizes outside the measured range: their times are extrapolated.`),
        table({ caption: "Calls of the algorithm", rows, isNear: (row) => row.outside, columns: [
            { name: "place", label: "Call", isNumber: true, text: (row) => number(row.place) },
            { name: "call", label: "Kernel, flags and sizes", cell: (row) => el("code", {}, row.call) },
            { name: "time_s", label: "Time", isNumber: true, text: (row) => (row.time_s === 0 ? "–" : quantity("time_s", row.time_s, 3)) },
            { name: "share", label: "Share", isNumber: true, text: (row) => share(row.time_s, total) },
            { name: "outside", label: "Sizes", cell: (row) => (row.outside ? el("span", { class: "tag near" }, "outside") : row.time_s === 0 ? "empty" : "") },
        ] }),
        el("p", { class: "links" }, more > 0 && el("span", { class: "hint" }, `… and ${number(more)} more.`), el("a", { href: csv }, "All calls as CSV")),
    ];
}
