// The schemas of the OpenAPI document as ajv understands them.
import assert from "node:assert/strict";
import Ajv2020 from "ajv/dist/2020.js";

/** {schema(name): validate, check(schema, value, what): fails with every difference} */
export function compileSchemas(document) {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true, validateFormats: false });
    ajv.addVocabulary(["components"]);
    ajv.addSchema({ $id: "openapi", components: { schemas: document.components.schemas } });
    const schema = (name) => ajv.getSchema(`openapi#/components/schemas/${name}`);
    return {
        schema,
        check(wanted, value, what) {
            const validate = wanted.$ref ? schema(wanted.$ref.split("/").at(-1)) : ajv.compile(wanted);
            assert.ok(validate, `${what}: no schema ${JSON.stringify(wanted)}`);
            if (!validate(value)) {
                const said = validate.errors.slice(0, 8).map((e) => `${e.instancePath || "/"} ${e.message} ${JSON.stringify(e.params)}`);
                assert.fail(`${what} does not fit its schema:\n${said.join("\n")}\n${JSON.stringify(value).slice(0, 600)}`);
            }
        },
    };
}
