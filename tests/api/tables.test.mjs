// The same rows as JSON, CSV and shell text; what a script does with them.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { startDaemon, forerund, root } from "../daemon.mjs";
import { assertClose, client, parseCsv, worked } from "./client.mjs";

const run = promisify(execFile);
const sh = (script, env) => run("sh", ["-euc", script], { env: { PATH: process.env.PATH, ...env }, cwd: root });

let daemon, api;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    const token = await daemon.token("write");
    const document = JSON.parse(worked);
    document.description = "quotes \" and ' and $(touch forerun-evil) and `id`;\nnew line";
    assert.equal((await api.upload(document, token)).status, 201);
});
after(() => daemon?.stop());

const sweep = "machine=worked&contention_model=paper&algorithm=cannon,summa&variant=2d,2d_ovlp&n=3999,4000&processes=15,16&threads=4";

test("a sweep has the same rows in JSON and in CSV", async () => {
    const json = (await api.get(`/api/v1/sweep/matmul?${sweep}`)).json;
    /* An interval is an object in JSON, and its two ends in CSV. */
    json.rows = json.rows.map((row) => Object.fromEntries(Object.entries(row).flatMap(([name, value]) =>
        (name === "interval" ? [["time_low_s", value?.low_s ?? null], ["time_high_s", value?.high_s ?? null]] : [[name, value]]))));
    const [header, ...lines] = parseCsv((await api.get(`/api/v1/sweep/matmul.csv?${sweep}`)).text);
    assert.equal(json.points, 16);
    assert.equal(json.rows.length, 16);
    assert.equal(lines.length, 16);
    assert.deepEqual(header, Object.keys(json.rows[0]));
    lines.forEach((line, i) => {
        assert.equal(line.length, header.length);
        header.forEach((name, k) => {
            const value = json.rows[i][name];
            const text = Array.isArray(value) ? value.join(";") : value === null ? "" : String(value);
            if (typeof value === "number") assert.equal(Number(line[k]), value, `row ${i} ${name}`);
            else assert.equal(line[k], text, `row ${i} ${name}`);
        });
    });
});

test("every row of a sweep is the prediction of its parameters", async () => {
    const { rows } = (await api.get(`/api/v1/sweep/matmul?${sweep}`)).json;
    for (const row of rows) {
        const query = new URLSearchParams({ machine: row.machine, algorithm: row.algorithm, variant: row.variant, n: row.n,
            processes: row.processes, threads: row.threads, contention_model: "paper" });
        const answer = await api.get(`/api/v1/predict/matmul?${query}`);
        if (row.error === null) {
            assert.equal(answer.json.time_s, row.time_s);
            assert.deepEqual(answer.json.warnings.map((w) => (w.what ? `${w.code}:${w.what}` : w.code)).sort(), [...row.warnings].sort());
        } else {
            assert.equal(answer.status, 422);
            assert.ok(row.error.includes(answer.json.errors[0].message), `${row.error} | ${answer.text}`);
        }
    }
});

test("the shell form is safe for eval in sh, whatever a document contains", async () => {
    const text = (await api.get("/api/v1/predict/matmul.txt?machine=worked&contention_model=paper&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4")).text;
    const { stdout } = await sh('eval "$ANSWER"; echo "$time_s $nodes $machine $model"', { ANSWER: text });
    const [time, nodes, machine, model] = stdout.trim().split(" ");
    assertClose(Number(time), 0.2612112);
    assert.deepEqual([nodes, machine, model], ["8", "worked", "matmul"]);
});

test("a job script takes nodes and processes from a recommendation by eval", async () => {
    const text = (await api.get("/api/v1/recommend/matmul.txt?machine=worked&objective=time&n=4000&threads=4&nodes=2,8")).text;
    const { stdout } = await sh('eval "$ANSWER"; echo "$nodes $processes $variant $row_2_nodes"', { ANSWER: text });
    assert.match(stdout, /^8 16 2d\S* 2\n$/);
});

test("a ranking, a recommendation, a sweep as text are safe to eval: names and values have only the documented characters", async () => {
    for (const path of ["rank/matmul.txt?machine=worked&n=4000&processes=16&threads=4", `sweep/matmul.txt?${sweep}`,
        "recommend/trsm.txt?machine=worked&objective=time&n=4000&threads=4&max_nodes=8",
        "predict/matmul.txt?machine=worked&contention_model=paper&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4&what_if.network.bandwidth=*2"]) {
        const { status, text } = await api.get(`/api/v1/${path}`);
        assert.equal(status, 200, text);
        for (const line of text.split("\n").slice(0, -1)) assert.match(line, /^[a-z0-9_]+=[A-Za-z0-9._:+-]*$/, path);
        assert.ok(text.endsWith("\n"));
        await sh('eval "$ANSWER"', { ANSWER: text });
    }
});

test("a value that is missing is null in text and empty in CSV", async () => {
    const text = (await api.get(`/api/v1/sweep/matmul.txt?${sweep}`)).text;
    assert.match(text, /^time_s=null$/m);
    const [header, first] = parseCsv((await api.get(`/api/v1/sweep/matmul.csv?${sweep}`)).text);
    assert.equal(first[header.indexOf("time_s")], "");
});

test("a sweep over several machines has the machine in each row", async () => {
    const token = await daemon.token("write");
    const faster = JSON.parse(worked);
    faster.machine = "faster";
    faster.node.peak_flops_per_s *= 2;
    await api.upload(faster, token);
    const { json } = await api.get("/api/v1/sweep/matmul?machine=worked,faster&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4");
    assert.equal(json.points, 2);
    assert.deepEqual(json.rows.map((row) => row.machine), ["worked", "faster"]);
    assertClose(json.rows[0].computation_s, 0.25);
    assertClose(json.rows[1].computation_s, 0.125);
});

test("a sweep of 100,000 points has 100,000 rows, and one point more is refused", async () => {
    const most = await api.get("/api/v1/sweep/matmul.csv?machine=worked&algorithm=cannon&variant=2d&n=1001..101000&processes=16&threads=4");
    assert.equal(most.status, 200, most.text.slice(0, 300));
    const lines = most.text.split("\r\n");
    assert.equal(lines.length, 1 + 100_000 + 1);
    const more = await api.get("/api/v1/sweep/matmul.csv?machine=worked&algorithm=cannon&variant=2d&n=1001..101001&processes=16&threads=4");
    assert.equal(more.status, 422);
    assert.deepEqual(more.json.errors.map((e) => e.code), ["too_many_points"]);
    const twice = await api.get("/api/v1/sweep/matmul.csv?machine=worked,worked&algorithm=cannon&variant=2d&n=1001..101000&processes=16&threads=4");
    assert.equal(twice.status, 422, "points count for each machine");
});

test("a ranking is ordered, numbered, and each slowdown is the ratio to the best", async () => {
    for (const path of ["rank/matmul?machine=worked&n=4000&processes=16&threads=4", "rank/trsm?machine=worked&n=4000&nodes=8&threads=4",
        "rank/cholesky?machine=worked&n=4000&cores=64&threads=4"]) {
        const { rows, considered, left_out: leftOut } = (await api.get(`/api/v1/${path}&limit=1000`)).json;
        assert.ok(rows.length > 1, path);
        assert.equal(rows.length + leftOut.memory_exceeded, considered, path);
        rows.forEach((row, i) => {
            assert.equal(row.rank, i + 1);
            assertClose(row.slowdown, row.time_s / rows[0].time_s, "slowdown");
            if (i) assert.ok(row.time_s >= rows[i - 1].time_s, `${path}: row ${i + 1} is faster than the one before`);
        });
        const tunables = rows.map((r) => JSON.stringify([r.algorithm, r.variant, r.replication, r.blocks_per_process]));
        assert.equal(new Set(tunables).size, rows.length, "no combination twice");
    }
});

test("no row of a ranking is beaten by a combination that the ranking left out", async () => {
    const ranking = (await api.get("/api/v1/rank/cholesky?machine=worked&n=2000&processes=16&threads=4&limit=1000")).json;
    for (const variant of ["2d", "2d_ovlp"])
        for (const blocks of [1, 2, 4]) {
            const one = (await api.get(`/api/v1/predict/cholesky?machine=worked&n=2000&processes=16&threads=4&variant=${variant}&blocks_per_process=${blocks}`)).json;
            assert.ok(one.time_s >= ranking.rows[0].time_s * (1 - 1e-12), `${variant} with ${blocks} blocks beats the best`);
        }
});

test("each objective's best is the best of its kind among all that were tried", async () => {
    const base = "machine=worked&n=4000&threads=4&nodes=1,2,4,8,16,32&limit=1000";
    const of = async (objective, more = "") => (await api.get(`/api/v1/recommend/matmul?${base}&objective=${objective}${more}`)).json;
    const better = { time: (a, b) => a.time_s <= b.time_s, nodes: (a, b) => a.nodes <= b.nodes,
        core_hours: (a, b) => a.core_hours <= b.core_hours * (1 + 1e-12),
        efficiency: (a, b) => a.efficiency_fraction >= b.efficiency_fraction * (1 - 1e-12) };
    for (const [objective, isBetter] of Object.entries(better)) {
        const { best, runners_up: others } = await of(objective);
        assert.ok(others.length, objective);
        for (const other of others) assert.ok(isBetter(best, other), `${objective}: ${JSON.stringify(other)} beats ${JSON.stringify(best)}`);
        for (const row of [best, ...others]) {
            assertClose(row.core_hours, (row.nodes * 8 * row.time_s) / 3600, "core_hours");
            assertClose(row.efficiency_fraction, row.percent_of_peak / 100, "efficiency_fraction");
        }
    }
    const held = await of("nodes", "&deadline_s=0.5");
    assert.ok(held.best.time_s <= 0.5);
    const efficient = await of("time", "&min_efficiency_fraction=0.78");
    for (const row of [efficient.best, ...efficient.runners_up]) assert.ok(row.efficiency_fraction >= 0.78);
});

test("max_nodes is never exceeded", async () => {
    for (const most of [2, 3, 10]) {
        const { best, runners_up: others } = (await api.get(`/api/v1/recommend/matmul?machine=worked&objective=time&n=4000&threads=4&max_nodes=${most}&limit=1000`)).json;
        for (const row of [best, ...others]) assert.ok(row.nodes <= most, JSON.stringify(row));
    }
});

test("an unknown command fails with a message", async () => {
    const bad = await forerund(["token", "create", "--db", daemon.db, "--name", "x", "--scope", "god"]);
    assert.notEqual(bad.code, 0);
    assert.match(bad.stderr, /scope|god/);
    assert.equal(bad.stdout, "");
});
