/* The form of the question: machine, operation, and a field for each parameter of the model. */
import { el, fill } from "../core/dom.js";
import { alternatives, asText, lettersOf } from "../core/query.js";
import { unfolding } from "../core/unfold.js";
import { field, input, read, select, show } from "../parts/fields.js";
import { descriptionOf } from "../machine/machine.js";
import { controlOf, words } from "./controls.js";

/* Optional parameters that are shown at the top. */
const PROMINENT = new Set(["m", "memory_fraction", "threads", "locality", "leaf"]);

/* Families of models as the list of operations names them. */
const FAMILIES = { dense: "Dense, 2D and 2.5D", block_cyclic: "ScaLAPACK and HPL", blocked: "Blocked, on one node", cnc: "Concurrent Collections",
    krylov: "Iterative", sparse: "Sparse" };

/* Parameters that stand together, besides the problem; alternatives have the name of their group. */
const PARTS = {
    block_cyclic: [
        { title: "Grid and blocks", names: ["processes", "process_rows", "block_size"], lead: true },
        { title: "Options of HPL", names: ["broadcast", "lookahead_depth", "swap", "swap_threshold", "nbmin", "ndiv"] },
    ],
};

export class Form {
    #model = null;
    #controls = new Map(); /* parameter name -> its control, of controls.js */
    #ones = [];            /* writers of fields for one of several parameters */
    #offered = new Map();  /* parameter name -> the stored resources to choose from */

    /** change(name, text): the user set a parameter, or left it open (text undefined). */
    constructor({ subject, parameters, faults, change, pick }) {
        Object.assign(this, { subject, parameters, faults, change, pick });
    }

    /** Machine and operation. `groups`: the groups of the machine's calibration, `served`: of servedBy; null if unknown. */
    showSubject({ machines, models, state, groups, served }) {
        const lack = (model) => (needs(model).length ? ` (no ${needs(model).join(", no ")})` : served && !served.has(model.name) ? " (needs more measurements)" : "");
        const needs = (model) => (groups ? model.groups.filter((group) => !groups.includes(group)) : []);
        const machine = machines.find((m) => m.name === state.machine);
        const model = models.find((m) => m.name === state.model);
        const known = (list, name) => (list.some((x) => x.name === name) || !name ? [] : [[name, `${name} (unknown)`]]);
        const families = [...new Set(models.map((m) => m.family))].map((family) => ({ label: FAMILIES[family] ?? family,
            options: models.filter((m) => m.family === family).map((m) => [m.name, `${m.name}${lack(m)}`, lack(m) !== ""]) }));
        const choices = [
            field("machine-name", {
                label: "Machine", hint: descriptionOf(machine).text,
                control: select([...known(machines, state.machine), ...machines.map((m) => [m.name])], state.machine),
            }),
            field("model-name", {
                label: "Operation", hint: model?.summary,
                control: select([...known(models, state.model), ...families], state.model),
            }),
        ];
        for (const [i, name] of ["machine", "model"].entries()) {
            choices[i].control.addEventListener("change", (event) => this.pick(name, event.target.value));
            this.faults.bind(name, choices[i]);
        }
        /* A fault of the calibration is shown at the machine. */
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
        const letters = lettersOf(model);
        const isEveryday = (p) => p.required || PROMINENT.has(p.name) || letters.includes(p);
        const parts = (PARTS[model.family] ?? []).map((part) => ({ ...part, fields: [] }));
        const placeOf = (p) => parts.find(({ names }) => names.includes(p.one_of ?? p.name));
        const first = [], tuned = [], further = [];
        for (const p of model.parameters) {
            const group = groups.find((g) => g.includes(p));
            if (group && group[0] !== p) continue;
            const built = !group ? this.#single(p, state)
                : group.length > 1 ? this.#oneOf(group, state) : this.#single({ ...p, required: true }, state);
            const part = placeOf(p);
            if (part) part.fields[part.names.indexOf(p.one_of ?? p.name)] = built;
            else if (p.tunable) tuned.push(built);
            else if (group || isEveryday(p)) first.push(built);
            else further.push(built);
        }
        further.push(this.#memory(state));
        const isSet = model.parameters.some((p) => state.values[p.name] && !p.tunable && !p.one_of && !isEveryday(p) && !placeOf(p));
        fill(this.parameters,
            el("fieldset", {}, el("legend", {}, "Problem"), first),
            [...parts, { title: "Choices", fields: tuned, lead: true }].map(({ title, fields, lead }) => fields.length > 0 && el("fieldset", {}, el("legend", {}, title),
                lead && el("p", { class: "hint lead" }, "forerun chooses the best value of an open field."), fields)),
            unfolding("parameters", `More parameters (${further.length})`, further, { class: "further", isUsual: isSet || state.memory !== "" }));
    }

    /** Sets the choices of a parameter that names a stored resource. */
    offer(name, items) {
        this.#offered.set(name, items);
        this.#controls.get(name)?.offer?.(items);
    }

    /** Writes a state that did not come from this form. */
    write(state) {
        for (const [name, control] of this.#controls) control.write(state.values[name]);
        for (const one of this.#ones) one(state);
    }

    /** Shows at each open field the value that the answer chose. */
    suggest(parameters) {
        for (const [name, control] of this.#controls) {
            const value = parameters?.[name];
            control.suggest?.(value === undefined || value === null ? "" : asText(value));
        }
        this.resolved = parameters;
    }

    #single(p, state) {
        const maxLength = this.#model.schema?.properties?.[p.name]?.maxLength;
        /* One that stands in for another is not chosen automatically. */
        const automatic = p.automatic && !this.#model.parameters.some((q) => q.unless === p.name);
        const built = controlOf({ ...p, automatic, maxLength, offered: this.#offered.get(p.name) }, state.values[p.name], (text) => this.change(p.name, text));
        this.#controls.set(p.name, built);
        this.faults.bind(p.name, built);
        return built.root;
    }

    /* Exactly one of processes, cores and nodes is given: a number and its unit. */
    #oneOf(group, state) {
        const given = () => group.find((p) => state.values[p.name] !== undefined) ?? group[0];
        let which = given();
        const id = `p-${group[0].name}`;
        const kind = select(group.map((p) => [p.name, words(p.name)]), which.name, { "aria-label": "Size given as", class: "which" });
        const control = input(state.values[which.name], { inputmode: "text", "aria-required": true, placeholder: "required" });
        const built = field(id, { label: "Size of the run", hint: which.description, control, extra: kind });
        const hint = built.root.querySelector(".hint");
        kind.addEventListener("change", () => {
            const before = which;
            which = group.find((p) => p.name === kind.value);
            hint.textContent = which.description;
            /* Converts the size if the last answer has it in the new unit. */
            const same = this.resolved?.[before.name] === Number(control.value) ? this.resolved[which.name] : undefined;
            if (same !== undefined) control.value = String(same);
            this.change(before.name, undefined);
            this.change(which.name, read(which, built));
        });
        control.addEventListener("input", () => this.change(which.name, read(which, built)));
        for (const p of group) {
            this.#controls.set(p.name, { write() {} });
            this.faults.bind(p.name, built);
        }
        this.#ones.push((next) => {
            which = group.find((p) => next.values[p.name] !== undefined) ?? which;
            kind.value = which.name;
            hint.textContent = which.description;
            show(built, next.values[which.name]);
        });
        return built.root;
    }

    #memory(state) {
        const control = select([["", "respect the limit"], ["ignore", "ignore the limit"]], state.memory);
        control.addEventListener("change", () => this.pick("memory", control.value));
        const built = field("p-memory", { label: "Memory", control, hint: "Whether configurations that need more memory than a process has are left out." });
        this.faults.bind("memory", built);
        this.#ones.push((next) => { control.value = next.memory; });
        return built.root;
    }
}
