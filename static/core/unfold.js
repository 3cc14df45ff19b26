/* Parts that unfold.  The address names those that are not as usual: open=calls,-script-this-prediction. */
import { append, el } from "./dom.js";
import { choose, chosen, write } from "./page.js";

const lasting = []; /* functions that fold the parts which no answer builds anew */

const listed = () => (chosen("open") ?? "").split(",").filter(Boolean);
const without = (key) => listed().filter((each) => each !== key && each !== `-${key}`);
const isOpen = (key, isUsual) => listed().includes(isUsual ? `-${key}` : key) !== isUsual;

/** Folds or unfolds a <details> as the address says, and writes there what the user does. */
function follow(details, key, isUsual, opened) {
    details.open = isOpen(key, isUsual);
    details.addEventListener("toggle", () => {
        if (!details.isConnected) return;
        if (details.open !== isOpen(key, isUsual)) {
            choose("open", [...without(key), ...(details.open === isUsual ? [] : [isUsual ? `-${key}` : key])].join(","));
            write();
        }
        if (details.open) opened?.();
    });
    return details;
}

/**
 * A part that unfolds.  content: what it has, or a function that makes it when it is first unfolded, since most tables never are.
 * opened(): called where it is unfolded, also at first.
 */
export function unfolding(key, summary, content, { isUsual = false, opened, ...attributes } = {}) {
    const isLater = typeof content === "function", details = el("details", attributes, el("summary", {}, summary), !isLater && content);
    follow(details, key, isUsual, opened);
    if (isLater) whenOpen(details, () => append(details, [content()]));
    return details;
}

/* Calls act() once.  The event of a <details> comes later, after a frame without the content. */
function whenOpen(details, act) {
    if (details.open) return act();
    const observer = new MutationObserver(() => {
        observer.disconnect();
        act();
    });
    return observer.observe(details, { attributeFilter: ["open"] });
}

/** The same for a <details> that stays on the page. */
export function unfolds(details, key) {
    follow(details, key, false);
    lasting.push(() => { details.open = isOpen(key, false); });
}

/** After the address has changed. */
export const refold = () => { for (const fold of lasting) fold(); };
