/* The page: one state, written to the address bar; each change of it sends a new request.
 *
 * Several requests run concurrently (answer and ranking, chart, recommendation, the machine's runs).
 * Each has its own Latest: a new request aborts the previous one, so that no old answer replaces a
 * newer one.
 */
import { answerView, spoken } from "./answer.js";
import { AnswerCharts } from "./answer_charts.js";
import { get, Latest, list, once, Problem } from "./api.js";
import { Chart } from "./chart.js";
import { byId, copyButton, debounced, el, fill } from "./dom.js";
import { showDoors } from "./doors.js";
import { Faults } from "./fields.js";
import { Form } from "./form.js";
import { gridCharts } from "./grid_charts.js";
import { answerIdentity, lineOf } from "./identity.js";
import { MachinePage } from "./machine.js";
import { Matrices } from "./matrices.js";
import { modelView } from "./model.js";
import { problemView, unplaced } from "./problem.js";
import { Pins } from "./pins.js";
import { Progress, stoppedView } from "./progress.js";
import { alternatives, asText, choiceOf, faultsOf, isKept } from "./query.js";
import { addStructures, drop, EXAMPLE, fit, solve } from "./question.js";
import { rankingView } from "./ranking.js";
import { Recommendation } from "./recommend.js";
import { remediesOf } from "./remedies.js";
import { Request } from "./request.js";
import { arrive, focusOn, followSections } from "./sections.js";
import { Sensitivity } from "./sensitivity.js";
import { chooseMachine, chooseModel, servedBy } from "./serving.js";
import { solveCharts } from "./solve_charts.js";
import { readState, writeState } from "./state.js";
import { meant } from "./typed.js";
import { duration, quantity } from "./units.js";
import { Upload } from "./upload.js";
import { WhatIf, whatIfView } from "./whatif.js";

const TYPING_MS = 250;
const faults = new Faults();
const asking = new Latest(), opening = new Latest();
const bodies = { answer: byId("answer-body"), chart: byId("chart-body"), ranking: byId("ranking-body"), whatIf: byId("what-if-body") };

let state = readState(location.search);
let written = location.search; /* the query that equals `state` */
const isFirstView = written === "";
let machines = [], models = [], matrices = [];
let selected = ""; /* the matrix that the user selected since the page was opened */
let model = null, machine = null; /* details of the model and the machine; null: unknown */
let served = null;                /* what the machine answers, of servedBy; null: not yet known */
let trials = Promise.resolve();
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
        else open({ push: true, chosen: name });
    },
});
const request = new Request(byId("request"));
const chart = new Chart({ form: byId("chart-form"), body: bodies.chart, changed: debounced(() => { write(); draw(); }, TYPING_MS), take });
const answerCharts = [new AnswerCharts("grids", gridCharts), new AnswerCharts("strong-weak", solveCharts),
    new Sensitivity(byId("sensitivity"), { change: (path) => whatIf.add(path) })];
const recommendation = new Recommendation({
    section: byId("recommend"), form: byId("goal-form"), body: byId("recommend-body"), use, remedies: (fault) => remedies(fault),
    changed: debounced(() => { write(); if (model) recommendation.ask(model, state, row); }, TYPING_MS),
});
const machinePage = new MachinePage({
    root: byId("machine-body"),
    choose(calibration) {
        state.calibration = calibration === machine.calibration ? "" : calibration;
        open({ push: true });
    },
});
const matricesPage = new Matrices({
    body: byId("matrices-body"), upload: byId("matrix-upload"),
    show(name) {
        state.shown = selected = name;
        write();
        askOfMatrix();
    },
    changed(items) {
        matrices = items;
        form.offer("matrix", items);
        askOfMatrix();
    },
});
const pins = new Pins({ section: byId("compare"), body: byId("compare-body"), link: document.querySelector('nav a[href="#compare"]'), button: byId("pin"), said: byId("pin-said"),
    changed: () => write({ push: true }) });
const upload = new Upload({ root: byId("upload"), uploaded: renew });
const progress = new Progress({ root: byId("progress"), best: ({ best }) => best && `Best so far: ${duration(best.time_s)}.` });
const whatIf = new WhatIf({ form: byId("what-if-form"), faults, change: askSoon });

/* Asks of the matrix that the user selected or uploaded, once it is analyzed; without any, of the first. */
function askOfMatrix() {
    const p = model?.parameters.find(({ name }) => name === "matrix"), now = state.values.matrix;
    if (!p || (!p.required && !now)) return;
    const ready = matrices.filter((each) => each.orderings?.length);
    const next = ready.find(({ id, name }) => id === selected || name === selected) ?? (now ? null : ready[0]);
    if (!next || next.name === now) return;
    state.values.matrix = next.name;
    form.write(state);
    write();
    ask();
}

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
        const chosen = state.machine && !state.model ? "machine" : undefined;
        state.model ||= models.some((m) => m.name === EXAMPLE.model) ? EXAMPLE.model : models[0]?.name ?? "";
        if (!state.machine && machines.length) state.machine = await chooseMachine(machines, state.model);
        await open({ chosen });
    } catch (error) {
        refuse(error, start);
    }
}

/** Called after an upload, which may have created a machine. */
async function renew(name) {
    try {
        machines = await list("machines");
    } catch (error) {
        return refuse(error, () => renew(name));
    }
    state.machine ||= name;
    return open();
}

/**
 * Loads the machine and the model of the state for the form, then asks.  chosen: "machine" or "model",
 * which the user selected; the other, and the sizes, then follow from what the machine answers.
 */
async function open({ push = false, chosen } = {}) {
    const signal = opening.next();
    busy(Object.values(bodies), true);
    const optional = (promise) => promise.catch((error) => { if (error instanceof Problem) return null; throw error; });
    try {
        const [found, nextMachine, fields] = await Promise.all([
            optional(once(`models/${encodeURIComponent(state.model)}`)),
            state.machine ? optional(get(`machines/${encodeURIComponent(state.machine)}`, undefined, signal)) : null,
            optional(once("fields")),
        ]);
        const id = state.calibration || nextMachine?.calibration;
        const trying = nextMachine && id ? optional(servedBy(nextMachine, id)) : Promise.resolve(null);
        const [calibration, calibrations, able] = await Promise.all([
            id ? optional(get(`calibrations/${encodeURIComponent(id)}`, undefined, signal)) : null,
            nextMachine ? optional(list(`machines/${encodeURIComponent(nextMachine.name)}/calibrations`, signal)) : null,
            chosen ? trying : null,
        ]);
        const nextModel = chosen === "machine" && able?.size ? await servable(found, able) : found;
        if (signal.aborted) return;
        const before = model;
        [model, machine] = [nextModel, nextMachine];
        if (model) {
            state.model = model.name;
            const changed = before !== null && before !== model;
            if (changed && push) drop(model, state.values, before);
            for (const p of model.parameters) if (state.values[p.name] !== undefined) state.values[p.name] = meant(p, state.values[p.name]);
            if (changed || written === "" || chosen || !Object.keys(state.values).length) fit(model, state.values);
            for (const [name, value] of Object.entries(able?.get(model.name)?.differs ?? {})) state.values[name] = asText(value);
        }
        write({ push });
        build({ fields, calibration, calibrations: calibrations ?? [], id, served: able });
        trials = trying.then((known) => { if (!signal.aborted) showSubject(known); }, () => {}); /* the form works without it */
    } catch (error) {
        if (!signal.aborted) refuse(error, () => open());
        return;
    }
    ask();
}

/* The model, or another one if the machine does not answer it. */
function servable(found, able) {
    const name = able.has(state.model) ? null : chooseModel(able, models, state.model);
    return name ? once(`models/${name}`) : found;
}

function showSubject(known) {
    served = known;
    form.showSubject({ machines, models, state, groups: machine?.groups ?? null, served });
}

function build({ fields, calibration, calibrations, id, served }) {
    showSubject(served);
    if (isFirstView && machine) showDoors(byId("doors"), state, machine.models);
    if (model) {
        form.build(model, state);
        chart.build(model, state, machines);
        fill(byId("model-body"), modelView(model));
    }
    recommendation.build(state, model);
    whatIf.build(state, fields ?? { fields: [], aliases: [] }, calibration);
    machinePage.show({ machine, calibrations, calibration, id, models });
    upload.show(machine);
    matricesPage.build({ shown: state.shown || state.values.matrix, machine });
}

/* ---- answer and ranking ---- */

async function ask() {
    const signal = asking.next();
    chart.stop();
    if (!model) return refuse(new Problem(404, { detail: state.model ? `The operation ${state.model} is unknown.` : "The daemon has no models." }));
    if (!machines.length && !state.machine) return refuse(new Problem(404, { detail: "There is no machine yet: load a calibration with “forerund import”, or upload one." }));
    const wrong = faultsOf(model, state.values);
    if (wrong.length) {
        recommendation.stop();
        return refuse(new Problem(422, { errors: wrong }));
    }
    busy([bodies.answer, bodies.ranking, bodies.chart, bodies.whatIf], true);
    if (!isKept(model)) recommendation.ask(model, state, row); /* the others keep choices of the answer */
    progress.begin(stop);
    let answer;
    try {
        answer = await solve(model, structuredClone(state), signal, (told) => progress.tell(told));
    } catch (error) {
        if (error instanceof Problem && error.has("calibration_group_missing")) await trials; /* they know a remedy */
        if (signal.aborted) return;
        refuse(error, ask);
        return askOfOthers(error);
    }
    if (signal.aborted) return;
    show(answer);
    draw().then(settle);
    if (isKept(model)) recommendation.ask(model, state, row).then(settle);
}

/** The user does not wait for the ranking; told: how far it came, or null. */
function stop(told) {
    asking.stop();
    recommendation.stop();
    noAnswer(stoppedView(told, { best: told?.best && choiceOf(model, told.best), use, retry: ask }));
}

/* The calibration that the question uses. */
const calibrationNow = () => state.calibration || machine?.calibration;

function draw() {
    return row ? chart.draw({ model, state: structuredClone(state), row, machines, calibration: calibrationNow() }) : Promise.resolve();
}

function show({ query, prediction, before, ranking, refused, wasChosen }) {
    const identity = answerIdentity({ query, prediction, model });
    faults.clear();
    progress.end();
    fill(byId("answer-problem"));
    row = { ...prediction.parameters, percent_of_peak: prediction.percent_of_peak, calibration: prediction.calibration };
    const { processes, nodes, threads } = { ...prediction, ...prediction.parameters };
    form.suggest({ ...prediction.parameters, nodes, processes, cores: processes * (threads ?? 1) });
    fill(bodies.answer, answerView({ query, prediction, before, model, ranking, wasChosen, keepMachine, drift: machine?.drift }));
    fill(bodies.ranking, ranking ? rankingView({ ranking, runs: prediction.runs, model, state: structuredClone(state), calibration: prediction.calibration, use, sorted: (column) => { state.sort = column; write(); } })
        : refused instanceof Problem ? problemView(refused, { shown: unplaced(refused), model, machine, remedies, title: "No ranking." })
            : el("p", { class: "waiting" }, "This operation has no tunable parameters to rank."));
    fill(bodies.whatIf, whatIfView(prediction, model, identity.changes));
    request.show(structuredClone(state), model, { prediction, identity });
    pins.show(state, { model, prediction, identity });
    matricesPage.answered(prediction.parameters);
    for (const charts of answerCharts) charts.show(model, structuredClone(state), { ...row, processes });
    machinePage.ask(model, { ...choiceOf(model, row), ...state.values });
    byId("live").textContent = spoken(prediction, before);
    fill(byId("strip"), el("strong", {}, duration(prediction.time_s)),
        typeof prediction.percent_of_peak === "number" && ` ${quantity("percent_of_peak", prediction.percent_of_peak, 3)} of peak`);
    document.title = `${duration(prediction.time_s)} · ${lineOf(identity)} · forerun`;
    busy([bodies.answer, bodies.ranking, bodies.whatIf], false);
    settle();
}

/* Sections grow as their answers arrive, so that the browser alone would not end at the one of the address. */
let isArriving = location.hash.length > 1;
for (const event of ["wheel", "touchstart", "pointerdown", "keydown"]) window.addEventListener(event, () => { isArriving = false; }, { once: true, passive: true });

function settle() {
    if (isArriving) arrive();
}

/** Asks about a point of the chart. */
function take({ machine: name, ...values }) {
    const sizes = alternatives(model).find((group) => group.some((p) => values[p.name] !== undefined)) ?? [];
    for (const p of sizes) delete state.values[p.name];
    Object.assign(state.values, values);
    if (name) {
        Object.assign(state, { machine: name, calibration: "" });
        open({ push: true });
    } else {
        write({ push: true });
        form.write(state);
        ask();
    }
    focusOn(byId("answer"));
}

/** Copies a row of the ranking or of the recommendation into the form. */
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
    focusOn(byId("answer"));
}

function keepMachine() {
    state.whatIf = [];
    whatIf.draw();
    write({ push: true });
    ask();
    focusOn(byId("answer"));
}

/* The buttons beside a fault. */
const remedies = (fault) => remediesOf(fault, { model, values: state.values, served: served?.get(state.model) }).map((each) => ({ ...each, act: () => remedy(each) }));

function remedy({ values = {}, goal = {}, memory, structures }) {
    if (structures) return prepare();
    for (const [name, value] of Object.entries(values)) {
        for (const p of alternatives(model).find((group) => group.some((each) => each.name === name)) ?? []) delete state.values[p.name];
        if (value === undefined) delete state.values[name];
        else state.values[name] = value;
    }
    Object.assign(state.goal, goal);
    state.memory = memory ?? state.memory;
    write({ push: true });
    form.write(state);
    recommendation.build(state, model);
    ask();
}

/* The block structures of the question are made, which may take a while. */
async function prepare() {
    const signal = asking.next();
    noAnswer(null);
    progress.begin(stop);
    try {
        await addStructures(model, structuredClone(state), signal);
    } catch (error) {
        if (!signal.aborted) refuse(error, prepare);
        return;
    }
    if (!signal.aborted) ask();
}

/* Faults that a chart or a recommendation of the same question has too. */
const EVERYWHERE = new Set(["syntax", "required", "unknown_parameter", "not_found", "calibration_group_missing"]);

/** Shows why there is no answer. */
function refuse(error, retry) {
    const shown = faults.show(error.errors ?? []);
    if (!(error instanceof Problem) || (model && isKept(model))) recommendation.stop();
    noAnswer(problemView(error, { shown, retry, model, machine, remedies }));
}

/* Other sizes and choices than those of the refused question may be possible. */
function askOfOthers(error) {
    if (!(error instanceof Problem) || !machine || !error.errors.length || error.errors.some(({ code }) => EVERYWHERE.has(code))) return;
    chart.draw({ model, state: structuredClone(state), row: null, machines, calibration: calibrationNow() });
    if (isKept(model)) recommendation.ask(model, state, null);
}

/** Removes the previous answer; view: why there is none. */
function noAnswer(view) {
    row = null;
    progress.end();
    for (const body of Object.values(bodies)) fill(body, el("p", { class: "waiting" }, "No answer."));
    fill(bodies.answer);
    request.hide();
    pins.show(state, null);
    for (const charts of answerCharts) charts.show(model, state, null);
    fill(byId("answer-problem"), view);
    byId("live").textContent = "";
    fill(byId("strip"), "No answer");
    document.title = "No answer · forerun";
    busy(Object.values(bodies), false);
}

function busy(elements, is) {
    for (const element of elements) element.setAttribute("aria-busy", String(is));
}

new IntersectionObserver(([{ isIntersecting }]) => {
    byId("strip").hidden = isIntersecting;
}).observe(byId("answer-title"));
for (const each of document.querySelectorAll("form")) each.addEventListener("submit", (event) => event.preventDefault());
followSections();
byId("copy-link").replaceWith(...copyButton("Copy link", () => location.href));
start();
