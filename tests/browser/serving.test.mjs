// What the page offers is answered: machines with their operations and sizes, and the rest of the page when one answer fails.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asking, daemon, page, settled, withPages } from "./browser.mjs";

withPages({});

const choice = (name) => page.getByRole("combobox", { name, exact: true });

async function visit(query = "") {
    await page.goto(`${daemon.url}/${query && `?${query}`}`);
    await settled(page);
}

/* Once the trials are known: some operation is marked. */
const offered = async () => {
    await page.locator("#model-name option", { hasText: /needs more measurements|\(no / }).first().waitFor({ state: "attached" });
    return page.locator("#model-name option:not(:disabled)").evaluateAll((options) => options.map((option) => option.value));
};

describe("a machine", () => {
    it("answers every operation that is offered for it, with the values that the form begins with", async () => {
        await visit();
        const refused = await page.evaluate(async () => {
            const [{ get, list, once }, { servedBy }, { fit, solve }, { asText }] = await Promise.all(["core/api", "question/serving", "question/question", "core/query"].map((name) => import(`./${name}.js`)));
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
            return { faults, pairs };
        });
        assert.deepEqual(refused.faults, []);
        assert.ok(refused.pairs > 25, `${refused.pairs} pairs`);
    });

    it("chooses an operation that it answers", async () => {
        await visit("model=matmul&machine=hopper&n=16384&processes=64");
        await asking(page, "predict/cnc_matmul", () => choice("Machine").selectOption("osu-e5630"));
        assert.match(await page.locator(".restated").innerText(), /^cnc_matmul .* on osu-e5630/);
        assert.deepEqual(await offered(), ["cnc_matmul"]);
    });

    it("keeps the operation, and chooses sizes that it answers", async () => {
        await visit("model=allreduce&machine=piz-daint&message_bytes=1024&nodes=64&processes_per_node=8");
        await asking(page, "predict/allreduce", () => choice("Machine").selectOption("hopper"));
        assert.match(await page.locator(".restated").innerText(), /^allreduce on hopper/);
        assert.equal(new URL(page.url()).searchParams.get("processes_per_node"), "1");
        assert.ok((await offered()).includes("matmul"));
    });

    it("is asked with no more processes on a node than it has cores", async () => {
        await visit("model=solve&machine=example");
        assert.equal(new URL(page.url()).searchParams.get("processes_per_node"), "2");
        assert.doesNotMatch(await page.locator("#answer-body").innerText(), /oversubscribed/);
    });

    it("alone in the address is asked what it answers", async () => {
        await visit("machine=osu-e5630");
        assert.match(await page.locator(".restated").innerText(), /^cnc_matmul/);
    });
});

describe("an answer that fails", () => {
    it("names the operations that the machine does answer, each a link, and none that it lacks rows for", async () => {
        await visit("model=matmul&machine=blue-waters");
        const links = page.locator("#answer-problem p").getByRole("link");
        assert.deepEqual(await links.allInnerTexts(), ["allreduce", "halo_exchange", "cg", "solve"]);
        await links.filter({ hasText: "cg" }).click();
        await page.locator("#time").waitFor();
        assert.match(await page.locator(".restated").innerText(), /^cg on blue-waters/);
    });

    it("lists what a calibration lacks once, and leaves the form in sight", async () => {
        await visit("model=cg&machine=hopper");
        assert.ok(await page.locator("#answer-problem li").count() > 2);
        assert.equal(await page.locator("#machine-name-fault").innerText(), "Its calibration lacks what this operation needs");
    });

    it("leaves the scaling and the recommendation", async () => {
        await visit("model=matmul&machine=hopper&n=16384&processes=63&algorithm=cannon&variant=2d");
        await page.locator("#answer-problem .problem").waitFor();
        await page.locator("#chart-body img").waitFor();
        await page.locator("#recommend-body tr.marked").waitFor();
    });
});
