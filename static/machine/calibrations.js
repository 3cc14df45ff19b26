/* The calibrations of a machine: a card for each. */
import { address, once } from "../core/api.js";
import { el, fill, whenSeen } from "../core/dom.js";
import { unfolding } from "../core/unfold.js";
import { age, date, number, plural } from "../core/units.js";
import { chartFiles, ROWS, scriptView } from "../parts/request.js";
import { valuesView } from "../parts/sources.js";
import { lazyImage, sizeOf } from "../charts/picture.js";
import { readable } from "../charts/reader.js";
import { worstOf } from "./quality.js";

const SHOWN = 4; /* cards that are not folded away */

/* kind of chart -> the group of the calibration that it draws */
const CHARTS = { kernels: ["kernels", "Efficiency of the kernels over the order of the operands"],
    bandwidth: ["network", "Bandwidth over the message size"],
    contention: ["contention", "Slowdown of messages by contention, over the distance in ranks"] };

const chartsOf = (groups) => Object.entries(CHARTS).filter(([, [group]]) => groups?.includes(group));

/** calibration, quality: of the document with this id, or null. */
export function calibrationsView({ machine, calibrations, calibration, quality, id, choose }) {
    if (!calibrations.length) return null;
    const cards = (rows) => el("ul", { class: "cards" }, rows.map((row) => cardView(row, row.id === id, choose)));
    const isOpen = (row, i) => i < SHOWN || row.id === id, older = calibrations.filter((row, i) => !isOpen(row, i));
    return el("div", { class: "part" },
        el("h3", {}, `Calibrations (${calibrations.length})`),
        cards(calibrations.filter(isOpen)),
        older.length > 0 && unfolding("older-calibrations", `Older calibrations (${number(older.length)})`, () => cards(older)),
        valuesView(calibration, quality),
        scriptView("calibrations", [{ text: "the calibration in use", path: `calibrations/${id}`, formats: ["json"] },
            { text: "all of this machine", path: `machines/${encodeURIComponent(machine.name)}/calibrations`, formats: ROWS }]),
        galleryView(machine, calibrations.find((row) => row.id === id)?.groups, id));
}

function cardView(row, isUsed, choose) {
    const health = el("div", { class: "health" }, el("p", { class: "waiting" }, "Loading …"));
    const card = el("li", { class: isUsed ? "card marked" : "card" },
        el("h4", { class: "minor" }, el("a", { href: address(`calibrations/${row.id}`) }, el("code", {}, row.id)), isUsed && [" ", el("span", { class: "tag" }, "in use")]),
        el("p", {}, row.created_at ? ["Measured ", when(row.created_at), ", stored "] : "Time of measurement not stated, stored ", when(row.uploaded_at), "."),
        health,
        el("p", { class: "hint" }, row.groups?.join(", ") ?? ""),
        el("p", { class: "links" }, chartsOf(row.groups).map(([what]) => el("a", { href: address(`calibrations/${row.id}/chart/${what}.svg`) }, what)),
            !isUsed && el("button", { type: "button", class: "quiet", "aria-label": `Use calibration ${row.id}`, on: { click: () => choose(row.id) } }, "Use")));
    whenSeen(async () => {
        try {
            fill(health, healthView(await once(`calibrations/${row.id}/quality`)));
        } catch (error) {
            fill(health, el("p", { class: "hint" }, `Its quality is not known: ${error.message}`));
        }
    }, "25%").observe(card);
    return card;
}

function healthView({ parts }) {
    const present = parts.filter((part) => part.is_present), doubtful = present.filter((part) => part.is_doubtful);
    const assumed = present.filter(({ provenance }) => provenance === "assumed").length, oldest = Math.max(...present.map(({ age_days }) => age_days ?? -1));
    const refused = new Set(parts.flatMap((part) => part.refused_models)).size;
    const told = [`${number(assumed)} of ${plural(present.length, "part")} assumed`, oldest >= 0 && `the oldest measured ${plural(oldest, "day")} ago`,
        refused > 0 && `${plural(refused, "model")} not served`].filter(Boolean);
    return [
        el("p", {}, doubtful.length ? [el("strong", { class: "assumed" }, `${plural(doubtful.length, "part")} to measure again`), `: ${worstOf(doubtful)}`]
            : "No part was measured under load or with a wide spread."),
        el("p", { class: "hint" }, `${told.join("; ")}.`),
    ];
}

/** Where the question pins a calibration that is not the newest of its machine: says so, with a way to the newest; null elsewhere. */
export function pinnedView({ machine, calibrations, pinned, useNewest }) {
    if (!pinned || !machine?.calibration || pinned === machine.calibration) return null;
    const rowOf = (id) => calibrations.find((row) => row.id === id), named = (id) => [el("code", {}, id.slice(0, 8)), timed(rowOf(id))];
    return [rowOf(pinned) ? ["The answers below are of the calibration ", named(pinned), ", which the address pins."]
        : ["The address pins calibration ", el("code", {}, pinned.slice(0, 8)), ", which is not stored for this machine."],
        ` The newest of ${machine.name} is `, named(machine.calibration), ". ",
        el("button", { type: "button", class: "quiet", on: { click: useNewest } }, "Use the newest")];
}

const timed = (row) => (row ? ` (${row.created_at ? `measured ${date(row.created_at)}` : `stored ${date(row.uploaded_at)}`})` : "");

const when = (instant) => el("time", { datetime: instant, title: date(instant) }, age(instant));

function galleryView(machine, groups, id) {
    return el("div", { class: "gallery" }, chartsOf(groups).map(([what, [, text]]) => {
        const size = sizeOf({ width: "760", height: "440" }), path = `calibrations/${id}/chart/${what}`, alt = `${text}, as calibrated for ${machine.name}`;
        const image = lazyImage(`${path}.svg`, size, { alt, ...size }, (error) => {
            if (error.status === 404) figure.remove(); /* the group may lack the rows that this chart draws */
            else fill(figure, el("p", { class: "hint" }, `${text}: ${error.message}`));
        });
        const figure = el("figure", {}, el("div", { class: "paper" }, readable(image, { path, query: size, size, name: `the chart: ${text}` })),
            el("figcaption", {}, el("p", {}, `${text}.`), chartFiles(text, { path, query: size, file: (suffix) => `${what}-${id}.${suffix}` })));
        return figure;
    }));
}
