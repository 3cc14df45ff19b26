/* The page as a whole: one state, written to the address; each change of it asks the daemon anew.
 *
 * Three questions run side by side (answer and ranking, chart, recommendation), each with its own
 * Latest: a newer one aborts the older, so that no answer is ever shown over a newer one.
 */
import { answerView, spoken } from "./answer.js";
import { get, Latest, list, once, post, Problem } from "./api.js";
import { Chart } from "./chart.js";
import { byId, copyButton, debounced, el, fill } from "./dom.js";
import { Faults } from "./fields.js";
import { Form } from "./form.js";
import { machineView } from "./machine.js";
import { modelView } from "./model.js";
import { problemView } from "./problem.js";
import { alternatives, asText, choiceOf, openTunables, predictQuery, rankQuery, recommendQuery, tunables } from "./query.js";
import { rankingView, rankLimit } from "./ranking.js";
import { Goal, recommendLimit, recommendView } from "./recommend.js";
import { Request } from "./request.js";
import { readState, writeState } from "./state.js";
import { duration, quantity } from "./units.js";
import { Upload } from "./upload.js";
import { WhatIf, whatIfView } from "./whatif.js";

const TYPING_MS = 250;

/* What a first visit shows: a question whose answer is neither trivial nor hours long. */
const EXAMPLE = { model: "matmul", n: "16384", size: "64", processes_per_node: "8", message_bytes: "1024", iterations: "100" };

const faults = new Faults(), goalFaults = new Faults();
const asking = new Latest(), charting = new Latest(), recommending = new Latest(), opening = new Latest();
const bodies = { answer: byId("answer-body"), chart: byId("chart-body"), ranking: byId("ranking-body"), recommend: byId("recommend-body"), whatIf: byId("what-if-body") };

let state = readState(location.search);
let written = location.search; /* the query that `state` was last written to or read from */
let machines = [], models = [];
let model = null, machine = null; /* descriptors of the model, detail of the machine; null: not known */
let row = null;                   /* the configuration of the answer */

const askSoon = debounced(() => { write(); ask(); }, TYPING_MS);
const form = new Form({
    subject: byId("subject"), parameters: byId("parameters"), faults,
    change(name, text) {
        if (text === undefined) delete state.values[name];
        else state.values[name] = text;
        askSoon();
    },
    pick(name, value) {
        state[name] = value;
        if (name === "machine") state.calibration = "";
        if (name === "model") state.chart = {};
        if (name === "memory") askSoon();
        else open({ push: true });
    },
});
const request = new Request(byId("request"));
const chart = new Chart({ form: byId("chart-form"), body: bodies.chart, change: debounced(() => { write(); drawChart(); }, TYPING_MS) });
const goal = new Goal({ form: byId("goal-form"), faults: goalFaults, change: debounced(() => { write(); recommend(); }, TYPING_MS) });
const upload = new Upload({ root: byId("upload"), uploaded: () => open() });
const whatIf = new WhatIf({ form: byId("what-if-form"), faults, change: askSoon });

/* ---- the address ---- */

function write({ push = false } = {}) {
    const query = writeState(state);
    written = query ? `?${query}` : "";
    const url = `${location.pathname}${written}${location.hash}`;
    if (push) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
}

window.addEventListener("popstate", () => {
    if (location.search === written) return; /* a jump within the page */
    state = readState(location.search);
    written = location.search;
    open();
});

/* ---- machine and operation ---- */

async function start() {
    fill(byId("answer-problem"));
    try {
        [machines, models] = await Promise.all([list("machines"), list("models")]);
        await choose();
        await open();
    } catch (error) {
        refuse(error, start);
    }
}

/** Chooses what the address leaves open: a machine that answers the example, where there is one. */
async function choose() {
    state.model ||= models.some((m) => m.name === EXAMPLE.model) ? EXAMPLE.model : models[0]?.name ?? "";
    if (state.machine || !machines.length) return;
    const details = await Promise.all(machines.map(({ name }) => get(`machines/${encodeURIComponent(name)}`)));
    const serving = details.filter((detail) => detail.models?.includes(state.model));
    state.machine = (serving[0] ?? machines[0]).name;
    if (serving.length < 2) return;
    const parameters = example(await once(`models/${state.model}`));
    const { results } = await post("predict", { requests: serving.map(({ name }) => ({ model: state.model, machine: name, parameters })) });
    const good = results.findIndex((r) => r.time_s && !r.warnings.some((w) => w.code === "memory_exceeded"));
    if (good >= 0) state.machine = serving[good].name;
}

/** A legal question of the model: what it cannot do without. */
function example(of) {
    const values = {};
    for (const [size] of alternatives(of)) values[size.name] = Number(EXAMPLE.size);
    for (const p of of.parameters) {
        if (p.one_of || !(p.required || p.name === "message_bytes")) continue;
        if (p.type === "vector") values[p.name] = [16, 16, 16];
        else values[p.name] = p.choices ? p.choices[0] : Number(EXAMPLE[p.name] ?? p.minimum ?? 1);
    }
    return values;
}

/** Fits the values to the model: keeps what it knows, fills in what it cannot do without. */
function fit() {
    const given = (p) => state.values[p.name] !== undefined;
    const usual = example(model);
    for (const p of model.parameters) {
        const isMissing = p.one_of ? !model.parameters.some((q) => q.one_of === p.one_of && given(q)) : !given(p) && !p.tunable;
        if (isMissing && usual[p.name] !== undefined) state.values[p.name] = asText(usual[p.name]);
    }
}

/** Loads what the form needs for the machine and the model of the state, then asks. */
async function open({ push = false } = {}) {
    const signal = opening.next();
    const optional = (promise) => promise.catch((error) => { if (error instanceof Problem) return null; throw error; });
    try {
        const [nextModel, nextMachine, fields] = await Promise.all([
            optional(once(`models/${encodeURIComponent(state.model)}`)),
            state.machine ? optional(get(`machines/${encodeURIComponent(state.machine)}`, undefined, signal)) : null,
            optional(once("fields")),
        ]);
        const id = state.calibration || nextMachine?.calibration;
        const [calibration, calibrations, runs, accuracy] = await Promise.all([
            id ? optional(get(`calibrations/${encodeURIComponent(id)}`, undefined, signal)) : null,
            nextMachine ? optional(list(`machines/${encodeURIComponent(nextMachine.name)}/calibrations`, signal)) : null,
            nextMachine?.runs ? optional(get(`machines/${encodeURIComponent(nextMachine.name)}/runs`, { limit: "20" }, signal)) : null,
            nextMachine?.runs ? optional(get(`machines/${encodeURIComponent(nextMachine.name)}/accuracy`, undefined, signal)) : null,
        ]);
        if (signal.aborted) return;
        const changed = model !== null && model !== nextModel;
        model = nextModel;
        machine = nextMachine;
        if (model) {
            if (changed) drop();
            if (changed || written === "") fit();
        }
        write({ push });
        build({ fields, calibration, calibrations: calibrations ?? [], id, runs, accuracy });
    } catch (error) {
        if (!signal.aborted) refuse(error, () => open());
        return;
    }
    ask();
}

/** Of another model's values keeps those that this one has too. */
function drop() {
    const known = new Set(model.parameters.map((p) => p.name));
    for (const name of Object.keys(state.values)) if (!known.has(name)) delete state.values[name];
    /* Choices were made for the other operation. */
    for (const p of tunables(model)) delete state.values[p.name];
}

function build({ fields, calibration, calibrations, id, runs, accuracy }) {
    form.showSubject({ machines, models, state, groups: machine?.groups ?? null });
    if (model) {
        form.build(model, state);
        chart.build(model, state, machines);
        fill(byId("model-body"), modelView(model));
    }
    goal.build(state);
    whatIf.build(state, fields ?? { fields: [], aliases: [] }, calibration);
    fill(byId("machine-body"), machineView({ machine, calibrations, calibration, id, models, runs, accuracy, choose: (other) => {
        state.calibration = other === machine.calibration ? "" : other;
        open({ push: true });
    } }));
    byId("upload").hidden = !machine;
    upload.show(machine);
}

/* ---- answer and ranking ---- */

async function ask() {
    const signal = asking.next();
    charting.next();
    if (!model) return refuse(new Problem(404, { detail: state.model ? `The operation ${state.model} is not known.` : "The daemon has no models." }));
    if (!machines.length && !state.machine) return refuse(new Problem(404, { detail: "No machine is known yet: load a calibration with “forerund import”, or upload one." }));
    busy([bodies.answer, bodies.ranking, bodies.chart, bodies.whatIf], true);
    recommend();
    let answer;
    try {
        answer = await solve(structuredClone(state), signal);
    } catch (error) {
        if (!signal.aborted) refuse(error, ask);
        return;
    }
    if (signal.aborted) return;
    show(answer);
    drawChart();
}

/** The best of the open choices, and its prediction. */
async function solve(asked, signal) {
    const rank = tunables(model).length ? get(`rank/${model.name}`, rankQuery(asked, rankLimit), signal) : Promise.resolve(null);
    const isOpen = openTunables(model, asked).length > 0;
    if (isOpen) {
        const ranking = await rank;
        const prediction = await get(`predict/${model.name}`, predictQuery(asked, choiceOf(model, ranking.rows[0])), signal);
        return { ranking, prediction, wasChosen: true };
    }
    /* With every choice made, the prediction stands also where the ranking is refused (memory). */
    const [prediction, ranking] = await Promise.allSettled([get(`predict/${model.name}`, predictQuery(asked), signal), rank]);
    if (prediction.status === "rejected") throw prediction.reason;
    return { prediction: prediction.value, ranking: ranking.value ?? null, refused: ranking.reason, wasChosen: false };
}

function show({ prediction, ranking, refused, wasChosen }) {
    faults.clear();
    fill(byId("answer-problem"));
    row = prediction.parameters;
    const { processes, nodes, threads } = { ...prediction, ...prediction.parameters };
    form.suggest({ ...prediction.parameters, nodes, processes, cores: processes * (threads ?? 1) });
    fill(bodies.answer, answerView({ prediction, model, ranking, wasChosen }));
    fill(bodies.ranking, ranking ? rankingView({ ranking, model, state, use, sorted: (column) => { state.sort = column; write(); } })
        : refused instanceof Problem ? problemView(refused, { shown: refused.errors.map((error) => ({ error, control: null })), title: "No ranking." })
            : el("p", { class: "waiting" }, "This operation has no choices to rank."));
    fill(bodies.whatIf, whatIfView(prediction, model));
    request.show(structuredClone(state), model, row);
    byId("live").textContent = spoken(prediction);
    fill(byId("strip"), el("strong", {}, duration(prediction.time_s)),
        typeof prediction.percent_of_peak === "number" && ` ${quantity("percent_of_peak", prediction.percent_of_peak, 3)} of peak`);
    document.title = `${duration(prediction.time_s)} · ${prediction.model} on ${prediction.machine} · forerun`;
    busy([bodies.answer, bodies.ranking, bodies.whatIf], false);
}

/** Takes a row of the ranking or of the recommendation into the form. */
function use(chosen) {
    Object.assign(state.values, choiceOf(model, chosen));
    const size = alternatives(model)[0];
    if (size && size.some((p) => chosen[p.name] !== undefined)) {
        const given = size.find((p) => state.values[p.name] !== undefined && chosen[p.name] !== undefined) ?? size.find((p) => chosen[p.name] !== undefined);
        for (const p of size) delete state.values[p.name];
        state.values[given.name] = String(chosen[given.name]);
    }
    write({ push: true });
    form.write(state);
    ask();
    byId("answer").focus();
}

function leaveOut(name) {
    delete state.values[name];
    write();
    ask();
}

/** Shows why there is no answer, and nothing that could be taken for one. */
function refuse(error, retry) {
    row = null;
    const shown = faults.show(error.errors ?? []);
    for (const body of Object.values(bodies)) if (body !== bodies.recommend || !(error instanceof Problem)) fill(body, el("p", { class: "waiting" }, "No answer."));
    fill(bodies.answer);
    request.hide();
    fill(byId("answer-problem"), problemView(error, { shown, retry, model, machine, drop: leaveOut }));
    byId("live").textContent = "";
    fill(byId("strip"), "No answer");
    document.title = "No answer · forerun";
    busy(Object.values(bodies), false);
}

/* ---- chart ---- */

async function drawChart() {
    const signal = charting.next();
    if (!row) return;
    busy([bodies.chart], true);
    try {
        await chart.show({ model, state: structuredClone(state), row, machines, signal });
    } catch (error) {
        if (signal.aborted) return;
        fill(bodies.chart, problemView(error, { shown: (error.errors ?? []).map((fault) => ({ error: fault, control: null })), retry: drawChart, title: "No chart of these values." }));
    }
    if (!signal.aborted) busy([bodies.chart], false);
}

/* ---- recommendation ---- */

async function recommend() {
    const signal = recommending.next();
    if (!model) return;
    const isPossible = tunables(model).length > 0 && alternatives(model).length > 0;
    byId("recommend").hidden = !isPossible;
    if (!isPossible) return;
    busy([bodies.recommend], true);
    try {
        const answer = await get(`recommend/${model.name}`, recommendQuery(state, model, recommendLimit), signal);
        if (signal.aborted) return;
        goalFaults.clear();
        fill(bodies.recommend, recommendView({ answer, model, state, use }));
    } catch (error) {
        if (signal.aborted) return;
        fill(bodies.recommend, problemView(error, { shown: goalFaults.show(error.errors ?? []), retry: recommend, title: "No recommendation for this goal." }));
    }
    busy([bodies.recommend], false);
}

function busy(elements, is) {
    for (const element of elements) element.setAttribute("aria-busy", String(is));
}

new IntersectionObserver(([{ isIntersecting }]) => {
    byId("strip").hidden = isIntersecting;
}).observe(byId("answer-title"));
for (const each of document.querySelectorAll("form")) each.addEventListener("submit", (event) => event.preventDefault());
byId("copy-link").replaceWith(...copyButton("Copy link", () => location.href));
start();
