/* Reads values off a chart: a crosshair with all values at a point, by mouse, touch and keys, and the
 * same as a table.  What the picture shows is requested when it is first read. */
import { get } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { column, table } from "../core/table.js";
import { unfolding } from "../core/unfold.js";
import { themed } from "./picture.js";
import { spoken, stopsOf, valueAt } from "./stops.js";

const NEAR_PIXELS = 24; /* how far a click may be from the line that it takes */
const DRAG_PIXELS = 8;  /* a shorter drag is a click, and a drag takes the points so near its ends */

/** Remembers what the picture shows, in the theme of the page. */
function loader(path, query) {
    let known = null, theme;
    return () => {
        const now = themed(query);
        if (!known || theme !== now.theme) {
            theme = now.theme;
            known = get(`${path}.json`, now).then((chart) => ({ chart, stops: stopsOf(chart) }));
            known.catch(() => { known = null; });
        }
        return known;
    };
}

/**
 * The image of a chart as an element that can be read.  path, query: of the chart; size: of the image;
 * take(question): called with the parameters of a point that the user chooses, absent if none can be;
 * zoom({ from, to, axis }): called with the part of the x axis to show, or null for all of it; absent if there is no other.
 */
export const readable = (image, { path, query, size, name, take, zoom }) =>
    el("div", { class: "drawing" }, image, new Reader({ load: loader(path, query), size, name, take, zoom }).root);

class Reader {
    #stops = null;
    #chart = null;
    #at = -1;             /* the stop that is or was shown */
    #isPointed = false;   /* the pointer is over the chart */
    #isTouch = false;
    #wasShown = false;    /* the touched stop was shown before */
    #from = null;         /* where a drag began, in pixels of the chart */
    #isDragged = false;
    #range = el("div", { class: "range", hidden: true });
    #hair = el("div", { class: "hair" });
    #dots = el("div");
    #tip = el("div", { class: "tip" });
    #marks = el("div", { class: "marks", "aria-hidden": "true", hidden: true }, this.#hair, this.#dots, this.#tip);

    constructor({ load, size, name, take, zoom }) {
        Object.assign(this, { load, size, take, zoom });
        this.root = el("div", { class: "reader", role: "slider", tabindex: "0", "aria-label": `Values of ${name}`, "aria-valuemin": "1", "aria-valuemax": "1", "aria-valuenow": "1",
            "aria-valuetext": `arrow keys read the values${take ? ", Enter asks about a point" : ""}${zoom ? ", plus and minus zoom" : ""}`,
            on: {
                pointermove: (event) => this.#follow(event), pointerdown: (event) => this.#press(event), pointerup: (event) => this.#release(event), pointercancel: () => this.#endDrag(), pointerleave: (event) => this.#leave(event),
                click: (event) => this.#click(event), keydown: (event) => this.#key(event), blur: () => this.#hide(),
            } }, this.#range, this.#marks);
    }

    /** Whether there is something to read; says why not. */
    async #ready() {
        try {
            ({ chart: this.#chart, stops: this.#stops } = await this.load());
            this.root.setAttribute("aria-valuemax", String(Math.max(1, this.#stops.length)));
        } catch (error) {
            this.#stops = null;
            fill(this.#tip, `No values: ${error.message}`);
            this.root.setAttribute("aria-valuetext", this.#tip.textContent);
            this.#marks.hidden = false;
        }
        return this.#stops?.length > 0;
    }

    #show(index) {
        const stop = this.#stops[index], { left, top, right, bottom } = stop.frame, isAfterMiddle = !stop.isRow && stop.x > this.#chart.width / 2;
        this.#at = index;
        this.#place(this.#hair, left, top);
        this.#hair.classList.toggle("cell", right > left);
        this.#hair.style.width = `${(100 * (right - left)) / this.#chart.width}%`;
        this.#hair.style.height = `${(100 * (bottom - top)) / this.#chart.height}%`;
        fill(this.#dots, stop.values.filter(({ isPlain }) => isPlain).map(({ y, color }) => this.#place(colored("dot", color), stop.x, y)));
        fill(this.#tip, el("strong", {}, stop.head),
            stop.values.map(({ label, text, color }) => el("div", {}, color && colored("swatch", color), [label, text].filter(Boolean).join(": "))),
            this.take && stop.question && el("div", { class: "hint" }, `${this.#isTouch ? "A second tap" : "Click or Enter"} asks about this point`));
        this.#tip.classList.toggle("before", isAfterMiddle);
        if (stop.isRow) this.#place(this.#tip, stop.x, bottom);
        else this.#place(this.#tip, isAfterMiddle ? left : right, top);
        this.#marks.hidden = false;
        this.root.setAttribute("aria-valuenow", String(index + 1));
        this.root.setAttribute("aria-valuetext", spoken(stop));
    }

    #place(element, x, y) {
        element.style.left = `${(100 * x) / this.#chart.width}%`;
        element.style.top = `${(100 * y) / this.#chart.height}%`;
        return element;
    }

    #hide() {
        this.#isPointed = false;
        this.#marks.hidden = true;
    }

    /** The pointer in pixels of the chart. */
    #pixels({ clientX, clientY }) {
        const { left, top, width, height } = this.root.getBoundingClientRect();
        return { x: ((clientX - left) * this.size.width) / width, y: ((clientY - top) * this.size.height) / height };
    }

    #nearest({ x, y }) {
        const away = (stop) => Math.hypot(stop.isRow ? 0 : stop.x - x, stop.y === undefined ? 0 : stop.y - y);
        return this.#stops.reduce((best, stop, i) => (best < 0 || away(stop) < away(this.#stops[best]) ? i : best), -1);
    }

    async #follow(event) {
        const where = this.#pixels(event);
        this.#isPointed = true;
        this.#drag(where);
        if (await this.#ready() && this.#isPointed) this.#show(this.#nearest(where));
    }

    #press(event) {
        this.#isTouch = event.pointerType === "touch";
        this.#isDragged = false;
        if (this.zoom && !this.#isTouch && event.button === 0) {
            this.#from = this.#pixels(event);
            this.root.setPointerCapture(event.pointerId);
        }
        this.#wasShown = !this.#marks.hidden && this.#stops !== null && this.#nearest(this.#pixels(event)) === this.#at;
        this.#follow(event);
    }

    #drag({ x }) {
        if (!this.#from || !this.#chart || (!this.#isDragged && Math.abs(x - this.#from.x) < DRAG_PIXELS)) return;
        const { box } = this.#chart, inside = (at) => Math.min(box.right, Math.max(box.left, at)), left = inside(Math.min(x, this.#from.x));
        this.#isDragged = true;
        this.#place(this.#range, left, box.top);
        this.#range.style.width = `${(100 * (inside(Math.max(x, this.#from.x)) - left)) / this.#chart.width}%`;
        this.#range.style.height = `${(100 * (box.bottom - box.top)) / this.#chart.height}%`;
        this.#range.hidden = false;
    }

    #release(event) {
        const from = this.#from, to = this.#pixels(event);
        this.#endDrag();
        if (from && this.#isDragged) this.#narrow(...[from.x, to.x].sort((a, b) => a - b).map((pixel) => this.#valueNear(pixel)));
    }

    /* A point at the end of a drag belongs to it. */
    #valueNear(pixel) {
        const near = this.#stops.find((stop) => stop.at !== undefined && Math.abs(stop.x - pixel) < DRAG_PIXELS);
        return near ? near.at : valueAt(this.#chart, pixel);
    }

    #endDrag() {
        this.#from = null;
        this.#range.hidden = true;
    }

    #narrow(from, to) {
        if (this.#chart.x_parameter && !this.#chart.cells) this.zoom({ from, to, axis: this.#chart.x });
    }

    #leave({ pointerType }) {
        if (pointerType === "mouse" && document.activeElement !== this.root) this.#hide();
    }

    /* The first tap shows the values; a mouse has shown them before. */
    async #click(event) {
        const where = this.#pixels(event);
        if (this.#isDragged || (this.#isTouch && !this.#wasShown)) return;
        if (await this.#ready()) this.#choose(this.#nearest(where), where);
    }

    async #key(event) {
        if (event.altKey || event.ctrlKey || event.metaKey) return; /* the browser's */
        if (event.key === "Escape") this.#hide();
        if (this.zoom && ["+", "-"].includes(event.key) && await this.#ready()) return this.#zoomBy(event.key);
        if (!["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "Home", "End", "Enter"].includes(event.key)) return;
        event.preventDefault();
        if (!await this.#ready()) return;
        if (event.key === "Enter") this.#choose(this.#at);
        else this.#show(this.#next(event.key));
    }

    /* Plus: from the neighbor before the stop to the one after it. */
    #zoomBy(key) {
        const last = this.#stops.length - 1, at = Math.max(0, this.#at);
        if (key === "-") this.zoom(null);
        else this.#narrow(this.#stops[Math.max(0, at - 1)].at, this.#stops[Math.min(last, at + 1)].at);
    }

    #next(key) {
        const last = this.#stops.length - 1, columns = this.#chart.cells ? (this.#chart.x.categories?.length ?? 1) : this.#chart.y.categories ? -1 : 1;
        const next = { ArrowRight: this.#at + 1, ArrowLeft: this.#at - 1, ArrowUp: this.#at + columns, ArrowDown: this.#at - columns, Home: 0, End: last }[key];
        return this.#at < 0 && key !== "End" ? 0 : Math.min(last, Math.max(0, next));
    }

    /** Asks about a stop; near a line, with the value of that line. */
    #choose(index, where) {
        const stop = this.#stops[index];
        if (!this.take || !stop?.question) return;
        const away = ({ y }) => Math.abs(y - where.y);
        const [near] = where ? stop.values.filter((each) => each.isPlain && away(each) < NEAR_PIXELS).sort((a, b) => away(a) - away(b)) : [];
        this.take({ ...stop.question, ...near?.own });
    }
}

function colored(kind, color) {
    const element = el("span", { class: kind });
    element.style.backgroundColor = color;
    return element;
}

/** The values of a chart as a table that is requested when it is opened; key: of the chart, for the address. */
export function valuesView({ path, query, name, key }) {
    const load = loader(path, query), body = el("div");
    return unfolding(`values-${key}`, "The values as a table", body, { opened: async () => {
        if (body.firstChild) return;
        try {
            fill(body, tableOf(await load(), name));
        } catch (error) {
            fill(body, el("p", { class: "waiting" }, `No values: ${error.message}`));
        }
    } });
}

function tableOf({ chart, stops }, caption) {
    const labels = chart.cells ? [""] : chart.series.map(({ label }) => label);
    const rows = stops.map(({ head, values }) => ({ head, ...Object.fromEntries(values.map(({ label, text }) => [`of ${label}`, text])) }));
    return table({ caption, rows, columns: [
        column("head", chart.cells ? "Cell" : "Point", rows),
        ...labels.map((label) => column(`of ${label}`, label || chart.cells.title, rows)),
    ] });
}
