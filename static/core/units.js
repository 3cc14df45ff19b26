/* Formats numbers.  The unit follows from the name, as in the API: `_s`, `_bytes`, … */

const locale = "en-GB";

/* To make a formatter takes a hundred times as long as to use it. */
const plainly = new Intl.NumberFormat(locale), ages = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
const days = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }), instants = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const significant = made((least, most) => ({ minimumSignificantDigits: least, maximumSignificantDigits: most }));
const fixed = made((count) => ({ minimumFractionDigits: count, maximumFractionDigits: count }));

/** A function that gives the formatter for some digits. */
function made(optionsOf) {
    const kept = new Map();
    return (...digits) => {
        const key = digits.join();
        if (!kept.has(key)) kept.set(key, new Intl.NumberFormat(locale, optionsOf(...digits)));
        return kept.get(key);
    };
}

/** `digits` significant digits, thousands grouped: 16,384. */
export function number(value, digits = 4) {
    if (value === null || value === undefined) return "–";
    if (Number.isInteger(value) && Math.abs(value) < 1e12) return plainly.format(value);
    if (value !== 0 && (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-3)) {
        return value.toExponential(digits - 1).replace("e+", "e");
    }
    return significant(1, Math.max(digits, Math.ceil(Math.log10(Math.abs(value) + 1)))).format(value);
}

/** A count with its noun: "1 node", "2 nodes". */
export const plural = (count, noun) => `${number(count)} ${noun}${count === 1 ? "" : noun.endsWith("s") ? "es" : "s"}`;

const TIMES = [[1, "s"], [1e-3, "ms"], [1e-6, "µs"], [1e-9, "ns"]];
const BYTES = [[2 ** 40, "TiB"], [2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];
const FLOPS = decimal("flop"), FLOP_RATES = decimal("flop/s"), BYTE_RATES = decimal("B/s"), CLOCKS = decimal("Hz");
const TIMES_PER_BYTE = [...TIMES, [1e-12, "ps"]].map(([factor, unit]) => [factor, `${unit}/B`]);
const CLOCK = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
const CLOCK_S = 60; /* from here on a time is written as hours, minutes and seconds */
const COARSE_S = 3600; /* from here on a headline leaves out the seconds */

function decimal(unit) {
    return [[1e18, "E"], [1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1, ""]].map(([factor, prefix]) => [factor, prefix + unit]);
}

/* The end of a name -> the units for its values, from the largest down: [how many of the value's own, unit]. */
const UNITS = [[/flops\w*_per_s$/, FLOP_RATES], [/_bytes_per_s$/, BYTE_RATES], [/_per_s$/, [[1, "/s"]]], [/_s_per_byte$/, TIMES_PER_BYTE], [/_s$/, TIMES], [/_hz$/, CLOCKS],
    [/bytes/, BYTES], [/gflops$/, FLOP_RATES.map(([factor, unit]) => [factor / 1e9, unit])], [/^flops$/, FLOPS], [/^percent_of_peak$/, [[1, "%"]]], [/_fraction$/, [[0.01, "%"]]]];

const isTime = (name) => /_s$/.test(name) && !/_per_s$/.test(name);

/* The unit for a value: { factor, unit }. */
function scale(name, value) {
    const steps = UNITS.find(([pattern]) => pattern.test(name))?.[1] ?? [[1, ""]], zero = steps === TIMES ? steps[0] : steps.at(-1);
    const [factor, unit] = steps.find(([step]) => Math.abs(value) >= step) ?? (value === 0 ? zero : steps.at(-1));
    return { factor, unit };
}

/** A value in parts: [["3", "min"], ["20", "s"]], in the unit that `lead` would have. */
function partsOf(name, value, digits, lead = value) {
    if (isTime(name) && lead >= CLOCK_S && value >= 1) return clockOf(value, 10 ** (Math.floor(Math.log10(value)) - digits + 1));
    const { factor, unit } = scale(name, isTime(name) && lead >= CLOCK_S ? value : lead), size = value / factor;
    return [[number(isTime(name) ? Number(size.toPrecision(digits)) : size, digits), unit]];
}

/* The parts down to the largest unit that is as fine as `precision`, or down to decimals of seconds: counted in whole numbers, so that they are exact. */
function clockOf(seconds, precision) {
    const perSecond = Math.max(1, Math.round(1 / precision)), [least] = CLOCK.find(([size]) => size <= precision) ?? [1];
    let rest = Math.round((seconds * perSecond) / least) * least;
    const counts = CLOCK.map(([size]) => {
        const count = size > 1 ? Math.floor(rest / (size * perSecond)) : rest / perSecond;
        rest -= count * size * perSecond;
        return count;
    });
    const first = counts.findIndex((count) => count > 0), last = counts.findLastIndex((count) => count > 0);
    return counts.map((count, i) => [plainly.format(count), CLOCK[i][1]]).slice(first, last + 1);
}

const joined = (parts) => parts.map(([value, unit]) => (unit ? `${value}\u00a0${unit}` : value)).join(" ");

/** A value with a suitable unit: "2.5 GiB", "3 min 20 s". */
export function quantity(name, value, digits = 4) {
    if (value === null || value === undefined) return "–";
    if (typeof value === "boolean") return value ? "yes" : "no";
    if (typeof value !== "number") return Array.isArray(value) ? value.join("x") : String(value);
    return joined(partsOf(name, value, digits));
}

/** A share to three digits. */
export const percent = (fraction) => quantity("_fraction", fraction, 3);

/** A relative change with its sign: "+12 %", "−3.4 %". */
export function change(fraction) {
    if (fraction === null || fraction === undefined) return "–";
    if (fraction !== 0 && Math.abs(fraction) < 1e-4) return "<\u00a00.01\u00a0%";
    return `${fraction > 0 ? "+" : fraction < 0 ? "−" : ""}${percent(Math.abs(fraction))}`;
}

/** A part of the whole, with as many decimals as those below it. */
export const share = (part, whole) => (whole > 0 ? `${((100 * part) / whole).toFixed(1)}\u00a0%` : "–");

export const durationParts = (seconds) => (seconds >= CLOCK_S ? clockOf(seconds, seconds < COARSE_S ? 1 : 60) : partsOf("time_s", seconds, 3));

/** A time as a headline or a sentence says it, from a minute on more coarsely than a quantity. */
export const duration = (seconds) => joined(durationParts(seconds));

/** A range in the unit of the value that it is the range of: 13.3 – 23.8 ms. */
export function range(low, high, { name = "time_s", of = high, digits = 3 } = {}) {
    const [from, to] = [low, high].map((end) => partsOf(name, end, digits, of));
    const isOneUnit = from.length === 1 && to.length === 1 && from[0][1] === to[0][1];
    return `${isOneUnit ? from[0][0] : joined(from)} – ${joined(to)}`;
}

/* In the unit of a column; beyond, each value has its own. */
const LEAST = 0.01, MOST = 1e4, MOST_S = 1e3;

/**
 * How values below each other are written: { unit, text(value), range(low, high, of) }.  The unit is that of the typical value, or ""
 * where they are so far apart that each has its own.  digits: significant ones of each value; without it they have equal decimals.  of: the
 * value that chooses the unit in place of the typical one.
 */
export function alike(name, values, { digits, of } = {}) {
    const sizes = values.map(Math.abs).filter((size) => size > 0).sort((a, b) => a - b), typical = sizes[Math.floor(sizes.length / 2)] ?? 0;
    const { factor, unit } = scale(name, of ?? typical);
    const isApart = sizes.at(-1) >= Math.min(MOST * factor, isTime(name) ? MOST_S : Infinity) || sizes[0] < LEAST * factor;
    if (unit && isApart) return { unit: "", text: (value) => quantity(name, value, 3), range: (low, high, of) => range(low, high, { name, of }) };
    const text = digits ? (value) => significant(digits, digits).format(value) : decimals(values.map((value) => value / factor)), write = (value) => text(value / factor);
    return { unit, text: write, range: (low, high) => `${write(low)} – ${write(high)}` };
}

/* The same number of decimals for all, unless the smallest would then be zero. */
function decimals(values) {
    const sizes = values.map(Math.abs).filter((size) => size > 0);
    if (!sizes.length || values.every(Number.isInteger)) return number;
    const count = Math.max(0, 3 - Math.max(0, Math.floor(Math.log10(Math.max(...sizes)))));
    if (Math.min(...sizes) < 10 ** (1 - count)) return number;
    return (value) => fixed(count).format(value);
}

/** "memory_bytes_per_process" -> "memory per process" */
export function label(name) {
    const words = name.replace(/_bytes_per_process$/, "_per_process").replace(/_bytes_per_node$/, "_per_node").replace(/_(s|fraction|bytes|hz|flops_per_s)$/, "");
    return words.replace(/^gflops$/, "rate").replace(/^flops$/, "operations").replaceAll("_", " ");
}

const ACRONYMS = /^(mpi|cpu|blas|numa)\b/;
export const capital = (text) => text.replace(ACRONYMS, (word) => word.toUpperCase()).replace(/^./, (first) => first.toUpperCase());

/* A calibration may state any text for its time, which is then written as it is. */
function timed(text, write) {
    const instant = new Date(text ?? NaN);
    return Number.isNaN(instant.getTime()) ? text || "–" : write(instant);
}

/** "3 days ago" */
export const age = (text, now = Date.now()) => timed(text, (instant) => {
    const seconds = (now - instant) / 1000;
    const [step, unit] = [[31557600, "year"], [2629800, "month"], [86400, "day"], [3600, "hour"], [60, "minute"]].find(([size]) => seconds >= size) ?? [1, "second"];
    return ages.format(-Math.floor(seconds / step), unit);
});

/** "3 November 2026", in UTC. */
export const day = (text) => timed(text, (instant) => days.format(instant));

export const date = (text) => timed(text, (instant) => `${instants.format(instant)} UTC`);
