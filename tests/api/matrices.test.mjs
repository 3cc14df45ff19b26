// Sparse matrices: uploads, refusals, lists, and analyses of a program that the tests control.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { temporaryFolder } from "../daemon.mjs";
import { assertProblem, faultNames, parseCsv } from "./client.mjs";
import { standingDaemon } from "./clock.mjs";
import { document } from "./document.mjs";
import { idOf, serve, small, until } from "./matrix_server.mjs";
import { compileSchemas } from "./schemas.mjs";

describe("matrices", () => {
    const ajv = compileSchemas(document);
    let it, admin;
    before(async () => {
        it = await serve({ start: standingDaemon });
        admin = await it.daemon.token("admin");
    });
    after(() => it?.daemon.stop());

    test("an upload is 202 with its place, is analyzed, and fits its schema", async () => {
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
        const fixed = readFileSync(new URL("../samples/matrices/packed.rua", import.meta.url), "utf8").trimEnd();
        assert.match(fixed, /E\+00$/);
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
        await until("the crash is in the log", crashes);
        assert.equal(crashes(), 1);
        assert.equal((await it.upload(text)).status, 200);
        await until("the second crash is in the log", () => crashes() === 2); // perhaps before the answer came: it shows any of the three states
        assert.equal((await it.ended(json.id)).orderings[0].status, "failed");
    });

    test("if no ordering succeeds the matrix has failed, with the reason", async () => {
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
        ajv.check({ $ref: "#/components/schemas/BlockStructure" }, answer.json, "structure");
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
        const folder = await temporaryFolder(), gate = folder.file("gate");
        const { json } = await it.upload(small(`held\n%gate ${gate}`), "?orderings=metis");
        const early = await it.api.get(json.links.self);
        writeFileSync(gate, "");
        await it.ended(json.id);
        await folder.remove();
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
        const stage = await until("it has a stage", async () => (await it.api.get(json.links.self)).json.stage);
        assert.equal(stage.split(":")[0], "metis");
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
