// Every case of cases/*.txt against a daemon that knows the machine `worked`.
import { readdirSync, readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import assert from "node:assert/strict";
import { startDaemon } from "../daemon.mjs";
import { client, worked } from "./client.mjs";
import { parseCases, runCase } from "./runner.mjs";

const folder = new URL("cases/", import.meta.url);

let daemon, kept;
before(async () => {
    daemon = await startDaemon({ calibrations: null });
    kept = { write: await daemon.token("write"), admin: await daemon.token("admin") };
    const uploaded = await client(daemon.url).upload(worked, kept.write);
    assert.equal(uploaded.status, 201, uploaded.text);
    kept.worked = uploaded.json.id;
});
after(() => daemon?.stop());

for (const file of readdirSync(folder).sort())
    describe(file.replace(".txt", ""), () => {
        for (const each of parseCases(readFileSync(new URL(file, folder), "utf8"), file))
            test(each.title, () => runCase(each, daemon.url, kept));
    });
