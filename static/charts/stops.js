/* The places of a chart where values can be read, from the JSON of the chart.
 *
 * A stop: at, its value on the x axis if it has one; x and, in a map, a scatter or lying bars, y in pixels; frame, what the crosshair covers; head, its name; values
 * [{ label, color, text, y, isPlain, own }], y in pixels if isPlain, own the parameter of its line;
 * isRow, whether the pointer chooses it by its height alone; question, the parameters of the point, null if it is none.
 */
import { date, number, quantity, range } from "../core/units.js";
import { words } from "./chart_form.js";

/* The name that says the unit of a chart's values, as in units.js. */
const NAMES = { breakdown: "time_s", roofline: "gflops", strong_efficiency: "efficiency_fraction", weak_efficiency: "efficiency_fraction", sensitivity: "", history: "" };
const nameOf = ({ kind, outputs }) => NAMES[kind] ?? outputs[0] ?? "";
const unitOf = ({ title }) => (/\(([^()]*)\)$/.exec(title) ?? ["", ""])[1];

/* The pixel of a value on an axis between two ends of the box. */
function pixelOf({ scale, low, high }, from, to, value) {
    const part = scale === "log" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return from + part * (to - from);
}

/** The value of the x axis at a pixel. */
export function valueAt({ x: { scale, low, high }, box }, pixel) {
    const part = (Math.min(box.right, Math.max(box.left, pixel)) - box.left) / (box.right - box.left);
    return scale === "log" ? low * (high / low) ** part : low + part * (high - low);
}

const acrossOf = ({ x, box }, value) => pixelOf(x, box.left, box.right, value);
const upOf = ({ box }, axis, value) => pixelOf(axis, box.bottom, box.top, value);
const named = (axis, value) => (axis.scale === "time" ? date(1000 * value) : axis.categories?.[value] ?? number(value, 6));
/* What a cell covers: a category, a row of a matrix, or a range. */
const covered = (axis, low, high) => {
    if (axis.categories || high - low <= 1) return named(axis, (low + high) / 2);
    return `${named(axis, low)} – ${named(axis, high)}`;
};
const asked = (axis, value) => axis.categories?.[value] ?? String(value);

/** From left to right; of a map row by row, the lowest first. */
export const stopsOf = (chart) => (chart.cells ? cellsOf(chart) : chart.y.categories ? barsOf(chart) : isScatter(chart) ? scatterOf(chart) : pointsOf(chart));

/* Points without a line: each has an x of its own. */
const isScatter = ({ series }) => series.every(({ mark }) => mark === "point");

function cellsOf(chart) {
    const { x, y, cells, x_parameter, series_parameter } = chart;
    return cells.list.map(({ low_x, high_x, low_y, high_y, value }) => {
        const column = (low_x + high_x) / 2, row = (low_y + high_y) / 2;
        return {
            x: acrossOf(chart, column), y: upOf(chart, y, row),
            frame: { left: acrossOf(chart, low_x), right: acrossOf(chart, high_x), top: upOf(chart, y, high_y), bottom: upOf(chart, y, low_y) },
            head: `${x.title} ${covered(x, low_x, high_x)}, ${y.title} ${covered(y, low_y, high_y)}`,
            values: [{ label: "", text: value === null ? "refused" : `${number(value)} ${unitOf(cells)}` }],
            question: x_parameter && { [x_parameter]: asked(x, column), [series_parameter]: asked(y, row) },
        };
    });
}

/* A bar for each category, from the top down. */
function barsOf(chart) {
    const { box, y, series } = chart;
    return y.categories.map((head, at) => {
        const up = upOf(chart, y, at), points = series.flatMap((each) => each.points.filter((point) => point.y === at).map((point) => ({ each, point })));
        return { x: (box.left + box.right) / 2, y: up, isRow: true, frame: { ...box, top: upOf(chart, y, at + 0.45), bottom: upOf(chart, y, at - 0.45) }, head, values: points.map(({ each: { label, color }, point }) => ({ label, color, text: `${number(point.x)} ${unitOf(chart.x)}` })) };
    }).reverse();
}

function scatterOf(chart) {
    const stops = chart.series.flatMap((series) => series.points.map((point) => {
        const stop = stopAt(chart, point.x), value = valueOf(chart, series, point);
        return { ...stop, y: value.y, values: [value] };
    }));
    return stops.sort((a, b) => a.x - b.x);
}

function pointsOf(chart) {
    const stops = new Map();
    for (const series of chart.series) {
        for (const point of series.points) {
            if (!stops.has(point.x)) stops.set(point.x, stopAt(chart, point.x));
            stops.get(point.x).values.push(valueOf(chart, series, point));
        }
    }
    return [...stops].sort(([a], [b]) => a - b).map(([, stop]) => stop);
}

function stopAt(chart, at) {
    const { x, box, x_parameter } = chart, left = acrossOf(chart, at);
    return { x: left, at, frame: { ...box, left, right: left }, head: `${x_parameter ? words(x_parameter) : x.title} ${named(x, at)}`, values: [],
        question: x_parameter && { [x_parameter]: asked(x, at) } };
}

function valueOf(chart, series, point) {
    const { label, color, mark, axis, value } = series;
    return { label, color, text: textOf(chart, series, point), y: upOf(chart, chart[axis], point.y), isPlain: mark !== "stack" && mark !== "bar",
        own: value !== null && chart.series_parameter && { [chart.series_parameter]: value } };
}

function textOf(chart, { axis, mark }, { y, low, high, extrapolated }) {
    const name = nameOf(chart), write = name && axis !== "y2" ? (value) => quantity(name, value) : (value) => [number(value), unitOf(chart[axis])].filter(Boolean).join(" ");
    const text = write(y), after = extrapolated ? ", extrapolated" : "";
    if (low === undefined) return text + after;
    const ends = name ? range(low, high, { name, of: y, digits: 4 }) : `${write(low)} – ${write(high)}`;
    return `${mark === "box" ? "median " : ""}${text} (${ends})${after}`;
}

/** A stop as a sentence. */
export const spoken = ({ head, values }) => `${head}: ${values.map(({ label, text }) => [label, text].filter(Boolean).join(" ")).join(", ")}`;
