/* Fields: a control with label, hint and message.  Shows each fault of an answer at its field. */
import { el, fill } from "../core/dom.js";
import { meant } from "../core/typed.js";
import { number } from "../core/units.js";
import { compact } from "./faults.js";

const SHOWN = 6; /* messages at one field */

/** { root, control, message, understood }: `id` must be unique on the page. */
export function field(id, { label, unit, hint, control, extra }) {
    const message = el("p", { class: "fault", id: `${id}-fault`, hidden: true });
    const understood = el("p", { class: "hint understood", "aria-live": "polite", hidden: true });
    const described = [hint && `${id}-hint`, `${id}-fault`].filter(Boolean).join(" ");
    control.id = id;
    control.setAttribute("aria-describedby", described);
    const root = el("div", { class: "field" },
        el("div", { class: "field-head" }, el("label", { for: id }, label), unit && el("span", { class: "unit" }, unit)),
        extra ? el("div", { class: "field-pair" }, extra, control) : control,
        understood, message,
        hint && el("p", { class: "hint", id: `${id}-hint` }, hint));
    return { root, control, message, understood };
}

/** The value of the field for a parameter, undefined if it is empty.  Says what it took a text such as 64k for. */
export function read(p, { control, understood }) {
    const value = meant(p, control.value), isOther = value !== control.value.trim();
    understood.hidden = !isOther;
    understood.textContent = isOther ? `= ${Number.isNaN(Number(value)) ? value : number(Number(value), 15)}${p.unit && p.unit !== "1" ? ` ${p.unit}` : ""}` : "";
    return value || undefined;
}

/** Shows a value that did not come from the field. */
export function show({ control, understood }, value) {
    control.value = value ?? "";
    understood.hidden = true;
}

/** options: [value, text, disabled], or { label, options } for a group of them. */
export function select(options, value, attributes = {}) {
    const view = (option) => (Array.isArray(option) ? el("option", { value: option[0], disabled: option[2] }, option[1] ?? option[0])
        : el("optgroup", { label: option.label }, option.options.map(view)));
    const control = el("select", attributes, options.map(view));
    control.value = value ?? "";
    return control;
}

export const input = (value, attributes = {}) =>
    el("input", { type: "text", inputmode: "decimal", spellcheck: "false", value: value ?? "", ...attributes });

/* Several parts that it lacks fill many lines, and stand with the refusal. */
const isLacking = ({ code }) => code === "calibration_group_missing";
const LACKING = "Its calibration lacks what this operation needs";

/** Maps the parameters of the API to their fields on the page. */
export class Faults {
    #places = new Map();

    bind(name, { control, message }) {
        this.#places.set(name, { control, message });
    }

    unbind(matches) {
        for (const name of this.#places.keys()) if (matches(name)) this.#places.delete(name);
    }

    clear() {
        for (const { control, message } of this.#places.values()) {
            control.removeAttribute("aria-invalid");
            message.hidden = true;
            fill(message);
        }
    }

    /** Shows each fault at its field; returns [{ error, control }], control null if it has no field. */
    show(errors) {
        this.clear();
        const told = new Map(); /* message -> the texts in it */
        const joined = compact(errors), areMany = joined.filter(isLacking).length > 1;
        const shown = joined.map((error) => {
            const place = this.#places.get(error.parameter);
            if (!place) return { error, control: null };
            place.control.setAttribute("aria-invalid", "true");
            place.control.closest("details")?.setAttribute("open", "");
            told.set(place.message, (told.get(place.message) ?? new Set()).add(areMany && isLacking(error) ? LACKING : sentence(error)));
            return { error, control: place.control };
        });
        for (const [message, all] of told) {
            const texts = [...all];
            message.hidden = false;
            const lines = texts.length > SHOWN ? [...texts.slice(0, SHOWN), `And ${texts.length - SHOWN} more.`] : texts;
            fill(message, lines.map((text, i) => [i > 0 && el("br"), text]));
        }
        return shown;
    }
}

/**
 * The message without the name of the parameter, which the field already shows, and without a list or a choice that the page
 * offers.  A name such as process_rows keeps its letters.
 */
export function sentence(error) {
    const prefix = `${error.parameter}: `, message = error.message.replace(/; see \/api\/\S+$|, or (?:ask )?with memory=ignore$/, "");
    const text = message.startsWith(prefix) ? message.slice(prefix.length) : message;
    return /^\w+[._]\w/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
}
