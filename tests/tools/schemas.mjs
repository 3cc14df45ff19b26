// Writes the schemas that the daemon's descriptors make: api/schemas/models/NAME.json,
// api/schemas/calibration.json and run.json.  A changed descriptor shows as a difference there.
//
//     node tests/tools/schemas.mjs api/schemas
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startDaemon } from "../daemon.mjs";

/** {file: text} of every generated schema, as the running daemon gives them. */
export async function generatedSchemas(url) {
    const get = async (path) => (await fetch(url + path)).json();
    const text = (value) => JSON.stringify(value, null, 2) + "\n";
    const { schema, run_schema } = await get("/api/v1/fields");
    const files = { "calibration.json": text(schema), "run.json": text(run_schema) };
    for (const { name } of (await get("/api/v1/models")).items)
        files[`models/${name}.json`] = text((await get(`/api/v1/models/${name}`)).schema);
    return files;
}

if (process.argv[1]?.endsWith("schemas.mjs")) {
    const folder = process.argv[2];
    const daemon = await startDaemon();
    await mkdir(join(folder, "models"), { recursive: true });
    for (const [file, text] of Object.entries(await generatedSchemas(daemon.url)))
        await writeFile(join(folder, file), text);
    await daemon.stop();
}
