// What a machine is offered for is answered, with the values that the form begins with.
import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { startDaemon } from "../daemon.mjs";
import { load, servedBy as openAt } from "./page.mjs";

let daemon;

before(async () => {
    daemon = await startDaemon();
    openAt(daemon.url);
});
after(() => daemon.stop());

it("each machine answers every operation that it is offered for", async () => {
    const [{ get, list, once }, { servedBy }, { fit, solve }, { asText }] = await Promise.all(["core/api", "question/serving", "question/question", "core/query"].map((name) => load(`${name}.js`)));
    const faults = [];
    let pairs = 0;
    for (const { name } of await list("machines")) {
        for (const [served, { differs }] of await servedBy(await get(`machines/${name}`))) {
            if (served === "sparse_lu") continue; /* there is no matrix */
            const model = await once(`models/${served}`), values = {};
            fit(model, values);
            for (const [key, value] of Object.entries(differs)) values[key] = asText(value);
            pairs++;
            await solve(model, { machine: name, model: served, calibration: "", memory: "", values, whatIf: [] }, undefined, () => {})
                .catch((error) => faults.push(`${name} ${served}: ${error.message}`));
        }
    }
    assert.deepEqual(faults, []);
    assert.ok(pairs > 25, `${pairs} pairs`);
});
