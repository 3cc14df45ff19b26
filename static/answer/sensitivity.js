/* Which calibrated values change the answer most, each alone times 2 and divided by 2. */
import { address, get, Latest } from "../core/api.js";
import { el, fill, unseen } from "../core/dom.js";
import { fileOf, identityOf, lineOf } from "../core/identity.js";
import { choiceOf, isKept, predictQuery } from "../core/query.js";
import { table } from "../core/table.js";
import { change as changeOf, number, plural } from "../core/units.js";
import { problemView, unplaced } from "../parts/problem.js";
import { ROWS, scriptView } from "../parts/request.js";
import { Gallery } from "../charts/gallery.js";

const SHOWN = 12; /* as many as the chart has */

export class Sensitivity {
    #asking = new Latest();
    #key = "";

    /** change(path): makes a what-if of the value. */
    constructor(root, { change }) {
        this.change = change;
        this.body = el("div", { class: "body" });
        this.charts = el("div", { class: "gallery" });
        fill(root, el("h3", {}, "What matters most?"), this.body, this.charts);
        this.gallery = new Gallery(root, this.charts);
    }

    /** row: the configuration of the answer, or null. */
    show(model, state, row) {
        if (!row) {
            this.#key = "";
            this.#asking.stop();
            return this.gallery.hide();
        }
        const query = predictQuery(state, choiceOf(model, row)), about = identityOf(model, query, row.calibration);
        const key = JSON.stringify([model.name, query, row.calibration]);
        if (key === this.#key) return undefined;
        this.#key = key;
        this.#asking.stop();
        const ask = () => this.gallery.show(key, () => this.#ask({ model, query, about, again }));
        const again = () => { this.gallery.show("", null); ask(); };
        fill(this.body, isKept(model) ? el("button", { type: "button", on: { click: ask } }, "Find out (may take a minute)") : el("p", { class: "waiting" }, "Not asked yet."));
        this.gallery.show("", null);
        return isKept(model) ? undefined : ask();
    }

    async #ask({ model, query, about, again }) {
        const signal = this.#asking.next();
        fill(this.body, el("p", { class: "waiting" }, "Asking …"));
        try {
            const answer = await get(`sensitivity/${model.name}`, query, signal);
            if (signal.aborted) return [];
            fill(this.body, sensitivityView({ answer, model, query, about, change: this.change }));
            return answer.rows.length ? [{ name: "sensitivity", text: "Change of the time with each calibrated value", about, path: `sensitivity/${model.name}/chart`, query }] : [];
        } catch (error) {
            if (!signal.aborted) fill(this.body, problemView(error, { shown: unplaced(error), retry: again, title: "What matters most is unknown." }));
            return [];
        }
    }
}

function sensitivityView({ answer, model, query, about, change }) {
    const { rows: [most], factor, tried } = answer, shown = answer.rows.slice(0, SHOWN);
    if (!most) return el("p", {}, `None of ${plural(tried, "calibrated value")} changes the time.`);
    return [
        el("p", {}, "Most of all ", el("code", {}, most.path), `: ${factor} times as much changes the time by `, el("strong", {}, changeOf(most.change_multiplied_fraction)),
            ", half as much by ", el("strong", {}, changeOf(most.change_divided_fraction)), `. ${number(answer.rows.length)} of ${plural(tried, "calibrated value")} change the time at all.`),
        table({ caption: `Change of the time with each calibrated value: ${lineOf(about)}`, rows: shown, columns: [
            { name: "path", label: "Calibrated value", text: ({ path }) => path },
            { name: "change_multiplied_fraction", label: `× ${factor}`, isNumber: true, text: (row) => changeOf(row.change_multiplied_fraction) },
            { name: "change_divided_fraction", label: `÷ ${factor}`, isNumber: true, text: (row) => changeOf(row.change_divided_fraction) },
            { name: "use", label: unseen("Change"), cell: ({ path }) => query[`what_if.${path}`] === undefined && el("button", { type: "button", class: "quiet", "aria-label": `Change ${path}`, on: { click: () => change(path) } }, "Change") },
        ] }),
        el("p", { class: "links" }, el("a", { href: address(`sensitivity/${model.name}.csv`, query), download: fileOf(about, "sensitivity", "csv") }, "All as CSV")),
        scriptView("what matters most", [{ text: "all values", path: `sensitivity/${model.name}`, query, formats: ROWS }]),
    ];
}
