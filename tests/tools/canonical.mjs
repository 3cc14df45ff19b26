// The canonical form of a JSON document and the id made from it: api/canonical-json.md in code.
// Run as a program it rewrites the expectations of api/canonical-vectors.json.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

/** RFC 8785.  ECMAScript sorts by UTF-16 code units and prints numbers and texts as it asks. */
export function canonical(value) {
    if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
    if (value === null || typeof value !== "object") return JSON.stringify(value);
    const members = Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
    return `{${members.join(",")}}`;
}

/** The first 16 hex digits of the SHA-256 of the canonical form. */
export function calibrationId(value) {
    return createHash("sha256").update(canonical(value), "utf8").digest("hex").slice(0, 16);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
    const file = fileURLToPath(new URL("../../api/canonical-vectors.json", import.meta.url));
    const vectors = JSON.parse(readFileSync(file, "utf8")).map(({ about, json }) => {
        const value = JSON.parse(json);
        return { about, json, canonical: canonical(value), id: calibrationId(value) };
    });
    writeFileSync(file, JSON.stringify(vectors, null, 2) + "\n");
}
