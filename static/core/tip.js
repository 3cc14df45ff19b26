/* Texts that tell more of themselves: by pointer, by keyboard and by tap, which `title` alone does not reach. */
import { el, fill } from "./dom.js";

const tip = el("div", { class: "tip-box", id: "tip-box", role: "tooltip", hidden: true, on: { pointerleave: () => hide() } });
let owner = null; /* the button whose tip is shown */
const replaced = new MutationObserver(() => { if (!owner.isConnected) hide(); }); /* no event tells a button that it has left the page */

/** A text that tells more of itself on hover, focus and tap. */
export const tipped = (text, more, attributes = {}) => el("button", { type: "button", class: "tipped", ...attributes, on: {
    pointerenter: ({ pointerType, currentTarget }) => { if (pointerType === "mouse") show(currentTarget, more); },
    pointerleave: ({ relatedTarget, currentTarget }) => { if (!tip.contains(relatedTarget) && document.activeElement !== currentTarget) hide(); },
    focus: ({ currentTarget }) => show(currentTarget, more),
    blur: () => hide(),
    click: ({ currentTarget }) => show(currentTarget, more),
} }, text);

document.addEventListener("pointerdown", ({ target }) => { if (owner && !owner.contains(target) && !tip.contains(target)) hide(); });
document.addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });

function show(button, more) {
    hide();
    owner = button;
    owner.setAttribute("aria-describedby", tip.id);
    fill(tip, more);
    tip.hidden = false;
    document.body.append(tip);
    replaced.observe(document.body, { childList: true, subtree: true });
    const { left, bottom } = button.getBoundingClientRect(), room = document.documentElement.clientWidth - tip.offsetWidth - 8;
    tip.style.left = `${window.scrollX + Math.max(8, Math.min(left, room))}px`;
    tip.style.top = `${window.scrollY + bottom}px`;
}

function hide() {
    owner?.removeAttribute("aria-describedby");
    owner = null;
    replaced.disconnect();
    tip.hidden = true;
}

/** In place of a value that there is not: a dash that tells why. */
export const none = (why) => tipped("–", why, { "aria-label": "No value", "aria-description": why });
