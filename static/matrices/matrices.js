/* Sparse matrices: the list with the progress of their analyses, one matrix in detail, uploads. */
import { Latest, list } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { known } from "../core/notes.js";
import { busy, page } from "../core/page.js";
import { table } from "../core/table.js";
import { age, number } from "../core/units.js";
import { problemView, unplaced } from "../parts/problem.js";
import { MatrixUpload } from "./matrix_upload.js";
import { MatrixView } from "./matrix_view.js";
import { isUnderWay, progressView } from "./status.js";

const POLL_MS = 1500;

export class Matrices {
    #asking = new Latest();
    #items = [];
    #shown = ""; /* id or name of the selected matrix */
    #timer = 0;

    /** show(name): a matrix was selected; changed(items): the list or a status has changed. */
    constructor({ body, upload, show, changed }) {
        Object.assign(this, { show, changed });
        this.list = el("div", { class: "body" });
        this.view = new MatrixView({ removed: () => this.#renew(""), changed: () => this.#load() });
        fill(body, this.list, this.view.root);
        this.upload = new MatrixUpload({ root: upload, uploaded: (name) => this.#renew(name) });
    }

    /** Loads the list. shown: the selected matrix; machine: for its predictions. */
    async build({ shown, machine }) {
        this.#shown = shown ?? "";
        this.view.build(machine);
        busy([this.list], true);
        await this.#load();
    }

    /** parameters: of the answer, or null. */
    answered(parameters) {
        this.view.answered(parameters);
    }

    #renew(name) {
        this.#choose(name);
        return this.#load();
    }

    #choose(name) {
        this.#shown = name;
        this.show(name);
    }

    async #load() {
        const signal = this.#asking.next();
        clearTimeout(this.#timer);
        try {
            const items = await list("matrices", signal);
            if (signal.aborted) return;
            const told = (each) => each.map(({ id, status, orderings }) => [id, status, orderings]);
            const isOther = JSON.stringify(told(items)) !== JSON.stringify(told(this.#items));
            this.#items = items;
            this.#draw();
            const shown = this.view.show(this.#find());
            if (isOther) this.changed(items);
            await shown;
        } catch (error) {
            if (signal.aborted) return;
            fill(this.list, problemView(error, { shown: unplaced(error), retry: () => this.#load(), title: "The matrices cannot be listed." }));
        }
        if (signal.aborted) return;
        busy([this.list], false);
        if (this.#items.some(isUnderWay)) this.#timer = setTimeout(() => this.#poll(), POLL_MS);
    }

    /* A hidden page does not send requests. */
    #poll() {
        if (document.hidden) this.#timer = setTimeout(() => this.#poll(), POLL_MS);
        else this.#load();
    }

    #find() {
        const find = (text) => this.#items.find(({ id, name }) => text === id || text === name);
        known("shown", page.state.shown, find, "there is no such matrix");
        return find(this.#shown) ?? this.#items[0] ?? null;
    }

    #draw() {
        const held = document.activeElement?.dataset?.matrix; /* focus is restored after the redraw */
        if (!this.#items.length) {
            fill(this.list, el("p", { class: "waiting" }, "There is no matrix yet. Upload one to predict its factorization with sparse_lu."));
            return;
        }
        fill(this.list, tableOf(this.#items, this.#find(), (row) => {
            this.#choose(row.name);
            this.#draw();
            this.view.show(row);
            this.view.root.scrollIntoView({ block: "nearest" });
        }));
        if (held) this.list.querySelector(`[data-matrix="${CSS.escape(held)}"]`)?.focus();
    }
}

const tableOf = (items, chosen, choose) => table({
    caption: "Sparse matrices, newest first", rows: items, isMarked: (row) => row === chosen, columns: [
        { name: "name", label: "Matrix", cell: (row) => el("button", { type: "button", class: "quiet", "data-matrix": row.id,
            "aria-pressed": String(row === chosen), on: { click: () => choose(row) } }, row.name) },
        { name: "n", label: "n", isNumber: true, text: (row) => number(row.n) },
        { name: "nnz", label: "Entries", isNumber: true, text: (row) => number(row.nnz) },
        { name: "status", label: "Analysis", cell: progressView },
        { name: "orderings", label: "Orderings", text: (row) => row.orderings?.join(", ") || "–" },
        { name: "uploaded_at", label: "Uploaded", cell: (row) => el("time", { datetime: row.uploaded_at }, age(row.uploaded_at)) },
    ],
});
