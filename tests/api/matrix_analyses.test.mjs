// Analyses of matrices when the daemon ends, or their program is missing; and what that program may do.
import assert from "node:assert/strict";
import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { after, before, test } from "node:test";
import { isPostgresql, temporaryFolder } from "../daemon.mjs";
import { serve, small, until } from "./matrix_server.mjs";

let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

test("after a clean exit interrupted analyses restart, and nothing is left behind", async () => {
    const db = folder.file("restart.db");
    const it = await serve({ db });
    const { json } = await it.upload(small(`held\n%gate ${folder.file("gate")}`), "?name=slow&orderings=metis,amd");
    await until("it is halfway", async () => (await it.api.get("/api/v1/matrices/slow")).json.stage === "metis: symbolic");
    assert.equal((await it.api.get("/api/v1/matrices/slow")).json.progress_fraction, 0.25);
    await it.daemon.stop();
    assert.deepEqual(readdirSync(folder.path), ["restart.db"]);
    writeFileSync(folder.file("gate"), "");
    const again = await serve({ db });
    const done = await again.ended(json.id);
    assert.deepEqual(done.orderings.map((o) => o.status), ["ready", "ready"]);
    await again.daemon.stop();
});

test("after a kill they restart too; an analysis that always fails is given up", async () => {
    const db = folder.file("killed.db");
    let id;
    for (let i = 0; i < 3; i++) {
        const it = await serve({ db });
        if (!id) id = (await it.upload(small("hang metis"), "?name=fatal&orderings=metis,amd")).json.id;
        await until("it hangs", async () => (await it.api.get(`/api/v1/matrices/${id}`)).json.stage === "metis: order");
        it.daemon.process.kill("SIGKILL");
        await it.daemon.exited;
    }
    const it = await serve({ db });
    const done = await it.ended(id);
    assert.match(done.orderings[0].reason, /begun 3 times/);
    assert.equal(done.orderings[1].status, "ready");
    await it.daemon.stop();
});

test("without the program matrices are accepted, and their status says what is missing", async () => {
    const it = await serve({ args: ["--analyze-program", "/no/such/forerun-analyze"] });
    const { json } = await it.upload(small());
    const done = await it.ended(json.id);
    assert.equal(done.status, "failed");
    assert.match(done.reason, /there is no program `\/no\/such\/forerun-analyze`: install forerun-analyze/);
    assert.equal((await it.api.get("/readyz")).status, 200);
    await it.daemon.stop();
});

test("the program that analyzes reaches no file of the daemon, changes none and opens no socket", async (t) => {
    const folder = await temporaryFolder(), program = folder.file("analyze.sh"), db = folder.file("forerun.db");
    const visits = [], listener = createServer((socket) => visits.push(socket.destroy()));
    await new Promise((done) => listener.listen(0, "127.0.0.1", done));
    writeFileSync(folder.file("secret"), "secret");
    writeFileSync(program, `#!/bin/bash
did=
try() { if "$@" >/dev/null 2>&1; then did="$did $*"; fi; }
try test -e '${db}'
try cat '${db}'
try cat '${folder.file("secret")}'
try ls '${folder.path}'
try touch '${folder.file("new")}'
try cp /dev/null /tmp/new-$$
try rm '${db}'
try bash -c 'exec 3<>/dev/tcp/127.0.0.1/${listener.address().port}'
try true
printf '{"record":"ordering","ordering":"%s","status":"failed","reason":"did:%s"}\\n{"record":"end"}\\n' "$2" "$did"
`, { mode: 0o755 });
    const it = await serve({ args: ["--analyze-program", program], db: isPostgresql ? undefined : db });
    if (/event=sandbox/.test(it.daemon.log())) t.skip("this kernel lacks Landlock or seccomp");
    else {
        if (isPostgresql) writeFileSync(db, "");
        await it.upload(small(), "?name=tries&orderings=amd");
        assert.equal((await it.ended("tries")).orderings[0].reason, `did: test -e ${db} true`);
        assert.deepEqual(visits, []);
    }
    await it.daemon.stop();
    listener.close();
    await folder.remove();
});
