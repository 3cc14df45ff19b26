/* The requests behind a part of the page as commands for a shell, in each format that their route has. */
import { address } from "../core/api.js";
import { copyButton, el, unseen } from "../core/dom.js";
import { knownChoice } from "../core/notes.js";
import { choose, write } from "../core/page.js";
import { readable } from "../core/state.js";
import { unfolding } from "../core/unfold.js";
import { curlOf } from "./curl.js";

export const ROWS = ["json", "csv", "txt"];
const CHART = ["svg", "png", "pdf", "gp", "json"];
const WORDS = { json: "JSON", csv: "CSV", txt: "for eval in a shell", ndjson: "JSON Lines, with progress", tex: "LaTeX", dat: "input of HPL", svg: "SVG", png: "PNG", pdf: "PDF", gp: "gnuplot" };

const KEY_CHARACTERS = 40;
const keyOf = (title) => title.toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, KEY_CHARACTERS).replace(/^-|-$/g, "");

/**
 * A part that unfolds.  title: what it is for, unique on the page; key: a short name for the address, where the title has names or
 * values, of which the address would keep each; requests: [{ text, id, path, query, formats }], `id` for the
 * address where the text is not always the same; or, for a script that is no request, { text, name, line(), isOff };
 * line() may promise the text.
 */
export function scriptView(title, requests, { key = keyOf(title), isOpen = false } = {}) {
    const lines = requests.flatMap((each) => (each.line ? [each] : each.formats.map((format) => ({ text: `${each.text}, ${WORDS[format]}`, name: `${each.id ?? each.text}.${format}`, line: () => commandOf(each, format) }))));
    const setting = `script.${key}`, code = el("code"), isKnown = (text) => lines.some(({ name }) => name === text);
    const kind = el("select", { "aria-label": `For a script: ${title}` }, lines.map(({ name, text, isOff }) => el("option", { value: name, disabled: isOff }, text)));
    const draw = () => {
        const { name, line } = lines.find((each) => each.name === kind.value), text = line();
        code.textContent = typeof text === "string" ? text : "";
        if (typeof text !== "string") text.then((late) => { if (kind.value === name) code.textContent = late; });
    };
    const last = knownChoice(setting, isKnown, "there is no such command");
    kind.value = lines.find(({ name, isOff }) => name === last && !isOff)?.name ?? lines[0].name;
    kind.addEventListener("change", () => {
        choose(setting, kind.value === lines[0].name ? "" : kind.value);
        write({ push: true });
        draw();
    });
    draw();
    return unfolding(`script-${key}`, ["For a script", unseen(`: ${title}`)], [el("div", { class: "request-head" }, kind, copyButton("Copy", () => code.textContent)), el("pre", {}, code)],
        { class: "script", isUsual: isOpen });
}

function commandOf({ path, query }, format) {
    /* JSON is what routes answer without a suffix, except those that draw. */
    const route = format === "json" && !/(^|\/)(chart|spy|history|messages)(\/|$)/.test(path) ? path : `${path}.${format}`;
    const url = `${address(route)}${query && Object.keys(query).length ? `?${readable(query)}` : ""}`;
    const curl = curlOf({ url, format });
    return format === "txt" ? `answer=$(${curl}) && eval "$answer"` : curl; /* eval alone hides that curl failed */
}

/** A chart for a script. */
export const chartRequest = (path, query, text = "the chart") => ({ text, path, query, formats: CHART });

/** Links to the files of a chart, named file(suffix), and the chart for a script; key: of scriptView. */
export const chartFiles = (title, { key, path, query, file }) => [
    el("p", { class: "links" }, ["svg", "png", "pdf", "gp"].map((suffix) => el("a", { href: address(`${path}.${suffix}`, query), download: file(suffix) }, suffix === "gp" ? "gnuplot" : suffix.toUpperCase()))),
    scriptView(title, [chartRequest(path, query)], { key }),
];
