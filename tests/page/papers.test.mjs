// The gallery of the papers: what a row asks, of the API and on the dashboard.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { root } from "../daemon.mjs";
import { startPageDaemon } from "./daemon.mjs";
import { load } from "./page.mjs";

const { linesOf, machineOf, pageOf, papersOf, requestOf } = await load("papers/rows.js"), { readState } = await load("core/state.js"), { KINDS } = await load("charts/chart_form.js");
const papers = papersOf(readFileSync(join(root, "static/papers.md"), "utf8"));

let daemon;
before(async () => { daemon = await startPageDaemon(); });
after(() => daemon.stop());
const get = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();

it("a row asks another machine what it asks its own", () => {
    const of = { own: "hopper", machine: "edison", calibrations: { edison: "0123" } };
    assert.deepEqual(requestOf("/api/v1/machines/hopper", of), { path: "machines/edison", query: {} });
    assert.deepEqual(requestOf("/api/v1/calibrations/{hopper}/chart/kernels.svg", of), { path: "calibrations/0123/chart/kernels.svg", query: {} });
    assert.deepEqual(requestOf("/api/v1/rank/trsm?machine=hopper&n=8", of), { path: "rank/trsm", query: { machine: "edison", n: "8" } });
    assert.equal(requestOf("/api/v1/rank/trsm?machine=piz-daint&n=8", { own: "hopper" }).query.machine, "piz-daint");
});

it("the Krylov paper's questions are answered for its other machine, whose network is another one", async () => {
    const own = "blue-waters", { rows } = papers.find(({ machine }) => machine === own), machine = "piz-daint", { calibration } = await get(`machines/${machine}`);
    for (const { name, address } of rows) {
        const { path, query } = requestOf(address, { own, machine, calibrations: { [machine]: calibration } });
        const { status, text } = await fetch(`${daemon.url}/api/v1/${path.replace(".svg", ".json")}?${new URLSearchParams(query)}`).then(async (answer) => ({ status: answer.status, text: await answer.text() }));
        assert.equal(status, 200, `${name}: ${text.slice(0, 300)}`);
    }
});

it("a paper whose machine is missing is drawn for another one, if there is any", () => {
    assert.equal(machineOf(["dahu", "hopper"], null, "hopper"), "hopper");
    assert.equal(machineOf(["dahu", "hopper"], "dahu", "hopper"), "dahu");
    assert.equal(machineOf(["dahu"], "hopper", "hopper"), "dahu");
    assert.equal(machineOf([], null, "hopper"), undefined);
});

it("a forecast shows the best of each cell, or each of several outputs", () => {
    const query = { rows: "n", columns: "processes" }, written = (output, value) => `${output} ${value}`;
    const best = [["2d", 80, true], ["25d", 60, false]].map(([variant, value, best]) => ({ n: 8, processes: 4, variant, value, best, tie: false }));
    assert.deepEqual(linesOf(query, best, written), [{ n: 8, 4: "2d percent_of_peak 80" }]);
    const outputs = [["time_s", 2], ["gflops", null]].map(([output, value]) => ({ n: 8, processes: 4, output, value, best: false, tie: false }));
    assert.deepEqual(linesOf(query, outputs, written), [{ n: 8, output: "time_s", 4: "time_s 2" }, { n: 8, output: "gflops", 4: "–" }]);
});

it("each question is one that the dashboard asks, and answers", async () => {
    const calibrations = Object.fromEntries((await get("machines")).items.map(({ name, calibration }) => [name, calibration]));
    for (const { machine: own, about, rows } of papers) {
        assert.equal(about.split("*").length, 3, `${own}: one title`);
        for (const { name, address } of rows.filter((row) => row.address)) {
            const request = requestOf(address, { own, calibrations }), [search, section] = pageOf(request, own).slice("./".length).split("#"), { model, machine, values, chart, unknown } = readState(search);
            assert.ok(section && unknown.length === 0, `${own} ${name}`);
            if (!model) continue;
            const known = new Map((await get(`models/${model}`)).parameters.map((p) => [p.name, p]));
            for (const each of [...Object.keys(values), chart.x, chart.series, chart.span].filter(Boolean)) assert.ok(known.has(each), `${own} ${name}: ${each}`);
            assert.ok(!chart.kind || KINDS[chart.kind], `${own} ${name}: ${chart.kind}`);
            if (section === "model" || values.matrix) continue;
            const route = [...known.values()].some((p) => p.tunable && !values[p.name]) ? "rank" : "predict", answer = await get(`${route}/${model}?${new URLSearchParams({ machine, ...values })}`);
            assert.ok((answer.rows?.[0] ?? answer).time_s > 0, `${own} ${name}: ${JSON.stringify(answer)}`);
        }
    }
});
