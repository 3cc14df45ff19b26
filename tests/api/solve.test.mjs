// solve over HTTP: strong scaling, rankings, recommendations, facts of a partition, saved runs.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, client } from "./client.mjs";

const daemon = await startDaemon();
const api = client(daemon.url);
after(() => daemon.stop());

const get = async (path) => {
    const { status, json, text } = await api.get(`/api/v1/${path}`);
    assert.equal(status, 200, text.slice(0, 500));
    return json;
};
const cube = "machine=example&global_grid=64x64x64&iterations=50&processes_per_node=2";

test("strong scaling divides the grid, and memory falls with the nodes", async () => {
    const { rows } = await get(`sweep/solve?${cube}&solver=pcg&nodes=1,8,64`);
    assert.deepEqual(rows.map(({ nodes }) => nodes), [1, 8, 64]);
    assert.ok(rows[0].time_s > rows[1].time_s && rows[1].time_s > 0);
    assert.ok(rows[0].memory_bytes_per_process > 7 * rows[1].memory_bytes_per_process);
});

test("charts show the efficiency of strong and of weak scaling", async () => {
    const drawn = async (query) => {
        const { text } = await api.get(`/api/v1/chart/solve.gp?${query}`);
        return /\$data0 << EOD\n(.*?)\nEOD/s.exec(text)[1].split("\n").map((line) => line.split(" ").map(Number));
    };
    const local = "machine=example&local_grid=16x16x16&iterations=50&processes_per_node=2";
    for (const [kind, query, efficiency] of [["strong_efficiency", cube, (first, row) => first.time_s * first.nodes / (row.time_s * row.nodes)],
        ["weak_efficiency", local, (first, row) => first.time_s / row.time_s]]) {
        const asked = `${query}&solver=pcg&nodes=2,4,32`;
        const { rows } = await get(`sweep/solve?${asked}`);
        const points = await drawn(`${asked}&kind=${kind}&x=nodes`);
        rows.forEach((row, i) => {
            assert.equal(points[i][0], row.nodes);
            assertClose(points[i][1], efficiency(rows[0], row), `${kind} on ${row.nodes} nodes`);
        });
    }
    for (const [logx, scale] of [["", "log"], ["&logx=false", "linear"]])
        assert.equal((await get(`chart/solve.json?${cube}&solver=pcg&nodes=2,4&kind=strong_efficiency${logx}`)).x.scale, scale);
    for (const [query, name] of [["nodes=2&mapping=default,node_aware&x=mapping", "x"], ["nodes=2,4&y=matvecs", "y"]]) {
        const { status, json } = await api.get(`/api/v1/chart/solve.svg?${cube}&solver=pcg&kind=strong_efficiency&${query}`);
        assert.deepEqual([status, json.errors.map((error) => error.parameter)], [422, [name]]);
    }
});

test("a ranking has only solvers that suit the system", async () => {
    const { rows } = await get("rank/solve?machine=example&local_grid=12x12x12&iterations=50&nodes=8&processes_per_node=2&system=symmetric&limit=200");
    const solvers = new Set(rows.map(({ solver }) => solver));
    assert.ok(!solvers.has("pcg") && solvers.has("minres") && solvers.has("gmres"), [...solvers].join());
    assert.ok(rows.every(({ grid_shape, partition }) => grid_shape === "balanced" && partition === "contiguous"));
});

test("a recommendation chooses nodes, solver, mapping and process grid", async () => {
    const { best } = await get(`recommend/solve?${cube}&max_nodes=64`);
    assert.ok(best.nodes > 1 && best.nodes <= 64 && best.solver && best.mapping && best.grid_shape, JSON.stringify(best));
});

test("a recommendation adds nodes as long as they pay", async () => {
    const small = "machine=example&global_grid=16x16x16&iterations=50&processes_per_node=2&solver=pcg&max_nodes=64";
    const all = await get(`recommend/solve?${small}&objective=core_hours`);
    const paying = [all.best, ...all.runners_up].filter((row) => all.best.core_hours / row.core_hours >= 0.5);
    assert.ok(paying.length > 1 && paying.length <= all.runners_up.length);
    const { best, runners_up: others } = await get(`recommend/solve?${small}&min_scaling_fraction=0.5`);
    assert.equal(others.length + 1, paying.length);
    assert.equal(best.time_s, Math.min(...paying.map(({ time_s }) => time_s)));
    const { status, json } = await api.get("/api/v1/recommend/solve?machine=example&local_grid=16x16x16&iterations=50&processes_per_node=2&min_scaling_fraction=0.5&objective=knee");
    assert.deepEqual([status, json.errors.map(({ parameter }) => parameter)], [422, ["min_scaling_fraction", "objective"]]);
    assert.equal((await get("recommend/solve?machine=example&local_grid=16x16x16&iterations=50&processes_per_node=2&max_nodes=8")).knee, null);
});

test("what does not fit into the memory of a node is left out", async () => {
    const { status, json } = await api.get("/api/v1/rank/solve?machine=example&local_grid=3000x3000x3000&iterations=50&nodes=8&processes_per_node=2");
    assert.equal(status, 422);
    assert.match(JSON.stringify(json.errors), /memory/);
});

const facts = { processes: 2, rows: [3, 3], diagonal: [7, 7], offdiagonal: [1, 1], messages: [[0, 1, 1], [1, 0, 1]] };
const parameters = { solver: "gmres", iterations: 20, nodes: 2, processes_per_node: 1 };
const ask = async (...requests) => (await api.post("/api/v1/predict", {
    requests: requests.map((request) => ({ model: "solve", machine: "example", parameters, ...request })),
})).json.results;

test("facts of a partition stand in for a matrix", async () => {
    const [made] = await ask({ facts });
    assert.equal(made.load_balance_factor, 1);
    assert.equal(made.halo.off_node_bytes, 8);
    assert.equal(made.local_grid, null);
});

test("facts that do not say whether the pattern is symmetric may be those of an spd matrix", async () => {
    const [made] = await ask({ facts, parameters: { ...parameters, solver: "pcg", system: "spd" } });
    assert.ok(made.time_s > 0, JSON.stringify(made));
});

test("wrong facts are refused at their place", async () => {
    const refused = await ask(
        { facts, parameters: { ...parameters, nodes: 4 } }, { facts: { ...facts, x: 1 } }, { facts: { ...facts, rows: [3] } },
        { facts: { ...facts, messages: [[0, 0, 1]] } }, { facts: { ...facts, processes: 0 } }, { facts: 5 },
        { facts, parameters: { ...parameters, matrix: "m" } }, { parameters: { ...parameters, matrix: "none" } },
        { model: "cg", facts, parameters: { nodes: 2, processes_per_node: 1, iterations: 2, local_grid: [4, 4, 4] } },
    );
    assert.deepEqual(refused.map(({ errors }) => errors?.[0].parameter ?? errors?.[0].pointer), [
        "matrix", "/facts/x", "/facts/rows", "/facts/messages/0", "/facts/processes", "/facts", "facts", "matrix", "facts",
    ]);
});

test("a saved run corrects the computation, and serves its own question as measured", async () => {
    const grid = { local_grid: [20, 20, 20], nodes: 8, processes_per_node: 2, iterations: 40, solver: "pcg" };
    const phases = { matvec_s: [[1e-3, 2e-3], [1e-3, 2e-3]], preconditioner_s: [[3e-3, 1e-3], [3e-3, 1e-3]], vector_s: [[1e-4, 1e-4], [1e-4, 1e-4]] };
    const run = { schema: "forerun-run-1", model: "solve", parameters: grid, computation: { phases } };
    const larger = { ...grid, local_grid: [24, 24, 24], solver: "pipecg" };
    const [measured, transferred, estimated, ofLarger] = await ask(
        { parameters: { ...grid, iterations: 80 }, run }, { parameters: larger, run }, { parameters: grid }, { parameters: larger },
    );
    assert.equal(measured.basis, "measured");
    assertClose(measured.phases.matvec_s, 2e-3, "the slowest process");
    assertClose(measured.phases.preconditioner_s, 3e-3, "the slowest process");
    assertClose(measured.phases.vector_s, 1e-4, "vector work");
    assert.equal(transferred.basis, "transferred");
    assert.ok(transferred.warnings.some(({ code }) => code === "computation_transferred"));
    assertClose(transferred.phases.matvec_s / 2e-3, ofLarger.phases.matvec_s / estimated.phases.matvec_s, "24^3 over 20^3");
    assert.equal(estimated.basis, "estimated");
});

const saved = (nodes, time_s, factor) => ({
    schema: "forerun-run-1", model: "solve", time_s,
    parameters: { local_grid: [20, 20, 20], nodes, processes_per_node: 2, iterations: 40, solver: "pcg", preconditioner: "icc" },
    computation: { phases: { matvec_s: [[1e-3 * factor]], preconditioner_s: [[2e-3 * factor]], vector_s: [[1e-4 * factor]] } },
});
const write = await daemon.token("write");
const upload = (runs) => api.send("/api/v1/machines/example/runs", {
    method: "POST", headers: { Authorization: `Bearer ${write}` }, body: runs,
});

test("rows have the basis of one run, the nearest to the first of them", async () => {
    const rows = "machine=example&local_grid=20x20x20&processes_per_node=2&iterations=40&solver=pcg&nodes=";
    const before = await get(`sweep/solve?${rows}8,16`);
    assert.equal(before.basis, "estimated");
    const { json } = await upload([saved(8, 0.2, 1), saved(16, 0.4, 2)]);
    const after = await get(`sweep/solve?${rows}8,16`);
    assert.equal(after.basis, "transferred");
    assert.equal(after.run, json.items[0].id);
    assertClose(after.rows[0].phases_matvec_s, 1e-3, "as measured");
    assertClose(after.rows[1].phases_matvec_s, 1e-3, "not by its own run");
    assert.equal(after.rows[1].measured_s, 0.4);
    assert.equal((await get(`sweep/solve?${rows}16,8`)).run, json.items[1].id);
    const ranked = await get(`rank/solve?${rows}16`);
    assert.equal(ranked.basis, "transferred");
    assert.equal(ranked.run, json.items[1].id);
    assert.equal((await get(`sweep/solve?${rows}8&run=${json.items[1].id}`)).run, json.items[1].id);
});

test("three to nine runs give an interval by the errors of transfers", async () => {
    const asked = "predict/solve?machine=example&local_grid=20x20x20&processes_per_node=2&iterations=40&solver=pcg&nodes=32";
    assert.equal((await get(asked)).interval, null);
    await upload([saved(4, 0.15, 1.1)]);
    const { interval, time_s } = await get(asked);
    assert.equal(interval.basis, "transfer");
    assert.equal(interval.runs, 3);
    assert.equal(interval.coverage_fraction, 0.5);
    assert.ok(interval.low_s > 0 && interval.low_s < interval.high_s && time_s > 0);
});

test("multigrid lists its levels, which add up to the cycle", async () => {
    const multigrid = "machine=example&global_grid=65x65x65&iterations=10&nodes=4&processes_per_node=2&preconditioner=multigrid";
    const { levels, multigrid: cycle, preconditioner_applications: applications, breakdown } = await get(`predict/solve?${multigrid}&explain=true`);
    assert.deepEqual(levels.map(({ grid }) => grid), ["65x65x65", "33x33x33", "17x17x17", "9x9x9", "5x5x5", "3x3x3"]);
    assertClose(levels.reduce((sum, { time_s }) => sum + time_s, 0), cycle.cycle_s, "the levels");
    const messages = breakdown.find(({ phase }) => phase === "multigrid_messages");
    assertClose(messages.time_s, applications * cycle.communication_s, "the messages of all cycles");
    const { rows } = await get(`sweep/solve?${multigrid}&smoother=jacobi,sor,ssor,chebyshev`);
    assert.equal(new Set(rows.map(({ time_s }) => time_s)).size, 4);
    assert.ok((await get(`rank/solve?${multigrid}`)).rows.every(({ preconditioner }) => preconditioner === "multigrid"));
    const { json } = await api.get("/api/v1/predict/solve?machine=example&global_grid=9x9&iterations=1&nodes=1&processes_per_node=1&explain=true");
    assert.deepEqual(json.levels, []);
});

test("levels of algebraic multigrid hold for every number of nodes, and are shown", async () => {
    const levels = "1632:88204,319:21897,57:2311";
    const amg = "machine=example&global_grid=24x24x24&iterations=10&processes_per_node=2&preconditioner=multigrid&smoother=sor";
    const { rows } = await get(`sweep/solve?${amg}&nodes=1,2,4&levels=${levels}`);
    assert.deepEqual(rows.map(({ multigrid_levels: count }) => count), [4, 4, 4]);
    const answer = await get(`predict/solve?${amg}&nodes=4&levels=${levels}&explain=true`);
    assert.equal(answer.parameters.levels, levels);
    assert.deepEqual(answer.levels.map(({ grid, rows: size }) => [grid, size]), [["24x24x24", 13824], [null, 1632], [null, 319], [null, 57]]);
    assertClose(answer.levels.reduce((sum, { time_s }) => sum + time_s, 0), answer.multigrid.cycle_s, "the levels");
    const { status, json } = await api.get(`/api/v1/predict/solve?${amg}&nodes=4&levels=99:9`);
    assert.equal(status, 422);
    assert.deepEqual(json.errors.map(({ parameter }) => parameter), ["levels"]);
});

test("a grid that fits on too many nodes is refused with the fewest on which it fits", async () => {
    const large = "machine=example&global_grid=1000x1000x1000&iterations=50&processes_per_node=2";
    const refused = async (question, remedy) => {
        const { errors: [{ parameter, message }] } = assertProblem(await api.get(`/api/v1/${question}`), 422);
        assert.equal(parameter, "memory");
        return Number(message.match(remedy)[1]);
    };
    const enough = await refused(`recommend/solve?${large}&max_nodes=2`, /ask with max_nodes=(\d+), or/);
    assert.equal(await refused(`rank/solve?${large}&nodes=1`, /give it (\d+) nodes, or/), enough);
    assert.ok(enough > 2);
    await refused(`recommend/solve?${large}&max_nodes=${enough - 1}`, /needs at least ([\d.]+) GiB/);
    const { best } = await get(`recommend/solve?${large}&max_nodes=${enough}`);
    assert.equal(best.nodes, enough);
});
