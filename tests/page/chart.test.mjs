// What a chart asks the daemon for: the settings of its kind.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { startPageDaemon } from "./daemon.mjs";
import { load } from "./page.mjs";

const [{ drawingOf, sweepOf }, { axisOf, ChartForm, chartOf, rangeOf }, { readState }] = await Promise.all(["charts/chart", "charts/chart_form", "core/state"].map((name) => load(`${name}.js`)));
const CG = "model=cg&machine=blue-waters&nodes=8&processes_per_node=16&iterations=20&local_grid=16x16x16";
const MATMUL = "model=matmul&machine=hopper&n=8192&processes=64&algorithm=cannon&threads=6";
const CNC = "model=cnc_matmul&machine=osu-e5630&n=4000&processes=16&block_size=200&algorithm=cannon&chart.x=block_size&chart.values=100,200,250";

let daemon;
before(async () => { daemon = await startPageDaemon(); });
after(() => daemon.stop());

for (const [question, chart, expected] of [
    [CG, "kind=breakdown", { series: undefined, y: undefined, logx: undefined }],
    [CG, "kind=groups", { series: "solver", y: "time_s" }],
    [CG, "kind=band", { series: "solver", hop_estimate: "best,average,max" }],
    [CG, "kind=lines", { series: "solver", y: "time_s", logx: "true", logy: "true", measured: "false" }],
    [MATMUL, "kind=lines", { series: "variant", y: "percent_of_peak", logy: "false" }],
    [MATMUL, "y=time_s", { y: "time_s", logy: "true" }],
    [CG, "title=Figure 3&chart.width=400&chart.height=300", { title: "Figure 3", width: "400", height: "300" }],
    [CG, "x=local_grid", { local_grid: "4x4x4,8x8x8,16x16x16,32x32x32,64x64x64" }],
    [CNC, "kind=roofline", { x: undefined }],
    [CNC, "kind=roofline&chart.intensity=true", { x: "intensity_flops_per_byte" }],
]) it(`${chart} has its settings, and is drawn`, async () => {
    const state = readState(`?${question}&chart.${chart}`), model = await (await fetch(`${daemon.url}/api/v1/models/${state.model}`)).json();
    const spec = chartOf(model, state), p = axisOf(model, spec), values = spec.values ?? rangeOf(model, p, state.values, state.values[p.name]);
    const drawn = drawingOf({ query: sweepOf({ model, state, row: null, machines: [], spec, p, values }), spec, x: p.name, switches: null, title: chart });
    assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, drawn[name]])), expected);
    const response = await fetch(`${daemon.url}/api/v1/chart/${state.model}.svg?${new URLSearchParams(drawn)}`);
    assert.equal(response.status, 200, await response.text());
});

it("without a peak a chart is of times on a logarithmic axis, and the form says so", async () => {
    const state = readState(`?${MATMUL}`), model = await (await fetch(`${daemon.url}/api/v1/models/matmul`)).json();
    const form = new ChartForm({ form: { append() {}, replaceChildren() {} } });
    form.build(model, state, []);
    for (const [percent_of_peak, y, isLog] of [[10, "percent_of_peak", false], [null, "time_s", true]]) {
        const spec = chartOf(model, state, { percent_of_peak });
        form.suggest("", { percent_of_peak }, spec.y);
        assert.deepEqual([spec.y, spec.logy, form.y.value, form.logy.checked], [y, String(isLog), y, isLog]);
    }
});
