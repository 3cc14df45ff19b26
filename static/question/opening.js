/* Loads the machine and the operation of the question, and what describes them. */
import { get, Latest, list, once, Problem } from "../core/api.js";
import { isUnasked, page, write } from "../core/page.js";
import { asText } from "../core/query.js";
import { meant } from "../core/typed.js";
import { EXAMPLE, exampleOf } from "./example.js";
import { drop, fit } from "./question.js";
import { chooseMachine, chooseModel, ownOf, servedBy } from "./serving.js";

const otherwiseNull = (promise, isMild) => promise.catch((error) => { if (error instanceof Problem && isMild(error)) return null; throw error; });

/* null where there is no such thing; a daemon that fails or is busy may have it. */
const optional = (promise) => otherwiseNull(promise, ({ status }) => status < 500 && status !== 429);

export class Opening {
    #latest = new Latest();

    /**
     * begun(): called before the requests; build(details): with what the parts of the page show;
     * tell(served): what the machine answers is known; refuse(error, retry); ask(): asks the question.
     */
    constructor({ begun, build, tell, refuse, ask }) {
        Object.assign(this, { begun, build, tell, refuse, ask });
    }

    async start() {
        const { state } = page;
        try {
            [page.machines, page.models] = await Promise.all([list("machines"), list("models")]);
            if (!state.model) state.machine ||= ownOf(page.machines)[0]?.name ?? "";
            const isUnnamed = Boolean(state.machine && !state.model);
            state.model ||= page.models.some((m) => m.name === EXAMPLE.model) ? EXAMPLE.model : page.models[0]?.name ?? "";
            const known = !state.machine && page.machines.length ? await chooseMachine(page.machines, state.model) : undefined;
            if (known) state.machine = known.name;
            if (state !== page.state) return await this.start(); /* Back was pressed meanwhile */
            return await this.open({ chosen: isUnnamed ? "machine" : undefined, isUnnamed, known });
        } catch (error) {
            return this.refuse(error, () => this.start());
        }
    }

    /** Called after an upload, which may have created a machine. */
    async renew(name) {
        try {
            page.machines = await list("machines");
        } catch (error) {
            return this.refuse(error, () => this.renew(name));
        }
        page.state.machine ||= name;
        return this.open();
    }

    /**
     * Loads the machine and the model of the state, then asks.  chosen: "machine" or "model", which the
     * user selected; the sizes then follow from what the machine answers.  isUnnamed: and the model too.  known: the details of the machine.
     */
    async open({ push = false, chosen, isUnnamed = false, known } = {}) {
        const signal = this.#latest.next();
        page.row = null; /* the next answer may be of another calibration */
        this.begun();
        try {
            const { model, machine, able, trying, ...details } = await load({ chosen, isUnnamed, known }, signal);
            if (signal.aborted) return;
            const before = page.model, last = page.machine;
            Object.assign(page, { model, machine });
            if (model) complete({ before, push, chosen, able, last });
            write({ push });
            this.build({ ...details, served: able });
            page.trials = trying.then((found) => { if (!signal.aborted) this.tell(found); }, () => {}); /* the form works without it */
        } catch (error) {
            if (!signal.aborted) this.refuse(error, () => this.open({ push, chosen, isUnnamed }));
            return;
        }
        this.ask();
    }
}

async function load({ chosen, isUnnamed, known }, signal) {
    const { state } = page;
    const [found, machine, fields] = await Promise.all([
        optional(once(`models/${encodeURIComponent(state.model)}`)),
        known ?? (state.machine ? optional(get(`machines/${encodeURIComponent(state.machine)}`, undefined, signal)) : null),
        optional(once("fields")),
    ]);
    const id = state.calibration || machine?.calibration;
    const trying = machine && id ? otherwiseNull(servedBy(machine, id), () => true) : Promise.resolve(null);
    const [calibration, quality, calibrations, able] = await Promise.all([
        id ? optional(once(`calibrations/${encodeURIComponent(id)}`)) : null,
        id ? otherwiseNull(once(`calibrations/${encodeURIComponent(id)}/quality`), () => true) : null, /* the answer does not need it */
        machine ? optional(list(`machines/${encodeURIComponent(machine.name)}/calibrations`, signal)) : null,
        chosen ? trying : null,
    ]);
    const model = isUnnamed && able?.size ? await servable(found, able) : found;
    return { model, machine, able, trying, fields, calibration, quality, calibrations: calibrations ?? [], id };
}

/* The model, or another one if the machine does not answer it. */
function servable(found, able) {
    const name = able.has(page.state.model) ? null : chooseModel(able, page.models, page.state.model);
    return name ? once(`models/${name}`) : found;
}

/* Fits the values of the question to the model and the machine.  What an example of the last ones set is set anew. */
function complete({ before, push, chosen, able, last }) {
    const { state, model } = page, changed = before !== null && before !== model;
    state.model = model.name;
    if (chosen && before && last) forgetExample(state.values, exampleOf(before, last));
    if (changed && push) drop(model, state.values, before, page.machine ?? undefined);
    for (const p of model.parameters) if (state.values[p.name] !== undefined) state.values[p.name] = meant(p, state.values[p.name]);
    const added = changed || isUnasked() || chosen || !Object.keys(state.values).length ? fit(model, state.values, page.machine ?? undefined) : [];
    page.assumed = changed && push ? added : [];
    for (const [name, value] of Object.entries(able?.get(model.name)?.differs ?? {})) state.values[name] = asText(value);
}

/* How many processes and nodes: the next machine may have fewer. */
function forgetExample(values, { processes, nodes, processes_per_node }) {
    for (const [name, value] of Object.entries({ processes, nodes, processes_per_node })) if (value !== undefined && values[name] === asText(value)) delete values[name];
}
