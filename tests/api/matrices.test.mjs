// Sparse matrices: uploads and refusals, failing analyses, restarts.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { isPostgresql, temporaryFolder } from "../daemon.mjs";
import { assertProblem, faultNames, parseCsv } from "./client.mjs";
import { document } from "./document.mjs";
import { fake, idOf, real, serve, small, wait } from "./matrix_server.mjs";
import { compileSchemas } from "./schemas.mjs";

describe("matrices", () => {
    let it, admin;
    before(async () => {
        it = await serve();
        admin = await it.daemon.token("admin");
    });
    after(() => it?.daemon.stop());

    test("an upload is 202 with its place, is analyzed, and fits its schema", async () => {
        const ajv = compileSchemas(document);
        const text = small();
        const answer = await it.upload(text, "?name=first");
        assert.equal(answer.status, 202, answer.text);
        assert.equal(answer.headers.location, `/api/v1/matrices/${idOf(text)}`);
        assert.equal(answer.json.id, idOf(text), "the id is one that a client can compute");
        ajv.check({ $ref: "#/components/schemas/Matrix" }, answer.json, "queued");
        const done = await it.ended("first");
        ajv.check({ $ref: "#/components/schemas/Matrix" }, done, "ready");
        const { status, n, nnz, entries, bytes, structural_symmetry_fraction, structural_rank, structurally_singular, progress_fraction } = done;
        assert.deepEqual({ status, n, nnz, entries, bytes, structural_symmetry_fraction, structural_rank, structurally_singular, progress_fraction },
            { status: "ready", n: 5, nnz: 9, entries: 9, bytes: text.length, structural_symmetry_fraction: 1, structural_rank: 5,
                structurally_singular: false, progress_fraction: 1 });
        assert.deepEqual(done.orderings.map((o) => [o.ordering, o.status, o.supernodes, o.nnz_lu]),
            ["metis", "amd", "colamd", "natural"].map((name) => [name, "ready", 2, 23]));
        assert.deepEqual((await it.api.get(`/api/v1/matrices/${idOf(text)}`)).json, done, "by id as by name");
    });

    test("the same file is the same matrix, plain or gzip, however it is sent", async () => {
        const text = small();
        const first = await it.upload(text, "?name=same");
        assert.equal(first.status, 202);
        await it.ended("same");
        for (const [body, headers] of [
            [text, {}], [gzipSync(text), {}], [gzipSync(text), { "Content-Encoding": "gzip" }],
            [gzipSync(text, { level: 1 }), { "Content-Type": "application/gzip" }], [text, { "Content-Type": "text/plain" }],
            [text, { "Content-Type": "application/x-www-form-urlencoded" }], [text, { "Content-Type": "application/x-matrix-market" }],
            [Buffer.concat([gzipSync(text.slice(0, 7)), gzipSync(text.slice(7))]), {}],
            [Buffer.concat([gzipSync(text), Buffer.alloc(512)]), {}],
        ]) {
            const again = await it.upload(body, "?name=same", headers);
            assert.equal(again.status, 200, `${JSON.stringify(headers)}: ${again.text}`);
            assert.equal(again.json.id, first.json.id);
            assert.equal(again.json.status, "ready", "nothing is done anew");
        }
    });

    test("gzip that comes first is the same matrix as well", async () => {
        const text = small();
        const packed = await it.upload(gzipSync(text), "", { "Content-Encoding": "gzip" });
        assert.equal(packed.status, 202, packed.text);
        assert.equal(packed.json.id, idOf(text));
        assert.equal(packed.json.name, packed.json.id, "without a name the id is the name");
        assert.equal((await it.upload(text)).status, 200);
        assert.equal((await it.ended(packed.json.id)).status, "ready");
    });

    test("a matrix without a name takes the first that it is given; other names are conflicts", async () => {
        const text = small();
        assert.equal((await it.upload(text)).status, 202);
        const named = await it.upload(text, "?name=late");
        assert.equal(named.status, 200);
        assert.equal(named.json.name, "late");
        assert.match(assertProblem(await it.upload(text, "?name=another"), 409).detail, /`late`/);
        assert.match(assertProblem(await it.upload(small(), "?name=late"), 409).detail, /Another matrix/);
        assert.equal((await it.upload(text)).json.name, "late");
    });

    test("a refused upload does not reserve its name", async () => {
        assertProblem(await it.upload("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 x\n", "?name=freed"), 422);
        assert.equal((await it.api.get("/api/v1/matrices/freed")).status, 404);
        assert.equal((await it.upload(small(), "?name=freed")).status, 202);
    });

    test("files with faults are refused with their lines", async () => {
        const head = "%%MatrixMarket matrix coordinate real general\n";
        const lines = (text) => faultNames(assertProblem(text, 422));
        for (const [about, text, place] of [
            ["out of range", `${head}2 2 2\n1 1 1\n3 1 1\n`, "/line/4"], ["not square", `${head}% x\n2 3 1\n1 1 1\n`, "/line/3"],
            ["cut", `${head}2 2 2\n1 1 1\n`, "/line/4"], ["garbage behind", `${head}2 2 1\n1 1 1\n2 2 1\n`, "/line/4"],
            ["not a number", `${head}2 2 2\n1 1 1\n2 2 nan\n`, "/line/4"], ["empty", "", "/"], ["a web page", "<html></html>\n", null],
        ]) {
            const answer = await it.upload(text);
            const found = lines(answer);
            assert.ok(place === null ? found.length : found.includes(place), `${about}: ${answer.text}`);
        }
        assert.deepEqual(lines(await it.upload(`${head}3 3 4\n1 1 1\n2 2 1\n1 1 5\n3 3 1\n`)).length, 1, "duplicates");
        for (const broken of [gzipSync(small()).subarray(0, 40), Buffer.concat([gzipSync(small()), Buffer.from("x")]), gzipSync(gzipSync(small()))])
            assertProblem(await it.upload(broken), 422);
        const fixed = readFileSync(new URL("../samples/matrices/general.rua", import.meta.url), "utf8").trimEnd();
        assert.match(fixed, /1\.000$/);
        assert.match(assertProblem(await it.upload(fixed.slice(0, -1)), 422).detail, /ends within a number/);
        assert.equal((await it.upload(fixed)).status, 202);
        assertProblem(await it.upload("plain", "", { "Content-Encoding": "gzip" }), 400);
        assertProblem(await it.upload(small(), "", { "Content-Encoding": "br" }), 415);
    });

    test("all faults of a query are reported together", async () => {
        const answer = await it.upload(small(), "?name=Bad%20Name&supernode_max=513&orderings=metis,nd&colour=red");
        assert.deepEqual(faultNames(assertProblem(answer, 422)), ["colour", "name", "orderings", "supernode_max"]);
        for (const name of ["0123456789abcdef", "list.json", "plot.svg", "", "-x", "x".repeat(65)])
            assert.deepEqual(faultNames(assertProblem(await it.upload(small(), `?name=${name}`), 422)), ["name"], name);
        assert.deepEqual(faultNames(assertProblem(await it.upload(small(), "?orderings=none"), 422)), ["orderings"]);
        assert.deepEqual(faultNames(assertProblem(await it.upload(small(), "?supernode_max=8&supernode_relax=9"), 422)), ["supernode_relax"]);
    });

    test("orderings and limits are those of the request", async () => {
        const text = small();
        const answer = await it.upload(text, "?orderings=amd,natural&supernode_max=32");
        assert.deepEqual(answer.json.orderings.map((o) => o.ordering), ["amd", "natural"]);
        assert.deepEqual([answer.json.supernode_max, answer.json.supernode_relax], [32, 32], "what was left open follows");
        const more = await it.upload(text, "?orderings=metis:amd");
        assert.equal(more.status, 200);
        assert.deepEqual((await it.ended(answer.json.id)).orderings.map((o) => [o.ordering, o.status]).sort(),
            [["amd", "ready"], ["metis", "ready"], ["natural", "ready"]]);
    });

    test("a crashing ordering does not affect the others; another upload repeats it", async () => {
        const text = small("crash metis");
        const { json } = await it.upload(text, "?name=crashes");
        const done = await it.ended(json.id);
        assert.equal(done.status, "ready");
        assert.equal(done.reason, null);
        assert.match(done.orderings[0].reason, /signal 11, Segmentation fault \(stage order\): malloc\(\): corrupted/);
        assert.deepEqual(done.orderings.map((o) => o.status), ["failed", "ready", "ready", "ready"]);
        assert.equal(done.orderings[0].nnz_lu, null);
        const crashes = () => it.daemon.log().split("\n").filter((line) => line.includes(json.id) && line.includes("ordering=metis")).length;
        while (!crashes()) await wait(10);
        assert.equal(crashes(), 1);
        assert.equal((await it.upload(text)).status, 200);
        while (crashes() < 2) await wait(10); // perhaps before the answer came: it shows any of the three states
        assert.equal((await it.ended(json.id)).orderings[0].status, "failed");
    });

    test("if no ordering succeeds the matrix has failed, with the reason", async () => {
        const ajv = compileSchemas(document);
        const { json } = await it.upload(small("singular"));
        const done = await it.ended(json.id);
        ajv.check({ $ref: "#/components/schemas/Matrix" }, done, "failed");
        assert.equal(done.status, "failed");
        assert.equal(done.reason, "structurally singular: rank 4 of 5");
        assert.deepEqual([done.structural_rank, done.structurally_singular], [4, true]);
        assert.match(assertProblem(await it.api.get(`/api/v1/matrices/${json.id}/structure`), 422).detail, /failed/);
    });

    test("a structure comes as a document, with a tag that stays", async () => {
        const { json } = await it.upload(small("exit amd"), "?name=blocks");
        await it.ended(json.id);
        const answer = await it.api.get("/api/v1/matrices/blocks/structure?ordering=metis");
        assert.equal(answer.status, 200, answer.text);
        assert.deepEqual(answer.json, { format: "forerun-blocks-1", n: 5, width: [3, 2], L: [[[1, 2]], []], U: [[[1, 2, 4, 10, 3]], []] });
        compileSchemas(document).check({ $ref: "#/components/schemas/BlockStructure" }, answer.json, "structure");
        const known = await it.api.get("/api/v1/matrices/blocks/structure?ordering=metis", { headers: { "If-None-Match": answer.headers.etag } });
        assert.equal(known.status, 304);
        assert.deepEqual((await it.api.get("/api/v1/matrices/blocks/structure")).json, answer.json, "the first that is ready");
        assert.match(assertProblem(await it.api.get("/api/v1/matrices/blocks/structure?ordering=amd"), 422).detail, /failed: it ended with status 255/);
        assert.deepEqual(faultNames(assertProblem(await it.api.get("/api/v1/matrices/blocks/structure?ordering=best"), 422)), ["ordering"]);
        assertProblem(await it.api.get("/api/v1/matrices/none/structure?ordering=metis"), 404);
    });

    test("a spy plot comes in every form of a picture", async () => {
        const { json } = await it.upload(small(), "?name=seen");
        for (const [suffix, type, magic] of [["svg", "image/svg+xml", "<?xml"], ["png", "image/png", "\x89PNG"], ["pdf", "application/pdf", "%PDF"], ["gp", "text/plain", "# Runs"]]) {
            const answer = await it.api.get(`/api/v1/matrices/seen/spy.${suffix}?width=300&height=300`);
            assert.equal(answer.status, 200, answer.text.slice(0, 300));
            assert.ok(answer.headers["content-type"].startsWith(type));
            assert.equal(answer.body.toString("latin1").slice(0, magic.length), magic);
        }
        assert.equal((await it.api.get(json.links.spy)).status, 200);
        assertProblem(await it.api.get("/api/v1/matrices/seen/spy.svg?width=1"), 422);
        assertProblem(await it.api.get("/api/v1/matrices/unseen/spy.svg"), 404);
    });

    test("one matrix as CSV and as text for a shell", async () => {
        const { json } = await it.upload(small("refused amd"), "?name=flat&orderings=metis,amd");
        await it.ended(json.id);
        const [names, values] = parseCsv((await it.api.get("/api/v1/matrices/flat.csv")).text);
        const row = Object.fromEntries(names.map((name, i) => [name, values[i]]));
        assert.deepEqual([row.n, row.metis_flops, row.amd_status, row.amd_reason, row.amd_flops], ["5", "56", "failed", "too much fill", ""]);
        const text = (await it.api.get("/api/v1/matrices/flat.txt")).text;
        for (const line of text.trim().split("\n")) assert.match(line, /^[a-z0-9_]+=[A-Za-z0-9._:+-]*$/);
        assert.match(text, /^status=ready$/m);
    });

    test("lists are paged, newest first, and fit their schema", async () => {
        const ajv = compileSchemas(document);
        const all = (await it.api.get("/api/v1/matrices?limit=1000")).json;
        assert.ok(all.items.length > 5 && all.next === null);
        ajv.check({ $ref: "#/components/schemas/MatrixList" }, all, "list");
        const found = [];
        for (let path = "/api/v1/matrices?limit=3"; path;) {
            const { json } = await it.api.get(path);
            assert.ok(json.items.length <= 3);
            found.push(...json.items.map((item) => item.id));
            path = json.next;
        }
        assert.deepEqual(found, all.items.map((item) => item.id));
        assert.equal(parseCsv((await it.api.get("/api/v1/matrices.csv?limit=1000")).text).length, all.items.length + 1);
        assertProblem(await it.api.get("/api/v1/matrices?cursor=x"), 400);
        assertProblem(await it.api.get("/api/v1/matrices?limit=0"), 422);
    });

    test("a tag changes with the status and stays afterwards", async () => {
        const { json } = await it.upload(small("slow metis"), "?orderings=metis");
        const early = await it.api.get(json.links.self);
        await it.ended(json.id);
        const done = await it.api.get(json.links.self, { headers: { "If-None-Match": early.headers.etag } });
        assert.equal(done.status, 200);
        assert.equal((await it.api.get(json.links.self, { headers: { "If-None-Match": done.headers.etag } })).status, 304);
    });

    test("writing takes a token of scope write, deleting one of scope admin", async () => {
        assertProblem(await it.api.post("/api/v1/matrices", Buffer.from(small())), 401);
        const { json } = await it.upload(small(), "?name=doomed");
        await it.ended("doomed");
        assertProblem(await it.api.delete("/api/v1/matrices/doomed"), 401);
        assertProblem(await it.api.delete("/api/v1/matrices/doomed", { token: it.token }), 403);
        assert.equal((await it.api.delete("/api/v1/matrices/doomed", { token: admin })).status, 204);
        assertProblem(await it.api.get(json.links.self), 404);
        assertProblem(await it.api.get(`${json.links.self}/structure?ordering=metis`), 404);
        assertProblem(await it.api.delete("/api/v1/matrices/doomed", { token: admin }), 404);
        assert.equal((await it.upload(small(), "?name=doomed")).status, 202, "the name is free again");
    });

    test("deleting a matrix during its analysis does not block others", async () => {
        const { json } = await it.upload(small("hang"), "?orderings=metis");
        // The stage follows the status: the analysis says it once its process runs.
        let stage = null;
        for (let i = 0; stage === null && i < 3000; i++, await wait(10)) ({ stage } = (await it.api.get(json.links.self)).json);
        assert.equal(stage?.split(":")[0], "metis");
        assert.equal((await it.api.delete(json.links.self, { token: admin })).status, 204);
        const next = await it.upload(small());
        assert.equal((await it.ended(next.json.id)).status, "ready");
    });

    test("the same file from many clients at once is one matrix", async () => {
        const text = small();
        const answers = await Promise.all(Array.from({ length: 8 }, () => it.upload(text, "?name=crowd")));
        assert.deepEqual(answers.map((a) => a.status).sort(), [200, 200, 200, 200, 200, 200, 200, 202], answers.map((a) => a.text.slice(0, 200)).join("\n"));
        assert.equal(new Set(answers.map((a) => a.json.id)).size, 1);
    });

    test("metrics count matrices by status, and analyses", async () => {
        const { text } = await it.api.get("/metrics");
        assert.match(text, /^forerun_matrices\{status="ready"\} [1-9]/m);
        assert.match(text, /^forerun_matrices\{status="failed"\} [1-9]/m);
        assert.match(text, /^forerun_analyses_total\{status="ready"\} [1-9]/m);
        assert.match(text, /^forerun_analyses_total\{status="failed"\} [1-9]/m);
        assert.match(text, /^forerun_analysis_seconds_total \d/m);
    });
});

describe("partitions", () => {
    const ajv = compileSchemas(document);
    let it;
    before(async () => (it = await serve()));
    after(() => it?.daemon.stop());
    const path = "/api/v1/matrices";
    /** Asks until all are ready or have failed. */
    const settled = async (query, from = it) => {
        for (let i = 0; i < 600; i++) {
            const answer = await from.api.get(`${path}/${query}`);
            ajv.check({ $ref: "#/components/schemas/PartitionList" }, answer.json, query);
            if (answer.status === 200) return answer.json.items;
            assert.equal(answer.status, 202, answer.text);
            await wait(25);
        }
        throw new Error(`${query} never ended`);
    };

    test("they are found when asked for, kept, and listed", async () => {
        await it.upload(small(), "?name=divided&orderings=amd");
        assert.deepEqual((await it.api.get(`${path}/divided/partitions`)).json, { items: [] });
        const first = await it.api.get(`${path}/divided/partitions?processes=1,2&partition=metis`);
        assert.equal(first.status, 202);
        assert.deepEqual(first.json.items.map((row) => [row.processes, row.messages]), [[1, null], [2, null]]);
        const [one, two] = await settled("divided/partitions?processes=1,2&partition=metis");
        assert.deepEqual([one.messages, one.most_neighbours, one.load_balance_factor, one.most_rows], [0, 0, 1, 5]);
        assert.deepEqual({ ...two }, { partition: "metis", processes: 2, status: "ready", progress_fraction: 1, stage: null, reason: null, messages: 2,
            bytes: 16, most_neighbours: 1, most_bytes: 8, largest_message_bytes: 8, most_rows: 3, load_balance_factor: 16 / 13, time_s: 0.75 });
        await settled("divided/partitions?processes=2");
        assert.deepEqual((await it.api.get(`${path}/divided/partitions`)).json.items.map((row) => [row.partition, row.processes]),
            [["contiguous", 2], ["metis", 1], ["metis", 2]]);
        assert.deepEqual((await it.api.get(`${path}/divided/partitions?partition=metis`)).json.items, [one, two]);
        assert.equal(parseCsv((await it.api.get(`${path}/divided/partitions.csv`)).text).length, 4);
        assert.equal((await it.ended("divided")).status, "ready", "the matrix's own status is that of its orderings");
    });

    test("facts are waited for, and their tag holds", async () => {
        await it.upload(small(), "?name=facts&orderings=amd");
        const answer = await it.api.get(`${path}/facts/partitions/facts?processes=2`);
        assert.equal(answer.status, 200, answer.text);
        ajv.check({ $ref: "#/components/schemas/PartitionFacts" }, answer.json, "facts");
        assert.deepEqual(answer.json, { processes: 2, rows: [3, 2], diagonal: [7, 4], offdiagonal: [1, 1], messages: [[0, 1, 1], [1, 0, 1]] });
        assert.equal((await it.api.get(`${path}/facts/partitions/facts?processes=2`, { headers: { "If-None-Match": answer.headers.etag } })).status, 304);
    });

    test("charts show what is known, and who talks to whom", async () => {
        await it.upload(small(), "?name=drawn&orderings=amd");
        assertProblem(await it.api.get(`${path}/drawn/partitions/chart.svg`), 404);
        await settled("drawn/partitions?processes=1,2&partition=metis");
        const chart = await it.api.get(`${path}/drawn/partitions/chart.gp?y=most_bytes`);
        assert.match(chart.text, /\n1 0\n2 8\n/);
        await settled("drawn/partitions?processes=2");
        const both = await it.api.get(`${path}/drawn/partitions/chart.gp?y=most_bytes`, { headers: { "If-None-Match": chart.headers.etag } });
        assert.equal(both.status, 200, "another line makes another tag");
        assert.equal((await it.api.get(`${path}/drawn/partitions/chart.gp`, { headers: { "If-None-Match": both.headers.etag } })).status, 304, "the default is most_bytes");
        const messages = await it.api.get(`${path}/drawn/partitions/messages.gp?processes=2&partition=metis`);
        assert.match(messages.text, /-0\.5 0\.5 -0\.5 0\.5 0\.5 1\.5 8\n0\.5 -0\.5 0\.5 1\.5 -0\.5 0\.5 8\n/);
        assert.equal((await it.api.get(`${path}/drawn/partitions/messages.gp?processes=2&partition=metis`, { headers: { "If-None-Match": messages.headers.etag } })).status, 304);
        for (const [query, names] of [["chart.svg?y=rows", ["y"]], ["messages.svg?partition=hash", ["partition", "processes"]], ["messages.svg?processes=6", ["processes"]]])
            assert.deepEqual(faultNames(assertProblem(await it.api.get(`${path}/drawn/partitions/${query}`), 422)), names);
    });

    test("failures say why; after another upload they are tried again", async () => {
        const text = small("refused");
        await it.upload(text, "?name=refused&orderings=amd");
        const problem = assertProblem(await it.api.get(`${path}/refused/partitions/facts?processes=2&partition=metis`), 422);
        assert.match(problem.detail, /processes: dividing matrix refused \(metis\) among 2 processes failed: part 0 has no rows/);
        assert.deepEqual((await settled("refused/partitions?processes=2&partition=metis")).map((row) => [row.status, row.reason]), [["failed", "part 0 has no rows"]]);
        await it.upload(text, "?name=refused");
        assert.deepEqual((await it.api.get(`${path}/refused/partitions`)).json.items, []);
    });

    test("a crash fails one partition, and the others are found", async () => {
        await it.upload(small("halves"), "?name=halves&orderings=amd");
        const rows = await settled("halves/partitions?processes=1,2,3");
        assert.deepEqual(rows.map((row) => row.status), ["ready", "failed", "failed"]);
        assert.match(rows[1].reason, /crashed with signal 11/);
        await it.upload(small("other"), "?name=other&orderings=amd");
        const [other] = await settled("other/partitions?processes=2");
        assert.match(other.reason, /which was not requested/);
    });

    test("refusals name the parameter, the value and the remedy, all at once", async () => {
        await it.upload(small(), "?name=wrong&orderings=amd");
        const problem = assertProblem(await it.api.get(`${path}/wrong/partitions?processes=4,6&partition=hash`), 422);
        assert.deepEqual(faultNames(problem), ["partition", "processes"]);
        assert.match(problem.errors[1].message, /6 processes for the 5 rows of matrix wrong; .* use at most 5/);
        for (const [query, status] of [["partitions?processes=0", 422], ["partitions?processes=65537", 422], [`partitions?processes=${Array(65).fill(1)}`, 422],
            ["partitions?nodes=2", 422], ["partitions/facts", 422], ["partitions/facts?processes=6", 422], ["partitions/facts?processes=1,2", 400]])
            assertProblem(await it.api.get(`${path}/wrong/${query}`), status);
        assert.match(assertProblem(await it.api.get(`${path}/wrong/partitions/facts`), 422).detail, /processes: required/);
        assertProblem(await it.api.get(`${path}/none/partitions?processes=2`), 404);
        assertProblem(await it.api.get(`${path}/none/partitions/facts?processes=2`), 404);
    });

    test("after an end of the daemon they go on", async () => {
        const folder = await temporaryFolder(), db = folder.file("partitions.db");
        let other = await serve({ db });
        await other.upload(small("slow"), "?name=slow&orderings=amd");
        await other.api.get(`${path}/slow/partitions?processes=1,2`);
        while (!(await other.api.get(`${path}/slow/partitions`)).json.items.some((row) => row.status === "analyzing")) await wait(10);
        await other.daemon.stop();
        other = await serve({ db });
        assert.deepEqual((await settled("slow/partitions?processes=1,2", other)).map((row) => row.status), ["ready", "ready"]);
        await other.daemon.stop();
        await folder.remove();
    });
});

describe("limits and ends", () => {
    let folder;
    before(async () => (folder = await temporaryFolder()));
    after(() => folder.remove());

    /** The files that the daemon has open and that have no name any more. */
    const unnamed = ({ process }) => readdirSync(`/proc/${process.pid}/fd`)
        .map((fd) => { try { return readlinkSync(`/proc/${process.pid}/fd/${fd}`); } catch { return ""; } })
        .filter((path) => path.endsWith("(deleted)") && !path.startsWith("/memfd"));
    /** Those that stay: others are closed soon after their client or child is gone. */
    const remaining = async (daemon) => {
        let left = unnamed(daemon);
        for (let tries = 0; tries < 200 && left.length; tries++, left = unnamed(daemon)) await wait(25);
        return left;
    };

    test("a file over the limit is refused, also compressed, and nothing of it is kept", async () => {
        const it = await serve({ args: ["--matrix-limit-bytes", "100000"] });
        const large = small() + "\n".repeat(200_000);
        assertProblem(await it.upload(large), 413);
        assertProblem(await it.upload(gzipSync(large)), 413);
        assertProblem(await it.upload(gzipSync(Buffer.alloc(64 << 20))), 413);
        const chunked = await new Promise((done, fail) => {
            const socket = connect(Number(new URL(it.daemon.url).port), "127.0.0.1");
            let text = "";
            socket.on("data", (part) => { text += part; if (text.includes("}")) { socket.destroy(); done(text); } });
            socket.on("error", fail);
            socket.write(`POST /api/v1/matrices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\nTransfer-Encoding: chunked\r\n\r\n`);
            for (let i = 0; i < 15; i++) socket.write(`2710\r\n${"%".repeat(9999)}\n\r\n`);
            socket.write("0\r\n\r\n");
        });
        assert.match(chunked, /^HTTP\/1\.1 413 /);
        assert.deepEqual(unnamed(it.daemon), []);
        assert.deepEqual((await it.api.get("/api/v1/matrices")).json.items, []);
        await it.daemon.stop();
    });

    test("concurrent uploads respect the common limit", async () => {
        const it = await serve({ args: ["--uploads-limit-bytes", "150000"] });
        const socket = connect(Number(new URL(it.daemon.url).port), "127.0.0.1");
        socket.on("error", () => {});
        socket.write(`POST /api/v1/matrices HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${it.token}\r\nContent-Length: 200000\r\n\r\n${"%".repeat(100_000)}`);
        while (!unnamed(it.daemon).length) await wait(10);
        await wait(100);
        const refused = await it.upload(small() + "\n".repeat(100_000));
        assertProblem(refused, 503);
        assert.ok(refused.headers["retry-after"]);
        const taken = await it.upload(small());
        assert.equal(taken.status, 202, "a small one has room");
        await it.ended(taken.json.id); // its analysis has files of its own
        socket.destroy();
        assert.deepEqual(await remaining(it.daemon), [], "a client that goes away leaves nothing");
        assert.equal((await it.upload(small() + "\n".repeat(100_000))).status, 202);
        await it.daemon.stop();
    });

    test("uploads that are read or wait for it hold no worker", async () => {
        const it = await serve({ args: ["--workers", "2"] });
        const { pid: own } = it.daemon.process;
        /** Stops the process that reads a matrix, when there is one; undefined once `ended` is true. */
        const stopReader = async (ended) => {
            while (!ended()) {
                for (const pid of readdirSync("/proc").filter((name) => Number(name) > own)) {
                    try {
                        const parent = Number(readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1].split(" ")[1]);
                        if (parent !== own || !readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("inspect-matrix")) continue;
                    } catch { continue; /* it has ended */ }
                    process.kill(Number(pid), "SIGSTOP");
                    return Number(pid);
                }
                await wait(1);
            }
        };
        const entries = Array.from({ length: 600_000 }, (_, i) => `${i + 1} ${i + 1} 1`).join("\n");
        const large = gzipSync(`%%MatrixMarket matrix coordinate real general\n600000 600000 600000\n${entries}\n`);
        const uploads = [];
        let reader;
        // A slow test may miss the short time in which a matrix is read.
        for (let i = 0; i < 10 && reader === undefined; i++) {
            let isAnswered = false;
            uploads.push(it.upload(Buffer.concat([large, gzipSync("\n".repeat(i))])).finally(() => (isAnswered = true)));
            reader = await stopReader(() => isAnswered);
        }
        assert.ok(reader, "no process was seen to read a matrix");
        for (let i = 0; i < 3; i++) uploads.push(it.upload(small()));
        await wait(300);
        const sweep = it.api.get("/api/v1/sweep/matmul?machine=none&n=1..10&processes=4");
        const first = await Promise.race([sweep, ...uploads, wait(5000)]);
        process.kill(reader, "SIGCONT");
        assert.equal(first?.status, 422, "a long request is answered while uploads wait");
        for (const upload of await Promise.all(uploads)) assert.equal(upload.status, 202, upload.text);
        await it.daemon.stop();
    });

    test("a full disk is reported, and nothing is lost", { skip: isPostgresql || !existsSync("/usr/bin/prlimit") }, async () => {
        const it = await serve();
        const kept = await it.upload(small(), "?name=kept");
        // A file of the daemon may not grow beyond this: as good as a full disk.
        execFileSync("prlimit", ["--pid", String(it.daemon.process.pid), "--fsize=1000000"]);
        const [first, ...rest] = small().split("\n");
        const padded = (lines) => [first, ...Array.from({ length: lines }, (_, i) => `%${Math.sin(i)}`), ...rest].join("\n");
        // Too large as it comes, plain and packed; and just not, so that the database finds no room.
        for (const body of [padded(200_000), gzipSync(padded(200_000)), gzipSync(padded(110_000))]) {
            const answer = await it.upload(body);
            assert.match(assertProblem(answer, 503).detail, /disk of the database has no space/);
            assert.ok(answer.headers["retry-after"]);
        }
        assert.deepEqual((await it.api.get("/api/v1/matrices")).json.items.map((item) => item.name), ["kept"]);
        const last = await it.upload(small());
        assert.equal(last.status, 202);
        for (const { json } of [kept, last]) assert.equal((await it.ended(json.id)).status, "ready");
        assert.deepEqual(await remaining(it.daemon), []);
        await it.daemon.stop();
    });

    test("after a clean exit interrupted analyses restart, and nothing is left behind", async () => {
        const db = folder.file("restart.db");
        const it = await serve({ db });
        const { json } = await it.upload(small("slow"), "?name=slow&orderings=metis,amd");
        while ((await it.api.get("/api/v1/matrices/slow")).json.stage !== "metis: symbolic") await wait(10);
        assert.equal((await it.api.get("/api/v1/matrices/slow")).json.progress_fraction, 0.25);
        await it.daemon.stop();
        assert.deepEqual(readdirSync(folder.path), ["restart.db"]);
        const again = await serve({ db });
        const done = await again.ended(json.id);
        assert.deepEqual(done.orderings.map((o) => o.status), ["ready", "ready"]);
        await again.daemon.stop();
    });

    test("after a kill they restart too; an analysis that always fails is given up", async () => {
        const db = folder.file("killed.db");
        let id;
        for (let i = 0; i < 3; i++) {
            const it = await serve({ db });
            if (!id) id = (await it.upload(small("hang metis"), "?name=fatal&orderings=metis,amd")).json.id;
            while ((await it.api.get(`/api/v1/matrices/${id}`)).json.stage !== "metis: order") await wait(10);
            it.daemon.process.kill("SIGKILL");
            await it.daemon.exited;
        }
        const it = await serve({ db });
        const done = await it.ended(id);
        assert.match(done.orderings[0].reason, /begun 3 times/);
        assert.equal(done.orderings[1].status, "ready");
        await it.daemon.stop();
    });

    test("without the program matrices are accepted, and their status says what is missing", async () => {
        const it = await serve({ args: ["--analyze-program", "/no/such/forerun-analyze"] });
        const { json } = await it.upload(small());
        const done = await it.ended(json.id);
        assert.equal(done.status, "failed");
        assert.match(done.reason, /there is no program `\/no\/such\/forerun-analyze`: install forerun-analyze/);
        assert.equal((await it.api.get("/readyz")).status, 200);
        await it.daemon.stop();
    });
});

test("the program that analyzes reaches no file of the daemon, changes none and opens no socket", async (t) => {
    const folder = await temporaryFolder(), program = folder.file("analyze.sh"), db = folder.file("forerun.db");
    const visits = [], listener = createServer((socket) => visits.push(socket.destroy()));
    await new Promise((done) => listener.listen(0, "127.0.0.1", done));
    writeFileSync(folder.file("secret"), "secret");
    writeFileSync(program, `#!/bin/bash
did=
try() { if "$@" >/dev/null 2>&1; then did="$did $*"; fi; }
try test -e '${db}'
try cat '${db}'
try cat '${folder.file("secret")}'
try ls '${folder.path}'
try touch '${folder.file("new")}'
try cp /dev/null /tmp/new-$$
try rm '${db}'
try bash -c 'exec 3<>/dev/tcp/127.0.0.1/${listener.address().port}'
try true
printf '{"record":"ordering","ordering":"%s","status":"failed","reason":"did:%s"}\\n{"record":"end"}\\n' "$2" "$did"
`, { mode: 0o755 });
    const it = await serve({ args: ["--analyze-program", program], db: isPostgresql ? undefined : db });
    if (/event=sandbox/.test(it.daemon.log())) t.skip("this kernel lacks Landlock or seccomp");
    else {
        if (isPostgresql) writeFileSync(db, "");
        await it.upload(small(), "?name=tries&orderings=amd");
        assert.equal((await it.ended("tries")).orderings[0].reason, `did: test -e ${db} true`);
        assert.deepEqual(visits, []);
    }
    await it.daemon.stop();
    listener.close();
    await folder.remove();
});

describe("with the real program", { skip: !existsSync(real) }, () => {
    const grid = (side) => {
        const n = side * side, lines = [];
        for (let i = 0; i < n; i++) {
            lines.push(`${i + 1} ${i + 1} 4`);
            if (i % side) lines.push(`${i + 1} ${i} -1`);
            if (i >= side) lines.push(`${i + 1} ${i + 1 - side} -1`);
        }
        return `%%MatrixMarket matrix coordinate real symmetric\n${n} ${n} ${lines.length}\n${lines.join("\n")}\n`;
    };

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
            for (let i = 0; i < 200 && told().length < counts.length; i++) await wait(25);
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
