/* The machine: its facts, calibrations and runs, and the accuracy of its predictions. */
import { el, fill, whenSeen } from "../core/dom.js";
import { knownChoice } from "../core/notes.js";
import { page } from "../core/page.js";
import { tipped } from "../core/tip.js";
import { unfolding } from "../core/unfold.js";
import { capital, label, quantity } from "../core/units.js";
import { ROWS, scriptView } from "../parts/request.js";
import { inWords, sourceOf } from "../parts/sources.js";
import { Accuracy } from "./accuracy.js";
import { calibrationsView } from "./calibrations.js";
import { Comparison } from "./comparison.js";
import { KernelModels } from "./kernel_models.js";
import { nameOf, qualityPart } from "./quality.js";
import { Runs } from "./runs.js";
import { Verdict } from "./verdict.js";

export class MachinePage {
    #machine = null;
    #shown = []; /* what the section was built of */

    /** choose(id): the user selected another calibration. */
    constructor({ root, choose }) {
        Object.assign(this, { root, choose });
        this.verdict = new Verdict();
        this.runs = new Runs();
        this.accuracy = new Accuracy();
        this.kernels = new KernelModels();
        this.comparison = new Comparison();
        /* The accuracy is requested only when it becomes visible: it is expensive. */
        this.seen = whenSeen(() => {
            this.runs.show(this.#machine);
            this.accuracy.show(this.#machine);
        }, "50%");
    }

    /** calibration, quality: of `machine.calibration` or the chosen one, or null. */
    show({ machine, calibrations, calibration, quality, id, models }) {
        const shown = [JSON.stringify([machine, calibrations, id, page.state.view]), calibration, quality];
        if (shown.every((each, i) => each === this.#shown[i])) return; /* another question of the same machine */
        this.#shown = shown;
        this.#machine = machine;
        this.seen.disconnect();
        if (!machine) {
            fill(this.root, el("p", { class: "waiting" }, "No machine is selected."));
            return;
        }
        this.kernels.show({ calibration, id });
        this.comparison.show({ machine, calibrations, id });
        this.verdict.show(machine, calibrations);
        fill(this.root, headView(machine, models, quality), this.verdict.root, factsView(machine, calibration, quality),
            scriptView("machine", [{ text: "this machine", path: `machines/${encodeURIComponent(machine.name)}`, formats: ["json"] }, { text: "all machines", path: "machines", formats: ROWS }]),
            this.kernels.root, this.accuracy.root, this.runs.root, calibrationsView({ machine, calibrations, calibration, quality, id, choose: this.choose }),
            qualityPart(calibrations.length > 0 && quality), this.comparison.root);
        this.runs.root.hidden = this.accuracy.root.hidden = !machine.runs;
        if (machine.runs) this.seen.observe(this.root);
        else for (const name of ["runs.model", "runs.page"]) knownChoice(name, () => false, "the machine has no saved runs");
    }

    /** Adds the question of the page to the comparison of calibrations. */
    ask(model, values) {
        this.comparison.ask(model, values);
    }
}

/** The description of a machine, and the warnings that forerun-calibrate adds to it, which may be long. */
export function descriptionOf(machine) {
    const [text, warnings] = (machine?.description ?? "").split(/\.* *Warnings: /);
    return { text, warnings };
}

function headView(machine, models, quality) {
    const { text, warnings } = descriptionOf(machine);
    const lacks = (m) => {
        const groups = m.groups.filter((g) => !machine.groups?.includes(g));
        return groups.length ? groups : [...new Set((quality?.parts ?? []).filter((part) => part.refused_models.includes(m.name)).map(nameOf))];
    };
    const isServed = (m) => machine.models?.includes(m.name) && !lacks(m).length;
    const served = models.filter(isServed).map((m) => m.name);
    const unserved = models.filter((m) => !isServed(m)).map((m) => `${m.name} (${lacks(m).join(", ") || "incomplete"})`);
    return [
        el("p", { class: "lead" }, el("strong", {}, machine.name), text && `: ${text}`),
        warnings && unfolding("measurement-warnings", "Warnings of the measurement", el("p", { class: "hint" }, warnings)),
        !machine.calibration && el("p", { class: "notice" }, "This machine has no calibration yet. Measure it with ",
            el("code", {}, "forerun-calibrate"), " and load the document with ", el("code", {}, "forerund import"), " or an upload."),
        served.length > 0 && el("p", {}, "Operations served: ", served.join(", "), "."),
        unserved.length > 0 && machine.calibration && el("p", {}, "Not served with default options: ", unserved.join("; "), "."),
        !machine.runs && el("p", { class: "hint" }, "There are no saved runs yet. Saved runs show the accuracy of predictions, and their intervals rest on it."),
    ];
}

function factsView(machine, calibration, quality) {
    const of = (members, source) => Object.entries(members ?? {}).map(([name, value]) => ({ name: name.replace(/^memory_bytes$/, "$&_per_node"), value, source: source(name) }));
    const entries = [...of(machine.facts, () => "stated for the machine, in its facts"), ...of(calibration?.environment, () => "found by forerun-calibrate where it measured"),
        ...of(calibration?.node, (name) => inWords(sourceOf(quality, `/node/${name}`)))];
    const seen = new Set();
    return entries.length > 0 && el("div", { class: "part" }, el("h3", {}, "Nodes and software"), el("dl", { class: "pairs" }, entries.filter(({ name, value }) => value !== null && value !== "" && !seen.has(name) && seen.add(name))
        .map(({ name, value, source }) => el("div", {}, el("dt", {}, capital(label(name))), el("dd", {}, isLink(value) ? fact(name, value) : tipped(fact(name, value), source))))));
}

const isLink = (value) => /^https?:\/\//.test(value);

function fact(name, value) {
    if (typeof value === "object") return Object.values(value).filter(Boolean).join(" ");
    if (typeof value !== "number") return isLink(value) ? el("a", { href: value, rel: "noreferrer" }, value) : String(value);
    return quantity(name, value);
}
