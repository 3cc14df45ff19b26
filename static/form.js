/* The question: machine, operation, and a field for each parameter that the model describes. */
import { el, fill } from "./dom.js";
import { field, input, select } from "./fields.js";
import { alternatives, asText } from "./query.js";
import { capital, number } from "./units.js";

/* Everyday parameters that are neither required nor tunable, yet worth a place at the top. */
const PROMINENT = new Set(["threads"]);

const words = (name) => (name.length === 1 ? name : capital(name.replaceAll("_", " ")));
const unitOf = (p) => (p.unit && p.unit !== "1" ? p.unit : "");

export class Form {
    #model = null;
    #controls = new Map(); /* parameter name -> { read(), write(text), suggest(text) } */
    #ones = [];            /* fields that stand for one of several parameters */

    /** change(name, text): the person set a parameter; text undefined: left open. */
    constructor({ subject, parameters, faults, change, pick }) {
        Object.assign(this, { subject, parameters, faults, change, pick });
    }

    /** Machine and operation. `groups`: what the machine's calibration has, null if not known. */
    showSubject({ machines, models, state, groups }) {
        const needs = (model) => (groups ? model.groups.filter((group) => !groups.includes(group)) : []);
        const machine = machines.find((m) => m.name === state.machine);
        const model = models.find((m) => m.name === state.model);
        const known = (list, name) => (list.some((x) => x.name === name) || !name ? [] : [[name, `${name} (not known)`]]);
        const choices = [
            field("machine-name", {
                label: "Machine", hint: machine?.description,
                control: select([...known(machines, state.machine), ...machines.map((m) => [m.name])], state.machine),
            }),
            field("model-name", {
                label: "Operation", hint: model?.summary,
                control: select([...known(models, state.model),
                    ...models.map((m) => [m.name, needs(m).length ? `${m.name} (not measured: ${needs(m).join(", ")})` : m.name])], state.model),
            }),
        ];
        for (const [i, name] of ["machine", "model"].entries()) {
            choices[i].control.addEventListener("change", (event) => this.pick(name, event.target.value));
            this.faults.bind(name, choices[i]);
        }
        /* The calibration is the machine's: a fault of it belongs there. */
        this.faults.bind("calibration", choices[0]);
        const focused = document.activeElement?.id;
        fill(this.subject, choices.map((c) => c.root));
        if (["machine-name", "model-name"].includes(focused)) document.getElementById(focused).focus();
    }

    build(model, state) {
        this.faults.unbind((name) => this.#controls.has(name) || name === "memory");
        this.#controls.clear();
        this.#ones = [];
        this.#model = model;
        const groups = alternatives(model);
        const first = [], tuned = [], further = [];
        for (const p of model.parameters) {
            const group = groups.find((g) => g.includes(p));
            if (group && group[0] !== p) continue;
            const built = group ? this.#oneOf(group, state) : this.#single(p, state);
            if (p.tunable) tuned.push(built);
            else if (group || p.required || PROMINENT.has(p.name)) first.push(built);
            else further.push(built);
        }
        further.push(this.#memory(state));
        const isSet = model.parameters.some((p) => state.values[p.name] && !p.tunable && !p.required && !p.one_of && !PROMINENT.has(p.name));
        fill(this.parameters,
            el("fieldset", {}, el("legend", {}, "Problem"), first),
            tuned.length > 0 && el("fieldset", {}, el("legend", {}, "Choices"),
                el("p", { class: "hint lead" }, "What is left open, forerun chooses."), tuned),
            el("details", { class: "further", open: isSet || state.memory !== "" }, el("summary", {}, "Further parameters"), further));
    }

    /** Takes over a state that did not come from this form. */
    write(state) {
        for (const [name, control] of this.#controls) control.write(state.values[name]);
        for (const one of this.#ones) one(state);
    }

    /** Shows at each open field what the answer took for it. */
    suggest(parameters) {
        for (const [name, control] of this.#controls) {
            const value = parameters?.[name];
            control.suggest?.(value === undefined || value === null ? "" : asText(value));
        }
        this.resolved = parameters;
    }

    #place(p, built, control) {
        this.#controls.set(p.name, control);
        this.faults.bind(p.name, built);
        return built.root;
    }

    #single(p, state) {
        const id = `p-${p.name}`;
        const common = { label: words(p.name), unit: unitOf(p), hint: p.description };
        const value = state.values[p.name];
        if (p.type === "boolean" && !p.tunable) return this.#checkbox(p, id, common, value);
        if (p.type === "choice" || p.type === "boolean") {
            const open = p.tunable ? "best" : p.automatic ? "automatic" : null;
            const names = p.type === "boolean" ? ["true", "false"] : p.choices;
            const usual = p.default === undefined ? "" : asText(p.default);
            const control = select([...(open || usual === "" ? [["", open ?? "choose …"]] : []), ...names.map((c) => [c])], value ?? (open ? "" : usual));
            control.addEventListener("change", () => this.change(p.name, !open && control.value === usual ? undefined : control.value || undefined));
            const built = field(id, { ...common, control });
            return this.#place(p, built, {
                write: (text) => { control.value = text ?? (open ? "" : usual); },
                suggest: (text) => { if (open) control.options[0].textContent = text && !control.value ? `${open}: ${text}` : open; },
            });
        }
        if (p.type === "set") return this.#set(p, common, value);
        const control = input(value, { placeholder: placeholder(p), inputmode: p.type === "integer" ? "numeric" : p.type === "vector" ? "text" : "decimal", "aria-required": p.required });
        control.addEventListener("input", () => this.change(p.name, control.value.trim() || undefined));
        return this.#place(p, field(id, { ...common, hint: `${p.description ?? ""}${range(p)}`, control }), {
            write: (text) => { control.value = text ?? ""; },
            suggest: (text) => { control.placeholder = p.tunable || p.automatic ? `${p.tunable ? "best" : "automatic"}${text ? `: ${text}` : ""}` : placeholder(p); },
        });
    }

    /* Any of several names: a box for each. */
    #set(p, { label, hint }, value) {
        const id = `p-${p.name}`, usual = asText(p.default ?? []);
        const members = (text) => (text === "none" ? [] : text.split(":"));
        const boxes = p.choices.map((choice) => {
            const control = el("input", { type: "checkbox", id: `${id}-${choice}` });
            control.addEventListener("change", () => {
                const text = p.choices.filter((_, i) => boxes[i].control.checked).join(":") || "none";
                this.change(p.name, text === usual ? undefined : text);
            });
            return { choice, control };
        });
        const write = (text) => { for (const { choice, control } of boxes) control.checked = members(text ?? usual).includes(choice); };
        const message = el("p", { class: "fault", id: `${id}-fault`, hidden: true });
        const root = el("fieldset", { class: "set", id, "aria-describedby": `${id}-hint ${id}-fault` }, el("legend", {}, label),
            boxes.map(({ choice, control }) => el("div", { class: "check" }, control, el("label", { for: control.id }, choice.replaceAll("_", " ")))),
            message, el("p", { class: "hint", id: `${id}-hint` }, hint));
        write(value);
        return this.#place(p, { root, control: root, message }, { write });
    }

    #checkbox(p, id, { label, hint }, value) {
        const usual = p.default === true;
        const control = el("input", { type: "checkbox", id, "aria-describedby": `${id}-hint ${id}-fault`, checked: (value ?? String(usual)) === "true" });
        control.addEventListener("change", () => this.change(p.name, control.checked === usual ? undefined : String(control.checked)));
        const message = el("p", { class: "fault", id: `${id}-fault`, hidden: true });
        const root = el("div", { class: "field check" }, control, el("label", { for: id }, label), message,
            el("p", { class: "hint", id: `${id}-hint` }, hint));
        return this.#place(p, { root, control, message }, { write: (text) => { control.checked = (text ?? String(usual)) === "true"; } });
    }

    /* Of processes, cores and nodes exactly one is given: one number, and a choice of what it counts. */
    #oneOf(group, state) {
        const given = () => group.find((p) => state.values[p.name] !== undefined) ?? group[0];
        let which = given();
        const id = `p-${group[0].name}`;
        const kind = select(group.map((p) => [p.name, words(p.name)]), which.name, { "aria-label": "Size given as", class: "which" });
        const control = input(state.values[which.name], { inputmode: "numeric", "aria-required": true, placeholder: "required" });
        const built = field(id, { label: "Size of the run", hint: which.description, control, extra: kind });
        const hint = built.root.querySelector(".hint");
        kind.addEventListener("change", () => {
            const before = which;
            which = group.find((p) => p.name === kind.value);
            hint.textContent = which.description;
            /* Keeps the size where the last answer knows it in the new unit. */
            const same = this.resolved?.[before.name] === Number(control.value) ? this.resolved[which.name] : undefined;
            if (same !== undefined) control.value = String(same);
            this.change(before.name, undefined);
            this.change(which.name, control.value.trim() || undefined);
        });
        control.addEventListener("input", () => this.change(which.name, control.value.trim() || undefined));
        for (const p of group) this.#place(p, built, { write() {} });
        this.#ones.push((next) => {
            which = group.find((p) => next.values[p.name] !== undefined) ?? which;
            kind.value = which.name;
            hint.textContent = which.description;
            control.value = next.values[which.name] ?? "";
        });
        return built.root;
    }

    #memory(state) {
        const control = select([["", "leave out what does not fit"], ["ignore", "ignore the limit"]], state.memory);
        control.addEventListener("change", () => this.pick("memory", control.value));
        const built = field("p-memory", { label: "Memory", control, hint: "Whether a choice may need more memory than a process has." });
        this.faults.bind("memory", built);
        this.#ones.push((next) => { control.value = next.memory; });
        return built.root;
    }
}

function placeholder(p) {
    if (p.tunable) return "best";
    if (p.default !== undefined && p.default !== null) return asText(p.default);
    return p.automatic ? "automatic" : p.required ? "required" : "not given";
}

/* A limit that nobody reaches says nothing: only the tight ones are written out. */
function range(p) {
    if (p.type === "vector") return " Such as 16x16x16.";
    if (p.minimum === undefined || p.maximum === undefined || p.maximum > 1000) return "";
    return ` ${number(p.minimum)} to ${number(p.maximum)}.`;
}
