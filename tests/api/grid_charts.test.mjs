// Charts of process grids, block sizes and broadcasts: their values are those of sweeps and rankings.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { client } from "./client.mjs";
import { standingDaemon } from "./clock.mjs";

const QUESTION = "machine=example&n=3000";
const HPL = `${QUESTION}&broadcast=1ringM&lookahead_depth=1`;

let daemon, api;
before(async () => {
    daemon = await standingDaemon();
    api = client(daemon.url);
});
after(() => daemon?.stop());

async function script(path) {
    const { status, text } = await api.get(`/api/v1/chart/${path}`);
    assert.equal(status, 200, text.slice(0, 500));
    return text;
}

/** The cells of a map: { "column row": value }, NaN for grey ones. */
function cells(text) {
    const rows = [...text.matchAll(/^(-?[\d.]+) (-?[\d.]+) \1 (-?[\d.]+) \2 (-?[\d.]+) (\S+)$/gm)];
    return Object.fromEntries(rows.map(([, left, low, , , value]) => [`${Number(left) + 0.5} ${Number(low) + 0.5}`, Number(value)]));
}

const block = (text, name) => text.match(new RegExp(`\\$${name} << EOD\\n([^]*?)EOD`))[1].trim().split("\n").map((line) => line.split(" ").map(Number));
const close = (one, other, text) => assert.ok(Math.abs(one / other - 1) < 1e-9, `${text}: ${one} is not ${other}`);

test("a map of process rows and block sizes has the times of a sweep, and the best framed", async () => {
    const query = `${HPL}&processes=8&process_rows=1..8&block_size=64,128`;
    const text = await script(`hpl.gp?${query}&kind=map&x=process_rows&series=block_size`);
    const { rows } = (await api.get(`/api/v1/sweep/hpl?${query}`)).json;
    const drawn = cells(text), blocks = [64, 128];
    assert.equal(Object.keys(drawn).length, rows.length);
    const unit = text.includes("set cblabel 'time (ms)'") ? 1e3 : 1;
    for (const { process_rows, block_size, time_s } of rows) {
        const value = drawn[`${process_rows - 1} ${blocks.indexOf(block_size)}`];
        if (time_s === null) assert.ok(Number.isNaN(value), `${process_rows} ${block_size}`);
        else close(value, unit * time_s, `${process_rows} ${block_size}`);
    }
    const best = rows.reduce((least, row) => (row.time_s !== null && !(row.time_s >= least.time_s) ? row : least));
    assert.match(text, /the best is framed/);
    assert.ok(text.includes(`rectangle from first ${best.process_rows - 1.5}, first ${blocks.indexOf(best.block_size) - 0.5} to`), JSON.stringify(best));
    assert.match(text, /title '8 refused \(process_rows: 3 does not divide 8 processes\)'/);
});

test("refused cells are grey and counted by their reason", async () => {
    const text = await script(`hpl.gp?${HPL}&block_size=96&processes=8&process_rows=1..8&ranks_per_node=1,2,3&kind=map&x=process_rows&series=ranks_per_node`);
    const grey = Object.values(cells(text)).filter(Number.isNaN);
    assert.equal(grey.length, 8 + 8);
    assert.match(text, /title '8 refused \(process_rows: 3 does not divide 8 processes\)' with boxes/);
    assert.match(text, /title '8 refused \(ranks_per_node: 3 processes of 1 thread on a node [^']*' with boxes/);
    assert.doesNotMatch(text, /framed/);
});

test("a map of process rows and columns has every grid", async () => {
    const query = `${HPL}&block_size=96&process_rows=1,2,4&process_columns=1,2,4`;
    const text = await script(`hpl.gp?${query}&kind=map&x=process_columns&series=process_rows`);
    const { rows } = (await api.get(`/api/v1/sweep/hpl?${query}`)).json;
    const drawn = cells(text);
    assert.equal(Object.keys(drawn).length, 9);
    const unit = text.includes("set cblabel 'time (ms)'") ? 1e3 : 1;
    for (const { process_rows, process_columns, time_s } of rows)
        close(drawn[`${Math.log2(process_columns)} ${Math.log2(process_rows)}`], unit * time_s, `${process_rows} x ${process_columns}`);
    assert.doesNotMatch(text, /refused|\$grey/);
});

test("a title has what is one number, and is on no axis", async () => {
    const query = "machine=example&process_rows=1,2&process_columns=2&block_size=128&x=process_rows&broadcast=1ring";
    assert.match(await script(`hpl.gp?${query}&n=3000`), /'hpl on example, n = 3000, block size = 128, process columns = 2/);
    assert.match(await script(`hpl.gp?${query}&memory_fraction=0.01`), /'hpl on example, memory fraction = 0.01, block size/);
    assert.match(await script(`hpl.gp?${query}&memory_fraction=0.01,0.02`), /'hpl on example, block size/);
});

test("a map over processes optimizes the open choices of each cell", async () => {
    const text = await script(`hpl.gp?${HPL}&processes=4,6&block_size=64,128&kind=map&x=processes&series=block_size&y=percent_of_peak&tune=true`);
    const drawn = cells(text);
    for (const [column, processes] of [4, 6].entries())
        for (const [row, size] of [64, 128].entries()) {
            const [best] = (await api.get(`/api/v1/rank/hpl?${HPL}&processes=${processes}&block_size=${size}`)).json.rows;
            close(drawn[`${column} ${row}`], best.percent_of_peak, `${processes} processes, ${size}`);
        }
});

for (const suffix of ["svg", "png", "pdf"])
    test(`a map with grey cells is drawn as ${suffix}`, async () => {
        const answer = await api.get(`/api/v1/chart/pdpotrf.${suffix}?${QUESTION}&processes=6&process_rows=1..6&block_size=32,64&kind=map`);
        assert.equal(answer.status, 200, answer.text.slice(0, 300));
        if (suffix === "svg") assert.match(answer.text.replace(/<[^>]+>/g, ""), /4 refused \(process_rows: 4 does not divide 6 processes\)/);
    });

test("percent of peak over block sizes has a line for each broadcast, each point with its best grid", async () => {
    const broadcasts = ["1ring", "2ringM", "longM"], sizes = [32, 96, 256];
    const text = await script(`hpl.gp?${QUESTION}&processes=8&block_size=${sizes}&broadcast=${broadcasts}&x=block_size&series=broadcast&y=percent_of_peak&tune=true`);
    assert.match(text, /set logscale x 2\n[^]*set xtics \('32' 32, '64' 64, '128' 128, '256' 256\)\nset xlabel 'block size'/);
    assert.match(text, /set ylabel 'percent of peak \(%\)'/);
    for (const [line, broadcast] of broadcasts.entries()) {
        assert.match(text, new RegExp(`\\$data${line} using 1:2 title '${broadcast}'`));
        for (const [size, value] of block(text, `data${line}`)) {
            const [best] = (await api.get(`/api/v1/rank/hpl?${QUESTION}&processes=8&block_size=${size}&broadcast=${broadcast}`)).json.rows;
            close(value, best.percent_of_peak, `${broadcast} ${size}`);
        }
    }
});
