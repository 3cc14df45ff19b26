/* What an address asks for and the page cannot show, said above the answer. */
import { byId, el, fill } from "./dom.js";
import { chosen } from "./page.js";

const notes = new Map(); /* name of the setting -> what is said of it */

/** view: what is said of the setting, or null. */
export function tell(name, view) {
    if (view) notes.set(name, view);
    else if (!notes.delete(name)) return;
    fill(byId("notes"), notes.size > 0 && el("div", { class: "notice" }, [...notes.values()].map((each) => el("p", {}, each))));
}

/** A value of the address, or undefined, which is said, if it is not one of those that the page has. */
export function known(name, value, isKnown, why) {
    const isStale = value !== undefined && value !== "" && !isKnown(value);
    tell(name, isStale && [el("code", {}, `${name}=${value}`), ` in the address is not shown: ${why}.`]);
    return isStale ? undefined : value;
}

export const knownChoice = (name, isKnown, why) => known(name, chosen(name), isKnown, why);
