/* Uploading saved runs and calibrations: files dropped or chosen, with the token of who may write. */
import { Problem, send } from "./api.js";
import { el, fill } from "./dom.js";
import { field, input, select } from "./fields.js";

const FORMATS = [["", "JSON (one run, an array, or a line each)"], ["hpl", "HPL.out"], ["petsc", "PETSc -log_view CSV"],
    ["superlu_dist", "SuperLU_DIST statistics"], ["sacct", "Slurm sacct --parsable2"], ["extrap", "Extra-P JSON Lines"]];
const TOKEN = "forerun-token"; /* kept while the tab is open, never in the address */

export class Upload {
    #machine = null;

    /** uploaded(): the machine has something new. */
    constructor({ root, uploaded }) {
        this.uploaded = uploaded;
        this.token = input(sessionStorage.getItem(TOKEN), { type: "password", inputmode: "text", autocomplete: "off" });
        this.token.addEventListener("input", () => sessionStorage.setItem(TOKEN, this.token.value.trim()));
        this.format = select(FORMATS, "");
        this.more = input("", { inputmode: "text", placeholder: "solver=pcg&nodes=1" });
        this.files = el("input", { type: "file", id: "upload-files", multiple: true });
        this.files.addEventListener("change", () => this.#take([...this.files.files]));
        this.said = el("div", { role: "status", class: "body" });
        const more = field("upload-parameters", { label: "Parameters", hint: "What the text does not say, as in an address.", control: this.more });
        this.format.addEventListener("change", () => { more.root.hidden = !this.format.value; });
        more.root.hidden = true;
        const zone = el("div", { class: "drop" }, el("label", { for: "upload-files" }, "Drop files here, or choose them"), this.files);
        for (const type of ["dragenter", "dragover"]) zone.addEventListener(type, (event) => { event.preventDefault(); zone.classList.add("over"); });
        for (const type of ["dragleave", "drop"]) zone.addEventListener(type, (event) => { event.preventDefault(); zone.classList.remove("over"); });
        zone.addEventListener("drop", (event) => this.#take([...event.dataTransfer.files]));
        fill(root, el("summary", {}, "Upload saved runs or a calibration"),
            el("div", { class: "inline-form" },
                field("upload-token", { label: "Token", hint: "Of scope write; forerund token create makes one.", control: this.token }).root,
                field("upload-format", { label: "Format", control: this.format }).root, more.root),
            zone, this.said);
    }

    show(machine) {
        if (machine?.name !== this.#machine?.name) fill(this.said);
        this.#machine = machine;
    }

    async #take(files) {
        fill(this.said);
        for (const file of files) this.said.append(await this.#send(file));
        this.files.value = "";
    }

    /* One file; what came of it. */
    async #send(file) {
        try {
            const text = await file.text();
            const { path, type } = this.#destination(file.name, text);
            const answer = await send(path, text, type, this.token.value.trim());
            this.uploaded();
            return el("p", { class: "done" }, `${file.name}: ${told(answer)}`);
        } catch (error) {
            if (!(error instanceof Problem)) return el("p", { class: "problem" }, `${file.name}: ${error.message}`);
            return el("div", { class: "problem" }, el("p", {}, el("strong", {}, `${file.name}: `), refusal(error)),
                error.errors.length > 0 && el("ul", {}, error.errors.map((fault) => el("li", {},
                    (fault.pointer ?? fault.parameter) && [el("code", {}, fault.pointer ?? fault.parameter), ": "], fault.message))));
        }
    }

    /* A calibration says so in its schema; everything else is runs. */
    #destination(name, text) {
        const machine = `machines/${encodeURIComponent(this.#machine?.name ?? "")}`;
        const format = this.format.value;
        if (format) {
            const query = new URLSearchParams(this.more.value.trim());
            query.set("format", format);
            return { path: `${machine}/runs?${query}`, type: "text/plain" };
        }
        if (/"schema"\s*:\s*"forerun-calibration-1"/.test(text)) return { path: `${machine}/calibrations`, type: "application/json" };
        return { path: `${machine}/runs`, type: isLines(name, text) ? "application/x-ndjson" : "application/json" };
    }
}

/* Several documents, a line each; or one document that fills the file. */
function isLines(name, text) {
    if (/\.(ndjson|jsonl)$/.test(name)) return true;
    try {
        JSON.parse(text);
        return false;
    } catch {
        return /^\s*\{.*\}\s*$/m.test(text.split("\n", 1)[0]);
    }
}

function told(answer) {
    if (answer.stored === undefined) return answer.created === false ? "this calibration was known." : "the calibration is stored and in use.";
    const left = answer.left_out ? `, ${answer.left_out} left out` : "";
    return `${answer.stored} stored, ${answer.known} known before${left}.`;
}

function refusal(error) {
    if (error.status === 401) return "a token is needed; this one is not known.";
    if (error.status === 403) return "this token may not write.";
    return error.errors.length ? "nothing was stored." : error.message;
}
