// Block structures on demand: other supernode limits and row permutations of a stored matrix.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { assertProblem, faultNames } from "./client.mjs";
import { document } from "./document.mjs";
import { compileSchemas } from "./schemas.mjs";
import { grid, real, serve, small } from "./matrix_server.mjs";

const keyOf = (s) => [s.ordering, s.row_permutation, s.supernode_max, s.supernode_relax, s.status];
const errorOf = (answer) => assertProblem(answer, 422).errors[0];

/** Asks for a structure that is never ready, which takes as long as a request may wait. */
async function waitInVain() {
    const it = await serve({ calibrations: "calibrations/sets" });
    const query = "/api/v1/predict/sparse_lu?machine=seaborg&matrix=hanging&processes=1&process_rows=1&ordering=amd";

    try {
        await it.upload(small("hang amd"), "?name=hanging&orderings=metis");
        await it.ended("hanging");
        return {
            refused: await it.api.get(query),
            late: await it.api.get(`${query}&analyze=wait`),
            matmul: await it.api.get("/api/v1/predict/matmul?machine=seaborg&n=64&processes=4&analyze=wait"),
        };
    } finally {
        await it.daemon.stop();
    }
}
let inVain;
before(() => {
    inVain = waitInVain(); // while the other tests run
    inVain.catch(() => {});
});

describe("structures of the fake program", () => {
    let it;
    const add = (matrix, body) => it.api.post(`/api/v1/matrices/${matrix}/structures`, body, { token: it.token });
    before(async () => {
        it = await serve();
    });
    after(() => it?.daemon.stop());

    test("a structure is added once, and shown beside the orderings of the upload", async () => {
        const ajv = compileSchemas(document);
        await it.upload(small(), "?name=once&orderings=metis");
        await it.ended("once");
        const answer = await add("once", { ordering: "metis", supernode_max: 32 });
        assert.equal(answer.status, 202, answer.text);
        assert.match(answer.headers.location, /^.api.v1.matrices.[0-9a-f]{16}$/);
        ajv.check({ $ref: "#/components/schemas/Matrix" }, answer.json, "queued");
        assert.notEqual(answer.json.status, "ready");
        const done = await it.ended("once");
        assert.deepEqual(done.structures.map(keyOf), [["metis", "auto", 256, 60, "ready"], ["metis", "auto", 32, 32, "ready"]]);
        assert.deepEqual(done.orderings.map((o) => o.ordering), ["metis"]);
        ajv.check({ $ref: "#/components/schemas/Matrix" }, done, "ready");
        assert.equal((await add("once", { ordering: "metis", supernode_max: 32, supernode_relax: 32 })).status, 200);
        assert.equal((await it.api.get("/api/v1/matrices/once/structure?ordering=metis&supernode_max=32")).status, 200);
        assert.equal(errorOf(await it.api.get("/api/v1/matrices/once/structure?ordering=metis&supernode_max=33")).code, "structure_missing");
    });

    test("an upload with other limits adds structures to the same matrix", async () => {
        const text = small();
        const first = await it.upload(text, "?name=wide&orderings=amd");
        await it.ended("wide");
        const narrow = await it.upload(text, "?supernode_max=2");
        assert.deepEqual([narrow.status, narrow.json.id], [202, first.json.id], narrow.text);
        const done = await it.ended("wide");
        assert.deepEqual([done.supernode_max, done.supernode_relax], [256, 60], "a question that leaves them open gets these");
        assert.deepEqual(done.structures.map(keyOf), [["amd", "auto", 256, 60, "ready"], ["amd", "auto", 2, 2, "ready"]]);
        for (const query of ["?supernode_max=2", "?supernode_max=2&supernode_relax=2&name=wide", "?supernode_max=256", ""]) {
            const again = await it.upload(text, query);
            assert.deepEqual([again.status, again.json.id, again.json.status], [200, first.json.id, "ready"], query);
        }
        assert.match(assertProblem(await it.upload(text, "?name=narrow&supernode_max=2"), 409).detail, /`wide`/);
    });

    test("a matrix has at most eight pairs of limits, which the refusal names", async () => {
        const text = small();
        await it.upload(text, "?name=full&orderings=amd");
        for (let max = 1; max <= 7; max++)
            assert.equal((await add("full", { ordering: "amd", supernode_max: max, supernode_relax: 1 })).status, 202);
        const { detail } = assertProblem(await add("full", { ordering: "amd", supernode_max: 8 }), 409);
        assert.match(detail, /256\/60, 1\/1, 2\/1, 3\/1, 4\/1, 5\/1, 6\/1, 7\/1/);
        assertProblem(await it.upload(text, "?supernode_max=8"), 409);
        assert.equal((await add("full", { ordering: "metis", supernode_max: 7, supernode_relax: 1 })).status, 202, "known limits");
        await it.ended("full");
    });

    test("a body with faults is refused with all of them", async () => {
        await it.upload(small(), "?name=faulty&orderings=amd");
        await it.ended("faulty");
        const faults = async (body) => faultNames(assertProblem(await add("faulty", body), 422));
        assert.deepEqual(await faults({ ordering: "nd", supernode_max: 513, supernode_relax: 0, row_permutation: "mc64", colour: "red" }),
            ["colour", "ordering", "row_permutation", "supernode_max", "supernode_relax"]);
        assert.deepEqual(await faults({ ordering: "amd", supernode_max: 8, supernode_relax: 9 }), ["supernode_relax"]);
        assert.deepEqual(await faults({ supernode_max: 8 }), ["ordering"]);
        assertProblem(await add("faulty", []), 422);
        assertProblem(await add("nobody", { ordering: "amd" }), 404);
        assertProblem(await it.api.post("/api/v1/matrices/faulty/structures", { ordering: "amd" }), 401);
    });

    test("a structure that failed is tried again", async () => {
        await it.upload(small("crash amd"), "?name=crashing&orderings=metis");
        await it.ended("crashing");
        assert.equal((await add("crashing", { ordering: "amd", supernode_max: 4 })).status, 202);
        const done = await it.ended("crashing");
        assert.deepEqual(done.structures.map((s) => s.status), ["ready", "failed"]);
        assert.equal(done.status, "ready");
        assert.equal((await add("crashing", { ordering: "amd", supernode_max: 4 })).status, 202);
    });
});

describe("structures of forerun-analyze", () => {
    let it;
    const ask = (route, query) => it.api.get(`/api/v1/${route}/sparse_lu?machine=seaborg&matrix=grid&${query}`);
    const add = async (body) => {
        const answer = await it.api.post("/api/v1/matrices/grid/structures", body, { token: it.token });

        assert.equal(answer.status, 202, answer.text);
        return it.ended("grid");
    };
    before(async () => {
        it = await serve({ args: ["--analyze-program", real], calibrations: "calibrations/sets" });
        await it.upload(grid(20), "?name=grid&orderings=metis");
        await it.ended("grid");
    });
    after(() => it?.daemon.stop());

    test("limits choose the structure of a prediction; what is missing is refused with the call that adds it", async () => {
        const usual = (await ask("predict", "processes=4&process_rows=2")).json;
        assert.deepEqual([usual.parameters.supernode_max, usual.parameters.supernode_relax, usual.parameters.row_permutation], [256, 60, "auto"]);
        const missing = errorOf(await ask("predict", "processes=4&process_rows=2&supernode_max=8"));
        assert.deepEqual([missing.code, missing.parameter], ["structure_missing", "supernode_max"]);
        const call = missing.message.match(/POST (\S+) (\{.*?\})/);
        assert.equal((await it.api.post(call[1], JSON.parse(call[2]), { token: it.token })).status, 202);
        await it.ended("grid");
        const narrow = (await ask("predict", "processes=4&process_rows=2&supernode_max=8")).json;
        assert.ok(narrow.supernodes > usual.supernodes, `${narrow.supernodes} > ${usual.supernodes}`);
        assert.equal(narrow.parameters.supernode_relax, 8);
        const structure = (await it.api.get("/api/v1/matrices/grid/structure?ordering=metis&supernode_max=8")).json;
        assert.equal(structure.width.length, narrow.supernodes);
        assert.ok(Math.max(...structure.width) <= 8);
        const { structures } = (await it.api.get("/api/v1/matrices/grid")).json;
        assert.deepEqual([narrow.ordering_measured_s, narrow.symbolic_measured_s], [structures[1].ordering_s, structures[1].symbolic_s]);
        assert.equal(narrow.breakdown.reduce((sum, { time_s, hidden_s }) => sum + time_s - hidden_s, 0), narrow.time_s, "the measured times are no phases");
        const chosen = (await ask("predict", "processes=4&process_rows=2&supernode_max=256&supernode_relax=60")).json;
        assert.equal(chosen.time_s, usual.time_s);
        assert.deepEqual(faultNames(assertProblem(await ask("predict", "processes=4&process_rows=2&supernode_max=8&supernode_relax=9"), 422)), ["supernode_relax"]);
    });

    test("a ranking compares limits and orderings, and a sweep lists them", async () => {
        await add({ ordering: "amd", supernode_max: 24, supernode_relax: 6 });
        await add({ ordering: "metis", supernode_max: 24, supernode_relax: 6 });
        await add({ ordering: "amd" });
        const rank = (await ask("rank", "processes=4&process_rows=2&ordering=metis,amd&supernode_max=24&supernode_relax=6")).json;
        assert.deepEqual(rank.rows.map((r) => r.ordering).sort(), ["amd", "metis"]);
        const swept = (await ask("sweep", "processes=4&process_rows=2&ordering=metis,amd&supernode_max=24&supernode_relax=6")).json;
        assert.deepEqual(swept.rows.map((r) => r.time_s).sort((a, b) => a - b), rank.rows.map((r) => r.time_s));
        const open = (await ask("rank", "processes=4&process_rows=2&ordering=metis")).json;
        assert.deepEqual(open.rows.map((r) => [r.supernode_max, r.supernode_relax]), [[256, 60]], "limits left open are those of the upload");
    });

    test("a list names all structures that are missing; analyze=wait makes them", async () => {
        const query = "processes=4&process_rows=2&ordering=metis,amd&supernode_max=10,40&supernode_relax=5";
        for (const route of ["rank", "sweep"]) {
            const { errors } = assertProblem(await ask(route, query), 422);
            assert.deepEqual(errors.map((e) => e.code), Array(4).fill("structure_missing"), route);
        }
        assertProblem(await ask("rank", `${query}&analyze=maybe`), 422);
        let answer;
        for (let i = 0; i < 20 && answer?.status !== 200; i++) {
            answer = await ask("rank", `${query}&analyze=wait`);
            assert.ok([200, 202].includes(answer.status), answer.text);
        }
        assert.equal(answer.json.rows.length, 4);
        assert.deepEqual(answer.json.rows.map((r) => `${r.ordering} ${r.supernode_max}`).sort(), ["amd 10", "amd 40", "metis 10", "metis 40"]);
        const swept = (await ask("sweep", query)).json.rows.map((r) => r.time_s);
        assert.equal(answer.json.rows[0].time_s, Math.min(...swept), "the best is the fastest of all");
    });

    test("a ranking that leaves the ordering open leaves out no limits of a list", async () => {
        const query = "processes=4&process_rows=2&supernode_max=9,256";
        const { errors } = assertProblem(await ask("rank", query), 422);
        assert.deepEqual(errors.map((e) => [e.code, e.parameter]), [["structure_missing", "supernode_max"]]);
        let answer;
        for (let i = 0; i < 20 && answer?.status !== 200; i++) {
            answer = await ask("rank", `${query}&analyze=wait`);
            assert.ok([200, 202].includes(answer.status), answer.text);
        }
        assert.deepEqual([...new Set(answer.json.rows.map((r) => r.supernode_max))].sort(), [256, 9]);
        assert.equal((await ask("rank", query)).status, 200, "those that there are serve");
    });

    test("other limits take the permutations of the first, and give what an upload with them gives", async () => {
        const done = await add({ ordering: "metis", supernode_max: 12, supernode_relax: 3 });
        const ofMetis = done.structures.filter((s) => s.ordering === "metis");
        assert.ok(ofMetis.length > 1 && ofMetis[0].ordering_s > 0);
        for (const { ordering_s } of ofMetis) assert.equal(ordering_s, ofMetis[0].ordering_s, "the time of the one ordering that was made");
        await it.upload(`${grid(20)}\n`, "?name=anew&orderings=metis&supernode_max=12&supernode_relax=3");
        await it.ended("anew");
        const [reused, anew] = await Promise.all(["grid", "anew"].map((name) =>
            it.api.get(`/api/v1/matrices/${name}/structure?ordering=metis&supernode_max=12&supernode_relax=3`)));
        assert.deepEqual(reused.json, anew.json);
        const permuted = `%%MatrixMarket matrix coordinate real general\n4 4 9\n${["1 2 5", "2 1 5", "3 4 5", "4 3 5", "1 1 1", "2 2 1", "3 3 1", "4 4 1", "4 1 1"].join("\n")}\n`;
        const row = { ordering: "amd", supernode_max: 2, supernode_relax: 1 };
        await it.upload(permuted, "?name=rows&orderings=amd");
        assert.equal((await it.ended("rows")).row_permutation, "transversal");
        await it.api.post("/api/v1/matrices/rows/structures", row, { token: it.token });
        assert.deepEqual((await it.ended("rows")).structures.map((s) => s.status), ["ready", "ready"], "rows are permuted again");
        await it.upload(`${permuted}\n`, "?name=rows-anew&orderings=amd&supernode_max=2&supernode_relax=1");
        await it.ended("rows-anew");
        const [again, first] = await Promise.all(["rows", "rows-anew"].map((name) =>
            it.api.get(`/api/v1/matrices/${name}/structure?ordering=amd&supernode_max=2&supernode_relax=1`)));
        assert.deepEqual(again.json, first.json);
    });

    test("row permutations are structures of their own", async () => {
        const done = await add({ ordering: "amd", row_permutation: "none", supernode_max: 256 });
        assert.deepEqual(keyOf(done.structures.find((s) => s.row_permutation === "none")), ["amd", "none", 256, 60, "ready"]);
        assert.equal(done.row_permutation, "identity");
        const [none, auto] = await Promise.all(["none", "auto"].map((rows) => ask("predict", `processes=2&process_rows=1&ordering=amd&row_permutation=${rows}`)));
        assert.equal(none.json.time_s, auto.json.time_s, "the rows of a grid stay anyway");
        assert.equal(errorOf(await ask("predict", "processes=2&process_rows=1&row_permutation=transversal")).parameter, "row_permutation");
        const hole = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 1\n2 1 1\n";
        await it.upload(hole, "?name=hole&orderings=amd");
        await it.ended("hole");
        await it.api.post("/api/v1/matrices/hole/structures", { ordering: "amd", row_permutation: "none" }, { token: it.token });
        assert.match((await it.ended("hole")).structures[1].reason, /column 1 has no entry on the diagonal/);
    });
});

test("a question that waits too long is 202, with the progress and Retry-After", async () => {
    const { refused, late, matmul } = await inVain;
    assert.equal(errorOf(refused).code, "structure_missing");
    assert.equal(late.status, 202, late.text);
    assert.match(late.headers["retry-after"], /^\d+$/);
    assert.equal(late.headers.location, late.json.links.self);
    assert.equal(late.headers.etag, undefined);
    assert.deepEqual(late.json.structures.map((s) => s.status), ["ready", "analyzing"]);
    compileSchemas(document).check({ $ref: "#/components/schemas/Matrix" }, late.json, "202");
    assert.ok(faultNames(assertProblem(matmul, 422)).includes("analyze"), "other models have no structures");
});
