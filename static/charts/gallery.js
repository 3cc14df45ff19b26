/* Several charts of one subject, drawn by the daemon.
 *
 * They are requested only when they become visible: their predictions are expensive.
 */
import { Latest } from "../core/api.js";
import { el, fill, whenSeen } from "../core/dom.js";
import { fileOf, lineOf, titleOf } from "../core/identity.js";
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
     * charts(): promises [{ name, key, text, about, path, query, isSquare, isTitled }], `key` for the address where the name is not unique
     * on the page, `about` the identity of the query, `isTitled` whether the daemon writes the title; null: there are none.  The same key
     * means the same charts.
     */
    show(key, charts) {
        this.root.hidden = false;
        if (key === this.#key) return;
        this.#key = key;
        this.#charts = charts;
        this.seen.disconnect();
        this.#asking.next();
        fill(this.body);
        this.body.setAttribute("aria-busy", "false");
        if (charts) this.seen.observe(this.root);
    }

    async #draw() {
        const signal = this.#asking.next();
        this.body.setAttribute("aria-busy", "true");
        const charts = await this.#charts();
        const images = await Promise.all(charts.map((chart) => picture(`${chart.path}.svg`, drawn(chart), signal).catch((error) => error)));
        if (signal.aborted) return;
        fill(this.body, charts.map((chart, i) => figureOf(chart, images[i], () => this.#draw())));
        this.body.setAttribute("aria-busy", "false");
    }
}

/* A square picture has room for its color scale. */
function sizeFor({ isSquare, query }) {
    const size = sizeOf(SIZE, { isMap: isSquare || query.kind === "map" });
    return isSquare ? { ...size, height: String(Math.round(0.88 * Number(size.width))) } : size;
}

const drawn = (chart) => ({ ...chart.query, ...(!chart.isTitled && { title: `${chart.text}: ${titleOf(chart.about)}` }), ...sizeFor(chart) });

function figureOf(chart, image, again) {
    const { name, key = name, path, about } = chart, text = `${chart.text}: ${lineOf(about)}`;
    if (!(image instanceof Blob)) return el("figure", { class: `chart-${name}` }, problemView(image, { shown: unplaced(image), retry: again, title: `${text}: no chart.` }));
    const values = { path, query: drawn(chart), size: sizeFor(chart), name: `the chart: ${text}`, key };
    const shown = imageOf(image, { alt: `${text}.`, ...sizeFor(chart) });
    return el("figure", { class: `chart-${name}` }, el("div", { class: "paper" }, readable(shown, values)),
        el("figcaption", {}, el("p", {}, `${text}.`), chartFiles(chart.text, { key, path, query: drawn(chart), file: (suffix) => fileOf(about, name, suffix) })),
        valuesView(values));
}
