/* The question of the page as a command for the shell. */
import { address } from "./api.js";
import { copyButton, el, fill } from "./dom.js";
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
        const kind = el("select", { id: "curl-kind", on: { change: () => { this.#form = kind.value; this.#draw(); } } },
            FORMS.map(([value, text]) => el("option", { value }, text)));
        this.parts = [
            el("div", { class: "request-head" }, el("label", { for: "curl-kind" }, "Command for a script:"), kind,
                copyButton("Copy", () => this.line.textContent)),
            el("pre", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Command" }, this.line),
        ];
    }

    show(state, model, row) {
        this.question = { state, model, choice: row ? choiceOf(model, row) : {} };
        fill(this.root, this.parts);
        this.#draw();
    }

    hide() {
        fill(this.root);
    }

    #draw() {
        const { state, model, choice } = this.question;
        const [kind, suffix] = this.#form.split(".");
        const query = readable(kind === "rank" ? rankQuery(state) : predictQuery(state, choice));
        const url = `${address(`${kind}/${model.name}${suffix ? `.${suffix}` : ""}`)}?${query}`;
        const curl = `curl -fsS ${quoted(url)}`;
        this.line.textContent = suffix === "txt" ? `eval "$(${curl})"` : curl;
    }
}

/* Quoted for the shell.  A quote in the address is already %27. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
