// Rendered charts: the file format is correct, and no text of a request or a document is executed.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../daemon.mjs";
import { assertProblem, client, worked } from "./client.mjs";
import { standingDaemon } from "./clock.mjs";

const run = promisify(execFile);
const sweep = "machine=worked&contention_model=paper&algorithm=cannon&variant=2d,2d_ovlp&n=4000&processes=4..256..*4&threads=4&x=processes&series=variant";

let daemon, api, token, folder;
before(async () => {
    daemon = await standingDaemon({ calibrations: null });
    api = client(daemon.url);
    token = await daemon.token("write");
    folder = await temporaryFolder();
    assert.equal((await api.upload(worked, token)).status, 201);
});
after(async () => {
    await folder?.remove();
    await daemon?.stop();
});

const magic = {
    svg: ["image/svg+xml", /^<\?xml[^>]*>[\s\S]*<svg[\s\S]*<\/svg>\s*$/],
    png: ["image/png", /^\x89PNG\r\n\x1a\n[\s\S]*IEND/],
    pdf: ["application/pdf", /^%PDF-1\.\d[\s\S]*%%EOF\s*$/],
    gp: ["text/plain", /plot/],
};

test("a chart of an output that has no value here is refused, not empty", async () => {
    const { memory_bytes, ...node } = JSON.parse(worked).node;
    assert.ok(memory_bytes > 0);
    assert.equal((await api.upload({ ...JSON.parse(worked), machine: "unlimited", node }, token, "unlimited")).status, 201);
    const answer = await api.get(`/api/v1/chart/matmul.svg?${sweep.replace("worked", "unlimited")}&y=memory_limit_bytes_per_process`);
    assertProblem(answer, 422);
    assert.deepEqual(answer.json.errors.map((e) => e.parameter), ["y"]);
});

for (const [suffix, [type, pattern]] of Object.entries(magic)) {
    test(`a sweep is drawn as ${suffix}`, async () => {
        const answer = await api.get(`/api/v1/chart/matmul.${suffix}?${sweep}`);
        assert.equal(answer.status, 200, answer.text.slice(0, 500));
        assert.ok(answer.headers["content-type"].startsWith(type));
        assert.match(answer.body.toString("latin1"), pattern);
    });
    for (const what of ["kernels", "bandwidth", "contention"])
        test(`a calibration's ${what} are drawn as ${suffix}`, async () => {
            const { calibration } = (await api.get("/api/v1/machines/worked")).json;
            const answer = await api.get(`/api/v1/calibrations/${calibration}/chart/${what}.${suffix}`);
            assert.equal(answer.status, 200, answer.text.slice(0, 500));
            assert.ok(answer.headers["content-type"].startsWith(type));
            assert.match(answer.body.toString("latin1"), pattern);
        });
}

/** Colour and marker of each line, by its legend: { "2d": "lc 1 pt 7" }. */
async function looks(query) {
    const answer = await api.get(`/api/v1/chart/matmul.gp?${query}`);
    assert.equal(answer.status, 200, answer.text.slice(0, 500));
    return Object.fromEntries([...answer.text.matchAll(/ title '([^']+)' with linespoints .*?(pt \d+).* (lc \d+)/g)].map(([, title, shape, colour]) => [title, `${colour} ${shape}`]));
}

test("a line keeps its colour and marker when others are hidden", async () => {
    for (const [query, hidden] of [[sweep, "2d"], [sweep.replace("2d,2d_ovlp", "2d").replace("threads=4", "threads=1,2,4").replace("series=variant", "series=threads"), "1,2"]]) {
        const all = await looks(query), others = await looks(`${query}&hidden=${hidden}`);
        assert.equal(Object.keys(others).length, 1, JSON.stringify([all, others]));
        for (const [title, look] of Object.entries(others)) assert.equal(look, all[title], title);
        for (const kind of ["groups", "strong_efficiency"]) {
            const shown = (await api.get(`/api/v1/chart/matmul.json?${query}&kind=${kind}&hidden=${hidden}`)).json.series;
            const { series } = (await api.get(`/api/v1/chart/matmul.json?${query}&kind=${kind}`)).json;
            assert.deepEqual(shown.map(({ value, color }) => [value, color]), series.filter(({ value }) => !hidden.split(",").includes(value)).map(({ value, color }) => [value, color]));
        }
    }
});

test("hidden lines must be lines of the chart, and not all of them", async () => {
    const one = sweep.replace("&series=variant", "").replace("variant=2d,2d_ovlp", "variant=2d");
    for (const query of [`${sweep}&hidden=25d`, `${sweep}&hidden=2d,2d_ovlp`, `${one}&kind=breakdown&hidden=2d`]) {
        const answer = await api.get(`/api/v1/chart/matmul.svg?${query}`);
        assertProblem(answer, 422);
        assert.deepEqual(answer.json.errors.map(({ parameter }) => parameter), ["hidden"]);
    }
});

test("the note names the machine of each line that is not drawn", async () => {
    assert.equal((await api.upload({ ...JSON.parse(worked), machine: "pair" }, token, "pair")).status, 201);
    const { json } = await api.get("/api/v1/chart/matmul.json?contention_model=paper&machine=worked,pair&algorithm=cannon&variant=2d,2d_ovlp,25d&n=4000&processes=8,32,128&threads=4&x=processes&series=variant");
    assert.match(json.note, /^not drawn: 2d on worked, 2d_ovlp on worked, 2d on pair, 2d_ovlp on pair \(processes: 8 on 1 layer/);
});

test("errors over time are marked where a calibration came into use, with the day of its measurement if that is another", async () => {
    const now = new Date().toISOString(), long_ago = "2026-02-03T04:05:06Z", machine = "dated";
    for (const created_at of [now, long_ago]) assert.equal((await api.upload({ ...JSON.parse(worked), machine, created_at }, token, machine)).status, 201);
    const parameters = { algorithm: "cannon", variant: "2d", n: 4000, processes: 16, threads: 4 };
    const saved = { schema: "forerun-run-1", model: "matmul", parameters, time_s: 0.3, started_at: "2026-01-02T03:04:05Z" };
    assert.equal((await api.post(`/api/v1/machines/${machine}/runs`, [saved], { token })).status, 201);
    const { items } = (await api.get(`/api/v1/machines/${machine}/calibrations`)).json;
    const { x } = (await api.get(`/api/v1/machines/${machine}/accuracy/history.json`)).json;
    const expected = items.map(({ id, uploaded_at, created_at }) => [Date.parse(uploaded_at),
        created_at === long_ago ? `${id.slice(0, 8)} in use, measured 2026-02-03` : `calibration ${id.slice(0, 8)} in use`]);
    assert.equal(expected.length, 2);
    assert.deepEqual(x.marks.map(({ value, label }) => [Math.round(value * 1000), label]), expected);
});

test("Accept selects the format of the chart", async () => {
    for (const type of ["image/png", "application/pdf", "image/svg+xml"]) {
        const answer = await api.get(`/api/v1/chart/matmul?${sweep}`, { headers: { Accept: type } });
        assert.equal(answer.status, 200);
        assert.ok(answer.headers["content-type"].startsWith(type));
    }
});

/** The pixel of a value on an axis, as api/openapi.yaml says. */
function pixelOf(axis, [from, to], value) {
    const part = axis.scale === "log" ? Math.log(value / axis.low) / Math.log(axis.high / axis.low) : (value - axis.low) / (axis.high - axis.low);
    return from + part * (to - from);
}

for (const [what, more] of Object.entries({ "logarithmic axes": "&logx=true&logy=true", "linear axes": "&logx=false&logy=false", "a small dark picture": "&width=480&height=400&theme=dark",
    "a long title": `&title=${"A+long+title+".repeat(8)}` }))
    test(`the JSON of a chart places its points where the picture has them: ${what}`, async () => {
        const [json, svg] = await Promise.all(["json", "svg"].map((suffix) => api.get(`/api/v1/chart/matmul.${suffix}?${sweep}${more}`)));
        assert.equal(json.status, 200, json.text);
        const { box, x, y, series } = json.json;
        const markers = [...svg.text.matchAll(/<use [^>]*translate\(([\d.]+),([\d.]+)\)/g)].map((found) => [Number(found[1]), Number(found[2])]);
        assert.ok(series.length >= 2);
        for (const { label, points, color } of series) {
            assert.equal(points.length, 4);
            const [, r, g, b] = color.match(/^#(..)(..)(..)$/).map((part) => parseInt(part, 16));
            assert.match(svg.text, new RegExp(`rgb\\( *${r}, *${g}, *${b}\\)`), `the color of ${label}`);
            for (const point of points) {
                const at = [pixelOf(x, [box.left, box.right], point.x), pixelOf(y, [box.bottom, box.top], point.y)];
                assert.ok(markers.some((marker) => Math.hypot(marker[0] - at[0], marker[1] - at[1]) < 0.05), `${label} at ${point.x}: no marker at ${at}`);
            }
        }
    });

test("the JSON of a chart has the values of the sweep", async () => {
    const chart = (await api.get(`/api/v1/chart/matmul.json?${sweep}`)).json;
    const { rows } = (await api.get(`/api/v1/sweep/matmul?${sweep.replace("&x=processes&series=variant", "")}`)).json;
    const shown = chart.series.flatMap(({ value, points }) => points.map((point) => [value, point.x, point.y]));
    assert.deepEqual(shown.sort(), rows.map((row) => [row.variant, row.processes, row.time_s]).sort());
    const warned = new Set(rows.flatMap((row) => row.warnings ?? []));
    assert.deepEqual(chart.warnings.map(({ code, what }) => (what ? `${code}:${what}` : code)).sort(), [...warned].sort());
});

test("the chart of a recommendation takes the work of its answer, and is the same as on its own", async () => {
    const made = async () => Number(/^forerun_predictions_total\{model="cholesky"\} (\d+)$/m.exec((await api.get("/metrics")).text)?.[1] ?? 0);
    for (const [goal, status] of [["objective=knee", 200], ["deadline_s=1e-9", 422], ["quantile=0.95&deadline_s=1e3", 200]]) {
        const asked = `machine=worked&n=4000&threads=4&max_nodes=16&${goal}`;
        assert.equal((await api.get(`/api/v1/recommend/cholesky?${asked}&limit=3`)).status, status);
        const before = await made();
        const shared = await api.get(`/api/v1/recommend/cholesky/chart.json?${asked}&width=500`);
        assert.equal(shared.status, 200, shared.text);
        assert.equal(await made(), before, "no prediction more");
        const alone = await api.get(`/api/v1/recommend/cholesky/chart.json?width=500&${goal}&max_nodes=16&threads=4&n=4000&machine=worked`);
        assert.ok(await made() > before, "another order of the query is asked anew");
        assert.deepEqual(shared.json, alone.json);
    }
    const other = await api.get("/api/v1/recommend/cholesky/chart.json?machine=worked&n=4000&threads=4&max_nodes=9&objective=knee");
    assert.ok(Math.max(...other.json.series[0].points.map(({ x }) => x)) <= 9, "another question has its own points");
});

test("width and height are those of the chart", async () => {
    const { body } = await api.get(`/api/v1/chart/matmul.png?${sweep}&width=640&height=360`);
    assert.equal(body.readUInt32BE(16), 640);
    assert.equal(body.readUInt32BE(20), 360);
});

test("the gnuplot script runs on its own", async () => {
    const script = folder.file("chart.gp");
    await writeFile(script, (await api.get(`/api/v1/chart/matmul.gp?${sweep}`)).body);
    const { stdout } = await run("gnuplot", ["-d", "-e", "set output", script], { cwd: folder.path, encoding: "latin1", maxBuffer: 1 << 26 });
    assert.match(stdout, /<svg|\x89PNG|%PDF|^/);
});

const evil = (mark) => [
    "`touch " + mark + "`",
    "\"; system('touch " + mark + "'); \"",
    "'; system('touch " + mark + "'); '",
    "'\nsystem('touch " + mark + "')\n'",
    "$(touch " + mark + ")",
    "@{system(\"touch " + mark + "\")}",
    "%s%n%s%n %d",
    "<script>alert(1)</script>",
    "</svg><script>alert(1)</script>",
    "{/Symbol a}_{x^2}&amp;\\\\ \\n \\\"",
    "EOD\nsystem('touch " + mark + "')",
    "größer ≥ 中文 😀",
    "a".repeat(500),
];

/** Runs scripts outside of the daemon, which confines gnuplot. Each has to be valid: a text that breaks its syntax could go on. */
async function runScripts(...scripts) {
    const files = scripts.map((_, i) => folder.file(`hostile-${i}.gp`));
    await Promise.all(files.map((file, i) => writeFile(file, scripts[i])));
    await run("gnuplot", ["-d", ...files], { cwd: folder.path, encoding: "latin1", maxBuffer: 1 << 26 });
}

test("a hostile title is drawn or refused, never executed", async () => {
    const mark = folder.file("ran"), scripts = [];
    for (const title of evil(mark))
        for (const suffix of ["svg", "gp", "png"].slice(0, title.startsWith("gr") ? 3 : 2)) {
            const answer = await api.get(`/api/v1/chart/matmul.${suffix}?${sweep}&title=${encodeURIComponent(title)}`);
            assert.ok([200, 400, 422].includes(answer.status), `${title}: ${answer.status} ${answer.text.slice(0, 200)}`);
            if (answer.status !== 200) assertProblem(answer, answer.status);
            else if (suffix === "svg") assert.doesNotMatch(answer.text, /<script/i, title);
            else if (suffix === "gp") scripts.push(answer.body);
        }
    await runScripts(...scripts);
    assert.ok(!existsSync(mark), "a title ran");
});

test("hostile names in a calibration are drawn or refused, never executed", async () => {
    const mark = folder.file("ran-too"), document = JSON.parse(worked), [protocol] = document.network.protocols, taken = [];
    const upload = (description, protocols) => api.upload({ ...document, machine: "evil", description, network: { protocols } }, token);
    for (const name of evil(mark)) {
        const { status, text } = await upload(name, [{ ...protocol, name }]);
        assert.ok([201, 422].includes(status), text);
        if (status === 201) taken.push(name);
    }
    assert.ok(taken.length > 0);
    const uploaded = await upload(taken.join(" "), taken.map((name, i) => ({ ...protocol, name, max_message_bytes: i + 1 < taken.length ? 64 << i : null })));
    assert.equal(uploaded.status, 201, uploaded.text);
    for (const what of ["bandwidth", "message_time", "kernels"]) {
        const answer = await api.get(`${uploaded.json.url}/chart/${what}.svg`);
        assert.equal(answer.status, 200, answer.text.slice(0, 300));
        assert.doesNotMatch(answer.text, /<script/i);
    }
    await runScripts((await api.get(`${uploaded.json.url}/chart/bandwidth.gp`)).body);
    assert.ok(!existsSync(mark), "a name ran");
});

test("the title is in the chart as it was given", async () => {
    const answer = await api.get(`/api/v1/chart/matmul.svg?${sweep}&title=${encodeURIComponent("Wurzel_5 {x} @ 3^2 größer")}`);
    assert.equal(answer.status, 200);
    const text = answer.text.replace(/<[^>]+>/g, "").replace(/\s+/g, " ");
    assert.ok(text.includes("Wurzel_5 {x} @ 3^2 größer"), "underscores, braces and carets are no markup");
});

test("eight charts at once are all drawn", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, (_, i) => api.get(`/api/v1/chart/matmul.png?${sweep}&title=chart%20${i}`)));
    for (const answer of answers) {
        assert.ok([200, 503].includes(answer.status), answer.text.slice(0, 300));
        if (answer.status === 503) assert.ok(Number(answer.headers["retry-after"]) >= 0);
    }
    assert.ok(answers.some((answer) => answer.status === 200));
});
