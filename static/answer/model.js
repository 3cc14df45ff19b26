/* The model of the operation: its assumptions, what it leaves out, its outputs. */
import { address } from "../core/api.js";
import { el } from "../core/dom.js";
import { table } from "../core/table.js";
import { unfolding } from "../core/unfold.js";
import { ROWS, scriptView } from "../parts/request.js";

export function modelView(model) {
    const list = (title, items) => items?.length > 0 && el("div", {}, el("h3", {}, title), el("ul", {}, items.map((text) => el("li", {}, text))));
    return [
        el("p", { class: "lead" }, el("strong", {}, model.name), ` (${model.family}): `, model.summary),
        model.source && el("p", {}, "Source: ", model.source),
        model.groups?.length > 0 && el("p", {}, "Calibration groups needed: ", model.groups.join(", "), "."),
        el("div", { class: "columns" }, list("Assumptions", model.assumes), list("Not modeled", model.blind_spots)),
        unfolding("outputs", "Outputs and their units", () => table({
            caption: "Outputs of the model", rows: model.outputs,
            columns: [
                { name: "name", label: "Output", cell: (o) => el("code", {}, o.name) },
                { name: "unit", label: "Unit", text: (o) => (o.unit === "1" ? "" : o.unit ?? "") },
                { name: "description", label: "Meaning", text: (o) => o.description },
            ],
        })),
        el("p", { class: "links" }, el("a", { href: address(`models/${model.name}`) }, "Parameters, outputs and schema as JSON")),
        scriptView("model", [{ text: "this model", path: `models/${model.name}`, formats: ["json"] }, { text: "all models", path: "models", formats: ROWS }]),
    ];
}
