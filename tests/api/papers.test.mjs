// static/papers.md: every address of its tables answers, and what its row says of the paper holds.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { root } from "../daemon.mjs";
import { load } from "../page/page.mjs";
import { api, atMost, by, calibration, json, open, orders, pairs, rows, startWithSamples, stop, times } from "./paper_questions.mjs";

const { papersOf } = await load("papers/rows.js");
const listed = papersOf(readFileSync(join(root, "static/papers.md"), "utf8")).flatMap(({ machine, rows }) => rows.map((row) => ({ machine, ...row })));

before(startWithSamples);
after(stop);

/** A chart of both process counts: `best` has the fastest variant of each. */
const bars = (...best) => async ({ address }) => {
    const found = await rows(address), fastest = [1024, 4096].map((processes) =>
        by(by(found, "contention", true), "processes", processes).sort((a, b) => a.time_s - b.time_s)[0].variant);
    for (const [real, ideal] of pairs(found, "contention", true, false)) assert.ok(real.percent_of_peak < ideal.percent_of_peak, real.variant);
    assert.deepEqual(fastest, best);
    for (const { variant, replication } of found) assert.equal(replication > 1, variant.startsWith("25d"), variant);
    const { x, series } = await json(address.replace(".svg?", ".json?"));
    assert.deepEqual([x.categories.length, x.categories[0], x.categories.at(-1)], [8, "2d, 1024", "25d_ovlp, 4096"]);
    assert.deepEqual(series.map(({ label }) => label), ["contention true", "contention false"]);
};

/** The best variants by order, from few processes to many. */
async function bestOf({ address }) {
    const { cells } = await json(address), table = new Map();
    for (const { n, variant, best } of cells) if (best) table.set(n, [...(table.get(n) ?? []), variant]);
    assert.deepEqual([...table.values()].map((line) => line.length), [4, 4, 4, 4]);
    return table;
}
async function crosses(row) {
    const table = await bestOf(row);
    for (const line of table.values()) {
        const flat = line.filter((variant) => variant === "2d_ovlp").length;
        assert.ok(flat > 0, String(line));
        assert.deepEqual(line, line.map((_, i) => (i < flat ? "2d_ovlp" : "25d_ovlp")));
    }
    assert.equal(table.get(32768)[3], "25d_ovlp");
}

const falls = async ({ address }) => {
    const found = await rows(address);
    for (const size of new Set(found.map(({ block_size }) => block_size))) {
        const list = by(found, "block_size", size).map(({ computation_s }) => computation_s);
        list.forEach((value, i) => assert.ok(i === 0 || value < list[i - 1], String(list)));
    }
    return found;
};
const asCannon = async (row) => {
    const [johnson, cannon] = [await falls(row), await rows(row.address, { algorithm: "cannon" })];
    for (const [i, { block_size, n, processes, computation_s }] of johnson.entries())
        if (n / block_size === 5 && processes === 32) assert.ok(computation_s < cannon[i].computation_s);
        else assert.equal(computation_s, cannon[i].computation_s);
};
const larger = async ({ address }) => {
    const found = await rows(address), sizes = [...new Set(found.map(({ block_size }) => block_size))].sort((a, b) => a - b);
    for (const [small, large] of pairs(found, "block_size", ...sizes))
        if (small.processes === 1) assert.deepEqual([small.communication_s, large.communication_s], [0, 0]);
        else assert.ok(large.communication_s < small.communication_s);
};
/** What section V-C prints of n = 2,000; `share` is the part of the bandwidth bound that computation reaches. */
const printed = (share) => async ({ address }) => {
    for (const row of (await rows(address)).filter(({ block_size, processes }) => block_size === 200 && processes >= 16)) {
        const [low, high] = row.processes === 16 ? [60, 70] : [130, 140];
        assert.ok(row.gflops_max >= low && row.gflops_max <= high, String(row.gflops_max));
        assert.deepEqual([row.intensity_flops_per_byte, row.inter_node_bandwidth_per_core_bytes_per_s], [100, 156.25e6]);
        assert.ok(Math.abs(row.gflops_max / row.bandwidth_bound_gflops - share) < 0.01);
    }
};
const computes = async ({ address }) => assert.ok((await rows(address)).every(({ bottleneck }) => bottleneck === "compute"));

const fasterWith = (name, first, second) => async ({ address }) => {
    const found = await rows(address), compared = pairs(found, name, first, second);
    for (const [one, other] of compared) atMost(one.time_s, other.time_s, JSON.stringify([one.message_bytes, one.nodes]));
    return compared.at(-1);
};
const abovePostal = async ({ address }) => {
    const [found, postal] = [await rows(address), await rows(address, { penalties: "none" })];
    found.forEach((row, i) => atMost(postal[i].time_s, row.time_s, `${row.message_bytes} bytes`));
    assert.ok(found.at(-1).time_s - postal.at(-1).time_s > found[0].time_s - postal[0].time_s);
};
/** [n, the variants from the fastest to the slowest] of each size. */
const ranked = async (address, more) => {
    const found = await rows(address, more);
    return [...new Set(found.map(({ n }) => n))].map((n) => [n, by(found, "n", n).sort((a, b) => a.time_s - b.time_s).map(({ variant }) => variant)]);
};
/** Regions that cover sizes from 8 on, each with its error. */
const regions = async ({ address }) => {
    const { list } = (await json(address.replace(".svg", ".json"))).cells;
    assert.ok(list.length > 1 && list.every(({ value }) => value > 0), JSON.stringify(list));
    assert.deepEqual([Math.min(...list.map((cell) => cell.low_x)), Math.min(...list.map((cell) => cell.low_y))], [8, 8]);
    return list;
};

const claims = {
    "hopper Table I": async ({ address }) => {
        const { facts } = await json(address), { node } = await calibration("hopper");
        assert.deepEqual([facts.nodes, facts.cores_per_node, node.numa_domains, node.clock_hz, node.peak_flops_per_s, node.memory_bytes], [6384, 24, 4, 2.1e9, 24 * 8.4e9, 32 * 2 ** 30]);
    },
    "hopper Figure 1": async () => {
        const list = by((await calibration("hopper")).kernels.dgemm.square, "threads", 6);
        list.forEach((row, i) => assert.ok(i === 0 || row.efficiency_fraction > list[i - 1].efficiency_fraction));
    },
    "hopper Figure 2": async () => {
        const { off_node } = (await calibration("hopper")).network.protocols[0];
        atMost(1 / off_node.inverse_bandwidth_s_per_byte, 7e9, "bandwidth");
    },
    "hopper Figure 4": async () => {
        const { average, maximum } = (await calibration("hopper")).contention;
        const at = (list, distance) => list.find((row) => row.distance === distance).factor;
        assert.ok(at(average, 32) >= 2 * at(average, 4));
        assert.ok(at(by(maximum, "processes", 4096), 32) > at(by(maximum, "processes", 1024), 32));
        assert.ok(average.every(({ processes }) => processes === undefined));
    },
    "hopper Figure 5": bars("2d_ovlp", "2d_ovlp"),
    "hopper Figure 6": bars("2d_ovlp", "25d_ovlp"),
    "hopper Figure 7": bars("25d_ovlp", "25d_ovlp"),
    "hopper Figure 8": bars("2d_ovlp", "2d_ovlp"),
    "hopper Table II": crosses,
    "hopper Table III": crosses,
    "hopper Table IV": async (row) => {
        const table = await bestOf(row), most = [table.get(131072).shift(), table.get(262144).shift()];
        assert.deepEqual([...new Set([...table.values()].flat())], ["25d_ovlp"]);
        assert.deepEqual(most, ["25d", "25d"]);
        const { cells: large } = await json(row.address.replace("n=32768,65536,131072,262144", "n=4194304&memory=ignore"));
        assert.deepEqual(large.filter(({ best }) => best).map(({ variant }) => variant), ["2d", "25d", "25d", "25d"]); // on each number of processes none with overlap, from some order on
        for (const [n, ...expected] of [[131072, 10, 8, 11], [262144, 80, 33, 44]]) {
            const { cells } = await json(row.address), at = (variant) => cells.find((cell) => cell.n === n && cell.processes === 1024 && cell.variant === variant);
            const [plain, behind] = await Promise.all(["25d", "25d_ovlp"].map((variant) => json(`/api/v1/predict/trsm?${new URLSearchParams({
                machine: "hopper", threads: 6, n, processes: 1024, variant, ...at(variant).tunables })}`)));
            assert.deepEqual([behind.computation_s - plain.computation_s, behind.hidden_s, behind.communication_s].map(Math.round), expected);
        }
    },
    "hopper Table V": async (row) => {
        for (const blocks of [2, 3, 4, 6]) {
            const table = await bestOf({ address: row.address.replace("blocks_per_process=4", `blocks_per_process=${blocks}`) });
            for (const line of table.values()) assert.deepEqual(line, [...line].sort().reverse(), `${blocks}: ${line}`); // 2d_ovlp before 25d_ovlp
            assert.deepEqual([...new Set([...table.values()].flat())].sort(), ["25d_ovlp", "2d_ovlp"]);
            assert.deepEqual([table.get(32768)[0], table.get(32768)[3]], ["2d_ovlp", "25d_ovlp"]);
        }
        const { cells } = await json(row.address.replace("&blocks_per_process=4", ""));
        assert.deepEqual([...new Set(cells.filter(({ best }) => best).map(({ variant }) => variant))], ["25d_ovlp"]);
    },

    "example Figure I.1": async ({ address }) => {
        const found = await rows(address);
        for (const n of new Set(found.map((row) => row.n))) assert.equal(by(found, "n", n).sort((a, b) => b.time_s - a.time_s)[0].variant, 4, `n=${n}`);
        assert.equal(by(found, "n", 1024).sort((a, b) => a.time_s - b.time_s)[0].variant, 3);
    },
    "example Figure I.2": async ({ address }) => {
        const found = await rows(address), best = [1, 2, 3].map((variant) => {
            const list = by(found, "variant", variant), fastest = list.reduce((least, row) => (row.time_s < least.time_s ? row : least));
            for (const end of [list[0], list.at(-1)]) assert.ok(end.time_s > 1.03 * fastest.time_s, `variant ${variant}, blocks of ${end.block_size}`);
            return fastest;
        });
        assert.deepEqual(best.map(({ block_size }) => block_size), [112, 144, 24]);
        assert.equal(Math.min(...times(found)), best[2].time_s);
        const last = by(found, "variant", 4);
        assert.equal(Math.min(...times(last)), last.at(-1).time_s);
    },
    "example Figure III.1": async ({ address }) => {
        const [left, leftUnit, right, rightUnit] = times(await rows(address));
        assert.ok(left === leftUnit && right === rightUnit && left !== right, "`diag` alone makes no difference");
        const flags = (await calibration("example")).kernels.routine_models.filter(({ routine }) => routine === "dtrsm").map(({ flags: of }) => Object.values(of).join(""));
        assert.deepEqual([...new Set(flags)].sort(), ["LLNN", "RLNN"]);
    },
    "example Figure II.1": async ({ address }) => {
        const { series } = await json(address.replace(".svg", ".json")), tuple = "(dtrsm,+R,+L,+N,+U,+512,+128,+0.37,+A,+256,+B,+512)";
        const printed = await json(address.replace(".svg", ".json").replace("dtrsm+RLNU+512+128+0.37", tuple));
        assert.match(printed.title, /\(dtrsm, R/);
        assert.deepEqual(printed.series, series);
        assert.deepEqual(series.map(({ label, mark, points }) => [label, mark, points.length]), [["in_cache", "point", 5], ["out_of_cache", "point", 5]]);
        const [near, far] = series.map(({ points }) => points.map(({ y }) => y));
        assert.ok(Math.max(...near) < Math.min(...far));
    },
    "example Figure III.2": async ({ address }) => {
        const list = times(await rows(address)), { series } = await json(address.replace(".svg", ".json"));
        for (let i = 1; 2 * i <= list.length; i *= 2) assert.ok(list[2 * i - 1] > list[i - 1], String(8 * i));
        assert.deepEqual(series.find(({ mark }) => mark === "point").points.map(({ x }) => x).sort((a, b) => a - b), orders);
    },
    "example Figure III.3": async ({ address }) => {
        const [{ points }] = (await json(address.replace(".svg", ".json"))).series, left = points.sort((a, b) => a.x - b.x);
        const jumps = left.slice(1).map(({ x, y }, i) => ({ x, by: Math.abs(y - left[i].y) })).sort((a, b) => b.by - a.by);
        assert.equal(left.length, 128);
        assert.deepEqual(jumps.slice(0, 3).map(({ x }) => x).sort((a, b) => a - b), [312, 656, 912], "where the intervals of one polynomial end");
    },
    "example Figure III.6": regions,
    "example Figure III.7": async (row) => assert.equal((await regions(row)).length, 2),
    "example Figure III.8": async ({ address }) => {
        for (const { label, points } of (await json(address.replace(".svg", ".json"))).series)
            points.forEach(({ x, y }, i) => assert.ok(y > 0 && (i === 0 || (x > points[i - 1].x && y < points[i - 1].y)), label));
    },
    "example Figure IV.1": async ({ address }) => {
        const near = await rows(address), far = await rows(address, { locality: "out_of_cache" }), [low, mean, high] = ["minimum", "average", "maximum"].map((each) => by(near, "statistic", each));
        near.forEach(({ time_s, variant, n }, i) => assert.ok(time_s < far[i].time_s, `variant ${variant}, n=${n}`));
        mean.forEach(({ time_s, variant, n }, i) => assert.ok(low[i].time_s < time_s && time_s < high[i].time_s, `variant ${variant}, n=${n}`));
    },
    "example Figure IV.3": async ({ address }) => {
        for (const [n, order] of await ranked(address, { statistic: "median" })) assert.deepEqual([order[0], order[3]], [3, 4], `n=${n}`);
        const spread = async (threads) => pairs(await rows(address, { threads }), "statistic", "minimum", "maximum").map(([low, high]) => ({ variant: low.variant, by: high.time_s / low.time_s }));
        const [one, two] = [await spread(1), await spread(2)], greater = two.filter((each, i) => each.by > one[i].by);
        assert.deepEqual([1, 2, 4].map((variant) => by(greater, "variant", variant).length), [0, 16, 16]);
    },
    "example Figure IV.2": async ({ address }) => {
        const found = by(await rows(address), "statistic", "median"), list = times(by(found, "variant", 3)), least = Math.min(...list);
        assert.ok(list[0] > 1.02 * least && list.at(-1) > 1.02 * least);
        assert.equal(by(found, "variant", 3)[list.indexOf(least)].block_size, 24);
        atMost(least, Math.min(...times(found)), "variant 3");
    },
    "example Figure IV.4": async ({ address }) => {
        const found = by(await rows(address), "m", 1024).sort((a, b) => b.percent_of_peak - a.percent_of_peak), shares = found.map((row) => row.percent_of_peak);
        assert.deepEqual(found.slice(0, 4).map(({ variant }) => variant), [1, 2, 5, 6]);
        assert.ok(shares[0] < 20 && shares[3] > 15.5 && shares[4] < 5, String(shares));
    },
    "example Figure IV.5": async ({ address }) => {
        const found = (await json(address)).rows;
        assert.deepEqual(found.slice(0, 4).map(({ variant }) => variant), [1, 2, 5, 6]);
        assert.ok(found.length === 16 && found[4].time_s > 3 * found[3].time_s && by(found, "variant", 13)[0].time_s > 4.5 * found[0].time_s);
    },

    "seaborg Table 1": async ({ address }) => {
        const matrix = await json(address), metis = matrix.orderings.find(({ ordering }) => ordering === "metis");
        for (const fact of ["n", "nnz", "structural_symmetry_fraction"]) assert.ok(matrix[fact] > 0, fact);
        for (const fact of ["nnz_lu", "fill", "flops"]) assert.ok(metis[fact] > 0, fact);
    },
    "seaborg Table 2": async () => {
        const { latency_s, points } = (await calibration("seaborg")).network.message_bandwidth;
        assert.equal(latency_s, 8e-6);
        assert.deepEqual(points.map((point) => [point.message_bytes, point.bandwidth_bytes_per_s / 1e6]),
            [[10, 1], [100, 10], [1000, 81], [1e4, 278], [1e5, 274], [1e6, 437], [1e7, 430]]);
    },
    "seaborg Figure 2": async ({ address }) => {
        const [[{ loads, loads_counted: counted, stores }], [printed]] = await Promise.all([rows(address), rows(address, { dgemm_counts: "ratio", count_scatter: false })]);
        assert.ok(counted > loads && (counted / stores).toFixed(1) === "3.9" && (printed.stores / stores).toFixed(2) === "0.48", JSON.stringify({ loads, counted, stores, printed: printed.stores }));
    },
    "seaborg Figure 3": async ({ address }) => {
        const [{ cache_misses_0: first, cache_misses_1: second, cache_misses_lower_paper: low, cache_misses_upper_paper: high }] = await rows(address);
        assert.deepEqual([high / first, high / second, first / low, second / low].map(Math.round), [5, 59, 9, 1]);
        const [whole] = await rows(address, { dest_lines: "block" });
        assert.equal((high / whole.cache_misses_0).toFixed(1), "1.1");
    },
    "seaborg Figure 4": async ({ address }) => {
        const { memory } = await calibration("seaborg"), [[hit, miss]] = pairs(await rows(address), "tlb", "hit", "miss");
        assert.deepEqual([memory.memory_latency_s * 375e6, memory.memory_latency_tlb_miss_s * 375e6].map(Math.round), [35, 139]);
        assert.equal((await json("/api/v1/machines/seaborg")).facts.nodes, 184);
        assert.ok(hit.time_s < miss.time_s);
        assert.ok(Math.abs(hit.sequential_time_upper_s - miss.time_s) < 1e-12);
    },
    "seaborg Figure 5": async ({ address }) => {
        const found = await rows(address), shares = found.map((row) => row.critical_path_computation_s / row.time_s);
        assert.ok(found.every(({ tlb }) => tlb === "miss"));
        assert.deepEqual([shares[0].toFixed(3), ...shares.map((share) => share > 0.5)], ["1.000", true, true, true, false, false, false], String(shares));
        shares.forEach((share, i) => assert.ok(i === 0 || share < shares[i - 1], String(shares)));
    },
    "seaborg Figure 6": async ({ address }) => {
        const found = pairs(await rows(address), "tlb", "hit", "miss"), missing = times(found.map(([, miss]) => miss));
        for (const [hit, miss] of found) assert.ok(hit.time_s < miss.time_s);
        missing.forEach((time, i) => assert.ok(i === 0 || time < missing[i - 1] && (time > 0.95 * missing[i - 1]) === (i > 3), String(missing)));
    },
    "seaborg Table 3": async ({ address }) => {
        const { cells } = await json(address), of = (output) => by(cells, "output", output).map(({ value }) => value);
        const balance = of("load_balance_factor"), [time, computing, sending] = ["time_s", "critical_path_computation_s", "critical_path_communication_s"].map(of);
        assert.ok(Math.abs(balance[0] - 1) < 1e-9);
        balance.forEach((factor, i) => assert.ok(i === 0 || factor > balance[i - 1], String(balance)));
        time.forEach((all, i) => assert.ok(Math.abs(computing[i] + sending[i] - all) < 1e-9 * all, JSON.stringify([all, computing[i], sending[i]])));
        const { text } = await api.get(open(address.replace("sparse_lu?", "sparse_lu.tex?")));
        assert.match(text, /^matrix & {2}& processes = 1 & processes = 4 &.*\ngrid & time\\_s & .*\n & critical/ms);
    },

    "blue-waters Table 1": async () => {
        const table = async (machine) => (await calibration(machine)).network.protocols.map(({ off_node: off, on_node: on }) =>
            [off.latency_s, off.inverse_bandwidth_s_per_byte, on.latency_s, on.inverse_bandwidth_s_per_byte]);
        assert.deepEqual(await table("blue-waters"), [[2.2467e-6, 0.3451e-9, 1.1284e-6, 0.8154e-9], [7.1826e-6, 0.5092e-9, 2.395e-6, 0.0489e-9],
            [8.972e-6, 0.1498e-9, 2.1162e-6, 0.0954e-9]]);
        assert.deepEqual(await table("piz-daint"), [[1.7416e-6, 0.0041e-9, 0.51055e-6, 0.22926e-9], [4.308e-6, 0.2224e-9, 0.97865e-6, 0.03879e-9],
            [5.9433e-6, 0.1083e-9, 0.85828e-6, 0.05603e-9]]);
    },
    "blue-waters Table 2": async () => {
        const { hop_ping: ping, topology } = (await calibration("blue-waters")).network;
        assert.deepEqual(Object.values(ping).map(({ x, y, z }) => [x, y, z].map((value) => Math.round(value * 1e9))),
            [[2146, 2231, 2230], [2273, 2309, 2309], [2400, 2495, 2422], [2525, 2544, 2514], [126, 104, 94]]);
        assert.equal(topology.hop_latency_s, 108e-9);
        const { hop_ping: daint, topology: dragonfly } = (await calibration("piz-daint")).network;
        assert.deepEqual([daint.host_s, daint.static_s, daint.dynamic_s].map((row) => (row.global ? [row.global, row.chassis, row.group] : [row]).map((s) => Math.round(s * 1e9))),
            [[2864], [5607, 2998, 3348], [5991, 3219, 3639]]);
        assert.deepEqual([dragonfly.static_hop_latency_s, dragonfly.hop_latency_s], [{ chassis: 146e-9, group: 496e-9, global: 2.754e-6 }, { chassis: 341e-9, group: 761e-9, global: 3.113e-6 }]);
    },
    "blue-waters Figure 1": async ({ address }) => {
        const list = times(await rows(address));
        assert.ok(list.at(-1) < 1.1 * list[0], String(list));
    },
    "blue-waters Figure 2": async ({ address }) => {
        const found = await rows(address), waiting = by(by(found, "blocking", true), "stalls_per_byte", 0.1), free = by(by(found, "blocking", false), "stalls_per_byte", 1);
        assert.deepEqual(free.map((row, i) => row.time_s < waiting[i].time_s), [true, true, true, false, false, false]); // up to 2 KiB
    },
    "blue-waters Figure 3": async (row) => {
        const [free, waiting] = await fasterWith("blocking", false, true)(row);
        assert.ok(free.time_s < waiting.time_s && free.hidden_s === 1e-3 && free.penalty_s > 1e-3);
    },
    "blue-waters Figure 4": async ({ address }) => {
        const found = await rows(address), BLOCKING = ["pcg", "sapcg"], solvers = [...BLOCKING, "nbpcg", "pipecg", "pipe2cg"];
        const own = solvers.map((solver) => times(by(by(found, "solver", solver), "stalls_per_byte", BLOCKING.includes(solver) ? 3 : 0.03)));
        assert.deepEqual(own.map((list) => Math.round(100 * (list.at(-1) / list[0] - 1))), [24, 21, 5, 3, 2]);
        for (const free of own.slice(2)) for (const blocking of own.slice(0, 2)) assert.ok(free.at(-1) < blocking.at(-1));
    },
    "blue-waters Figure 5": async ({ address }) => {
        const [off, on] = (await json(address.replace(".svg", ".json"))).series.map(({ points }) => points);
        off.forEach(({ y }, i) => assert.ok(on[i].y < y, off[i].x));
        assert.ok(Math.abs(off[0].y - (2.2467e-6 + 8 * 0.3451e-9)) < 1e-12);
        const after = off.findIndex(({ x }) => x > 1024); // where eager messages begin
        assert.ok(off[after].y > 2.5 * off[after - 1].y);
    },
    "blue-waters Figure 6": (row) => abovePostal({ address: row.address.replace("&penalties=none", "") }),
    "blue-waters Figure 7": (row) => abovePostal({ address: row.address.replace("none,max_rate", "max_rate") }),
    "blue-waters Figure 8": async ({ address }) => {
        const found = await rows(address);
        for (const [first, second, constant] of [["best", "average", 6804], ["average", "max", 11340]])
            assert.deepEqual([...new Set(pairs(found, "hop_estimate", first, second).map(([one, other]) => Math.round(1e9 * (other.time_s - one.time_s))))], [constant]);
    },
    "blue-waters Figure 9": async (row) => {
        const largest = times(by(await rows(row.address), "message_bytes", 65536)), added = largest.map((time, i) => time - (largest[i - 1] ?? 0));
        assert.ok(largest.length === 4 && added.every((s) => s > 0) && added[3] > added[2] && added[3] > added[1], String(largest));
    },
    "blue-waters Figure 10": async ({ address }) => {
        const found = await rows(address);
        for (const [solver, expected] of [["pcg", 0.1], ["pipecg", 0.0415]]) {
            const [postal, still, waiting] = by(found, "solver", solver), share = (waiting.time_s - still.time_s) / still.computation_s;
            assert.ok(Math.abs(share - expected) < 0.002, `${solver} ${share}`);
            assert.ok(waiting.time_s - still.time_s > still.time_s - postal.time_s && still.time_s >= postal.time_s, solver);
        }
    },
    "blue-waters Figure 11": async ({ address }) => {
        for (const [free, waiting] of pairs(await rows(address), "blocking", false, true)) {
            const hidden = Math.min(waiting.penalty_s, 1e-3), [partly] = await rows(address, { blocking: false, message_bytes: free.message_bytes, penalties: "max_rate:hops" });
            assert.ok(Math.abs(free.time_s - (waiting.time_s - hidden)) < 1e-12 && free.time_s >= free.postal_s);
            assert.deepEqual([waiting.penalty_s > hidden, partly.penalty_s > 1e-3], [free.message_bytes > 2048, free.message_bytes > 16384], String(free.message_bytes));
        }
    },
    "blue-waters Figure 12": async ({ address }) => {
        for (const [free, waiting] of pairs(await rows(address), "blocking", false, true)) {
            const left = waiting.penalty_s - waiting.hidden_s;
            assert.ok(Math.abs(waiting.time_s - free.time_s - Math.min(left, free.overlap_s)) < 1e-12, JSON.stringify([free.overlap_s, free.message_bytes]));
            assert.equal(waiting.hidden_s > 0, waiting.message_bytes <= 8192); // rendezvous messages are not pipelined
        }
    },
    "blue-waters Figure 13": async ({ address }) => {
        const found = await rows(address, { blocking: "true,false" }), last = times(by(found, "message_bytes", 2 ** 20));
        const [blocking, free] = [true, false].map((is) => pairs(by(found, "blocking", is), "eager_limit_bytes", 2e6, 1024).map(([eager, rendezvous]) => eager.time_s / rendezvous.time_s));
        blocking.forEach((ratio, i) => assert.ok(ratio < 1 && (i === 0 || ratio > blocking[i - 1]), String(blocking)));
        assert.ok(Math.max(...last) < 1.15 * Math.min(...last), String(last));
        assert.deepEqual([0, 4, 5].map((i) => free[i].toFixed(2)), ["0.91", "1.57", "0.67"]); // 2, 32 and 64 KiB
    },
    "blue-waters Figure 14": async (row) => {
        const [aware, original] = await fasterWith("mapping", "node_aware", "default")(row);
        assert.ok(aware.time_s < original.time_s);
    },
    "blue-waters Figure 15": async ({ address }) => {
        const all = await rows(address), [found, pipelined] = ["pcg", "pipecg"].map((solver) => pairs(by(all, "solver", solver), "mapping", "node_aware", "default"));
        for (const [aware, original] of pipelined) assert.ok(aware.time_s < original.time_s, String(aware.nodes));
        found.forEach(([aware, original], i) => {
            const gain = original.time_s / aware.time_s - 1;
            assert.ok(gain > 0.002 && gain < 0.02, `${aware.nodes}: ${gain}`);
            assert.ok(Math.abs(pipelined[i][1].time_s / aware.time_s - 1) < 0.13, String(aware.nodes));
        });
        const there = { machine: "piz-daint", processes_per_node: 36, local_grid: "16x16x8", nodes: "64,128,256,512" };
        for (const [process, least] of [["average", [1.15, 0.69, 1.4, 1.37]], ["slowest", [-0.04, 0.59, 0.58, 0.55]]]) {
            const daint = pairs(by(await rows(address, { ...there, process }), "solver", "pcg"), "mapping", "node_aware", "default");
            assert.deepEqual(daint.map(([aware, original]) => Math.round(1e4 * (original.time_s / aware.time_s - 1)) / 100), least);
        }
    },
    "blue-waters Figure 16": async (row) => {
        const [aware, original] = await fasterWith("mapping", "node_aware", "default")(row);
        assert.deepEqual([original.off_node_messages, aware.off_node_messages], [4, 3]);
    },
    "blue-waters Figure 17": async (row) => {
        const [, slowest] = await fasterWith("mapping", "node_aware", "default")(row);
        const [near, aware] = await fasterWith("mapping", "topology_aware", "node_aware")(row);
        assert.ok(near.time_s < aware.time_s);
        assert.deepEqual([near.nodes, (slowest.time_s / near.time_s).toFixed(1)], [4394, "4.9"]);
        const [original, ...others] = await rows(row.address, { process: "average", message_bytes: 1024, nodes: 432 });
        const tiles = ({ off_node_bytes: bytes, hops }) => bytes * (hops + 1);
        assert.deepEqual(others.map((row) => Math.round(100 * (1 - tiles(row) / tiles(original)))), [38, 74]);
        assert.deepEqual([original, ...others].map(({ hops }) => hops), [3.75, 3.75, 1]);
        assert.deepEqual(original.allocation, [6, 6, 6]);
        const daint = await rows(row.address, { machine: "piz-daint", nodes: 4096, processes_per_node: 36, stalls_per_byte: 0.2 });
        for (const [first, second] of pairs(daint, "mapping", "topology_aware", "node_aware")) assert.ok(first.time_s <= second.time_s && first.time_s > 0.85 * second.time_s, String(first.message_bytes));
    },

    "osu-e5630 Figure 1": async ({ address }) => {
        const [compute, bandwidth, predicted] = (await json(address.replace(".svg", ".json"))).series.map(({ points }) => points);
        predicted.forEach(({ x, y }, i) => assert.equal(y, x < 100 ? bandwidth[i].y : compute[i].y, `${x} flop a byte`));
        predicted.forEach(({ x, y }, i) => atMost(y, Math.min(bandwidth[i].y, compute[i].y), `${x} flop a byte`));
    },
    "osu-e5630 Table I": async ({ address }) => {
        const names = (await json(address)).parameters.map(({ name }) => name);
        for (const name of ["n", "block_size", "nodes", "processes"]) assert.ok(names.includes(name));
    },
    "osu-e5630 Table II": async ({ address }) => {
        const names = (await json(address)).outputs.map(({ name }) => name);
        for (const name of ["blocks_per_dimension", "steps", "parallel_factor", "serial_factor", "time_s", "computation_s", "communication_s",
            "step_time_s", "intra_node_s", "inter_node_s", "message_bytes", "communication_bytes_per_process", "intra_node_weighted_bytes", "inter_node_weighted_bytes"]) assert.ok(names.includes(name));
    },
    "osu-e5630 Table III": async ({ address }) => {
        const { description, facts } = await json(address), { cnc } = await calibration("osu-e5630");
        assert.match(description, /E5630/);
        assert.deepEqual([facts.nodes, facts.cores_per_node, facts.clock_hz, cnc.intra_node_bandwidth_bytes_per_s, cnc.inter_node_bandwidth_bytes_per_s], [4, 8, 2.5e9, 25e9, 1.25e9]);
    },
    "osu-e5630 Table V": async ({ address }) => assert.deepEqual((await rows(address)).map(({ nodes }) => nodes), [1, 1, 1, 2, 4]),
    "osu-e5630 Figure 5": falls,
    "osu-e5630 Figure 6": falls,
    "osu-e5630 Figure 7": asCannon,
    "osu-e5630 Figure 8": asCannon,
    "osu-e5630 Figure 9": larger,
    "osu-e5630 Figure 10": larger,
    "osu-e5630 Figure 11": larger,
    "osu-e5630 Figure 12": larger,
    "osu-e5630 Figure 13": printed(0.87),
    "osu-e5630 Figure 14": computes,
    "osu-e5630 Figure 15": printed(0.48),
    "osu-e5630 Figure 16": computes,
    "osu-e5630 Figure 17": async ({ address }) => {
        const computing = by(await rows(address), "bottleneck", "compute");
        assert.deepEqual(computing.map((row) => [row.block_size, row.processes]), [[200, 1], [200, 4], [400, 1], [400, 4], [400, 8]]);
    },
    "osu-e5630 Figure 18": async ({ address }) => {
        const found = await rows(address);
        assert.ok(found.every(({ bottleneck }) => bottleneck === "compute"));
        for (const row of found.filter(({ processes }) => processes >= 16))
            assert.ok(Math.abs(row.compute_bound_gflops / row.bandwidth_bound_gflops - (row.block_size === 800 ? 0.87 : 0.43)) < 0.01);
    },
    "osu-e5630 Figure 19": async ({ address }) => {
        const bound = by(await rows(address), "bottleneck", "bandwidth");
        assert.deepEqual(bound.map((row) => [row.block_size, row.processes]), [[200, 16], [200, 32]]);
    },
    "osu-e5630 Figure 20": computes,
};

const keyOf = ({ machine, name }) => `${machine} ${name}`;

test("each row is answered, or says why not, and has its check", () => {
    assert.deepEqual(listed.filter(({ address }) => address).map(keyOf).sort(), Object.keys(claims).sort());
    for (const row of listed) assert.match(`${row.verdict}: ${row.claim}`, row.address ? /^(agrees: |differs: .)/ : /^no answer: ./, keyOf(row));
});

describe("the rows of static/papers.md", () => {
    for (const row of listed.filter(({ address }) => address))
        test(keyOf(row), async () => {
            const answer = await api.get(open(row.address));
            assert.equal(answer.status, 200, answer.text.slice(0, 500));
            await claims[keyOf(row)](row);
        });
});
