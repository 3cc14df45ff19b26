// What subcommands do with a database of an older version, and with an output that cannot be written.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readSync, writeSync } from "node:fs";
import { after, before, test } from "node:test";
import { forerund, isPostgresql, program, root, startDaemon, temporaryFolder } from "../daemon.mjs";

const VERSION_AT = 60; // PRAGMA user_version in SQLite's file format: 4 bytes, big-endian
let folder;
before(async () => (folder = await temporaryFolder()));
after(() => folder.remove());

/** The version of the schema of a file; `change` is added to it. */
function schema(file, change = 0) {
    const fd = openSync(file, "r+"), bytes = Buffer.alloc(4);
    readSync(fd, bytes, 0, 4, VERSION_AT);
    const version = bytes.readUInt32BE() + change;
    bytes.writeUInt32BE(version);
    if (change) writeSync(fd, bytes, 0, 4, VERSION_AT);
    closeSync(fd);
    return version;
}

test("a database of an older version is left to its daemon, and backed up as it is", { skip: isPostgresql }, async () => {
    const db = folder.file("older.db"), copy = folder.file("copy.db");
    const daemon = await startDaemon({ db, calibrations: null });
    await daemon.stop();
    const older = schema(db, -1);
    for (const args of [["token", "list"], ["token", "create", "--scope", "read"], ["audit"], ["prune", "--dry-run"]]) {
        const { code, stdout, stderr } = await forerund([...args, "--db", db]);
        assert.deepEqual([code, stdout, schema(db)], [1, "", older], args.join(" "));
        assert.match(stderr, /the database has schema version \d+, this program has \d+; start the daemon of this version/);
    }
    const made = await forerund(["backup", "--db", db, copy]);
    assert.equal(made.code, 0, made.stderr);
    assert.deepEqual([schema(db), schema(copy)], [older, older]);
});

test("an output that cannot be written is a failure", { skip: !existsSync("/dev/full") }, async () => {
    const daemon = await startDaemon({ calibrations: null });
    for (const args of [["token", "create", "--name", "lost", "--scope", "read"], ["token", "list"], ["audit"], ["doctor", "--static", "static", "--calibrations", "calibrations/sets"]]) {
        const full = openSync("/dev/full", "w");
        const child = spawn(program, [...args, "--db", daemon.db], { cwd: root, stdio: ["ignore", full, "pipe"] });
        let said = "";
        child.stderr.on("data", (text) => (said += text));
        const [code] = await new Promise((done) => child.once("close", (...end) => done(end)));
        closeSync(full);
        assert.equal(code, 1, args.join(" "));
        assert.match(said, /standard output cannot be written/);
    }
    await daemon.stop();
});
