/* Answers side by side, each with its calibration, so that the link gives the same numbers later. */
import { get, once } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { answerIdentity, lineOf } from "../core/identity.js";
import { asText, choiceOf, predictQuery } from "../core/query.js";
import { emptyState, readState, writeState } from "../core/state.js";
import { number, quantity, range } from "../core/units.js";
import { ROWS, scriptView } from "../parts/request.js";
import { breakdownParts } from "../answer/breakdown.js";
import { comparison } from "../answer/effect.js";
import { words } from "./controls.js";

const MOST = 4;
const BAR_REM = 9; /* of the longest time, in columns of any width */
const ADDRESS_CHARACTERS = 7000; /* of the 8 KiB that an address may have */

const FIGURES = [
    ["Time", ({ time_s }) => quantity("time_s", time_s, 3)],
    ["90\u00a0% of runs", ({ interval, time_s }) => interval && range(interval.low_s, interval.high_s, { of: time_s })],
    ["Of peak", ({ percent_of_peak: percent }) => typeof percent === "number" && quantity("percent_of_peak", percent, 3)],
    ["Rate", ({ gflops }) => gflops && quantity("gflops", gflops, 3)],
    ["Nodes", ({ nodes }) => nodes && number(nodes)],
    ["Processes", ({ processes }) => processes && number(processes)],
    ["Memory per process", ({ memory_bytes_per_process: bytes }) => bytes && quantity("memory_bytes_per_process", bytes, 3)],
    ["Sent per process", ({ communication_bytes_per_process: bytes }) => typeof bytes === "number" && quantity("communication_bytes_per_process", bytes, 3)],
    ["Warnings", ({ warnings }) => number(warnings.length)],
];

const kept = new Map(); /* pin -> the promise of its answer */

function answerOf(pin) {
    if (!kept.has(pin)) kept.set(pin, ask(pin).catch((error) => { kept.delete(pin); return { pin, error }; }));
    return kept.get(pin);
}

async function ask(pin) {
    const state = readState(pin), query = predictQuery(state);
    const [model, prediction] = await Promise.all([once(`models/${encodeURIComponent(state.model)}`), get(`predict/${encodeURIComponent(state.model)}`, query)]);
    return { pin, model, prediction, identity: answerIdentity({ query, prediction, model }) };
}

export class Pins {
    #state = null;
    #current = null; /* the answer of the page: { model, prediction, identity }, or null */
    #asked = null;   /* its question, which may differ from the state while the next answer is awaited */
    #shown = 0;

    /** button: pins the answer; changed(): the pins of the state have changed. */
    constructor({ section, body, link, button, said, changed }) {
        Object.assign(this, { section, body, link, button, said, changed });
        button.addEventListener("click", () => this.#pin());
    }

    /** answer: of the page, or null. */
    async show(state, answer) {
        this.#state = state;
        this.#current = answer;
        this.#asked = structuredClone({ model: state.model, machine: state.machine, values: state.values, whatIf: state.whatIf });
        await this.#draw();
    }

    #pin() {
        const { model, prediction } = this.#current, state = this.#state, asked = this.#asked;
        const pin = writeState({ ...emptyState(), ...asked, calibration: prediction.calibration ?? "",
            values: { ...choiceOf(model, prediction.parameters), ...asked.values } });
        const isTooLong = writeState({ ...state, pins: [...state.pins, pin] }).length > ADDRESS_CHARACTERS;
        if (state.pins.includes(pin) || isTooLong || state.pins.length === MOST) {
            this.said.textContent = state.pins.includes(pin) ? "This answer is pinned already." : isTooLong ? "The link would get too long with one more: unpin another first." : `At most ${MOST} answers can be pinned: unpin another first.`;
            return;
        }
        state.pins.push(pin);
        this.said.textContent = "Pinned. Change the question, and compare below.";
        this.changed();
        this.#draw();
    }

    #unpin(i) {
        this.#state.pins.splice(i, 1);
        this.said.textContent = "";
        this.changed();
        this.#draw().then(() => (this.body.querySelectorAll("button")[Math.min(i, this.#state.pins.length - 1)] ?? this.button).focus());
    }

    async #draw() {
        const drawing = ++this.#shown, { pins } = this.#state;
        this.button.hidden = !this.#current;
        this.section.hidden = this.link.hidden = !pins.length;
        if (!pins.length) return fill(this.body);
        this.body.setAttribute("aria-busy", "true");
        const answers = await Promise.all(pins.map(answerOf));
        if (drawing !== this.#shown) return undefined; /* a newer call draws */
        fill(this.body, sideBySide([this.#current, ...answers], (i) => this.#unpin(i)));
        this.body.setAttribute("aria-busy", "false");
        return undefined;
    }
}

/* What two questions may differ in: [[name, texts of the answers]]. */
function traitsOf(answers) {
    const of = (name, text) => [name, answers.map((answer) => (answer?.prediction ? text(answer) ?? "–" : "–"))];
    const names = [...new Set(answers.flatMap((answer) => Object.keys(answer?.prediction?.parameters ?? {})))];
    return [
        of("Operation", ({ model }) => model.name), of("Machine", ({ prediction }) => prediction.machine), of("Calibration", ({ prediction }) => prediction.calibration?.slice(0, 8)),
        of("What if", ({ identity }) => identity.changes.join(", ") || "as calibrated"),
        ...names.map((name) => of(words(name), ({ prediction }) => {
            const value = prediction.parameters[name];
            return value === null || value === undefined ? undefined : typeof value === "number" ? number(value, 6) : asText(value);
        })),
    ];
}

function sideBySide(answers, unpin) {
    const isOther = ([, texts]) => new Set(texts.filter((_, i) => answers[i]?.prediction)).size > 1;
    const traits = traitsOf(answers), [first] = answers, known = answers.filter((answer) => answer?.prediction);
    const figures = FIGURES.map(([name, text]) => [name, answers.map((answer) => (answer?.prediction ? text(answer.prediction) || "–" : "–"))]).filter(([, texts]) => texts.some((text) => text !== "–"));
    const differs = (texts, i) => i > 0 && answers[0]?.prediction && answers[i].prediction && texts[i] !== texts[0];
    const row = ([name, texts]) => el("tr", {}, el("th", { scope: "row" }, name), texts.map((text, i) => el("td", {}, differs(texts, i) ? el("mark", {}, text) : text,
        name === "Time" && differs(texts, i) && el("span", { class: "hint" }, ` ${comparison(answers[i].prediction.time_s, first.prediction.time_s)}`.replace("before", "this question")))));
    const pins = answers.slice(1).map(({ pin }) => pin), longest = Math.max(...known.map(({ prediction }) => prediction.time_s));
    return [
        el("p", { class: "hint lead" }, `What differs from this question is marked. ${sameOf(traits.filter((trait) => !isOther(trait)), answers[1].pin)}`),
        el("div", { class: "scroll", role: "region", "aria-label": "Table of the questions", tabindex: "0" }, el("table", { class: "side-by-side" },
            el("caption", { class: "unseen" }, "Questions side by side"),
            el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Question"), answers.map((answer, i) => el("th", { scope: "col" }, headOf(answer, i, pins, unpin))))),
            el("tbody", {}, figures.slice(0, 1).map(row), known.length > 0 && barsOf(answers, longest), traits.filter(isOther).map(row), figures.slice(1).map(row)))),
        scriptView("pinned questions", answers.slice(1).map(({ pin }, i) => ({ text: `pinned ${i + 1}`, path: `predict/${encodeURIComponent(readState(pin).model)}`, query: predictQuery(readState(pin)), formats: ROWS }))),
    ];
}

/* What all questions share, of what a pin gives. */
function sameOf(traits, pin) {
    const told = new Set(["Operation", "Machine", ...Object.keys(readState(pin).values).map(words)]);
    const same = traits.filter(([name, [, pinned]]) => told.has(name) && pinned !== "–").map(([name, [, text]]) => `${name.length === 1 ? name : name.toLowerCase()} ${text}`);
    return same.length ? `The same in all: ${same.join(", ")}.` : "";
}

function headOf(answer, i, pins, unpin) {
    if (i === 0) return [el("strong", {}, "This question"), !answer && el("span", { class: "hint" }, " has no answer")];
    const { pin, error, identity } = answer;
    return [el("strong", {}, `Pinned ${i}`), el("div", { class: "hint" }, error ? `No answer: ${error.message}` : lineOf({ ...identity, parameters: [] })),
        el("div", { class: "links" }, el("a", { href: `?${writeState({ ...readState(pin), pins })}`, "aria-label": `Open the question pinned ${i}` }, "Open"),
            el("button", { type: "button", class: "quiet", "aria-label": `Unpin ${i}`, on: { click: () => unpin(i - 1) } }, "Unpin"))];
}

/* Bars of one scale: what computing and communicating add to the time. */
const barsOf = (answers, longest) => el("tr", {}, el("th", { scope: "row" }, "Parts of it"), answers.map((answer) => el("td", {}, answer?.prediction && breakdownParts(answer.prediction.breakdown).map(({ kind, time_s }) => {
    const piece = el("div", { class: `share ${kind}`, "aria-hidden": "true" });
    piece.style.width = `${(BAR_REM * time_s) / longest}rem`;
    return el("div", {}, piece, el("span", { class: "hint" }, `${quantity("time_s", time_s, 3)} ${kind}`));
}))));
