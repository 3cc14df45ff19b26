// What the page asks for when it is opened: each thing once.
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

it("a first visit chooses a machine and asks for nothing twice", async (t) => {
    const [{ Opening }, { page }, { detailsOf }] = await Promise.all(["question/opening", "core/page", "core/api"].map((name) => load(`${name}.js`)));
    globalThis.history = { replaceState() {} };
    const { fetch } = globalThis, asked = [];
    t.mock.method(globalThis, "fetch", (url, options) => {
        asked.push(String(url).slice(daemon.url.length));
        return fetch(url, options);
    });
    const built = await new Promise((build, refuse) => {
        new Opening({ begun() {}, build, tell() {}, refuse, ask() {} }).start();
    });
    await page.trials;
    assert.equal(page.machine.name, page.state.machine);
    assert.ok(page.machine.models.includes(page.state.model));
    assert.equal(built.id, page.machine.calibration);
    assert.deepEqual(asked.filter((url, i) => asked.indexOf(url) !== i && url !== "/api/v1/predict"), []);

    /* Where a question is refused, other machines are looked for among those. */
    const { length } = asked;
    await Promise.all(page.machines.map(detailsOf));
    assert.equal(asked.length, length);
    await detailsOf({ ...page.machines[0], calibration: "0123456789abcdef" });
    assert.equal(asked.length, length + 1, "it has another calibration since");
});
