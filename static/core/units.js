/* Formats numbers.  The unit follows from the name, as in the API: `_s`, `_bytes`, … */

const locale = "en-GB";

/** `digits` significant digits, thousands grouped: 16,384. */
export function number(value, digits = 4) {
    if (value === null || value === undefined) return "–";
    if (Number.isInteger(value) && Math.abs(value) < 1e12) return value.toLocaleString(locale);
    if (value !== 0 && (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-3)) {
        return value.toExponential(digits - 1).replace("e+", "e");
    }
    return value.toLocaleString(locale, { maximumSignificantDigits: Math.max(digits, Math.ceil(Math.log10(Math.abs(value) + 1))) });
}

/** A count with its noun: "1 node", "2 nodes". */
export const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;

const TIMES = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
const BYTES = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];
const RATES = [[1e9, "Eflop/s"], [1e6, "Pflop/s"], [1e3, "Tflop/s"], [1, "Gflop/s"]];
const FLOPS = [[1e18, "Eflop"], [1e15, "Pflop"], [1e12, "Tflop"], [1e9, "Gflop"], [1, "flop"]];

/** The scale for values of this name, chosen for the largest one: { factor, unit }. */
export function scale(name, largest) {
    const pick = (steps) => {
        const [factor, unit] = steps.find(([step]) => Math.abs(largest) >= step) ?? (largest === 0 ? steps.at(steps === TIMES ? 0 : -1) : steps.at(-1));
        return { factor, unit };
    };
    if (/_per_s$/.test(name)) return { factor: 1, unit: "/s" };
    if (/_s$/.test(name)) return pick(TIMES);
    if (/bytes/.test(name)) return pick(BYTES);
    if (name === "gflops") return pick(RATES);
    if (name === "flops") return pick(FLOPS);
    if (name === "percent_of_peak") return { factor: 1, unit: "%" };
    if (/_fraction$/.test(name)) return { factor: 0.01, unit: "%" };
    return { factor: 1, unit: "" };
}

/** A value with a suitable unit: "2.5 GiB". */
export function quantity(name, value, digits = 4) {
    if (value === null || value === undefined) return "–";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value !== "number") return Array.isArray(value) ? value.join("x") : String(value);
    const { factor, unit } = scale(name, value);
    return number(value / factor, digits) + (unit ? `\u00a0${unit}` : "");
}

/** A share to three digits. */
export const percent = (fraction) => quantity("_fraction", fraction, 3);

/** A duration in parts: [["3", "min"], ["20", "s"]]. */
export function durationParts(seconds) {
    if (seconds < 60) {
        const { factor, unit } = scale("time_s", seconds);
        return [[number(Number((seconds / factor).toPrecision(3)), 3), unit]];
    }
    const parts = [];
    let rest = seconds < 3600 ? Math.round(seconds) : Math.round(seconds / 60) * 60;
    for (const [step, unit] of [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]]) {
        const count = Math.floor(rest / step);
        if (count > 0 && parts.length < 3) parts.push([count.toLocaleString(locale), unit]);
        rest -= count * step;
    }
    return parts;
}

export const duration = (seconds) => durationParts(seconds).map(([value, unit]) => `${value}\u00a0${unit}`).join(" ");

/** A range of times: 13.3 – 23.8 ms. */
export function range(low_s, high_s) {
    const low = durationParts(low_s), high = durationParts(high_s);
    const isOneUnit = low.length === 1 && high.length === 1 && low[0][1] === high[0][1];
    return `${isOneUnit ? low[0][0] : duration(low_s)} – ${duration(high_s)}`;
}

/** HH:MM:SS for Slurm's --time, rounded up to a minute, which is its resolution. */
export function slurmTime(seconds) {
    const minutes = Math.max(1, Math.ceil(seconds / 60));
    const two = (count) => String(count).padStart(2, "0");
    return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:00`;
}

/** "memory_bytes_per_process" -> "memory per process" */
export function label(name) {
    const words = name.replace(/_bytes_per_process$/, "_per_process").replace(/_bytes_per_node$/, "_per_node").replace(/_(s|fraction|bytes|hz|flops_per_s)$/, "");
    return words.replace(/^gflops$/, "rate").replace(/^flops$/, "operations").replaceAll("_", " ");
}

const ACRONYMS = /^(mpi|cpu|blas|numa)\b/;
export const capital = (text) => text.replace(ACRONYMS, (word) => word.toUpperCase()).replace(/^./, (first) => first.toUpperCase());

/** "3 days ago" */
export function age(text, now = Date.now()) {
    if (!text) return "–";
    const seconds = (now - new Date(text).getTime()) / 1000;
    const [step, unit] = [[31557600, "year"], [2629800, "month"], [86400, "day"], [3600, "hour"], [60, "minute"]].find(([size]) => seconds >= size) ?? [1, "second"];
    return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-Math.floor(seconds / step), unit);
}

/** "3 November 2026", in UTC. */
export const day = (text) => new Date(text).toLocaleDateString(locale, { dateStyle: "long", timeZone: "UTC" });

export function date(text) {
    if (!text) return "–";
    return new Date(text).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }) + " UTC";
}
