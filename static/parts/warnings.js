/* The warnings of an answer in sentences: the weightiest first, those of one kind as one. */
import { el } from "../core/dom.js";
import { capital, number } from "../core/units.js";

/** The warnings as they are told: [{ code, message }], the message a sentence. */
export const told = (list) => alike(weightiest(list)).map(({ code, message }) => ({ code, message: sentenceOf(message) }));

/** How many sentences the warnings take, if they have weight. */
export const countOf = (list) => (isSlight(list) ? 0 : told(list).length);

/** By how much of the time the warnings expect it to be wrong; null if some do not say it. */
export function errorOf(list) {
    const heavy = weightiest(list);
    return heavy.every(isWeighed) ? heavy.reduce((sum, one) => sum + expectedOf(one), 0) : null;
}

/** What the warnings come to, in one sentence with the weightiest reason, or null. */
export function leadOf(list) {
    const known = list.filter(isWeighed).sort((a, b) => expectedOf(b) - expectedOf(a)), error = known.reduce((sum, one) => sum + expectedOf(one), 0);
    if (told(list).length < 2 || error < SLIGHT) return null;
    const why = `${known.length > 1 ? "mostly " : ""}because ${grouped(named(known[0].message.replace(/; the time may be wrong .*/, "")))}`;
    return `The time may be wrong ${error < 1 ? `by about ${number(100 * error, 2)}\u00a0%` : "several times over"}, ${why}`;
}

const SLIGHT = 0.01; /* of the time: nobody decides otherwise for it */
const FIRST = 2; /* sentences that are shown unasked */

/** tag: the element of the heading; about: what they concern. */
export function warningsView(list, { tag = "h2", about = "" } = {}) {
    const all = told(list), shown = shownOf(list), lead = leadOf(list);
    if (!all.length) return null;
    const items = all.map(({ code, message }) => el("li", {}, message, " ", el("code", { class: "code" }, code)));
    if (isSlight(list))
        return el("details", { class: "remarks" }, el("summary", {}, `Partly outside the measured range${about && `, ${about}`}: the time may be wrong by less than 1 %`), el("ul", {}, items));
    const rest = items.splice(shown);
    return el("div", { class: "warnings" }, el(tag, { class: "minor" }, all.length === 1 ? "Warning" : `${all.length} warnings`, about && ` ${about}`),
        lead && el("p", {}, `${lead}.`), items.length > 0 && el("ul", {}, items),
        rest.length > 0 && el("details", {}, el("summary", {}, lead ? `${rest.length} more` : `${rest.length} more, of less weight`), el("ul", {}, rest)));
}

/** How many sentences are shown unasked: all whose weight is not known, among them a lack of memory; others where no lead speaks for
 * them, if there are few. */
export function shownOf(list) {
    const all = told(list).length, unknown = told(list.filter((w) => w.share_fraction == null)).length;
    if (leadOf(list)) return told(weightiest(list).filter((w) => !isWeighed(w))).length;
    const shown = Math.max(FIRST, unknown);
    return all > shown + 1 ? shown : all;
}

function isSlight(list) {
    const error = errorOf(list);
    return error !== null && error < SLIGHT;
}

/* An unknown share first, then an unknown error, then the largest share of the time.  A share of 0 is no reason to doubt. */
const weightiest = (list) => list.filter((w) => w.share_fraction !== 0).sort((a, b) => weightOf(b) - weightOf(a));

const isWeighed = ({ share_fraction: share, expected_error_fraction: error }) => share != null && error != null;
const expectedOf = ({ share_fraction: share, expected_error_fraction: error }) => share * error;

const weightOf = ({ share_fraction: share, expected_error_fraction: error }) => (share == null ? 2 : error == null ? 1 + share : share);

/* Warnings that differ only in what they concern become one sentence about all of it. */
function alike(list) {
    const kinds = new Map();
    for (const { code, what, message } of list) {
        const frame = what ? message.replace(what, "\0") : message, key = `${code} ${frame}`;
        if (!kinds.has(key)) kinds.set(key, { code, frame, whats: [] });
        if (what) kinds.get(key).whats.push(what);
    }
    return [...kinds.values()].map(({ code, frame, whats }) => ({ code, message: (whats.length > 1 ? frame.replace("\0 is ", "\0 are ") : frame).replace("\0", whats.join(", ")) }));
}

/* A value of the calibration is named as in a what-if, network.protocols, not by its JSON pointer. */
const named = (message) => message.replace(/(?<=^|[\s,])\/([a-z_]+(?:\/\w+)*)/g, (pointer, path) => path.replaceAll("/", "."));

/* Long numbers in groups of three digits: 33,554,432. */
const grouped = (message) => message.replace(/(?<![\w.])\d{5,15}(?![\w.]*\w)/g, (digits) => number(Number(digits)));

/* A name such as process_rows keeps its letters. */
function sentenceOf(message) {
    const words = grouped(named(message.trim())), isName = /^\w+[._]\w/.test(words);
    const text = isName ? words : capital(words);
    return /[.!?]$/.test(text) ? text : `${text}.`;
}
