/* The block structures of a matrix besides those of its upload: a form that adds one, and a list. */
import { address, send } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { readable } from "../core/state.js";
import { column, table } from "../core/table.js";
import { token } from "../core/token.js";
import { Faults, field, input, select } from "../parts/fields.js";
import { curlOf } from "../parts/curl.js";
import { problemView } from "../parts/problem.js";
import { scriptView } from "../parts/request.js";
import { tokenRefusal } from "../parts/token.js";

const ORDERINGS = ["metis", "amd", "colamd", "natural"];
const ROWS = [["auto", "automatic"], ["transversal", "always permuted"], ["none", "as they are"]];

export class Structures {
    #faults = new Faults();
    #matrix = null;
    #machine = null;

    /** added(): called when an analysis was queued. */
    constructor({ added }) {
        this.added = added;
        this.form = el("form", { class: "inline-form", "aria-label": "Add a block structure", novalidate: true, autocomplete: "off" });
        this.said = el("div", { role: "status", class: "said" });
        this.list = el("div");
        this.script = el("div");
        this.root = el("div", { id: "structures" }, el("h4", { class: "minor" }, "Other block structures"),
            el("p", { class: "hint" }, "Other supernode limits give another structure of the same factors; a ranking of sparse_lu compares them."),
            this.form, this.said, this.list, this.script);
        this.form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.#add();
        });
        this.form.addEventListener("input", () => this.#write());
    }

    /** machine: the machine for predictions, or null. */
    show({ matrix, machine }) {
        const isOther = matrix.id !== this.#matrix?.id;
        this.#matrix = matrix;
        this.#machine = machine;
        if (isOther) this.#build();
        const added = (matrix.structures ?? []).filter((each) => each.row_permutation !== "auto" ||
            each.supernode_max !== matrix.supernode_max || each.supernode_relax !== matrix.supernode_relax);
        fill(this.list, added.length > 0 && this.#table(added));
    }

    #build() {
        const { supernode_max: max, supernode_relax: relax } = this.#matrix;
        this.controls = { ordering: select(ORDERINGS.map((name) => [name]), ORDERINGS[0]), row_permutation: select(ROWS, "auto"),
            supernode_max: input(String(max), { inputmode: "numeric" }), supernode_relax: input(String(relax), { inputmode: "numeric" }) };
        const fields = [["ordering", "Ordered by"], ["supernode_max", "Widest supernode", "1 to 512 columns"], ["supernode_relax", "Relaxed subtrees", "at most as wide"],
            ["row_permutation", "Rows"]].map(([name, label, hint]) => [name, field(`structure-${name}`, { label, hint, control: this.controls[name] })]);
        for (const [name, built] of fields) this.#faults.bind(name, built);
        fill(this.form, fields.map(([, built]) => built.root), el("button", {}, "Add"));
        fill(this.said);
        this.#write();
    }

    get #path() {
        return `matrices/${this.#matrix.id}/structures`;
    }

    get #asked() {
        const value = (name) => this.controls[name].value.trim();
        return JSON.stringify({ ordering: value("ordering"), row_permutation: value("row_permutation"), supernode_max: numberOf(value("supernode_max")), supernode_relax: numberOf(value("supernode_relax")) });
    }

    #write() {
        const { id, name } = this.#matrix;
        fill(this.script, scriptView(`block structures of ${name}`, [{ text: "those that are known", path: `matrices/${id}`, formats: ["json"] },
            { text: "add this one", name: "add", line: () => curlOf({ url: address(this.#path), method: "post", body: { type: "application/json", text: this.#asked }, needsToken: true }) }], { key: "structures" }));
    }

    async #add() {
        fill(this.said);
        try {
            const { status } = await send(this.#path, this.#asked, "application/json", token.value);
            this.#faults.clear();
            fill(this.said, el("p", { class: "done" }, status === 202 ? "Its analysis has begun." : "This structure is there already."));
            await this.added();
        } catch (error) {
            const refusal = tokenRefusal(error, token.value);
            fill(this.said, refusal ? el("p", { class: "problem" }, el("strong", {}, "Not added: "), token.value ? refusal : "a token of scope write is needed; enter it in the upload form above.")
                : problemView(error, { shown: this.#faults.show(error.errors ?? []), retry: () => this.#add(), title: "This structure is not added." }));
        }
    }

    #table(rows) {
        return table({ caption: `Added structures of ${this.#matrix.name}`, rows, columns: [
            { name: "ordering", label: "Ordering", text: (row) => row.ordering },
            { name: "row_permutation", label: "Rows", text: (row) => ROWS.find(([name]) => name === row.row_permutation)?.[1] ?? row.row_permutation },
            ...[["supernode_max", "Widest"], ["supernode_relax", "Relaxed"], ["supernodes", "Supernodes"], ["nnz_lu", "nnz(L + U)"], ["symbolic_s", "Symbolic factorization"]]
                .map(([name, label]) => column(name, label, rows)),
            { name: "status", label: "Status", isFixed: true, cell: (row) => (row.reason ? el("span", { class: "wide assumed" }, `${row.status}: ${row.reason}`) : row.status) },
            { name: "use", label: "Use", isFixed: true, cell: (row) => row.status === "ready" && el("a", { href: this.#questionOf(row),
                "aria-label": `Predict with ${row.ordering}, ${row.supernode_max} and ${row.supernode_relax} columns` }, "Predict") },
        ] });
    }

    #questionOf({ ordering, row_permutation, supernode_max, supernode_relax }) {
        const serves = this.#machine?.models?.includes("sparse_lu");
        return `?${readable(new URLSearchParams({ model: "sparse_lu", ...(serves && { machine: this.#machine.name }), matrix: this.#matrix.name, ordering, row_permutation,
            supernode_max, supernode_relax, processes: "16" }))}#answer`;
    }
}

/* What is no number is left to the daemon, which says what is wrong with it. */
const numberOf = (text) => (text !== "" && Number.isFinite(Number(text)) ? Number(text) : text);
