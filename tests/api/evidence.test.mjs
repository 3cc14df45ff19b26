// Uses of saved runs: input, intervals, accuracy, drift, points in charts.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { standingDaemon } from "./clock.mjs";

const CG = { solver: "pcg", nodes: 64, processes_per_node: 16, local_grid: [16, 16, 16], iterations: 20 };
const CANNON = { algorithm: "cannon", variant: "2d", n: 65536, processes: 1024, threads: 6 };
const query = (parameters) => new URLSearchParams(Object.entries(parameters).map(([k, v]) => [k, Array.isArray(v) ? v.join("x") : v])).toString();

let daemon, write, admin;
before(async () => {
    daemon = await standingDaemon();
    write = await daemon.token("write");
    admin = await daemon.token("admin");
});
after(() => daemon?.stop());

const fetched = (path, options) => fetch(`${daemon.url}/api/v1/${path}`, options);
const get = async (path) => (await fetched(path)).json();
const predict = (machine, model, parameters, more = "") => get(`predict/${model}?machine=${machine}&${query(parameters)}${more}`);
const post = async (question) => (await (await fetched("predict", {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ requests: [question] }),
})).json()).results[0];

async function upload(machine, runs) {
    const response = await fetched(`machines/${machine}/runs`, {
        method: "POST", headers: { Authorization: `Bearer ${write}`, "Content-Type": "application/json" }, body: JSON.stringify(runs),
    });
    const answer = await response.json();
    assert.ok(response.status === 201, JSON.stringify(answer));
    return answer.items.map((item) => item.id);
}
const remove = (id) => fetched(`runs/${id}`, { method: "DELETE", headers: { Authorization: `Bearer ${admin}` } });
const codes = (prediction) => prediction.warnings.map((warning) => warning.code);
const day = (i) => new Date(Date.UTC(2026, 0, 1) + i * 86400e3).toISOString();
const phases = (matvec, rest = matvec) => ({ phases: { matvec_s: [[matvec, matvec]], preconditioner_s: [[rest, rest]], vector_s: [[rest, rest]] } });

describe("a saved run as input", () => {
    const saved = { model: "cg", parameters: CG, time_s: 0.05, computation: phases(1e-3), network_state: { stalls_per_byte: 0.5 }, allocation: [4, 4, 2] };
    let ids;

    test("serves the questions that it matches, and no others", async () => {
        const before = await predict("blue-waters", "cg", CG);
        assert.ok(codes(before).includes("computation_estimated") && before.runs === undefined);
        ids = await upload("blue-waters", [saved]);
        const after = await predict("blue-waters", "cg", CG);
        assert.deepEqual(codes(after).filter((code) => code !== "assumed_value"), []);
        assert.equal(after.phases.matvec_s, 1e-3);
        assert.deepEqual(after.parameters.allocation, [4, 4, 2]);
        assert.equal(after.runs.count, 1);
        for (const other of [{ nodes: 32 }, { solver: "pipecg" }, { processes_per_node: 8 }, { mapping: "node_aware" }]) {
            const answer = await predict("blue-waters", "cg", { ...CG, ...other });
            assert.ok(codes(answer).includes("computation_estimated"), JSON.stringify(other));
        }
    });

    test("serves any number of iterations, and another local grid only by name, scaled, with a warning", async () => {
        assert.equal((await predict("blue-waters", "cg", { ...CG, iterations: 40 })).phases.matvec_s, 1e-3);
        const other = { ...CG, local_grid: [16, 16, 8] };
        assert.ok(codes(await predict("blue-waters", "cg", other)).includes("computation_estimated"));
        const answer = await predict("blue-waters", "cg", other, `&run=${ids[0]}`);
        assert.ok(codes(answer).includes("computation_scaled"));
        assert.equal(answer.phases.matvec_s, 5e-4);
    });

    test("does not serve what differs in any other parameter that changes the time", async () => {
        for (const other of [{ periodic: true }, { matvec_overlap: false }, { eager_limit_bytes: 1024 }, { allocation: [2, 4, 4] }])
            assert.ok(codes(await predict("blue-waters", "cg", { ...CG, ...other })).includes("computation_estimated"), JSON.stringify(other));
        for (const same of [{ allocation: [4, 4, 2] }, { hop_estimate: "max" }, { process: "average" }])
            assert.equal((await predict("blue-waters", "cg", { ...CG, ...same })).phases.matvec_s, 1e-3, JSON.stringify(same));
    });

    test("is overridden by the question", async () => {
        const answer = await predict("blue-waters", "cg", { ...CG, allocation: [2, 4, 4], stalls_per_byte: 0 }, `&run=${ids[0]}`);
        assert.deepEqual(answer.parameters.allocation, [2, 4, 4]);
        assert.equal(answer.phases.matvec_s, 1e-3);
        assert.equal(answer.halo.congestion_s, 0);
    });

    test("of several gives the median prediction, with the box", async () => {
        const more = await upload("blue-waters", [2e-3, 4e-3].map((s) => ({ ...saved, computation: phases(s), time_s: 20 * s })));
        const middle = await predict("blue-waters", "cg", CG);
        assert.equal(middle.phases.matvec_s, 2e-3);
        assert.equal(middle.runs.count, 3);
        assert.equal(middle.runs.median_s, middle.time_s);
        await remove(more[1]);
        const two = await predict("blue-waters", "cg", CG);
        assert.ok(Math.abs(two.phases.matvec_s - 1.5e-3) < 1e-15);
        const sum = two.breakdown.reduce((all, phase) => all + phase.time_s - phase.hidden_s, 0);
        assert.ok(Math.abs(sum - two.time_s) < 1e-12 * two.time_s);
        await remove(more[0]);
    });

    test("can be selected by run=ID, which supplies open parameters", async () => {
        const answer = await get(`predict/cg?machine=blue-waters&run=${ids[0]}`);
        assert.equal(answer.parameters.nodes, 64);
        assert.equal(answer.phases.matvec_s, 1e-3);
    });

    for (const [what, path, place] of [
        ["an unknown run", `predict/cg?machine=blue-waters&${query(CG)}&run=0123456789abcdef`, "run"],
        ["a model that reads none", `predict/matmul?machine=hopper&${query(CANNON)}&run=0123456789abcdef`, "run"],
        ["a run of another machine", `predict/cg?machine=piz-daint&${query(CG)}&run=ID`, "run"],
        ["a run of other nodes", "predict/cg?machine=blue-waters&nodes=8&run=ID", "run"],
    ])
        test(`${what} is refused`, async () => {
            const response = await fetched(path.replace("ID", ids[0]));
            assert.ok([404, 422].includes(response.status), String(response.status));
            assert.deepEqual((await response.json()).errors.map((error) => error.parameter), [place]);
        });

    test("can be part of a batch, with only the members that the model reads, and is not stored", async () => {
        const question = { model: "cg", machine: "piz-daint", parameters: { ...CG, processes_per_node: 36 } };
        const answer = await post({ ...question, run: { computation: phases(3e-3), network_state: { stalls: 1e9, traffic_units: 1e9, bytes_per_traffic_unit: 2 } } });
        assert.equal(answer.phases.matvec_s, 3e-3);
        assert.ok(!codes(answer).includes("stall_rate_missing"));
        assert.equal((await get("machines/piz-daint")).runs, 0);
        assert.ok(codes(await post(question)).includes("computation_estimated"));
    });

    test("in a batch is refused with a pointer if it is ragged or contradictory", async () => {
        const question = { model: "cg", machine: "piz-daint", parameters: CG };
        const ragged = await post({ ...question, run: { computation: { total_s: [[1, 2], [3]] } } });
        assert.equal(ragged.status, 422);
        assert.match(ragged.errors[0].pointer, /^\/run\/computation/);
        const other = await post({ ...question, run: { parameters: { nodes: 9 }, computation: phases(1) } });
        assert.deepEqual(other.errors.map((error) => error.parameter), ["run"]);
        const negative = await post({ ...question, run: { computation: phases(-1) } });
        assert.equal(negative.status, 422);
        const none = await post({ model: "matmul", machine: "hopper", parameters: CANNON, run: {} });
        assert.deepEqual(none.errors.map((error) => error.parameter), ["run"]);
    });
});

describe("rows", () => {
    const saved = { model: "cg", parameters: CG, time_s: 0.25, computation: phases(1e-3), network_state: { stalls_per_byte: 0.5 } };
    const open = { ...CG, solver: undefined }, sized = { ...CG, nodes: undefined };
    const asked = (parameters) => query(Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined)));
    const times = ({ rows }) => rows.map((row) => [row.solver, row.mapping, row.time_s]);
    const own = (row) => row.solver === "pcg" && row.mapping === "default";
    let before, swept, stalled, ids;

    test("have one basis: a saved run gives its own row the congestion, and its time stands beside", async () => {
        before = await get(`rank/cg?machine=piz-daint&${asked(open)}`);
        swept = await get(`sweep/cg?machine=piz-daint&${asked(sized)}&nodes=63,64,65`);
        assert.equal(before.basis, "estimated");
        assert.ok(before.rows.every((row) => !("measured_s" in row)));
        stalled = (await predict("piz-daint", "cg", { ...CG, stalls_per_byte: 0.5 })).time_s;
        assert.ok(stalled > swept.rows[1].time_s);
        ids = await upload("piz-daint", [saved, { ...saved, time_s: 0.75 }, { ...saved, parameters: { ...CG, iterations: 40 }, time_s: 0.2 },
            { ...saved, parameters: { ...CG, local_grid: [8, 8, 8] }, time_s: 0.01 }]);
        const after = await get(`rank/cg?machine=piz-daint&${asked(open)}`);
        assert.deepEqual(times(after).sort(), times({ rows: before.rows.map((row) => (own(row) ? { ...row, time_s: stalled } : row)) }).sort());
        const alike = await get(`rank/cg?machine=piz-daint&${asked(open)}&stalls_per_byte=0.5`);
        assert.deepEqual([before, after, alike].map((answer) => answer.networks_differ), [false, true, false]);
        assert.equal(alike.rows.find(own).time_s, stalled);
        for (const row of after.rows) {
            const isMeasured = own(row);
            assert.deepEqual([row.measured_s, row.measured_runs], isMeasured ? [0.5, 2] : [null, 0]);
        }
        const points = await get(`sweep/cg?machine=piz-daint&${asked(sized)}&nodes=63,64,65`);
        assert.deepEqual(points.rows.map((row) => row.time_s), [swept.rows[0].time_s, stalled, swept.rows[2].time_s]);
        assert.deepEqual(points.rows.map((row) => row.measured_s), [null, 0.5, null]);
        assert.equal((await predict("piz-daint", "cg", CG)).phases.matvec_s, 1e-3);
    });

    test("of recommendations, forecasts and charts too", async () => {
        const advice = await get(`recommend/cg?machine=piz-daint&${asked({ ...open, nodes: undefined })}&nodes=64`);
        assert.equal(advice.basis, "estimated");
        assert.equal(advice.best.time_s, Math.min(...before.rows.map((row) => (own(row) ? stalled : row.time_s))));
        const table = await get(`forecast/cg?machine=piz-daint&${asked({ ...open, nodes: undefined, iterations: undefined })}&mapping=default&nodes=63,64&iterations=20,30&y=time_s`);
        const cell = (nodes, iterations) => table.cells.find((one) => one.solver === "pcg" && one.nodes === nodes && one.iterations === iterations);
        assert.equal(cell(64, 20).time_s, stalled);
        assert.deepEqual([[64, 20], [63, 20], [64, 30]].map((at) => cell(...at).measured_s), [0.5, null, null]);
        const script = await (await fetched(`chart/cg.gp?machine=piz-daint&${asked(sized)}&nodes=63,64,65&x=nodes`)).text();
        for (const time of [swept.rows[0].time_s, stalled, swept.rows[2].time_s]) assert.ok(script.includes(String(time).slice(0, 8)), String(time));
    });

    test("say what a prediction says of the same run, whatever computation a blocking exchange is given", async () => {
        const halo = { nodes: 64, processes_per_node: 4, message_bytes: 65536, blocking: true };
        const [id] = await upload("piz-daint", [{ model: "halo_exchange", parameters: halo, time_s: 1e-3, network_state: { stalls_per_byte: 0.8 } }]);
        const plain = (await predict("piz-daint", "halo_exchange", { ...halo, nodes: 128 })).time_s;
        for (const more of [{}, { overlap_s: 1e-4 }]) {
            const expected = (await predict("piz-daint", "halo_exchange", { ...halo, ...more })).time_s, question = query({ ...halo, ...more });
            assert.equal(expected, (await predict("piz-daint", "halo_exchange", { ...halo, stalls_per_byte: 0.8 })).time_s);
            const { rows } = await get(`sweep/halo_exchange?machine=piz-daint&${question.replace("nodes=64", "nodes=64,128")}`);
            assert.deepEqual(rows.map((row) => row.time_s), [expected, plain]);
            assert.ok(expected > plain);
            const ranked = await get(`rank/halo_exchange?machine=piz-daint&${question.replace("blocking=true", "mapping=default")}`);
            assert.equal(ranked.rows.find((row) => row.blocking).time_s, expected);
            const script = await (await fetched(`chart/halo_exchange.gp?machine=piz-daint&${question.replace("nodes=64", "nodes=64,128")}&x=nodes&measured=true`)).text();
            assert.ok(script.includes(String(expected * 1e6).slice(0, 6)) || script.includes(String(expected).slice(0, 8)), script.slice(-800));
            assert.match(script, /measured/);
        }
        await remove(id);
    });

    test("as CSV and as text have the columns in every row", async () => {
        const csv = await (await fetched(`sweep/cg.csv?machine=piz-daint&${asked(sized)}&nodes=63,64`)).text();
        const [head, first, second] = csv.trim().split("\r\n").map((line) => line.split(","));
        assert.deepEqual([first, second].map((row) => row[head.indexOf("measured_s")]), ["", "0.5"]);
        assert.deepEqual([first, second].map((row) => row[head.indexOf("measured_runs")]), ["0", "2"]);
        const text = await (await fetched(`sweep/cg.txt?machine=piz-daint&${asked(sized)}&nodes=63,64`)).text();
        assert.match(text, /^measured_s=null$/m);
        assert.match(text, /^row_2_measured_s=0.5$/m);
    });

    test("show no measurement beside a what-if", async () => {
        const { rows } = await get(`sweep/cg?machine=piz-daint&${asked(sized)}&nodes=64,65&what_if.network.bandwidth=*2`);
        assert.ok(rows.every((row) => !("measured_s" in row)));
    });

    test("all use a run that the question names, and contradict it or not", async () => {
        const named = await get(`rank/cg?machine=piz-daint&${asked(open)}&run=${ids[0]}`);
        assert.deepEqual([named.basis, named.run], ["measured", ids[0]]);
        assert.ok(named.rows.length && named.rows.every((row) => row.solver === "pcg" && row.phases_matvec_s === 1e-3));
        assert.equal(new Set(named.rows.map((row) => row.mapping)).size, named.rows.length);
        const { rows } = await get(`sweep/cg?machine=piz-daint&${asked(sized)}&nodes=63,64,65&run=${ids[0]}`);
        assert.deepEqual(rows.map((row) => row.phases_matvec_s), [null, 1e-3, null]);
        assert.match(rows[0].error, /^run: the run has nodes = 64; asked for is 63/);
        const advice = await get(`recommend/cg?machine=piz-daint&${asked({ ...open, nodes: undefined })}&nodes=32,64&run=${ids[0]}`);
        assert.deepEqual([advice.best, ...advice.runners_up].map((row) => row.nodes), [64]);
        for (const id of ids) await remove(id);
    });

    test("of models that read no runs say what was measured, whatever the method", async () => {
        const ids = await upload("hopper", [{ model: "matmul", parameters: CANNON, time_s: 30 }]);
        for (const method of ["", "&contention=false", "&contention_model=paper"]) {
            const answer = await get(`sweep/matmul?machine=hopper&${query({ ...CANNON, n: undefined }).replace("n=undefined&", "")}&n=32768,65536${method}`);
            assert.deepEqual(answer.rows.map((row) => row.measured_s), [null, 30], method);
            assert.ok(!("basis" in answer));
        }
        const cores = await get(`rank/matmul?machine=hopper&algorithm=cannon&n=65536&cores=6144&threads=6`);
        assert.deepEqual(cores.rows.filter((row) => row.measured_s).map((row) => row.variant), ["2d"]);
        for (const other of ["&precision=single", "&word_bytes=16"]) {
            const { rows } = await get(`rank/matmul?machine=hopper&${query(CANNON)}${other}`);
            assert.ok(rows.every((row) => row.measured_s === null), other);
        }
        await remove(ids[0]);
    });
});

describe("intervals", () => {
    test("exist from the tenth run on, change with the runs, and are absent with a what-if", async () => {
        const plain = await predict("hopper", "matmul", CANNON);
        assert.equal(plain.interval, null);
        const etag = (await fetched(`predict/matmul?machine=hopper&${query(CANNON)}`)).headers.get("etag");
        const run = (i) => ({ model: "matmul", parameters: CANNON, time_s: plain.time_s * (1 + 0.01 * (i + 1)), started_at: day(i) });
        const first = await upload("hopper", Array.from({ length: 9 }, (_, i) => run(i)));
        assert.equal((await predict("hopper", "matmul", CANNON)).interval, null);
        await upload("hopper", [run(9)]);
        const answer = await predict("hopper", "matmul", CANNON);
        assert.equal(answer.interval.runs, 10);
        assert.equal(answer.interval.basis, "residuals_of_runs_of_this_model");
        assert.ok(Math.abs(answer.interval.high_s - 1.1 * plain.time_s) < 1e-9 * plain.time_s);
        assert.ok(Math.abs(answer.interval.low_s - plain.time_s / 1.1) < 1e-9 * plain.time_s);
        assert.notEqual((await fetched(`predict/matmul?machine=hopper&${query(CANNON)}`)).headers.get("etag"), etag);
        const changed = await predict("hopper", "matmul", CANNON, "&what_if.network.bandwidth=*2");
        assert.equal(changed.interval, null);
        assert.equal(changed.baseline.interval.runs, 10);
        const row = await (await fetched(`predict/matmul.txt?machine=hopper&${query(CANNON)}`)).text();
        assert.match(row, /^interval_low_s=[0-9.]+$/m);
        assert.match(row, /^interval_basis=residuals_of_runs_of_this_model$/m);
        await remove(first[0]);
        assert.equal((await predict("hopper", "matmul", CANNON)).interval, null);
    });

    test("of predictions with saved runs include the differences between runs: no run is predicted from its own measurements", async () => {
        const document = { ...(await get(`calibrations/${(await get("machines/blue-waters")).calibration}`)), machine: "spread" };
        await fetched("machines/spread/calibrations", {
            method: "POST", headers: { Authorization: `Bearer ${write}`, "Content-Type": "application/json" }, body: JSON.stringify(document),
        });
        const question = { model: "cg", machine: "spread", parameters: CG };
        const share = (i) => (i * 0.6180339887498949) % 1; /* even, and the same in every run */
        const runs = await Promise.all(Array.from({ length: 80 }, async (_, i) => {
            const run = { computation: phases(1e-3 * (1 + 0.6 * share(i))), network_state: { stalls_per_byte: 0 } };
            return { model: "cg", parameters: CG, started_at: day(i), time_s: (await post({ ...question, run })).time_s, ...run };
        }));
        await upload("spread", runs.slice(0, 40));
        const { interval, time_s } = await predict("spread", "cg", CG);
        assert.ok(interval.runs === 40 && interval.low_s < time_s && time_s < interval.high_s);
        const inside = runs.slice(40).filter((run) => run.time_s >= interval.low_s && run.time_s <= interval.high_s).length;
        assert.ok(inside >= 33 && inside <= 39, `${inside} of 40`);
        const [model] = (await get("machines/spread/accuracy")).models;
        assert.ok(model.median_error_fraction < 1e-9, "each run is explained by its own measurements");
        assert.ok(model.interval.covered_fraction > 0.75);
    });

    test("do not follow from the spread of a calibration's measurements, which stands apart", async () => {
        const answer = await predict("example", "matmul", { algorithm: "cannon", variant: "2d", n: 2000, processes: 1 });
        assert.equal(answer.interval, null);
        const { low_s: low, high_s: high, spread_fraction: spread } = answer.calibration_spread;
        assert.ok(low < answer.time_s && spread > 0);
        assert.ok(Math.abs(high - answer.time_s * (1 + spread / 2)) < 1e-12 * high);
        const changed = await predict("example", "matmul", { algorithm: "cannon", variant: "2d", n: 2000, processes: 1 }, "&what_if.kernels.dgemm=*2");
        assert.equal(changed.calibration_spread, null);
    });
});

describe("accuracy", () => {
    test("of an unknown machine, model or output is refused", async () => {
        assert.equal((await fetched("machines/nowhere/accuracy")).status, 404);
        assert.equal((await fetched("machines/hopper/accuracy?model=matmult")).status, 422);
        assert.equal((await fetched("machines/hopper/accuracy?output=tine_s")).status, 422);
    });

    test("has errors, order and the runs behind them", async () => {
        const plain = {}, percent = [];
        for (const variant of ["2d", "2d_ovlp"]) {
            const predicted = await predict("hopper", "cholesky", { variant, n: 65536, processes: 1024, threads: 6 });
            plain[variant] = predicted.time_s;
            percent.push(predicted.percent_of_peak);
        }
        await upload("hopper", ["2d", "2d_ovlp"].map((variant) => ({
            model: "cholesky", parameters: { variant, n: 65536, processes: 1024, threads: 6 }, time_s: plain[variant] / 1.25,
            outputs: { computation_s: 1 }, breakdown: [{ phase: "dpotrf", time_s: 2 }],
        })));
        const { models } = await get("machines/hopper/accuracy?model=cholesky");
        assert.equal(models.length, 1);
        for (const figures of [models[0], models[0].then]) {
            assert.ok(Math.abs(figures.median_error_fraction - 0.25) < 1e-9);
            assert.ok(Math.abs(figures.bias_fraction - 0.25) < 1e-9);
            assert.deepEqual([figures.within_20_percent_fraction, figures.within_30_percent_fraction], [0, 1]);
            assert.deepEqual([figures.pairs, figures.pairs_right_fraction, figures.worst_regret_fraction], [1, 1, 0]);
            assert.ok(Math.abs(figures.worst_error_percent_points - 0.25 * Math.max(...percent)) < 1e-9);
        }
        for (const run of models[0].worst) assert.ok(percent.some((of) => Math.abs(run.error_percent_points + 0.25 * of) < 1e-9), JSON.stringify(run));
        assert.equal(models[0].worst.length, 2);
        const computation = await get("machines/hopper/accuracy?model=cholesky&output=computation_s");
        assert.deepEqual(computation.runs.map((run) => run.measured), [1, 1]);
        const phase = await get("machines/hopper/accuracy?model=cholesky&output=breakdown_dpotrf_time_s");
        assert.deepEqual(phase.runs.map((run) => run.measured), [2, 2]);
        assert.ok(phase.runs[0].predicted > 0);
        const csv = await (await fetched("machines/hopper/accuracy.csv?rows=runs&model=cholesky")).text();
        assert.equal(csv.trim().split("\r\n").length, 3);
        assert.match(csv, /^run,model,at,measured,predicted,error_fraction,/);
    });

    test("tells the newest calibration from the one of the run's time", async () => {
        const document = await get(`calibrations/${(await get("machines/hopper")).calibration}`);
        document.node.peak_flops_per_s *= 2;
        const response = await fetched("machines/hopper/calibrations", {
            method: "POST", headers: { Authorization: `Bearer ${write}`, "Content-Type": "application/json" }, body: JSON.stringify(document),
        });
        assert.equal(response.status, 201);
        const { models, runs } = await get("machines/hopper/accuracy?model=cholesky");
        assert.ok(Math.abs(models[0].then.median_error_fraction - 0.25) < 1e-9);
        assert.ok(models[0].bias_fraction < 0);
        assert.ok(runs.every((run) => run.predicted < run.predicted_then));
    });

    test("detects drift, and shows it in the machine resource", async () => {
        const { time_s } = await predict("osu-e5630", "cnc_matmul", { algorithm: "cannon", n: 2000, block_size: 200, processes: 16 });
        const noise = (i) => 1 + 0.02 * Math.sin(7 * i);
        await upload("osu-e5630", Array.from({ length: 40 }, (_, i) => ({
            model: "cnc_matmul", parameters: { algorithm: "cannon", n: 2000, block_size: 200, processes: 16 },
            time_s: time_s * noise(i) * (i >= 30 ? 1.3 : 1), started_at: day(i),
        })));
        const { models } = await get("machines/osu-e5630/accuracy");
        assert.equal(models[0].drift.since, day(30));
        assert.ok(models[0].drift.slowdown > 1.25 && models[0].drift.slowdown < 1.35);
        assert.deepEqual((await get("machines/osu-e5630")).drift, [models[0].drift]);
        assert.deepEqual((await get("machines/blue-waters")).drift, []);
        assert.deepEqual((await get("machines/osu-e5630")).past_drift, [], "what lasts has not passed");
    });

    test("takes no mistaken calibration in between for a slower machine", async () => {
        const document = await get(`calibrations/${(await get("machines/hopper")).calibration}`), { peak_flops_per_s: peak } = document.node;
        const parameters = (await get("machines/hopper/accuracy?model=cholesky")).runs[0].parameters;
        let at = 0;
        for (const [factor, runs] of [[1, 30], [2, 20], [1, 30]]) {
            document.node.peak_flops_per_s = factor * peak;
            document.created_at = day(at);
            const response = await fetched("machines/hopper/calibrations", {
                method: "POST", headers: { Authorization: `Bearer ${write}`, "Content-Type": "application/json" }, body: JSON.stringify(document),
            });
            assert.ok(response.ok);
            await upload("hopper", Array.from({ length: runs }, () => ({ model: "cholesky", parameters, time_s: 1 + 0.02 * Math.sin(7 * at), started_at: day(at++) })));
        }
        const { models: [{ drift, past_drift }] } = await get("machines/hopper/accuracy?model=cholesky");
        assert.deepEqual([drift, past_drift], [null, []]);
    });
});

describe("charts of saved runs", () => {
    const chart = (kind, more = "") =>
        fetched(`chart/cnc_matmul.gp?machine=osu-e5630&algorithm=cannon,johnson&n=2000&block_size=200&processes=8,16,32&kind=${kind}${more}`);

    test("show measured points only if requested", async () => {
        assert.match(await (await chart("lines", "&measured=true")).text(), /'cannon, measured'/);
        assert.doesNotMatch(await (await chart("lines")).text(), /, measured'/);
        assert.doesNotMatch(await (await chart("lines", "&measured=true&word_bytes=8")).text(), /, measured'/);
    });
    test("appear once for all ways to predict", async () => {
        const text = await (await fetched("chart/cnc_matmul.gp?machine=osu-e5630&algorithm=cannon&n=2000&block_size=200&processes=8,16&composition=max,sum&measured=true")).text();
        assert.equal(text.match(/'measured'/g).length, 1);
    });
    for (const kind of ["groups", "boxes"])
        test(`as ${kind}`, async () => assert.equal((await chart(kind, "&measured=true")).status, 200));
    test("boxes heed logy", async () => {
        for (const [logy, isLog] of [["true", true], ["false", false]])
            assert.equal(/set logscale y/.test(await (await chart("boxes", `&logy=${logy}`)).text()), isLog, logy);
    });
    test("a title names each value that is on no axis", async () => {
        const { title } = await (await fetched("chart/cnc_matmul.json?machine=osu-e5630&algorithm=cannon&n=2000&block_size=200&processes=8,16&composition=sum")).json();
        assert.equal(title, "cnc_matmul on osu-e5630, algorithm = cannon, n = 2000, block size = 200, composition = sum");
    });
    test("as a roofline over configurations and over intensity", async () => {
        for (const x of ["", "&x=intensity_flops_per_byte"]) {
            const text = await (await fetched(`chart/cnc_matmul.gp?machine=osu-e5630&algorithm=cannon&n=2000&block_size=100,200&processes=16,32&kind=roofline&measured=true${x}`)).text();
            for (const label of ["compute bound", "bandwidth bound", "predicted", "measured, best run"]) assert.ok(text.includes(`'${label}'`), label);
        }
    });
    test("a roofline's estimates do not hide the bound that they meet", async () => {
        const { series } = await (await fetched("chart/cnc_matmul.json?machine=osu-e5630&algorithm=cannon&n=2000&block_size=200&processes=8,16&kind=roofline")).json();
        assert.deepEqual(series.map(({ label, mark }) => [label, mark]), [["compute bound", "bound"], ["bandwidth bound", "bound"], ["predicted", "point"]]);
    });
    test("boxes without runs, rooflines without bounds, a roofline of something else are refused", async () => {
        assert.equal((await chart("boxes", "&word_bytes=8")).status, 422);
        assert.equal((await fetched(`chart/matmul.gp?machine=hopper&${query(CANNON)}&kind=roofline`)).status, 422);
        assert.equal((await chart("roofline", "&y=time_s")).status, 422);
    });
    test("an output that is not a number is refused as y, and not suggested", async () => {
        const response = await fetched(`chart/cg.gp?machine=blue-waters&${query({ ...CG, nodes: "16,64" })}&y=process_grid`);
        assert.equal(response.status, 422);
        const [{ parameter, message }] = (await response.json()).errors;
        assert.equal(parameter, "y");
        assert.equal(message, "'process_grid' is not a numeric output of cg; /api/v1/models/cg lists them");
    });
    test("a band spans its list", async () => {
        const response = await fetched(`chart/cg.gp?machine=blue-waters&${query({ ...CG, nodes: "16,64,256" })}&hop_estimate=best,average,max&kind=band`);
        assert.equal(response.status, 200);
        assert.match(await response.text(), /minimum to maximum/);
    });
    test("a band without a list to span is refused", async () => {
        for (const more of ["", "&hop_estimate=best,average&series=hop_estimate"]) {
            const response = await fetched(`chart/cg.gp?machine=blue-waters&${query({ ...CG, nodes: "16,64,256" })}${more}&kind=band`);
            assert.equal(response.status, 422, more);
            assert.match((await response.json()).detail, /a band spans a list/);
        }
    });
    test("accuracy is drawn too", async () => {
        assert.match(await (await fetched("machines/osu-e5630/accuracy/chart.gp")).text(), /cnc/);
        assert.equal((await fetched("machines/piz-daint/accuracy/chart.svg")).status, 404);
    });
    test("errors over time are drawn with the calibrations since the first run", async () => {
        const { runs } = await (await fetched("machines/osu-e5630/accuracy")).json();
        const { items: [{ id }] } = await (await fetched("machines/osu-e5630/calibrations")).json();
        const text = await (await fetched("machines/osu-e5630/accuracy/history.gp")).text();
        assert.match(text, /set ylabel 'Measured beyond predicted \(%\)'/);
        assert.ok(text.includes(`set label 'calibration ${id.slice(0, 8)} in use`), text);
        const [run] = runs.filter((each) => each.predicted_then > 0);
        const at = Date.parse(run.at) / 1000, beyond = 100 * (run.measured / run.predicted_then - 1);
        const points = [...text.matchAll(/^([-\d.e+]+) ([-\d.e+]+)$/gm)].map(([, x, y]) => [Number(x), Number(y)]);
        assert.ok(points.some(([x, y]) => x === at && Math.abs(y - beyond) <= 1e-6 * Math.abs(beyond) + 1e-9), `${at} ${beyond} in ${JSON.stringify(points)}`);
        assert.equal((await fetched("machines/osu-e5630/accuracy/history.svg")).status, 200);
        assert.equal((await fetched("machines/piz-daint/accuracy/history.svg")).status, 404);
    });
});
