/* Two searches beside the best number of nodes: the largest problem that meets the limits, and from which value on one choice is
 * faster than another. */
import { address } from "../core/api.js";
import { el } from "../core/dom.js";
import { fileOf, identityOf, lineOf } from "../core/identity.js";
import { alternatives, choiceOf, rankQuery, rowQuery, spelled } from "../core/query.js";
import { table } from "../core/table.js";
import { duration, number, plural, quantity } from "../core/units.js";
import { field, input, sentence, select } from "../parts/fields.js";
import { jobView } from "../parts/job.js";
import { ROWS, scriptView } from "../parts/request.js";

const SIZE = "n"; /* of the problem: what is searched, and one of two axes of a crossover */

const FEW = 2; /* crossings that a sentence tells one by one */

/** The settings of the goal that only a crossover has. */
export const OWN = ["along", "compare", "range"];

export const isSearch = ({ objective }) => objective === "size" || objective === "crossover";

const hasSize = (model) => model?.parameters.some(({ name, required }) => name === SIZE && required);

/* What a user chooses between comes first, the variant above all, and how it is predicted last. */
const rank = ({ name, tunable }) => (name === "variant" ? 2 : Number(tunable ?? false));
const comparable = (model) => model.parameters.filter((p) => p.type === "choice" && p.choices.length > 1).sort((a, b) => rank(b) - rank(a));

/** The searches that a model has, as options of the objective. */
export const searchesOf = (model) => (hasSize(model) ? [["size", "largest problem"], ...(comparable(model).length ? [["crossover", "crossover of two choices"]] : [])] : []);

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

/** The fields of a crossover; set(settings): changes the goal; again(): builds the form anew. */
export function crossoverFields(model, state, set, again) {
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

/** The query of a search; kept: choices of the answer. */
export function searchQuery(state, model, limit, kept = {}) {
    const { compare, range = rangeOf(model, state), along = SIZE, objective, ...limits } = state.goal, query = { ...kept, ...rankQuery(state, limit), objective, ...limits };
    if (objective === "size") {
        delete query[SIZE];
        return query;
    }
    const { p, pair } = comparedOf(model, state.goal);
    if (along === "nodes") for (const each of alternatives(model).flat()) delete query[each.name];
    return { ...query, along, [p.name]: pair.join(","), ...(range && { [along]: range }) };
}

/** take(question): asks about these values; model, state, kept: of the question. */
export function searchView({ answer, query: { limit, ...whole }, model, state, kept, take }) {
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
        next && el("p", {}, `At ${along} = ${number(next.value)}: ${next.errors.map((fault) => sentence(fault)).join("; ")}.`),
        el("p", { class: "hint about" }, `${lineOf(identity)}.`),
        !identity.changes.length && jobView(model, { ...rowQuery(state, model, best), [along]: String(best[along]) }),
    ];
}

function crossoverView({ segments, crossings, search: { along }, compared: { parameter, first, second } }, { identity }) {
    const [one] = segments, last = segments.at(-1), at = (value) => (along === "nodes" ? plural(value, "node") : `${along} = ${number(value)}`);
    const lead = !segments.length ? `Neither ${first} nor ${second} is possible there`
        : crossings > FEW ? `${first} and ${second} overtake each other ${number(crossings)} times; from ${at(last.from)} on ${last.faster ?? "neither"} is faster`
            : crossings ? segments.filter(({ faster }) => faster).map(({ faster, from }, i) => `${faster} is faster from ${at(from)} on${i ? "" : ", where the range begins"}`).join("; ")
                : one.faster ? `${one.faster} is faster throughout, from ${at(one.from)} to ${number(one.to)}` : `${first} and ${second} take the same time throughout`;
    const timeOf = (row, name) => [row.best, row.other].find((each) => each?.[parameter] === name)?.time_s;
    const columns = [
        { name: "from", label: `From ${along}`, isNumber: true, text: (row) => number(row.from) }, { name: "to", label: `To ${along}`, isNumber: true, text: (row) => number(row.to) },
        { name: "faster", label: "Faster", text: ({ faster }) => faster ?? "neither" },
        ...[first, second].map((name) => ({ name, label: `${name} at the first`, isNumber: true, text: (row) => (timeOf(row, name) == null ? "–" : duration(timeOf(row, name))) })),
        { name: "reason", label: "Why", text: ({ reason }) => reason ?? "" },
    ];
    return [
        el("p", { class: "lead" }, el("strong", {}, lead), "."),
        el("p", { class: "hint about" }, `${lineOf(identity)}.`),
        segments.length > 0 && table({ caption: `The faster of ${first} and ${second}: ${lineOf(identity)}`, columns, rows: segments }),
    ];
}
