// node yaml-to-json.mjs in.yaml out.json: the same document as JSON, always byte for byte the same.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { parse } from "yaml";

/** YAML text to JSON text: keys in the order of the file, indented by two. */
export function yamlToJson(text) {
    return JSON.stringify(parse(text, { strict: true, uniqueKeys: true }), null, 2) + "\n";
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    const [from, to] = process.argv.slice(2);
    if (!from || !to) {
        console.error("usage: yaml-to-json.mjs in.yaml out.json");
        process.exit(2);
    }
    writeFileSync(to, yamlToJson(readFileSync(from, "utf8")));
}
