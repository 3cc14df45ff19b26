// The calibrator on simulated clusters whose network is known: what it measures must be what the
// simulator was told, and the daemon must take its document.
//
//   CALIBRATE=build/smpi/forerun-calibrate FORERUND=build/forerund node --test tests/calibrate/
//
// Deterministic: the simulator charges no time of this computer (smpi/simulate-computation).  Skipped where
// there is no SimGrid.  With FORERUN_LONG=1 also on larger clusters.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const calibrate = process.env.CALIBRATE ?? "build/smpi/forerun-calibrate";
const forerund = process.env.FORERUND ?? "build/forerund";
const platforms = new URL("../validation/cluster/platforms/", import.meta.url).pathname;
const hasSimulator = spawnSync("smpirun", ["-version"]).status === 0;
const skip = hasSimulator && existsSync(calibrate) ? false : "SimGrid's smpirun, or the calibrator built for it, is not here";
const long = skip || (process.env.FORERUN_LONG ? false : "FORERUN_LONG=1 runs it");
const folder = mkdtempSync(join(tmpdir(), "forerun-simulated-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// The flags of the platforms, with some replaced.
function flags(replaced) {
    const name = (flag) => flag.replace(/^--cfg=/, "").split(":")[0];
    const own = readFileSync(join(platforms, "flags.txt"), "utf8").split("\n").filter(Boolean);
    const names = replaced.map(name);
    return [...own.filter((flag) => !names.includes(name(flag))), ...replaced];
}

// Runs the calibrator on hosts PREFIX0, PREFIX1, ... or those given; the document and what was said.
let runs = 0;
function run(platform, hosts, args, replaced = []) {
    const hostfile = join(folder, `hosts${++runs}`);
    const output = join(folder, `document${runs}.json`);
    writeFileSync(hostfile, hosts.join("\n") + "\n");
    const { status, stderr, error } = spawnSync("smpirun", ["-np", `${hosts.length}`, "-platform", join(platforms, `${platform}.xml`),
        "-hostfile", hostfile, ...flags(["--cfg=smpi/auto-shared-malloc-thresh:65536", "--cfg=contexts/stack-size:1024", ...replaced]),
        calibrate, "--machine", "simulated", "--repetitions", "1", "-o", output, ...args],
        { encoding: "utf8", timeout: 600000, env: { ...process.env, OPENBLAS_NUM_THREADS: "1" } });
    assert.equal(error, undefined);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /forerun-calibrate: written after/);
    return { document: JSON.parse(readFileSync(output, "utf8")), said: stderr, output };
}

const numbered = (prefix, count, cores = 1) => Array.from({ length: count }, (_, i) => `${prefix}${Math.floor(i / cores)}`);

function assertClose(actual, expected, tolerance, what) {
    assert.ok(Math.abs(actual / expected - 1) <= tolerance, `${what}: ${actual}, not ${expected}`);
}

function assertTaken(output) {
    const { status, stderr } = spawnSync(forerund, ["import", "--db", `${output}.db`, output], { encoding: "utf8" });
    assert.equal(status, 0, stderr);
}

const torus = (() => {
    const text = readFileSync(join(platforms, "torus.xml"), "utf8");
    const of = (name) => text.match(new RegExp(`[ "]${name}="([^"]*)"`))[1];
    return { sides: of("topo_parameters").replaceAll(",", "x"), bandwidth: Number.parseFloat(of("bw")) * 1e9, latency: Number.parseFloat(of("lat")) * 1e-9 };
})();

// Limits and factors of the simulated protocols.
const known = ["--cfg=smpi/async-small-thresh:65536", "--cfg=smpi/send-is-detached-thresh:65536",
    "--cfg=smpi/lat-factor:0:1.0;4096:2.0;65536:4.0", "--cfg=smpi/bw-factor:0:0.40;4096:0.60;65536:0.90",
    "--cfg=smpi/os:0:5e-7:0;4096:1e-6:0", "--cfg=smpi/ois:0:5e-7:0;4096:1e-6:0", "--cfg=smpi/or:0:5e-7:0;4096:1e-6:0"];

test("the protocols of the simulator are found, limits and bandwidths", { skip }, () => {
    const { document, output } = run("torus", numbered("t", 8), ["--only", "pingpong", "--max-message", "16M",
        "--contention-message", "1M"], known);
    const { protocols } = document.network;
    assert.deepEqual(protocols.map(({ name }) => name), ["short", "eager", "rendezvous"]);
    assertClose(protocols[0].max_message_bytes, 4096, 0.03, "first limit");
    assertClose(protocols[1].max_message_bytes, 65536, 0.03, "second limit");
    assert.equal(protocols[2].max_message_bytes, null);
    assert.deepEqual(protocols.map(({ pipelined }) => pipelined), [true, true, false]);
    [0.4, 0.6, 0.9].forEach((factor, k) =>
        assertClose(protocols[k].off_node.inverse_bandwidth_s_per_byte, 1 / (factor * torus.bandwidth), 0.01, `protocol ${k}`));
    assertTaken(output);
});

test("protocols on and off a node share their limits", { skip }, () => {
    const { document, output } = run("fattree", numbered("f", 8, 2), ["--only", "pingpong", "--max-message", "4M",
        "--contention-message", "1M"], known);
    const { protocols } = document.network;
    assert.equal(protocols.length, 3);
    assertClose(protocols[2].off_node.inverse_bandwidth_s_per_byte, 1 / (0.9 * 6e9), 0.01, "off the node");
    assertClose(protocols[2].on_node.inverse_bandwidth_s_per_byte, 1 / (0.9 * 8e9), 0.01, "on the node");
    assertTaken(output);
});

test("one-sided transfers have protocols of their own, and say so", { skip }, () => {
    for (const transfer of ["put", "get", "put-fence", "get-fence"]) {
        const { document, output } = run("torus", numbered("t", 4), ["--only", "contention", "--transfer", transfer,
            "--max-message", "1M", "--contention-message", "1M"]);
        assert.match(document.sources["/network/protocols"].text, /^one-sided, one MPI_(Put|Get) with a (flush|fence)/);
        assert.match(document.sources["/contention"].text, /one-sided/);
        assert.ok(document.contention.maximum.every(({ factor }) => factor > 0.9));
        assertTaken(output);
    }
});

test("the bandwidth of a node is what two processes have together", { skip }, () => {
    const { document } = run("fattree", numbered("f", 8, 2), ["--only", "node_bandwidth", "--max-message", "4M",
        "--contention-message", "1M"], known);
    assertClose(document.network.node_bandwidth_bytes_per_s, 0.9 * 6e9, 0.03, "node");
    for (const { load } of Object.values(document.sources)) assert.equal(load, undefined); // whatever else this computer does
    assert.match(document.sources["/network/node_bandwidth_bytes_per_s"].text, /^up to 2 processes of a node .* 1\.0\d times that of one; median of 4 nodes/);
});

test("the bandwidth within a node is what its memory has for all messages", { skip }, () => {
    const only = ["--only", "node_bandwidth", "--max-message", "4M", "--contention-message", "1M"];
    const crowd = "../../block_cyclic/platforms/crowd32";
    const memory = 0.9 * 6e9 / 1.05; // SimGrid's cross traffic: 5 % of each message goes back over the same link
    const { document, output } = run(crowd, numbered("c", 16, 8), only, known);
    assertClose(document.network.busy_node.all_on_node_bandwidth_bytes_per_s, memory, 0.01, "memory");
    assertClose(document.network.node_bandwidth_bytes_per_s, 0.9 * 8e9, 0.03, "card");
    assert.match(document.sources["/network/busy_node/all_on_node_bandwidth_bytes_per_s"].text,
        /^up to 4 processes of a node .* to others of it at once; .* 1\.0\d times that of one; median of 2 nodes/);
    assertTaken(output);
    const alone = run(crowd, numbered("c", 7, 8), only, known);
    assert.equal(alone.document.network.node_bandwidth_bytes_per_s, undefined);
    assertClose(alone.document.network.busy_node.all_on_node_bandwidth_bytes_per_s, memory, 0.01, "one node");
    assert.match(alone.document.sources["/network/busy_node/all_on_node_bandwidth_bytes_per_s"].text, /^up to 3 processes/);
    assertTaken(alone.output);
    // Where no link is shared, half of the processes send side by side.
    const { document: apart } = run("fattree", numbered("f", 24, 12), only, known);
    assertClose(apart.network.busy_node.all_on_node_bandwidth_bytes_per_s, 6 * 0.9 * 8e9, 0.03, "six messages");
});

const injection = (platform, hosts, more = []) => run(platform, hosts, ["--only", "injection", ...more, "--max-message", "4M",
    "--contention-message", "1M"], known).document;
const block = numbered("t", 64).map((_, i) => `t${i % 4 + 6 * ((i >> 2) % 4) + 36 * (i >> 4)}`);

test("a node sends to many others over all of its links", { skip }, () => {
    const tree = injection("fattree", numbered("f", 16, 2));
    assertClose(tree.network.injection_bandwidth_bytes_per_s, 0.9 * 6e9, 0.03, "one link");
    const torusNode = injection("torus", block);
    assertClose(torusNode.network.injection_bandwidth_bytes_per_s, 6 * 0.9 * torus.bandwidth, 0.05, "six links");
    assert.match(torusNode.sources["/network/injection_bandwidth_bytes_per_s"].text,
        /^all processes of a node send 1048576 bytes each to up to 6 other nodes at once; largest to the neighbors on a grid of nodes/);
});

test("scattered nodes send over all links to the nodes one link away", { skip: long }, () => {
    const scattered = injection("torus", block.map((_, i) => block[(i * 37 + 11) % 64]), ["--topology", `torus:${torus.sides}`]);
    assertClose(scattered.network.injection_bandwidth_bytes_per_s, 6 * 0.9 * torus.bandwidth, 0.05, "six links of scattered nodes");
    assert.match(scattered.sources["/network/injection_bandwidth_bytes_per_s"].text, /largest to the nodes one link away/);
});

test("links of a torus have their latency, on scattered hosts too", { skip }, () => {
    const scattered = numbered("t", 32).map((_, i) => `t${(i * 37 + 11) % 64}`);
    const { document, output } = run("torus", scattered, ["--only", "hops", "--topology", `torus:${torus.sides}`,
        "--max-message", "64K", "--contention-message", "64K"]);
    const { topology } = document.network;
    assert.equal(topology.type, "torus");
    topology.hop_latency_s.forEach((latency, d) => assertClose(latency, torus.latency, 0.02, `dimension ${d}`));
    assert.equal(document.sources["/network/topology/hop_latency_s"].kind, "measured");
    assert.equal(document.sources["/network/topology"].kind, "published");
    assertTaken(output);
});

test("the latency of each protocol rises with the distance of the nodes on a torus", { skip }, () => {
    const only = ["--only", "distances", "--max-message", "1M", "--contention-message", "1M"];
    const { document, output } = run("torus", numbered("t", 4), only, known);
    const { protocols, latency_by_distance } = document.network;
    assert.deepEqual(latency_by_distance.map(({ distance }) => distance), [1, 1, 1, 2, 2, 2, 3, 3, 3]);
    latency_by_distance.forEach((row, i) => {
        const protocol = protocols[i % 3];
        assert.equal(row.max_message_bytes, protocol.max_message_bytes);
        const links = (row.latency_s - protocol.off_node.latency_s) / (torus.latency * [1, 2, 4][i % 3]);
        assert.ok(Math.abs(links - (row.distance - 1)) < 0.01, `${links} more links at distance ${row.distance}`);
        assertClose(row.maximum_s, row.latency_s, 1e-6, "slowest pair");
    });
    const { kind, text, samples, spread_fraction: spread, statistic, measured_on: day } = document.sources["/network/latency_by_distance"];
    assert.deepEqual([kind, statistic], ["measured", "best round"]);
    assert.match(text, / 3 distances /);
    assert.match(day, /^\d{4}-\d\d-\d\d$/);
    assert.ok(samples >= 9 && spread >= 0);
    assertTaken(output);
});

test("nodes at any distance of a scattered job are about equally far apart", { skip: long }, () => {
    const scattered = Array.from({ length: 64 }, (_, i) => `t${(i * 37 + 11) % 144}`);
    const { document } = run("torus", scattered, ["--only", "distances", "--max-message", "1M", "--contention-message", "1M"], known);
    const short = document.network.latency_by_distance.filter(({ max_message_bytes: limit }) => limit && limit < 5000);
    assert.deepEqual(short.map(({ distance }) => distance), [...Array.from({ length: 16 }, (_, i) => i + 1), 24, 32, 48, 63]);
    assert.ok(short.every((row) => row.latency_s <= row.maximum_s));
});

test("the algorithm of a broadcast is told by its time", { skip }, () => {
    const forced = { binomial_tree: "binomial", scatter_rdb_allgather: "scatter_allgather", scatter_LR_allgather: "scatter_ring" };
    for (const [flag, algorithm] of Object.entries(forced)) {
        const { document } = run("torus", numbered("t", 16), ["--only", "broadcast", "--messages", "1K,64K,1M"], [`--cfg=smpi/bcast:${flag}`]);
        assert.deepEqual(document.network.broadcast, [{ max_message_bytes: null, algorithm }], flag);
    }
});

test("what describing, packing and polling takes is no time of the network", { skip }, () => {
    assert.equal(run("torus", numbered("t", 2), ["--only", "blacs"]).document.network.blacs_message_s, 0);
});

test("all patterns of the grids asked for are in the document", { skip }, () => {
    const layered = long ? "16:4" : "36:4";
    const [processes] = layered.split(":").map(Number);
    const { document, output } = run("torus", numbered("t", processes), ["--only", "patterns", "--grids", `16,${layered},4:4`,
        "--messages", "512,8K,1M"]);
    const { patterns } = document.contention;
    const count = (of, layers) => patterns.filter((row) => row.processes === of && row.layers === layers).length;
    assert.equal(count(16, 1), 25 * 3 + 1); // all but those of layers; one barrier
    assert.equal(count(processes, 4), 33 * 3 + 1);
    assert.equal(count(4, 4), 9 * 3); // distribute and those of layers
    assert.ok(patterns.every((row) => row.average_s > 0 && row.average_s <= row.maximum_s));
    assert.ok(patterns.filter((row) => row.pattern === "broadcast_column_alone").every((row) => row.average_s === row.maximum_s));
    assert.ok(document.sources["/contention/patterns"].text.endsWith(`; grids (processes:layers) 16, ${layered}, 4:4`));
    assertTaken(output);
});

test("patterns, exchanges and bursts have sizes on both sides of each limit", { skip }, () => {
    const { document, output } = run("torus", numbered("t", 4), ["--only", "patterns,exchange,burst", "--grids", "4", "--processes", "4",
        "--max-message", "1M", "--contention-message", "1M"], known);
    const limits = document.network.protocols.slice(0, -1).map(({ max_message_bytes: limit }) => limit);
    assert.equal(limits.length, 2);
    for (const [i, power] of [4096, 65536].entries()) {
        assert.ok(limits[i] <= power && limits[i] >= power - 64, `limit ${limits[i]}`);
        for (const table of ["patterns", "exchange", "burst"]) {
            const sizes = new Set(document.contention[table].map(({ message_bytes: bytes }) => bytes));
            for (const size of [power - 64, power, power + 8]) assert.ok(sizes.has(size), `${table}: ${size} of ${[...sizes]}`);
        }
    }
    assertTaken(output);
});

test("many processes on several nodes leave long messages out", { skip: long }, () => {
    const { document } = run("torus", numbered("t", 64), ["--only", "contention,exchange", "--processes", "64", "--max-message", "1M"]);
    assert.equal(document.contention.message_bytes, 1 << 20);
    assert.equal(Math.max(...document.contention.exchange.map(({ message_bytes: bytes }) => bytes)), 256 << 10);
    assert.ok(document.tool.duration_s < 1, `${document.tool.duration_s} s`);
});

test("contention, exchange, burst and an allreduce's messages; every process's time in a table", { skip }, () => {
    const times = join(folder, "times.csv");
    const { document, said, output } = run("torus", numbered("t", 16), ["--only", "contention,exchange,burst", "--processes", "6,16",
        "--max-message", "1M", "--contention-message", "1M", "--times", times]);
    const { contention, sources } = document;
    const rows = (table, processes) => contention[table].filter((row) => row.processes === processes).length;
    assert.equal(rows("maximum", 6), 3); // distances 1, 2, 4
    assert.equal(rows("average", 16), 4);
    assert.equal(contention.average.filter((row) => row.processes === undefined).length, 4);
    const sizes = 10 + 2 * 3; // three at each of two limits
    assert.equal(rows("exchange", 6), 3 * sizes);
    assert.equal(rows("exchange", 16), 4 * sizes);
    assert.equal(rows("burst", 16), sizes);
    assert.deepEqual([...new Set(contention.fold.map(({ processes }) => processes))], [12, 6]); // 12 for 16
    assert.equal(rows("fold", 6), sizes);
    const of = (processes, bytes) => contention.fold.find((row) => row.processes === processes && row.message_bytes === bytes).message_s;
    const swaps = contention.exchange.filter(({ processes, message_bytes: bytes }) => processes === 6 && bytes === 8);
    assert.ok(of(6, 8) > 0.5 * swaps[0].average_s && of(6, 8) < 2 * swaps[0].maximum_s, "a message as long as a swap");
    assert.ok(of(12, 65536) > 4 * of(12, 8), "longer messages take longer");
    assert.match(sources["/contention/fold"].text, /beyond a power of two send and get a message/);
    assert.match(sources["/contention"].text, /within 10 % of that for \d+ bytes or more, 6 sizes tried/);
    assert.match(sources["/contention/exchange"].text, /an allreduce of 8 bytes and 16 processes takes as long as 1 message per round/);
    assert.match(sources["/contention/burst"].text, /neighbors on a periodic grid of three dimensions/);
    assert.equal(document.contention.burst_placement, "block");
    assert.match(sources["/contention/burst_placement"].text, /numbers at the end of host names/);
    assert.match(said, /allreduce_messages_per_round=1/);
    const sequence = contention.exchange.filter(({ processes, message_bytes: bytes }) => processes === 16 && bytes === 65536);
    const total = (member) => sequence.reduce((sum, row) => sum + row[member], 0);
    assert.ok(total("maximum_s") > total("average_s") && total("maximum_s") < 2 * total("average_s"), "in sequence");
    const lines = readFileSync(times, "utf8").trim().split("\n");
    assert.equal(lines[0], "processes,distance,message_bytes,rank,node,time_s,factor");
    assert.equal(lines.length, 1 + 3 * 6 + 4 * 16 + 6 * 16);
    assertTaken(output);
});

test("a run without time writes what it has", { skip }, () => {
    const { document, said, output } = run("torus", numbered("t", 16), ["--network-only", "--time-limit", "0.0001"]);
    assert.equal(document.contention, undefined);
    assert.match(said, /patterns: left out, the time limit has passed/);
    assertTaken(output);
});
