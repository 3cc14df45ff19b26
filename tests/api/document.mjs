// The OpenAPI document, as it was built into the daemon.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { program } from "../daemon.mjs";

export const document = JSON.parse(readFileSync(join(dirname(program), "api/openapi.json"), "utf8"));
