// Matrices with the real forerun-analyze.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { root, temporaryFolder } from "../daemon.mjs";
import { assertProblem, faultNames } from "./client.mjs";
import { document } from "./document.mjs";
import { grid, real, serve, until } from "./matrix_server.mjs";
import { compileSchemas } from "./schemas.mjs";

describe("with the real program", { skip: !existsSync(real) }, () => {
    test("a grid is analyzed with every ordering, and its structures hold", async () => {
        const it = await serve({ args: ["--analyze-program", real] });
        const { json } = await it.upload(gzipSync(grid(20)), "?name=grid&supernode_max=16&supernode_relax=4");
        const done = await it.ended(json.id);
        assert.equal(done.status, "ready", JSON.stringify(done));
        assert.equal(done.structural_rank, 400);
        for (const o of done.orderings) {
            assert.equal(o.status, "ready", o.reason);
            const structure = (await it.api.get(`/api/v1/matrices/grid/structure?ordering=${o.ordering}`)).json;
            assert.equal(structure.n, 400);
            assert.equal(structure.width.length, o.supernodes);
            assert.equal(structure.width.reduce((a, b) => a + b, 0), 400);
            assert.ok(o.nnz_lu >= done.nnz && o.flops > 0 && Math.abs(o.fill - o.nnz_lu / done.nnz) < 1e-9);
        }
        await it.daemon.stop();
    });

    test("a factorization is of the matrix that the request names, or refused", async () => {
        const it = await serve({ args: ["--analyze-program", real], calibrations: undefined });
        await it.upload(gzipSync(grid(60)), "?name=grid&orderings=metis");
        const [found] = (await it.ended("grid")).orderings;
        const text = (both, n = 3600) => "Process grid 1 X 2\n**    ColPerm   :    4\n" +
            `\tNonzeros in L  ${both}\n\tNonzeros in U  ${n}\n\tnonzeros in L+U  ${both}\n\tFACTOR time  1.500\n`;
        const upload = (body, query) => it.api.post(`/api/v1/machines/example/runs?${query.includes("format") ? query : `format=superlu_dist&${query}`}`, Buffer.from(body),
            { token: it.token, headers: { "Content-Type": "text/plain" } });
        const stored = await upload(text(found.nnz_lu), "matrix=grid");
        assert.equal(stored.status, 201, stored.text);
        const run = (await it.api.get(stored.json.items[0].url)).json;
        assert.equal(run.outputs.nnz_lu, found.nnz_lu);
        const refusal = async (body, query) => assertProblem(await upload(body, query), 422).errors[0].message;
        assert.match(await refusal(text(found.nnz_lu), "matrix=nobody"), /there is no matrix 'nobody'; upload it/);
        assert.match(await refusal(text(found.nnz_lu, 3601), "matrix=grid"), /line 5: the text is of a matrix with 3601 rows, but matrix grid has 3600/);
        assert.match(await refusal(text(4 * found.nnz_lu), "matrix=grid"), new RegExp(`L \\+ U have ${4 * found.nnz_lu} nonzeros here, but ${found.nnz_lu} with metis of matrix grid`));
        assert.match(await refusal(text(found.nnz_lu), "matrix=grid&ordering=natural"), /ordering is metis here/);
        const log = readFileSync(`${root}/tests/samples/imports/petsc-3.7.txt`, "utf8"), petsc = "format=petsc&nodes=1&matrix=grid";
        assert.match(await refusal(log, petsc), /line 26: the matrix of the solve has 8000 rows, but matrix grid has 3600/);
        const table = readFileSync(`${root}/tests/samples/imports/petsc-cg.csv`, "utf8");
        assert.match(await refusal(table, `${petsc}&solver=cg`), /line 27: the matrix of the solve has about 8192 rows/);
        const same = log.replace("rows=8000", "rows=3600");
        assert.match(await refusal(same, petsc), /line 26: the matrix of the solve has 53600 nonzeros, but matrix grid has 17760/);
        assert.equal((await upload(same.replace("nonzeros=53600", "nonzeros=17760"), petsc)).status, 201);
        assert.match(await refusal(text(1000).replace("ColPerm   :    4", "ColPerm   :    0"), "matrix=grid"), /L \+ U have 1000 nonzeros here, but at least 17760 of matrix grid/);
        await it.daemon.stop();
    });

    test("the memory of MUMPS is foreseen, and held against a limit", async () => {
        const it = await serve({ args: ["--analyze-program", real] });
        const ajv = compileSchemas(document);
        await it.upload(gzipSync(grid(30)), "?name=grid&orderings=natural,amd");
        await it.ended("grid");
        const ask = (query) => it.api.get(`/api/v1/matrices/grid/mumps?${query}`);
        const one = (await ask("ordering=natural")).json;
        ajv.check({ $ref: "#/components/schemas/MumpsMemory" }, one, "mumps");
        // INFOG(6), INFOG(5), INFOG(20) and RINFOG(1) of MUMPS 5.5.1.
        assert.deepEqual([one.fronts, one.largest_front, one.factor_entries, one.flops], [14, 302, 276118, 55134947]);
        assert.equal(Math.round(one.memory_bytes_per_process / 1e6), 3, "INFOG(16)");
        assert.equal(one.verdict, null);
        const judged = async (bytes) => (await ask(`ordering=natural&memory_limit_bytes_per_process=${bytes}`)).json;
        const enough = await judged(one.memory_high_bytes_per_process);
        assert.deepEqual([enough.verdict, enough.missing_bytes], ["enough", 0]);
        assert.ok(enough.icntl14_most > 20);
        const fits = (await ask(`ordering=natural&icntl14=${enough.icntl14_most}`)).json;
        assert.ok(fits.memory_bytes_per_process <= enough.memory_limit_bytes);
        assert.equal((await judged(one.memory_bytes_per_process)).verdict, "uncertain");
        const little = await judged(1e6);
        assert.deepEqual([little.verdict, little.icntl14_most], ["too_little", null]);
        assert.ok(Math.abs(little.missing_bytes - (one.memory_high_bytes_per_process - 1e6)) < 1);
        ajv.check({ $ref: "#/components/schemas/MumpsMemory" }, little, "mumps");
        assert.deepEqual((await ask("ordering=natural&memory_bytes=1e6")).json, little, "the old name");
        assert.deepEqual(faultNames(assertProblem(await ask("memory_bytes=1e6&memory_limit_bytes_per_process=1e6"), 422)), ["memory_bytes"]);
        const two = (await ask("ordering=amd&processes=2")).json;
        assert.equal(two.memory_bytes_of_all_processes, two.memory_bytes);
        assert.ok(two.memory_bytes_per_process < two.memory_bytes);
        assert.match((await it.api.get("/api/v1/matrices/grid/mumps.txt?ordering=amd")).text, /^verdict=null$/m);
        assert.deepEqual(faultNames(assertProblem(await ask("ordering=metis"), 422)), ["ordering"]);
        assert.deepEqual(faultNames(assertProblem(await ask("processes=3&icntl14=-1"), 422)), ["icntl14", "processes"]);
        assertProblem(await it.api.get("/api/v1/matrices/none/mumps"), 404);
        await it.upload("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 1 1\n", "?name=singular&orderings=amd");
        await it.ended("singular");
        const failed = assertProblem(await it.api.get("/api/v1/matrices/singular/mumps?ordering=amd"), 422);
        assert.match(failed.errors[0].message, /^the analysis with amd failed: structurally singular/);
        await it.daemon.stop();
    });

    test("a grid is divided by rows and by METIS", async () => {
        const it = await serve({ args: ["--analyze-program", real] });
        await it.upload(gzipSync(grid(20)), "?name=grid&orderings=amd");
        const none = assertProblem(await it.api.get("/api/v1/matrices/grid/partitions/facts"), 422);
        assert.match(none.errors[0].message, /^required; \w.*[^.]$/);
        const ask = async (partition) => (await it.api.get(`/api/v1/matrices/grid/partitions/facts?processes=4&partition=${partition}`)).json;
        const rows = await ask("contiguous"), parts = await ask("metis");
        assert.deepEqual(rows.messages, [[0, 1, 20], [1, 0, 20], [1, 2, 20], [2, 1, 20], [2, 3, 20], [3, 2, 20]]);
        assert.equal(parts.rows.reduce((a, b) => a + b, 0), 400);
        assert.ok(parts.offdiagonal.reduce((a, b) => a + b, 0) < rows.offdiagonal.reduce((a, b) => a + b, 0));
        await it.daemon.stop();
    });

    test("solve reads the partitions of a matrix, in every kind of question", async () => {
        const it = await serve({ args: ["--analyze-program", real], calibrations: "calibrations/sets" });
        await it.upload(gzipSync(grid(20)), "?name=grid&orderings=amd");
        const query = "machine=example&matrix=grid&solver=gmres&iterations=10&processes_per_node=2";
        const one = await it.api.get(`/api/v1/predict/solve?${query}&nodes=2`);
        assert.equal(one.status, 200, one.text);
        assert.ok(one.json.load_balance_factor >= 1, one.text);
        const rows = await it.api.get(`/api/v1/rank/solve?${query}&nodes=2`);
        assert.deepEqual([...new Set(rows.json.rows.map((row) => row.partition))].sort(), ["contiguous", "metis"], rows.text);
        const sweep = await it.api.get(`/api/v1/sweep/solve?${query}&nodes=1,2`);
        assert.equal(sweep.json.rows[1].time_s, one.json.time_s, sweep.text);
        const many = await it.api.post("/api/v1/predict", { requests: [{ machine: "example", model: "solve", parameters: { matrix: "grid", solver: "gmres", iterations: 10, processes_per_node: 2, nodes: 2 } }] });
        assert.equal(many.json.results[0].time_s, one.json.time_s, many.text);
        await it.upload("%%MatrixMarket matrix coordinate real general\n3 3 6\n1 1 2\n2 2 2\n3 3 2\n1 2 1\n2 1 1\n3 1 1\n", "?name=skew&orderings=amd");
        const skew = (system) => it.api.get(`/api/v1/predict/solve?${query.replace("=grid", "=skew")}&nodes=1&system=${system}`);
        for (const system of ["spd", "symmetric"]) {
            const [fault] = assertProblem(await skew(system), 422).errors;
            assert.deepEqual([fault.parameter, fault.code], ["system", "impossible_combination"]);
            assert.match(fault.message, /33.3 % of the entries off the diagonal/);
        }
        assert.equal((await skew("general")).status, 200);
        await it.upload("%%MatrixMarket matrix coordinate real general\n4 4 8\n1 1 2\n2 2 0\n4 4 2\n1 2 1\n2 1 1\n3 4 1\n4 3 1\n2 3 1\n", "?name=zeros&orderings=amd");
        const warned = async (more, name = "zeros") => (await it.api.get(`/api/v1/predict/solve?${query.replace("=grid", `=${name}`)}&nodes=1${more}`)).json.warnings.filter(({ code }) => code === "zero_diagonal");
        for (const preconditioner of ["ilu", "jacobi"]) {
            const [warning, ...more] = await warned(`&preconditioner=${preconditioner}`);
            assert.deepEqual([warning.what, more.length], [preconditioner, 0]);
            assert.match(warning.message, /^2 of 4 rows have no entry on the diagonal, or a zero, by which .*preconditioner=none or sparse_lu.*-pc_factor_shift_type nonzero/);
        }
        assert.deepEqual([await warned("&preconditioner=none"), await warned("", "skew")], [[], []]);
        const ranked = await it.api.get(`/api/v1/rank/solve?${query.replace("=grid", "=zeros")}&nodes=1`);
        assert.ok(ranked.json.rows.every(({ warnings }) => warnings.includes("zero_diagonal:ilu")), ranked.text);
        const none = await it.api.get(`/api/v1/predict/solve?${query.replace("=grid", "=nothing")}&nodes=2`);
        assert.equal(none.status, 422);
        assert.equal(none.json.errors[0].parameter, "matrix", none.text);
        await it.daemon.stop();
    });

    test("a question about many counts has them divided at once", async () => {
        const folder = await temporaryFolder(), program = folder.file("analyze.sh");
        // The program keeps no notes, because it may change no file: it fails at other lists, and the log has each count.
        const check = `case $(echo "$2" | tr , '\\n' | sort -n | tr '\\n' ,) in 1,2,3, | 4,8,16,) ;; *) exit 1 ;; esac`;
        writeFileSync(program, `#!/bin/sh\nif [ "$1" = --partition ]; then ${check}; fi\nexec '${real}' "$@"\n`, { mode: 0o755 });
        const it = await serve({ args: ["--analyze-program", program, "--child-folders", dirname(real)], calibrations: "calibrations/sets" });
        await it.upload(gzipSync(grid(20)), "?name=grid&orderings=amd");
        await it.ended("grid");
        const divided = async (...counts) => {
            const told = () => [...it.daemon.log().matchAll(/ partition=contiguous .* processes=(\d+)/g)].map(([, count]) => Number(count)).sort((a, b) => a - b);
            await until("the log has all counts", () => told().length >= counts.length);
            assert.deepEqual(told(), counts);
        };
        const query = "machine=example&matrix=grid&solver=gmres&iterations=10&partition=contiguous";
        const sweep = await it.api.get(`/api/v1/sweep/solve?${query}&processes_per_node=1&nodes=3,1,2`);
        assert.equal(sweep.status, 200, sweep.text);
        assert.deepEqual(sweep.json.rows.map((row) => [row.nodes, row.error]), [[3, null], [1, null], [2, null]], sweep.text);
        await divided(1, 2, 3);
        const best = await it.api.get(`/api/v1/recommend/solve?${query}&processes_per_node=2&nodes=1,2,4,8&objective=nodes&limit=4`);
        assert.equal(best.status, 200, best.text);
        assert.deepEqual([best.json.best, ...best.json.runners_up].map((row) => row.nodes), [1, 2, 4, 8], best.text);
        await divided(1, 2, 3, 4, 8, 16); // 2 is known
        await it.daemon.stop();
        await folder.remove();
    });

    test("a structurally singular matrix is reported as such", async () => {
        const it = await serve({ args: ["--analyze-program", real] });
        const { json } = await it.upload("%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 1\n2 1 1\n3 1 1\n3 3 1\n");
        const done = await it.ended(json.id);
        assert.equal(done.status, "failed");
        assert.match(done.reason, /singular/);
        assert.equal(done.structurally_singular, true);
        const empty = await it.ended((await it.upload("%%MatrixMarket matrix coordinate real general\n1 1 0\n")).json.id);
        assert.equal(empty.status, "failed");
        assert.match(empty.reason, /rank 0 of 1/);
        assert.equal(empty.structural_rank, 0);
        assert.equal(empty.structurally_singular, true);
        await it.daemon.stop();
    });
});
