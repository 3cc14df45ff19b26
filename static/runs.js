/* Saved runs of a machine: a page of them, newest first. */
import { address } from "./api.js";
import { el } from "./dom.js";
import { asText } from "./query.js";
import { table } from "./table.js";
import { date, quantity } from "./units.js";

const SHOWN = 4; /* parameters that tell runs apart at a glance */

export function runsView(machine, runs) {
    if (!runs?.items.length) return null;
    return el("details", {}, el("summary", {}, `Saved runs (${machine.runs})`),
        table({
            caption: "Saved runs of the machine, newest first", rows: runs.items, columns: [
                { name: "id", label: "Run", cell: (row) => el("a", { href: address(`runs/${row.id}`) }, el("code", {}, row.id)) },
                { name: "model", label: "Operation", text: (row) => row.model },
                { name: "parameters", label: "Parameters", text: (row) => short(row.parameters) },
                { name: "time_s", label: "Measured", isNumber: true, text: (row) => quantity("time_s", row.time_s) },
                { name: "started_at", label: "When", text: (row) => date(row.started_at ?? row.uploaded_at) },
                { name: "job", label: "Job", text: (row) => row.job ?? "" },
            ],
        }),
        el("p", { class: "links" }, el("a", { href: address(`machines/${encodeURIComponent(machine.name)}/runs.csv`) }, "CSV"),
            runs.next && el("a", { href: address(`machines/${encodeURIComponent(machine.name)}/runs`) }, "All of them (JSON)")));
}

const short = (parameters) => Object.entries(parameters ?? {}).filter(([, value]) => value !== null && typeof value !== "boolean")
    .slice(0, SHOWN).map(([name, value]) => `${name} ${asText(value)}`).join(", ");
