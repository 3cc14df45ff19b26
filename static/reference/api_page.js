/* The page of the API: its routes as the daemon tells them, each to try with values that work here. */
import { get, Latest, list, once } from "../core/api.js";
import { byId, copyButton, debounced, el, fill } from "../core/dom.js";
import { asText } from "../core/query.js";
import { readable } from "../core/state.js";
import { token } from "../core/token.js";
import { number } from "../core/units.js";
import { readingView } from "../parts/token.js";
import { EXAMPLE } from "../question/example.js";
import { commandOf, exampleBatch, exampleFor, fragment, hasSuffix, requestOf, routes, urlOf } from "./api_routes.js";

const TYPING_MS = 250;
const MOST_BYTES = 4 * 1024 * 1024, SHOWN_CHARACTERS = 64 * 1024; /* of an answer */
const HEADERS = ["Content-Type", "ETag", "Cache-Control", "Retry-After", "Location"];
const FURTHER = "further";

const latest = new Latest();
let all = [], about = "", models = [], shown = 0;

/* ---- texts of the daemon: paragraphs with `code`, headings and tables ---- */

const inline = (text = "") => text.trim().split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part.replace(/\s+/g, " ").replaceAll("**", "")));

const prose = (text = "") => text.trim().split(/\n\s*\n/).map((part) => (part.startsWith("## ") ? el("h2", {}, part.slice(3))
    : part.startsWith("|") ? tableOf(...part.split("\n").filter((line) => !/^[|\s-]+$/.test(line)).map((line) => line.split("|").slice(1, -1).map(inline)))
        : part && el("p", {}, inline(part))));

const tableOf = (head, ...rows) => el("div", { class: "scroll" }, el("table", {}, el("thead", {}, el("tr", {}, head.map((cell) => el("th", { scope: "col" }, cell)))),
    el("tbody", {}, rows.map((cells) => el("tr", {}, cells.map((cell) => el("td", {}, cell)))))));

const problem = (...text) => el("p", { class: "problem", role: "alert" }, text);

/* ---- the list ---- */

const links = new Map(); /* of the routes */
const hrefOf = ({ path, ...route }, model) => `#${fragment({ ...route, path: path.replace("{model}", model) }, new Map())}`;

const words = () => byId("search").value.toLowerCase().split(/\s+/).filter(Boolean);

/* described: the models, if something is searched. */
function showList(described = []) {
    const wanted = words(), has = (text) => wanted.every((word) => text.toLowerCase().includes(word));
    const entryOf = (route) => {
        const own = `${route.method} ${route.path} ${route.summary} ${route.parameters.map(({ name, description }) => `${name} ${description}`).join(" ")}`;
        const able = has(own) || !route.path.includes("{model}") ? [] : described.filter((model) => has(`${own} ${model.name} ${model.parameters.map(({ name }) => name).join(" ")}`));
        if (!has(own) && !able.length) return null;
        const link = el("a", { href: hrefOf(route, EXAMPLE.model) }, route.method !== "get" && el("span", { class: "method" }, `${route.method} `), el("code", {}, route.path),
            el("span", { class: "hint" }, " ", inline(route.summary.replace(/\.$/, ""))));
        links.set(route, link);
        return el("li", {}, link, able.length > 0 && el("p", { class: "links" }, able.map(({ name }) => el("a", { href: hrefOf(route, name) }, name))));
    };
    links.clear();
    fill(byId("list"), [...new Set(all.map(({ tag }) => tag))].map((tag) => {
        const entries = all.filter((route) => route.tag === tag).map(entryOf).filter(Boolean);
        return entries.length > 0 && [el("h2", {}, tag), el("ul", {}, entries)];
    }));
    byId("found").textContent = wanted.length ? `${document.querySelectorAll("#list li").length} of ${all.length} routes` : "";
    markCurrent();
}

function markCurrent() {
    const now = requestOf(all, location.hash.slice(1))?.route;
    for (const [route, link] of links) {
        if (route === now) link.setAttribute("aria-current", "page");
        else link.removeAttribute("aria-current");
    }
}

const search = debounced(async () => {
    document.body.classList.remove("chosen");
    showList(words().length ? await Promise.all(models.map(({ name }) => once(`models/${name}`))) : []);
}, TYPING_MS);

/* ---- a route ---- */

async function open() {
    const hash = location.hash.slice(1), request = requestOf(all, hash), root = byId("route");
    const turn = ++shown;
    latest.stop();
    markCurrent();
    document.body.classList.toggle("chosen", request !== null);
    document.title = `${request ? `${request.route.path} · ` : ""}forerun API`;
    root.setAttribute("aria-busy", "true");
    const view = !hash ? overview() : !request ? problem("There is no route ", el("code", {}, hash), ": choose one from the list.") : await routeView(request).catch((error) => problem(error.message));
    if (turn !== shown) return;
    fill(root, view);
    root.removeAttribute("aria-busy");
}

const overview = () => [el("h1", {}, "The HTTP interface of forerun"),
    el("p", {}, "Each route has an example that works on this daemon. Begin with ", [["predict", "a prediction"], ["rank", "a ranking"], ["chart", "a chart"]].map(([kind, text], i) => [i > 0 && ", ", el("a", { href: `#${kind}/${EXAMPLE.model}` }, text)]), "."),
    el("div", { class: "prose" }, prose(about))];

async function routeView(request) {
    const { route } = request;
    const { values, lacks } = request.isFilled ? request : await exampleFor(route, request.values);
    const state = { ...request, values, text: route.path === "predict" ? await exampleBatch() : route.body?.text ?? null };
    const model = values.has("model") && route.path.includes("{model}") ? await once(`models/${encodeURIComponent(values.get("model"))}`) : null;
    const isSent = route.path === "predict" || (route.method === "get" && route.isOpen);
    const button = isSent && el("button", { type: "submit" }, "Send"), code = el("code", { id: "command" }), answer = el("div", { class: "answer", hidden: true });
    const draw = () => {
        code.textContent = commandOf(state);
        if (button) button.disabled = urlOf(state).includes("%7B"); /* a part of the path is open */
    };
    const follow = () => {
        draw();
        remember(state, shown);
    };
    const form = await formOf(state, model, follow);
    const submit = async (event) => {
        event.preventDefault();
        if (!button || button.disabled) return;
        form.show(await send(answer, state));
        answer.scrollIntoView({ block: "nearest" });
    };
    draw();
    return el("form", { novalidate: true, autocomplete: "off", "aria-label": "Request", on: { submit } },
        el("h1", {}, el("span", { class: "method" }, `${route.method} `), el("code", {}, route.path.startsWith("/") ? route.path : `/api/v1/${route.path}`)),
        el("div", { class: "prose" }, prose(route.summary), prose(route.description), model && el("p", {}, el("strong", {}, model.name), `: ${model.summary}`)),
        el("div", { class: "command-box" }, el("pre", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Command" }, code),
            el("div", { class: "actions" }, button, copyButton("Copy", () => code.textContent), hasSuffix(route) && formatChoice(state, model, follow),
                !isSent && el("span", { class: "hint" }, "Needs a token, so this page does not send it."), lacks && el("span", { class: "notice" }, lacks))),
        answer, form.root,
        model && [el("h2", {}, "Answer"), tableOf(["Member", "Unit", "Meaning"], ...model.outputs.map(({ name, unit, description }) => [el("code", {}, name), unit === "1" ? "" : unit ?? "", description]))],
        el("h2", {}, "Status"), tableOf(["Status", "Meaning"], ...route.statuses.map(([status, description]) => [status, inline(description)])));
}

function formatChoice(state, model, follow) {
    const formats = state.route.formats.filter((suffix) => suffix !== ".dat" || model?.name === "hpl");
    const control = el("select", { id: "format", on: { change: () => { state.format = control.value; follow(); } } }, ["", ...formats].map((suffix) => el("option", { value: suffix }, suffix || `default (${formats[0]})`)));
    control.value = state.format;
    return [el("label", { for: "format" }, "Format"), control];
}

/* The address of the page is a link to the request as typed. */
const remember = debounced((state, turn) => {
    if (turn === shown) history.replaceState(null, "", `#${fragment(state.route, state.values, state.format)}`);
}, TYPING_MS);

/* ---- its form ---- */

const isKnown = (value) => value !== undefined && value !== null;

function rangeOf({ type, minimum, exclusiveMinimum, maximum, default: usual, automatic, tunable, choices, isListed }) {
    const low = isKnown(minimum) ? `at least ${number(minimum)}` : isKnown(exclusiveMinimum) && `more than ${number(exclusiveMinimum)}`;
    return [!["string", "choice", "text"].includes(type) && type, isKnown(minimum) && isKnown(maximum) ? `${number(minimum)} to ${number(maximum)}` : low || (isKnown(maximum) && `at most ${number(maximum)}`),
        choices && isListed && choices.join(", "), isKnown(usual) && `default ${asText(usual)}`, automatic && "automatic", tunable && "tunable"].filter(Boolean).join("; ");
}

/** { root, show(errors) }: a row for each parameter, and one for what-ifs and filters. */
async function formOf(state, model, follow) {
    const { route, values } = state, own = route.parameters.filter((p) => !p.isModel), wide = route.parameters.find((p) => p.isModel), rows = new Map();
    const ofModel = wide && model ? model.parameters.filter(({ name }) => !own.some((p) => p.name === name))
        .map((p) => ({ ...p, isListed: wide.isListed || (p.tunable && /^(rank|recommend)/.test(route.path)) })) : [];
    const isFirst = ({ in: where, name }) => !ofModel.length || where === "path" || name === "machine";
    const names = new Set([...own, ...ofModel].map(({ name }) => name));
    const extra = () => [...values].filter(([name]) => !names.has(name));
    const further = { name: FURTHER, description: ofModel.length ? "Calibrated values for this request only: `what_if.PATH=VALUE`, or times a factor, `what_if.PATH=*FACTOR`." : wide?.description ?? "Parameters of the model." };
    const offered = { model: models.map(({ name }) => name), machine: names.has("machine") && (await list("machines")).map(({ name }) => name), matrix: names.has("matrix") && (await list("matrices")).map(({ name }) => name) };
    if (ofModel.length) offered[FURTHER] = await once("fields").then(({ aliases, fields }) => [...aliases, ...fields].map(({ path }) => `what_if.${path}=*2`));

    const change = (name, text) => {
        if (name === "model" && model) {
            location.hash = fragment(route, new Map([["model", text]]), state.format);
            return;
        }
        if (name === FURTHER) for (const [each] of extra()) values.delete(each);
        for (const [each, value] of name === FURTHER ? new URLSearchParams(text) : [[name, text]]) values.set(each, value);
        follow();
    };
    const rowOf = (p) => {
        const id = `p-${p.name}`, control = controlOf(p, id, p.name === FURTHER ? readable(extra()) : values.get(p.name) ?? "", offered[p.name] || undefined);
        const fault = el("p", { class: "fault", id: `${id}-fault`, hidden: true });
        control[0].addEventListener("input", () => change(p.name, control[0].value));
        rows.set(p.name, { control: control[0], fault });
        return el("div", { class: "row" },
            el("label", { for: id }, el("code", {}, p.name), p.required && !p.tunable && el("span", { class: "needed" }, " required"), p.unit && p.unit !== "1" && el("span", { class: "unit" }, ` ${p.unit}`)),
            el("div", {}, control), el("p", { class: "hint", id: `${id}-hint` }, inline(p.description), el("span", { class: "range" }, rangeOf(p))), fault);
    };
    const group = (title, parameters, note) => parameters.length > 0 && [el("h2", {}, title), note && el("p", { class: "hint" }, inline(note)), parameters.map(rowOf)];
    return {
        root: [
            state.text !== null && [el("h2", {}, el("label", { for: "body" }, "Body")), el("textarea", { id: "body", spellcheck: "false", value: state.text, on: { input: ({ target }) => { state.text = target.value; follow(); } } })],
            group(model ? "Model and machine" : "Parameters", own.filter(isFirst)),
            group(`Parameters of ${model?.name}`, ofModel, wide?.isListed && "Each takes a value or a list: `a,b,c`, `lo..hi`, `lo..hi..step`, `lo..hi..*factor`."),
            group("Further parameters", [...own.filter((p) => !isFirst(p)), ...(wide || route.path.endsWith("/compare") ? [further] : [])]),
        ],
        show(errors) {
            for (const [name, { control, fault }] of rows) {
                const messages = errors.filter(({ parameter }) => parameter === name || (name === FURTHER && parameter && !rows.has(parameter))).map(({ message }) => message);
                control.setAttribute("aria-invalid", String(messages.length > 0));
                fault.hidden = !messages.length;
                fault.textContent = messages.join("; ");
            }
        },
    };
}

/* The control, and the list of what it offers. */
function controlOf(p, id, value, offered) {
    const attributes = { id, "aria-describedby": `${id}-hint ${id}-fault`, autocomplete: "off", spellcheck: "false" };
    const choices = p.type === "boolean" ? ["true", "false"] : p.choices ?? (p.in === "path" && p.name === "model" ? offered : undefined), names = offered ?? choices;
    if (value.includes("\n")) return [el("textarea", { ...attributes, value })];
    if (choices && !p.isListed && (!value || choices.map(String).includes(value))) {
        const control = el("select", attributes, p.in !== "path" && el("option", { value: "" }), choices.map((choice) => el("option", { value: choice }, String(choice))));
        control.value = value;
        return [control];
    }
    return [el("input", { ...attributes, type: "text", value, list: names && `${id}-list`, placeholder: isKnown(p.default) && asText(p.default) }),
        names && el("datalist", { id: `${id}-list` }, names.map((name) => el("option", { value: name })))];
}

/* ---- its answer ---- */

/** Sends a request and shows what came back; returns the faults of a refusal. */
async function send(root, state) {
    const signal = latest.next(), url = urlOf(state), begun = performance.now();
    root.hidden = false;
    fill(root, el("p", { class: "waiting", role: "status" }, "Waiting …"));
    try {
        const response = await fetch(url, { signal, headers: { ...token.headers, ...(state.text !== null && { "Content-Type": state.route.body.type }) }, ...(state.text !== null && { method: "POST", body: state.text }) });
        const type = (response.headers.get("Content-Type") ?? "").split(";")[0], { blob, isWhole } = await read(response, type);
        const took_ms = performance.now() - begun, answer = /^image|pdf$/.test(type) ? null : await blob.text(), isDocument = isWhole && /json$/.test(type) && !type.endsWith("ndjson");
        const told = isDocument ? JSON.stringify(JSON.parse(answer), null, 2) : answer;
        fill(root, el("p", { role: "status" }, el("span", { class: response.ok ? "status" : "status bad" }, `${response.status} ${response.statusText}`),
            el("span", { class: "hint" }, ` in ${number(took_ms, 3)} ms, ${isWhole ? "" : "more than "}${number(blob.size)} bytes`)),
        el("dl", { class: "said-headers" }, HEADERS.filter((name) => response.headers.has(name)).map((name) => el("div", {}, el("dt", {}, name), el("dd", {}, response.headers.get(name))))),
        type.startsWith("image") && el("div", { class: "paper" }, pictureOf(blob)),
        told && el("pre", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Answer" }, el("code", {}, told.slice(0, SHOWN_CHARACTERS))),
        el("p", { class: "links" }, told && copyButton("Copy the answer", () => told), state.text === null && el("a", { href: url }, told?.length > SHOWN_CHARACTERS ? "Shortened; open the whole answer" : "Open it alone")));
        return response.ok || !isDocument ? [] : JSON.parse(answer).errors ?? [];
    } catch (error) {
        if (!signal.aborted) fill(root, problem(`There is no answer: ${error.message}`));
        return [];
    }
}

/* What comes after MOST_BYTES is not read. */
async function read(response, type) {
    const reader = response.body.getReader(), pieces = [];
    let bytes = 0;
    for (let { value, done } = await reader.read(); !done; { value, done } = await reader.read()) {
        pieces.push(value);
        bytes += value.length;
        if (bytes <= MOST_BYTES) continue;
        await reader.cancel();
        return { blob: new Blob(pieces, { type }).slice(0, MOST_BYTES, type), isWhole: false };
    }
    return { blob: new Blob(pieces, { type }), isWhole: true };
}

function pictureOf(blob) {
    const src = URL.createObjectURL(blob);
    return el("img", { src, alt: "The chart of the answer", on: { load: () => URL.revokeObjectURL(src) } });
}

/* ---- keys ---- */

byId("search").addEventListener("input", search);
byId("search").addEventListener("keydown", ({ key }) => { if (key === "Enter") document.querySelector("#list a")?.click(); });
document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    event.preventDefault();
    byId("search").focus();
});

/* The skip link is no request. */
document.querySelector(".skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("request").focus();
});

async function start() {
    try {
        [{ all, about }, { items: models }] = await Promise.all([routes(), get("models")]);
    } catch (error) {
        fill(byId("route"), problem(error.message), error.status === 401 && readingView(start));
        return;
    }
    showList();
    window.addEventListener("hashchange", async () => {
        await open();
        byId("request").focus({ preventScroll: true });
    });
    await open();
}

document.body.classList.add("started"); /* ends the wait of style.css */
await start();
