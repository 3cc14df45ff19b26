/* Long work of the daemon: how far it has come, and a button that ends it. */
import { el, fill } from "../core/dom.js";
import { spelled } from "../core/query.js";
import { duration, number, plural } from "../core/units.js";

const QUICK_MS = 400; /* shorter work shows nothing */

const WORDS = { doing: "Working:", what: "configuration" };

export class Progress {
    #timer = 0;
    #told = null; /* the newest progress */
    #words = WORDS;
    #stop = null;

    /** root: the element to show it in. */
    constructor({ root }) {
        this.root = root;
        this.text = el("span", { role: "status" });
        this.bestText = el("span");
        fill(root, this.text, " ", this.bestText, " ", el("button", { type: "button", class: "quiet", on: { click: () => { this.end(); this.#stop(this.#told); } } }, "Stop"));
    }

    /**
     * stop(told): the user ends the work, of which `told` is the newest progress or null; words: how the work is called;
     * after_ms: 0 for work that goes on, so that the button neither blinks nor loses the focus.
     */
    begin(stop, words = WORDS, after_ms = QUICK_MS) {
        this.end();
        this.#told = null;
        this.#words = words;
        this.#stop = stop;
        const show = () => {
            this.root.hidden = false;
            this.#show();
        };
        if (after_ms === 0) show();
        else this.#timer = setTimeout(show, after_ms);
    }

    tell(progress) {
        this.#told = progress;
        if (!this.root.hidden) this.#show();
    }

    end() {
        clearTimeout(this.#timer);
        this.root.hidden = true;
    }

    #show() {
        const { considered = 0, tried, configurations } = this.#told ?? {}, { doing, what } = this.#words;
        this.text.textContent = configurations ? `${doing} ${number(tried)} of ${plural(configurations, what)}.` : considered ? `${doing} ${plural(considered, what)} so far.` : `${doing.replace(":", "")} …`;
        this.bestText.textContent = this.#told?.best ? `Best so far: ${duration(this.#told.best.time_s)}.` : "";
    }
}

/** After the user ended the work; best: the tunables of the best configuration so far, which use(best) asks for. */
export function stoppedView(told, { best, use, retry }) {
    return el("div", { class: "notice" },
        el("p", {}, el("strong", {}, "Stopped"), told?.considered ? ` after ${plural(told.considered, "configuration")}.` : " before there was an answer.",
            best && ` The best so far takes ${duration(told.best.time_s)}: ${spelled(best)}.`),
        best && [el("button", { type: "button", on: { click: () => use(best) } }, "Predict it"), " "],
        el("button", { type: "button", class: best && "quiet", on: { click: retry } }, "Start again"));
}
