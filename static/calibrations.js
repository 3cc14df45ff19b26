/* The calibrations of a machine: their age, the sources of their values, their charts. */
import { address } from "./api.js";
import { el, unseen } from "./dom.js";
import { lazyImage } from "./picture.js";
import { readable } from "./reader.js";
import { table } from "./table.js";
import { age, date, number } from "./units.js";

/* kind of chart -> the group of the calibration that it draws */
const CHARTS = { kernels: ["kernels", "Efficiency of the kernels over the order of the operands"],
    bandwidth: ["network", "Bandwidth over the message size"],
    contention: ["contention", "Slowdown of messages by contention, over the distance in ranks"] };

const chartsOf = (groups) => Object.entries(CHARTS).filter(([, [group]]) => groups?.includes(group));

/** calibration: the document with this id, or null. */
export function calibrationsView({ machine, calibrations, calibration, id, choose }) {
    if (!calibrations.length) return null;
    return el("div", { class: "part" },
        el("h3", {}, `Calibrations (${calibrations.length})`),
        table({
            caption: "Calibrations of the machine, newest first", rows: calibrations, isMarked: (row) => row.id === id,
            columns: [
                { name: "id", label: "Calibration", cell: (row) => el("a", { href: address(`calibrations/${row.id}`) }, el("code", {}, row.id)) },
                { name: "created_at", label: "Measured", cell: (row) => when(row.created_at, "not stated") },
                { name: "uploaded_at", label: "Stored", cell: (row) => when(row.uploaded_at, "–") },
                { name: "groups", label: "Groups", cell: (row) => el("div", { class: "wide" }, row.groups?.join(", ") ?? "") },
                { name: "charts", label: "Charts", cell: (row) => el("div", { class: "wide" }, chartsOf(row.groups).map(([what], i) => [i > 0 && ", ",
                    el("a", { href: address(`calibrations/${row.id}/chart/${what}.svg`) }, what)])) },
                { name: "use", label: unseen("Use"), cell: (row) => (row.id === id ? "in use" : el("button", {
                    type: "button", class: "quiet", "aria-label": `Use calibration ${row.id}`, on: { click: () => choose(row.id) } }, "Use")) },
            ],
        }),
        sourcesView(calibration),
        galleryView(machine, calibrations.find((row) => row.id === id)?.groups, id));
}

const when = (instant, otherwise) => (instant ? el("time", { datetime: instant, title: date(instant) }, age(instant)) : otherwise);

/* A source begins with its kind: "published: table 2". */
const kindOf = (text) => /^(measured|published|assumed)\b/.exec(text)?.[1] ?? "other";

function sourcesView(calibration) {
    const rows = Object.entries(calibration?.sources ?? {}).map(([pointer, text]) => ({ pointer, text }));
    if (!rows.length) return null;
    const counts = ["measured", "published", "assumed", "other"].map((kind) => [kind, rows.filter((row) => kindOf(row.text) === kind).length])
        .filter(([, count]) => count > 0).map(([kind, count]) => `${number(count)} ${kind}`);
    return el("details", {}, el("summary", {}, `Sources of the values in use: ${counts.join(", ")}`), table({
        caption: "Sources of the calibrated values", rows,
        columns: [
            { name: "pointer", label: "Value", cell: (row) => (row.pointer ? el("code", {}, row.pointer) : "the whole document") },
            { name: "text", label: "Source", cell: (row) => el("span", { class: kindOf(row.text) }, row.text) },
        ],
    }));
}

function galleryView(machine, groups, id) {
    return el("div", { class: "gallery" }, chartsOf(groups).map(([what, [, text]]) => {
        const size = { width: "760", height: "440" };
        const image = lazyImage(`calibrations/${id}/chart/${what}.svg`, size, { alt: `${text}, as calibrated for ${machine.name}`, ...size });
        const figure = el("figure", {}, el("div", { class: "paper" }, readable(image, { path: `calibrations/${id}/chart/${what}`, query: size, size, name: `the chart: ${text}` })), el("figcaption", {}, el("p", {}, `${text}.`)));
        /* The group may lack the rows that this chart draws. */
        image.addEventListener("error", () => figure.remove());
        return figure;
    }));
}
