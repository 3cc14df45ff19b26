/* The head of a job script for the configuration of an answer, which the daemon writes. */
import { address, blob, Problem, Unreachable } from "../core/api.js";
import { copyButton, el } from "../core/dom.js";
import { unfolding } from "../core/unfold.js";

export const JOBS = [["slurm", "job script for Slurm (sbatch)"], ["pbs", "job script for PBS (qsub)"], ["lsf", "job script for LSF (bsub)"],
    ["reframe", "reference for a test of ReFrame"]];

/** format: a name of JOBS; query: of the prediction.  A job asks the daemon of this page, unless FORERUN_URL names another. */
export async function jobScript(format, model, query) {
    const daemon = new URL("../..", address("")).href.slice(0, -1);
    try {
        const script = await (await blob(`predict/${model.name}.${format}`, query)).text();
        /* A shell might read more in it than an address. */
        return /^[\w.:/~%[\]-]+$/.test(daemon) ? script.replace("{FORERUN_URL:-http://127.0.0.1:8080}", `{FORERUN_URL:-${daemon}}`) : script;
    } catch (error) {
        if (!(error instanceof Problem || error instanceof Unreachable)) throw error;
        return `# ${error.message}`;
    }
}

/** A part that unfolds: the script or reference, with a choice of the format and a button that copies it. */
export const jobView = (model, query) => unfolding("job", "As the head of a job script, or a test", () => {
    const script = el("code"), kind = el("select", { "aria-label": "Format", on: { change: () => draw() } }, JOBS.map(([value, text]) => el("option", { value }, text)));
    const draw = async () => {
        const { value } = kind, text = await jobScript(value, model, query);
        if (kind.value === value) script.textContent = text;
    };
    draw();
    return [el("div", { class: "request-head" }, kind, copyButton("Copy", () => script.textContent)),
        el("pre", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Job script or test" }, script)];
}, { class: "job" });
