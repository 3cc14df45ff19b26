// What caches may keep: answers that name their calibration, for a minute; all others are asked for again.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { client } from "./client.mjs";
import { standingDaemon } from "./clock.mjs";

const MATMUL = "algorithm=cannon&variant=2d&n=4096&processes=1024&threads=6";
const OPEN = "n=4096&cores=1536";
const asked = [
    ["predict/matmul", MATMUL], ["predict/matmul.csv", MATMUL], ["sweep/matmul", MATMUL.replace("n=4096", "n=4096,8192")],
    ["chart/matmul.svg", `${MATMUL.replace("n=4096", "n=4096,8192")}&x=n`], ["rank/matmul", OPEN], ["recommend/matmul", "n=4096&nodes=1..8"],
    ["recommend/matmul/chart.svg", "n=4096&nodes=1..8"], ["forecast/matmul", "n=4096,8192&processes=64,256&threads=6&algorithm=cannon&variant=2d"],
    ["sensitivity/matmul", MATMUL], ["sensitivity/matmul/chart.svg", MATMUL],
];
const KEPT = "public, max-age=60, immutable";

let open, closed, id, token;
before(async () => {
    open = await standingDaemon();
    id = (await client(open.url).get("/api/v1/machines/hopper/calibrations")).json.items[0].id;
    closed = await standingDaemon({ args: ["--require-token-for-read", "true"] });
    token = await closed.token("read");
});
after(async () => {
    await open?.stop();
    await closed?.stop();
});

const of = (daemon, path, query, options) => client(daemon.url).get(`/api/v1/${path}?${query}`, options);
const control = (answer) => answer.headers["cache-control"];

for (const [path, query] of asked) {
    test(`${path} may be kept for a minute if it names its calibration`, async () => {
        const newest = await of(open, path, `machine=hopper&${query}`);
        assert.equal(newest.status, 200, newest.text.slice(0, 500));
        assert.equal(control(newest), "no-cache");
        const named = await of(open, path, `calibration=${id}&${query}`);
        assert.equal(named.status, 200, named.text.slice(0, 500));
        assert.equal(control(named), KEPT);
        const again = await of(open, path, `calibration=${id}&${query}`, { headers: { "If-None-Match": named.headers.etag } });
        assert.equal(again.status, 304);
        assert.equal(control(again), KEPT);
        const secret = await of(closed, path, `calibration=${id}&${query}`, { token });
        assert.equal(secret.status, 200, secret.text.slice(0, 500));
        assert.equal(control(secret), "private, no-cache");
    });
}

test("what is refused, uploaded, streamed or not a prediction is not kept", async () => {
    assert.equal(control(await of(open, "predict/matmul", `calibration=${id}&${MATMUL.replace("n=4096", "n=0")}`)), "no-store");
    assert.equal(control(await of(open, "predict/matmul", `calibration=unknown&${MATMUL}`)), "no-store");
    assert.equal(control(await of(open, "sweep/matmul.ndjson", `calibration=${id}&${MATMUL}`)), "no-store");
    assert.equal(control(await client(open.url).get(`/api/v1/calibrations/${id}`)), "no-cache");
    const batch = { requests: [{ model: "matmul", calibration: id, parameters: { algorithm: "cannon", variant: "2d", n: 4096, processes: 1024, threads: 6 } }] };
    const posted = await client(open.url).post("/api/v1/predict", batch);
    assert.equal(posted.status, 200);
    assert.equal(control(posted), "no-store");
});
