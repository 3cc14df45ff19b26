// Two calibrations of one machine over the socket: representations, strange names, sizes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { assertClose, assertProblem, client, faultNames, parseCsv, worked } from "./client.mjs";

const ROWS = 10_000; /* as many as a table may have */
const compare = (machine, query = "", suffix = "") => `/api/v1/machines/${machine}/calibrations/compare${suffix}${query && `?${query}`}`;

let daemon, api, token;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    api = client(daemon.url);
    token = await daemon.token("write");
});
after(() => daemon?.stop());

/** Uploads documents of a machine; returns their ids. */
async function upload(machine, ...documents) {
    const ids = [];
    for (const document of documents) {
        const answer = await api.upload({ ...JSON.parse(worked), ...document, machine }, token);
        assert.equal(answer.status, 201, answer.text.slice(0, 500));
        ids.push(answer.json.id);
    }
    return ids;
}

const caches = (names, latency_s) => ({ memory: { caches: names.map((name, i) => ({ name, capacity_bytes: 1024 << i, line_bytes: 64, policy: "lru", latency_s: latency_s * (1 + i) })) } });

test("the tables have the same rows in JSON and in CSV", async () => {
    const [from, to] = await upload("tables", {}, { node: { cores_per_node: 16, peak_flops_per_s: 81e9, clock_hz: 2e9 }, description: "Another." });
    const answer = (await api.get(compare("tables", `from=${from}&to=${to}&model=matmul&algorithm=cannon&variant=2d&n=4000&processes=4,16`))).json;
    assert.equal(answer.changes.length, answer.values.changed + answer.values.added + answer.values.removed);
    assert.deepEqual(answer.changes.map((row) => [row.path, row.change]), [["node.cores_per_node", "changed"], ["node.peak_flops_per_s", "changed"],
        ["node.memory_bytes", "removed"], ["node.clock_hz", "added"]]);
    for (const table of ["changes", "fields", "predictions", "conditions"]) {
        const text = await api.get(compare("tables", `from=${from}&to=${to}&model=matmul&algorithm=cannon&variant=2d&n=4000&processes=4,16&table=${table}`, ".csv"));
        const [header, ...lines] = parseCsv(text.text);
        assert.equal(lines.length, answer[table].length, table);
        assert.deepEqual(header, Object.keys(answer[table][0]), table);
        lines.forEach((line, i) => header.forEach((name, k) => {
            const value = answer[table][i][name];
            if (name === "parameters") assert.deepEqual([...new URLSearchParams(line[k]).keys()], Object.keys(value));
            else if (typeof value === "number") assert.equal(Number(line[k]), value, `${table} ${name}`);
            else assert.equal(line[k], value === null ? "" : String(value), `${table} ${name}`);
        }));
    }
});

test("both times are those of predictions with either calibration", async () => {
    const [from, to] = await upload("times", {}, { node: { cores_per_node: 8, peak_flops_per_s: 160e9, memory_bytes: 1.6e9 } });
    const { predictions } = (await api.get(compare("times"))).json;
    const answered = predictions.filter((row) => row.reason === null);
    assert.ok(answered.length > 5);
    for (const { model, parameters, from_time_s, to_time_s, ratio } of answered) {
        for (const [calibration, time_s] of [[from, from_time_s], [to, to_time_s]])
            assertClose((await api.predict({ model, calibration, parameters })).time_s, time_s, model);
        assertClose(ratio, to_time_s / from_time_s, model);
    }
});

test("an answer is revalidated, and not sent twice", async () => {
    await upload("known", {}, { node: { cores_per_node: 16 } });
    const { headers } = await api.get(compare("known"));
    assert.equal((await api.get(compare("known"), { headers: { "If-None-Match": headers.etag } })).status, 304);
    assert.equal((await api.head(compare("known"))).status, 200);
    assert.equal((await api.send(compare("known"), { method: "POST", body: "{}" })).status, 405);
});

test("long and unusual names of rows remain texts", async () => {
    const names = ["a,b\"c\nd", "$(touch forerun-evil)", "x".repeat(5000), `x${"é".repeat(100)}`, "[=]"];
    await upload("strange", caches(names, 1e-8), caches(names, 5e-9));
    const { changes } = (await api.get(compare("strange"))).json;
    assert.equal(changes.length, names.length);
    for (const { path, relative_change } of changes) {
        assert.ok(!path.includes("\ufffd"), path);
        assert.ok(path.length < 240 && path.startsWith("memory.caches."), path);
        assert.equal(relative_change, -0.5);
    }
    assert.equal(parseCsv((await api.get(compare("strange", "", ".csv"))).text).length, names.length + 1);
    for (const line of (await api.get(compare("strange", "", ".txt"))).text.trim().split("\n")) assert.match(line, /^[a-z0-9_]+=[A-Za-z0-9._:+-]*$/);
});

test("tables of maximum size are compared, and the answer is small", async () => {
    const table = (factor) => ({
        contention: { message_bytes: 1, average: [{ distance: 1, factor: 1 }],
            exchange: Array.from({ length: ROWS }, (_, i) => ({ processes: 4, distance: ROWS - i, message_bytes: i, average_s: factor * (1 + i) })) },
        sources: Object.fromEntries(Array.from({ length: ROWS }, (_, i) => [`/contention/exchange/${i}`, `measured: so (3 samples, spread ${i % 7}.0 %)`])),
    });
    await upload("large", table(1), table(1.05));
    const answer = await api.get(compare("large", "limit=1000"));
    assert.equal(answer.json.changes.length, 1000);
    assert.equal(answer.json.left_out, ROWS - 1000);
    /* Within where the two spreads together make up for 5 %: from 5 % on, of 0 to 6 %. */
    assert.equal(answer.json.values.within_spread, Array.from({ length: ROWS }, (_, i) => i % 7).filter((spread) => spread >= 5).length);
    assert.ok(answer.body.length < 2e6);
    assert.deepEqual(faultNames(assertProblem(await api.get(compare("large", "limit=1001")), 422)), ["limit"]);
});

/** The record of a source in words, without what it does not state. */
function recordOf(words) {
    const [, kind = "stated", told] = /^(?:(measured|published|assumed): )?(.*)$/.exec(words);
    const [, rest, load] = /^(.*?)(?:; loaded: (.*))?$/.exec(told);
    const [, most, measured_on] = /^(.*?)(?:; on (\d{4}-\d\d-\d\d))?$/.exec(rest);
    const [, before, samples, inside, after] = /^(.*?)(?: \((\d+) samples?(?:, ([^)]*))?\)(.*))?$/.exec(most);
    const statements = inside?.split(", ") ?? [], spread = statements.find((each) => /^spread [\d.]+ %$/.test(each));
    const record = { kind, text: before + (after ?? ""), samples: samples && Number(samples), spread_fraction: spread && parseFloat(spread.slice(7)) / 100,
        statistic: statements.filter((each) => each !== spread).join(", ") || undefined, measured_on, load };
    return JSON.parse(JSON.stringify(record));
}

test("a source as a record and one in words tell the same", async () => {
    const set = JSON.parse(readFileSync(new URL("../../calibrations/sets/example.json", import.meta.url)));
    const changed = { memory: { ...set.memory, call_s: 1.01 * set.memory.call_s, row_element_s: 1.2 * set.memory.row_element_s, index_bytes: 8 },
        sparse: { ...set.sparse, fit: { ...set.sparse.fit, gemm: 1.01 * set.sparse.fit.gemm } },
        contention: { ...set.contention, burst_placement: "scattered" } };
    const records = Object.fromEntries(Object.entries(set.sources).map(([pointer, words]) => [pointer, recordOf(words)]));
    assert.deepEqual(new Set(Object.values(records).flatMap(Object.keys)), new Set(["kind", "text", "samples", "spread_fraction", "statistic", "measured_on", "load"]));
    const [words, , record] = [...await upload("words", set, { ...set, ...changed }), ...await upload("records", { ...set, sources: records }, { ...set, ...changed, sources: records })];
    const [ofWords, ofRecord] = await Promise.all([words, record].map(async (id) => (await api.get(`/api/v1/calibrations/${id}/quality`)).json));
    /* Ages count from each answer, and a day may end between two. */
    const ageless = (parts) => parts.map(({ age_days, ...part }) => ({ ...part, hasAge: typeof age_days === "number" }));
    assert.deepEqual(ageless(ofRecord.parts), ageless(ofWords.parts).map((part) => ({ ...part, command: part.command?.replace("=words", "=records") ?? null })));
    assert.deepEqual(ofRecord.sources, ofWords.sources);
    assert.deepEqual(Object.fromEntries(ofRecord.sources.map(({ pointer, ...source }) => [pointer, Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null))])), records);
    const [changes, same] = await Promise.all(["words", "records"].map(async (machine) => (await api.get(compare(machine))).json.changes));
    const told = ({ from_source, to_source, ...change }) => ({ ...change, sources: [from_source, to_source].map((text) => text?.split(/[(),;] ?/).sort()) });
    assert.deepEqual(same.map(told), changes.map(told));
    const source = (path) => changes.find((change) => change.path === path).to_source;
    assert.equal(source("memory.call_s"), set.sources["/memory/call_s"]);
    assert.equal(source("memory.index_bytes"), set.sources["/memory/index_bytes"]);
    assert.equal(source("contention.burst_placement"), set.sources["/contention/burst_placement"]);
    assert.equal(source("sparse.fit.gemm"), set.sources["/sparse/fit"]);
    assert.match(same.find(({ path }) => path === "sparse.fit.gemm").to_source, /worst 1\.169 \(24 samples, spread 1\.3 %, best median of 4 rounds of 5\); on 2026-11-23$/);
    const question = { model: "matmul", parameters: { n: 4096, processes: 4, threads: 1, algorithm: "cannon", variant: "2d" } };
    const [one, other] = await Promise.all([words, record].map((calibration) => api.predict({ ...question, calibration })));
    assert.ok(one.calibration_spread.spread_fraction > 0);
    assert.deepEqual(other.calibration_spread, one.calibration_spread);
    assert.deepEqual(other.warnings, one.warnings);
});
