/* What the user takes over into the question: a point of a chart, a row of a table, a remedy, a matrix. */
import { byId } from "../core/dom.js";
import { forget, page, turnTo, write } from "../core/page.js";
import { alternatives, choiceOf } from "../core/query.js";
import { focusOn } from "../parts/sections.js";
import { remediesOf } from "./remedies.js";

/** form, whatIf, recommendation: parts of the page; open: of Opening; ask(), prepare(): of Asking. */
export function choicesOf({ form, whatIf, recommendation, open, ask, prepare }) {
    /* selected: { name, before, state }, the matrix that is not asked of yet; Back makes another state. */
    let matrices = [], selected = null;

    const changed = () => {
        write({ push: true });
        form.write(page.state);
        ask();
    };
    const toAnswer = () => focusOn(byId("answer"));

    /* Another member of the group of alternatives that has this parameter is no longer given. */
    const clear = (name) => {
        for (const p of alternatives(page.model).find((group) => group.some((each) => each.name === name)) ?? []) delete page.state.values[p.name];
    };

    function remedy({ values = {}, goal = {}, paths = {}, memory, structures }) {
        const { state } = page;
        if (structures) return prepare();
        for (const [name, value] of Object.entries(values)) {
            clear(name);
            if (value === undefined) delete state.values[name];
            else state.values[name] = value;
        }
        Object.assign(state.goal, goal);
        state.whatIf = state.whatIf.flatMap((change) => (change.path in paths ? paths[change.path] ? [{ ...change, path: paths[change.path] }] : [] : [change]));
        whatIf.draw();
        state.memory = memory ?? state.memory;
        recommendation.build(state, page.model);
        return changed();
    }

    /* Asks of the matrix that the user selected or uploaded, once it is analyzed, unless the question has another since; without any, of the first. Tells whether it asked. */
    function askOfMatrix() {
        const p = page.model?.parameters.find(({ name }) => name === "matrix"), { values } = page.state, now = values.matrix;
        if (!p || (!p.required && !now)) return false;
        const ready = matrices.filter((each) => each.orderings?.length), isOpen = selected?.state === page.state && selected.before === now;
        const wanted = isOpen ? selected.name : now ? undefined : page.state.shown;
        const next = ready.find(({ id, name }) => id === wanted || name === wanted) ?? (now ? null : ready[0]);
        if (!next || next.name === now) return false;
        selected = null;
        values.matrix = next.name;
        form.write(page.state);
        write();
        ask();
        return true;
    }

    return {
        /** Asks about a point of the chart. */
        take({ machine, ...values }) {
            for (const name of Object.keys(values)) clear(name);
            Object.assign(page.state.values, values);
            if (machine) {
                turnTo(machine);
                open({ push: true });
            } else {
                changed();
            }
            toAnswer();
        },

        /** Copies a row of the ranking or of the recommendation into the form. */
        use(chosen) {
            const { model, state: { values } } = page, [size] = alternatives(model);
            Object.assign(values, choiceOf(model, chosen));
            if (size && size.some((p) => chosen[p.name] !== undefined)) {
                const given = size.find((p) => values[p.name] !== undefined && chosen[p.name] !== undefined) ?? size.find((p) => chosen[p.name] !== undefined);
                clear(given.name);
                values[given.name] = String(chosen[given.name]);
            }
            changed();
            toAnswer();
        },

        keepMachine() {
            page.state.whatIf = [];
            whatIf.draw();
            changed();
            toAnswer();
        },

        /** The buttons beside a fault. */
        remedies: (fault) => remediesOf(fault, { model: page.model, machine: page.machine ?? undefined, values: page.state.values, goal: page.state.goal, served: page.served?.get(page.state.model) }).map((each) => ({ ...each, act: () => remedy(each) })),

        /** The user selected a matrix. */
        select(name) {
            if (name !== page.state.shown) forget("partitions");
            page.state.shown = name;
            selected = { name, before: page.state.values.matrix, state: page.state };
            write({ push: true });
            askOfMatrix();
        },

        /** The list of matrices has changed. */
        offer(items) {
            const ready = () => matrices.find(({ id, name }) => [id, name].includes(page.state.values.matrix))?.orderings?.length;
            const before = ready();
            matrices = items;
            form.offer("matrix", items);
            if (!askOfMatrix() && ready() > before) ask(); /* what is asked of may have become ready */
        },
    };
}
