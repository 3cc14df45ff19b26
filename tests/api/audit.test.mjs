// The audit log, and what the daemon deletes by itself.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { forerund, startDaemon, temporaryFolder, until } from "../daemon.mjs";
import { assertProblem, client, worked } from "./client.mjs";
import { standingClock } from "./clock.mjs";

let folder, clock, daemon, api, write, admin;
const start = async (...args) => {
    daemon = await startDaemon({ calibrations: null, db: folder.file("audit.db"), args, env: clock.env });
    api = client(daemon.url);
};
before(async () => {
    folder = await temporaryFolder();
    clock = await standingClock();
    await start();
    write = await daemon.token("write", "ann");
    admin = await daemon.token("admin", "root");
});
after(async () => {
    await daemon?.stop();
    await clock?.remove();
    await folder.remove();
});

const calibration = (n) => ({ ...JSON.parse(worked), description: `number ${n}` });
const audit = async (query = "") => (await api.get(`/api/v1/audit${query}`, { token: admin })).json;

test("the log names token, address and what was written; only admins read it, in pages", async () => {
    const { id } = (await api.upload(calibration(0), write)).json;
    assert.equal((await api.upload(calibration(0), write)).status, 200, "known: no row");
    assert.equal((await api.delete(`/api/v1/calibrations/${id}`, { token: admin })).status, 204);
    assertProblem(await api.get("/api/v1/audit"), 401);
    assertProblem(await api.get("/api/v1/audit", { token: write }), 403);
    const { items, next } = await audit();
    assert.equal(next, null);
    assert.deepEqual(items.map(({ at, ...rest }) => rest), [
        { token: "root", address: "127.0.0.1", command: null, action: "delete", kind: "calibration", id, machine: "worked", count: 1 },
        { token: "ann", address: "127.0.0.1", command: null, action: "add", kind: "calibration", id, machine: "worked", count: 1 },
        ...["root", "ann"].map((name) => ({
            token: null, address: null, command: `forerund token create, user ${process.getuid()}`,
            action: "add", kind: "token", id: name, machine: null, count: 1,
        })),
    ]);
    for (const { at } of items) assert.equal(Date.parse(at), clock.now());
    const first = await audit("?limit=3");
    assert.equal(first.items.length, 3);
    const rest = await audit(first.next.slice(first.next.indexOf("?")));
    assert.deepEqual([...first.items, ...rest.items], items);
    const printed = await forerund(["audit", "--db", daemon.db]);
    assert.deepEqual(printed.stdout.trim().split("\n").map((line) => JSON.parse(line)), items);
    assert.match((await api.get("/api/v1/audit.csv", { token: admin })).text, /^at,token,address,command,action,kind,id,machine,count\r\n/);
});

test("surplus calibrations are listed by a dry run, deleted by the daemon, and in the log", async () => {
    const ids = [];
    for (let n = 1; n <= 4; n++) ids.push((await api.upload(calibration(n), write)).json.id);
    const dry = await forerund(["prune", "--db", daemon.db, "--dry-run", "--calibrations-kept", "2"]);
    assert.equal(dry.stdout, ids.slice(0, 2).map((id) => `calibration ${id} worked\n`).join(""));
    assert.equal((await api.get("/api/v1/machines/worked")).json.calibrations, 4, "a dry run deletes nothing");
    assert.equal((await forerund(["prune", "--db", daemon.db, "--dry-run"])).stdout, "", "by default everything is kept");
    await daemon.stop();
    await start("--calibrations-kept", "2");
    await until("two are left", async () => (await api.get("/api/v1/machines/worked")).json.calibrations === 2);
    const left = (await api.get("/api/v1/machines/worked/calibrations")).json.items.map(({ id }) => id);
    assert.deepEqual(left, [ids[3], ids[2]]);
    assertProblem(await api.get(`/api/v1/calibrations/${ids[0]}`), 404);
    const deleted = (await audit()).items.filter(({ command }) => command === "retention");
    assert.deepEqual(deleted.map(({ action, kind, id, machine }) => [action, kind, id, machine]).sort(),
        ids.slice(0, 2).map((id) => ["delete", "calibration", id, "worked"]).sort());
    const pruned = await forerund(["prune", "--db", daemon.db, "--calibrations-kept", "1"]);
    assert.equal(pruned.code, 0, pruned.stderr);
    assert.equal((await api.get("/api/v1/machines/worked")).json.calibrations, 1);
});
