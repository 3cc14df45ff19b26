// Uploading calibrations: ids that clients recompute, limits, encodings, documents for one answer only.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { standingDaemon } from "./clock.mjs";
import { calibrationId, canonical } from "../tools/canonical.mjs";
import { assertClose, assertProblem, assertProblemObject, client, faultNames, raw, worked } from "./client.mjs";

const MIB = 1024 * 1024;
const vectors = JSON.parse(readFileSync(new URL("../../api/canonical-vectors.json", import.meta.url), "utf8"));
const tiny = (machine, more = {}) => ({ schema: "forerun-calibration-1", machine, ...more });
const cannon = { contention_model: "paper", algorithm: "cannon", variant: "2d", n: 4000, processes: 16, threads: 4 };

let daemon, api, token;
before(async () => {
    daemon = await standingDaemon({ calibrations: null });
    api = client(daemon.url);
    token = await daemon.token("write");
});
after(() => daemon?.stop());

test("the test vectors of the canonical form are what ECMAScript makes of them", () => {
    assert.ok(vectors.length >= 15);
    for (const { json, canonical: expected, id } of vectors) {
        assert.equal(canonical(JSON.parse(json)), expected);
        assert.equal(calibrationId(JSON.parse(json)), id);
    }
});

test("a new calibration gives 201 with its location, the same one again 200 with the same id", async () => {
    const first = await api.upload(worked, token);
    assert.equal(first.status, 201, first.text);
    assert.equal(first.headers.location, `/api/v1/calibrations/${first.json.id}`);
    assert.equal(first.json.machine, "worked");
    const again = await api.upload(JSON.stringify(JSON.parse(worked), null, 4), token);
    assert.equal(again.status, 200, again.text);
    assert.deepEqual(again.json, first.json);
    const there = await api.get(first.headers.location);
    assert.equal(there.text, worked, "the document comes back as it was uploaded first");
});

test("the id is the one that a client computes from the canonical form", async () => {
    const answer = await api.upload(worked, token);
    assert.equal(answer.json.id, calibrationId(JSON.parse(worked)));
});

for (const { about, json } of vectors)
    test(`the daemon's canonical form: ${about}`, async () => {
        // network.hop_ping takes any content, so that every vector can be part of a legal document.
        const text = `{"schema":"forerun-calibration-1","machine":"vectors","network":{"hop_ping":{"vector":${json}}}}`;
        const answer = await api.upload(text, token);
        assert.ok([200, 201].includes(answer.status), answer.text);
        assert.equal(answer.json.id, calibrationId(JSON.parse(text)));
        assert.equal((await api.get(answer.json.url)).text, text);
    });

test("numbers at the edges of what doubles hold keep their value in the id", async () => {
    for (const number of ["5e-324", "1.7976931348623157e308", "1E+2", "123456789012345680000"]) {
        const text = `{"schema":"forerun-calibration-1","machine":"edges","network":{"hop_ping":${number}}}`;
        const answer = await api.upload(text, token);
        assert.ok([200, 201].includes(answer.status), `${number}: ${answer.text}`);
        assert.equal(answer.json.id, calibrationId(JSON.parse(text)));
    }
});

test("impossible calibrated values are refused", async () => {
    for (const number of ["5e-324", "1e-31", "1.1e30", "1.7976931348623157e308"]) {
        const text = `{"schema":"forerun-calibration-1","machine":"edges","node":{"clock_hz":${number}}}`;
        const answer = await api.upload(text, token);
        assertProblem(answer, 422);
        assert.deepEqual(answer.json.errors.map((e) => [e.pointer, e.code]), [["/node/clock_hz", "out_of_range"]]);
    }
});

test("texts with half a surrogate pair, or with NUL, are refused", async () => {
    for (const bad of ["\\ud83d", "\\ude00\\ud83d", "a\\u0000b"]) {
        const answer = await api.upload(`{"schema":"forerun-calibration-1","machine":"half","description":"${bad}"}`, token, "half");
        assert.ok([400, 422].includes(answer.status), `${bad}: ${answer.status} ${answer.text}`);
        assertProblem(answer, answer.status);
    }
    assert.equal((await api.get("/api/v1/machines/half")).status, 404);
});

test("a body that is not UTF-8 is a syntax fault", async () => {
    const body = Buffer.concat([Buffer.from('{"schema":"forerun-calibration-1","machine":"latin","description":"'),
        Buffer.from([0xe9, 0xff]), Buffer.from('"}')]);
    assertProblem(await api.post("/api/v1/machines/latin/calibrations", body, { token }), 400);
});

test("an upload may be gzip", async () => {
    const document = tiny("zipped", { description: "packed" });
    const answer = await api.post("/api/v1/machines/zipped/calibrations", gzipSync(JSON.stringify(document)),
        { token, headers: { "Content-Encoding": "gzip" } });
    assert.equal(answer.status, 201, answer.text);
    assert.equal(answer.json.id, calibrationId(document));
    assert.deepEqual((await api.get(answer.json.url)).json, document);
});

test("a gzip upload may have any length, also that of a buffer", async () => {
    for (const length of [1000, 16383, 16384, 16385, 32768, 65536]) {
        const body = JSON.stringify({ requests: [] }).padEnd(length, " ");
        const answer = await api.post("/api/v1/predict", gzipSync(body), { headers: { "Content-Encoding": "gzip" } });
        assert.equal(answer.status, 200, `${length}: ${answer.text}`);
    }
});

test("an upload may be several gzip members in a row", async () => {
    const text = JSON.stringify({ requests: [] });
    const body = Buffer.concat([gzipSync(text.slice(0, 5)), gzipSync(text.slice(5))]);
    assert.equal((await api.post("/api/v1/predict", body, { headers: { "Content-Encoding": "gzip" } })).status, 200);
});

test("a tag is compared as weak or strong alike", async () => {
    const tag = (await api.get("/api/v1/models")).headers.etag.replace(/^W\//, "");
    for (const given of [tag, `W/${tag}`, `"other", W/${tag}`])
        assert.equal((await api.get("/api/v1/models", { headers: { "If-None-Match": given } })).status, 304, given);
    for (const given of [tag.slice(0, -2) + '"', tag.slice(1, -1), `"${tag}"`])
        assert.equal((await api.get("/api/v1/models", { headers: { "If-None-Match": given } })).status, 200, given);
});

test("what says gzip and is not is a syntax fault, and so is a gzip that ends early", async () => {
    const packed = gzipSync(JSON.stringify(tiny("zipped")));
    for (const body of [Buffer.from("{}"), packed.subarray(0, packed.length - 9), Buffer.alloc(0)])
        assertProblem(await api.post("/api/v1/machines/zipped/calibrations", body,
            { token, headers: { "Content-Encoding": "gzip" } }), 400);
});

test("a body over 16 MiB is refused as too large", async () => {
    const body = JSON.stringify(tiny("large", { description: "x".repeat(16 * MIB) }));
    assertProblem(await api.post("/api/v1/machines/large/calibrations", body, { token }), 413);
});

test("a body with a too large Content-Length is refused before it is sent", async () => {
    const text = await raw(daemon.url, `POST /api/v1/predict HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n`
        + `Content-Length: 99999999999\r\nExpect: 100-continue\r\n\r\n`);
    assert.match(text, /^HTTP\/1\.1 413 /);
});

test("a body just under 16 MiB is read", async () => {
    const body = JSON.stringify(tiny("nearly", { description: "x".repeat(15 * MIB) }));
    const answer = await api.post("/api/v1/machines/nearly/calibrations", body, { token });
    assert.ok([201, 422].includes(answer.status), answer.text.slice(0, 300)); // a text may have its own limit
});

test("a gzip bomb is refused by its decompressed size", async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB, " "), { level: 9 });
    assert.ok(bomb.length < MIB);
    assertProblem(await api.post("/api/v1/predict", bomb, { headers: { "Content-Encoding": "gzip" } }), 413);
    assert.equal((await api.get("/healthz")).status, 200);
});

test("NDJSON is not read where one document is expected", async () => {
    const line = JSON.stringify(tiny("lines"));
    assertProblem(await api.post("/api/v1/machines/lines/calibrations", `${line}\n${line}\n`,
        { token, headers: { "Content-Type": "application/x-ndjson" } }), 415);
});

test("all faults of a document are listed, the first 32 where there are more", async () => {
    const rows = Array.from({ length: 100 }, (_, i) => ({ distance: i + 1, factor: -1 }));
    const problem = assertProblem(await api.upload(tiny("many", { contention: { average: rows } }), token), 422);
    assert.equal(problem.errors.length, 32);
    assert.match(problem.detail, /100/);
    const few = assertProblem(await api.upload(tiny("many", { contention: { average: rows.slice(0, 20) } }), token), 422);
    assert.deepEqual(faultNames(few), rows.slice(0, 20).map((_, i) => `/contention/average/${i}/factor`).sort());
});

test("a document given in a request is used for the answer and not stored", async () => {
    const document = { ...JSON.parse(worked), machine: "visitor" };
    document.node.peak_flops_per_s *= 2;
    const result = await api.predict({ model: "matmul", calibration: document, parameters: cannon });
    assertClose(result.computation_s, 0.125);
    assert.equal(result.machine, "visitor");
    assert.equal(result.calibration, calibrationId(document));
    assert.equal((await api.get("/api/v1/machines/visitor")).status, 404);
    assert.equal((await api.get(`/api/v1/calibrations/${result.calibration}`)).status, 404);
});

test("a document given in a request is validated as if uploaded", async () => {
    const document = { ...JSON.parse(worked), machine: "Visitor", extra: 1 };
    document.node.cores_per_node = 0;
    const problem = assertProblemObject(await api.predict({ model: "matmul", calibration: document, parameters: cannon }), 422);
    const names = faultNames(problem);
    for (const ending of ["/machine", "/extra", "/node/cores_per_node"])
        assert.ok(names.some((name) => name.endsWith(ending)), `${ending} in ${names}`);
});

test("an assumed and an unstated value are named by the prediction that used them", async () => {
    const document = JSON.parse(worked);
    document.sources = { "/node": document.sources["/node"], "/kernels": document.sources["/kernels"],
        "/network": "assumed: nobody measured it" };
    const result = await api.predict({ model: "matmul", calibration: document, parameters: cannon });
    const pairs = result.warnings.map(({ code }) => code).sort();
    assert.deepEqual(pairs, ["assumed_value", "unstated_source"]);
    const said = Object.fromEntries(result.warnings.map(({ code, what, message }) => [code, `${what} ${message}`]));
    assert.match(said.assumed_value, /\/network/);
    assert.match(said.unstated_source, /\/contention/);
});

test("a value that is measured more closely below an assumed group is not called assumed", async () => {
    const document = JSON.parse(worked);
    document.sources["/network"] = "assumed: nobody measured it";
    document.sources["/network/protocols"] = "measured: ping-pong";
    const result = await api.predict({ model: "matmul", calibration: document, parameters: cannon });
    assert.deepEqual(result.warnings, []);
});

test("a group that the model needs and the document lacks is refused, without contention it is not needed", async () => {
    const document = JSON.parse(worked);
    delete document.contention;
    delete document.sources["/contention"];
    const problem = assertProblemObject(await api.predict({ model: "matmul", calibration: document, parameters: cannon }), 422);
    assert.deepEqual(problem.errors.map((e) => e.code), ["calibration_group_missing"]);
    assert.match(problem.errors[0].message, /contention/);
    const without = await api.predict({ model: "matmul", calibration: document, parameters: { ...cannon, contention: false } });
    assertClose(without.communication_s, 0.008008);
});

test("answers over 1 KiB are compressed if the client accepts gzip, small ones are not", async () => {
    const plain = await api.get("/api/v1/models/matmul");
    assert.equal(plain.headers["content-encoding"], undefined);
    const packed = await api.get("/api/v1/models/matmul", { headers: { "Accept-Encoding": "gzip" } });
    assert.equal(packed.headers["content-encoding"], "gzip");
    assert.match(packed.headers.vary ?? "", /accept-encoding/i);
    assert.equal(gunzipSync(packed.body).toString(), plain.text);
    assert.ok(packed.body.length < plain.body.length);
    const small = await api.get("/healthz", { headers: { "Accept-Encoding": "gzip" } });
    assert.equal(small.headers["content-encoding"], undefined);
    const refused = await api.get("/api/v1/models/matmul", { headers: { "Accept-Encoding": "gzip;q=0, br" } });
    assert.equal(refused.headers["content-encoding"], undefined);
});

test("the ETag of a compressed answer is answered with 304 as well", async () => {
    const headers = { "Accept-Encoding": "gzip" };
    const packed = await api.get("/api/v1/models/matmul", { headers });
    const again = await api.get("/api/v1/models/matmul", { headers: { ...headers, "If-None-Match": packed.headers.etag } });
    assert.equal(again.status, 304);
});

test("every GET under /api has an ETag and answers it with 304", async () => {
    const { id } = (await api.upload(worked, token)).json;
    const query = "machine=worked&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4";
    const paths = ["", "/openapi.yaml", "/openapi.json", "/models", "/models/trsm", "/fields", "/machines", "/machines/worked",
        "/machines/worked/calibrations", `/calibrations/${id}`, `/calibrations/${id}/chart/kernels.svg`,
        `/predict/matmul?${query}`, `/predict/matmul.csv?${query}`, `/predict/matmul.txt?${query}`, `/sweep/matmul?${query}`,
        `/sweep/matmul.csv?${query}`, `/chart/matmul.svg?${query.replace("16", "4..64..*4")}&x=processes`,
        `/chart/matmul.gp?${query.replace("16", "4..64..*4")}&x=processes`, `/rank/matmul?machine=worked&n=4000&processes=16&threads=4`,
        `/recommend/matmul?machine=worked&objective=time&n=4000&threads=4&max_nodes=8`];
    for (const path of paths.map((p) => `/api/v1${p}`)) {
        const answer = await api.get(path);
        assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 300)}`);
        assert.match(answer.headers.etag ?? "", /^(W\/)?"[^"]+"$/, path);
        assert.ok(answer.headers["cache-control"], `Cache-Control of ${path}`);
        const again = await api.get(path, { headers: { "If-None-Match": answer.headers.etag } });
        assert.equal(again.status, 304, path);
        assert.equal(again.body.length, 0);
        const head = await api.head(path);
        assert.equal(head.status, 200, `HEAD ${path}`);
        assert.equal(head.body.length, 0);
        assert.equal(head.headers.etag, answer.headers.etag, `HEAD ${path}`);
        assert.equal(head.headers["content-type"], answer.headers["content-type"], `HEAD ${path}`);
        const elsewhere = await api.get(path, { headers: { Origin: "https://example.org" } });
        assert.equal(elsewhere.headers["access-control-allow-origin"], "*", path);
    }
});

test("a machine's ETag changes when a calibration is added", async () => {
    await api.upload(tiny("changing"), token);
    const before = (await api.get("/api/v1/machines/changing")).headers.etag;
    await api.upload(tiny("changing", { description: "newer" }), token);
    const after = await api.get("/api/v1/machines/changing", { headers: { "If-None-Match": before } });
    assert.equal(after.status, 200);
    assert.equal(after.json.calibrations, 2);
});

test("a prediction by machine follows the newest calibration", async () => {
    const query = "/api/v1/predict/matmul?machine=follow&contention_model=paper&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4";
    const document = { ...JSON.parse(worked), machine: "follow" };
    await api.upload(document, token);
    const first = await api.get(query);
    document.node.peak_flops_per_s *= 2;
    await api.upload(document, token);
    const second = await api.get(query, { headers: { "If-None-Match": first.headers.etag } });
    assert.equal(second.status, 200);
    assertClose(second.json.computation_s, first.json.computation_s / 2);
});

test("lists are paged, every item once, in the order that holds without pages", async () => {
    for (let i = 0; i < 7; i++) await api.upload(tiny("pages", { description: `number ${i}` }), token);
    for (let i = 0; i < 5; i++) await api.put(`/api/v1/machines/page-${i}`, {}, { token });
    for (const path of ["/api/v1/machines", "/api/v1/machines/pages/calibrations"]) {
        const whole = (await api.get(`${path}?limit=1000`)).json;
        assert.equal(whole.next, null);
        const seen = [];
        let next = `${path}?limit=2`, pages = 0;
        while (next && ++pages < 100) {
            const page = await api.get(next);
            assert.equal(page.status, 200, page.text);
            assert.ok(page.json.items.length >= 1 && page.json.items.length <= 2);
            seen.push(...page.json.items);
            next = page.json.next;
            if (next !== null) next = next.replace(/^https?:\/\/[^/]+/, "");
        }
        assert.deepEqual(seen.map((item) => item.id ?? item.name), whole.items.map((item) => item.id ?? item.name));
    }
    const names = (await api.get("/api/v1/machines?limit=1000")).json.items.map((item) => item.name);
    assert.deepEqual(names, [...names].sort());
});
