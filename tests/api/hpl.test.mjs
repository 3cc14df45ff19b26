// The reverse questions of HPL: the n that fills a share of the memory, and what is close to the best.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, client } from "./client.mjs";

const golden = JSON.parse(readFileSync(new URL("../validation/golden/block-cyclic.json", import.meta.url), "utf8"));
const ANSWER = "machine=plain&processes=6&memory_fraction=0.05&block_size=32";

let daemon, api;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    const token = await daemon.token("write");
    for (const machine of ["plain", "fitted"]) {
        const document = { schema: "forerun-calibration-1", machine, ...golden.calibrations[machine] };
        assert.equal((await api.upload(document, token)).status, 201);
    }
    const { peak_flops_per_s, ...node } = golden.calibrations.fitted.node;
    assert.equal((await api.upload({ schema: "forerun-calibration-1", machine: "peakless", ...golden.calibrations.fitted, node }, token)).status, 201);
});
after(() => daemon?.stop());

const get = async (path) => (await api.get(`/api/v1/${path}`)).json;

test("a share of the memory determines n, the expected rate and the efficiency", async () => {
    // Golden case bc-030.
    const answer = await get("predict/hpl?machine=plain&memory_fraction=0.5&process_rows=2&process_columns=3&block_size=192&lookahead_depth=0");
    assert.equal(answer.parameters.n, 9216);
    assert.ok(!("memory_fraction" in answer.parameters));
    assert.ok(answer.memory_bytes_per_process <= 0.5 * answer.memory_limit_bytes_per_process);
    assertClose(answer.gflops, answer.flops / answer.time_s / 1e9, "gflops");
    assert.ok(answer.percent_of_peak > 0 && answer.percent_of_peak < 100);
});

test("a ranking of configurations that differ in n is by rate, and says so", async () => {
    const answer = await get(`rank/hpl?${ANSWER}`);
    const { ranked_by: by, rows } = answer;
    assert.equal(by, "gflops");
    assert.ok(new Set(rows.map((row) => row.n)).size > 1);
    rows.forEach((row, i) => {
        assertClose(row.slowdown, rows[0].gflops / row.gflops, `slowdown of row ${i + 1}`, 1e-9);
        assert.equal(row.within_2_percent, row.slowdown <= 1.02, `row ${i + 1}`);
        assert.ok(!("memory_fraction" in row));
    });
    assert.equal((await get("rank/hpl?machine=plain&processes=6&n=960&block_size=32")).ranked_by, "time_s");
});

test("which P x Q, NB, BCAST and DEPTH are within 2 % of the best", async () => {
    const rows = (await api.get("/api/v1/rank/hpl.csv?machine=plain&processes=6&n=960")).text.trim().split("\r\n").map((row) => row.split(","));
    const head = rows.shift(), at = (row, name) => row[head.indexOf(name)];
    const near = rows.filter((row) => at(row, "within_2_percent") === "true");
    assert.ok(near.length > 1 && near.length < rows.length);
    for (const row of near) {
        assert.ok(Number(at(row, "slowdown")) <= 1.02);
        assert.equal(at(row, "process_rows") * at(row, "process_columns"), 6);
        for (const name of ["block_size", "broadcast", "lookahead_depth"]) assert.ok(at(row, name), name);
    }
    const text = (await api.get("/api/v1/rank/hpl.txt?machine=plain&processes=6&n=960&limit=2")).text;
    assert.match(text, /^within_2_percent=true$/m);
    assert.match(text, /^row_2_within_2_percent=(true|false)$/m);
});

test("lists of block sizes, broadcasts and depths restrict rankings and recommendations", async () => {
    const lists = "block_size=48..144..48&broadcast=long,1ring&lookahead_depth=0,1";
    const all = await get(`rank/hpl?machine=plain&processes=6&n=960&${lists}`);
    const times = [];
    for (const nb of [48, 96, 144]) for (const broadcast of ["1ring", "long"]) for (const depth of [0, 1]) {
        const one = await get(`rank/hpl?machine=plain&processes=6&n=960&block_size=${nb}&broadcast=${broadcast}&lookahead_depth=${depth}`);
        times.push(one.rows[0].time_s);
    }
    assert.equal(all.considered, 4 * 12); // grids of 6 processes
    assert.equal(all.rows[0].time_s, Math.min(...times));
    assert.deepEqual([...new Set(all.rows.map((row) => row.broadcast))].sort(), ["1ring", "long"]);
    const text = (await api.get(`/api/v1/rank/hpl.txt?machine=plain&processes=6&n=960&${lists}&limit=1`)).text;
    assert.match(text, new RegExp(`^time_s=${String(all.rows[0].time_s).replace(".", "\\.")}`, "m"));
    for (const objective of ["time", "nodes", "core_hours", "efficiency"]) {
        const { best } = await get(`recommend/hpl?machine=plain&n=960&nodes=1,2&objective=${objective}&${lists}`);
        assert.ok([48, 96, 144].includes(best.block_size) && ["1ring", "long"].includes(best.broadcast), objective);
    }
    const refused = assertProblem(await api.get("/api/v1/rank/hpl?machine=plain&processes=6&n=960,1920"), 422);
    assert.match(refused.errors[0].message, /only tunables.*block_size, process_rows, broadcast, lookahead_depth/);
});

test("with a share of the memory a recommendation is the highest rate that the deadline allows", async () => {
    const ask = (more) => get(`recommend/hpl?machine=plain&memory_fraction=0.02&max_nodes=8&block_size=64&broadcast=1ring${more}`);
    const best = await ask("");
    assert.equal(best.ranked_by, "gflops");
    assert.equal(best.best.nodes, 8);
    for (const other of best.runners_up) assert.ok(other.gflops < best.best.gflops);
    const hurried = await ask(`&deadline_s=${best.best.time_s * 0.99}`);
    assert.ok(hurried.best.nodes < 8 && hurried.best.time_s < best.best.time_s);
});

test("with a share of the memory a forecast marks the highest rate, and a crossover compares rates", async () => {
    const { cells } = await get("forecast/hpl?machine=plain&processes=4,6&memory_fraction=0.02,0.03&by=block_size&block_size=32,64,128,256&broadcast=1ring&y=gflops");
    let isByTime = true;
    for (let i = 0; i < cells.length; i += 4) {
        const cell = cells.slice(i, i + 4), best = cell.find((each) => each.best);
        assert.equal(best.value, Math.max(...cell.map((each) => each.value)));
        isByTime &&= best.time_s === Math.min(...cell.map((each) => each.time_s));
    }
    assert.equal(isByTime, false);
    const tex = async (more) => (await api.get(`/api/v1/forecast/hpl.tex?machine=plain&processes=4,6&by=block_size&block_size=32,64&broadcast=1ring&${more}`)).text;
    assert.match(await tex("memory_fraction=0.02,0.03"), /Bold: highest rate;/);
    assert.match(await tex("n=2000,3000"), /Bold: least time;/);
    const { segments } = await get("recommend/hpl?machine=plain&objective=crossover&along=nodes&nodes=1..16&block_size=32,256&memory_fraction=0.01&broadcast=1ring");
    for (const { faster, best, other } of segments) {
        assert.equal(faster, best.block_size);
        assert.ok(best.gflops > other.gflops);
    }
    assert.ok(segments.some(({ best, other }) => best.time_s > other.time_s));
});

test("what exceeds the memory of every grid is refused without any prediction", async () => {
    const problem = await api.get("/api/v1/rank/hpl?machine=plain&n=2000000&processes=6");
    assertProblem(problem, 422);
    assert.match(problem.json.errors[0].message, /^none of \d+ configurations fits: a process of the smallest needs [\d.]+ TiB and has 256 MiB; give it more processes, or ask with memory=ignore$/);
    const { json: { errors: [fault] } } = await api.get("/api/v1/rank/hpl?machine=plain&n=100000&processes=6");
    const [, nodes] = fault.message.match(/; give it (\d+) nodes, or ask with memory=ignore$/);
    assert.equal((await api.get(`/api/v1/recommend/hpl?machine=plain&n=100000&max_nodes=${nodes - 1}`)).json.errors[0].parameter, "memory");
});

test("n and a share of the memory exclude each other, and one is required", async () => {
    const grid = "machine=plain&process_rows=2&process_columns=3&block_size=192";
    const both = assertProblem(await api.get(`/api/v1/predict/hpl?${grid}&n=1000&memory_fraction=0.5`), 422);
    assert.deepEqual(both.errors.map((fault) => fault.parameter), ["memory_fraction"]);
    const size = assertProblem(await api.get("/api/v1/recommend/hpl?machine=plain&memory_fraction=0.5&objective=size&nodes=4"), 422);
    assert.deepEqual(size.errors.map((fault) => fault.parameter), ["memory_fraction"]);
    assert.match(size.errors[0].message, /the search goes along n, which this determines; leave it out/);
    const none = assertProblem(await api.get(`/api/v1/predict/hpl?${grid}`), 422);
    assert.deepEqual(none.errors.map(({ parameter, code }) => [parameter, code]), [["n", "required"]]);
    assert.match(none.errors[0].message, /^required, or memory_fraction; [^.]*$/);
});

test("without the memory of a node nothing determines n", async () => {
    const problem = assertProblem(await api.get("/api/v1/predict/hpl?machine=fitted&process_rows=1&process_columns=2&block_size=64&memory_fraction=0.5"), 422);
    assert.equal(problem.errors[0].code, "calibration_group_missing");
    assert.match(problem.errors[0].message, /node\.memory_bytes is missing.*give n/);
});

test("the schema of hpl takes n or a share of the memory", async () => {
    const { schema, parameters } = await get("models/hpl");
    assert.deepEqual(schema.allOf, [{ oneOf: [{ required: ["n"] }, { required: ["memory_fraction"] }] }]);
    assert.ok(!schema.required.includes("n"));
    assert.equal(parameters.find(({ name }) => name === "n").unless, "memory_fraction");
});

/** What HPL 2.3 reads of a file, by the rules of HPL_pdinfo.c: lines of at most 253 bytes, their first words as C numbers. */
function readHplDat(text) {
    const lines = text.split("\n");
    let at = 0;
    const line = () => {
        assert.ok(at < lines.length && Buffer.byteLength(lines[at]) <= 253, `line ${at + 1}: ${lines[at]}`);
        return lines[at++];
    };
    const word = (rest) => /^\s*(\S+)/.exec(rest)[1];
    const whole = (rest) => {
        assert.match(word(rest), /^-?\d+$/, `line ${at}`);
        return Number.parseInt(word(rest), 10);
    };
    const one = (low, high = Infinity) => {
        const value = whole(line());
        assert.ok(value >= low && value <= high, `line ${at}: ${value}`);
        return value;
    };
    /* Values of a list are separated by one blank. */
    const some = (count, low, high = 2 ** 31 - 1) => {
        let rest = line();
        return Array.from({ length: count }, () => {
            const value = whole(rest);
            assert.ok(value >= low && value <= high, `line ${at}: ${value}`);
            rest = rest.slice(word(rest).length + 1);
            return value;
        });
    };
    const list = (low, high) => some(one(1, 20), low, high); /* HPL_MAX_PARAM */
    line(), line();
    const read = { file: word(line()), device: one(6, 6), N: list(0), NB: list(1), PMAP: one(0, 1) };
    const grids = one(1, 20);
    Object.assign(read, { P: some(grids, 1), Q: some(grids, 1) });
    read.threshold = Number(word(line()));
    return Object.assign(read, {
        PFACT: list(0, 2), NBMIN: list(1), NDIV: list(2), RFACT: list(0, 2), BCAST: list(0, 5), DEPTH: list(0),
        SWAP: one(0, 2), swap_threshold: one(0), L1: one(0, 1), U: one(0, 1), EQUIL: one(0, 1), ALIGN: one(1), lines: at,
    });
}

const BROADCASTS = ["1ring", "1ringM", "2ring", "2ringM", "long", "longM"], SWAPS = ["binary_exchange", "spread_roll", "mix"];

/** The file of a configuration is what HPL reads. */
function checkHplDat(text, of) {
    const { lines, ...read } = readHplDat(text);
    assert.deepEqual(read, {
        file: "HPL.out", device: 6, N: [of.n], NB: [of.block_size], PMAP: of.mapping === "column" ? 1 : 0, P: [of.process_rows], Q: [of.process_columns],
        threshold: 16, PFACT: [0], NBMIN: [of.nbmin], NDIV: [of.ndiv], RFACT: [0], BCAST: [BROADCASTS.indexOf(of.broadcast)],
        DEPTH: [of.lookahead_depth], SWAP: SWAPS.indexOf(of.swap), swap_threshold: of.swap_threshold, L1: 0, U: 0, EQUIL: 1, ALIGN: 8,
    });
    assert.equal(lines, 31);
    assert.match(text.split("\n")[lines], /^##### HPL does not read/);
    return text.split("\n").slice(lines + 1).filter(Boolean);
}

test("HPL.dat of a prediction is the configuration, as HPL reads it", async () => {
    for (const broadcast of BROADCASTS)
        for (const [i, swap] of SWAPS.entries()) {
            const query = `machine=plain&n=${1000 + i}&process_rows=2&process_columns=3&block_size=32&broadcast=${broadcast}&swap=${swap}` +
                `&lookahead_depth=${i}&mapping=${i ? "row" : "column"}&nbmin=${i + 1}&ndiv=${i + 2}&swap_threshold=${i * 10}`;
            const answer = await api.get(`/api/v1/predict/hpl.dat?${query}`);
            assert.equal(answer.status, 200, answer.text);
            assert.equal(answer.headers["content-type"], "text/x-hpl-dat; charset=utf-8");
            checkHplDat(answer.text, (await get(`predict/hpl?${query}`)).parameters);
        }
});

test("HPL.dat of a ranking is its best row, and names what is within 2 % of it", async () => {
    const { rows } = await get(`rank/hpl?${ANSWER}`);
    const text = (await api.get(`/api/v1/rank/hpl.dat?${ANSWER}`)).text, notes = checkHplDat(text, rows[0]);
    const near = notes.filter((line) => line.startsWith("within 2 %: "));
    assert.equal(near.length, rows.filter((row) => row.within_2_percent).length - 1);
    near.forEach((line, i) => {
        const row = rows[i + 1];
        assert.ok(line.startsWith(`within 2 %: N ${row.n}, NB ${row.block_size}, P ${row.process_rows}, Q ${row.process_columns}, ` +
            `BCAST ${BROADCASTS.indexOf(row.broadcast)}, DEPTH ${row.lookahead_depth}: `), line);
    });
    assert.match(notes[0], /^predicted: [\d.e-]+ s, [\d.]+ Gflop\/s, [\d.]+ % of the peak, [\d.e+]+ bytes of memory for each process$/);
    assert.equal(notes[1], "to run: 6 processes, 1 on each node, cores of each: 1");
    assert.equal((await api.get(`/api/v1/rank/hpl?${ANSWER}`, { headers: { accept: "text/x-hpl-dat" } })).text, text);
});

test("HPL.dat of a recommendation is the best, also of the largest problem in a time", async () => {
    for (const query of ["machine=plain&memory_fraction=0.01&max_nodes=4&block_size=64", "machine=plain&n=2000&max_nodes=4&block_size=64&objective=efficiency",
        "machine=plain&nodes=4&block_size=64&broadcast=1ring&objective=size&deadline_s=0.1&n=64..4096..64"]) {
        const { best } = await get(`recommend/hpl?${query}`);
        checkHplDat((await api.get(`/api/v1/recommend/hpl.dat?${query}`)).text, best);
    }
});

test("HPL.dat says under which what-ifs it is the best, and what to doubt", async () => {
    const text = (await api.get(`/api/v1/rank/hpl.dat?${ANSWER}&what_if.network.bandwidth=*0.5`)).text;
    assert.match(text, /^what if: network\.bandwidth = \*0\.5$/m);
    const small = (await api.get("/api/v1/predict/hpl.dat?machine=plain&n=100000&process_rows=1&process_columns=1&block_size=256")).text;
    assert.doesNotMatch((await api.get("/api/v1/predict/hpl.dat?machine=peakless&n=100&process_rows=1&process_columns=1&block_size=32")).text, /of the peak|\bnan\b/i);
    assert.match(small, /^warning: a process needs 7\d\.\d+ GiB and has 256 MiB: 7\d\.\d+ GiB are missing$/m);
});

test("other models, other questions and crossovers have no HPL.dat", async () => {
    for (const path of ["predict/pdgetrf", "rank/matmul", "recommend/cholesky"])
        assert.match(assertProblem(await api.get(`/api/v1/${path}.dat?machine=plain`), 406).detail, /only answers about hpl have it; those about \w+ are/);
    assertProblem(await api.get("/api/v1/predict/nothing.dat"), 404);
    assert.match(assertProblem(await api.get("/api/v1/sweep/hpl.dat?machine=plain"), 406).detail, /available as json, csv, txt, ndjson;/);
    const crossover = await api.get("/api/v1/recommend/hpl.dat?machine=plain&objective=crossover&broadcast=1ring,long&n=500..600&nodes=2&block_size=64");
    assert.deepEqual(assertProblem(crossover, 422).errors.map((fault) => fault.parameter), ["objective"]);
});

const sample = (name) => readFileSync(new URL(`../samples/imports/${name}`, import.meta.url), "utf8");
const importRuns = async (format, body) =>
    api.send(`/api/v1/machines/plain/runs?format=${format}`, { method: "POST", body, token: await daemon.token("write"), headers: { "content-type": "text/plain" } });

test("what HPL measured comes back beside the configuration that was asked for", async () => {
    const stored = await importRuns("hpl", sample("hpl-2.3.txt"));
    assert.equal(stored.status, 201, stored.text);
    const { rows } = await get("rank/hpl?machine=plain&n=2000&processes=2&block_size=64&mapping=column&swap=binary_exchange");
    const measured = rows.filter((row) => row.measured_runs);
    assert.deepEqual(measured.map((row) => [row.process_rows, row.broadcast, row.lookahead_depth]), [[1, "2ringM", 1]]);
    assertClose(measured[0].measured_s, 1.57, "measured_s", 0.01);
});

test("timings of ScaLAPACK are runs of the models that their tables name", async () => {
    const stored = await importRuns("scalapack", sample("scalapack.txt"));
    assert.equal(stored.status, 201, stored.text);
    assert.deepEqual([stored.json.stored, stored.json.known, stored.json.left_out], [9, 0, 17]);
    const again = await importRuns("scalapack", sample("scalapack.txt"));
    assert.deepEqual([again.status, again.json.stored, again.json.known], [200, 0, 9]);
    assert.equal((await get("machines/plain/runs?model=pdgetrf&m=400")).items.length, 4);
    const timer = await importRuns("scalapack", sample("scalapack-pblas.txt"));
    assert.deepEqual([timer.status, timer.json.stored, timer.json.left_out], [201, 4, 2]);
    const { models } = await get("machines/plain/accuracy");
    for (const name of ["pdgetrf", "pdgeqrf", "pdgemm", "pdtrsm"]) assert.ok(models.some(({ model, runs }) => model === name && runs > 0), name);
    const named = assertProblem(await importRuns("scalapack&model=pdgetrf", sample("scalapack.txt")), 422);
    assert.deepEqual(named.errors.map((fault) => fault.parameter), ["model"]);
});
