// What the claims of static/papers.md are checked with: a daemon, the questions of a row, and rows of answers compared.
import assert from "node:assert/strict";
import { client } from "./client.mjs";
import { standingDaemon } from "./clock.mjs";
import { grid7, readyMatrix } from "./matrix_server.mjs";

/* Times in place of the paper's, which are known as pictures alone: fluctuations of 8 %, slower out of cache; jumps at three sizes. */
export const orders = Array.from({ length: 128 }, (_, i) => 8 * (i + 1));
const jumping = (n) => 1e-10 * n ** 3 * (1 + 0.3 * (n > 304) - 0.3 * (n > 648) + 0.3 * (n > 904));
const repeated = (time_s) => `"(dtrsm, R, L, N, U, 512, 128, 0.37, A, 256, B, 512)",${time_s},${[1, 1.04, 0.96, 1.02, 0.98].map((factor) => factor * time_s).join(" ")}`;
const SAMPLES = {
    in_cache: ["call,median_s,times_s", repeated(4e-4), ...orders.map((n) => `dtrsm LLNN ${n} ${n} 0.5,${jumping(n)},`)].join("\n"),
    out_of_cache: ["call,median_s,times_s", repeated(5e-4)].join("\n"),
};

let daemon, ids;
export let api;
/** Starts a daemon that has what the rows ask for: the shipped sets, a matrix and samples.  Its clock stands: no row is cut short. */
export async function startWithSamples() {
    daemon = await standingDaemon();
    api = client(daemon.url);
    const { json } = await api.get("/api/v1/machines?limit=100");
    ids = Object.fromEntries(json.items.map(({ name, calibration }) => [name, calibration]));
    const token = await daemon.token("write");
    await readyMatrix(api, token, "name=grid&orderings=metis&supernode_max=60&supernode_relax=10", grid7(20));
    for (const [locality, csv] of Object.entries(SAMPLES)) {
        const sent = await api.send(`/api/v1/machines/example/runs?format=samples&locality=${locality}`, { method: "POST", body: csv, token, headers: { "Content-Type": "text/csv" } });
        assert.equal(sent.status, 201, sent.text);
    }
}
export const stop = () => daemon?.stop();

export const open = (address) => address.replace(/\{([\w-]+)\}/g, (_, machine) => ids[machine]);
export const json = async (path) => {
    const answer = await api.get(open(path));
    assert.equal(answer.status, 200, `${path}\n${answer.text.slice(0, 500)}`);
    return answer.json;
};

const DRAWN = ["kind", "x", "y", "series", "logx", "logy", "measured"];
/** What a chart draws, as rows; `more` changes the question. */
export async function rows(address, more = {}) {
    const [path, query] = address.replace("/chart/", "/sweep/").replace(".svg?", "?").split("?"), asked = new URLSearchParams(query);
    for (const name of DRAWN) asked.delete(name);
    for (const [name, value] of Object.entries(more)) asked.set(name, value);
    const found = (await json(`${path}?${asked}`)).rows;
    for (const row of found) assert.equal(row.error, null, `${address}: ${row.error}`);
    return found;
}

export const calibration = (machine) => json(`/api/v1/calibrations/{${machine}}`);
/** Whether `a` is at most `b`, but for rounding. */
export const atMost = (a, b, what) => assert.ok(a <= b * (1 + 1e-9), `${what}: ${a} above ${b}`);
export const by = (list, name, value) => list.filter((row) => row[name] === value);
export const times = (list) => list.map(({ time_s }) => time_s);
/** Pairs of rows that differ in `name` alone, which has the values `first` and `second`. */
export const pairs = (list, name, first, second) => by(list, name, first).map((row, i) => [row, by(list, name, second)[i]]);
