/* The state of the page, in the address bar, and what is loaded for it.  Each edit is an entry of the history. */
import { debounced } from "./dom.js";
import { readState, writeState } from "./state.js";

const TYPING_MS = 250;

let written = location.search; /* the query that equals the state */
let field = null;      /* where the user edits */
let isPending = false; /* an edit is not written yet */
let isEntered = false; /* the edit has an entry of the history */
let follow = () => {}; /* of followWrites */

/** Whether the address had no question when the page was opened. */
export const isFirstView = written === "";

export const page = {
    state: readState(location.search),
    machines: [], models: [],
    model: null, machine: null, /* details; null: unknown */
    served: null,               /* what the machine answers, of servedBy; null: not yet known */
    trials: Promise.resolve(),  /* until `served` is known, or cannot be */
    row: null,                  /* the configuration of the answer */
    assumed: [],                /* parameters that another operation got without being asked */
};

/** The calibration that the question uses; undefined until its machine is known. */
export const calibrationNow = () => page.state.calibration || (page.machine?.name === page.state.machine ? page.machine?.calibration : undefined);

/** Whether the address has no question. */
export const isUnasked = () => written === "";

/** A choice of the view; undefined: the usual one. */
export const chosen = (name) => page.state.view[name];

/** Sets it; "": the usual one.  It is written by write or soon. */
export function choose(name, value) {
    if (value) page.state.view[name] = value;
    else delete page.state.view[name];
}

/** Forgets the choices of a part, which belong to what was shown before. */
export function forget(part) {
    for (const name of Object.keys(page.state.view)) if (name.startsWith(`${part}.`)) delete page.state.view[name];
}

/** Turns to a calibration of a machine, "" for the newest, and forgets what was chosen of another one. */
export function turnTo(machine, calibration = "") {
    for (const part of machine === page.state.machine ? ["kernel"] : ["kernel", "compare", "runs"]) forget(part);
    Object.assign(page.state, { machine, calibration });
}

/** Writes the state to the address; push: as a step of the Back button. */
export function write({ push = false } = {}) {
    const query = writeState(page.state), now = query ? `?${query}` : "", isStep = push || (isPending && !isEntered);
    isPending = false;
    if (isStep && now === written) return;
    written = now;
    follow(query);
    const url = `${location.pathname}${written}${location.hash}`;
    if (isStep) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
}

/** The address with the calibration of the answer, so that it gives the same after another one was uploaded. */
export function pinnedLink() {
    const { state, row } = page, query = writeState({ ...state, calibration: row?.calibration ?? calibrationNow() ?? "" });
    return `${location.origin}${location.pathname}?${query}${location.hash}`;
}

/** A function for edits of the user: it writes them, and calls `act`, when the user stops typing. */
export function soon(act) {
    const later = debounced(() => { writeEdit(); act(); }, TYPING_MS);
    return () => {
        isPending = true;
        later();
    };
}

function writeEdit() {
    if (!isPending) return;
    write();
    isEntered = true;
}

/** Ends an edit where another begins.  These listeners are called before those that change the state. */
export function followEdits() {
    for (const type of ["keydown", "input", "change", "click"]) document.addEventListener(type, ({ target }) => {
        const goesOn = target === field && (type === "keydown" || type === "input") && target.matches("input, textarea");
        field = target;
        if (goesOn) return;
        writeEdit();
        isEntered = false;
    }, { capture: true });
}

/** Calls act(query) where the state is written to the address. */
export function followWrites(act) {
    follow = act;
}

/** Reads the state from the address when the Back button changes it, and calls `act`. */
export function followBack(act) {
    window.addEventListener("popstate", () => {
        if (location.search === written) return; /* a jump within the page */
        page.state = readState(location.search);
        written = location.search;
        isPending = isEntered = false;
        act();
    });
}

export function busy(elements, is) {
    for (const element of elements) element.setAttribute("aria-busy", String(is));
}
