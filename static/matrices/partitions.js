/* A matrix that is divided among processes. */
import { get, Latest } from "../core/api.js";
import { el, fill, unseen } from "../core/dom.js";
import { identityOfMatrix } from "../core/identity.js";
import { knownChoice } from "../core/notes.js";
import { choose, chosen, page, write } from "../core/page.js";
import { readable } from "../core/state.js";
import { column, table } from "../core/table.js";
import { number } from "../core/units.js";
import { Faults, field, input, select } from "../parts/fields.js";
import { problemView } from "../parts/problem.js";
import { ROWS, scriptView } from "../parts/request.js";
import { Gallery } from "../charts/gallery.js";
import { isUnderWay } from "./status.js";

const POLL_MS = 1000;
const USUAL = 64; /* processes that are suggested, if the matrix has as many rows */

const WAYS = [["contiguous", "contiguous rows"], ["metis", "METIS"]];
const CHARTS = [
    ["most_neighbours", "Messages of the process with most neighbors"],
    ["most_bytes", "Bytes of the process that sends or receives most"],
    ["load_balance_factor", "Most entries of a process, relative to the mean (1 is perfect balance)"],
];

const factsOf = ({ partition, processes }) => ({ partition, processes: String(processes) });
const nameOf = ({ partition, processes }) => `${partition} ${processes}`;

export class Partitions {
    #asking = new Latest();
    #faults = new Faults();
    #matrix = null;
    #machine = null;
    #rows = [];
    #state = null; /* of the page when it was shown; Back makes another one */
    #timer = 0;

    constructor() {
        this.form = el("form", { class: "inline-form", "aria-label": "Divide the matrix", novalidate: true, autocomplete: "off" });
        this.said = el("div", { role: "status", class: "said" });
        this.list = el("div");
        this.script = el("div");
        const charts = el("div", { class: "gallery body" }), pictures = el("div", { class: "gallery body" });
        const [chartsRoot, picturesRoot] = [el("div", {}, charts), el("div", { id: "partition-messages" }, pictures)];
        this.charts = new Gallery(chartsRoot, charts);
        this.pictures = new Gallery(picturesRoot, pictures);
        this.root = el("div", { id: "partitions" }, el("h4", { class: "minor" }, "Divided among processes"),
            el("p", { class: "hint" }, "Processes that share the rows exchange values before each product, as iterative solvers do (solve)."),
            this.form, this.said, this.list, this.script, chartsRoot, picturesRoot);
        this.form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#divide();
        });
    }

    /** machine: the machine for predictions, or null. */
    async show({ matrix, machine }) {
        const isOther = matrix.id !== this.#matrix?.id, isBack = page.state !== this.#state;
        this.#machine = machine;
        this.#matrix = matrix;
        this.#state = page.state;
        if (isOther) this.#rows = [];
        if (!isOther && !isBack) return this.#draw();
        this.#build();
        return this.#load();
    }

    hide() {
        this.#asking.next();
        clearTimeout(this.#timer);
        this.#matrix = null;
    }

    #build() {
        const { n } = this.#matrix;
        const most = 2 ** Math.floor(Math.log2(Math.min(USUAL, n)));
        this.processes = input(chosen("partitions.processes") ?? (most > 1 ? `1..${most}..*2` : "1"), { inputmode: "text" });
        this.partition = select(WAYS, knownChoice("partitions.by", (text) => WAYS.some(([name]) => name === text), "there is no such method") ?? "contiguous");
        const fields = [
            ["processes", field("partition-processes", { label: "Processes", control: this.processes, hint: `a,b,c · lo..hi..*factor; at most ${number(Math.min(n, 65536))}` })],
            ["partition", field("partition-by", { label: "Divided by", control: this.partition })],
        ];
        for (const [name, built] of fields) this.#faults.bind(name, built);
        fill(this.form, fields.map(([, built]) => built.root), el("button", {}, "Divide"));
        fill(this.said);
        this.#draw();
    }

    #divide() {
        choose("partitions.processes", this.processes.value.trim());
        choose("partitions.by", this.partition.value);
        write({ push: true });
        return this.#load({ processes: this.processes.value.trim(), partition: this.partition.value });
    }

    /* query: the partitions that are asked for; without it, those that are known are listed. */
    async #load(query) {
        const signal = this.#asking.next(), path = `matrices/${this.#matrix.id}/partitions`, { state } = page, before = chosen("partitions.messages");
        clearTimeout(this.#timer);
        try {
            if (query) {
                const { items } = await get(path, query, signal);
                if (signal.aborted || state !== page.state) return;
                const done = items.filter((row) => row.status === "ready");
                if (done.length && chosen("partitions.messages") === before) choose("partitions.messages", nameOf(done.at(-1))); /* the user has not chosen another meanwhile */
                write();
            }
            const { items } = await get(path, undefined, signal);
            if (signal.aborted) return;
            this.#faults.clear();
            this.#rows = items;
            this.#draw();
        } catch (error) {
            if (signal.aborted) return;
            fill(this.said, problemView(error, { shown: this.#faults.show(error.errors ?? []), retry: () => this.#load(query), title: "The matrix could not be divided." }));
            return;
        }
        if (this.#rows.some(isUnderWay)) this.#poll();
    }

    /* A hidden page does not send requests. */
    #poll() {
        this.#timer = setTimeout(() => (document.hidden ? this.#poll() : this.#load()), POLL_MS);
    }

    #draw() {
        const rows = this.#rows, ready = rows.filter((row) => row.status === "ready");
        fill(this.said, progressOf(rows));
        fill(this.list, rows.length > 0 && this.#table(rows));
        if (rows.some(isUnderWay)) return;
        fill(this.script);
        if (!ready.length) {
            this.charts.hide();
            this.pictures.hide();
            return;
        }
        const { id, name } = this.#matrix, path = `matrices/${id}/partitions`;
        this.charts.show(JSON.stringify([id, ready.map(nameOf)]), CHARTS.map(([y, text]) =>
            ({ name: y, text: `${text}, over processes`, about: identityOfMatrix(name), path: `${path}/chart`, query: { y }, isTitled: true })));
        this.#picture(this.#shown(), path);
        fill(this.script, scriptView(`partitions of ${name}`, [{ text: "those that are known", path, formats: ROWS },
            { text: `facts of ${nameOf(this.#shown())}`, id: "facts", path: `${path}/facts`, query: factsOf(this.#shown()), formats: ["json"] }], { key: "partitions" }));
    }

    /* The partition whose messages are shown. */
    #shown() {
        const ready = this.#rows.filter((row) => row.status === "ready");
        const name = knownChoice("partitions.messages", (text) => ready.some((row) => nameOf(row) === text), "the matrix has no such partition");
        return ready.find((row) => nameOf(row) === name) ?? ready.at(-1);
    }

    #picture({ partition, processes }, path) {
        this.pictures.show(JSON.stringify([path, nameOf({ partition, processes })]), [{ name: "messages", isSquare: true, isTitled: true, path: `${path}/messages`, query: { partition, processes },
            about: identityOfMatrix(this.#matrix.name, [["partition", partition], ["processes", String(processes)]]),
            text: `Who talks to whom: bytes from each of ${number(processes)} processes to each, before a product (${partition})` }]);
    }

    #table(rows) {
        const held = document.activeElement?.dataset?.partition, shown = this.#shown();
        const made = table({ caption: `Partitions of ${this.#matrix.name}`, rows, sorting: "partitions.sort", columns: [
            { name: "partition", label: "Divided by", text: (row) => row.partition },
            ...[["processes", "Processes"], ["most_neighbours", "Most neighbors"], ["most_bytes", "Most sent or received"], ["largest_message_bytes", "Largest message"],
                ["most_rows", "Most rows"], ["load_balance_factor", "Load balance"]].map(([name, label]) => column(name, label, rows)),
            { name: "status", label: "Status", isFixed: true, cell: (row) => (row.reason ? el("span", { class: "wide assumed" }, `${row.status}: ${row.reason}`) : row.status) },
            { name: "use", label: unseen("Use"), isFixed: true, cell: (row) => row.status === "ready" && this.#uses(row, row === shown) },
        ] });
        if (held) queueMicrotask(() => made.querySelector(`[data-partition="${CSS.escape(held)}"]`)?.focus());
        return made;
    }

    #uses(row, isShown) {
        const what = `${row.processes} processes, ${row.partition}`;
        return [
            el("button", { type: "button", class: "quiet", "data-partition": nameOf(row), "aria-label": `Messages of ${what}`, "aria-pressed": String(isShown),
                on: { click: () => {
                    choose("partitions.messages", nameOf(row));
                    write({ push: true });
                    this.#draw();
                    this.pictures.root.scrollIntoView({ block: "nearest" });
                } } }, "Messages"), " ",
            el("a", { href: questionOf(this.#matrix.name, row, this.#machine), "aria-label": `Predict a solver on ${what}` }, "Predict"),
        ];
    }
}

function progressOf(rows) {
    const left = rows.filter(isUnderWay), running = left.find((row) => row.status === "analyzing");
    if (!left.length) return null;
    return el("p", { class: "waiting" }, `${number(left.length)} of ${number(rows.length)} partitions are being found${running?.stage ? `: ${running.stage}` : ""} `,
        el("progress", { max: "1", value: running?.progress_fraction ?? 0, "aria-label": "Partitions of the matrix" }));
}

/** A link to the question about a solver on this partition, one process on a node. */
function questionOf(matrix, { partition, processes }, machine) {
    const serves = machine?.models?.includes("solve");
    return `?${readable(new URLSearchParams({ model: "solve", ...(serves && { machine: machine.name }), matrix, partition, nodes: processes, processes_per_node: "1", iterations: "100" }))}#answer`;
}
