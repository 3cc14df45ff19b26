// The generated parts of api/ are those of this very program: `make api` makes them anew.
import assert from "node:assert/strict";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root, startDaemon } from "../daemon.mjs";
import { generatedSchemas } from "../tools/schemas.mjs";

const folder = join(root, "api/schemas");
let daemon;
before(async () => {
    daemon = await startDaemon();
});
after(() => daemon.stop());

test("the committed schemas are those of the descriptors", async () => {
    for (const [file, text] of Object.entries(await generatedSchemas(daemon.url)))
        assert.equal(await readFile(join(folder, file), "utf8"), text, `${file}: run \`make api\``);
});

test("no schema is left of a model that is gone", async () => {
    const { items } = await (await fetch(`${daemon.url}/api/v1/models`)).json();
    const files = await readdir(join(folder, "models"));
    assert.deepEqual(files.sort(), items.map(({ name }) => `${name}.json`).sort());
});
