/* Shows an error: the faults that have no field, and failures of the daemon. */
import { once, Problem, Unreachable } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { page } from "../core/page.js";
import { emptyState, writeState } from "../core/state.js";
import { token } from "../core/token.js";
import { compact, remedyView } from "./faults.js";
import { sentence } from "./fields.js";
import { focusOn } from "./sections.js";
import { readingView } from "./token.js";

const LISTED = 8; /* faults written out */
const TRIED = 16; /* other machines that may answer */

/* What is no fault of the question. */
const PASSING = { 429: "Too many requests.", 503: "The daemon is busy." };

/**
 * shown: the result of Faults.show; retry(): repeats the request; title: the heading; isWhole: the whole page waits for it.
 * remedies(fault): [{ text, label, act }], the buttons that remove it.
 * `model` and `machine` (their details) serve to explain what the calibration lacks.
 */
export function problemView(error, { shown = [], retry, remedies = () => [], model, machine, title = "No prediction for this question.", isWhole = false } = {}) {
    if (error instanceof Unreachable) return unreachable(error, retry);
    if (!(error instanceof Problem)) {
        console.error(error); /* a defect of this page */
        return el("div", { class: "problem" }, el("p", {}, el("strong", {}, "This page failed."), ` ${error.message}`));
    }
    const isPassing = error.status >= 500 || error.status === 429, missing = error.has("calibration_group_missing");
    const lacks = missing && machine && model && !machine.models?.includes(model.name);
    const asksToken = error.status === 401 && isWhole;
    const told = new Set();
    const once = (list) => list.filter(({ text, label = text }) => !told.has(label) && told.add(label)); /* several faults may have one remedy */
    return el("div", { class: "problem" },
        el("p", {}, el("strong", {}, lacks ? `${machine.name} cannot answer ${model.name}.` : missing ? "The calibration of this machine is not sufficient." : isPassing ? PASSING[error.status] ?? "The daemon failed." : title)),
        error.errors.length === 0 && !(asksToken && !token.value) && el("p", {}, error.message),
        lacks && [lacking(machine, model), elsewhere(machine, model)],
        shown.length > 0 && el("ul", {}, shown.slice(0, LISTED).map(({ error: fault, control }) => el("li", {},
            control ? link(fault, control) : [fault.parameter ? [el("code", {}, fault.parameter), ": "] : "", stopped(sentence(fault))],
            once(remedies(fault)).map(({ text, label, act }) => [" ", el("button", { type: "button", class: "quiet", "aria-label": label, on: { click: act } }, text)]))),
            shown.length > LISTED && el("li", {}, `And ${shown.length - LISTED} more.`)),
        missing && remedyView(shown.map((each) => each.error), { model, machine }),
        asksToken && readingView(retry),
        isPassing && retry && el("button", { type: "button", on: { click: retry } }, "Try again"));
}

/** The faults of an error, for a view without fields. */
export const unplaced = (error) => compact(error.errors ?? []).map((fault) => ({ error: fault, control: null }));

function link(fault, control) {
    return [el("a", { href: `#${control.id || ""}`, on: { click: (event) => { event.preventDefault(); focusOn(control); } } },
        control.labels?.[0]?.textContent ?? control.getAttribute("aria-label") ?? fault.parameter), `: ${stopped(sentence(fault))}`];
}

const stopped = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

function lacking(machine, model) {
    const others = [...(page.served?.keys() ?? machine.models ?? [])].filter((name) => name !== model.name);
    return el("p", {}, others.length ? ["It serves ", linked(others, (name) => ({ ...emptyState(), machine: machine.name, model: name })), "."]
        : "Measure it with forerun-calibrate, or select another machine.");
}

/* The same question on a machine that answers it. */
function elsewhere(machine, model) {
    const view = el("p"), { state } = page, others = page.machines.filter(({ name, calibration }) => calibration && name !== machine.name).slice(0, TRIED);
    Promise.allSettled(others.map(({ calibration }) => once(`calibrations/${calibration}/quality`))).then((known) => {
        const able = others.filter((_, i) => known[i].value?.parts.every((part) => !part.refused_models.includes(model.name))).map(({ name }) => name);
        if (able.length) fill(view, `Ask ${model.name} of `, linked(able, (name) => ({ ...state, machine: name, calibration: "" })), ".");
    });
    return view;
}

const linked = (names, stateOf) => names.map((name, i) => [i > 0 && ", ", el("a", { href: `?${writeState(stateOf(name))}` }, name)]);

function unreachable(error, retry) {
    return el("div", { class: "problem" }, el("p", {}, el("strong", {}, error.message), " It may be restarting, or the network is down. What you entered is kept."),
        retry && el("button", { type: "button", on: { click: retry } }, "Try again"));
}
