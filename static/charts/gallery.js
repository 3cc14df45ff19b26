/* Several charts of one subject, requested when they become visible; each has its place before. */
import { Latest } from "../core/api.js";
import { el, fill, whenSeen } from "../core/dom.js";
import { fileOf, headingOf, lineOf } from "../core/identity.js";
import { problemView, unplaced } from "../parts/problem.js";
import { chartFiles } from "../parts/request.js";
import { imageOf, picture, sizeOf } from "./picture.js";
import { readable, valuesView } from "./reader.js";

const SIZE = { width: "700", height: "430" };

export class Gallery {
    #asking = new Latest();
    #charts = null;
    #key = ""; /* identifies the charts that are shown */

    /** root: the element that is hidden if there are no charts. */
    constructor(root, body) {
        Object.assign(this, { root, body });
        root.hidden = true;
        this.seen = whenSeen(() => this.#draw(), "25%");
    }

    hide() {
        this.show("", null);
        this.root.hidden = true;
    }

    /**
     * charts: [{ name, key, text, about, path, query, isSquare, isTitled }], `key` for the address where the name is not unique
     * on the page, `about` the identity of the query, `isTitled` whether the daemon writes the title; or a function that asks for them,
     * called when they are about to be seen; null: there are none.  The same key means the same charts.
     */
    show(key, charts) {
        this.root.hidden = false;
        if (key === this.#key) return;
        this.#key = key;
        this.#charts = charts;
        this.seen.disconnect();
        this.#asking.next();
        fill(this.body, Array.isArray(charts) && charts.map((chart) => figureOf(chart)));
        this.body.setAttribute("aria-busy", "false");
        if (charts) this.seen.observe(this.root);
    }

    async #draw() {
        const signal = this.#asking.next();
        this.body.setAttribute("aria-busy", "true");
        if (!Array.isArray(this.#charts)) {
            const charts = await this.#charts();
            if (signal.aborted) return;
            this.#charts = charts;
            fill(this.body, charts.map((chart) => figureOf(chart)));
        }
        await Promise.all(this.#charts.map((chart, i) => picturing(chart, this.body.children[i], signal)));
        if (!signal.aborted) this.body.setAttribute("aria-busy", "false");
    }
}

/* A square picture has room for its color scale. */
function sizeFor({ isSquare, query }) {
    const size = sizeOf(SIZE, { isMap: isSquare || query.kind === "map" });
    return isSquare ? { ...size, height: String(Math.round(0.88 * Number(size.width))) } : size;
}

const drawn = (chart) => ({ ...chart.query, ...(!chart.isTitled && { title: `${chart.text}: ${headingOf(chart.about)}` }), ...sizeFor(chart) });

/* Puts the picture into its place, or why there is none. */
async function picturing(chart, figure, signal) {
    const image = await picture(`${chart.path}.svg`, drawn(chart), signal).catch((error) => error);
    if (signal.aborted) return;
    if (image instanceof Blob) return figure.querySelector(".place").replaceWith(imageOf(image, { alt: `${headOf(chart)}.`, ...sizeFor(chart) }));
    const refusal = refusalOf(chart, image, () => {
        const again = figureOf(chart);
        refusal.replaceWith(again);
        return picturing(chart, again, signal);
    });
    figure.replaceWith(refusal);
}

const headOf = ({ text, about }) => `${text}: ${lineOf(about)}`;

/* A figure with the place of its picture. */
function figureOf(chart) {
    const { name, key = name, path, about } = chart, size = sizeFor(chart), query = drawn(chart);
    const values = { path, query, size, name: `the chart: ${headOf(chart)}`, key };
    return el("figure", { class: `chart-${name}` }, el("div", { class: "paper" }, readable(el("canvas", { class: "place", ...size }), values)),
        el("figcaption", {}, el("p", {}, `${headOf(chart)}.`), chartFiles(chart.text, { key, path, query, file: (suffix) => fileOf(about, name, suffix) })),
        valuesView(values));
}

const refusalOf = (chart, error, again) => el("figure", { class: `chart-${chart.name}` }, problemView(error, { shown: unplaced(error), retry: again, title: `${headOf(chart)}: no chart.` }));
