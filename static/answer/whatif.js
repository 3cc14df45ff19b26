/* Changes of calibrated values for this question, and their effect on the answer. */
import { el, fill } from "../core/dom.js";
import { outputOf } from "../core/query.js";
import { table } from "../core/table.js";
import { alike, capital, label, quantity } from "../core/units.js";
import { input, select } from "../parts/fields.js";
import { ROWS, scriptView } from "../parts/request.js";
import { comparison } from "./effect.js";

export class WhatIf {
    constructor({ form, faults, change }) {
        Object.assign(this, { form, faults, change });
    }

    /** fields: GET /api/v1/fields; calibration: the machine's document, or null. */
    build(state, fields, calibration) {
        this.state = state;
        const aliases = fields.aliases.flatMap((alias) => routines(alias, calibration));
        const paths = [...aliases, ...fields.fields.flatMap((f) => rowsOf(f, calibration))];
        const described = new Map(paths.map((p) => [p.path, p.description]));
        this.describe = (path) => described.get(path) ?? "";
        this.rows = el("div", { class: "changes" });
        fill(this.form,
            el("datalist", { id: "paths" }, paths.map((p) => el("option", { value: p.path }, p.description))),
            this.rows,
            el("div", { class: "add" }, el("span", { id: "add-label" }, "Add a change:"),
                el("span", { role: "group", "aria-labelledby": "add-label" },
                    aliases.slice(0, 8).map((alias) => el("button", { type: "button", class: "quiet", title: alias.description, on: { click: () => this.add(alias.path) } }, alias.path)),
                    el("button", { type: "button", class: "quiet", on: { click: () => this.add("") } }, "other value …"))));
        this.draw();
    }

    /** Adds a change of the value at the path, or of one to be named. */
    add(path) {
        this.state.whatIf.push({ path, value: "*2" });
        this.draw();
        this.rows.lastElementChild?.querySelector(path ? ".factor" : ".path").focus();
        if (path) this.change();
    }

    /** Shows the changes of the state, which may come from elsewhere. */
    draw() {
        this.faults.unbind((name) => name.startsWith("what_if."));
        fill(this.rows, this.state.whatIf.map((change, i) => this.#row(change, i)));
    }

    #row(change, i) {
        const message = el("p", { class: "fault", id: `change-${i}-fault`, hidden: true });
        const hint = el("p", { class: "hint", id: `change-${i}-hint` }, this.describe(change.path));
        const described = `change-${i}-hint change-${i}-fault`;
        const path = input(change.path, { class: "path", list: "paths", inputmode: "text", "aria-label": "Calibrated value", "aria-describedby": described, placeholder: "network.bandwidth" });
        const how = select([["*", "times"], ["", "set to"]], change.value.startsWith("*") ? "*" : "", { "aria-label": "How it changes" });
        const factor = input(change.value.replace(/^\*/, ""), { class: "factor", "aria-label": "Factor or value", "aria-describedby": described });
        /* Eighths to eight times, in steps of the square root of 2. */
        const slider = el("input", { type: "range", min: "-3", max: "3", step: "0.5", "aria-label": "Factor, by a slider", on: { input: () => {
            factor.value = String(Number((2 ** Number(slider.value)).toPrecision(3)));
            update();
        } } });
        const place = { control: path, message };
        const bind = () => { if (change.path) this.faults.bind(`what_if.${change.path}`, place); };
        const update = () => {
            this.faults.unbind((name) => name === `what_if.${change.path}`);
            change.path = path.value.trim();
            change.value = factor.value.trim() ? how.value + factor.value.trim() : "";
            hint.textContent = this.describe(change.path);
            slide();
            bind();
            this.change();
        };
        const slide = () => {
            slider.hidden = how.value !== "*";
            if (Number(factor.value) > 0) slider.value = String(Math.log2(Number(factor.value)));
            slider.setAttribute("aria-valuetext", `${factor.value} times`);
        };
        for (const control of [path, factor]) control.addEventListener("input", update);
        how.addEventListener("change", update);
        bind();
        slide();
        return el("div", { class: "change", role: "group", "aria-label": `Change ${i + 1}` },
            el("div", { class: "change-line" }, path, how, factor, slider,
                el("button", { type: "button", class: "quiet", "aria-label": `Remove change ${i + 1}`, on: { click: () => {
                    this.state.whatIf.splice(i, 1);
                    this.draw();
                    this.form.querySelector(".add button").focus();
                    this.change();
                } } }, "Remove")),
            message, hint);
    }
}

/* Replaces ROUTINE in `kernels.ROUTINE.rate` by each routine of the calibration. */
function routines(alias, calibration) {
    if (!alias.path.includes("ROUTINE")) return [alias];
    return Object.keys(calibration?.kernels ?? { dgemm: 1 }).filter((name) => /^d[a-z]+$/.test(name))
        .map((name) => ({ path: alias.path.replace("ROUTINE", name), description: alias.description.replaceAll("ROUTINE", name) }));
}

/* The paths of a field that exist in this calibration and can be changed.
 * `network.protocols.*.latency_s` gives a path for each named row of the table.  Rows without a name
 * are changed through the whole table. */
function rowsOf(field, calibration) {
    if (field.what_if === null) return [];
    const [before, ...rest] = field.path.split(".*");
    if (!rest.length) return valueAt(calibration, before) === undefined ? [] : [field];
    const rows = valueAt(calibration, before);
    if (!Array.isArray(rows) || rest.length > 1) return [];
    return rows.filter((row) => row?.name && valueAt(row, rest[0].slice(1)) !== undefined)
        .map((row) => ({ path: `${before}.${row.name}${rest[0]}`, description: field.description }));
}

function valueAt(document, path) {
    const value = path.split(".").reduce((at, key) => at?.[key], document);
    return value === null ? undefined : value;
}

/* Commands to begin with. */
const unchangedScript = (model, query) => scriptView("what if", [
    ...(model.groups.includes("network") ? [{ text: "with twice the bandwidth", path: `predict/${model.name}`, query: { ...query, "what_if.network.bandwidth": "*2" }, formats: ROWS }] : []),
    { text: "the values that can change", path: "fields", formats: ["json"] },
]);

export function whatIfView(prediction, model, changes, query) {
    if (!prediction.baseline) return [el("p", { class: "waiting" }, "No change: the answer is that of the machine as calibrated."), unchangedScript(model, query)];
    const before = prediction.baseline;
    const rows = model.outputs.filter((o) => typeof outputOf(prediction, o.name) === "number" && typeof outputOf(before, o.name) === "number")
        .filter((o) => o.name === "time_s" || outputOf(prediction, o.name) !== outputOf(before, o.name));
    /* Both in the unit of the unchanged value, with as many digits. */
    const written = (of) => (o) => {
        const values = [before, prediction].map((each) => outputOf(each, o.name)), { unit, text } = alike(o.name, values, { digits: 4, of: values[0] });
        return values.every(Number.isInteger) ? quantity(o.name, outputOf(of, o.name)) : `${text(outputOf(of, o.name))}${unit && `\u00a0${unit}`}`;
    };
    return [
        el("p", { class: "lead" }, "With ", el("strong", {}, changes.join(", ")), ", and the same configuration as in the answer: ",
            el("strong", {}, comparison(prediction.time_s, before.time_s)), "."),
        table({ caption: "The configuration of the answer with and without the change", rows, columns: [
            { name: "name", label: "Output", text: (o) => capital(label(o.name.replaceAll(".", " "))) },
            { name: "before", label: "As calibrated", isNumber: true, text: written(before) },
            { name: "after", label: "Changed", isNumber: true, text: written(prediction) },
            { name: "ratio", label: "Ratio", isNumber: true, text: (o) => ratio(outputOf(prediction, o.name), outputOf(before, o.name)) },
        ] }),
        scriptView("what if", [{ text: "with and without the change", path: `predict/${model.name}`, query, formats: ROWS }]),
    ];
}

const ratio = (after, before) => (before ? (after / before).toFixed(3) : "–");
