/* A section of charts around the configuration of the answer, for the models that have some. */
import { byId } from "../core/dom.js";
import { Gallery } from "./gallery.js";

export class AnswerCharts {
    /** name: id of the section; isFor(model); chartsOf(model, state, row): as a Gallery takes them. */
    constructor(name, { isFor, chartsOf }) {
        Object.assign(this, { isFor, chartsOf });
        this.link = document.querySelector(`nav a[href="#${name}"]`);
        this.gallery = new Gallery(byId(name), byId(`${name}-body`));
    }

    /** row: the configuration of the answer with its processes, or null. */
    show(model, state, row) {
        const isShown = row !== null && this.isFor(model);
        this.link.hidden = !isShown;
        if (!isShown) return this.gallery.hide();
        const charts = this.chartsOf(model, state, row);
        return this.gallery.show(JSON.stringify(charts), charts);
    }
}
