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

const COUNTS = [1024, 4096, 16384, 65536]; // measured in the paper, and forecast by it

/** The fastest variant on each process count; 2.5D variants have more than one layer. */
async function best(model, asked) {
    const query = new URLSearchParams({ machine: "hopper", threads: 6, limit: 1000, ...asked });
    const of = async (processes) => {
        const { json } = await api.get(`/api/v1/rank/${model}?${query}&processes=${processes}`);
        return json.rows.find(({ variant, replication }) => !variant.startsWith("25d") || replication > 1).variant;
    };
    return Promise.all(COUNTS.map(of));
}

/** 2D with overlap is best while processes have much work, 2.5D with overlap beyond a crossing. */
function assertCrossing(variants) {
    const crossing = variants.indexOf("25d_ovlp");
    assert.ok(crossing > 0, String(variants));
    assert.deepEqual(variants, variants.map((_, i) => (i < crossing ? "2d_ovlp" : "25d_ovlp")));
}

for (const contention_model of ["paper", "refined"])
    describe(`best variants with contention_model=${contention_model}`, () => {
        for (const algorithm of ["cannon", "summa"])
            test(`matmul by ${algorithm}: 2D with overlap, then 2.5D with overlap`, async () =>
                assertCrossing(await best("matmul", { n: 32768, algorithm, contention_model })));
        // The paper's programs have one number of blocks for all variants.
        for (const blocks_per_process of [4, 6, 8])
            test(`Cholesky with ${blocks_per_process} blocks: 2D with overlap, then 2.5D with overlap`, async () =>
                assertCrossing(await best("cholesky", { n: 65536, blocks_per_process, contention_model })));
        for (const blocks of [{ blocks_per_process: 4 }, { blocks_per_process: 6 }, {}])
            test(`TRSM with ${blocks.blocks_per_process ?? "its best number of"} blocks: 2.5D with overlap always`, async () =>
                assert.deepEqual(await best("trsm", { n: 65536, contention_model, ...blocks }), COUNTS.map(() => "25d_ovlp")));
    });

test("a question that the set cannot answer is refused for what it lacks, not for a choice that the user has not made", async () => {
    for (const path of ["rank/solve", "recommend/solve"]) {
        const { status, json } = await api.get(`/api/v1/${path}?machine=hopper&iterations=100&processes_per_node=8&global_grid=64x64x64${path === "rank/solve" ? "&nodes=64" : "&max_nodes=64"}`);
        assert.equal(status, 422);
        assert.deepEqual([...new Set(json.errors.map(({ code }) => code))], ["calibration_group_missing"], json.detail);
    }
});
