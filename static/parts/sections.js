/* The sections of the page, of which a narrow screen shows one at a time. */
import { byId } from "../core/dom.js";

const FIRST = "answer";
const narrow = window.matchMedia("(max-width: 60rem)"); /* as in style.css */
const sections = [...document.querySelectorAll("main > section, #question")];
const nav = document.querySelector(".top nav");

const sectionOf = (element) => sections.find((section) => section.contains(element));

/* The element that the fragment names; null without one. */
function target() {
    try {
        return byId(decodeURIComponent(location.hash.slice(1)));
    } catch {
        return null; /* a fragment that is no text */
    }
}

let wanted = byId(FIRST); /* a section that this operation does not have makes way for the first */

function choose(section) {
    wanted = section;
    draw();
}

function draw() {
    const section = wanted.hidden ? byId(FIRST) : wanted;
    for (const each of sections) each.classList.toggle("current", each === section);
    document.body.dataset.section = section.id;
    for (const link of nav.querySelectorAll("a")) {
        if (narrow.matches && link.hash === `#${section.id}`) {
            link.setAttribute("aria-current", "true");
            link.scrollIntoView({ block: "nearest", inline: "nearest" });
        } else {
            link.removeAttribute("aria-current");
        }
    }
}

/** Shows the section of an element, which may lie in one that is not shown. */
function reveal(element) {
    const section = sectionOf(element);
    if (section && section !== wanted) choose(section);
}

/** Moves the focus to an element, also of a section that is not shown. */
export function focusOn(element) {
    reveal(element);
    element.focus();
}

/* Scrolls to the element that the fragment names, and stays there while the page above it grows, until
 * the user scrolls or does anything else. */
const main = document.querySelector("main");
let arriving = null; /* { element, top, height }: the element, its place, and the height of the page then; empty: it is not there yet */

function arrive() {
    const element = target();
    arriving = location.hash.length > 1 ? {} : null;
    if (!element) return;
    reveal(element);
    element.scrollIntoView();
    arriving = { element, top: element.getBoundingClientRect().top, height: main.offsetHeight };
}

function stay() {
    const leave = () => { arriving = null; };
    new ResizeObserver(() => { if (arriving) arrive(); }).observe(main);
    for (const event of ["wheel", "touchstart", "pointerdown", "keydown"]) window.addEventListener(event, leave, { capture: true, passive: true });
    window.addEventListener("scroll", () => {
        if (arriving?.element && main.offsetHeight === arriving.height && Math.abs(arriving.element.getBoundingClientRect().top - arriving.top) > 2) leave();
    }, { passive: true });
}

/** Begins with the section of the address, and follows its fragment. */
export function followSections() {
    document.body.classList.add("paged");
    choose(sectionOf(target()) ?? byId(FIRST));
    stay();
    arrive();
    window.addEventListener("hashchange", arrive);
    window.addEventListener("popstate", () => choose(sectionOf(target()) ?? byId(FIRST))); /* also where the fragment is gone */
    narrow.addEventListener("change", () => choose(sectionOf(document.activeElement) ?? wanted));
    /* A link to the fragment of the address is no change of it. */
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("a[href^='#']");
        if (link && link.hash === location.hash) arrive();
    });
    const observer = new MutationObserver(draw);
    for (const section of sections) observer.observe(section, { attributes: true, attributeFilter: ["hidden"] });
}
