/* The upload of saved runs and calibrations: files that are selected or dropped. */
import { el, fill } from "../core/dom.js";
import { token } from "../core/token.js";
import { unfolds } from "../core/unfold.js";
import { field, input, select } from "../parts/fields.js";
import { FORMATS, upload } from "../parts/sending.js";
import { againButton, tokenField } from "../parts/token.js";


export class Upload {
    #machine = null;
    #question = []; /* of the page, as name=value */
    #isOwn = false; /* the user has changed the parameters */
    #sending = Promise.resolve(); /* files go one after the other */

    /** uploaded(machine): called when this machine has changed. */
    constructor({ root, uploaded }) {
        this.root = root;
        unfolds(root, "upload");
        this.uploaded = uploaded;
        this.format = select(FORMATS.map(({ name, label }) => [name, label]), "");
        this.format.addEventListener("change", () => {
            this.#isOwn = false;
            this.#ask();
        });
        this.expects = el("p", { class: "hint" });
        this.given = el("div", { class: "given", on: { input: () => { this.#isOwn = true; } } });
        this.parameters = el("fieldset", { class: "set", hidden: true, "aria-describedby": "upload-given-hint" }, el("legend", {}, "Parameters of all its runs"),
            el("p", { class: "hint", id: "upload-given-hint" }, "What the text does not contain, as name=value: the operation (model=cg), the solver, nodes, the time zone (utc_offset=+0100), …"), this.given);
        this.text = el("textarea", { id: "upload-text", rows: "3", spellcheck: "false" });
        this.files = el("input", { type: "file", id: "upload-files", multiple: true });
        this.files.addEventListener("change", () => this.#take([...this.files.files]));
        this.said = el("div", { role: "status", class: "said" });
        this.zone = el("div", { class: "drop" }, el("label", { for: "upload-files" }, "Drop files here, or select them:"), this.files);
        fill(root, el("summary", {}, "Upload saved runs or a calibration"),
            el("p", { class: "hint" }, "A calibration is stored for the machine that it names, runs for the machine selected above."),
            el("div", { class: "inline-form" },
                tokenField("upload-token", "Scope write; created by forerund token create. Kept until this tab is closed.").root,
                field("upload-format", { label: "Format of runs", control: this.format }).root),
            this.expects, this.parameters, this.zone,
            field("upload-text", { label: "Or paste the text", control: this.text }).root,
            el("button", { type: "button", on: { click: () => this.#paste() } }, "Send the text"), this.said);
        this.#ask();
        this.#catchDrops();
    }

    show(machine) {
        if (machine?.name !== this.#machine?.name && this.#machine) fill(this.said);
        this.#machine = machine;
    }

    /* A file that is dropped outside the zone must not replace the page. */
    #catchDrops() {
        const isFiles = (event) => event.dataTransfer?.types.includes("Files");
        for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
            document.addEventListener(type, (event) => {
                if (!isFiles(event)) return;
                event.preventDefault();
                const isOver = this.zone.contains(event.target);
                this.root.open = true;
                this.zone.classList.toggle("over", isOver && type.match(/enter|over/) !== null);
                if (isOver && type === "drop") this.#take([...event.dataTransfer.files]);
            });
        }
    }

    /** The question of the page: its model and its parameters, { n: "4096" }. */
    ask(model, values) {
        const known = model.parameters.filter(({ name }) => values[name]).map(({ name }) => `${name}=${values[name]}`);
        this.#question = [`model=${model.name}`, ...known];
        if (!this.#isOwn) this.#ask();
    }

    #ask() {
        const { expects, needs, isAsked } = FORMATS.find(({ name }) => name === this.format.value);
        fill(this.expects, expects);
        this.parameters.hidden = !needs;
        fill(this.given, isAsked && this.#question.map((text) => this.#pair(text)), needs?.map((name) => this.#pair(`${name}=`)), this.#pair(""));
    }

    #paste() {
        if (this.text.value.trim()) this.#take([new File([this.text.value], "the text")]);
        else fill(this.said, el("p", { class: "problem" }, "There is no text to send."));
    }

    /* A field for name=value; the last one is always empty. */
    #pair(text) {
        const control = input(text, { inputmode: "text", placeholder: "name=value", "aria-label": "Parameter of all runs" });
        control.addEventListener("input", () => {
            if (control.value && control === this.given.lastElementChild) this.given.append(this.#pair(""));
        });
        return control;
    }

    #pairs() {
        return [...this.given.children].map((control) => control.value.trim()).filter((text) => text && !text.endsWith("="))
            .map((text) => [text.split("=", 1)[0].trim(), text.slice(text.indexOf("=") + 1).trim()]);
    }

    /* A text of another program is shown as it was read before it is stored. */
    #take(files) {
        this.files.value = "";
        const format = this.format.value;
        this.#send(files, { machine: this.#machine?.name, format, given: format ? this.#pairs() : [], isPreview: Boolean(format) });
    }

    #send(files, how) {
        this.#sending = this.#sending.then(() => this.#sendAll(files, { ...how, token: token.value }));
    }

    async #sendAll(files, how) {
        fill(this.said);
        let renewed = null;
        const refused = [], storable = [];
        for (const file of files) {
            const waiting = el("p", { class: "waiting" }, `Sending ${file.name} …`);
            this.said.append(waiting);
            const { view, machine, lacksToken, isStorable } = await upload(file, how);
            waiting.replaceWith(view);
            if (lacksToken) refused.push(file);
            if (isStorable) storable.push(file);
            renewed = machine ?? renewed;
        }
        if (storable.length) this.said.append(el("button", { type: "button", on: { click: () => this.#send(storable, { ...how, isPreview: false }) } }, storable.length > 1 ? `Store the runs of ${storable.length} files` : "Store"));
        if (refused.length) this.said.append(againButton(refused, (again) => this.#send(again, how)));
        if (renewed) await this.uploaded(renewed);
    }
}
