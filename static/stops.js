/* The places of a chart where values can be read, from the JSON of the chart.
 *
 * A stop: x and, in a map, y in pixels; frame, what the crosshair covers; head, its name; values
 * [{ label, color, text, y, isPlain, own }], y in pixels if isPlain, own the parameter of its line;
 * question, the parameters of the point, null if it is none.
 */
import { words } from "./chart_form.js";
import { number, quantity, range } from "./units.js";

/* The name that says the unit of a chart's values, as in units.js. */
const NAMES = { breakdown: "time_s", roofline: "gflops", strong_efficiency: "efficiency_fraction", weak_efficiency: "efficiency_fraction" };
const nameOf = ({ kind, outputs }) => NAMES[kind] ?? outputs[0];
const unitOf = ({ title }) => (/\(([^()]*)\)$/.exec(title) ?? ["", ""])[1];

/* The pixel of a value on an axis between two ends of the box. */
function pixelOf({ scale, low, high }, from, to, value) {
    const part = scale === "log" ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
    return from + part * (to - from);
}

const acrossOf = ({ x, box }, value) => pixelOf(x, box.left, box.right, value);
const upOf = ({ box }, axis, value) => pixelOf(axis, box.bottom, box.top, value);
const named = (axis, value) => axis.categories?.[value] ?? number(value, 6);
const asked = (axis, value) => axis.categories?.[value] ?? String(value);

/** From left to right; of a map row by row, the lowest first. */
export const stopsOf = (chart) => (chart.cells ? cellsOf(chart) : pointsOf(chart));

function cellsOf(chart) {
    const { x, y, cells, x_parameter, series_parameter } = chart;
    return cells.list.map(({ low_x, high_x, low_y, high_y, value }) => {
        const column = (low_x + high_x) / 2, row = (low_y + high_y) / 2;
        return {
            x: acrossOf(chart, column), y: upOf(chart, y, row),
            frame: { left: acrossOf(chart, low_x), right: acrossOf(chart, high_x), top: upOf(chart, y, high_y), bottom: upOf(chart, y, low_y) },
            head: `${x.title} ${named(x, column)}, ${y.title} ${named(y, row)}`,
            values: [{ label: "", text: value === null ? "refused" : `${number(value)} ${unitOf(cells)}` }],
            question: { [x_parameter]: asked(x, column), [series_parameter]: asked(y, row) },
        };
    });
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
    return { x: left, frame: { ...box, left, right: left }, head: `${x_parameter ? words(x_parameter) : x.title} ${named(x, at)}`, values: [],
        question: x_parameter && { [x_parameter]: asked(x, at) } };
}

function valueOf(chart, series, point) {
    const { label, color, mark, axis, value } = series;
    return { label, color, text: textOf(chart, series, point), y: upOf(chart, chart[axis], point.y), isPlain: mark !== "stack" && mark !== "bar",
        own: value !== null && chart.series_parameter && { [chart.series_parameter]: value } };
}

function textOf(chart, { axis, mark }, { y, low, high }) {
    if (axis === "y2") return `${number(y)} ${unitOf(chart.y2)}`;
    const name = nameOf(chart), text = quantity(name, y);
    if (low === undefined) return text;
    const ends = name === "time_s" ? range(low, high) : `${quantity(name, low)} – ${quantity(name, high)}`;
    return mark === "box" ? `median ${text} (${ends})` : `${text} (${ends})`;
}

/** A stop as a sentence. */
export const spoken = ({ head, values }) => `${head}: ${values.map(({ label, text }) => [label, text].filter(Boolean).join(" ")).join(", ")}`;
