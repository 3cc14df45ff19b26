/* The form of the page's state in the address: names of the API, and settings of parts after the name of the part (`chart.x`). */

const GOAL = ["objective", "prefer_calibrated", "deadline_s", "max_nodes", "min_efficiency_fraction", "min_scaling_fraction", "along", "compare", "range"];
const CHART = ["x", "values", "y", "series", "hidden", "span", "logx", "logy", "kind", "measured", "congestion", "intensity", "title", "width", "height"];
const VIEW = ["open", "sort", "forecast.rows", "forecast.row_values", "forecast.columns", "forecast.column_values", "forecast.by", "forecast.by_values", "forecast.y",
    "orderings.sort", "partitions.sort", "partitions.processes", "partitions.by", "partitions.messages", "quality.sort", "runs.model", "runs.page",
    "compare.from", "compare.to", "kernel.model", "kernel.x", "kernel.m", "kernel.n", "kernel.k", "kernel.with", "kernel.sort"];

/* The command of a part "For a script": script.ranking. */
const isView = (name) => VIEW.includes(name) || /^script\.[a-z0-9-]+$/.test(name);

export function emptyState() {
    return {
        machine: "", model: "", calibration: "", memory: "",
        values: {},  /* parameter name -> text as typed; absent: open */
        whatIf: [],  /* [{ path, value }], value "*2" or "1e-6" */
        goal: {},    /* of a recommendation */
        chart: {},
        shown: "",   /* name of the selected matrix */
        pins: [],    /* pinned questions, each a query of this page */
        view: {},    /* names of isView -> choices; a sorting is a column, "-" before it for descending */
        unknown: [], /* names that are no settings; a plain name may be a parameter */
    };
}

export function readState(search) {
    const state = emptyState();
    for (const [key, value] of new URLSearchParams(search)) {
        if (["machine", "model", "calibration", "memory", "shown"].includes(key)) state[key] = value;
        else if (key === "pin") state.pins.push(value);
        else if (GOAL.includes(key)) state.goal[key] = value;
        else if (key.startsWith("what_if.")) state.whatIf.push({ path: key.slice("what_if.".length), value });
        else if (key.startsWith("chart.")) {
            const name = key.slice("chart.".length);
            if (CHART.includes(name)) state.chart[name] = value;
            else state.unknown.push(key);
        } else if (isView(key)) state.view[key] = value;
        else if (key.includes(".")) state.unknown.push(key);
        else state.values[key] = value;
    }
    return state;
}

export function writeState(state) {
    const query = new URLSearchParams();
    const put = (key, value) => {
        if (value !== undefined && value !== "") query.append(key, value);
    };
    for (const key of ["model", "machine", "calibration"]) put(key, state[key]);
    for (const [name, value] of Object.entries(state.values)) put(name, value);
    put("memory", state.memory);
    for (const { path, value } of state.whatIf) if (path) put(`what_if.${path}`, value);
    for (const name of GOAL) put(name, state.goal[name]);
    for (const name of CHART) put(`chart.${name}`, state.chart[name]);
    for (const name of VIEW) put(name, state.view[name]);
    for (const [name, value] of Object.entries(state.view)) if (!VIEW.includes(name)) put(name, value);
    put("shown", state.shown);
    for (const pin of state.pins) put("pin", pin);
    return readable(query);
}

/** A readable query string: characters that need no escape are not escaped. */
export function readable(query) {
    return new URLSearchParams(query).toString()
        .replaceAll("%2C", ",").replaceAll("%3A", ":").replaceAll("%2F", "/");
}
