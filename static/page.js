/* What the page is about: its state, written to the address bar, and what it has loaded for it. */
import { readState, writeState } from "./state.js";

let written = location.search; /* the query that equals the state */

/** Whether the address had no question when the page was opened. */
export const isFirstView = written === "";

export const page = {
    state: readState(location.search),
    machines: [], models: [],
    model: null, machine: null, /* details; null: unknown */
    served: null,               /* what the machine answers, of servedBy; null: not yet known */
    trials: Promise.resolve(),  /* until `served` is known, or cannot be */
    row: null,                  /* the configuration of the answer */
};

/** The calibration that the question uses. */
export const calibrationNow = () => page.state.calibration || page.machine?.calibration;

/** Whether the address has no question. */
export const isUnasked = () => written === "";

/** Writes the state to the address; push: as a step of the Back button. */
export function write({ push = false } = {}) {
    const query = writeState(page.state);
    written = query ? `?${query}` : "";
    const url = `${location.pathname}${written}${location.hash}`;
    if (push) history.pushState(null, "", url);
    else history.replaceState(null, "", url);
}

/** Reads the state from the address when the Back button changes it, and calls `act`. */
export function followBack(act) {
    window.addEventListener("popstate", () => {
        if (location.search === written) return; /* a jump within the page */
        page.state = readState(location.search);
        written = location.search;
        act();
    });
}

export function busy(elements, is) {
    for (const element of elements) element.setAttribute("aria-busy", String(is));
}
