/* The gallery of the papers: each table and figure of static/papers.md with its claim, drawn when it is seen, one after the other. */
import { address, fileAt, get, list } from "../core/api.js";
import { byId, el, fill, unseen } from "../core/dom.js";
import { readable as written } from "../core/state.js";
import { column, table } from "../core/table.js";
import { capital, label, number, quantity } from "../core/units.js";
import { imageOf, picture, sizeOf } from "../charts/picture.js";
import { readable } from "../charts/reader.js";
import { axesOf, linesOf, machineOf, pageOf, papersOf, requestOf } from "./rows.js";

/* The columns that claims are about. */
const SHOWN = ["variant", "nodes", "time_s", "gflops", "bottleneck", "load_balance_factor", "off_node_bytes", "penalty_s", "hidden_s", "percent_of_peak"];
const VERDICTS = ["agrees", "differs", "no answer"];
const FEW = 8; /* rows of a table that is no axis */

const chosen = new URLSearchParams(location.search); /* paper's machine -> another one */
const waiting = new Map(); /* of the figures in sight, in their order: what draws them */
let calibrations, machines, matrix, isDrawing = false;

/* ---- texts of the list: `code`, and links, of which the names stay ---- */

const inline = (text) => text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").split("`").map((part, i) => (i % 2 ? el("code", {}, part) : part));

/* A chart of saved runs has nothing to show before there are any. */
const refused = (error) => (error.has?.("not_found") ? el("p", { class: "hint" }, error.errors.map(({ message }) => `${capital(message)}.`))
    : el("p", { class: "problem" }, error.errors?.length ? error.errors.map(({ parameter, message }) => [parameter, message].filter(Boolean).join(": ")).join("; ") : error.message));

/* ---- what a row shows ---- */

async function charted({ path, query }, text) {
    const size = sizeFor(path), drawn = { ...query, ...size };
    const image = await picture(path, drawn);
    return el("div", { class: "paper" }, readable(imageOf(image, { alt: text, ...size }), { path: path.replace(".svg", ""), query: drawn, size, name: text }));
}
const sizeFor = (path) => sizeOf({ width: "700", height: "430" }, { isMap: path.includes("regions") });

async function tabled({ path, query }, text) {
    const { rows, cells } = await get(path, query);
    if (cells) return forecastOf(query, cells, text);
    const axes = axesOf(query), has = (name) => (rows[0]?.[name] ?? null) !== null;
    const names = [...new Set([...axes.reverse(), ...SHOWN.filter(has)])];
    return table({ caption: text, rows: axes.length ? rows : rows.slice(0, FEW), columns: names.map((name) => column(name, capital(label(name)), rows)) });
}

/* A forecast, its columns by the parameter that they are of. */
function forecastOf(query, cells, text) {
    const lines = linesOf(query, cells, (output, value) => quantity(output, value, 3)).map((line) => ({ ...line, ...(line.output && { output: label(line.output) }) }));
    const columns = [...new Set(cells.map((cell) => cell[query.columns]))];
    return table({ caption: text, rows: lines, columns: [column(query.rows, `${label(query.rows)}, by ${label(query.columns)}`, lines), ...(lines[0].output ? [column("output", "Output", lines)] : []), ...columns.map((at) => column(String(at), number(at), lines))] });
}

const isDrawn = ({ path }) => path.endsWith(".svg"), isListed = ({ path }) => /^(sweep|rank|forecast)\//.test(path);

/* ---- one after the other, and no more than is seen ---- */

const sight = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
        if (isIntersecting) waiting.set(target, places.get(target));
        else waiting.delete(target);
    }
    work();
}, { rootMargin: "10% 0px" });
const places = new WeakMap();

async function work() {
    if (isDrawing) return;
    isDrawing = true;
    while (waiting.size) {
        const [[place, draw]] = waiting;
        waiting.delete(place);
        sight.unobserve(place);
        fill(place, await draw().catch(refused));
        place.setAttribute("aria-busy", "false");
    }
    isDrawing = false;
}

function figureOf(paper, machine, { name, shows, address: asked, verdict, claim }) {
    const id = `${paper.machine}-${name.toLowerCase().replace(/[ .]/g, "-")}`;
    const head = [el("h3", {}, el("a", { href: `#${id}` }, name), ": ", inline(shows)), el("p", { class: "claim" }, el("span", { class: `verdict ${verdict.split(" ")[0]}` }, verdict), " ", inline(claim))];
    if (!asked || !machine) return el("article", { id }, head);
    const given = requestOf(asked, { own: paper.machine, machine, calibrations }), request = { ...given, query: { ...given.query, ...(given.query.matrix && matrix && { matrix }) } };
    const text = `${name}, ${shows.replaceAll("`", "")}, on ${request.query.machine ?? machine}`, draw = isDrawn(request) ? charted : isListed(request) && tabled;
    const file = (kind, label) => el("a", { href: `${address(request.path.replace(/svg$/, kind))}?${written(request.query)}` }, label, unseen(`: ${name}`));
    return el("article", { id }, head, draw && placeOf(request, () => draw(request, text)), el("p", { class: "links" },
        el("a", { href: pageOf(request, machine) }, draw ? "Ask this of another machine" : "See it on the dashboard", unseen(`: ${name}`)),
        file("json", "The numbers"), isDrawn(request) && file("pdf", "PDF")));
}

/* Where a row will be shown when it is seen. */
function placeOf(request, draw) {
    const place = el("div", { class: "live" });
    if (request.query.matrix && !matrix) return el("p", { class: "live hint" }, "Drawn of the first matrix that is ", el("a", { href: "./#matrices" }, "uploaded"), ".");
    if (isDrawn(request)) fill(place, el("div", { class: "paper" }, el("canvas", sizeFor(request.path))));
    place.setAttribute("aria-busy", "true");
    places.set(place, draw);
    sight.observe(place);
    return place;
}

function sectionOf(paper) {
    const { machine: own, about, rows } = paper, [authors, title, more] = about.split("*");
    const counts = VERDICTS.map((verdict) => [verdict, rows.filter((row) => row.verdict === verdict).length]).filter(([, count]) => count);
    const figures = el("div", { class: "figures" }), brief = el("div", { class: "brief" }), hint = el("p", { class: "hint", role: "status" });
    const show = (machine) => {
        for (const place of figures.querySelectorAll(".live")) {
            sight.unobserve(place);
            waiting.delete(place);
        }
        hint.textContent = !machine ? "No machine has a calibration that this could be drawn for." : machine === own ? "" : `Drawn for ${machine}; the sentences are about ${own}.`;
        const all = rows.map((row) => figureOf(paper, machine, row)), isShown = (article) => article.querySelector(".live");
        fill(figures, all.filter(isShown));
        fill(brief, all.filter((article) => !isShown(article)));
    };
    const choice = el("select", { id: `of-${own}` }, machines.map(({ name }) => el("option", { value: name }, name)));
    choice.value = machineOf(machines.map(({ name }) => name), chosen.get(own), own) ?? "";
    choice.addEventListener("change", () => {
        chosen.set(own, choice.value);
        if (choice.value === own) chosen.delete(own);
        history.replaceState(null, "", `${location.pathname}${chosen.size ? `?${chosen}` : ""}#${own}`);
        show(choice.value);
    });
    show(choice.value);
    return el("section", { id: own, "aria-labelledby": `${own}-title` }, el("h2", { id: `${own}-title` }, title), el("p", { class: "authors" }, authors.replace(/: $/, "")), el("p", { class: "hint" }, inline(more.replace(/^\. /, ""))),
        el("p", { class: "of" }, `${rows.length} tables and figures: ${counts.map((each) => each.join(" ")).join(", ")}. `, el("label", { for: `of-${own}` }, "Drawn for "), choice), hint, figures, brief);
}

async function start() {
    const [text, named, matrices] = await Promise.all([fileAt(byId("source").href).then((file) => file.text()), list("machines"), list("matrices")]);
    machines = named.filter(({ calibration }) => calibration);
    calibrations = Object.fromEntries(machines.map(({ name, calibration }) => [name, calibration]));
    matrix = matrices[0]?.name;
    const papers = papersOf(text);
    fill(byId("list"), papers.map(({ machine }) => el("a", { href: `#${machine}` }, machine)));
    fill(byId("papers"), papers.map(sectionOf));
    byId(location.hash.slice(1))?.scrollIntoView();
}

document.body.classList.add("started"); /* ends the wait of style.css */
start().catch((error) => fill(byId("papers"), refused(error)));
