// The OpenAPI document: equal in both forms, and correct.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { parse } from "yaml";
import { startDaemon } from "../daemon.mjs";
import { assertClose, client, worked } from "./client.mjs";
import { document } from "./document.mjs";
import { fake, readyMatrix } from "./matrix_server.mjs";
import { compileSchemas } from "./schemas.mjs";

const METHODS = ["get", "put", "post", "delete"];
const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({ path, method, operation: item[method] })));
const resolve = (node) => (node?.$ref ? node.$ref.slice(2).split("/").reduce((at, key) => at[key], document) : node);

/** Every node of a document with the pointer to it. */
function* nodes(value, pointer = "") {
    yield [pointer, value];
    if (value && typeof value === "object")
        for (const [key, each] of Object.entries(value)) yield* nodes(each, `${pointer}/${key}`);
}

/** Equal, but for the wording of sentences, the version, and digits beyond the ninth. */
function assertAlike(got, expected, at) {
    if (typeof expected === "number") return assertClose(got, expected, at);
    if (["message", "detail", "engine"].includes(at.split(".").at(-1))) return assert.ok(typeof got === "string" && got, at);
    if (expected === null || typeof expected !== "object") return assert.equal(got, expected, at);
    assert.deepEqual(Object.keys(got), Object.keys(expected), at);
    for (const key of Object.keys(expected)) assertAlike(got[key], expected[key], `${at}.${key}`);
}

describe("the document", () => {
    test("every reference resolves, every component is used", () => {
        const used = new Set();
        for (const [pointer, node] of nodes(document)) {
            if (typeof node?.$ref !== "string") continue;
            assert.ok(resolve(node) !== undefined, `${pointer}: ${node.$ref}`);
            used.add(node.$ref);
        }
        for (const [kind, parts] of Object.entries(document.components))
            for (const name of Object.keys(parts))
                if (kind !== "securitySchemes") assert.ok(used.has(`#/components/${kind}/${name}`), `nothing refers to ${kind}/${name}`);
    });

    test("every operation has a unique name and a tag", () => {
        const ids = operations.map(({ operation }) => operation.operationId);
        assert.equal(new Set(ids).size, ids.length);
        const tags = document.tags.map((tag) => tag.name);
        for (const { path, operation } of operations) assert.ok(tags.includes(operation.tags[0]), path);
    });

    test("every schema is valid", () => {
        const ajv = compileSchemas(document);
        for (const name of Object.keys(document.components.schemas)) assert.ok(ajv.schema(name), name);
    });

    test("every example fits its schema", () => {
        const ajv = compileSchemas(document);
        for (const { path, operation } of operations)
            for (const [content, at] of [operation.requestBody, ...Object.values(operation.responses)].filter(Boolean)
                .flatMap((part) => Object.entries(resolve(part).content ?? {}))) {
                for (const [name, example] of Object.entries(at.examples ?? {}))
                    ajv.check(at.schema, resolve(example).value, `${path} ${content} ${name}`);
            }
    });
});

describe("the daemon", () => {
    let daemon, api, run, admin;
    before(async () => {
        daemon = await startDaemon({ calibrations: null, args: ["--analyze-program", fake] });
        api = client(daemon.url);
        const token = await daemon.token("write");
        admin = await daemon.token("admin");
        const uploaded = await api.upload(worked, token);
        assert.equal(uploaded.status, 201, uploaded.text);
        for (const cores_per_node of [4, 8]) {
            const twin = { ...JSON.parse(worked), machine: "twins" };
            assert.equal((await api.upload({ ...twin, node: { ...twin.node, cores_per_node } }, token)).status, 201);
        }
        const runs = await api.post("/api/v1/machines/worked/runs", document.components.examples.run.value, { token });
        assert.equal(runs.status, 201, runs.text);
        run = runs.json.items[0].id;
        const entries = Array.from({ length: 5 }, (_, i) => `${i + 1} ${i + 1} 1\n`).join("");
        await readyMatrix(api, token, "name=five", `%%MatrixMarket matrix coordinate real general\n5 5 5\n${entries}`);
    });
    after(() => daemon?.stop());

    test("serves the same document in both forms", async () => {
        const { text } = await api.get("/api/v1/openapi.yaml");
        assert.deepEqual((await api.get("/api/v1/openapi.json")).json, document);
        assert.deepEqual(parse(text, { strict: true, uniqueKeys: true }), document);
    });

    const asked = Object.entries(document.components.examples).filter(([, { summary }]) => summary.startsWith("GET "));
    for (const [name, { summary, value }] of asked)
        test(`the example ${name} is what the daemon answers`, async () => {
            assertAlike(JSON.parse((await api.get(summary.slice(4))).text), value, name);
        });

    test("whatever writes is refused without a token, and documented so; so is the audit log", async () => {
        for (const { path, method, operation } of operations) {
            const isOpen = path === "/api/v1/predict" || (method === "get" && path !== "/api/v1/audit");
            assert.equal(operation.security === undefined, isOpen, `${method} ${path}`);
            if (method === "get" && isOpen) continue;
            const real = path.replace("{machine}", "worked").replace("{matrix}", "none").replace("{id}", "0123456789abcdef");
            const { status } = await api.send(real, { method: method.toUpperCase(), ...(operation.requestBody && { body: "{}" }) });
            assert.equal(status === 401, !isOpen, `${method} ${real}: ${status}`);
        }
    });

    test("the content types of every GET are those that are documented", async () => {
        const { calibration } = (await api.get("/api/v1/machines/worked")).json;
        const query = {
            "/api/v1/predict/{model}": "machine=worked&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4",
            "/api/v1/sweep/{model}": "machine=worked&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4",
            "/api/v1/chart/{model}": "machine=worked&algorithm=cannon&variant=2d&n=4000&processes=4..64..*4&threads=4&x=processes",
            "/api/v1/forecast/{model}": "machine=worked&algorithm=cannon&n=2000,4000&processes=4,16&threads=4",
            "/api/v1/rank/{model}": "machine=worked&n=4000&processes=16&threads=4",
            "/api/v1/recommend/{model}": "machine=worked&objective=time&n=4000&threads=4&max_nodes=8",
            "/api/v1/recommend/{model}/chart": "machine=worked&n=4000&threads=4&max_nodes=8",
            "/api/v1/sensitivity/{model}": "machine=worked&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4",
            "/api/v1/sensitivity/{model}/chart": "machine=worked&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4",
            "/api/v1/matrices/{matrix}/partitions/facts": "processes=2",
            "/api/v1/matrices/{matrix}/partitions/messages": "processes=2",
        };
        await api.get("/api/v1/matrices/five/partitions/facts?processes=2"); // an empty list has no content type
        const types = ["application/json", "text/csv", "text/plain", "image/svg+xml", "image/png", "application/pdf"];
        for (const { path, method, operation } of operations) {
            if (method !== "get" || !path.startsWith("/api/v1/") || path.includes("openapi")) continue;
            const machine = path.endsWith("/compare") ? "twins" : "worked"; // two are compared
            const real = path.replace("{model}", "matmul").replace("{machine}", machine).replace("runs/{id}", `runs/${run}`)
                .replace("{matrix}", "five").replace("{id}", calibration).replace("{what}", "kernels") + (query[path] ? `?${query[path]}` : "");
            const documented = Object.keys(resolve(operation.responses["200"]).content);
            for (const type of types) {
                if (type === "text/plain" && documented.includes("image/png")) continue; // the script's: by suffix only
                const answer = await api.get(real, { headers: { Accept: type }, token: operation.security && admin });
                if (documented.includes(type)) {
                    assert.equal(answer.status, 200, `${real} as ${type}: ${answer.text.slice(0, 200)}`);
                    assert.ok(answer.headers["content-type"].startsWith(type), `${real} as ${type}`);
                } else assert.equal(answer.status, 406, `${real} as ${type}`);
            }
        }
    });

    test("every JSON answer fits its schema", async () => {
        const ajv = compileSchemas(document);
        const { calibration } = (await api.get("/api/v1/machines/worked")).json;
        const cannon = "machine=worked&algorithm=cannon&variant=2d&n=4000&processes=16&threads=4";
        for (const [schema, path] of [
            ["Status", "/healthz"], ["Status", "/readyz"], ["Index", "/api/v1"], ["ModelList", "/api/v1/models"],
            ["Model", "/api/v1/models/matmul"], ["Model", "/api/v1/models/trsm"], ["Model", "/api/v1/models/cholesky"],
            ["Chart", `/api/v1/chart/matmul.json?${cannon.replace("16", "4,16,64")}`], ["Chart", `/api/v1/chart/matmul.json?${cannon.replace("16", "4,16,64")}&kind=breakdown`],
            ["Chart", `/api/v1/chart/matmul.json?${cannon.replace("16", "4,16,64").replace("2d", "2d,2d_ovlp")}&kind=map`],
            ["Chart", `/api/v1/sensitivity/matmul/chart.json?${cannon}`], ["Chart", "/api/v1/recommend/matmul/chart.json?machine=worked&n=4000&threads=4&max_nodes=8"],
            ...["kernels", "bandwidth", "contention"].map((what) => ["Chart", `/api/v1/calibrations/${calibration}/chart/${what}.json`]),
            ["Chart", "/api/v1/machines/worked/accuracy/chart.json"], ["Chart", "/api/v1/machines/worked/accuracy/history.json"], ["Chart", "/api/v1/matrices/five/spy.json"],
            ["Chart", "/api/v1/matrices/five/partitions/chart.json"], ["Chart", "/api/v1/matrices/five/partitions/messages.json?processes=2"],
            ["Fields", "/api/v1/fields"], ["MachineList", "/api/v1/machines"], ["AuditList", "/api/v1/audit"], ["Machine", "/api/v1/machines/worked"],
            ["CalibrationList", "/api/v1/machines/worked/calibrations"], ["Calibration", `/api/v1/calibrations/${calibration}`],
            ["Comparison", "/api/v1/machines/twins/calibrations/compare"],
            ["MatrixList", "/api/v1/matrices"], ["Matrix", "/api/v1/matrices/five"], ["BlockStructure", "/api/v1/matrices/five/structure"],
            ["MumpsMemory", "/api/v1/matrices/five/mumps?memory_bytes=1e9"],
            ["PartitionFacts", "/api/v1/matrices/five/partitions/facts?processes=2"], ["PartitionList", "/api/v1/matrices/five/partitions"],
            ["RunList", "/api/v1/machines/worked/runs"], ["StoredRun", `/api/v1/runs/${run}`],
            ["Prediction", `/api/v1/predict/matmul?${cannon}`], ["Prediction", `/api/v1/predict/matmul?${cannon}&what_if.network.latency=*2`],
            ["Sweep", `/api/v1/sweep/matmul?${cannon.replace("16", "15,16")}`],
            ["Ranking", "/api/v1/rank/matmul?machine=worked&n=4000&processes=16&threads=4"],
            ["Forecast", "/api/v1/forecast/matmul?machine=worked&algorithm=cannon&n=2000,4000&processes=4,16&threads=4"],
            ["Accuracy", "/api/v1/machines/worked/accuracy"],
            ["Recommendation", "/api/v1/recommend/matmul?machine=worked&objective=time&n=4000&threads=4&max_nodes=8"],
            ["Recommendation", "/api/v1/recommend/matmul?machine=worked&objective=size&threads=4&nodes=2,8&deadline_s=1"],
            ["Sensitivity", `/api/v1/sensitivity/matmul?${cannon}`],
            ["Crossover", "/api/v1/recommend/matmul?machine=worked&objective=crossover&variant=2d,25d&threads=4&n=16..4000&processes=64"],
            ["Problem", "/api/v1/nothing"], ["Problem", "/api/v1/predict/matmul?machine=worked"],
            ["Problem", "/api/v1/recommend/matmul?machine=worked&objective=time&n=4000&threads=4&max_nodes=8&deadline_s=1e-6"],
        ]) {
            const { json } = await api.get(path, { token: schema === "AuditList" && admin });
            ajv.check({ $ref: `#/components/schemas/${schema}` }, json, path);
        }
    });

    test("the schemas that models and fields serve are JSON Schema 2020-12; a model's requires an object and has its parameters", async () => {
        const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, formats: { "date-time": true } });
        ajv.addVocabulary(["x-unit"]);
        const compiled = (schema) => {
            assert.equal(schema.$schema, "https://json-schema.org/draft/2020-12/schema");
            return ajv.compile(schema);
        };
        const { schema: ofCalibrations, run_schema: ofRuns } = (await api.get("/api/v1/fields")).json;
        for (const schema of [ofCalibrations, ofRuns]) compiled(schema);
        const { items } = (await api.get("/api/v1/models")).json;
        assert.ok(items.length > 0);
        for (const { name } of items) {
            const { schema, parameters } = (await api.get(`/api/v1/models/${name}`)).json;
            assert.equal(compiled(schema)([]), false, name);
            for (const parameter of parameters) assert.ok(parameter.name in schema.properties, `${name}: ${parameter.name}`);
        }
    });

    test("the schema of calibrations accepts the documents that the daemon accepts", async () => {
        const { schema } = (await api.get("/api/v1/fields")).json;
        const validate = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
        assert.ok(validate(JSON.parse(worked)), JSON.stringify(validate.errors));
        const wrong = JSON.parse(worked);
        wrong.node.cores = 8;
        assert.ok(!validate(wrong));
        delete wrong.node.cores;
        wrong.node.cores_per_node = 0;
        assert.ok(!validate(wrong));
        const record = { kind: "measured", text: "x", samples: 9, spread_fraction: 0, measured_on: "2026-11-20", load: null };
        for (const [source, isRight] of [[record, true], ["measured: x", true], [{ ...record, spread: 0.1 }, false], [{ ...record, kind: "guessed" }, false], [{ kind: "stated" }, false], [9, false]])
            assert.equal(validate({ ...JSON.parse(worked), sources: { "/node": source } }), isRight, JSON.stringify(source));
    });
});
