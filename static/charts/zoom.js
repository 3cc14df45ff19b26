/* The values of a chart's axis after a zoom: those between two ends, as a list for the API. */

const MOST_STEPS = 8;
const WIDE = 8; /* from this ratio on, a logarithmic axis keeps factors */

/**
 * range: { from, to } in values of the axis, which is { scale, categories }.  p: the parameter; isSquare: its values
 * are squares, as the processes of a square grid.  Returns null if nothing is left to show.
 */
export function listBetween({ from, to }, { axis, p, isSquare }) {
    if (axis.categories) {
        const names = axis.categories.filter((_, at) => from <= at && at <= to);
        return names.length && names.length < axis.categories.length ? names.join(",") : null;
    }
    const low = Math.max(from, p.minimum ?? -Infinity), high = Math.min(to, p.maximum ?? Infinity);
    const values = (p.type !== "integer" ? reals : isSquare ? squares : integers)(low, high, axis.scale === "log" && low > 0 && high / low >= WIDE);
    return values.length > 1 ? values.map((value) => Number(value.toPrecision(12))).join(",") : null;
}

const multiples = (low, high, step) => Array.from({ length: Math.max(0, Math.floor(high / step) - Math.ceil(low / step) + 1) }, (_, i) => (Math.ceil(low / step) + i) * step);
const powers = (low, high) => Array.from({ length: Math.max(0, Math.floor(Math.log2(high)) - Math.ceil(Math.log2(low)) + 1) }, (_, i) => 2 ** (Math.ceil(Math.log2(low)) + i));

/* Multiples of a power of two, as sizes and counts usually are. */
function integers(low, high, isWide) {
    return isWide ? powers(low, high) : multiples(low, high, 2 ** Math.max(0, Math.ceil(Math.log2((high - low) / MOST_STEPS))));
}

function squares(low, high) {
    const first = Math.sqrt(Math.max(low, 0)), last = Math.sqrt(Math.max(high, 0));
    return multiples(first, last, Math.max(1, Math.ceil((last - first) / MOST_STEPS))).filter((root) => root > 0).map((root) => root * root);
}

function reals(low, high, isWide) {
    const at = (part) => (isWide ? low * (high / low) ** part : low + part * (high - low));
    return high > low ? Array.from({ length: MOST_STEPS + 1 }, (_, i) => Number(at(i / MOST_STEPS).toPrecision(4))) : [];
}
