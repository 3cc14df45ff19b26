// Partitions of matrices: found when asked for, kept, listed and drawn; failures.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { temporaryFolder } from "../daemon.mjs";
import { assertProblem, faultNames, parseCsv } from "./client.mjs";
import { document } from "./document.mjs";
import { serve, small, until } from "./matrix_server.mjs";
import { compileSchemas } from "./schemas.mjs";

describe("partitions", () => {
    const ajv = compileSchemas(document);
    let it;
    before(async () => (it = await serve()));
    after(() => it?.daemon.stop());
    const path = "/api/v1/matrices";
    /** Asks until all are ready or have failed. */
    const settled = (query, from = it) => until(query, async () => {
        const answer = await from.api.get(`${path}/${query}`);
        ajv.check({ $ref: "#/components/schemas/PartitionList" }, answer.json, query);
        assert.ok([200, 202].includes(answer.status), answer.text);
        return answer.status === 200 && answer.json.items;
    });

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
        await other.upload(small(`held contiguous\n%gate ${folder.file("gate")}`), "?name=slow&orderings=amd");
        await other.api.get(`${path}/slow/partitions?processes=1,2&partition=contiguous`);
        await until("one is analyzed", async () => (await other.api.get(`${path}/slow/partitions`)).json.items.some((row) => row.status === "analyzing"));
        await other.daemon.stop();
        writeFileSync(folder.file("gate"), "");
        other = await serve({ db });
        assert.deepEqual((await settled("slow/partitions?processes=1,2&partition=contiguous", other)).map((row) => row.status), ["ready", "ready"]);
        await other.daemon.stop();
        await folder.remove();
    });
});
