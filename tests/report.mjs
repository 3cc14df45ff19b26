// What the parts of a check said: the slowest tests, each failure with what was expected and how to run it alone, and
// how many passed.  Exit status 1 unless every part passed.
//   node tests/report.mjs build/checked PART...
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SLOWEST = 10, FAILURES = 20, LINES = 24;
const [folder, ...parts] = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };
const slow = [], failures = [];

/** The tests of TAP: [{name, ms, isSuite, hasFailed, details}], each below its suites. */
function tapTests(lines) {
    const tests = [];
    let details = null;
    for (const line of lines) {
        const [, hasFailed, name] = line.match(/^ *(not )?ok \d+ - (.*)$/) ?? [];
        if (name) tests.push({ name, hasFailed: Boolean(hasFailed), details: (details = []) });
        else if (/^ *\.\.\.$/.test(line)) details = null;
        else details?.push(line);
    }
    for (const test of tests) {
        const text = test.details.join("\n");
        test.ms = Number(/duration_ms: ([\d.]+)/.exec(text)?.[1] ?? 0);
        test.file = /^ *location: '.*\/(browser\/\w+)\.test\.mjs:/m.exec(text)?.[1]; /* of a part that has several */
        test.isSuite = /type: 'suite'|failureType: 'subtestsFailed'/.test(text);
        test.says = text.replace(/^[^]*?\berror: (\|-\n)?/, "").replace(/\n *code: '[^]*?\n( *expected:|$)/, "\n$1").replace(/\n *stack: \|-[^]*$/, "");
    }
    return tests.filter(({ isSuite }) => !isSuite);
}

const last = (pattern, text) => [...text.matchAll(pattern)].reduce((n, match) => n + Number(match[1]), 0);

for (const part of parts) {
    const log = join(folder, `${part}.log`), path = [log, `${log}.failed`].find(existsSync);
    const fail = (name, says, command = `make ${log}`) => failures.push({ part, name, says, command });
    if (!path) {
        sum.failed++;
        fail(part, "did not run: what it needs was not built; the compiler's message stands above");
        continue;
    }
    const text = readFileSync(path, "utf8"), lines = text.split("\n"), hasFailed = path !== log;
    const ms = Number(/^# took (\d+) ms/m.exec(text)?.[1]);
    const before = { ...sum };
    if (/^TAP version/m.test(text)) {
        for (const key of ["pass", "fail", "skip"]) sum[{ pass: "passed", fail: "failed", skip: "skipped" }[key]] += last(new RegExp(`^# ${key}\\w* (\\d+)$`, "gm"), text);
        for (const test of tapTests(lines)) {
            slow.push({ name: `${part}: ${test.name}`, ms: test.ms });
            if (test.hasFailed) fail(test.name, test.says, test.file && `make ${join(folder, test.file)}.log`);
        }
    } else if (/^\[={10}\]/m.test(text)) { // cmocka
        sum.passed += last(/^\[ {2}PASSED {2}\] (\d+) test/gm, text);
        sum.failed += last(/^\[ {2}FAILED {2}\] (\d+) test/gm, text);
        sum.skipped += last(/^\[ {2}SKIPPED \] (\d+) test/gm, text);
        const files = [...text.matchAll(/^# (test_\w+): (\d+) ms$/gm)].map(([, name, took]) => ({ name: `${part}/${name}`, ms: Number(took) }));
        slow.push(...(files.length ? files : [{ name: part, ms }]));
        for (const [, says, name] of text.matchAll(/^\[ RUN {6}\] .*\n((?:(?!\[ RUN)[^]){0,4000}?)^\[ {2}FAILED {2}\] (\w+)$/gm)) fail(name, says);
    } else { // checks.sh, or one check
        const [, passed = Number(!hasFailed), failed = Number(hasFailed)] = /^(\d+) passed, (\d+) failed$/m.exec(text) ?? [];
        sum.passed += Number(passed);
        sum.failed += Number(failed);
        slow.push({ name: part, ms });
    }
    if (hasFailed && sum.failed === before.failed) sum.failed++; // it ended before it could count
    if (hasFailed && !failures.some((each) => each.part === part)) fail(part, lines.slice(-LINES).join("\n"));
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
console.log(`\nthe slowest of ${sum.passed + sum.failed} tests:`);
for (const { name, ms } of slow.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST)) console.log(`  ${seconds(ms).padStart(8)}  ${name}`);
for (const { part, name, says, command } of failures.slice(0, FAILURES)) {
    const said = says.split("\n").filter((line) => line.trim()).slice(0, LINES);
    console.log(`\nFAILED ${part}: ${name}\n${said.map((line) => `    ${line}`).join("\n")}\n    alone: ${command}`);
}
if (failures.length > FAILURES) console.log(`\nand ${failures.length - FAILURES} more`);
const line = `${sum.passed} passed, ${sum.failed} failed${sum.skipped ? `, ${sum.skipped} skipped` : ""}`;
writeFileSync(join(folder, "report"), `${line}\n`);
console.log(`\n${line}`);
process.exitCode = sum.failed ? 1 : 0;
