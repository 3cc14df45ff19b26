// Charts of the models of kernels: regions, performance, convergence; every kind of file, ETags, hostile names.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../daemon.mjs";
import { client } from "./client.mjs";
import { standingDaemon } from "./clock.mjs";
import { document as blocked } from "./golden_blocked.mjs";

const run = promisify(execFile);
const KINDS = ["regions", "routine", "convergence"];
const history = [[20, 0.4], [40, 0.1], [80, 0.05]].map(([samples, error]) => ({ samples, regions: 1, error }));

/* The golden models, built by a strategy with a library. */
function built(machine, strategy, library) {
    const document = blocked(machine);
    for (const model of document.kernels.routine_models)
        Object.assign(model, { library, build: { strategy, eps: 0.05, measure: "max", history } });
    return document;
}

let daemon, api, token, folder, own, other;
const upload = async (document) => {
    const answer = await api.upload(document, token);
    assert.equal(answer.status, 201, answer.text);
    return answer.json;
};
before(async () => {
    daemon = await standingDaemon({ calibrations: null });
    api = client(daemon.url);
    token = await daemon.token("write");
    folder = await temporaryFolder();
    own = await upload(built("paper", "adaptive_refinement", { name: "OpenBLAS", version: "0.3.21", core: "Haswell" }));
    other = await upload(built("paper", "model_expansion", { name: "BLIS", version: "0.9.0" }));
});
after(async () => {
    await folder?.remove();
    await daemon?.stop();
});
const chart = (rest, of = own) => api.get(`${of.url}/chart/${rest}`);
/* What a person can read in an SVG. */
const words = (answer) => answer.text.replace(/<(style|title|desc)[\s\S]*?<\/\1>/g, "").replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

const magic = { svg: ["image/svg+xml", /<svg[\s\S]*<\/svg>\s*$/], png: ["image/png", /^\x89PNG/], pdf: ["application/pdf", /^%PDF/], gp: ["text/plain", /\nplot /] };
for (const kind of KINDS)
    for (const [suffix, [type, pattern]] of Object.entries(magic))
        test(`${kind} are drawn as ${suffix}`, async () => {
            const answer = await chart(`${kind}.${suffix}`);
            assert.equal(answer.status, 200, answer.text.slice(0, 500));
            assert.ok(answer.headers["content-type"].startsWith(type));
            assert.match(answer.body.toString("latin1"), pattern);
        });

test("regions have their error in percent, and a color key", async () => {
    const text = words(await chart("regions.svg?routine=dtrsm&flags=LLNN&locality=in_cache"));
    assert.match(text, /Regions of dtrsm LLNN, in cache, 1 thread with OpenBLAS 0\.3\.21 \(Haswell\) on paper/);
    assert.match(text, /Error of the region \(max, %\)/);
    const model = blocked("paper").kernels.routine_models.find(({ routine, flags }) => routine === "dtrsm" && Object.values(flags).join("") === "LLNN");
    const script = (await chart("regions.gp?routine=dtrsm&flags=LLNN&locality=in_cache")).text;
    for (const { min, max, error } of model.regions) {
        const row = script.split("\n").map((line) => line.split(" ").map(Number)).find((cells) => [2, 3, 4, 5].every((at, i) => cells[at] === [min[0], max[0], min[1], max[1]][i]));
        assert.ok(row, `no tile of ${min} to ${max}`);
        assert.ok(Math.abs(row[6] - 100 * error) < 1e-9, `${row[6]} of ${error}`);
    }
});

test("each option makes another chart with another ETag, the same one is known", async () => {
    const rest = ["regions.svg?routine=dgemm", "regions.svg?routine=dgemm&k=64", "regions.svg?routine=dgemm&x=k", "regions.svg?routine=dgemm&locality=out_of_cache", "regions.svg?routine=dgemm&width=500"];
    const answers = await Promise.all(rest.map((each) => chart(each)));
    for (const answer of answers) assert.equal(answer.status, 200, answer.text.slice(0, 300));
    assert.equal(new Set(answers.map(({ headers }) => headers.etag)).size, rest.length);
    for (const [i, { headers }] of answers.entries())
        assert.equal((await api.get(`${own.url}/chart/${rest[i]}`, { headers: { "If-None-Match": headers.etag } })).status, 304);
});

test("two libraries are drawn in one chart, and two strategies", async () => {
    const performance = words(await chart(`routine.svg?routine=dgemm&locality=in_cache&with=${other.id}`));
    for (const name of ["OpenBLAS 0.3.21 (Haswell)", "BLIS 0.9.0"]) assert.ok(performance.includes(`in cache, 1 thread, ${name}`), performance);
    const same = await upload(built("paper", "model_expansion", { name: "OpenBLAS", version: "0.3.21", core: "Haswell" }));
    const errors = words(await chart(`convergence.svg?routine=dgemm&locality=in_cache&with=${same.id}`));
    for (const name of ["refinement", "expansion"]) assert.ok(errors.includes(`dgemm NN, ${name}`), errors);
});

test("samples of a kernel are points in the chart of its model", async () => {
    const csv = "call,min_s,median_s,mean_s,max_s,std_s,repetitions\ndtrsm LLNN 96 104 -1,2.8e-5,2.9e-5,2.9e-5,3e-5,1.8e-7,10\ndtrsm LLNN 96 208 -1,5.6e-5,5.8e-5,5.8e-5,6e-5,1.8e-7,10\n";
    const sent = await api.send("/api/v1/machines/paper/runs?format=samples", { method: "POST", body: csv, token, headers: { "Content-Type": "text/csv" } });
    assert.equal(sent.status, 201, sent.text);
    assert.equal(sent.json.stored, 2);
    const asked = "machine=paper&calls=dtrsm+LLNN+m+n+-1&m=96&n=104,208,312&x=n&measured=true";
    assert.match(words(await api.get(`/api/v1/chart/calls.svg?${asked}`)), /measured/);
    const script = (await api.get(`/api/v1/chart/calls.gp?${asked}`)).text;
    for (const point of ["104 0.000029", "208 0.000058"]) assert.ok(script.includes(`\n${point}\n`), script);
});

test("samples of square operands are points in a chart over their order, in whatever words they are asked for", async () => {
    const orders = Array.from({ length: 128 }, (_, i) => 8 * (i + 1)), rows = orders.map((n) => `dtrsm LLNN ${n} ${n} 0.5,${n * 1e-6},10`);
    const csv = ["call,median_s,repetitions", ...rows, "dtrsm LLNN 8 16 0.5,9,10", "dtrsm LLNN 24 24 1,9,10"].join("\n");
    const sent = await api.send("/api/v1/machines/paper/runs?format=samples", { method: "POST", body: csv, token, headers: { "Content-Type": "text/csv" } });
    assert.equal(sent.status, 201, sent.text);
    for (const [calls, x, shown] of [["dtrsm LLNN n n 0.5", "n", orders], ["dtrsm L L N N m m 5e-1", "m", orders], ["dtrsm LLNN 96 n 0.5", "n", [96]], ["dtrsm LLNN n n 0.5; dtrsm LLNN n n 0.5", "n", []]]) {
        const { json } = await api.get(`/api/v1/chart/calls.json?machine=paper&calls=${encodeURIComponent(calls)}&${x}=8..1024..8&x=${x}&measured=true`);
        const points = json.series.filter(({ mark }) => mark === "point").flatMap((series) => series.points);
        assert.deepEqual(points.map((point) => point.x).sort((a, b) => a - b), shown, calls);
        for (const { x: n, y } of points) assert.ok(Math.abs(y - n * 1e-6) < 1e-12);
    }
});

test("a run without the size of the axis is not on the axis", async () => {
    const calls = "dtrsm LLNN 96 112 0.5", sent = await api.post("/api/v1/machines/paper/runs", { model: "calls", time_s: 1, parameters: { calls } }, { token });
    assert.equal(sent.status, 201, sent.text);
    const asked = `machine=paper&calls=${encodeURIComponent(calls)}&measured=true`;
    for (const [axis, count] of [["n=64,128&x=n", 0], ["n=64,128&x=n&kind=residuals", 0], ["threads=1&x=threads", 1]]) {
        const { json } = await api.get(`/api/v1/chart/calls.json?${asked}&${axis}`);
        assert.equal((json.series ?? []).flatMap(({ mark, points }) => (mark === "point" ? points : [])).length, count, axis);
    }
});

const pointsOf = ({ series }) => series.map(({ label, mark, points }) => [label, mark, points.map(({ x, y }) => [x, Number(y.toPrecision(9))])]);

test("single repetitions of libraries, in and out of cache, are points in their order; counters are noted", async () => {
    const TIMES = { paper: { in_cache: [3e-4, 1e-4, 2e-4], out_of_cache: [5e-4, 4e-4] }, second: { in_cache: [7e-4, 8e-4, 6e-4] } };
    await upload(blocked("second"));
    for (const [machine, localities] of Object.entries(TIMES))
        for (const [locality, times] of Object.entries(localities)) {
            const median = [...times].sort()[Math.floor(times.length / 2)];
            const csv = `call,median_s,repetitions,cache_misses,times_s\ndtrsm LLNU 512 128 0.37,${median},${times.length},1234,${times.join(" ")}\n`;
            const sent = await api.send(`/api/v1/machines/${machine}/runs?format=samples&locality=${locality}`, { method: "POST", body: csv, token, headers: { "Content-Type": "text/csv" } });
            assert.equal(sent.status, 201, sent.text);
            const run = (await api.get(`/api/v1/runs/${sent.json.items[0].id}`)).json;
            assert.equal(run.notes, `median of ${times.length}, cache_misses 1234`);
        }
    const asked = "calls=dtrsm+LLNU+512+128+0.37&kind=repetitions", drawn = async (query) => (await api.get(`/api/v1/chart/calls.json?${asked}&${query}`)).json;
    const numbered = (times) => times.map((time, i) => [i + 1, time]);
    assert.deepEqual(pointsOf(await drawn("machine=paper&locality=in_cache,out_of_cache&series=locality")),
        Object.entries(TIMES.paper).map(([label, times]) => [label, "point", numbered(times)]));
    assert.deepEqual(pointsOf(await drawn("machine=paper,second&locality=in_cache&series=locality")),
        ["paper", "second"].map((machine) => [`in_cache, ${machine}`, "point", numbered(TIMES[machine].in_cache)]));
    const [[, , rates]] = pointsOf(await drawn("machine=second&y=gflops"));
    assert.deepEqual(rates.map(([, rate]) => rate), TIMES.second.in_cache.map((time) => Number((512 * 512 * 128e-9 / time).toPrecision(9))));
    for (const [query, parameter] of [["machine=paper&n=8,16&x=n", "x"], ["machine=second&locality=out_of_cache&series=locality", "kind"]])
        assert.deepEqual((await drawn(query)).errors.map((error) => error.parameter), [parameter], query);
});

test("what one quadratic polynomial leaves of samples is drawn over their sizes", async () => {
    const orders = Array.from({ length: 30 }, (_, i) => 32 * (i + 1)), cubic = (n) => 1e-13 * n ** 3 + 2e-10 * n * n + 3e-8 * n + 1e-6;
    const csv = ["call,median_s", ...orders.map((n) => `dtrsm LLNN ${n} ${n} 0.25,${cubic(n)}`)].join("\n");
    const sent = await api.send("/api/v1/machines/second/runs?format=samples", { method: "POST", body: csv, token, headers: { "Content-Type": "text/csv" } });
    assert.equal(sent.status, 201, sent.text);
    const address = "/api/v1/chart/calls.json?machine=second&calls=dtrsm+LLNN+n+n+0.25&n=32..960..32&x=n&kind=residuals", { json } = await api.get(address);
    assert.deepEqual([json.x.scale, (await api.get(`${address}&logx=true`)).json.x.scale], ["linear", "log"]);
    const [{ points }] = json.series, left = new Map(points.map(({ x, y }) => [x, y]));
    assert.deepEqual([...left.keys()].sort((a, b) => a - b), orders);
    for (const power of [0, 1, 2]) assert.ok(Math.abs(points.reduce((sum, { x, y }) => sum + y * (x / 960) ** power, 0)) < 1e-15, `orthogonal to x^${power}`);
    for (const n of orders) assert.ok(Math.abs(left.get(n) + left.get(992 - n)) < 1e-14, "odd about the middle, as what is left of a cubic is");
    const h = 32, third = left.get(128) - 3 * left.get(96) + 3 * left.get(64) - left.get(32);
    assert.ok(Math.abs(third / (6e-13 * h ** 3) - 1) < 1e-6, "with the third difference of the cubic");
});

describe("options that do not fit", () => {
    for (const [rest, parameter, message] of [
        ["regions.svg?routine=dtrsn", "routine", /there are dgemm, dtrsm/],
        ["routine.svg?routine=dtrsm&flags=RUNN", "flags", /LLNN/],
        ["routine.svg?threads=64", "threads", /there is 1/],
        ["regions.svg?routine=dtrsm&k=8", "k", /it has m, n/],
        ["regions.svg?routine=dgemm&m=1000000", "m", /outside the model's/],
        ["routine.svg?routine=dtrsm&m=8&n=8", "m", /leave one open/],
        ["convergence.svg?with=0123456789abcdef", "with", /is not a calibration/],
    ])
        test(rest, async () => {
            const answer = await chart(rest);
            assert.equal(answer.status, 422, answer.text);
            assert.deepEqual(answer.json.errors.map((error) => error.parameter), [parameter]);
            assert.match(answer.json.errors[0].message, message);
        });

    test("a document without a build history has no convergence chart", async () => {
        const bare = await upload(blocked("bare"));
        assert.equal((await chart("convergence.svg", bare)).status, 404);
        const answer = await chart(`convergence.svg?with=${bare.id}`);
        assert.equal(answer.status, 422);
        assert.equal(answer.json.errors[0].parameter, "with");
    });
});

test("a hostile library name is drawn, never executed", async () => {
    const mark = folder.file("ran");
    const names = ["`touch " + mark + "`", "'; system('touch " + mark + "'); '", "'\nsystem('touch " + mark + "')\n'", "EOD\nsystem('touch " + mark + "')", "</svg><script>alert(1)</script>", "größer ≥ 中文 😀".repeat(9)];
    for (const name of names) {
        const evil = await upload(built("paper", name, { name, version: name, core: name }));
        for (const kind of KINDS) {
            const answer = await chart(`${kind}.svg?with=${own.id}`.replace(/regions(.*)\?.*/, "regions$1"), evil);
            assert.equal(answer.status, 200, answer.text.slice(0, 300));
            assert.doesNotMatch(answer.text, /<script/i);
            const script = folder.file("hostile.gp");
            await writeFile(script, (await chart(`${kind}.gp`, evil)).body);
            await run("gnuplot", ["-d", script], { cwd: folder.path, encoding: "latin1", maxBuffer: 1 << 26 }).catch(() => {});
            assert.ok(!existsSync(mark), `it ran: ${name}`);
        }
    }
});
