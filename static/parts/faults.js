/* Joins faults of calls and kernels, which the daemon reports one by one. */
import { copyButton, el } from "../core/dom.js";

const MISSING = /\bno model of (.+), (in_cache|out_of_cache), (\d+) threads? in kernels\.routine_models\b/;
const CALL = /^(?:\w+: )?call (\d+): (.*)$/s;
const SHOWN = 12; /* kernels or calls that are listed in one sentence */

export const PLACES = { in_cache: "in the cache", out_of_cache: "out of the cache" };

/** The faults, with equal faults of several kernels or calls joined. */
export const compact = (errors) => sameCalls(missingModels(errors));

/* One fault for each locality and thread count. */
function missingModels(errors) {
    const groups = new Map(), rest = [];
    for (const error of errors) {
        const [, kernel, locality, threads] = (error.code === "calibration_group_missing" && MISSING.exec(error.message)) || [];
        if (!kernel) {
            rest.push(error);
            continue;
        }
        const key = `${locality} ${threads}`;
        if (!groups.has(key)) groups.set(key, { ...error, kernels: [], locality, threads: Number(threads) });
        const group = groups.get(key);
        if (!group.kernels.includes(kernel)) group.kernels.push(kernel);
        group.message = `no model of ${listed(group.kernels)}, for operands ${PLACES[locality]} and ${threads} thread${threads === "1" ? "" : "s"}`;
    }
    return [...groups.values(), ...rest];
}

/* Joins the faults of calls 3 and 7 if their texts are equal. */
function sameCalls(errors) {
    const groups = new Map();
    return errors.flatMap((error) => {
        const [, place, text] = CALL.exec(error.message) ?? [];
        if (!place) return [error];
        const key = `${error.parameter}: ${text}`, known = groups.get(key);
        if (!known) {
            const first = { ...error, places: [place] };
            groups.set(key, first);
            return [first];
        }
        known.places.push(place);
        known.message = `calls ${listed(known.places, "")}: ${text}`;
        return [];
    });
}

function listed(names, noun = " kernels") {
    const shown = names.slice(0, SHOWN), more = names.length - shown.length;
    if (more > 0) return `${shown.join(", ")} and ${more} more${noun}`;
    return shown.length > 1 ? `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}` : shown[0];
}

/** How to measure the kernels that the joined faults name; null if no model is missing. */
export function remedyView(errors, { model, machine } = {}) {
    const missing = errors.filter((error) => error.kernels);
    if (!missing.length) return null;
    const command = commandOf(missing, { model, machine });
    return el("div", { class: "remedy" },
        el("p", {}, "Measure them on the machine, merge the document with the current calibration by ", el("code", {}, "forerun-calibrate --merge"),
            ", and upload the result."),
        el("div", { class: "slurm" }, el("code", {}, command), copyButton("Copy", () => command)));
}

function commandOf(missing, { model, machine }) {
    const kernels = new Set();
    for (const kernel of missing.flatMap((group) => group.kernels)) {
        if (/^sylv\d+_unb$/.test(kernel)) kernels.add("sylv_own");
        /* The refusal of an operation names the kernels of one variant; others need more of them. */
        kernels.add(model && model.name !== "calls" ? model.name : kernel.replace(" ", ":"));
    }
    const threads = [...new Set(missing.map((group) => group.threads))];
    const places = [...new Set(missing.map((group) => group.locality))];
    return ["forerun-calibrate --only routine_models", `--kernels ${[...kernels].join(",")}`,
        places.includes("out_of_cache") && `--locality ${places.join(",")}`, threads.some((count) => count !== 1) && `--threads ${threads.join(",")}`,
        machine && `--machine ${machine.name}`, "-o models.json"].filter(Boolean).join(" ");
}
