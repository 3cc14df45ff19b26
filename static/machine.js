/* The machine: what was measured of it, where the values come from, and how they look. */
import { accuracyView, driftView } from "./accuracy.js";
import { address } from "./api.js";
import { el, unseen } from "./dom.js";
import { runsView } from "./runs.js";
import { table } from "./table.js";
import { age, capital, date, label, quantity } from "./units.js";

/* kind of chart -> the group of the calibration that it draws */
const CHARTS = { kernels: ["kernels", "Efficiency of the kernels over the order of the operands"],
    bandwidth: ["network", "Bandwidth over the size of a message"],
    contention: ["contention", "Slowdown of messages by contention, over the distance of the ranks"] };

/** calibration: the document of `machine.calibration` or the chosen one; null where there is none. */
export function machineView({ machine, calibrations, calibration, id, models, runs, accuracy, choose }) {
    if (!machine) return el("p", { class: "waiting" }, "No machine is chosen.");
    const served = models.filter((m) => machine.models?.includes(m.name)).map((m) => m.name);
    const unserved = models.filter((m) => !machine.models?.includes(m.name))
        .map((m) => `${m.name} (${m.groups.filter((g) => !machine.groups?.includes(g)).join(", ") || "not served"})`);
    return [
        el("p", { class: "lead" }, el("strong", {}, machine.name), machine.description ? `: ${machine.description}` : ""),
        !machine.calibration && el("p", { class: "notice" }, "This machine has no calibration yet. Measure it with ",
            el("code", {}, "forerun-calibrate"), " and load the document with ", el("code", {}, "forerund import"), " or an upload."),
        served.length > 0 && el("p", {}, "Serves: ", served.join(", "), "."),
        unserved.length > 0 && machine.calibration && el("p", {}, "Not measured for: ", unserved.join("; "), "."),
        el("dl", { class: "pairs" }, facts(machine, calibration)),
        driftView(machine),
        charts(machine, id),
        accuracyView(machine, accuracy),
        runsView(machine, runs),
        sources(calibration),
        calibrations.length > 0 && el("details", {}, el("summary", {}, `Calibrations (${calibrations.length})`), table({
            caption: "Calibrations of the machine, newest first", rows: calibrations, isMarked: (row) => row.id === id,
            columns: [
                { name: "id", label: "Calibration", cell: (row) => el("a", { href: address(`calibrations/${row.id}`) }, el("code", {}, row.id)) },
                { name: "created_at", label: "Measured", cell: (row) => el("span", { title: date(row.created_at ?? row.uploaded_at) }, age(row.created_at ?? row.uploaded_at)) },
                { name: "uploaded_at", label: "Uploaded", text: (row) => date(row.uploaded_at) },
                { name: "groups", label: "Groups", text: (row) => row.groups?.join(", ") ?? "" },
                { name: "use", label: unseen("Use"), cell: (row) => (row.id === id ? "in use" : el("button", {
                    type: "button", class: "quiet", "aria-label": `Use calibration ${row.id}`, on: { click: () => choose(row.id) } }, "Use")) },
            ],
        })),
    ];
}

function facts(machine, calibration) {
    const entries = [...Object.entries(machine.facts ?? {}), ...Object.entries(calibration?.environment ?? {}),
        ...Object.entries(calibration?.node ?? {})];
    const seen = new Set();
    return entries.filter(([name, value]) => value !== null && value !== "" && !seen.has(name) && seen.add(name))
        .map(([name, value]) => el("div", {}, el("dt", {}, capital(label(name))), el("dd", {}, fact(name, value))));
}

function fact(name, value) {
    if (typeof value === "object") return Object.values(value).filter(Boolean).join(" ");
    if (typeof value !== "number") return /^https?:\/\//.test(value) ? el("a", { href: value, rel: "noreferrer" }, value) : String(value);
    if (name === "peak_flops_per_s") return quantity("gflops", value / 1e9);
    if (name === "clock_hz") return `${value / 1e9}\u00a0GHz`;
    return quantity(name, value);
}

function charts(machine, id) {
    if (!id) return null;
    return el("div", { class: "gallery" }, Object.entries(CHARTS).filter(([, [group]]) => machine.groups?.includes(group)).map(([what, [, text]]) => {
        const image = el("img", { src: address(`calibrations/${id}/chart/${what}.svg`, { width: "760", height: "440" }), alt: `${text}, as calibrated for ${machine.name}`, loading: "lazy", width: "760", height: "440" });
        const figure = el("figure", {}, el("div", { class: "paper" }, image), el("figcaption", {}, el("p", {}, `${text}.`)));
        /* A group may be there without the rows that this chart draws. */
        image.addEventListener("error", () => figure.remove());
        return figure;
    }));
}

function sources(calibration) {
    const rows = Object.entries(calibration?.sources ?? {}).map(([pointer, text]) => ({ pointer, text }));
    if (!rows.length) return null;
    return el("details", {}, el("summary", {}, `Where the values come from (${rows.length})`), table({
        caption: "Sources of the calibrated values", rows,
        columns: [
            { name: "pointer", label: "Value", cell: (row) => el("code", {}, row.pointer) },
            { name: "text", label: "Source", text: (row) => row.text },
        ],
    }));
}
