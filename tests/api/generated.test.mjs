// The schemas that the daemon generates from its descriptors: valid JSON Schema, one for each model.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import Ajv2020 from "ajv/dist/2020.js";
import { startDaemon } from "../daemon.mjs";

let daemon, ajv;
const get = async (path) => (await fetch(daemon.url + path)).json();
before(async () => {
    daemon = await startDaemon();
    ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, validateFormats: false });
    ajv.addVocabulary(["x-unit"]);
});
after(() => daemon.stop());

test("calibrations and runs have consistent schemas", async () => {
    const { schema, run_schema } = await get("/api/v1/fields");
    for (const each of [schema, run_schema]) assert.equal(typeof ajv.compile(each), "function");
});

test("every model has a schema, which requires an object and has its parameters", async () => {
    const { items } = await get("/api/v1/models");
    assert.ok(items.length > 0);
    for (const { name } of items) {
        const { schema, parameters } = await get(`/api/v1/models/${name}`), validate = ajv.compile(schema);
        assert.equal(validate([]), false, name);
        for (const parameter of parameters) assert.ok(parameter.name in schema.properties, `${name}: ${parameter.name}`);
    }
});
