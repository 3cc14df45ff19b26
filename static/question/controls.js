/* One parameter's control, by its type: { root, control, message, write(text), suggest?(text) }.
 *
 * `write` shows a value, or undefined for an open parameter; `suggest` shows the value that an
 * answer chose for an open parameter.  change(text) reports a new value, undefined if it is open.
 */
import { el } from "../core/dom.js";
import { page } from "../core/page.js";
import { asText } from "../core/query.js";
import { capital, number } from "../core/units.js";
import { field, input, read, select, show } from "../parts/fields.js";
import { exampleText } from "./example.js";

export const words = (name) => (name.length === 1 ? name : capital(name.replaceAll("_", " ")));
const unitOf = (p) => (p.unit && p.unit !== "1" ? p.unit : "");
const idOf = (p) => `p-${p.name}`;

export function controlOf(p, value, change) {
    if (p.type === "set") return set(p, value, change);
    if (p.type === "boolean" && !p.tunable) return checkbox(p, value, change);
    if (p.type === "choice" || p.type === "boolean") return choice(p, value, change);
    if (p.type === "text" && p.name === "matrix") return stored(p, value, change);
    return p.type === "text" ? area(p, value, change) : text(p, value, change);
}

const common = (p) => ({ label: words(p.name), unit: unitOf(p), hint: p.description });

function choice(p, value, change) {
    const open = p.tunable ? "best" : p.automatic ? "automatic" : null;
    const names = p.type === "boolean" ? ["true", "false"] : p.choices;
    const usual = p.default === undefined ? "" : asText(p.default);
    const control = select([...(open || usual === "" ? [["", open ?? "choose …"]] : []), ...names.map((c) => [c])], value ?? (open ? "" : usual));
    control.addEventListener("change", () => change(!open && control.value === usual ? undefined : control.value || undefined));
    return {
        ...field(idOf(p), { ...common(p), control }),
        write: (next) => { control.value = next ?? (open ? "" : usual); },
        suggest: (taken) => { if (open) control.options[0].textContent = taken && !control.value ? `${open}: ${taken}` : open; },
    };
}

function text(p, value, change) {
    const control = input(value, { placeholder: placeholder(p), inputmode: "text", "aria-required": p.required && !p.unless });
    const built = field(idOf(p), { ...common(p), hint: `${p.description ?? ""}${range(p)}`, control });
    control.addEventListener("input", () => change(read(p, built)));
    if (page.assumed.includes(p.name)) Object.assign(built.understood, { hidden: false, textContent: "assumed: give your own" });
    return {
        ...built,
        write: (next) => show(built, next),
        suggest: (taken) => {
            const open = p.tunable ? "best" : p.automatic ? "automatic" : null;
            control.placeholder = open ? `${open}${taken ? `: ${taken}` : ""}` : placeholder(p);
        },
    };
}

/* A list of the stored matrices by name.  An id from a link is kept. */
function stored(p, value, change) {
    let now = value ?? "";
    const control = select([], "", { "aria-required": p.required });
    const write = (next, items = p.offered ?? []) => {
        now = next ?? "";
        const isKnown = !now || items.some(({ name }) => name === now);
        const options = [["", !items.length ? "none: upload one under Matrices" : p.required ? "choose …" : "none"], ...(isKnown ? [] : [[now]]),
            ...items.map(({ name, orderings, n }) => [name, orderings?.length ? `${name} (n = ${number(n)})` : `${name} (no ordering ready)`])];
        control.replaceChildren(...options.map(([key, text]) => el("option", { value: key }, text ?? key)));
        control.value = now;
    };
    control.addEventListener("change", () => {
        now = control.value;
        change(now || undefined);
    });
    write(value);
    return {
        ...field(idOf(p), { ...common(p), hint: "An analyzed matrix; see Matrices.", control }),
        write: (next) => write(next, p.offered),
        offer(items) {
            p.offered = items;
            write(now, items);
        },
    };
}

/* A text of several lines, such as a list of calls.  Pasted text is never cut; `faultsOf` reports a
 * text that is too long. */
function area(p, value, change) {
    const lines = (text) => Math.min(12, Math.max(4, text.split("\n").length + 1));
    const control = el("textarea", { class: "fixed", spellcheck: "false", autocapitalize: "off", rows: lines(value ?? ""),
        "aria-required": p.required, placeholder: exampleText(p.name) ?? placeholder(p), value: value ?? "" });
    control.addEventListener("input", () => change(control.value.trim() || undefined));
    return {
        ...field(idOf(p), { ...common(p), hint: `${p.description ?? ""}${p.maxLength ? ` At most ${number(p.maxLength)} characters.` : ""}`, control }),
        write: (next) => { control.value = next ?? ""; },
    };
}

/* A set of names: a checkbox for each. */
function set(p, value, change) {
    const id = idOf(p), usual = asText(p.default ?? []);
    const members = (given) => (given === "none" ? [] : given.split(":"));
    const boxes = p.choices.map((member) => {
        const box = el("input", { type: "checkbox", id: `${id}-${member}` });
        box.addEventListener("change", () => {
            const given = p.choices.filter((_, i) => boxes[i].box.checked).join(":") || "none";
            change(given === usual ? undefined : given);
        });
        return { member, box };
    });
    const write = (next) => { for (const { member, box } of boxes) box.checked = members(next ?? usual).includes(member); };
    const message = el("p", { class: "fault", id: `${id}-fault`, hidden: true });
    const root = el("fieldset", { class: "set", id, tabindex: "-1", "aria-describedby": `${id}-hint ${id}-fault` }, el("legend", {}, words(p.name)),
        boxes.map(({ member, box }) => el("div", { class: "check" }, box, el("label", { for: box.id }, member.replaceAll("_", " ")))),
        message, el("p", { class: "hint", id: `${id}-hint` }, p.description));
    write(value);
    return { root, control: root, message, write };
}

function checkbox(p, value, change) {
    const id = idOf(p), usual = p.default === true;
    const control = el("input", { type: "checkbox", id, "aria-describedby": `${id}-hint ${id}-fault`, checked: (value ?? String(usual)) === "true" });
    control.addEventListener("change", () => change(control.checked === usual ? undefined : String(control.checked)));
    const message = el("p", { class: "fault", id: `${id}-fault`, hidden: true });
    const root = el("div", { class: "field check" }, control, el("label", { for: id }, words(p.name)), message,
        el("p", { class: "hint", id: `${id}-hint` }, p.description));
    return { root, control, message, write: (next) => { control.checked = (next ?? String(usual)) === "true"; } };
}

function placeholder(p) {
    if (p.tunable) return "best";
    if (p.unless) return `required, or ${p.unless.replaceAll("_", " ")}`;
    if (p.default !== undefined && p.default !== null) return asText(p.default);
    return p.automatic ? "automatic" : p.required ? "required" : "not given";
}

/* The range as text, if its upper limit is at most 1000. */
function range(p) {
    if (p.type === "vector") return " For example 16x16x16.";
    if (p.minimum === undefined || p.maximum === undefined || p.maximum > 1000) return "";
    if (p.minimum > 0 && p.minimum < 1e-3) return ` At most ${number(p.maximum)}.`;
    return ` ${number(p.minimum)} to ${number(p.maximum)}.`;
}
