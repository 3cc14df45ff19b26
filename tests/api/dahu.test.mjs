// The set `dahu`, published data of a real cluster: it is what its script makes, and says what the data say.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { root, startDaemon } from "../daemon.mjs";
import { assertClose, client } from "./client.mjs";

const rows = (name) => {
    const [head, ...lines] = readFileSync(`${root}/calibrations/dahu/${name}.csv`, "utf8").trim().split("\n").map((line) => line.split(","));
    return lines.map((line) => Object.fromEntries(head.map((key, i) => [key, line[i]])));
};
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

let daemon, api;
before(async () => {
    daemon = await startDaemon();
    api = client(daemon.url);
});
after(() => daemon?.stop());

test("the script makes the shipped set", async () => {
    const folder = await mkdtemp(join(tmpdir(), "dahu-"));
    try {
        await promisify(execFile)(`${root}/calibrations/dahu/make.py`, [folder]);
        assert.equal(readFileSync(join(folder, "dahu.json"), "utf8"), readFileSync(`${root}/calibrations/sets/dahu.json`, "utf8"), "run make dahu");
    } finally {
        await rm(folder, { recursive: true });
    }
});

test("dgemm takes the mean over the processors", async () => {
    const all = rows("dgemm_polynomials"), processor = ({ node, cpu }) => `${node}.${cpu}`;
    const processors = [...new Set(all.map(processor))].map((one) => all.filter((row) => processor(row) === one));
    const [mnk, mn, mk, nk] = ["mnk", "mn", "mk", "nk"].map((name) => mean(processors.map((of) => mean(of.map((row) => Number(row[name]))))));
    for (const [m, n, k] of [[1, 1, 1], [7813, 128, 128], [128, 7813, 256], [7813, 7813, 128], [260, 250000, 128]]) {
        const { time_s } = await api.predict({ model: "calls", machine: "dahu", parameters: { calls: `dgemm NN ${m} ${n} ${k}` } });
        assertClose(time_s, mnk * m * n * k + mn * m * n + mk * m * k + nk * n * k, `${m} ${n} ${k}`, 1e-5);
    }
});

test("messages of more than 8 KiB are within 8 % of the ping-pong, shorter ones within 25 %", async () => {
    const { network: { protocols } } = (await api.get(`/api/v1/calibrations/${(await api.get("/api/v1/machines/dahu/calibrations")).json.items[0].id}`)).json;
    for (const { message_bytes, median_s } of rows("messages").filter(({ operation }) => operation === "pingpong")) {
        const bytes = Number(message_bytes), { off_node } = protocols.find(({ max_message_bytes: limit }) => limit === null || bytes <= limit);
        const error = (off_node.latency_s + bytes * off_node.inverse_bandwidth_s_per_byte) / (Number(median_s) / 2) - 1;
        assert.ok(Math.abs(error) < (bytes > 8192 ? 0.08 : 0.25), `${bytes} bytes: ${error}`);
    }
});

test("a prediction of HPL names what is assumed, and extrapolates nothing", async () => {
    const { warnings } = await api.predict({ model: "hpl", machine: "dahu", parameters: { n: 250000, block_size: 128, process_rows: 32, process_columns: 32 } });
    assert.deepEqual(warnings.map(({ code }) => code), ["assumed_value"]);
    for (const pointer of ["/kernels/routine_models/1", "/memory/core_bandwidth_bytes_per_s"]) assert.ok(warnings[0].message.includes(pointer));
});
