/* Uploads one file: finds its type and destination, and shows the result. */
import { Problem, send } from "../core/api.js";
import { el } from "../core/dom.js";
import { table } from "../core/table.js";
import { capital } from "../core/units.js";
import { tokenRefusal } from "./token.js";

/* What the daemon reads; `expects`: the text; `needs`: parameters that it seldom contains, isAsked: those of the question of the page. */
export const FORMATS = [
    { name: "", label: "JSON, JSON Lines", expects: "Runs of the schema forerun-run-1: one, an array, or one on each line. They may have the times of phases and the computation of each process." },
    { name: "hpl", label: "HPL output", needs: ["utc_offset"], expects: "HPL.out, or the output file of HPC Challenge. Give threads and ranks_per_node if the defaults are wrong." },
    { name: "scalapack", label: "ScaLAPACK testers, PBLAS timer", needs: [], expects: "Tables of xdlu, xdllt and xdqr, and of dpb3tim, in double precision. Give threads and ranks_per_node if the defaults are wrong." },
    { name: "petsc", label: "PETSc -log_view CSV", needs: ["solver"], expects: "What -log_view :FILE:ascii_csv writes or -log_view prints, if possible after the text of -ksp_view, which names the solver. Give the grid or matrix, and the nodes." },
    { name: "superlu_dist", label: "SuperLU_DIST statistics", needs: ["matrix"], expects: "The statistics that SuperLU_DIST prints." },
    { name: "sacct", label: "Slurm sacct --parsable2", needs: ["model", "utc_offset"], expects: "The output of sacct --parsable2, with its header line: the elapsed times of jobs. Give step, the name of the program, if a job has several steps." },
    { name: "extrap", label: "Extra-P", needs: ["model"], expects: "Measurements of Extra-P: JSON Lines, JSON, text or TaLPas. Give metric if the time is not named time or runtime, and callpath if there are several." },
    { name: "samples", label: "samples of forerun-calibrate", needs: ["locality"], expects: "CSV of forerun-calibrate --sample or --samples: calls of BLAS and their times. Give locality (in_cache, out_of_cache) if the text has no such column." },
    { name: "seconds", label: "measured times alone", isAsked: true, needs: ["job", "started_at"], expects: "A time in seconds, or the repetitions of one run, one per line. Everything else is given below, as in the question of this page; job or started_at tell equal runs apart." },
];

class Refusal extends Error {}

const MOST_SHOWN = 200; /* values of a preview */

/**
 * Uploads one file; returns { view, machine, lacksToken, isStorable }: the result as an element, the
 * machine that has changed, or null, whether another token would help, and whether nothing is stored
 * yet, because the result is the preview of a text.  format: a name of FORMATS or ""; given:
 * [["solver", "pcg"], …].
 */
export async function upload(file, { machine, format, given, token, isPreview }) {
    try {
        const text = await file.text();
        const to = destination(file.name, text, { machine, format, given: isPreview ? [...given, ["preview", "true"]] : given });
        const { status, body } = await send(to.path, text, to.type, token);
        const view = el("p", { class: "done" }, el("strong", {}, `${file.name}: `), told(status, body, to),
            body.stored === undefined && [" ", el("a", { href: `?machine=${encodeURIComponent(to.machine)}` }, `Ask ${to.machine}`)]);
        if (!body.preview) return { view, machine: to.machine };
        return { view: el("div", {}, view, readView(file.name, body.read)), machine: null, isStorable: body.known < body.items.length };
    } catch (error) {
        const words = tokenRefusal(error, token);
        return { view: words ? said(file.name, `not stored: ${words}`) : refusalView(file.name, error), machine: null, lacksToken: words !== null };
    }
}

function destination(name, text, { machine, format, given }) {
    const document = parsed(text), first = document ?? parsed(firstLine(text));
    const schema = [first, first?.[0]].map((each) => each?.schema).find((each) => typeof each === "string") ?? "";
    if (document && schema.startsWith("forerun-calibration")) {
        const own = typeof document.machine === "string" && document.machine ? document.machine : machine;
        if (!own) throw new Refusal("the document does not name its machine.");
        return { path: `machines/${encodeURIComponent(own)}/calibrations`, type: "application/json", machine: own };
    }
    if (!machine) throw new Refusal("there is no machine yet; upload a calibration first.");
    const path = `machines/${encodeURIComponent(machine)}/runs`;
    if (format && !schema.startsWith("forerun-run")) {
        return { path: `${path}?${new URLSearchParams([["format", format], ...given])}`, type: "text/plain", machine };
    }
    if (document !== undefined) return { path, type: "application/json", machine };
    if (/\.(ndjson|jsonl)$/i.test(name) || first !== undefined) return { path, type: "application/x-ndjson", machine };
    if (!/^\s*[[{]/.test(text)) throw new Refusal("this is not JSON; select the format of the file.");
    return { path, type: "application/json", machine }; /* the daemon reports the syntax error */
}

function parsed(text) {
    try {
        return JSON.parse(text);
    } catch {
        return undefined;
    }
}

const firstLine = (text) => text.trimStart().split("\n", 1)[0];

function told(status, body, { machine }) {
    const warnings = body.warnings.map(({ message }) => ` ${message}.`).join("");
    if (body.stored === undefined) {
        return (status === 201 ? `the calibration of ${machine} is stored.` : `this calibration of ${machine} was already stored.`) + warnings;
    }
    const stored = body.preview ? `${body.items.length - body.known} to be stored for ${machine}` : `${body.stored} stored`;
    return `${stored}, ${body.known} already known${body.left_out ? `, ${body.left_out} left out` : ""}.${warnings}`;
}

/** What was read of a file, to be compared with it; nothing where it tells so itself. */
export function readView(name, read) {
    const column = (name, isNumber) => ({ name, label: capital(name), isNumber, text: (row) => [row[name]].flat().join(", ") });
    const columns = [column("field"), column("value"), column("line", true)];
    if (!read?.length) return null;
    if (read.at(-1).run > 1) columns.push(column("run", true));
    return [table({ caption: `What was read of ${name}`, columns, rows: read.slice(0, MOST_SHOWN) }),
        read.length > MOST_SHOWN && el("p", { class: "hint" }, `The first ${MOST_SHOWN} of ${read.length} values.`)];
}

/** Why a file is not stored. */
export const said = (name, text, ...more) => el("div", { class: "problem" }, el("p", {}, el("strong", {}, `${name}: `), text), ...more);

function refusalView(name, error) {
    if (error instanceof Refusal) return said(name, error.message);
    if (!(error instanceof Problem)) return said(name, `not sent. ${error.message}`);
    if (!error.errors.length) return said(name, `not stored. ${error.message}`);
    /* The sentence of the daemon has the number of faults, including those that are not listed. */
    const count = error.message.replace(/^The request has /, "").replace(/[;:] (the first: )?.*$/s, "");
    return said(name, `${count}; nothing was stored.`, el("ul", {}, error.errors.map(faultView)));
}

/* A fault with its place: the line or run, and the member of the document. */
function faultView({ pointer, parameter, message }) {
    const [, place, rest] = /^((?:line|run) \d+(?:, column \d+)?): (.*)$/s.exec(message) ?? [null, null, message];
    const [, index, member] = /^\/(\d+)(?:\/(.*))?$/s.exec(pointer ?? "") ?? [null, null, (pointer ?? "").replace(/^\//, "")];
    const where = place ?? (index === null ? null : `run ${Number(index) + 1}`);
    const name = parameter ?? member;
    return el("li", {}, where && [el("strong", {}, where), ": "], name && [el("code", {}, name), ": "], rest);
}
