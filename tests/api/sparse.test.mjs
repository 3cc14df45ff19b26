// Sparse LU over HTTP with the structure in the body: the golden cases, eq. 14, bounds, what is refused.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { standingDaemon } from "./clock.mjs";
import { assertClose, assertProblem, client, faultNames } from "./client.mjs";
import { document, golden, question } from "./golden_sparse.mjs";
import { grid, readyMatrix } from "./matrix_server.mjs";

let daemon, api;
before(async () => {
    daemon = await standingDaemon({ calibrations: null, args: ["--simulation-limit-updates", "10000000", "--request-steps", "4000000"] });
    api = client(daemon.url);
});
after(() => daemon?.stop());

async function predictAll(requests) {
    const answer = await api.post("/api/v1/predict", { requests });
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    return answer.json.results;
}

function assertCase(got, want, clock) {
    const name = `${want.structure} ${want.params} ${want.pr}x${want.pc}`;
    assert.equal(got.model, "sparse_lu", `${name}: ${JSON.stringify(got).slice(0, 500)}`);
    assertClose(got.time_s, want.t_seconds, `${name}: time`);
    assertClose(got.critical_path_computation_s, want.cp_compute_cycles / clock, `${name}: computation`);
    assertClose(got.critical_path_communication_s, want.cp_comm_cycles / clock, `${name}: communication`);
    assertClose(got.load_balance_factor, want.LB, `${name}: load balance`);
    assertClose(got.loads, want.loads, `${name}: loads`);
    assertClose(got.stores, want.stores, `${name}: stores`);
    assert.deepEqual(got.cache_misses, want.misses, name);
    assert.equal(got.flops, want.flops, name);
    assert.equal(got.dgemm_flops_bound, want.calls.dgemm_flops_bound, name);
    assert.equal(got.dgemm_memory_bound, want.calls.dgemm_memory_bound, name);
    assert.equal(got.updates, want.calls.updates, name);
    assert.equal(got.messages, want.messages, name);
    assert.equal(got.message_bytes, want.message_bytes, name);
    assert.equal(got.processes, want.pr * want.pc, name);
    assert.deepEqual(got.breakdown.map(({ phase }) => phase), ["computation", "communication"], name);
    assertClose(got.breakdown.reduce((sum, { time_s, hidden_s }) => sum + time_s - hidden_s, 0), got.time_s, `${name}: breakdown`);
}

// One of each machine with its switches: the unit tests go through all cases.
describe("golden cases of sparse-lu.json", () => {
    for (const params of Object.keys(golden.params)) {
        test(params, async () => {
            const of = golden.cases.findLast((each) => each.params === params && each.pr > 1 && each.pc > 1), clock = golden.params[params].clock_hz;
            const [got] = await predictAll([{ ...question(of.structure, params, of.pr, of.pc), explain: true }]);
            assertCase(got, of, clock);
            assert.equal(got.ranks.length, of.pr * of.pc);
            got.ranks.forEach((rank, p) => {
                assert.equal(rank.rank, p);
                assertClose(rank.clock_s, of.clock_cycles[p] / clock, "clock");
                assertClose(rank.load_s, of.load_cycles[p] / clock, "load");
            });
        });
    }

    test("eq. 14", async () => {
        const grids = new Map([[1, [1, 1]], [4, [2, 2]], [16, [4, 4]], [64, [8, 8]]]);
        const results = await predictAll(golden.eq14.map(({ structure, P, order }) =>
            question(structure, "power3/base", ...grids.get(P), { eq14_n: order })));
        results.forEach((got, i) => assertClose(got.analytic_time_s, golden.eq14[i].seconds, `${golden.eq14[i].structure} ${golden.eq14[i].P}`));
    });

    test("bounds on the misses, and what a structure holds", async () => {
        const bounds = Object.entries(golden.miss_bounds).map(([key, value]) => [...key.split("|"), value]);
        const results = await predictAll(bounds.map(([structure, params]) => question(structure, params, 1, 1)));
        results.forEach((got, i) => {
            const [structure, , [lower, upper]] = bounds[i], stats = golden.stats[structure];
            assert.equal(got.cache_misses_lower_paper, lower);
            assert.equal(got.cache_misses_upper_paper, upper);
            for (const misses of Object.values(got.cache_misses).filter((lines) => lines !== null))
                assert.ok(got.cache_misses_lower <= misses && misses <= got.cache_misses_upper, JSON.stringify(got));
            assert.equal(got.supernodes, stats.supernodes);
            assert.equal(got.nnz_lu, stats.nnz_L_off + stats.nnz_U_off + stats.nnz_diag);
            assertClose(got.speedup, 1, "speedup of one process");
            assertClose(got.sequential_time_s, got.time_s, "one process is the sequential time");
        });
    });
});

test("a structure in a batch belongs to its request only", async () => {
    const first = question("hand", "power3/base", 1, 1);
    const [{ parameters }] = await predictAll([first]);
    assert.match(parameters.matrix, /^[0-9a-f]{16}$/);
    const results = await predictAll([first, { ...first, structure: undefined, parameters: { ...first.parameters, matrix: parameters.matrix } }]);
    assert.equal(results[0].model, "sparse_lu");
    assert.deepEqual(faultNames(results[1]), ["matrix"]);
});

test("of a structure in the body the ordering is not known, unless it is given", async () => {
    const first = question("hand", "power3/base", 2, 2);
    const [plain, given] = await predictAll([first, { ...first, parameters: { ...first.parameters, ordering: "amd" } }]);
    assert.equal(plain.parameters.ordering, null);
    assert.equal(given.parameters.ordering, "amd");
    assert.equal(given.time_s, plain.time_s);
    // With a what-if it is resolved twice.
    const [changed] = await predictAll([{ ...first, what_if: { "sparse.flop_time_s": "*2" } }]);
    assert.equal(changed.parameters.ordering, null, JSON.stringify(changed).slice(0, 300));
});

test("a number of a structure that lacks, is none, or is out of range has its own code", async () => {
    const hand = golden.structures.hand, codes = async (change) => {
        const [problem] = await predictAll([{ ...question("hand", "power3/base", 1, 1), structure: { ...hand, ...change } }]);
        return problem.errors.map(({ code }) => code);
    };
    assert.deepEqual(await codes({ n: undefined }), ["required"]);
    assert.deepEqual(await codes({ n: "9" }), ["wrong_type"]);
    assert.deepEqual(await codes({ n: 9.5 }), ["wrong_type"]);
    assert.deepEqual(await codes({ n: 1e300 }), ["out_of_range"]);
    assert.deepEqual(await codes({ n: -1 }), ["out_of_range"]);
    assert.deepEqual(await codes({ width: [2, 3, 1e9] }), ["out_of_range"]);
});

test("all faults of a structure are reported with pointers", async () => {
    const hand = golden.structures.hand, ask = async (change) => {
        const [problem] = await predictAll([{ ...question("hand", "power3/base", 1, 1), structure: change }]);
        return faultNames(problem);
    };
    assert.deepEqual(await ask({ ...hand, n: 10 }), ["/structure/n"]);
    assert.deepEqual(await ask({ ...hand, format: "forerun-blocks-2", more: 1 }), ["/structure/format", "/structure/more"]);
    assert.deepEqual(await ask({ ...hand, L: [hand.L[0], hand.L[1]] }), ["/structure/L"]);
    assert.deepEqual(await ask({ ...hand, L: [[[1, 2], [2, "3"]], hand.L[1], hand.L[2]] }), ["/structure/L/0/1/1"]);
    assert.deepEqual(await ask({ ...hand, U: [[hand.U[0][0], [2, 3, 6, 12]], hand.U[1], []] }), ["/structure/U/0/1"]);
    assert.deepEqual(await ask({ ...hand, width: [2, 3.5, 4] }), ["/structure/width/1"]);
    assert.deepEqual(await ask({ ...hand, L: [[[2, 3], [1, 2]], hand.L[1], []] }), ["/structure/L/0/1"]);
    assert.deepEqual(await ask({ ...hand, L: [hand.L[0], [], []] }), ["/structure/U/0/0"], "closure: L(2,0) and U(0,1) need block (2,1)");
    assert.deepEqual(await ask([1]), ["/structure"]);
    assert.deepEqual(await ask({}), ["/structure/L", "/structure/U", "/structure/format", "/structure/n", "/structure/width"]);
});

test("refusals name the parameter", async () => {
    const ask = async (change, more = {}) => {
        const { parameters, ...rest } = question("hand", "power3/base", 2, 2);
        const [problem] = await predictAll([{ ...rest, ...more, parameters: { ...parameters, ...change } }]);
        return faultNames(problem);
    };
    assert.deepEqual(await ask({ matrix: "other" }), ["structure"]);
    assert.deepEqual(await ask({ processes: 4 }), ["process_columns"]);
    assert.deepEqual(await ask({ process_columns: undefined, processes: 5 }), ["process_rows"]);
    assert.deepEqual(await ask({ process_rows: 300, process_columns: 300 }), ["process_columns"]);
    assert.deepEqual(await ask({ process_rows: undefined }), ["process_rows"]);
    assert.deepEqual(await ask({}, { structure: undefined }), ["matrix"]);
    assert.deepEqual(await ask({ matrix: "nobody" }, { structure: undefined }), ["matrix"]);
    assert.deepEqual(await ask({ ordering: "mmd" }), ["ordering"]);
    assert.deepEqual(await ask({ kernel_model: "calibrated" }), ["calibration"]);
    const [other] = await predictAll([{ model: "matmul", calibration: document("tiny/base"), structure: golden.structures.hand, parameters: {} }]);
    assert.ok(faultNames(other).includes("structure"));
});

/** Blocks on the diagonal alone: nothing to compute, but every process goes through all steps. */
function diagonal(n) {
    const none = Array(n).fill([]);
    return { format: "forerun-blocks-1", n, width: Array(n).fill(1), L: none, U: none };
}

const TABLES = {
    dgemm: { rates: [{ m: 4, n: 4, k: 4, rate_flops_per_s: 1e9 }] },
    dtrsm: { rates: [{ m: 4, n: 4, rate_flops_per_s: 5e8 }] },
    dger: { rates: [{ m: 4, n: 4, rate_flops_per_s: 4e8 }] },
    dtrsv: { rates: [{ n: 4, rate_flops_per_s: 2e8 }] },
};
const FIT = { gemm: 2, panel: 2, scatter_s: 1e-9, block_s: 1e-7, column_s: 1e-8, supernode_s: 2e-6 };

for (const kernelModel of ["paper", "calibrated"])
    test(`${kernelModel}: work beyond the limit is refused immediately, small work is not`, async () => {
        const calibration = document("power3/base");
        calibration.kernels = TABLES;
        calibration.sparse.fit = FIT;
        const structure = diagonal(2000);
        const asked = (side) => ({
            model: "sparse_lu", calibration, structure,
            parameters: { process_rows: side, process_columns: side, kernel_model: kernelModel },
        });
        const answers = await predictAll([asked(2), ...Array(20).fill(asked(60)), ...Array(20).fill(asked(128)), asked(2)]);
        const refused = answers.filter(({ status }) => status === 413);
        assert.ok(refused.length >= 20, String(refused.length));
        for (const { errors } of refused) {
            assert.equal(errors[0].code, "too_long");
            assert.match(errors[0].message, /ask for fewer/);
        }
        assert.ok(answers[0].time_s > 0);
        assert.ok(answers.at(-1).time_s > 0, JSON.stringify(answers.at(-1)));
    });

test("every missing value of the calibration is named", async () => {
    const calibration = document("power3/base");
    delete calibration.memory.caches;
    delete calibration.memory.index_bytes;
    delete calibration.sparse.dger_unroll;
    delete calibration.network;
    const [problem] = await predictAll([{ ...question("hand", "power3/base", 2, 2), calibration }]);
    assert.equal(problem.status, 422);
    for (const name of ["memory.caches", "memory.index_bytes", "sparse.dger_unroll", "network.message_bandwidth"])
        assert.ok(problem.errors.some(({ code, message }) => code === "calibration_group_missing" && message.includes(name)), name);
});

test("cache levels with different line sizes are refused", async () => {
    const calibration = document("power3/base");
    calibration.memory.caches[1].line_bytes = 64;
    const [problem] = await predictAll([{ ...question("hand", "power3/base", 1, 1), calibration }]);
    assert.match(problem.errors[0].message, /memory\/caches\/1\/line_bytes/);
});

test("one process needs no network", async () => {
    const calibration = document("power3/base");
    delete calibration.network;
    const [alone] = await predictAll([{ ...question("hand", "power3/base", 1, 1), calibration }]);
    assert.equal(alone.messages, 0);
    assert.equal(alone.analytic_time_s, null);
});

test("the model describes its outputs, tunables and list", async () => {
    const { json } = await api.get("/api/v1/models/sparse_lu");
    const names = json.outputs.map(({ name }) => name);
    for (const name of ["cache_misses.0", "load_balance_factor", "analytic_time_s", "memory_bytes_per_process"])
        assert.ok(names.includes(name), name);
    assert.deepEqual(json.parameters.filter(({ tunable }) => tunable).map(({ name }) => name).sort(), ["ordering", "process_layers", "process_rows", "supernode_max", "supernode_relax"]);
});

test("what-ifs change the network independently of the matrix", async () => {
    const [slow] = await predictAll([{ ...question("r13", "power3/base", 4, 4), what_if: { "network.latency": "*10" } }]);
    assert.ok(slow.time_s > slow.baseline.time_s);
    assert.deepEqual(slow.cache_misses, slow.baseline.cache_misses);
});

test("an unknown matrix is refused on every route", async () => {
    const token = await daemon.token("write");
    assert.equal((await api.upload(document("power3/base", "power3"), token)).status, 201);
    for (const [route, query] of [["predict", "process_rows=1&process_columns=1"], ["rank", "processes=4"], ["sweep", "process_rows=1&process_columns=1,2"]]) {
        const answer = await api.get(`/api/v1/${route}/sparse_lu?machine=power3&matrix=nobody&${query}`);
        assert.deepEqual(faultNames(assertProblem(answer, 422)), ["matrix"], route);
    }
    const several = await api.get("/api/v1/rank/sparse_lu?machine=power3&matrix=one,two&processes=4");
    assert.match(assertProblem(several, 422).errors[0].message, /only sweeps, charts and forecasts take several/);
    for (const list of ["one,two", "one,,two", "one,"]) {
        const answer = await api.get(`/api/v1/sweep/sparse_lu?machine=power3&matrix=${list}&process_rows=1&process_columns=1,2`);
        assert.deepEqual(faultNames(assertProblem(answer, list === "one,two" ? 422 : 400)), list === "one,two" ? ["matrix"] : ["matrix"], list);
    }
});

describe("a matrix that was uploaded", () => {
    const machine = { ...document("power3/base", "sixteen"), node: { cores_per_node: 4, peak_flops_per_s: 6e9, memory_bytes: 1e9 } };
    const ask = (route, query) => api.get(`/api/v1/${route}/sparse_lu?machine=sixteen&matrix=grid&${query}`);
    let ready;

    before(async () => {
        const token = await daemon.token("write");
        assert.equal((await api.upload(machine, token)).status, 201);
        ready = await readyMatrix(api, token, "name=grid", grid(24));
    });

    test("is predicted as the analysis found it", async () => {
        const { json } = await ask("predict", "process_rows=2&process_columns=2&ordering=amd");
        const found = ready.orderings.find(({ ordering }) => ordering === "amd");
        assert.equal(json.supernodes, found.supernodes);
        assert.equal(json.nnz_lu, found.nnz_lu);
        assert.equal(json.updates, found.updates);
        assertClose(json.fill, found.fill, "fill");
        assert.equal(json.nodes, 1);
        const again = await api.get("/api/v1/predict/sparse_lu?machine=sixteen&matrix=grid&process_rows=2&process_columns=2&ordering=amd");
        const known = await api.get("/api/v1/predict/sparse_lu?machine=sixteen&matrix=grid&process_rows=2&process_columns=2&ordering=amd", { headers: { "If-None-Match": again.headers.etag } });
        assert.equal(known.status, 304);
    });

    test("beside another matrix it is swept and drawn: rows and lines name their matrix", async () => {
        await readyMatrix(api, await daemon.token("write"), "name=small&orderings=amd", grid(12));
        const query = "machine=sixteen&matrix=grid,small&ordering=amd&process_rows=1&process_columns=1,2";
        const { json: { rows } } = await api.get(`/api/v1/sweep/sparse_lu?${query}`);
        assert.deepEqual(rows.map(({ matrix, process_columns }) => [matrix, process_columns]), [["grid", 1], ["grid", 2], ["small", 1], ["small", 2]]);
        for (const { matrix, process_columns, time_s } of rows) {
            const alone = await api.get(`/api/v1/predict/sparse_lu?machine=sixteen&matrix=${matrix}&ordering=amd&process_rows=1&process_columns=${process_columns}`);
            assertClose(time_s, alone.json.time_s, matrix);
        }
        const mixed = await api.get("/api/v1/sweep/sparse_lu?machine=sixteen&matrix=grid,nobody&ordering=amd&process_rows=1&process_columns=1");
        assert.equal(mixed.json.rows[0].error, null);
        assert.match(mixed.json.rows[1].error, /^matrix: there is no matrix 'nobody'/);
        const lines = await api.get(`/api/v1/chart/sparse_lu.gp?${query}`);
        assert.equal(lines.status, 200, lines.text.slice(0, 300));
        for (const label of ["matrix grid", "matrix small"]) assert.ok(lines.text.includes(label), label);
        const bars = await api.get(`/api/v1/chart/sparse_lu.gp?${query}&kind=groups&x=matrix`);
        assert.equal(bars.status, 200, bars.text.slice(0, 300));
        const table = await api.get(`/api/v1/forecast/sparse_lu?${query}&rows=matrix&columns=process_columns&y=time_s&by=ordering`);
        assert.equal(table.status, 200, table.text.slice(0, 300));
    });

    test("every grid and every ordering is ranked", async () => {
        const { json } = await ask("rank", "processes=12");
        const orderings = ready.orderings.filter(({ status }) => status === "ready").length;
        assert.equal(json.considered, 6 * orderings);
        for (const row of json.rows) assert.equal(row.process_rows * row.process_columns, 12);
        const one = await ask("rank", "processes=12&ordering=metis");
        assert.equal(one.json.considered, 6);
    });

    test("nodes are recommended, with the count beyond which more do not help", async () => {
        const { json } = await ask("recommend", "objective=nodes&max_nodes=8&ordering=metis");
        assert.equal(json.best.nodes, 1);
        const all = [json.best, ...json.runners_up];
        assert.equal(json.fastest.time_s, Math.min(...all.map(({ time_s }) => time_s)));
        const late = await ask("recommend", "objective=nodes&max_nodes=8&ordering=metis&deadline_s=1e-9");
        assert.deepEqual(faultNames(assertProblem(late, 422)), ["deadline_s"]);
    });

    test("the set seaborg knows its nodes: their count, the percentage of peak, recommendations", async () => {
        const set = readFileSync(new URL("../../calibrations/sets/seaborg.json", import.meta.url), "utf8");
        const token = await daemon.token("write");
        assert.equal((await api.post("/api/v1/machines/seaborg/calibrations", set, { token })).status, 201);
        const at = (route, query) => api.get(`/api/v1/${route}/sparse_lu?machine=seaborg&matrix=grid&ordering=metis&${query}`);
        const { json } = await at("predict", "nodes=1&process_rows=4");
        assert.equal(json.processes, 16);
        assert.equal(json.memory_limit_bytes_per_process, 2 ** 30);
        assertClose(json.percent_of_peak, (100 * json.flops) / (json.time_s * 24e9), "percent of peak");
        const best = await at("recommend", "objective=nodes&max_nodes=4");
        assert.equal(best.status, 200, best.text.slice(0, 300));
        assert.equal(best.json.best.nodes, 1);
        const { node, ...bare } = { ...JSON.parse(set), machine: "bare" };
        bare.sources = Object.fromEntries(Object.entries(bare.sources).filter(([place]) => !place.startsWith("/node")));
        assert.equal((await api.upload({ ...bare, node: { clock_hz: node.clock_hz } }, token)).status, 201);
        const without = await api.get("/api/v1/predict/sparse_lu?machine=bare&matrix=grid&ordering=metis&process_rows=4&process_columns=4");
        assert.equal(without.json.time_s, json.time_s, "facts of a node do not change the time");
        for (const [machine, more, objective] of [["seaborg", "max_nodes=4", "knee"], ["seaborg", "max_nodes=4&deadline_s=60", "nodes"], ["bare", "processes=4", "time"], ["bare", "processes=4&deadline_s=60", "time"]]) {
            const usual = await api.get(`/api/v1/recommend/sparse_lu?machine=${machine}&matrix=grid&ordering=metis&${more}`);
            assert.deepEqual([usual.status, usual.json.objective], [200, objective], `${machine} ${more}: ${usual.text.slice(0, 300)}`);
        }
    });

    test("is swept over processes, each with its best grid; rows and text have flat names", async () => {
        const { json } = await ask("sweep", "processes=1,2,4,8&tune=true&ordering=metis");
        assert.deepEqual(json.rows.map(({ processes }) => processes), [1, 2, 4, 8]);
        const text = (await api.get("/api/v1/predict/sparse_lu.txt?machine=sixteen&matrix=grid&process_rows=1&process_columns=1")).text;
        assert.match(text, /^cache_misses_0=[0-9]+$/m);
        assert.match(text, /^cache_misses_2=null$/m);
    });

    test("saved runs are compared with predictions for their matrix", async () => {
        const token = await daemon.token("write"), { json } = await ask("predict", "process_rows=1&process_columns=1&ordering=metis");
        const run = { schema: "forerun-run-1", model: "sparse_lu", parameters: { matrix: "grid", ordering: "metis", process_rows: 1, process_columns: 1 }, time_s: json.time_s * 1.25 };
        const stored = await api.post("/api/v1/machines/sixteen/runs", run, { token });
        assert.equal(stored.status, 201, stored.text.slice(0, 500));
        const { json: { models: [judged] } } = await api.get("/api/v1/machines/sixteen/accuracy?model=sparse_lu");
        assert.equal(judged.model, "sparse_lu");
        assert.match(JSON.stringify(judged), /-0\.(2|19999)/, "a fifth too low");
    });
});

describe("a sweep that uses its work up", () => {
    let small, at, id;
    const sweep = "process_rows=1&process_columns=1,2,3,4,5,6,7,8", chart = "process_rows=2&process_columns=1,2,3,4,5,6,7,8";
    const ask = (path, query, etag) =>
        at.get(`/api/v1/${path}?calibration=${id}&matrix=grid&ordering=amd&${query}`, etag ? { headers: { "If-None-Match": etag } } : {});
    const left = ({ json }) => json.rows.filter(({ error_code }) => error_code === "too_long").length;

    before(async () => {
        small = await standingDaemon({ calibrations: null, args: ["--simulation-limit-updates", "1000"] });
        at = client(small.url);
        const token = await small.token("write");
        assert.equal((await at.upload(document("power3/base", "power3"), token)).status, 201);
        await readyMatrix(at, token, "name=grid&orderings=amd", grid(24));
        id = (await at.get("/api/v1/machines/power3/calibrations")).json.items[0].id;
    });
    after(() => small?.stop());

    test("is asked again, and each time knows more", async () => {
        let answer = await ask("sweep/sparse_lu", sweep), rounds = 0;
        assert.ok(left(answer) > 0);
        for (; left(answer) > 0; rounds++) {
            assert.equal(answer.headers["cache-control"], "no-cache");
            const next = await ask("sweep/sparse_lu", sweep, answer.headers.etag);
            assert.equal(next.status, 200);
            assert.ok(left(next) < left(answer), `${left(next)} after ${left(answer)}`);
            answer = next;
        }
        assert.ok(rounds > 0);
        assert.equal(answer.headers["cache-control"], "no-cache"); /* the matrix may pass to another of this name */
        assert.equal((await ask("sweep/sparse_lu", sweep, answer.headers.etag)).status, 304);
    });

    test("says in a row which was tuned that something was left out", async () => {
        const tuned = "processes=4,8,12&tune=true", { json: { rows } } = await ask("sweep/sparse_lu", tuned), noted = rows.filter(({ warnings }) => warnings.includes("not_all_ranked"));
        assert.ok(noted.length > 0 && noted.every(({ error }) => error === null), JSON.stringify(rows.map(({ warnings, error }) => [warnings, error])));
    });

    test("is ranked again, until no grid is left out", async () => {
        const rank = async () => (await ask("rank/sparse_lu", "processes=8")).json;
        let answer = await rank();
        assert.ok(answer.left_out.too_long > 0);
        for (let next; answer.left_out.too_long > 0; answer = next) {
            next = await rank();
            assert.ok(next.left_out.too_long < answer.left_out.too_long && next.considered > answer.considered, JSON.stringify([answer.left_out, next.left_out]));
        }
        assert.equal(answer.considered, 4, "grids of 8 processes");
    });

    test("is drawn again", async () => {
        const first = await ask("chart/sparse_lu.svg", `${chart}&x=process_columns`);
        assert.equal(first.status, 200, first.text.slice(0, 300));
        assert.equal(first.headers["cache-control"], "no-cache");
        const next = await ask("chart/sparse_lu.svg", `${chart}&x=process_columns`, first.headers.etag);
        assert.equal(next.status, 200);
        assert.notEqual(next.text, first.text);
    });
});
