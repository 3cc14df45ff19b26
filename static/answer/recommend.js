/* The best configuration for a goal and the curve it is chosen from; the largest problem; crossovers. */
import { address, follow, get, Latest, Problem } from "../core/api.js";
import { el, fill, unseen } from "../core/dom.js";
import { fileOf, identityOf, lineOf } from "../core/identity.js";
import { alternatives, choiceOf, keptOf, rankQuery, recommendQuery, rowQuery, spelled, tunables } from "../core/query.js";
import { column, table, timeColumns, tunableColumn } from "../core/table.js";
import { unfolding } from "../core/unfold.js";
import { duration, number, plural, quantity } from "../core/units.js";
import { Faults, field, input, read, select, sentence } from "../parts/fields.js";
import { jobView } from "../parts/job.js";
import { problemView } from "../parts/problem.js";
import { Progress, stoppedView } from "../parts/progress.js";
import { ROWS, scriptView } from "../parts/request.js";
import { warningsView } from "../parts/warnings.js";
import { Gallery } from "../charts/gallery.js";
import { unjudged } from "./ranking.js";

const LIMIT = 8;
const SIZE = "n"; /* of the problem: what is searched, and one of two axes of a crossover */
const FEW = 2; /* crossings that a sentence tells one by one */

/* The settings of the goal that only a crossover has. */
const OWN = ["along", "compare", "range"];

const hasSize = (model) => model?.parameters.some(({ name, required }) => name === SIZE && required);

/* What a user chooses between comes first, the variant above all, and how it is predicted last. */
const rank = ({ name, tunable }) => (name === "variant" ? 2 : Number(tunable ?? false));
const comparable = (model) => model.parameters.filter((p) => p.type === "choice" && p.choices.length > 1).sort((a, b) => rank(b) - rank(a));

/* The searches that a model has, as options of the objective. */
const searchesOf = (model) => (hasSize(model) ? [["size", "largest problem"], ...(comparable(model).length ? [["crossover", "crossover of two choices"]] : [])] : []);

const isSearch = (model, { objective }) => searchesOf(model).some(([name]) => name === objective);

/* What is compared, { p, pair }: as the goal says, "variant:2d,25d", or the first two choices. */
function comparedOf(model, { compare = "" }) {
    const [name, list = ""] = compare.split(":"), all = comparable(model), p = all.find((each) => each.name === name) ?? all[0], pair = list.split(",");
    return { p, pair: pair.length === 2 && pair.every((one) => p.choices.includes(one)) ? pair : p.choices.slice(0, 2) };
}

/* Multiples of a sixteenth of the size, up to four times as large. */
function rangeOf(model, { values, goal }) {
    if (goal.along === "nodes") return "";
    const step = Math.max(1, Math.round(Number(values[SIZE] > 0 ? values[SIZE] : 16384) / 16));
    return `${step}..${64 * step}..${step}`;
}

/* Without a choice: the fewest nodes that meet the deadline, or the knee if there is no deadline. */
const OBJECTIVES = [["", "automatic"], ["knee", "knee of curve"], ["time", "least time"], ["nodes", "fewest nodes"], ["core_hours", "fewest core hours"], ["efficiency", "highest percent of peak"]];

export class Recommendation {
    #asking = new Latest();
    #faults = new Faults();

    /** changed(): called when the goal changes; use(row): copies the tunables of the row into the form; take(question): asks about these
     * values; remedies(fault): see problemView. */
    constructor({ section, form, body, changed, use, take, remedies }) {
        Object.assign(this, { section, form, body, changed, use, take, remedies });
        this.progress = new Progress({ root: section.querySelector(".progress") });
        this.curveRoot = el("div", { class: "curve" });
        this.curve = new Gallery(this.curveRoot, this.curveRoot);
    }

    build(state, model) {
        const hasPeak = !model || model.outputs.some(({ name }) => name === "percent_of_peak");
        const set = (settings) => {
            for (const [name, value] of Object.entries(settings)) {
                if (value) state.goal[name] = value;
                else delete state.goal[name];
            }
            this.changed();
        };
        const again = () => {
            const { id } = document.activeElement;
            this.build(state, model);
            document.getElementById(id)?.focus();
        };
        const text = (name, { example, ...more }) => {
            const control = input(state.goal[name], { placeholder: `no limit${example ? `, or ${example}` : ""}`, inputmode: "text" });
            const built = field(`goal-${name}`, { control, ...more });
            control.addEventListener("input", () => set({ [name]: read({ name, type: "number", unit: name === "deadline_s" ? "s" : "1" }, built) }));
            return [name, built];
        };
        const objective = select([...OBJECTIVES.filter(([name]) => hasPeak || name !== "efficiency"), ...searchesOf(model)], state.goal.objective);
        objective.addEventListener("change", () => {
            set({ objective: objective.value, ...(objective.value !== "crossover" && Object.fromEntries(OWN.map((name) => [name, ""]))) });
            again();
        });
        const isInside = el("input", { type: "checkbox", id: "goal-inside", checked: state.goal.prefer_calibrated !== "false", on: { change: () => set({ prefer_calibrated: isInside.checked ? "" : "false" }) } });
        const first = [
            ["objective", field("goal-objective", { label: "Objective", control: objective, hint: "Automatic: the deadline, or else the knee." })],
            text("deadline_s", { label: "Deadline", unit: "s", example: "10 min" }),
        ], further = [
            text("max_nodes", { label: "At most", unit: "nodes" }),
            ...(hasPeak ? [text("min_efficiency_fraction", { label: "Percent of peak, at least", example: "80 %" })] : []),
            text("min_scaling_fraction", { label: "As long as nodes pay", example: "50 %", hint: "At 50 %, a run may cost twice the core hours of the cheapest." }),
        ];
        for (const [name, built] of [...first, ...further]) this.#faults.bind(name, built);
        const isSet = [...further.map(([name]) => name), "prefer_calibrated"].some((name) => state.goal[name] !== undefined), rootsOf = (fields) => fields.map(([, { root }]) => root);
        fill(this.form, rootsOf(first), state.goal.objective === "crossover" && isSearch(model, state.goal) && el("div", { class: "inline-form" }, crossoverFields(model, state, set, again)), unfolding("limits", "More limits", [el("div", { class: "inline-form" }, rootsOf(further)),
            el("div", { class: "checks" }, el("div", { class: "check" }, isInside, el("label", { for: "goal-inside" }, "Prefer the calibrated range")))], { isUsual: isSet }));
    }

    /** row: the configuration of the answer, or null. */
    async ask(model, state, row) {
        const signal = this.#asking.next();
        const isPossible = tunables(model).length > 0 && alternatives(model).length > 0;
        this.section.hidden = document.querySelector(`nav a[href="#${this.section.id}"]`).hidden = !isPossible;
        if (!isPossible) return this.progress.end();
        this.body.setAttribute("aria-busy", "true");
        const again = () => this.ask(model, state, row), kept = keptOf(model, row), isSearching = isSearch(model, state.goal);
        const query = isSearching ? searchQuery(state, model, LIMIT, kept) : recommendQuery(state, model, LIMIT, kept);
        this.progress.begin((told) => this.stop(stoppedView(told, { retry: again })));
        try {
            const answer = await follow(`recommend/${model.name}`, query, signal, (told) => this.progress.tell(told));
            const warnings = isSearching ? [] : await this.#warnings(model, state, answer.best, signal);
            if (signal.aborted) return;
            this.#faults.clear();
            if (isSearching) {
                fill(this.body, searchView({ answer, query, model, state, kept, take: this.take }));
                return this.#end();
            }
            this.#draw(model, query, answer.calibration);
            fill(this.body, recommendView({ answer, warnings, query, job: rowQuery(state, model, answer.best), model, kept, use: this.use, curve: this.curveRoot }));
        } catch (error) {
            if (signal.aborted) return;
            fill(this.body, problemView(error, { shown: this.#faults.show(error.errors ?? []), retry: again, remedies: this.remedies, title: "No recommendation for this goal." }),
                !isSearching && isMissed(error) && this.#draw(model, query));
        }
        this.#end();
    }

    /* The recommendation is shown also where its prediction is refused. */
    async #warnings(model, state, best, signal) {
        if (!best.warnings.length) return [];
        const prediction = await get(`predict/${model.name}`, rowQuery(state, model, best), signal).catch((error) => {
            if (!(error instanceof Problem)) throw error;
            return { warnings: [] };
        });
        return messagesOf(best, prediction);
    }

    #draw(model, { limit, ...query }, calibration) {
        const about = identityOf(model, query, calibration);
        this.curve.show(JSON.stringify([model.name, query, calibration]), [{ name: "nodes", text: "Time and core hours over nodes", about, path: `recommend/${model.name}/chart`, query }]);
        return this.curveRoot;
    }

    /** Ends the work on a question that is left. */
    leave() {
        this.#asking.stop();
        this.#end();
    }

    /** Ends the work; view: why there is no answer. */
    stop(view = el("p", { class: "waiting" }, "No answer.")) {
        this.#asking.stop();
        fill(this.body, view);
        this.#end();
    }

    #end() {
        this.progress.end();
        this.body.setAttribute("aria-busy", "false");
    }
}

/* The curve shows why nothing meets the goal. */
const isMissed = ({ errors = [] }) => errors.length > 0 && errors.every(({ code, parameter }) => code === "infeasible" && parameter !== "memory" && parameter !== "max_nodes");

/* Rows of the API name their warnings as CODE or CODE:WHAT. */
const kindsOf = (warnings) => Map.groupBy(warnings, (each) => each.split(":")[0]);
const isOutside = ({ warnings }) => kindsOf(warnings).has("extrapolated");
const warningsColumn = { name: "warnings", label: "Warnings", isFixed: true,
    text: ({ warnings }) => [...kindsOf(warnings)].map(([code, all]) => code.replaceAll("_", " ") + (all.length > 1 ? ` (${all.length})` : "")).join(", ") };

/* The warnings of a row with the messages that its prediction has. */
function messagesOf({ warnings }, { warnings: told }) {
    return warnings.map((each) => {
        const [code, ...rest] = each.split(":"), what = rest.join(":");
        return told.find((w) => w.code === code && (w.what ?? "") === what) ?? { code, what, message: code.replaceAll("_", " ") + (what && `: ${what}`) };
    });
}

const LIMITS = ["deadline_s", "max_nodes", "min_efficiency_fraction", "min_scaling_fraction"];

/* Why it is the best. */
function reasonOf({ objective, best, knee, fastest }, { prefer_calibrated: prefers, ...limits }) {
    const isLeaving = prefers === "true" && isOutside(best), where = prefers === "true" && !isLeaving ? " inside the calibrated range" : "";
    const beyond = fastest?.nodes === best.nodes ? "no other number of nodes is faster" : "with more nodes, 1\u00a0% less time costs more than 1\u00a0% more core hours";
    const why = objective === "knee" ? `This is the knee of the curve${where}: ${beyond}.`
        : objective === "nodes" && limits.deadline_s ? `These are the fewest nodes for ${duration(Number(limits.deadline_s))}${where}.` : `This is the best${where}.`;
    return [why, isLeaving && `Every configuration${LIMITS.some((name) => limits[name]) ? " that meets the goal" : ""} lies outside the calibrated range.`,
        knee && knee.nodes !== best.nodes && `The knee of all node counts is at ${plural(knee.nodes, "node")}, ${duration(knee.time_s)}.`,
        objective === "knee" && !limits.deadline_s && "Give a deadline for the fewest nodes that meet it."].filter(Boolean).join(" ");
}

/* job: the query of the prediction of the best. */
function recommendView({ answer, warnings, query, job, model, kept, use, curve }) {
    const { best, calibration } = answer, { limit, ...whole } = query, identity = identityOf(model, whole, calibration);
    const rows = [best, ...answer.runners_up];
    const known = (name) => rows.some((row) => row[name] !== undefined);
    const columns = [
        { ...column("nodes", "Nodes", rows), cell: (row) => (row === best ? [number(row.nodes), " ", el("span", { class: "tag" }, "best")] : number(row.nodes)) },
        ...timeColumns(rows),
        { name: "use", label: unseen("Use"), isFixed: true, cell: (row) => el("button", {
            type: "button", class: "quiet", "aria-label": `Use ${number(row.nodes)} nodes`, on: { click: () => use(row) },
        }, "Use") },
        ...["processes"].filter(known).map((name) => column(name, "Processes", rows)),
        ...tunables(model).filter((p) => known(p.name)).map((p) => tunableColumn(p, rows)),
        ...["core_hours"].filter(known).map((name) => column(name, "Core hours", rows)),
        ...["efficiency_fraction"].filter((name) => rows.some((row) => typeof row[name] === "number")).map((name) => column(name, "Of peak", rows)),
        ...["memory_bytes_per_process"].filter((name) => rows.some((row) => typeof row[name] === "number")).map((name) => column(name, "Memory per process", rows)),
        warningsColumn,
    ];
    const hasNodes = typeof best.nodes === "number";
    return [
        el("p", { class: "lead" }, el("strong", {}, plural(best.nodes, "node")),
            `: ${duration(best.time_s)}`,
            best.efficiency_fraction != null && `, ${quantity("efficiency_fraction", best.efficiency_fraction, 3)} of peak`,
            best.core_hours != null && `, ${number(best.core_hours, 3)} core hours`,
            `. ${reasonOf(answer, query)} ${number(answer.considered)} configurations were compared.`,
            unjudged(answer),
            Object.keys(kept).length > 0 && ` Chosen as in the answer: ${spelled(kept)}.`),
        el("p", { class: "hint about" }, `${lineOf(identity)}.`),
        warningsView(warnings, { tag: "h3", about: "for this configuration" }),
        hasNodes && curve,
        table({ caption: `Recommended configuration and runners-up: ${lineOf(identity)}`, columns, rows, isMarked: (row) => row === best, isFaint: isOutside }),
        rows.some(isOutside) && el("p", { class: "hint" }, "Gray rows lie outside the calibrated range."),
        hasNodes && !identity.changes.length && jobView(model, job),
        el("p", { class: "links" }, el("a", { href: address(`recommend/${model.name}.csv`, whole), download: fileOf(identity, "recommendation", "csv") }, "Recommendation as CSV")),
        scriptView("recommendation", [{ text: "the recommendation", path: `recommend/${model.name}`, query: whole, formats: [...ROWS, "ndjson", ...(model.name === "hpl" ? ["dat"] : [])] }]),
    ];
}

/* The fields of a crossover; set(settings): changes the goal; again(): builds the form anew. */
function crossoverFields(model, state, set, again) {
    const { p, pair } = comparedOf(model, state.goal), { along = SIZE } = state.goal;
    const one = (id, label, names, value, settings) => {
        const control = select(names.map((name) => [name, name.replaceAll("_", " ")]), value);
        control.addEventListener("change", () => {
            set(settings(control.value));
            again();
        });
        return field(`goal-${id}`, { label, control });
    };
    const range = input(state.goal.range, { inputmode: "text", placeholder: rangeOf(model, state) || "counts that suit the model" });
    range.addEventListener("input", () => set({ range: range.value.trim() }));
    return [
        one("compare", "Compare", comparable(model).map(({ name }) => name), p.name, (name) => ({ compare: `${name}:` })),
        ...["One", "Other"].map((label, at) => one(label.toLowerCase(), label, p.choices.filter((name) => name !== pair[1 - at]), pair[at],
            (value) => ({ compare: `${p.name}:${pair.with(at, value).join(",")}` }))),
        one("along", "Along", [SIZE, ...(alternatives(model).length ? ["nodes"] : [])], along, (name) => ({ along: name === SIZE ? "" : name, range: "" })),
        field("goal-range", { label: "From … to", control: range, hint: "lo..hi..step · lo..hi..*factor" }),
    ].map(({ root }) => root);
}

/* The query of a search; kept: choices of the answer. */
function searchQuery(state, model, limit, kept = {}) {
    const { compare, range = rangeOf(model, state), along = SIZE, objective, ...limits } = state.goal, query = { ...kept, ...rankQuery(state, limit), objective, ...limits };
    if (objective === "size") {
        delete query[SIZE];
        return query;
    }
    const { p, pair } = comparedOf(model, state.goal);
    if (along === "nodes") for (const each of alternatives(model).flat()) delete query[each.name];
    return { ...query, along, [p.name]: pair.join(","), ...(range && { [along]: range }) };
}

/* take(question): asks about these values; model, state, kept: of the question. */
function searchView({ answer, query: { limit, ...whole }, model, state, kept, take }) {
    const identity = identityOf(model, whole, answer.calibration), chosen = Object.entries(kept).filter(([name]) => name !== answer.compared?.parameter);
    return [
        ...(answer.objective === "size" ? sizeView(answer, { identity, model, state, take }) : crossoverView(answer, { identity })),
        chosen.length > 0 && el("p", { class: "hint" }, `Chosen as in the answer: ${spelled(Object.fromEntries(chosen))}.`),
        el("p", { class: "links" }, el("a", { href: address(`recommend/${model.name}.csv`, whole), download: fileOf(identity, answer.objective, "csv") }, "Result as CSV")),
        scriptView("recommendation", [{ text: "the result", path: `recommend/${model.name}`, query: whole, formats: [...ROWS, "ndjson"] }]),
    ];
}

function sizeView({ search: { along }, best, next }, { identity, model, state, take }) {
    const choice = choiceOf(model, best), question = { ...choice, [along]: String(best[along]) };
    return [
        el("p", { class: "lead" }, el("strong", {}, `${along} = ${number(best[along])}`), ` is the largest problem that meets the limits: ${duration(best.time_s)}`,
            best.nodes != null && ` on ${plural(best.nodes, "node")}`,
            best.efficiency_fraction != null && `, ${quantity("efficiency_fraction", best.efficiency_fraction, 3)} of peak`,
            best.core_hours != null && `, ${number(best.core_hours, 3)} core hours`,
            `; ${spelled(choice)}. `, el("button", { type: "button", class: "quiet", on: { click: () => take(question) } }, "Ask about it")),
        next && el("p", {}, `${along} = ${number(next.value)} does not meet them. ${next.errors.map((fault) => sentence(fault)).join(". ")}.`),
        el("p", { class: "hint about" }, `${lineOf(identity)}.`),
        !identity.changes.length && jobView(model, { ...rowQuery(state, model, best), [along]: String(best[along]) }),
    ];
}

/** What a crossover comes to. */
export function crossoverLead({ segments, crossings, search: { along }, compared: { first, second } }) {
    const [one] = segments, last = segments.at(-1), at = (value) => (along === "nodes" ? plural(value, "node") : `${along} = ${number(value)}`);
    const told = ({ faster, reason }) => (faster ? `${faster} is faster` : reason ? `neither ${first} nor ${second} is possible` : `${first} and ${second} take the same time`);
    const lead = !segments.length ? told({ reason: true })
        : crossings > FEW ? `the faster of ${first} and ${second} changes ${number(crossings)} times; from ${at(last.from)} on ${told(last)}`
            : crossings ? segments.map((each, i) => `${told(each)} from ${at(each.from)} on${i ? "" : ", where the range begins"}`).join("; ")
                : `${told(one)} throughout, from ${at(one.from)} to ${number(one.to)}`;
    return /^(neither|the) /.test(lead) ? lead[0].toUpperCase() + lead.slice(1) : lead; /* a choice is spelled as it is given */
}

function crossoverView(answer, { identity }) {
    const { segments, search: { along }, compared: { parameter, first, second } } = answer;
    const timeOf = (row, name) => [row.best, row.other].find((each) => each?.[parameter] === name)?.time_s;
    const columns = [
        { name: "from", label: `From ${along}`, isNumber: true, text: (row) => number(row.from) }, { name: "to", label: `To ${along}`, isNumber: true, text: (row) => number(row.to) },
        { name: "faster", label: "Faster", text: ({ faster }) => faster ?? "neither" },
        ...[first, second].map((name) => ({ name, label: `${name} at the start`, isNumber: true, text: (row) => (timeOf(row, name) == null ? "–" : duration(timeOf(row, name))) })),
        ...(segments.some(({ reason }) => reason) ? [{ name: "reason", label: "Why", text: ({ reason }) => (reason ? sentence({ message: reason }) : "") }] : []),
    ];
    return [
        el("p", { class: "lead" }, el("strong", {}, crossoverLead(answer)), "."),
        el("p", { class: "hint about" }, `${lineOf(identity)}.`),
        segments.length > 0 && table({ caption: `The faster of ${first} and ${second}: ${lineOf(identity)}`, columns, rows: segments }),
    ];
}
