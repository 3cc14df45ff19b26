// The set `dahu`, published data of a real cluster: it is what its script makes, and says what the data say.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { root, startDaemon, temporaryFolder } from "../daemon.mjs";
import { agreement, dataOf, foreseen, foreseenBroken, isInside, parametersOf } from "../validation/dahu/runs.mjs";
import { assertClose, client } from "./client.mjs";

const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

let daemon, api;
before(async () => {
    daemon = await startDaemon();
    api = client(daemon.url);
});
after(() => daemon?.stop());

test("the script makes the shipped set", async () => {
    const folder = await temporaryFolder();
    try {
        await promisify(execFile)(`${root}/calibrations/dahu/make.py`, [folder.path]);
        for (const file of ["dahu.json", "runs/dahu.ndjson"])
            assert.equal(readFileSync(folder.file(file), "utf8"), readFileSync(`${root}/calibrations/sets/${file}`, "utf8"), "run make dahu");
    } finally {
        await folder.remove();
    }
});

test("dgemm takes the mean over the processors", async () => {
    const all = dataOf("dgemm_polynomials"), processor = ({ node, cpu }) => `${node}.${cpu}`;
    const processors = [...new Set(all.map(processor))].map((one) => all.filter((row) => processor(row) === one));
    const [mnk, mn, mk, nk] = ["mnk", "mn", "mk", "nk"].map((name) => mean(processors.map((of) => mean(of.map((row) => Number(row[name]))))));
    for (const [m, n, k] of [[1, 1, 1], [7813, 128, 128], [128, 7813, 256], [7813, 7813, 128], [260, 250000, 128]]) {
        const { time_s } = await api.predict({ model: "calls", machine: "dahu", parameters: { calls: `dgemm NN ${m} ${n} ${k}` } });
        assertClose(time_s, mnk * m * n * k + mn * m * n + mk * m * k + nk * n * k, `${m} ${n} ${k}`, 1e-5);
    }
});

test("messages of more than 8 KiB are within 8 % of the ping-pong, shorter ones within 25 %", async () => {
    const { network: { protocols } } = (await api.get(`/api/v1/calibrations/${(await api.get("/api/v1/machines/dahu/calibrations")).json.items[0].id}`)).json;
    for (const { message_bytes, median_s } of dataOf("messages").filter(({ operation }) => operation === "pingpong")) {
        const bytes = Number(message_bytes), { off_node } = protocols.find(({ max_message_bytes: limit }) => limit === null || bytes <= limit);
        const error = (off_node.latency_s + bytes * off_node.inverse_bandwidth_s_per_byte) / (Number(median_s) / 2) - 1;
        assert.ok(Math.abs(error) < (bytes > 8192 ? 0.08 : 0.25), `${bytes} bytes: ${error}`);
    }
});

test("a prediction of HPL names what is assumed, and that 16 of 64 processors are known", async () => {
    const { warnings } = await api.predict({ model: "hpl", machine: "dahu", parameters: { n: 250000, block_size: 128, process_rows: 32, process_columns: 32 } });
    assert.deepEqual(warnings.map(({ code, what }) => [code, what ?? null]).sort(),
        [["assumed_value", null], ["extrapolated", "kernels.variability.processor_times"]]);
    for (const pointer of ["/kernels/routine_models/1", "/memory/core_bandwidth_bytes_per_s"]) assert.ok(warnings.find(({ code }) => code === "assumed_value").message.includes(pointer));
});

test("its runs are those of the data, and say that they are published", async () => {
    const { runs } = (await api.get("/api/v1/machines/dahu")).json;
    const measured = dataOf("hpl_runs"), { items } = (await api.get("/api/v1/machines/dahu/runs?limit=1000")).json;
    assert.equal(runs, measured.length);
    assert.equal(items.length, measured.length);
    for (const { url } of items) {
        const { parameters, time_s, started_at, notes } = (await api.get(url)).json;
        const [, number] = notes.match(/^published: .*, row (\d+) of hpl_runs.csv/), row = measured[number - 1];
        assert.equal(time_s, Number(row.time_s));
        assert.ok(started_at.startsWith(row.date));
        assert.deepEqual(parameters, parametersOf(row), `row ${number}`);
        measured[number - 1] = {};
    }
});

test("a newcomer sees accuracy over all runs, and an interval", async () => {
    const { models: [hpl, ...others] } = (await api.get("/api/v1/machines/dahu/accuracy")).json;
    assert.deepEqual([hpl.model, hpl.predicted, others.length], ["hpl", 463, 0]);
    const { interval } = await api.predict({ model: "hpl", machine: "dahu", parameters: { n: 250000, block_size: 128, process_rows: 32, process_columns: 32 } });
    assert.ok(interval.runs > 300, JSON.stringify(interval));
});

test("a newcomer sees when four nodes were not cooled", async () => {
    const { drift, past_drift: [past, ...others] } = (await api.get("/api/v1/machines/dahu")).json;
    assert.deepEqual([drift, others], [[], []]);
    assert.deepEqual([past.model, past.since.slice(0, 10), past.until.slice(0, 10)], ["hpl", "2019-03-15", "2019-03-18"]);
    const ofMarch = dataOf("hpl_runs").filter(({ date }) => date.startsWith("2019-03")).length;
    assert.ok(past.runs > 0.9 * ofMarch && past.runs <= ofMarch && past.runs + past.other_runs === dataOf("hpl_runs").length, JSON.stringify(past));
    assert.ok(past.slowdown > 1.08 && past.slowdown < 1.15 && past.outside > past.runs / 2, JSON.stringify(past));
    assert.deepEqual((await api.get("/api/v1/machines/dahu/accuracy")).json.models[0].past_drift, [past]);
});

test("before any run intervals of 90 % hold 55 of 57 configurations that were cooled, and saved runs replace them", async () => {
    const set = JSON.parse(readFileSync(`${root}/calibrations/sets/dahu.json`, "utf8")), all = await foreseen(api, set);
    for (const { interval } of all) assert.deepEqual([interval.basis, interval.runs, interval.coverage_fraction], ["variability", 0, 0.9]);
    const isBroken = ({ set: name }) => name.endsWith("broken cooling"), cooled = all.filter((one) => !isBroken(one));
    assert.equal(cooled.length, 57);
    assert.ok(cooled.filter(isInside).length >= 55, "wider than promised");
    assert.ok(all.filter(isBroken).filter(isInside).length < 4, "four nodes that were not cooled are foreseen by nobody");
    const [{ interval }] = await foreseen(api);
    assert.match(interval.basis, /^residuals_of_runs/);
});

test("HPL is foreseen as well as docs/accuracy.md says", async () => {
    const all = await foreseen(api), of = (set) => agreement(all.filter((one) => one.set === set), "foreseen");
    const options = of("options"), grids = of("grids"), sizes = of("sizes");
    assert.ok(options.typical < 0.03 && options.within5 > 0.85 && options.worst < 0.11 && options.regret < 0.01, JSON.stringify(options));
    assert.ok(grids.typical < 0.04 && grids.within10 === 1 && grids.regret < 0.02 && grids.ordered > 0.95, JSON.stringify(grids));
    assert.ok(sizes.typical < 0.03 && sizes.within5 === 1, JSON.stringify(sizes));
});

test("with the dgemm of nodes that are not cooled, runs on these nodes are foreseen", async () => {
    const long = (await foreseenBroken(api)).filter(({ parameters }) => parameters.n >= 100000);
    assert.equal(long.length, 6);
    assert.equal(agreement(long, "foreseen").within5, 1, JSON.stringify(long));
});

test("runs that were deleted stay so: only an empty database is filled", async () => {
    const folder = await temporaryFolder();
    const started = () => startDaemon({ db: folder.file("forerun.db") });
    try {
        const first = await started(), { json: { items: [{ url }] } } = await client(first.url).get("/api/v1/machines/dahu/runs?limit=1");
        assert.equal((await client(first.url).delete(url, { token: await first.token("admin") })).status, 204);
        await first.stop();
        const second = await started();
        assert.equal((await client(second.url).get("/api/v1/machines/dahu")).json.runs, dataOf("hpl_runs").length - 1);
        await second.stop();
    } finally {
        await folder.remove();
    }
});

test("a file with a faulty run is refused whole, by its line", async () => {
    const sets = await temporaryFolder();
    try {
        await cp(`${root}/calibrations/sets/dahu.json`, sets.file("dahu.json"));
        await mkdir(sets.file("runs"));
        const good = { model: "hpl", time_s: 1, parameters: { n: 1000, block_size: 64, process_rows: 2, process_columns: 2 } };
        await writeFile(sets.file("runs/dahu.ndjson"), [good, { ...good, time_s: -1 }].map((run) => JSON.stringify(run) + "\n").join(""));
        const other = await startDaemon({ calibrations: sets.path });
        assert.equal((await client(other.url).get("/api/v1/machines/dahu")).json.runs, 0);
        assert.match(other.log(), /event=runs_refused .*line 2: /);
        await other.stop();
    } finally {
        await sets.remove();
    }
});
