// The OpenAPI document, as its source says it.
import { readFileSync } from "node:fs";
import { parse } from "yaml";

export const yaml = readFileSync(new URL("../../api/openapi.yaml", import.meta.url), "utf8");
export const document = parse(yaml, { strict: true, uniqueKeys: true });
