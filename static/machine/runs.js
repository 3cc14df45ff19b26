/* The saved runs of a machine, page by page, newest first, of one model or of all. */
import { address, get, Latest, once, Problem } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { knownChoice } from "../core/notes.js";
import { choose, chosen, write } from "../core/page.js";
import { asText } from "../core/query.js";
import { table } from "../core/table.js";
import { age, date, number, quantity } from "../core/units.js";
import { field, select } from "../parts/fields.js";
import { problemView, unplaced } from "../parts/problem.js";
import { ROWS, scriptView } from "../parts/request.js";

const PAGE = 20;
const SHOWN = 6; /* parameters in a row */

export class Runs {
    #asking = new Latest();
    #machine = null;
    #model = "";
    #cursors = []; /* of the pages up to this one; "" is the first page */

    constructor() {
        this.body = el("div", { class: "body" });
        this.filter = el("div", { class: "inline-form" });
        this.title = el("h3", {}, "Saved runs");
        const turn = (text, act) => el("button", { type: "button", class: "quiet", on: { click: () => {
            act();
            this.#turned();
        } } }, text);
        this.newer = turn("Newer", () => this.#cursors.pop());
        this.older = turn("Older", () => this.#cursors.push(this.next));
        this.range = el("span", { class: "hint", role: "status" });
        this.files = el("span", { class: "links" });
        this.script = el("div");
        this.root = el("div", { class: "part", id: "runs" }, this.title, this.filter, this.body,
            el("div", { class: "links" }, this.newer, this.range, this.older, this.files), this.script);
    }

    show(machine) {
        if (machine.name !== this.#machine?.name) fill(this.body, el("p", { class: "waiting" }, "Loading …"));
        this.#machine = machine;
        this.#model = knownChoice("runs.model", (name) => machine.models?.includes(name), "the machine does not answer this operation") ?? "";
        this.#cursors = [""];
        fill(this.title, `Saved runs (${number(machine.runs)})`);
        const control = select([["", "all"], ...(machine.models ?? []).map((name) => [name])], this.#model);
        control.addEventListener("change", () => {
            this.#model = control.value;
            this.#cursors = [""];
            choose("runs.model", this.#model);
            this.#turned();
        });
        fill(this.filter, field("runs-model", { label: "Runs of", control }).root);
        const wanted = Number(chosen("runs.page"));
        this.#load(wanted <= Math.ceil(machine.runs / PAGE) ? wanted : 1);
    }

    #turned() {
        choose("runs.page", this.#cursors.length > 1 ? String(this.#cursors.length) : "");
        write({ push: true });
        this.#load();
    }

    get #path() {
        return `machines/${encodeURIComponent(this.#machine.name)}/runs`;
    }

    /* wanted: the page of the address, which the pages before lead to. */
    async #load(wanted = 1) {
        const signal = this.#asking.next();
        const filters = this.#model && { model: this.#model };
        const ask = () => get(this.#path, { limit: String(PAGE), ...filters, ...(this.#cursors.at(-1) && { cursor: this.#cursors.at(-1) }) }, signal);
        this.body.setAttribute("aria-busy", "true");
        try {
            let page = await ask();
            while (this.#cursors.length < wanted && page.next_cursor) {
                this.#cursors.push(page.next_cursor);
                page = await ask();
            }
            const models = await describe(page.items);
            if (!signal.aborted) this.#draw(page, models, filters);
        } catch (error) {
            if (signal.aborted) return;
            fill(this.body, problemView(error, { shown: unplaced(error), retry: () => this.#load(wanted), title: "The runs cannot be listed." }));
        }
        this.body.setAttribute("aria-busy", "false");
    }

    #draw({ items, next_cursor: next }, models, filters) {
        const first = PAGE * (this.#cursors.length - 1) + 1;
        knownChoice("runs.page", (text) => Number(text) === this.#cursors.length, "there is no such page of runs");
        this.next = next;
        this.newer.disabled = first === 1;
        this.older.disabled = !this.next;
        this.range.textContent = items.length ? `${number(first)} to ${number(first + items.length - 1)}` : "none";
        fill(this.files, el("a", { href: address(`${this.#path}.csv`, { limit: "1000", ...filters }) }, "CSV"),
            el("a", { href: address(this.#path, { limit: "1000", ...filters }) }, "JSON"));
        fill(this.script, scriptView("saved runs", [{ text: "these runs", path: this.#path, query: { limit: "1000", ...filters }, formats: ROWS }]));
        fill(this.body, items.length ? tableOf(items, models) : el("p", { class: "waiting" }, this.#model ? `No saved run of ${this.#model}.` : "No saved runs."));
    }
}

const tableOf = (items, models) => table({
    caption: "Saved runs of the machine, newest first", rows: items, columns: [
        { name: "id", label: "Run", cell: (row) => el("a", { href: address(`runs/${row.id}`) }, el("code", {}, row.id)) },
        { name: "model", label: "Operation", text: (row) => row.model },
        { name: "time_s", label: "Measured", isNumber: true, text: (row) => quantity("time_s", row.time_s) },
        { name: "started_at", label: "When", cell: (row) => when(row) },
        { name: "job", label: "Job", text: (row) => row.job ?? "" },
        { name: "parameters", label: "Parameters", text: (row) => short(row.parameters, models.get(row.model)) },
    ],
});

function when({ started_at: started, uploaded_at: stored }) {
    const instant = started ?? stored;
    return el("time", { datetime: instant, title: age(instant) }, started ? date(started) : `stored ${date(stored)}`);
}

/* The models of the runs, null for a model that this daemon does not know. */
async function describe(runs) {
    const names = [...new Set(runs.map((run) => run.model))];
    const known = (error) => { if (error instanceof Problem) return null; throw error; };
    return new Map(await Promise.all(names.map(async (name) => [name, await once(`models/${encodeURIComponent(name)}`).catch(known)])));
}

/* A short form of the parameters: required ones, tunables, and those that differ from the default. */
function short(parameters, model) {
    const value = (p) => parameters?.[p.name];
    const isUsual = (p) => p.default !== undefined && p.default !== null && asText(p.default) === asText(value(p));
    const rank = (p) => (p.required || p.one_of ? 0 : p.tunable ? 1 : p.automatic || isUsual(p) ? 3 : 2);
    const all = model?.parameters ?? Object.keys(parameters ?? {}).map((name) => ({ name }));
    return all.filter((p) => value(p) !== undefined && value(p) !== null && rank(p) < 3)
        .sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN).map((p) => `${p.name.replaceAll("_", " ")} ${asText(value(p))}`).join(", ");
}
