// Numbers as people write them, and buttons that apply the remedy of a refusal.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { asking, daemon, page, settled, withPages } from "./browser.mjs";

const QUESTION = "machine=hopper&model=matmul&n=16384&processes=64";

withPages({});

const entry = (name) => page.getByRole("textbox", { name, exact: true });
const press = (name) => page.getByRole("button", { name, exact: true }).first().click();
const inAddress = (name) => new URL(page.url()).searchParams.get(name);

async function visit(query) {
    await page.goto(`${daemon.url}/?${query}`);
    await settled(page);
}

describe("a number", () => {
    it("is taken as it is written", async () => {
        await visit(QUESTION);
        const values = await page.evaluate(async () => {
            const { meant } = await import("./core/typed.js");
            const kinds = { count: { name: "n", type: "integer" }, time: { name: "deadline_s", type: "number", unit: "s" }, share: { name: "min_efficiency_fraction", type: "number", unit: "1" },
                size: { name: "message_bytes", type: "number", unit: "bytes" }, grid: { name: "local_grid", type: "vector" } };
            const texts = { count: ["65,536", "65 536", "64k", "2^16", "2**16", "1e4", "1,2", "many", "1.0001k", "2^99", "-3"], time: ["10 min", "00:10:00", "10:00", "1-00:00:00", "1 h 30 min", "250 ms", "3", "3 x"],
                share: ["80 %", "7%", "0.8"], size: ["64 KiB", "1MB", "8k"], grid: ["16 x 16 × 16"] };
            return Object.fromEntries(Object.entries(texts).map(([kind, list]) => [kind, list.map((text) => meant(kinds[kind], text))]));
        });
        assert.deepEqual(values, {
            count: ["65536", "65536", "65536", "65536", "65536", "1e4", "1,2", "many", "1.0001k", "2^99", "-3"],
            time: ["600", "600", "600", "86400", "5400", "0.25", "3", "3 x"],
            share: ["0.8", "0.07", "0.8"], size: ["65536", "1000000", "8192"], grid: ["16x16x16"],
        });
    });

    it("is shown as it was understood, and sent and kept in the address so", async () => {
        await visit(QUESTION);
        await asking(page, "predict", () => entry("n").fill("32k"));
        assert.equal(inAddress("n"), "32768");
        assert.equal(await entry("n").inputValue(), "32k");
        assert.match(await page.locator(".field:has(#p-n) .understood").innerText(), /^= 32,768$/);
        await asking(page, "predict", () => entry("Size of the run").fill("2^10"));
        assert.equal(inAddress("processes"), "1024");
        await asking(page, "recommend", () => entry("Deadline").fill("00:10:00"));
        assert.equal(inAddress("deadline_s"), "600");
        assert.match(await page.locator(".field:has(#goal-deadline_s) .understood").innerText(), /^= 600 s$/);
        await page.locator("#goal-form").getByText("More limits").click();
        await asking(page, "recommend", () => entry("Minimum efficiency").fill("50 %"));
        assert.equal(inAddress("min_efficiency_fraction"), "0.5");
    });

    it("in a link is taken so, too", async () => {
        await visit("machine=hopper&model=matmul&n=16k&processes=64");
        assert.match(await page.locator(".restated").innerText(), /of order 16,384/);
    });
});

describe("the remedy of a refusal", () => {
    it("is a button for the nearest possible value", async () => {
        await visit(`${QUESTION.replace("=64", "=63")}&algorithm=cannon&variant=2d`);
        await asking(page, "predict", () => press("Use 64 for processes"));
        assert.equal(inAddress("processes"), "64");
        assert.equal(await entry("Size of the run").inputValue(), "64");
        await page.locator("#time").waitFor();
    });

    it("is a button for the nearer end of a range", async () => {
        await visit(QUESTION.replace("processes=64", "processes=64&threads=0"));
        await asking(page, "predict", () => press("Use 1 for threads"));
        assert.equal(inAddress("threads"), "1");
    });

    it("ignores the memory limit", async () => {
        await visit(QUESTION.replace("n=16384", "n=1000000"));
        assert.match(await page.locator("#answer-problem").innerText(), /GiB/);
        await asking(page, "predict", () => press("Ignore the memory limit"));
        assert.equal(inAddress("memory"), "ignore");
        await page.locator("#time").waitFor();
    });

    it("is the fewest nodes on which something fits", async () => {
        await visit(QUESTION.replace("n=16384&processes=64", "n=165536&processes=4"));
        await asking(page, "predict", () => press("Use 54 nodes"));
        assert.deepEqual([inAddress("nodes"), inAddress("processes")], ["54", null]);
        await page.locator("#time").waitFor();
        await visit(QUESTION.replace("n=16384&processes=64", "n=165536&processes=1296&max_nodes=2"));
        const [answer] = await Promise.all([page.waitForResponse((response) => response.url().includes("max_nodes=54")), page.locator("#recommend").getByRole("button", { name: "Allow 54 nodes" }).click()]);
        assert.equal(answer.status(), 200);
        assert.equal(inAddress("max_nodes"), "54");
    });

    it("asks for less of the calibration", async () => {
        await visit("model=allreduce&machine=hopper&message_bytes=1024&nodes=64&processes_per_node=8");
        await asking(page, "predict", () => press("Use processes per node 1, penalties none"));
        await page.locator("#time").waitFor();
    });

    it("is the name that was meant", async () => {
        await visit(`${QUESTION}&varaint=2d`);
        await asking(page, "predict", () => press("Use variant"));
        assert.deepEqual([inAddress("variant"), inAddress("varaint")], ["2d", null]);
    });

    it("is the calibrated value that was meant, or none", async () => {
        for (const [text, changes] of [["Use network.bandwidth", "*2"], ["Leave out the change of network.bandwith", null]]) {
            await visit(`${QUESTION}&what_if.network.bandwith=*2`);
            await asking(page, "predict", () => press(text));
            await page.locator("#time").waitFor();
            assert.equal(inAddress("what_if.network.bandwidth"), changes);
            assert.equal(await page.locator("#what-if-form .change").count(), changes ? 1 : 0);
        }
    });

    it("is a whole number near a fraction, an example of what is required, and the end of a goal's range", async () => {
        await visit(QUESTION.replace(/n=\d+/, "n=4096.5"));
        await asking(page, "predict", () => press(/^Use 4097 for n$/));
        assert.equal(inAddress("n"), "4097");
        await visit("model=cg&machine=piz-daint&nodes=8&processes_per_node=16&local_grid=16x16x16");
        await asking(page, "predict", () => press("Use 100 for iterations, an example"));
        assert.equal(inAddress("iterations"), "100");
        await visit(`${QUESTION}&min_efficiency_fraction=1.5`);
        await asking(page, "recommend", () => page.locator("#recommend-body").getByRole("button", { name: "Use 1 for min efficiency fraction" }).click());
        assert.equal(inAddress("min_efficiency_fraction"), "1");
    });

    it("needs no address of the API where the page has the list", async () => {
        for (const query of ["model=matmul&machine=nowhere&n=4096&processes=64", `${QUESTION}&bogus=3`]) {
            await visit(query);
            assert.doesNotMatch(await page.locator("#answer-problem").innerText(), /\/api\//);
        }
    });

    it("relaxes a goal to what can be reached", async () => {
        await visit(`${QUESTION}&deadline_s=1e-9`);
        await page.locator("#recommend-body .problem").waitFor();
        await asking(page, "recommend", () => page.locator("#recommend-body").getByRole("button", { name: /^Use .* for deadline s$/ }).click());
        await page.locator("#recommend-body tr.marked").waitFor();
        assert.ok(Number(inAddress("deadline_s")) > 1e-6);
    });
});
