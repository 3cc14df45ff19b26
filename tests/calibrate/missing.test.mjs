// Jobs that cannot measure everything, on simulated clusters: one process a node, odd counts, one rank,
// interruptions. Their documents say what they lack, and the daemon takes them.
//
//   CALIBRATE=build/smpi/forerun-calibrate FORERUND=build/forerund node --test tests/calibrate/
//
// SimGrid's MPI knows no threads: that alone must stop nobody.
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
const folder = mkdtempSync(join(tmpdir(), "forerun-lacking-"));
after(() => rmSync(folder, { recursive: true, force: true }));

// Runs the calibrator with a rank on each of the hosts named; the document, undefined where there is none.
let runs = 0;
function run(hosts, ...args) {
    const hostfile = join(folder, `hosts${++runs}`);
    const output = join(folder, `document${runs}.json`);
    writeFileSync(hostfile, hosts.join("\n") + "\n");
    const { status, stdout, stderr, error } = spawnSync("smpirun", ["-np", `${hosts.length}`, "-platform", join(platforms, "torus.xml"),
        "-hostfile", hostfile, ...readFileSync(join(platforms, "flags.txt"), "utf8").split("\n").filter(Boolean),
        "--cfg=smpi/auto-shared-malloc-thresh:65536", calibrate, "--quick", "--machine", "simulated", "--repetitions", "1",
        "-o", output, ...args], { encoding: "utf8", timeout: 600000, env: { ...process.env, OPENBLAS_NUM_THREADS: "1" } });
    assert.equal(error, undefined);
    const document = existsSync(output) ? JSON.parse(readFileSync(output, "utf8")) : undefined;
    if (document) {
        const taken = spawnSync(forerund, ["import", "--db", `${output}.db`, output], { encoding: "utf8" });
        assert.equal(taken.status, 0, taken.stderr);
    }
    return { document, status, said: stderr, printed: stdout };
}

test("one process a node has no network on a node, and cores that nobody timed", { skip }, () => {
    const { document } = run(["t0", "t1", "t2"]);
    assert.ok(document.network.protocols.every((row) => row.off_node && !row.on_node));
    assert.match(document.description, /^Not measured: node \(.*dgemm, .*sparse_fit \(a simulated cluster has no cores to time\)/);
    assert.equal(document.kernels, undefined);
    assert.equal(document.node, undefined);
});

test("all processes on one node have no network between nodes", { skip }, () => {
    const { document } = run(["t0", "t0", "t0"], "--network-only");
    assert.ok(document.network.protocols.every((row) => row.on_node && !row.off_node));
    assert.match(document.description, /cnc_inter_node, node_bandwidth, injection \(all ranks are on one node\)/);
    assert.equal(document.cnc, undefined);
});

test("odd numbers of processes, unevenly spread, are measured", { skip }, () => {
    const { document } = run(["t0", "t0", "t1", "t1", "t2", "t2", "t3"], "--network-only");
    assert.ok(document.contention.maximum.some((row) => row.processes === 7));
    assert.ok(document.network.protocols.every((row) => row.on_node && row.off_node));
    assert.ok(document.cnc.inter_node_bandwidth_bytes_per_s > 0);
});

test("one rank alone has what was stated", { skip }, () => {
    const { document } = run(["t0"], "--cores-per-node", "24", "--peak-flops-per-s", "2e11");
    assert.deepEqual(document.node, { cores_per_node: 24, peak_flops_per_s: 2e11 });
    assert.equal(document.network, undefined);
    assert.match(document.description, /contention.* \(it needs 2 ranks or more\)/);
});

test("a job that had no time goes on where it stopped", { skip }, () => {
    const hosts = ["t0", "t1", "t2", "t3"];
    const jobs = join(folder, "jobs");
    const only = ["--only", "pingpong,message_bandwidth,patterns,exchange", "--resume", jobs];
    const whole = run(hosts, ...only.slice(0, 2)).document;
    const { duration_s } = run(hosts, "--only", "pingpong,message_bandwidth").document.tool;
    const first = run(hosts, ...only, "--time-limit", `${1.001 * duration_s}`);
    assert.match(first.document.description, /exchange \(the time limit has passed\)/);
    const second = run(hosts, ...only);
    assert.match(second.said, /message_bandwidth: resumed from/);
    assert.doesNotMatch(second.said, /p(ingpong|atterns): resumed/); // patterns need the limits of pingpong
    assert.deepEqual(second.document.network, first.document.network);
    // Differences of large simulated times: not the same to the last digit.
    const shape = (table) => table.map((row) => Object.entries(row).filter(([name]) => !name.endsWith("_s")));
    for (const table of ["patterns", "exchange"])
        assert.deepEqual(shape(second.document.contention[table]), shape(whole.contention[table]));
    assert.deepEqual(Object.keys(second.document.sources).sort(), Object.keys(whole.sources).sort());
    const third = run(hosts, ...only);
    assert.match(third.said, /exchange: resumed from/);
    assert.deepEqual(third.document.contention, second.document.contention);
});

const sixteen = Array.from({ length: 16 }, (_, i) => `t${i}`);
let pingpong;
const pingpongSeconds = () => pingpong ??= run(sixteen, "--only", "pingpong").document.tool.duration_s;

test("a plan says what the job would measure, and how long that takes, and measures only the ping-pong", { skip }, () => {
    const names = ["contention", "patterns", "exchange", "burst", "injection"], only = ["--only", names.join(",")];
    const { document, printed, said } = run(sixteen, ...only, "--plan");
    assert.equal(document, undefined);
    assert.doesNotMatch(said, /patterns of|exchange of/);
    const rows = printed.split("\n").filter((line) => / of \d|^injection /.test(line)).map((line) => line.match(/^(.*?) +(\d+) +([\d.]+)$/));
    assert.deepEqual(rows.map(([, what]) => what).filter((what) => /^patterns/.test(what)),
        ["patterns of 16", "patterns of 8:2", "patterns of 4"]);
    const suffix = { patterns: " of 16", injection: "" };
    for (const what of names) assert.ok(rows.some(([, name]) => name === what + (suffix[what] ?? " of 16 processes")), what);
    const together = Number(printed.match(/^together +([\d.]+)$/m)[1]);
    const needed = run(sixteen, ...only).document.tool.duration_s - pingpongSeconds();
    assert.ok(together > needed / 2 && together < 3 * needed, `${together} s planned, ${needed} s needed`);
});

test("with little time the whole job comes first, and what is left out is said and measured later", { skip }, () => {
    const only = ["--only", "patterns,exchange,burst"], jobs = join(folder, "hurried");
    const begun = pingpongSeconds();
    const whole = run(sixteen, ...only).document;
    const limit = begun + (whole.tool.duration_s - begun) * 0.9;
    const { document } = run(sixteen, ...only, "--time-limit", `${limit}`, "--resume", jobs);
    for (const table of ["patterns", "exchange", "burst"])
        assert.ok(document.contention[table].some(({ processes }) => processes === 16), table);
    assert.ok(!document.contention.patterns.some(({ processes }) => processes === 4));
    assert.match(document.description, /^Not measured: .*patterns of 4.* \(no time for it within --time-limit\)/);
    assert.ok(document.tool.duration_s < 1.1 * limit);
    const later = run(sixteen, ...only, "--resume", jobs);
    assert.doesNotMatch(later.said, /patterns: resumed/);
    assert.equal(later.document.contention.patterns.length, whole.contention.patterns.length);
    assert.equal(later.document.description, undefined);
});

test("a job of other processes is no continuation", { skip }, () => {
    const jobs = join(folder, "others");
    run(["t0", "t1"], "--only", "pingpong", "--resume", jobs);
    const { document, said } = run(["t0", "t1", "t2"], "--only", "pingpong", "--resume", jobs);
    assert.equal(document, undefined);
    assert.match(said, /--resume: .*others: of another job, .* it has ".* 2 hosts.*", this is ".* 3 hosts/);
});

test("a job with other options is no continuation, whichever they are", { skip }, () => {
    const hosts = ["t0", "t1"];
    const jobs = join(folder, "options");
    const only = ["--only", "peak,pingpong", "--resume", jobs];
    run(hosts, ...only, "--processes", "2");
    for (const other of [["--threads", "2"], ["--messages", "2K"], ["--processes", "2", "--peak-flops-per-s", "1e12"],
        ["--processes", "2", "--cores-per-node", "9"], ["--processes", "2", "--kernels", "trinv"], ["--processes", "2", "--eps", "0.5"]]) {
        const { document, said } = run(hosts, ...only, ...other);
        assert.equal(document, undefined, other.join(" "));
        assert.match(said, /--resume: .*options: of another job/);
    }
    assert.match(run(hosts, ...only, "--processes", "2").said, /pingpong: resumed from/);
});

test("a document that lacks nothing says nothing of it", { skip }, () => {
    const { document } = run(["t0", "t1"], "--only", "pingpong,message_bandwidth");
    assert.equal(document.description, undefined);
});

test("what the job is too small for, or has not been told, is named with the reason", { skip }, () => {
    const { document, said } = run(["t0", "t1", "t2", "t3"], "--only", "contention,hops,patterns,exchange,burst",
        "--processes", "3,128", "--grids", "4,16:4");
    for (const lacking of [/contention of 128 processes/, /hops \(--topology is not given\)/, /patterns of 16 processes/,
        /exchange of 128 processes, burst of 128 processes \(the job has 4\)$/])
        assert.match(document.description, lacking);
    assert.ok(document.contention.maximum.every((row) => row.processes === 3));
    assert.doesNotMatch(said, /no time for/);
    const none = run(["t0", "t1", "t2", "t3"], "--only", "contention,patterns,exchange,burst", "--processes", "128", "--grids", "16");
    assert.equal(none.document.contention, undefined);
    assert.doesNotMatch(none.said, /no time for/);
});

test("one-sided transfers are named as the source of all that they were measured with", { skip }, () => {
    const { document } = run(["t0", "t1"], "--only", "pingpong,message_bandwidth,cnc_inter_node", "--transfer", "put");
    for (const pointer of ["/network/protocols", "/network/message_bandwidth", "/cnc/inter_node_bandwidth_bytes_per_s"]) {
        assert.match(document.sources[pointer].text, /one-sided, one MPI_Put with a flush/);
        assert.doesNotMatch(document.sources[pointer].text, /ping-pong|pipelined/);
    }
});

test("a topology that is another one is doubted", { skip }, () => {
    const hosts = Array.from({ length: 27 }, (_, i) => `t${(i * 29) % 144}`);
    const only = ["--only", "hops", "--topology"];
    assert.match(run(hosts, ...only, "torus:12x12x1").document.description, /^Warnings: latencies differ by \d+ % .* --topology/);
    assert.equal(run(hosts, ...only, "torus:6x6x4").document.description, undefined);
});
