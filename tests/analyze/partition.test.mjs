// forerun-analyze --partition: its facts are held against counts by the definition
// (docs/models/partition.md), which are slow and obvious.
//
//   ANALYZE=build/forerun-analyze node --test tests/analyze/
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";

const program = process.env.ANALYZE ?? "build/forerun-analyze";
const skip = existsSync(program) ? false : "forerun-analyze is not built here";

/** The records, each with the facts that follow it. */
function parse(output) {
    const records = [];
    for (let at = 0; at < output.length;) {
        const end = output.indexOf(10, at), record = JSON.parse(output.subarray(at, end).toString());
        at = end + 1;
        if (record.bytes) record.facts = JSON.parse(output.subarray(at, at += record.bytes).toString());
        records.push(record);
    }
    return records;
}

function divide(options, input = "") {
    const ran = spawnSync(program, options, { input, timeout: 600e3, maxBuffer: 1 << 28 });
    const records = parse(ran.stdout);
    const parts = records.filter(({ record }) => record === "partition");
    return { status: ran.status, complaint: ran.stderr.toString(), records, parts, facts: parts.map(({ facts }) => facts),
        failed: records.find(({ record }) => record === "failed"), isEnded: records.at(-1)?.record === "end" };
}

const contiguous = (n, processes) => Array.from({ length: n }, (_, row) => {
    const few = Math.floor(n / processes), longer = n % processes;
    return row < longer * (few + 1) ? Math.floor(row / (few + 1)) : longer + Math.floor((row - longer * (few + 1)) / few);
});

/** The definition: entries are pairs of row and column from 0; owner[row] is a process. */
function counted(entries, owner, processes) {
    const zeros = () => Array(processes).fill(0), diagonal = zeros(), offdiagonal = zeros(), rows = zeros();
    const needed = new Set();
    for (const p of owner) rows[p]++;
    for (const [a, b] of entries) {
        (owner[a] === owner[b] ? diagonal : offdiagonal)[owner[a]]++;
        if (owner[a] !== owner[b]) needed.add(`${owner[b]},${owner[a]},${b}`);
    }
    const words = new Map();
    for (const one of needed) {
        const pair = one.slice(0, one.lastIndexOf(","));
        words.set(pair, (words.get(pair) ?? 0) + 1);
    }
    const messages = [...words].map(([pair, count]) => [...pair.split(",").map(Number), count]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    return { processes, rows, diagonal, offdiagonal, messages };
}

const market = (symmetry, n, entries) =>
    `%%MatrixMarket matrix coordinate pattern ${symmetry}\n${n} ${n} ${entries.length}\n${entries.map(([a, b]) => `${a + 1} ${b + 1}\n`).join("")}`;

/** Entries at random places, unsymmetric; some rows have none. */
function random(n, seed) {
    let state = seed;
    const next = (most) => (state = (state * 48271) % 2147483647) % most;
    const drawn = Array.from({ length: 3 * n }, () => [next(n), next(n)]);
    return [...new Map(drawn.map((entry) => [entry.join(), entry])).values()];
}

test("contiguous rows: the counts of the definition", { skip }, () => {
    for (const [n, seed] of [[1, 1], [2, 5], [17, 3], [60, 4], [301, 11]]) {
        const entries = random(n, seed), counts = [...new Set([1, 2, 3, 7, 16, n].filter((p) => p <= n))];
        const found = divide([`--partition=${counts}`, "--by=contiguous"], gzipSync(market("general", n, entries)));
        assert.equal(found.status, 0, found.complaint);
        assert.ok(found.isEnded);
        assert.deepEqual(found.facts, counts.map((p) => counted(entries, contiguous(n, p), p)));
    }
});

test("symmetric storage is expanded; --by is contiguous by default", { skip }, () => {
    const lower = random(50, 9).filter(([a, b]) => a >= b);
    const [facts] = divide(["--partition", "6"], market("symmetric", 50, lower)).facts;
    assert.deepEqual(facts, counted([...lower, ...lower.filter(([a, b]) => a > b).map(([a, b]) => [b, a])], contiguous(50, 6), 6));
});

// METIS's parts of this matrix, found by calling the library from Python.
test("metis: parts that the library gives to another program", { skip }, () => {
    const n = 60, entries = [];
    for (let i = 0; i < n; i++) {
        entries.push([i, i]);
        if (i + 1 < n) entries.push([i, i + 1]);
        if (i >= 10) entries.push([i, i - 10]);
        if (i % 3 === 0) entries.push([i, (7 * i + 3) % n]);
    }
    const four = { processes: 4, rows: [15, 15, 16, 14], diagonal: [40, 37, 39, 37], offdiagonal: [6, 11, 8, 11],
        messages: [[0, 1, 5], [0, 2, 5], [1, 0, 4], [1, 2, 1], [1, 3, 2], [2, 0, 2], [2, 1, 1], [2, 3, 7], [3, 1, 4], [3, 2, 2]] };
    const seven = { processes: 7, rows: [9, 8, 8, 8, 8, 10, 9], diagonal: [21, 20, 18, 17, 19, 23, 21], offdiagonal: [7, 8, 8, 9, 8, 4, 6],
        messages: [[0, 3, 2], [0, 4, 3], [1, 0, 1], [1, 2, 5], [1, 5, 1], [2, 0, 2], [2, 3, 1], [2, 6, 1], [3, 1, 3], [3, 2, 2], [3, 5, 1], [4, 0, 2],
            [4, 3, 2], [4, 6, 3], [5, 0, 2], [5, 1, 1], [5, 3, 1], [5, 4, 4], [5, 6, 1], [6, 1, 4], [6, 2, 1], [6, 3, 1], [6, 4, 1], [6, 5, 2]] };
    const text = market("general", n, entries);
    assert.deepEqual(divide(["--partition=4,7,4", "--by=metis"], text).facts, [four, seven, four], "whatever comes before");
    assert.deepEqual(divide(["--partition=7", "--by=metis"], text).facts, [seven]);
    assert.deepEqual(divide(["--partition=1", "--by=metis"], text).facts, [counted(entries, Array(n).fill(0), 1)]);
});

test("metis: matrices without edges, and dense ones", { skip }, () => {
    const diagonal = Array.from({ length: 40 }, (_, i) => [i, i]);
    const [facts] = divide(["--partition=3", "--by=metis"], market("general", 40, diagonal)).facts;
    assert.deepEqual([facts.messages, facts.offdiagonal], [[], [0, 0, 0]]);
    assert.equal(facts.rows.reduce((a, b) => a + b), 40);
    const full = Array.from({ length: 900 }, (_, i) => [i % 30, Math.floor(i / 30)]);
    const [dense] = divide(["--partition=2", "--by=metis"], market("general", 30, full)).facts;
    assert.deepEqual(dense.messages, [[0, 1, dense.rows[0]], [1, 0, dense.rows[1]]]);
});

test("progress rises, and each partition has its record", { skip }, () => {
    const found = divide(["--partition=2,4,8", "--by=metis", "--generate", "cd3d:9,9,9,1"]);
    const progress = found.records.filter(({ record }) => record === "progress");
    assert.deepEqual(progress.map(({ stage }) => stage), ["reading", "metis, 2 processes", "metis, 4 processes", "metis, 8 processes"]);
    assert.ok(progress.every(({ fraction }, i) => fraction <= 1 && (!i || fraction > progress[i - 1].fraction)));
    for (const { partition, status, owners_s, messages_s } of found.parts) {
        assert.deepEqual([partition, status], ["metis", "ready"]);
        assert.ok(owners_s >= 0 && messages_s >= 0);
    }
});

test("what cannot be divided is refused with the remedy", { skip }, () => {
    const few = divide(["--partition=2,5,1"], market("general", 3, [[0, 0], [1, 0], [2, 2]]));
    assert.deepEqual(few.parts.map(({ status }) => status), ["ready", "failed", "ready"]);
    assert.equal(few.parts[1].reason, "5 processes for 3 rows; each needs a row, so use at most 3");
    assert.equal(few.status, 1);
    // As many parts as rows: METIS leaves some of them empty.
    const empty = divide(["--partition=60", "--by=metis"], market("general", 60, random(60, 4))).parts[0];
    assert.match(empty.reason, /^part \d+ of 60 has no rows; use fewer processes, or the partition contiguous$/);
    assert.match(divide(["--partition=2"], "no matrix").failed.reason, /\w/);
});

// Every row reads every value: P (P - 1) messages.
test("more messages than a document has are refused", { skip: skip || (process.env.FORERUN_LONG ? false : "FORERUN_LONG=1 runs it") }, () => {
    const rows = 2100, full = `%%MatrixMarket matrix coordinate pattern general\n${rows} ${rows} ${rows * rows}\n${
        Array.from({ length: rows }, (_, i) => Array.from({ length: rows }, (_, j) => `${i + 1} ${j + 1}\n`).join("")).join("")}`;
    const [most, over] = divide(["--partition=2000,2001"], gzipSync(full, { level: 1 })).parts;
    assert.equal(most.facts.messages.length, 2000 * 1999);
    assert.equal(over.reason, "more than 4000000 messages; use fewer processes, or another partition");
});

test("wrong options", { skip }, () => {
    for (const wrong of [["--partition=0"], ["--partition=65537"], ["--partition=2,x"], ["--partition=2,"], ["--partition="],
        ["--partition=2", "--by=parmetis"], ["--partition=2", "--factorize"], [`--partition=${Array(65).fill(2)}`]])
        assert.equal(divide(wrong).status, 64, wrong.join(" "));
});

test("limits are told as reasons", { skip }, () => {
    const slow = divide(["--partition=65536", "--by=metis", "--cpu-limit-s", "1", "--generate", "cd3d:60,60,60,1"]);
    assert.match(slow.failed.reason, /stage `metis, 65536 processes` takes too long: the limit of 1 s of processor time/);
    assert.ok(slow.isEnded);
    const small = divide(["--partition=64", "--by=metis", "--memory-limit-bytes", "90000000", "--generate", "cd3d:60,60,60,1"]);
    const reason = small.parts[0]?.reason ?? small.failed?.reason;
    assert.match(reason, /memory/);
});
