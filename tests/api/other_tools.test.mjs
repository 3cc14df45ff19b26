// The recipes of docs/other_tools.md: Python runs; of spreadsheets and Grafana all that reaches the daemon, and what they
// read of the answer.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { root, startDaemon } from "../daemon.mjs";
import { client, parseCsv } from "./client.mjs";
import { run, workplace } from "./shell.mjs";

const EXAMPLES = join(root, "docs/examples");

let daemon, api, place, env, recipes, blocks;
before(async () => {
    daemon = await startDaemon();
    api = client(daemon.url);
    place = await workplace();
    env = { PATH: place.PATH, FORERUN_URL: daemon.url, FORERUN_TOKEN: await daemon.token("write"), PYTHONPATH: `${EXAMPLES}:${place.path}`, PYTHONDONTWRITEBYTECODE: "1" };
    recipes = (await readFile(join(root, "docs/other_tools.md"), "utf8")).replace(/https?:\/\/(127\.0\.0\.1:8080|forerun\.example\.org)/g, daemon.url);
    blocks = (language) => [...recipes.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "gms"))].map(([, text]) => text);
});
after(() => Promise.all([daemon?.stop(), place?.remove()]));

const python = (args, options = {}) => run("python3", args, { ...options, env: { ...env, ...options.env }, cwd: place.path });

/** The rows of a table, as objects; every row has every column, and none is a refused combination. */
async function table(address) {
    const answer = await api.get(address.replace(daemon.url, ""));
    assert.equal(answer.status, 200, `${address}: ${answer.text.slice(0, 500)}`);
    const [header, ...lines] = parseCsv(answer.text);
    assert.ok(lines.length > 1, address);
    return lines.map((line) => {
        assert.equal(line.length, header.length);
        const row = Object.fromEntries(line.map((field, i) => [header[i], field]));
        assert.equal(row.error ?? "", "");
        return row;
    });
}

const isNumber = (text) => text !== "" && Number.isFinite(Number(text));

test("the Python client predicts, reads tables, stores times and raises refusals", async () => {
    const fastest = await python([join(EXAMPLES, "ask.py"), "hopper"]);
    assert.deepEqual([fastest.code, fastest.stderr], [0, ""]);
    const rows = await table("/api/v1/sweep/cholesky.csv?machine=hopper&n=65536&threads=6&variant=2d,2d_ovlp,25d,25d_ovlp&processes=64..1024..*4&tune=true");
    const lines = fastest.stdout.trimEnd().split("\n");
    assert.equal(lines.length, new Set(rows.map((row) => row.processes)).size);
    for (const line of lines) {
        const [, processes, nodes, time_s, variant] = line.match(/^(\d+) processes, (\d+) nodes: (\S+) s with (\S+)$/);
        const [best] = rows.filter((row) => row.processes === processes).sort((a, b) => a.time_s - b.time_s);
        assert.deepEqual([nodes, variant], [best.nodes, best.variant]);
        assert.ok(Math.abs(time_s / best.time_s - 1) < 1e-5);
    }
    const refused = await python([join(EXAMPLES, "ask.py"), "nowhere"]);
    assert.deepEqual([refused.code, refused.stdout], [1, ""]);
    assert.match(refused.stderr, /^ask\.py: machine: 'nowhere' has no calibration/);
    const silent = await python([join(EXAMPLES, "ask.py")], { env: { FORERUN_URL: "http://127.0.0.1:1" } });
    assert.equal(silent.code, 1);
    assert.match(silent.stderr, /^ask\.py: .*refused/);
    const store = 'import ask; print(ask.store_seconds("hopper", "cholesky", 42.7, 43, n=65536, variant="2d", processes=64, threads=6, job="a b&c", started_at="2026-11-01T10:00:00Z"))';
    assert.deepEqual(await python(["-c", store]), { code: 0, stdout: "1\n", stderr: "" });
    const [{ time_s, job }] = (await api.get("/api/v1/machines/hopper/runs?n=65536")).json.items;
    assert.deepEqual([time_s, job], [42.85, "a b&c"]);
    const denied = await python(["-c", store], { env: { FORERUN_TOKEN: "frog" } });
    assert.match(denied.stderr, /ask\.Refused: /);
});

test("a reference of ReFrame is the prediction with how far its interval lies below and above", async () => {
    const ask = async (path) => {
        const { text } = await api.get(`/api/v1/${path}`), { stdout, stderr } = await python(["-c", `${text}\nimport json\nprint(json.dumps(reference))`]);
        assert.equal(stderr, "", text);
        return { text, reference: JSON.parse(stdout) };
    };
    const query = "machine=dahu&n=100000&process_rows=32&process_columns=32&block_size=128", { reference, text } = await ask(`predict/hpl.reframe?${query}`);
    assert.ok(blocks("python").includes(text.slice(text.indexOf("reference"))), "the documents show this answer");
    const { json: { time_s, gflops, interval: { low_s, high_s } } } = await api.get(`/api/v1/predict/hpl?${query}`);
    const isNear = (value, other, by) => assert.ok(Math.abs(value - other) <= by, `${value} is not ${other}`);
    for (const [name, expected, low, high, kind] of [["time", time_s, low_s, high_s, "s"], ["rate", gflops, gflops * time_s / high_s, gflops * time_s / low_s, "Gflop/s"]]) {
        const [value, below, above, unit] = reference.dahu[name];
        isNear(value, expected, 1e-5 * expected);
        isNear(below, low / expected - 1, 1e-4);
        isNear(above, high / expected - 1, 1e-4);
        assert.ok(below < 0 && above > 0);
        assert.equal(unit, kind);
    }
    const open = await ask("recommend/cholesky.reframe?machine=hopper&n=65536&threads=6"), { best } = (await api.get("/api/v1/recommend/cholesky?machine=hopper&n=65536&threads=6")).json;
    isNear(open.reference.hopper.time[0], best.time_s, 1e-5 * best.time_s);
    assert.deepEqual(open.reference.hopper.time.slice(1), [null, null, "s"], "without an interval nothing is refused");
});

test("the Python examples run as they are printed", async () => {
    const [module, pandas] = blocks("python").filter((block) => block.includes("import"));
    const asked = await python(["-c", module]);
    assert.deepEqual([asked.code, asked.stderr], [0, ""]);
    const { json } = await api.get("/api/v1/predict/cholesky?machine=hopper&variant=2d&n=65536&processes=64&threads=6&quantile=0.95");
    const ranked = await table("/api/v1/rank/cholesky.csv?machine=hopper&n=65536&processes=64&threads=6&limit=3");
    const lines = asked.stdout.trimEnd().split("\n");
    assert.ok(lines[0].includes(` ${json.wall_time} ['`));
    assert.deepEqual(lines.slice(1).map((line) => line.split(" ").slice(0, 3)), ranked.map((row) => [row.rank, row.variant, row.replication]));
    // pandas is large: its two calls, which fail where a column is missing or two rows want one cell.
    await place.write("pandas.py", `
import csv, io, urllib.request
class Table(list):
    def pivot(self, index, columns, values):
        cells = {(row[index], row[columns]): float(row[values]) for row in self}
        assert len(cells) == len(self)
        return len(cells)
def read_csv(address):
    return Table(csv.DictReader(io.StringIO(urllib.request.urlopen(address).read().decode(), newline="")))
`);
    assert.deepEqual(await python(["-c", pandas]), { code: 0, stdout: "6\n", stderr: "" });
});

test("the addresses for spreadsheets are tables, and the columns that become numbers are numbers", async () => {
    const addresses = [...recipes.matchAll(/^ {4}(http\S+)$|=IMPORTDATA\("(\S+?)"\)/gm)].map(([, line, formula]) => line ?? formula);
    assert.equal(addresses.length, 2);
    for (const address of addresses) assert.equal((await table(address)).length, 20);
    const [query] = blocks("powerquery");
    const [, host, path, list] = query.match(/Web\.Contents\("(.*?)", \[\s*RelativePath = "(.*?)",\s*Query = \[(.*?)\]\]/s);
    const pairs = [...list.matchAll(/(\w+) = "(.*?)"/g)].map(([, key, value]) => `${key}=${encodeURIComponent(value)}`);
    const rows = await table(`${host}/${path}?${pairs.join("&")}`);
    const typed = [...query.matchAll(/\{"(\w+)", (Int64\.Type|type number)\}/g)];
    assert.equal(typed.length, 4);
    for (const row of rows) for (const [, column, type] of typed)
        assert.ok(type === "Int64.Type" ? /^\d+$/.test(row[column]) : isNumber(row[column]), `${column} ${row[column]}`);
});

/** The rows of all pages, as the data source follows them: the cursor of each is a parameter of the next. */
async function pages(path, root, { pagination_mode, pagination_max_pages, pagination_param_cursor_field_name: name, pagination_param_cursor_field_type: type,
    pagination_param_cursor_extraction_path: from }) {
    const rows = [];
    for (let cursor = "", left = pagination_max_pages ?? 1; left; left--) {
        const { json } = await api.get(cursor ? `${path}&${name}=${cursor}` : path);
        rows.push(...json[root]);
        if (pagination_mode === undefined) break;
        assert.deepEqual([pagination_mode, type], ["cursor", "query"]);
        cursor = json[from];
        if (!cursor) break;
    }
    return rows;
}

test("the query of measured times follows the pages", async () => {
    const query = blocks("json").map((text) => JSON.parse(text)).find(({ pagination_mode }) => pagination_mode);
    const runs = Array.from({ length: 7 }, (_, i) => ({ model: "cholesky", time_s: 40 + i, started_at: `2026-11-0${i + 1}T00:00:00Z`,
        parameters: { variant: "2d", n: 65536, processes: 64, threads: 6 } }));
    assert.equal((await api.post("/api/v1/machines/hopper/runs", runs, { token: env.FORERUN_TOKEN })).status, 201);
    const path = query.url.replace(daemon.url, "").replace(/&from=.*/, "");
    const all = await pages(path, query.root_selector, query);
    assert.ok(all.length >= runs.length);
    assert.deepEqual(await pages(path.replace("limit=1000", "limit=1"), query.root_selector, query), all.slice(0, query.pagination_max_pages));
});

test("the queries for Grafana find every column in every row", async () => {
    const queries = blocks("json").map((text) => JSON.parse(text));
    assert.deepEqual(queries.map(({ type }) => type), ["csv", "json", "json"]);
    for (const { type, url, root_selector, columns, parser, source, ...query } of queries) {
        assert.deepEqual([parser, source], ["backend", "url"]);
        const address = url.replace("${__from:date:iso}", "2026-01-01T00:00:00.000Z").replace("${__to:date:iso}", "2030-01-01T00:00:00.000Z");
        const rows = type === "csv" ? await table(address) : await pages(address.replace(daemon.url, ""), root_selector, query);
        assert.ok(rows.length > 0, address);
        for (const row of rows) for (const column of columns) {
            const value = type === "csv" ? row[column.selector] : column.selector.split(".").reduce((at, key) => at[key], row);
            if (column.type === "number") assert.ok(isNumber(value), `${column.selector} ${value}`);
            else if (column.type === "timestamp") assert.ok(Date.parse(value) > 0, value);
            else assert.ok(typeof value === "string" && value !== "", `${column.selector} ${value}`);
        }
    }
});
