/* The warnings of an answer in sentences: the weightiest first, those of one kind as one. */
import { el } from "../core/dom.js";
import { capital, number } from "../core/units.js";

/** The warnings as they are told: [{ code, message }], the message a sentence. */
export const told = (list) => alike(weightiest(list)).map(({ code, message }) => ({ code, message: sentenceOf(message) }));

/** How many sentences the warnings take, if they have weight. */
export const countOf = (list) => (isSlight(list) ? 0 : told(list).length);

/** By how much of the time the warnings expect it to be wrong; null if some do not say it. */
export function errorOf(list) {
    const errors = weightiest(list).map(({ share_fraction: share, expected_error_fraction: error }) => (share == null || error == null ? NaN : share * error));
    const sum = errors.reduce((all, one) => all + one, 0);
    return Number.isNaN(sum) ? null : sum;
}

const SLIGHT = 0.01; /* of the time: nobody decides otherwise for it */
const FIRST = 2; /* sentences that are shown unasked */

/** list: the warnings of a prediction; tag: the element of the heading; about: what they concern, for the heading. */
export function warningsView(list, { tag = "h2", about = "" } = {}) {
    const all = told(list), shown = shownOf(list);
    if (!all.length) return null;
    const items = all.map(({ code, message }) => el("li", {}, message, " ", el("code", { class: "code" }, code)));
    if (isSlight(list))
        return el("details", { class: "remarks" }, el("summary", {}, `Partly outside the measured range${about && `, ${about}`}: the time may be wrong by less than 1 %`), el("ul", {}, items));
    const rest = items.splice(shown);
    return el("div", { class: "warnings" }, el(tag, { class: "minor" }, all.length === 1 ? "Warning" : `${all.length} warnings`, about && ` ${about}`),
        el("ul", {}, items), rest.length > 0 && el("details", {}, el("summary", {}, `${rest.length} more, of less weight`), el("ul", {}, rest)));
}

/** How many sentences are shown unasked: all whose weight is not known, among them a lack of memory; no single one is folded. */
export function shownOf(list) {
    const all = told(list).length, shown = Math.max(FIRST, told(list.filter((w) => w.share_fraction == null)).length);
    return all > shown + 1 ? shown : all;
}

function isSlight(list) {
    const error = errorOf(list);
    return error !== null && error < SLIGHT;
}

/* An unknown share first, then the largest share of the time.  A share of 0 is no reason to doubt. */
const weightiest = (list) => list.filter((w) => w.share_fraction !== 0).sort((a, b) => weightOf(b) - weightOf(a));

const weightOf = ({ share_fraction: share }) => (share == null ? 2 : share);

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
