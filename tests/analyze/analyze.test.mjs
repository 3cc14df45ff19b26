// forerun-analyze as the daemon runs it, with a file on standard input and records on standard
// output, compared with the factorization of the same matrices by SuperLU_DIST.
//
//   ANALYZE=build/forerun-analyze node --test tests/analyze/
//
// MATRICES names a folder with more matrix files; Debian's libsuperlu-dist-dev brings two.  FORERUN_IDLE=1
// compares measured times, too, on a computer that does nothing else.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync, inflateSync } from "node:zlib";
import { isFull } from "../api/draws.mjs";
import { until } from "../daemon.mjs";

const program = process.env.ANALYZE ?? "build/forerun-analyze";
const orderings = ["metis", "amd", "colamd", "natural"];
const skip = existsSync(program) ? false : "forerun-analyze is not built here";

// The records, with the bytes that follow some of them.
function parse(output) {
    const records = [];
    for (let at = 0; at < output.length;) {
        const end = output.indexOf(10, at);
        assert.notEqual(end, -1, `a line without an end: ${output.subarray(at, at + 80)}`);
        const record = JSON.parse(output.subarray(at, end).toString());
        at = end + 1;
        if (record.bytes) {
            const follows = record.record === "permutations" ? "permutations" : "structure";
            record[follows] = output.subarray(at, at + record.bytes);
            assert.equal(record[follows].length, record.bytes);
            at += record.bytes;
        }
        records.push(record);
    }
    return records;
}

function analyze(options, input = "", environment = {}) {
    const ran = spawnSync(program, options, {
        input, env: { ...process.env, ...environment }, timeout: 600e3, maxBuffer: 1 << 28,
    });
    const records = parse(ran.stdout);
    const of = kind => records.filter(record => record.record === kind);
    return {
        status: ran.status, signal: ran.signal, complaint: ran.stderr.toString(), records,
        facts: of("facts")[0], orderings: of("ordering"), failed: of("failed")[0],
        isEnded: records.at(-1)?.record === "end",
    };
}

// Counted from the bytes alone: order, and nonzeros of L and U with full diagonal blocks.
function count(bytes) {
    assert.equal(bytes.subarray(0, 4).toString(), "FRBS");
    const supernodes = Number(bytes.readBigUInt64LE(16)), plain = inflateSync(bytes.subarray(44));
    let at = 0, order = 0, nnz = 0;
    const next = () => {
        let value = 0, scale = 1;
        for (; plain[at] > 127; scale *= 128)
            value += (plain[at++] - 128) * scale;
        return value + plain[at++] * scale;
    };
    for (let k = 0; k < supernodes; k++) {
        const width = next();
        order += width;
        nnz += width * width;
        for (let blocks = next(); blocks > 0; blocks--) {
            next();
            nnz += next() * width;
        }
        for (let blocks = next(); blocks > 0; blocks--) {
            next();
            const columns = next(), longest = next();
            nnz += columns * longest - next();
            next();
        }
    }
    assert.equal(at, plain.length);
    return { order, nnz };
}

function assertSound(result, names = orderings) {
    assert.equal(result.status, 0, result.complaint);
    assert.ok(result.isEnded);
    assert.equal(result.facts.structural_rank, result.facts.n);
    assert.deepEqual(result.orderings.map(o => o.ordering), names);
    for (const found of result.orderings) {
        assert.equal(found.status, "ready", found.reason);
        assert.deepEqual(count(found.structure), { order: result.facts.n, nnz: found.nnz_lu });
        assert.ok(found.nnz_lu_unrelaxed <= found.nnz_lu);
        assert.ok(Math.abs(found.fill - found.nnz_lu / result.facts.nnz) <= 1e-12 * found.fill);
        for (const seconds of ["ordering_s", "symbolic_s", "extraction_s"])
            assert.ok(found[seconds] >= 0);
    }
}

function fractionsRise(records) {
    const fractions = records.filter(r => r.record === "progress").map(r => r.fraction);
    return fractions.length > 3 && fractions.every((f, i) => f <= 1 && (i === 0 || f >= fractions[i - 1]));
}

const market = (kind, symmetry, n, entries) =>
    `%%MatrixMarket matrix coordinate ${kind} ${symmetry}\n${n} ${n} ${entries.length}\n${entries.map(e => e.join(" ") + "\n").join("")}`;
const range = n => [...Array(n).keys()].map(i => i + 1);
const diagonal = n => range(n).map(i => [i, i, 1]);
const dense = n => range(n).flatMap(i => range(n).map(j => [i, j, i === j ? n + 1 : 1]));

const generated = ["cd3d:7,6,5,1", "cfd2d:9,8,3,2", "fem3d:5,4,6,2,5", "econ:4,60,4,3", "circuit:900,2,3,4"];

for (const what of generated) {
    test(`${what}: all orderings, and the same again`, { skip }, () => {
        const first = analyze(["--generate", what]), second = analyze(["--generate", what]);
        assertSound(first);
        assert.ok(fractionsRise(first.records));
        assert.deepEqual(first.orderings.map(o => o.structure), second.orderings.map(o => o.structure));
        const fronts = first.records.filter(r => r.record === "fronts");
        assert.deepEqual(fronts.map(r => r.processes), first.orderings.flatMap(() => [1, 2, 4, 8]));
        assert.ok(fronts.every(r => r.factor_entries >= first.facts.n && r.most_entries <= r.all_entries && r.all_entries >= r.factor_entries));
        assert.equal(first.facts.row_permutation, what.startsWith("econ") ? "transversal" : "identity");
    });
}

// The daemon lets it make no folder, and kills it once it has the result.  Another user has no folder of Open MPI yet.
test("a permutation of rows, for which MPI starts, makes no folder", { skip }, async () => {
    const other = process.getuid() === 0 ? 60000 + process.pid % 5000 : undefined;
    const made = `/tmp/ompi.${hostname().split(".")[0]}.${other ?? process.getuid()}`;
    if (other === undefined && existsSync(made)) return; // by somebody's mpirun
    assert.ok(!existsSync(made));
    const folder = mkdtempSync(join(tmpdir(), "forerun-analyze-")), copy = join(folder, "program"), n = 20000, entries = [];
    for (let i = 1; i <= n; i++) entries.push(`${i} ${i} 1`, `${i} ${n + 1 - i} 5`);
    chmodSync(folder, 0o755);
    copyFileSync(program, copy);
    const child = spawn(copy, { uid: other, gid: other }), ended = new Promise((done) => child.on("close", done));
    let said = "";
    child.stdin.on("error", () => {}).end(`%%MatrixMarket matrix coordinate real general\n${n} ${n} ${entries.length}\n${entries.join("\n")}\n`);
    child.stdout.setEncoding("latin1").on("data", (text) => {
        said += text;
        if (/"row_permutation".*\n/.test(said)) child.kill("SIGKILL");
    });
    await ended;
    rmSync(folder, { recursive: true });
    const isMade = existsSync(made);
    rmSync(made, { recursive: true, force: true });
    assert.match(said, /"row_permutation":"transversal"/);
    assert.ok(!isMade, made);
});

// The program compares supernodes and nonzeros itself and fails if they differ.
function factorize(options, processes = 1, input = "") {
    const command = processes > 1 ? ["mpirun", "-n", `${processes}`, program] : [program];
    const ran = spawnSync(command[0], [...command.slice(1), "--factorize", "--repetitions", "1", ...options], {
        input, timeout: 600e3,
        env: {
            ...process.env, OMPI_ALLOW_RUN_AS_ROOT: "1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: "1",
            OMPI_MCA_plm: "isolated", OMPI_MCA_pml: "ob1", OMPI_MCA_btl: "self,vader",
            OMPI_MCA_btl_vader_single_copy_mechanism: "none", OMPI_MCA_rmaps_base_oversubscribe: "1",
            OMPI_MCA_mpi_yield_when_idle: "1",
        },
    });
    const [record, ...others] = parse(ran.stdout);
    assert.equal(others.length, 0);
    return { ...record, status: ran.status, complaint: ran.stderr.toString() };
}

function assertFactorized(run) {
    assert.equal(run.record, "factorization", run.reason ?? run.complaint);
    assert.equal(run.status, 0);
    assert.equal(run.supernodes, run.structure.supernodes);
    assert.equal(run.nnz_lu, run.structure.nnz_lu);
    assert.ok(run.residual < 1e-12 && run.factorization_s[0] > 0);
    if (run.structure.flops > 1e7)
        assert.ok(Math.abs(run.flops / run.structure.flops - 1) < 0.03,
            `${run.flops} flops, the structure has ${run.structure.flops}`);
}

for (const what of ["cd3d:14,14,14,1", "cfd2d:20,20,4,2", "fem3d:7,8,6,3,5", "econ:6,120,4,3", "circuit:4000,2,4,4"])
    for (const ordering of ["metis", "amd", "colamd"])
        test(`${what} ${ordering}: the library's own factorization has the same structure`, { skip },
            () => assertFactorized(factorize(["--ordering", ordering, "--generate", what])));

test("other supernodes, the natural order, and grids of processes", { skip }, () => {
    assertFactorized(factorize(["--ordering", "natural", "--generate", "cfd2d:12,12,2,1"]));
    assertFactorized(factorize(["--supernode-max", "32", "--supernode-relax", "8", "--generate", "cd3d:9,9,9,1"]));
    for (const grid of ["1x2", "2x1"]) {
        const run = factorize(["--grid", grid, "--generate", "econ:5,80,4,1"], 2);
        assertFactorized(run);
        assert.equal(`${run.process_rows}x${run.process_columns}`, grid);
        assert.ok(run.flops_per_process_max >= run.flops_per_process_mean);
    }
    for (const panels of ["0", "1", "49"]) {
        const run = factorize(["--lookahead", panels, "--grid", "1x2", "--generate", "econ:5,80,4,1"], 2);
        assertFactorized(run);
        assert.equal(run.lookahead, Number(panels));
    }
    assert.match(factorize(["--grid", "3x1", "--generate", "cd3d:3,3,3,1"], 2).reason, /3 are needed/);
});

test("the parts of BLAS fit into the time of the factorization", { skip }, () => {
    const plain = factorize(["--ordering", "metis", "--generate", "fem3d:8,8,8,2,1"]);
    const run = factorize(["--ordering", "metis", "--generate", "fem3d:8,8,8,2,1", "--blas"]);
    assertFactorized(run);
    assert.equal(plain.gemm_s, undefined);
    assert.equal(run.nnz_lu, plain.nnz_lu);
    const [gemm] = run.gemm_s, [panel] = run.panel_s, [whole] = run.factorization_s;
    assert.ok(gemm > 0 && panel > 0 && gemm + panel < whole, `${gemm} and ${panel} of ${whole} s`);
    // Dense operations are most of the work of a small grid with several unknowns a point.
    if (process.env.FORERUN_IDLE) assert.ok(gemm + panel > 0.1 * whole, `${gemm} and ${panel} of ${whole} s`);
});

test("solves with known factors are timed and right, whatever the number of right-hand sides", { skip }, () => {
    for (const [grid, processes] of [["1x1", 1], ["1x2", 2], ["2x1", 2]]) {
        const run = factorize(["--ordering", "metis", "--generate", "cd3d:10,10,10,1", "--grid", grid, "--solves", "1,8,3"], processes);
        assertFactorized(run);
        assert.deepEqual(run.solve_nrhs, [1, 8, 3]);
        assert.equal(run.solve_s.length, 3);
        assert.ok(run.solve_s.every((time_s) => time_s > 0), run.solve_s.join());
    }
});

const folders = ["/usr/lib/x86_64-linux-gnu/superlu-dist/tests/EXAMPLE", process.env.MATRICES];
const files = folders.filter(folder => folder && existsSync(folder)).flatMap(folder =>
    readdirSync(folder).filter(name => /^(big|g20)\.rua$|\.(mtx|rua|rb)\.gz$/.test(name)).map(name => `${folder}/${name}`));
for (const file of files) {
    test(`${file}: as it stands in the file`, { skip }, () => {
        const names = file.includes("memplus") ? ["metis", "amd"] : orderings;
        assertSound(analyze(["--orderings", names.join()], readFileSync(file)), names);
        assertFactorized(factorize(["--ordering", "metis", file]));
    });
}

test("kinds of matrices", { skip }, () => {
    const swap = n => range(n).map(i => [i, n + 1 - i]);
    assertSound(analyze([], market("real", "general", 1, [[1, 1, 3]])));
    assertSound(analyze([], market("pattern", "general", 2, swap(2))));
    assertSound(analyze([], market("real", "general", 7, diagonal(7))));
    assertSound(analyze([], gzipSync(market("real", "general", 90, dense(90)))));
    assertSound(analyze([], market("complex", "general", 2, [[1, 2, 0, 1], [2, 1, 3, 4], [1, 1, 0.5, 0]])));
    assertSound(analyze([], market("pattern", "symmetric", 3, [[1, 1], [2, 2], [3, 3], [3, 1]])));
    const turned = analyze([], market("pattern", "general", 9, swap(9)));
    assertSound(turned);
    assert.equal(turned.facts.row_permutation, "transversal");
    assert.equal(turned.orderings[0].nnz_lu, 9);
});

// The product 6 * 5 beats 1 * 1; explicit zeros count as entries, but not as pivots while there
// are others.
test("the row permutation takes the largest product", { skip }, () => {
    const large = market("real", "general", 2, [[1, 1, 1], [1, 2, 6], [2, 1, 5], [2, 2, 1]]);
    assert.equal(analyze([], large).facts.row_permutation, "transversal");
    const zeros = market("real", "general", 2, [[1, 1, 0], [1, 2, 1e-200], [2, 1, 1e-200], [2, 2, 1]]);
    assert.equal(analyze([], zeros).facts.row_permutation, "transversal");
    const hopeless = market("real", "general", 2, [[1, 1, 0], [1, 2, 0], [2, 1, 0], [2, 2, 0]]);
    assertSound(analyze([], hopeless));
});

test("what has no factorization, or is no matrix", { skip }, () => {
    const singular = analyze([], market("real", "general", 3, [[1, 1, 1], [2, 1, 1], [3, 1, 1]]));
    assert.equal(singular.facts.structural_rank, 1);
    assert.match(singular.failed.reason, /structurally singular: rank 1 of 3/);
    assert.ok(singular.isEnded && singular.status === 1);
    const cut = analyze([], "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n");
    assert.match(cut.failed.reason, /^line \d+: /);
    assert.ok(analyze([], "").failed.reason);
    assert.match(analyze(["--generate", "cd3d:1,1"]).failed.reason, /cd3d:NX,NY,NZ,SEED/);
    for (const wrong of [["--orderings", "mmd"], ["--supernode-max", "0"], ["--orderings", "amd,amd"], ["--grid", "2"], ["--lookahead", "50"], ["--blas"], ["--solves", "1"], ["--factorize", "--solves", "0"], ["--factorize", "--solves", "1,2,3,4,5,6,7,8,9"]])
        assert.equal(analyze(wrong).status, 64);
});

test("limits are told as reasons", { skip }, () => {
    const slow = analyze(["--orderings", "natural", "--cpu-limit-s", "1", "--generate", "cd3d:60,60,60,1"]);
    assert.match(slow.orderings[0]?.reason ?? slow.failed.reason, /takes too long: the limit of 1 s of processor time/);
    assert.ok(slow.isEnded);
    let reached = 0;
    for (const megabytes of isFull ? [80, 85, 90, 95, 100, 110] : [80, 95, 110]) {
        const small = analyze(["--orderings", "metis", "--memory-limit-bytes", `${megabytes}000000`,
            "--generate", "cd3d:37,37,37,5"]);
        const reason = small.orderings[0]?.reason ?? small.failed?.reason;
        assert.ok(small.isEnded);
        assert.ok(small.orderings[0]?.status === "ready" || /memory/.test(reason), reason);
        reached += small.orderings[0]?.status !== "ready";
    }
    assert.ok(reached > 0);
});

test("a child that is killed leaves whole records and no end", { skip }, async () => {
    const child = spawn(program, ["--generate", "cd3d:60,60,60,1"]);
    const pieces = [];
    child.stdout.on("data", piece => {
        pieces.push(piece);
        child.kill("SIGKILL");
    });
    await new Promise(done => child.on("close", done));
    assert.notEqual(parse(Buffer.concat(pieces)).at(-1).record, "end");
});

// Its standard input never ends, so that it would wait forever.
test("a child ends with the process that started it", { skip }, async () => {
    const parent = spawn("sh", ["-c", `"$0" --orderings metis <&3 & echo $!; wait`, program],
        { stdio: ["ignore", "pipe", "pipe", "pipe"] });
    const pid = await new Promise(done => parent.stdout.once("data", piece => done(Number.parseInt(piece, 10))));
    // Gone, or a zombie that its new parent has not reaped yet.
    const isGone = () => {
        try {
            return /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
        } catch {
            return true;
        }
    };
    const isLimited = () => isGone() || /^Max file size +0 /m.test(readFileSync(`/proc/${pid}/limits`, "utf8"));
    try {
        await until("the child is limited", isLimited);
        assert.ok(!isGone());
        parent.kill("SIGKILL");
        await until("the child is gone", isGone);
    } finally {
        if (!isGone()) process.kill(pid, "SIGKILL");
    }
});

test("permutations that are given back lead to the same structure", { skip }, () => {
    const folder = mkdtempSync(join(tmpdir(), "forerun-analyze-")), file = join(folder, "permutations");
    const narrow = ["--supernode-max", "6", "--supernode-relax", "3"];
    for (const [matrix, ordering] of [["cd3d:8,8,8,1", "metis"], ["econ:6,40,10,1", "colamd"]]) {
        const what = ["--orderings", ordering, "--generate", matrix];
        const { records, facts } = analyze(what);
        const { permutations } = records.find((r) => r.record === "permutations");
        writeFileSync(file, permutations);
        const again = analyze([...what, ...narrow, "--permutations", file]), anew = analyze([...what, ...narrow]);
        assert.deepEqual(again.orderings[0].structure, anew.orderings[0].structure, matrix);
        assert.equal(again.orderings[0].ordering_s, records.find((r) => r.record === "ordering").ordering_s);
        assert.deepEqual([again.facts.row_permutation, again.facts.structural_rank], [facts.row_permutation, facts.structural_rank]);
        assert.ok(!again.records.some((r) => r.record === "permutations"));
        writeFileSync(file, permutations.subarray(1));
        assert.match(analyze([...what, "--permutations", file]).failed.reason, /no permutations of this matrix/);
    }
    assert.match(analyze(["--permutations", file, "--generate", "cd3d:8,8,8,1"]).complaint, /needs one ordering/);
    rmSync(folder, { recursive: true });
});

test("the environment changes nothing", { skip }, () => {
    const what = ["--orderings", "metis", "--generate", "cd3d:8,8,8,1"];
    const [plain] = analyze(what).orderings;
    const [other] = analyze(what, "", { NREL: "1", NSUP: "4", SUPERLU_RELAX: "1", SUPERLU_MAXSUP: "4", FILL: "1",
        OMP_NUM_THREADS: "7", OPENBLAS_NUM_THREADS: "3", SUPERLU_FILL: "1" }).orderings;
    assert.deepEqual(other.structure, plain.structure);
    const bare = spawnSync(program, what, { env: {} });
    assert.deepEqual(parse(bare.stdout).find(r => r.structure).structure, plain.structure);
});
