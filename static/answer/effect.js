/* The effect of what-ifs: the best configuration before and after, and what the one from before takes now. */
import { get, Problem } from "../core/api.js";
import { el } from "../core/dom.js";
import { choiceOf, predictQuery, rankQuery, spelled } from "../core/query.js";
import { number, quantity } from "../core/units.js";

/**
 * The best configuration before the changes of `asked`, predicted with them; its baseline is the
 * time before.  Null if the machine as calibrated has no possible configuration.
 */
export async function bestBefore(model, asked, signal) {
    try {
        const { rows: [best] } = await get(`rank/${model.name}`, rankQuery({ ...asked, whatIf: [] }, 1), signal);
        const choice = choiceOf(model, best);
        return { choice, ...await get(`predict/${model.name}`, predictQuery(asked, choice), signal) };
    } catch (error) {
        if (error instanceof Problem) return null;
        throw error;
    }
}

/** before: of bestBefore; null or absent if only one configuration can be compared. */
export function effectView({ time_s, baseline }, before) {
    if (!baseline) return null;
    const [now, same] = before ? [before.baseline.time_s, before.time_s] : [baseline.time_s, time_s];
    const one = (name, value, note) => el("div", { class: "fact" }, el("dt", {}, name), el("dd", {}, quantity("time_s", value, 3), el("span", { class: "hint" }, note)));
    return [el("dl", { class: "facts effect-of-change" },
        one(before ? "Best before" : "Before", now, before ? spelled(before.choice) : "the same configuration on the machine as calibrated"),
        one(before ? "Best after" : "After", time_s, comparison(time_s, now))),
    before && el("p", { class: "hint same" }, time_s === same ? "The best configuration stays the same." : `The configuration from before takes ${quantity("time_s", same, 3)} there: ${comparison(same, now)}.`)];
}

/** "1.2 times as fast" */
export function comparison(changed, before) {
    const ratio = changed / before;
    if (Math.abs(ratio - 1) < 5e-5) return "as long as before";
    if (ratio > 0.8 && ratio < 1.25) return `${number(100 * Math.abs(ratio - 1), 2)}\u00a0% ${ratio < 1 ? "less" : "more"} time`;
    return ratio < 1 ? `${number(before / changed, 3)}\u00a0times as fast` : `${number(ratio, 3)}\u00a0times as long`;
}
