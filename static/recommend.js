/* The best configuration including how many nodes, for a goal. */
import { address } from "./api.js";
import { el, fill, unseen } from "./dom.js";
import { field, input, select } from "./fields.js";
import { recommendQuery, tunables } from "./query.js";
import { column, table } from "./table.js";
import { capital, duration, number, quantity } from "./units.js";

export const recommendLimit = 8;

const OBJECTIVES = [["time", "least time"], ["nodes", "fewest nodes"], ["core_hours", "fewest core hours"], ["efficiency", "best efficiency"]];

export class Goal {
    constructor({ form, faults, change }) {
        Object.assign(this, { form, faults, change });
    }

    build(state) {
        const set = (name, value) => {
            if (value) state.goal[name] = value;
            else delete state.goal[name];
            this.change();
        };
        const text = (name, more) => {
            const control = input(state.goal[name], { placeholder: "no limit" });
            control.addEventListener("input", () => set(name, control.value.trim()));
            return [name, field(`goal-${name}`, { control, ...more })];
        };
        const objective = select(OBJECTIVES, state.goal.objective || "time");
        objective.addEventListener("change", () => set("objective", objective.value === "time" ? "" : objective.value));
        const fields = [
            ["objective", field("goal-objective", { label: "Objective", control: objective })],
            text("deadline_s", { label: "Deadline", unit: "s" }),
            text("max_nodes", { label: "At most", unit: "nodes" }),
            text("min_efficiency_fraction", { label: "Least efficiency", unit: "0…1" }),
        ];
        for (const [name, built] of fields) this.faults.bind(name, built);
        fill(this.form, fields.map(([, built]) => built.root));
    }
}

export function recommendView({ answer, model, state, use }) {
    const rows = [answer.best, ...answer.runners_up];
    const known = (name) => rows.some((row) => row[name] !== undefined);
    const columns = [
        { ...column("nodes", "Nodes", rows), cell: (row) => (row === answer.best ? [number(row.nodes), " ", el("span", { class: "tag" }, "best")] : number(row.nodes)) },
        ...["processes"].filter(known).map((name) => column(name, "Processes", rows)),
        ...tunables(model).filter((p) => known(p.name)).map((p) => column(p.name, capital(p.name.replaceAll("_", " ")), rows)),
        column("time_s", "Time", rows),
        ...["core_hours"].filter(known).map((name) => column(name, "Core hours", rows)),
        ...["efficiency_fraction"].filter(known).map((name) => column(name, "Efficiency", rows)),
        column("memory_bytes_per_process", "Memory per process", rows),
        { name: "use", label: unseen("Use"), isFixed: true, cell: (row) => el("button", {
            type: "button", class: "quiet", "aria-label": `Use ${number(row.nodes)} nodes`, on: { click: () => use(row) },
        }, "Use") },
    ];
    const { best } = answer;
    return [
        el("p", { class: "lead" }, el("strong", {}, `${number(best.nodes)} node${best.nodes === 1 ? "" : "s"}`),
            `: ${duration(best.time_s)}`,
            best.efficiency_fraction != null && `, ${quantity("efficiency_fraction", best.efficiency_fraction, 3)} of peak`,
            best.core_hours != null && `, ${number(best.core_hours, 3)} core hours`,
            `. The best of ${number(answer.considered)} configurations, with the best of other node counts below it.`),
        table({ caption: "Recommended configuration and runners-up", columns, rows, isMarked: (row) => row === answer.best }),
        el("p", { class: "links" }, el("a", { href: address(`recommend/${model.name}.csv`, recommendQuery(state, model)), download: `${model.name}-recommendation.csv` }, "Recommendation as CSV")),
    ];
}
