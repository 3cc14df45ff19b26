/* Faults of one kind in one sentence.  The daemon names each call and each kernel by itself: of a list
 * of calls that is a wall of text.  For kernels that a calibration has no model of, the command that
 * measures them. */
import { copyButton, el } from "./dom.js";

const MISSING = /\bno model of (.+), (in_cache|out_of_cache), (\d+) threads? in kernels\.routine_models\b/;
const CALL = /^(?:\w+: )?call (\d+): (.*)$/s;
const SHOWN = 12; /* kernels or calls named in a sentence */

export const PLACES = { in_cache: "in the cache", out_of_cache: "out of the cache" };

/** The faults with those joined that say the same of several kernels or calls. */
export const compact = (errors) => sameCalls(missingModels(errors));

/* One for each locality and count of threads. */
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

/* "call 3: foo is no routine" and the same of call 7: one fault of calls 3 and 7. */
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

/** How to measure what the (compact) faults miss, null where they miss no model. */
export function remedyView(errors, { model, machine } = {}) {
    const missing = errors.filter((error) => error.kernels);
    if (!missing.length) return null;
    const command = commandOf(missing, { model, machine });
    return el("div", { class: "remedy" },
        el("p", {}, "Measure them on the machine, join the document with the calibration there is by ", el("code", {}, "forerun-calibrate --merge"),
            " and upload the result. The newer document's models of kernels replace all others: name every kernel, place of the operands and count of threads that is needed."),
        el("div", { class: "slurm" }, el("code", {}, command), copyButton("Copy", () => command)));
}

function commandOf(missing, { model, machine }) {
    const kernels = new Set();
    for (const kernel of missing.flatMap((group) => group.kernels)) {
        if (/^sylv\d+_unb$/.test(kernel)) kernels.add("sylv_own");
        /* An operation's refusal names what one variant lacks: the next one lacks more. */
        kernels.add(model && model.name !== "calls" ? model.name : kernel.replace(" ", ":"));
    }
    const threads = [...new Set(missing.map((group) => group.threads))];
    const places = [...new Set(missing.map((group) => group.locality))];
    return ["forerun-calibrate --only routine_models", `--kernels ${[...kernels].join(",")}`,
        places.includes("out_of_cache") && `--locality ${places.join(",")}`, threads.some((count) => count !== 1) && `--threads ${threads.join(",")}`,
        machine && `--machine ${machine.name}`, "-o models.json"].filter(Boolean).join(" ");
}
