// The daemon as a program: how it starts, and how it ends.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { forerund, root, startDaemon, temporaryFolder, until } from "../daemon.mjs";
import { calibrationId } from "../tools/canonical.mjs";
import { client, keepAlive, worked } from "./client.mjs";
import { gatedCharts } from "./clock.mjs";

const big = "/api/v1/sweep/matmul.csv?machine=worked&algorithm=cannon,summa&variant=2d,2d_ovlp&n=1001..26000&processes=16&threads=4";
const chart = (n) => `/api/v1/chart/matmul.svg?machine=worked&algorithm=cannon&variant=2d&n=${n},${n + 1}&processes=16&threads=4`;

let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

test("facts beside the sets are those of their machines; faulty ones are reported and left out", async () => {
    const sets = folder.file("sets");
    await mkdir(`${sets}/facts`, { recursive: true });
    await writeFile(`${sets}/one.json`, JSON.stringify({ ...JSON.parse(worked), machine: "one" }));
    await writeFile(`${sets}/two.json`, JSON.stringify({ ...JSON.parse(worked), machine: "two" }));
    await writeFile(`${sets}/facts/one.json`, '{ "nodes": 7, "site": "here" }');
    await writeFile(`${sets}/facts/two.json`, '{ "nodez": 7 }');
    const db = folder.file("facts.db");
    let daemon = await startDaemon({ db, calibrations: sets });
    const facts = async (machine) => (await client(daemon.url).get(`/api/v1/machines/${machine}`)).json.facts;
    assert.deepEqual(await facts("one"), { nodes: 7, site: "here" });
    assert.deepEqual(await facts("two"), {});
    assert.match(daemon.log(), /event=facts_refused path=\S*facts\/two\.json/);
    await daemon.stop();
    // A newer version ships more: a machine without facts gets them, one whose facts somebody stated keeps those.
    await writeFile(`${sets}/facts/one.json`, '{ "nodes": 8 }');
    await writeFile(`${sets}/facts/two.json`, '{ "nodes": 9 }');
    await writeFile(`${sets}/facts/three.json`, '{ "nodes": 9 }');
    daemon = await startDaemon({ db, calibrations: sets });
    assert.deepEqual([await facts("one"), await facts("two")], [{ nodes: 7, site: "here" }, { nodes: 9 }]);
    assert.equal((await client(daemon.url).get("/api/v1/machines/three")).status, 404, "facts alone make no machine");
    const token = await daemon.token("write");
    for (const [machine, stated] of [["one", {}], ["two", { description: "" }]])
        assert.equal((await client(daemon.url).send(`/api/v1/machines/${machine}`, { method: "PUT", body: JSON.stringify(stated), token })).status, 200);
    await daemon.stop();
    daemon = await startDaemon({ db, calibrations: sets });
    assert.deepEqual([await facts("one"), await facts("two")], [{}, {}], "that there are none was stated, too");
    await daemon.stop();
});

describe("the program", () => {
    test("prints its version and its help", async () => {
        const version = await forerund(["--version"]);
        assert.equal(version.code, 0);
        assert.match(version.stdout, /forerun\S* \d+\.\d+\.\d+/);
        const help = await forerund(["--help"]);
        assert.equal(help.code, 0);
        for (const word of ["--listen", "--db", "token", "import", "backup", "check", "restore"]) assert.ok(help.stdout.includes(word), word);
    });

    test("refuses unknown arguments, on standard error", async () => {
        for (const args of [["--no-such-option"], ["frobnicate"], ["serve", "--listen", "nonsense"], ["token"], ["token", "create"],
            ["backup"], ["import", "--db", folder.file("x.db")], ["--workers", "0"], ["--listen", "127.0.0.1:99999"]]) {
            const { code, stdout, stderr } = await forerund(args, { env: { XDG_STATE_HOME: folder.path } });
            assert.notEqual(code, 0, args.join(" "));
            assert.equal(stdout, "", args.join(" "));
            assert.notEqual(stderr, "", args.join(" "));
        }
        for (const address of ["nonsense", "127.0.0.1:99999", ":8080", "[]:8080"]) {
            const { code, stderr } = await forerund(["--listen", address], { env: { XDG_STATE_HOME: folder.path } });
            assert.equal(code, 2, stderr);
            assert.equal(stderr, `forerund: listen: '${address}' is not ADDR:PORT, such as 127.0.0.1:8080 or [::1]:8080\n`);
        }
        assert.match((await forerund(["token"])).stderr, /^forerund: token takes create, list or revoke; try --help\n$/);
    });

    test("prints one line on standard output when it accepts connections", async () => {
        const daemon = await startDaemon();
        assert.match(daemon.url, /^http:\/\/127\.0\.0\.1:\d+$/);
        assert.equal(daemon.out(), `forerund: listening on ${daemon.url}\n`, "the line that clients wait for");
        assert.equal((await client(daemon.url).get("/readyz")).status, 200);
        await daemon.stop();
    });

    test("ends with an error when its port is taken", async () => {
        const daemon = await startDaemon({ calibrations: null });
        const { code, stderr } = await forerund(["--listen", daemon.url.slice(7), "--db", folder.file("second.db")]);
        await daemon.stop();
        assert.notEqual(code, 0);
        assert.match(stderr, /address|listen|port|in use/i);
    });

    test("an empty database is filled with the sets that are shipped, and they serve predictions", async () => {
        const daemon = await startDaemon();
        const api = client(daemon.url);
        const shipped = readdirSync(`${root}/calibrations/sets`).filter((name) => name.endsWith(".json"));
        const { items } = (await api.get("/api/v1/machines?limit=1000")).json;
        assert.ok(shipped.length >= 1);
        for (const name of shipped) {
            const text = readFileSync(`${root}/calibrations/sets/${name}`, "utf8");
            const document = JSON.parse(text);
            assert.ok(items.some((item) => item.name === document.machine), document.machine);
            assert.equal((await api.get(`/api/v1/calibrations/${calibrationId(document)}`)).text, text);
        }
        await daemon.stop();
    });
});

describe("signals", () => {
    for (const signal of ["SIGTERM", "SIGINT"])
        test(`${signal} while requests are in flight: they are answered, the exit code is 0`, async () => {
            const charts = await gatedCharts();
            const args = ["--workers", "4", "--drain-timeout-s", "86400", ...charts.options.args];
            const daemon = await startDaemon({ calibrations: null, ...charts.options, args });
            const api = client(daemon.url);
            await api.upload(worked, await daemon.token("write"));
            const flying = [1000, 2000, 3000].map((n) => api.get(chart(n)));
            await until("three run", async () => /^forerun_workers_busy 3$/m.test((await api.get("/metrics")).text));
            flying.push(api.get(big)); // waits until one of them has ended
            await until("one waits", async () => /^forerun_queue_length_long 1$/m.test((await api.get("/metrics")).text));
            daemon.process.kill(signal);
            await until("it is told to end", () => daemon.log().includes(" event=stop"));
            charts.pass(3);
            const answers = await Promise.all(flying);
            assert.deepEqual(answers.map(({ status }) => status), [200, 200, 200, 200]);
            assert.equal(answers[3].text.split("\r\n").length, 100_002);
            await daemon.stop();
            await charts.remove();
        });

    test("SIGTERM with idle connections open waits for no request", async () => {
        const daemon = await startDaemon({ calibrations: null, args: ["--drain-timeout-s", "86400"] });
        const agent = keepAlive(8);
        await Promise.all(Array.from({ length: 8 }, () => client(daemon.url).get("/healthz", { agent })));
        await daemon.stop();
        agent.destroy();
    });

    test("after a clean exit only the database is left in the folder", async () => {
        const own = await temporaryFolder();
        const daemon = await startDaemon({ db: own.file("a.db"), calibrations: null });
        await daemon.token("write");
        await daemon.stop();
        assert.deepEqual(readdirSync(own.path), ["a.db"], "no -wal and no -shm after a clean end");
        await own.remove();
    });
});
