// The set `hopper`: its contention factors are assumed, so that they agree with what its paper says in
// words (González-Domínguez et al., sections IV and VI): how factors grow, and which variants are best.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { client } from "./client.mjs";

const { contention } = JSON.parse(readFileSync(new URL("../../calibrations/sets/hopper.json", import.meta.url), "utf8"));

let daemon, api;
before(async () => {
    daemon = await startDaemon();
    api = client(daemon.url);
});
after(() => daemon?.stop());

/** Factors by distance are increasing, and much larger at 32 ranks than at 4. */
function assertGrowing(rows) {
    for (const [i, row] of rows.entries())
        assert.ok(i === 0 || (row.distance > rows[i - 1].distance && row.factor > rows[i - 1].factor), JSON.stringify(row));
    const at = (distance) => rows.find((row) => row.distance === distance)?.factor;
    if (at(32)) assert.ok(at(32) >= 2 * at(4), `${at(32)} at 32 ranks, ${at(4)} at 4`);
}

test("average factors depend on the distance alone, maximum factors on the number of processes too", () => {
    assert.ok(contention.average.every(({ processes }) => processes === undefined));
    assertGrowing(contention.average);
    const counts = [...new Set(contention.maximum.map(({ processes }) => processes))];
    const on = (count) => contention.maximum.filter(({ processes }) => processes === count);
    for (const [i, count] of counts.entries()) {
        assertGrowing(on(count));
        for (const { distance, factor } of on(count)) {
            assert.ok(factor > contention.average.find((row) => row.distance === distance).factor);
            const fewer = on(counts[i - 1]).find((row) => row.distance === distance);
            assert.ok(!fewer || factor > fewer.factor, `distance ${distance}, ${count} processes`);
        }
    }
});

test("the machine has 6,384 nodes of 24 cores, and no more are recommended", async () => {
    const { json: { facts, description } } = await api.get("/api/v1/machines/hopper");
    assert.deepEqual([facts.nodes, facts.cores_per_node, facts.nodes * facts.cores_per_node], [6384, 24, 153216]);
    assert.match(description, /assumed/);
    const { json } = await api.get("/api/v1/recommend/matmul?machine=hopper&n=65536&threads=6");
    for (const { nodes } of [json.best, ...json.runners_up]) assert.ok(nodes <= facts.nodes, String(nodes));
});

const COUNTS = [1024, 4096, 16384, 65536]; // measured in the paper, and forecast by it: six cores each
const ORDERS = [32768, 65536, 131072, 262144];

/** Tables II to V: {order: the best variant on each count}. */
async function best(model, asked) {
    const query = new URLSearchParams({ machine: "hopper", threads: 6, rows: "n", columns: "processes", n: ORDERS, processes: COUNTS, ...asked });
    const { status, json, text } = await api.get(`/api/v1/forecast/${model}?${query}`);
    assert.equal(status, 200, text);
    assert.equal(json.cells.length, 4 * ORDERS.length * COUNTS.length);
    const at = (n, processes) => json.cells.find((cell) => cell.n === n && cell.processes === processes && cell.best).variant;
    return Object.fromEntries(ORDERS.map((n) => [n, COUNTS.map((processes) => at(n, processes))]));
}

/** 2D with overlap is best while processes have much work, 2.5D with overlap beyond a crossing, which is later for larger matrices. */
function assertCrossings(table) {
    const crossings = ORDERS.map((n) => {
        const crossing = table[n].filter((variant) => variant === "2d_ovlp").length;
        assert.deepEqual(table[n], COUNTS.map((_, i) => (i < crossing ? "2d_ovlp" : "25d_ovlp")), `n=${n}`);
        return crossing;
    });
    assert.ok(crossings.every((crossing, i) => crossing > 0 && (i === 0 || crossing >= crossings[i - 1])), String(crossings));
    assert.ok(crossings[0] < COUNTS.length, String(crossings));
}

for (const algorithm of ["cannon", "summa"])
    for (const contention_model of ["paper", "refined"])
        test(`matmul by ${algorithm}, ${contention_model}: 2D with overlap, then 2.5D with overlap`, async () =>
            assertCrossings(await best("matmul", { algorithm, contention_model })));

// The paper's programs have one number of blocks for all variants.
for (const [contention_model, blocks] of [["paper", [4, 6]], ["refined", [4]]])
    for (const blocks_per_process of blocks)
        test(`Cholesky with ${blocks_per_process} blocks, ${contention_model}: 2D with overlap, then 2.5D with overlap`, async () =>
            assertCrossings(await best("cholesky", { blocks_per_process, contention_model })));

// docs/models/dense.md#validity-and-known-errors: but for the cells of most work, by the thread that communicates.
test("TRSM: 2.5D with overlap", async () => {
    const table = await best("trsm", {});
    const most = [table[131072].shift(), table[262144].shift()];
    assert.deepEqual([...new Set(Object.values(table).flat())], ["25d_ovlp"]);
    assert.deepEqual(most, ["25d", "25d"]);
});

test("the time of each process of a contention measurement is drawn where a calibration has it", async () => {
    const document = JSON.parse(readFileSync(new URL("../../calibrations/sets/hopper.json", import.meta.url), "utf8"));
    const times_s = Array.from({ length: 64 }, (_, rank) => 0.1 + 0.01 * ((7 * rank) % 13)); // ten messages of 64 MiB in figure 3
    const process_times = [{ distance: 16, times_s }];
    const { status, json: { id } } = await api.upload({ ...document, machine: "hopper-64", contention: { ...contention, process_times } }, await daemon.token("write"));
    assert.equal(status, 201);
    const many = [{ distance: 1, times_s: Array(4097).fill(1) }];
    assert.match((await api.upload({ ...document, contention: { ...contention, process_times: many } }, await daemon.token("write"))).json.detail, /4097 times; at most 4096/);
    const { series, title } = (await api.get(`/api/v1/calibrations/${id}/chart/processes.json`)).json;
    assert.match(title, /each of 64 processes/);
    assert.deepEqual(series.map(({ label, mark, points }) => [label, mark, points.map(({ y }) => y)]), [["distance 16", "point", times_s]]);
    const uneven = Array.from({ length: 17 }, (_, i) => ({ distance: i + 1, times_s: times_s.slice(0, i + 1) }));
    const { json: more } = await api.upload({ ...document, machine: "hopper-64", contention: { ...contention, process_times: uneven } }, await daemon.token("write"));
    const drawn = (await api.get(`/api/v1/calibrations/${more.id}/chart/processes.json`)).json;
    assert.match(drawn.title, /each of 16 processes/);
    assert.deepEqual([drawn.series.length, drawn.note], [16, "the first 16 of 17 distances"]);
    const { calibration } = (await api.get("/api/v1/machines/hopper")).json;
    assert.equal((await api.get(`/api/v1/calibrations/${calibration}/chart/processes.svg`)).status, 404);
});

test("the paper's equations are the default where no pattern was measured, and the answer says so", async () => {
    const asked = "n=32768&processes=1024&threads=6&algorithm=summa&variant=2d_ovlp";
    const { parameters } = (await api.get(`/api/v1/predict/matmul?machine=hopper&${asked}`)).json;
    assert.deepEqual([parameters.contention_model, parameters.communication_threads], ["paper", 0]);
    assert.equal((await api.get(`/api/v1/predict/matmul?machine=example&${asked.replace("threads=6", "threads=1").replace("1024", "16")}`)).json.parameters.contention_model, "refined");
});

test("a measured bar stands beside the estimate of its own configuration", async () => {
    const token = await daemon.token("write");
    const parameters = { algorithm: "cannon", variant: "25d_ovlp", n: 32768, processes: 65536, threads: 6 };
    const percent = async (replication, contention) =>
        (await api.predict({ machine: "hopper", model: "matmul", parameters: { ...parameters, replication, contention } })).percent_of_peak;
    const bars = async () => {
        const query = new URLSearchParams({ ...parameters, machine: "hopper", variant: "2d,2d_ovlp,25d,25d_ovlp", tune: true, kind: "groups",
            contention: "true,false", x: "variant", series: "contention", y: "percent_of_peak", measured: true });
        const rows = (await api.get(`/api/v1/chart/matmul.gp?${query}`)).text.matchAll(/^[\d.]+ [\d.]+ [-\d.]+ [\d.]+ 0 ([\d.]+)$/gm);
        return [...rows].map(([, value]) => Number(value));
    };
    const run = (replication, time_s) => api.post("/api/v1/machines/hopper/runs", { model: "matmul", time_s, parameters: { ...parameters, replication } }, { token });
    const [four, sixteen, alone] = [await percent(4), await percent(16), await percent(16, false)];
    assert.ok(four > sixteen); // what tune=true chooses
    assert.deepEqual((await bars()).filter((bar) => bar === four || bar === sixteen), [four]);
    assert.equal((await run(16, 0.09)).status, 201);
    const beside = await bars();
    assert.deepEqual([four, sixteen, alone].map((bar) => beside.includes(bar)), [false, true, true]);
    assert.equal((await run(4, 0.08)).status, 201);
    assert.deepEqual((await bars()).filter((bar) => bar === four || bar === sixteen), [four]);

    const query = new URLSearchParams({ ...parameters, machine: "hopper", variant: "2d_ovlp,25d_ovlp", processes: "16384,65536", tune: true, kind: "groups",
        contention: "true,false", x: "variant", series: "contention", y: "percent_of_peak", measured: true });
    const { series, x } = (await api.get(`/api/v1/chart/matmul.json?${query}`)).json, [measured] = series;
    assert.deepEqual([measured.label, measured.points.map((point) => x.categories[point.x])], ["measured", ["25d_ovlp, 65536"]]);
});

test("2.5D has several layers everywhere, the least that make squares if nothing is said", async () => {
    const asked = "machine=hopper&algorithm=cannon&n=32768&threads=6";
    assert.equal((await api.get(`/api/v1/predict/matmul?${asked}&processes=1024&variant=25d`)).json.parameters.replication, 4);
    const { rows } = (await api.get(`/api/v1/rank/matmul?${asked}&processes=1024&limit=100`)).json;
    assert.ok(rows.length > 2 && rows.every(({ variant, replication }) => variant.startsWith("25d") === replication > 1), JSON.stringify(rows));
    const { segments } = (await api.get(`/api/v1/recommend/matmul?${asked}&objective=crossover&variant=2d_ovlp,25d_ovlp&processes=64..16384..*4`)).json;
    assert.deepEqual(segments.map(({ faster }) => faster), ["2d_ovlp", "25d_ovlp"]);
});

test("layers that are given hold for 2.5D, beside which 2D is compared", async () => {
    const asked = "machine=hopper&algorithm=cannon&n=32768&threads=6";
    const segments = async (replication) =>
        (await api.get(`/api/v1/recommend/matmul?${asked}&objective=crossover&variant=2d_ovlp,25d_ovlp&processes=64..16384..*4&replication=${replication}`)).json.segments;
    for (const replication of ["4", "4,16"]) {
        const [below, above] = await segments(replication);
        assert.deepEqual([below.faster, below.best.replication, below.other.replication, above.faster, above.best.replication], ["2d_ovlp", 1, 4, "25d_ovlp", 4]);
    }
    const [{ faster, reason }] = await segments("1,4");
    assert.deepEqual([faster, reason], [null, "both take the same time"]);
    for (const replication of ["4", "4,16"]) {
        const { cells } = (await api.get(`/api/v1/forecast/matmul?${asked}&processes=1024&rows=n&columns=processes&replication=${replication}`)).json;
        assert.ok(cells.length === 4 && cells.every(({ value }) => value > 50), JSON.stringify(cells));
    }
    const { rows } = (await api.get(`/api/v1/sweep/matmul?${asked}&variant=2d&processes=1024&replication=1,4&tune=true`)).json;
    assert.deepEqual(rows.map(({ time_s }) => time_s > 0), [true, false], "a list of layers is an axis here");
});

test("a table of what would be on more memory", async () => {
    const table = (more) => api.get(`/api/v1/forecast/matmul?machine=hopper&algorithm=cannon&threads=6&rows=n&columns=processes&n=2e6&processes=1024${more}`);
    assert.match((await table("")).json.detail, /no configuration fits in memory/);
    const { cells } = (await table("&memory=ignore")).json;
    assert.ok(cells.every(({ value, warnings }) => value > 80 && warnings.includes("memory_exceeded")), JSON.stringify(cells));
});

test("a question that the set cannot answer is refused for what it lacks, not for a choice that the user has not made", async () => {
    for (const path of ["rank/solve", "recommend/solve"]) {
        const { status, json } = await api.get(`/api/v1/${path}?machine=hopper&iterations=100&processes_per_node=8&global_grid=64x64x64${path === "rank/solve" ? "&nodes=64" : "&max_nodes=64"}`);
        assert.equal(status, 422);
        assert.deepEqual([...new Set(json.errors.map(({ code }) => code))], ["calibration_group_missing"], json.detail);
    }
});

test("groups of many outputs say how many bars they show", async () => {
    const asked = { machine: "hopper", algorithm: "summa", threads: 6, n: 32768, variant: "2d,25d", processes: "64,256,1024,4096,16384", kind: "groups", x: "variant", series: "processes" };
    const drawn = (y) => api.get(`/api/v1/chart/matmul.json?${new URLSearchParams({ ...asked, y })}`);
    assert.equal((await drawn("time_s,hidden_s,communication_s")).json.series.length, 15);
    assert.match((await drawn("time_s,hidden_s,communication_s,computation_s")).json.detail, /at most 64 by 16 bars/);
});

test("a title shows where it leaves out a part of a long value", async () => {
    const calls = Array(4).fill("dtrsm LLNN n n -1").join(";");
    const { json } = await api.get(`/api/v1/chart/calls.json?${new URLSearchParams({ machine: "example", calls, n: "8,16" })}`);
    assert.equal(json.title, `calls on example, ${calls.slice(0, 40)}...`);
});
