/* The best configuration for a goal, including the number of nodes. */
import { address, follow, Latest } from "./api.js";
import { el, fill, unseen } from "./dom.js";
import { Faults, field, input, read, select } from "./fields.js";
import { fileOf, identityOf, lineOf } from "./identity.js";
import { problemView } from "./problem.js";
import { Progress, stoppedView } from "./progress.js";
import { alternatives, keptOf, recommendQuery, spelled, tunables } from "./query.js";
import { column, intervalColumns, table, tunableColumn, warningsColumn } from "./table.js";
import { capital, duration, number, plural, quantity } from "./units.js";

const LIMIT = 8;

const OBJECTIVES = [["time", "least time"], ["nodes", "fewest nodes"], ["core_hours", "fewest core hours"], ["efficiency", "best efficiency"]];

export class Recommendation {
    #asking = new Latest();
    #faults = new Faults();

    /** changed(): called when the goal changes; use(row): copies the tunables of the row into the form; remedies(fault): see problemView. */
    constructor({ section, form, body, changed, use, remedies }) {
        Object.assign(this, { section, form, body, changed, use, remedies });
        this.progress = new Progress({ root: section.querySelector(".progress") });
    }

    build(state, model) {
        const hasPeak = !model || model.outputs.some(({ name }) => name === "percent_of_peak");
        const set = (name, value) => {
            if (value) state.goal[name] = value;
            else delete state.goal[name];
            this.changed();
        };
        const text = (name, more) => {
            const control = input(state.goal[name], { placeholder: "no limit", inputmode: "text" });
            const built = field(`goal-${name}`, { control, ...more });
            control.addEventListener("input", () => set(name, read({ name, type: "number", unit: name === "deadline_s" ? "s" : "1" }, built)));
            return [name, built];
        };
        const objective = select(OBJECTIVES.filter(([name]) => hasPeak || name !== "efficiency"), state.goal.objective || "time");
        objective.addEventListener("change", () => set("objective", objective.value === "time" ? "" : objective.value));
        const fields = [
            ["objective", field("goal-objective", { label: "Objective", control: objective })],
            text("deadline_s", { label: "Deadline", unit: "s or 10 min" }),
            text("max_nodes", { label: "At most", unit: "nodes" }),
            ...(hasPeak ? [text("min_efficiency_fraction", { label: "Minimum efficiency", unit: "80 % or 0.8" })] : []),
            text("min_scaling_fraction", { label: "As long as nodes pay", unit: "50 % or 0.5", hint: "Least core hours over those of a configuration: 0.5 lets half of each node go to waste." }),
        ];
        for (const [name, built] of fields) this.#faults.bind(name, built);
        fill(this.form, fields.map(([, built]) => built.root));
    }

    /** row: the configuration of the answer, or null. */
    async ask(model, state, row) {
        const signal = this.#asking.next();
        const isPossible = tunables(model).length > 0 && alternatives(model).length > 0;
        this.section.hidden = !isPossible;
        if (!isPossible) return this.progress.end();
        this.body.setAttribute("aria-busy", "true");
        const again = () => this.ask(model, state, row);
        this.progress.begin((told) => this.stop(stoppedView(told, { retry: again })));
        try {
            const kept = keptOf(model, row);
            const answer = await follow(`recommend/${model.name}`, recommendQuery(state, model, LIMIT, kept), signal, (told) => this.progress.tell(told));
            if (signal.aborted) return;
            this.#faults.clear();
            fill(this.body, recommendView({ answer, model, state, kept, use: this.use }));
        } catch (error) {
            if (signal.aborted) return;
            fill(this.body, problemView(error, { shown: this.#faults.show(error.errors ?? []), retry: again, remedies: this.remedies, title: "No recommendation for this goal." }));
        }
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

/* Rows of the API name their warnings as CODE or CODE:WHAT. */
function warnedView(warnings) {
    if (!warnings.length) return null;
    const kinds = Map.groupBy(warnings, (each) => each.split(":")[0]);
    const what = (each) => each.slice(each.indexOf(":") + 1);
    return el("div", { class: "warnings" }, el("h3", { class: "minor" }, `${plural(kinds.size, "warning")} for this configuration`),
        el("ul", {}, [...kinds].map(([code, all]) => el("li", {}, capital(code.replaceAll("_", " ")), all[0].includes(":") && `: ${all.map(what).join(", ")}`, "."))));
}

function recommendView({ answer, model, state, kept, use }) {
    const query = recommendQuery(state, model, undefined, kept), identity = identityOf(model, query, answer.calibration);
    const rows = [answer.best, ...answer.runners_up];
    const known = (name) => rows.some((row) => row[name] !== undefined);
    const columns = [
        { ...column("nodes", "Nodes", rows), cell: (row) => (row === answer.best ? [number(row.nodes), " ", el("span", { class: "tag" }, "best")] : number(row.nodes)) },
        ...["processes"].filter(known).map((name) => column(name, "Processes", rows)),
        ...tunables(model).filter((p) => known(p.name)).map((p) => tunableColumn(p, rows)),
        column("time_s", "Time", rows),
        ...intervalColumns(rows),
        ...["core_hours"].filter(known).map((name) => column(name, "Core hours", rows)),
        ...["efficiency_fraction"].filter((name) => rows.some((row) => typeof row[name] === "number")).map((name) => column(name, "Efficiency", rows)),
        ...["memory_bytes_per_process"].filter((name) => rows.some((row) => typeof row[name] === "number")).map((name) => column(name, "Memory per process", rows)),
        warningsColumn,
        { name: "use", label: unseen("Use"), isFixed: true, cell: (row) => el("button", {
            type: "button", class: "quiet", "aria-label": `Use ${number(row.nodes)} nodes`, on: { click: () => use(row) },
        }, "Use") },
    ];
    const { best } = answer;
    return [
        el("p", { class: "lead" }, el("strong", {}, plural(best.nodes, "node")),
            `: ${duration(best.time_s)}`,
            best.efficiency_fraction != null && `, ${quantity("efficiency_fraction", best.efficiency_fraction, 3)} of peak`,
            best.core_hours != null && `, ${number(best.core_hours, 3)} core hours`,
            `. This is the best of ${number(answer.considered)} configurations; the best ones for other node counts follow.`,
            Object.keys(kept).length > 0 && ` Chosen as in the answer: ${spelled(kept)}.`),
        el("p", { class: "hint about" }, `${lineOf(identity)}.`),
        warnedView(best.warnings),
        table({ caption: `Recommended configuration and runners-up: ${lineOf(identity)}`, columns, rows, isMarked: (row) => row === answer.best }),
        el("p", { class: "links" }, el("a", { href: address(`recommend/${model.name}.csv`, query), download: fileOf(identity, "recommendation", "csv") }, "Recommendation as CSV")),
    ];
}
