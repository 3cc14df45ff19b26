/* The question of the page as a command for the shell, and its answer as the head of a job script. */
import { address } from "./api.js";
import { copyButton, el, fill } from "./dom.js";
import { JOBS, jobScript } from "./job.js";
import { choiceOf, predictQuery, rankQuery } from "./query.js";
import { readable } from "./state.js";

const FORMS = [
    ["predict", "this prediction, JSON"],
    ["predict.txt", "this prediction, for eval in a job script"],
    ["rank.csv", "the ranking, CSV"],
];

export class Request {
    #form = "predict";

    constructor(root) {
        this.root = root;
        this.line = el("code", { id: "curl" });
        const kind = this.kind = el("select", { id: "curl-kind", on: { change: () => { this.#form = kind.value; this.#draw(); } } },
            [...FORMS, ...JOBS].map(([value, text]) => el("option", { value }, text)));
        this.parts = [
            el("div", { class: "request-head" }, el("label", { for: "curl-kind" }, "For a script:"), kind,
                copyButton("Copy", () => this.line.textContent)),
            el("pre", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Command" }, this.line),
        ];
    }

    /** prediction: the answer; identity: what it is about. */
    show(state, model, { prediction, identity }) {
        this.question = { state, model, choice: choiceOf(model, prediction.parameters), prediction, identity };
        /* There is no job on an imaginary machine. */
        for (const option of this.kind.options) option.disabled = identity.changes.length > 0 && JOBS.some(([value]) => value === option.value);
        if (this.kind.selectedOptions[0].disabled) this.kind.value = this.#form = FORMS[0][0];
        fill(this.root, this.parts);
        this.#draw();
    }

    hide() {
        fill(this.root);
    }

    #draw() {
        const { state, model, choice, prediction, identity } = this.question;
        if (JOBS.some(([value]) => value === this.#form)) {
            this.line.textContent = jobScript(this.#form, prediction, identity);
            return;
        }
        const [kind, suffix] = this.#form.split(".");
        const query = readable(kind === "rank" ? rankQuery(state) : predictQuery(state, choice));
        const url = `${address(`${kind}/${model.name}${suffix ? `.${suffix}` : ""}`)}?${query}`;
        const curl = `curl -fsS ${quoted(url)}`;
        this.line.textContent = suffix === "txt" ? `eval "$(${curl})"` : curl;
    }
}

/* Quoted for the shell.  A quote in the address is already %27. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
