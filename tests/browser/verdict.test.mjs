// The operator's view of a machine: did it get slower, which calibration says what, and where do values come from.
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assertAccessible, assertNoOverflow, daemon, page, settled, turn, withPages } from "./browser.mjs";
import { api, visit } from "./visit.mjs";

const RUN = "processes_per_node=16&iterations=20&local_grid=16x16x16&solver=pcg";
const LATER = "2026-09-05T10:00:00Z"; /* the change of the machine, between two calibrations */

let newest;

async function upload(path, text, type) {
    const response = await fetch(`${daemon.url}/api/v1/machines/piz-daint/${path}`, { method: "POST", body: text,
        headers: { Authorization: `Bearer ${await daemon.token("write")}`, "Content-Type": type } });
    assert.equal(response.status, 201, await response.clone().text());
    return response.json();
}

/** Runs of four sizes on eight days; after LATER each takes 1.2 times as long. */
async function history() {
    const parameters = { solver: "pcg", processes_per_node: 16, local_grid: [16, 16, 16], iterations: 20 };
    const sizes = [8, 16, 32, 64];
    const predicted = await Promise.all(sizes.map((nodes) => api(`predict/cg?machine=piz-daint&nodes=${nodes}&${RUN}`)));
    return sizes.flatMap((nodes, i) => [1, 2, 3, 4, 5, 6, 7, 8].map((day) => {
        const started_at = `2026-09-0${day}T${nodes / 8 + 10}:00:00Z`, { time_s } = predicted[i];
        return { schema: "forerun-run-1", model: "cg", parameters: { ...parameters, nodes }, time_s: time_s * (started_at < LATER ? 1 : 1.2) * (0.98 + 0.01 * ((day + nodes / 8) % 5)), started_at };
    }));
}

withPages({}, async () => {
    await upload("runs", (await history()).map((run) => JSON.stringify(run)).join("\n"), "application/x-ndjson");
    const { items: [{ id }] } = await api("machines/piz-daint/calibrations");
    const document = await api(`calibrations/${id}`);
    document.created_at = "2026-09-01T00:00:00Z";
    document.network.node_bandwidth_bytes_per_s *= 0.93;
    document.sources["/network/protocols"] = { kind: "measured", text: "half a round trip", samples: 9, spread_fraction: 0.22, statistic: "median of rounds", measured_on: "2026-09-01", load: "other work" };
    document.sources["/network/hop_ping"] = "by hearsay";
    newest = (await upload("calibrations", JSON.stringify(document), "application/json")).id;
});

const questionOf = (machine) => `model=cg&machine=${machine}&nodes=8&${RUN}`;
const plain = async (locator) => (await locator.innerText()).replaceAll("\u00a0", " ");
const SOURCE = /^published: Eller, Hoefler, Gropp/;
const peak = () => page.locator("#machine dl.pairs > div", { hasText: "Peak" }).getByRole("button");

async function see() {
    await visit(`${questionOf("piz-daint")}#machine`);
    await page.locator("#verdict").scrollIntoViewIfNeeded();
}

describe("did the machine get slower?", () => {
    it("is answered in a sentence from its runs and its last two calibrations, with the errors over time", async () => {
        await see();
        const sentence = page.locator("#verdict", { hasText: "network node bandwidth fell by 7" });
        await sentence.waitFor();
        const { drift: [drift] } = await api("machines/piz-daint");
        assert.match(await page.locator("#answer .drift").innerText(), /^Since 5 Sept? 2026.*runs of cg take 1\.\d+ times as long/, "beside the answer that it concerns");
        const slower = Number((100 * (drift.slowdown - 1)).toPrecision(2));
        assert.match(await plain(sentence), new RegExp(`^cg ${slower} % slower since 5 September 2026; network node bandwidth fell by 7 % from the calibration stored on .* to that measured on 1 September 2026\\. ` +
            "The newest calibration is older than the change"));

        const part = page.locator("#machine .part", { has: page.locator("#verdict") });
        assert.ok((await plain(part.locator("tbody tr"))).startsWith(`cg\t${drift.earlier_ratio.toFixed(3)}\t${drift.ratio.toFixed(3)}\t5 September 2026`));
        assert.ok(await part.locator("img").evaluate((image) => image.decode().then(() => image.naturalWidth > 100)));
        await part.getByRole("slider").focus();
        await page.keyboard.press("Home");
        await part.locator(".tip", { hasText: /1 Sept? 2026, 11:00 UTC/ }).waitFor();
        assert.match(await plain(part.locator(".tip")), /cg: -?[\d.]+ %/);

        await turn(page, questionOf("blue-waters"));
        assert.match(await plain(page.locator("#verdict")), /^There are no saved runs that could tell; there is no earlier calibration to compare with\.$/);

        await turn(page, "model=hpl&machine=dahu&n=50000&block_size=128&process_rows=8&process_columns=8");
        assert.match(await plain(page.locator("#verdict")), /^No lasting change was found in the saved runs; .*\. For a while: hpl 10 % slower from 15 March 2019 to 18 March 2019\.$/);
    });
});

describe("a calibration", () => {
    it("tells age and health on its card and the source of a value on hover, on focus and by a tap, and is chosen", async () => {
        await see();
        const card = page.locator(".card", { hasText: newest });
        await card.scrollIntoViewIfNeeded();
        await card.locator(".health strong").waitFor();
        assert.match(await plain(card), /in use.*Measured .*ago.*1 part to measure again: network\.protocols \(machine loaded: other work; spread 22 %\).*\d+ of \d+ parts assumed; the oldest measured \d+ days ago/s);

        const tip = page.getByRole("tooltip");
        await peak().hover();
        assert.match(await tip.innerText(), SOURCE);
        await page.mouse.move(0, 0);
        await tip.waitFor({ state: "hidden" });
        await peak().focus();
        assert.match(await tip.innerText(), SOURCE);
        assert.equal(await peak().getAttribute("aria-describedby"), await tip.getAttribute("id"));
        await page.keyboard.press("Escape");
        await tip.waitFor({ state: "hidden" });

        await page.evaluate(() => { for (const details of document.querySelectorAll("#machine details")) details.open = true; });
        await peak().blur();
        await peak().focus();
        await assertAccessible(page, "#machine, #tip-box");

        /* A tap, which focuses no button in Safari, on a phone. */
        await page.setViewportSize({ width: 390, height: 800 });
        await page.getByText(/^Values in use, with their sources: 1 measured, \d+ published, 1 stated, \d+ assumed$/).waitFor();
        for (const [name, source] of [["network.stall_time_s: published", /section 5\.7/],
            ["network.protocols.short.off_node.latency_s: measured", /^measured: half a round trip \(9 samples, spread 22 %, median of rounds\); on 1 September 2026; loaded: other work$/]]) {
            await page.getByRole("button", { name: `Source of ${name}` }).first().dispatchEvent("click");
            assert.match(await plain(tip), source);
        }
        await assertNoOverflow(page);
        await page.setViewportSize({ width: 1280, height: 900 });

        await page.locator(".card", { hasNotText: newest }).getByRole("button", { name: /^Use calibration/ }).click();
        await page.waitForURL(/calibration=[0-9a-f]{16}/);
        await settled(page);
        await page.locator(".card.marked", { hasText: newest }).waitFor({ state: "detached" });
    });

    it("is shown without its sources where the daemon cannot tell them, and the question is answered", async () => {
        await page.route("**/quality", (route) => route.fulfill({ status: 503, contentType: "application/problem+json", body: '{"title":"busy","status":503,"detail":"Busy."}' }));
        await page.goto(`${daemon.url}/?${questionOf("blue-waters")}#machine`);
        await settled(page);
        assert.ok(await page.locator("#time").innerText());
        await peak().hover();
        assert.match(await page.getByRole("tooltip").innerText(), /^not known: /);
        assert.match(page.troubles().splice(0).join(), /status of 503/);
    });
});
