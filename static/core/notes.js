/* What an address asks for and the page cannot show, said above the answer. */
import { byId, el, fill } from "./dom.js";
import { chosen } from "./page.js";

const notes = new Map(); /* name of the setting -> { line, value }: the value of which it is said, undefined if it is not of one alone */

/** view: what is said of the setting, or null. */
export function tell(name, view, value) {
    const line = view && el("p", {}, view), before = notes.get(name);
    if (line ? before?.line.isEqualNode(line) : !before) return; /* a screen reader would read it again */
    if (line) notes.set(name, { line, value });
    else notes.delete(name);
    draw();
}

/** Takes back what is said of values that the address no longer has. */
export function takeBack(query) {
    const given = new URLSearchParams(query), stale = [...notes].filter(([name, { value }]) => value !== undefined && given.get(name) !== value);
    for (const [name] of stale) notes.delete(name);
    if (stale.length) draw();
}

const draw = () => fill(byId("notes"), notes.size > 0 && el("div", { class: "notice" }, [...notes.values()].map(({ line }) => line)));

/** A value of the address, or undefined, which is said, if it is not one of those that the page has. */
export function known(name, value, isKnown, why) {
    const isStale = value !== undefined && value !== "" && !isKnown(value);
    tell(name, isStale && [el("code", {}, `${name}=${value}`), ` in the address is not shown: ${why}.`], value);
    return isStale ? undefined : value;
}

export const knownChoice = (name, isKnown, why) => known(name, chosen(name), isKnown, why);
