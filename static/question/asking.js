/* Asks the question, and shows answer and ranking, or why there are none.  Each request has its own Latest: no old answer replaces a newer one. */
import { Latest, Problem } from "../core/api.js";
import { byId, el, fill, painted } from "../core/dom.js";
import { answerIdentity, lineOf } from "../core/identity.js";
import { busy, calibrationNow, page } from "../core/page.js";
import { alternatives, choiceOf, faultsOf, isKept, openTunables, tunables } from "../core/query.js";
import { duration, plural, quantity } from "../core/units.js";
import { problemView, unplaced } from "../parts/problem.js";
import { Progress, stoppedView } from "../parts/progress.js";
import { answerScript, answerView, spoken } from "../answer/answer.js";
import { rankingView } from "../answer/ranking.js";
import { whatIfView } from "../answer/whatif.js";
import { addStructures, solve } from "./question.js";

/* Configurations that need more work than was left for them. */
const leftOf = ({ ranking }) => ranking?.left_out?.too_long ?? 0;

/* How the work on a ranking is called. */
function wordsOf(model, state) {
    if (model.family !== "sparse") return undefined;
    const varied = openTunables(model, state).filter((p) => (p.default ?? null) === null && !p.automatic);
    const isGrid = varied.every(({ name }) => /^process_/.test(name));
    return { doing: "Simulating", what: isGrid ? "grid" : "configuration" };
}

/* Faults that a chart or a recommendation of the same question has too. */
const EVERYWHERE = new Set(["syntax", "required", "unknown_parameter", "not_found", "calibration_group_missing"]);
const isEverywhere = (model, { code, parameter }) =>
    EVERYWHERE.has(code) && !(code === "required" && [tunables(model), alternatives(model)].flat(2).some((p) => p.name === parameter)); /* which a recommendation chooses */

export class Asking {
    #latest = new Latest();
    #isLeft = false; /* another question is being opened */
    #progress = new Progress({ root: byId("progress") });

    /**
     * bodies: the elements of answer, chart, ranking and whatIf; parts: form, faults, chart, answerCharts,
     * recommendation, pins, matrices, machine, upload; use(row), keepMachine(), remedies(fault): of Choices.
     */
    constructor({ bodies, parts, use, keepMachine, remedies }) {
        Object.assign(this, { bodies, parts, use, keepMachine, remedies });
    }

    /** Another question is being opened: no answer to this one is shown any more. */
    leave() {
        this.#isLeft = true;
        this.#latest.stop();
        this.#progress.end();
        this.parts.chart.stop();
        this.parts.recommendation.leave();
        busy(Object.values(this.bodies), true);
    }

    /** The other question is opened. */
    arrive() {
        this.#isLeft = false;
        return this.ask();
    }

    async ask() {
        if (this.#isLeft) return undefined;
        const signal = this.#latest.next(), { state, model, machines } = page, { chart, recommendation } = this.parts;
        const again = () => this.ask();
        chart.stop();
        if (!model) return this.refuse(new Problem(404, { detail: state.model ? `The operation ${state.model} is unknown.` : "The daemon has no models." }));
        if (!machines.length && !state.machine) return this.refuse(new Problem(404, { detail: "There is no machine yet: load a calibration with “forerund import”, or upload one." }));
        const wrong = faultsOf(model, state.values);
        if (wrong.length) {
            recommendation.stop();
            return this.refuse(new Problem(422, { errors: wrong }));
        }
        busy(Object.values(this.bodies), true);
        if (!isKept(model)) recommendation.ask(model, state, page.row); /* the others keep choices of the answer */
        this.#progress.begin((told) => this.#stop(told), wordsOf(model, state));
        let answer;
        try {
            answer = await solve(model, structuredClone(state), signal, (told) => this.#progress.tell(told));
        } catch (error) {
            if (error instanceof Problem && error.has("calibration_group_missing")) await page.trials; /* they know a remedy */
            if (signal.aborted) return undefined;
            this.refuse(error, again);
            return this.#askOfOthers(error);
        }
        if (signal.aborted) return undefined;
        await this.#show(answer, signal);
        if (signal.aborted) return undefined;
        this.draw();
        if (isKept(model)) recommendation.ask(model, state, page.row);
        return this.#continue(answer, signal);
    }

    /* One request may simulate only so much; what it has simulated is kept, so that the next one comes further. */
    async #continue(answer, signal) {
        const { model, state } = page;
        const end = () => {
            this.#progress.end();
            this.#rank(answer);
        };
        for (let left = leftOf(answer); left > 0;) {
            this.#rank(answer, { isGoingOn: true });
            this.#progress.begin(() => { this.#latest.stop(); end(); }, { what: wordsOf(model, state)?.what ?? "configuration", doing: "The best so far is shown; working:" }, 0);
            let next;
            try {
                next = await solve(model, structuredClone(state), signal, (told) => this.#progress.tell(told));
            } catch (error) {
                if (signal.aborted) return;
                end();
                fill(byId("answer-problem"), problemView(error, { shown: unplaced(error), title: `${plural(left, "configuration")} could not be simulated.` }));
                return;
            }
            if (signal.aborted) return;
            answer = next;
            await this.#show(answer, signal);
            if (signal.aborted) return;
            if (leftOf(answer) >= left) return end();
            left = leftOf(answer);
        }
    }

    /* The ranking of an answer; isGoingOn: what it has left out is being simulated. */
    #rank({ prediction, ranking, refused }, { isGoingOn = false } = {}) {
        const { model, machine } = page, state = structuredClone(page.state);
        fill(this.bodies.ranking, ranking ? rankingView({ ranking, runs: prediction.runs, model, state, calibration: prediction.calibration, use: this.use, isGoingOn })
            : refused instanceof Problem ? problemView(refused, { shown: unplaced(refused), model, machine, remedies: this.remedies, title: "No ranking." })
                : el("p", { class: "waiting" }, "This operation has no tunable parameters to rank."));
    }

    /** Draws the chart around the answer. */
    draw() {
        const { row, model, state, machines } = page;
        return row ? this.parts.chart.draw({ model, state: structuredClone(state), row, machines, calibration: calibrationNow() }) : Promise.resolve();
    }

    /** The block structures of the question are made, which may take a while; then it is asked. */
    async prepare() {
        if (this.#isLeft) return;
        const signal = this.#latest.next();
        this.#empty(null);
        this.#progress.begin((told) => this.#stop(told));
        try {
            await addStructures(page.model, structuredClone(page.state), signal);
        } catch (error) {
            if (!signal.aborted) this.refuse(error, () => this.prepare());
            return;
        }
        if (!signal.aborted) this.ask();
    }

    /** Shows why there is no answer. */
    refuse(error, retry) {
        const { model, machine } = page, { faults, recommendation } = this.parts;
        this.#isLeft = false;
        const shown = faults.show(error.errors ?? []);
        if (!(error instanceof Problem) || (model && isKept(model))) recommendation.stop();
        this.#empty(problemView(error, { shown, retry, model, machine, remedies: this.remedies, isWhole: true }));
    }

    /* The user does not wait for the ranking; told: how far it came, or null. */
    #stop(told) {
        this.#latest.stop();
        this.parts.recommendation.stop();
        this.#empty(stoppedView(told, { best: told?.best && choiceOf(page.model, told.best), use: this.use, retry: () => this.ask() }));
    }

    /* The answer is painted before what follows from it. */
    async #show({ query, prediction, before, ranking, refused, wasChosen }, signal) {
        const { model, machine } = page, state = structuredClone(page.state), identity = answerIdentity({ query, prediction, model }), { bodies, parts } = this;
        const row = { ...prediction.parameters, percent_of_peak: prediction.percent_of_peak, calibration: prediction.calibration };
        const { processes, nodes, threads } = { ...prediction, ...prediction.parameters };
        page.row = row;
        parts.faults.clear();
        if (!leftOf({ ranking })) this.#progress.end(); /* a button that is hidden for a moment loses the focus */
        fill(byId("answer-problem"));
        parts.form.suggest({ ...prediction.parameters, nodes, processes, cores: processes * (threads ?? 1) });
        fill(bodies.answer, answerView({ query, prediction, before, model, ranking, wasChosen, keepMachine: this.keepMachine, drift: machine?.drift }));
        byId("live").textContent = spoken(prediction, before);
        fill(byId("strip"), el("strong", {}, duration(prediction.time_s)),
            typeof prediction.percent_of_peak === "number" && ` ${quantity("percent_of_peak", prediction.percent_of_peak, 3)} of peak`);
        document.title = `${duration(prediction.time_s)} · ${lineOf(identity)} · forerun`;
        busy([bodies.answer], false);
        await painted();
        if (signal.aborted) return;
        this.#rank({ prediction, ranking, refused });
        fill(bodies.whatIf, whatIfView(prediction, model, identity.changes, query));
        fill(byId("request"), answerScript({ query, prediction, model, identity }));
        parts.pins.show(page.state, { model, prediction, identity });
        parts.matrices.answered(prediction.parameters);
        for (const charts of parts.answerCharts) charts.show(model, state, { ...row, processes });
        const asked = { ...choiceOf(model, row), ...state.values };
        parts.machine.ask(model, asked);
        parts.upload.ask(model, asked);
        busy([bodies.ranking, bodies.whatIf], false);
    }

    /* Other sizes and choices than those of the refused question may be possible. */
    #askOfOthers(error) {
        const { model, machine, machines } = page, state = structuredClone(page.state), { chart, recommendation } = this.parts;
        if (!(error instanceof Problem) || !machine || !error.errors.length || error.errors.some((fault) => isEverywhere(model, fault))) return;
        chart.draw({ model, state, row: null, machines, calibration: calibrationNow() });
        if (isKept(model)) recommendation.ask(model, state, null);
    }

    /* Removes the previous answer; view: why there is none. */
    #empty(view) {
        const all = Object.values(this.bodies), { pins, answerCharts } = this.parts;
        page.row = null;
        this.#progress.end();
        for (const body of all) fill(body, el("p", { class: "waiting" }, "No answer."));
        fill(this.bodies.answer);
        fill(byId("request"));
        pins.show(page.state, null);
        for (const charts of answerCharts) charts.show(page.model, page.state, null);
        fill(byId("answer-problem"), view);
        byId("live").textContent = "";
        fill(byId("strip"), "No prediction: why?");
        document.title = "No answer · forerun";
        busy(all, false);
    }
}
