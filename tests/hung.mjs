// Ends a process of tests that hangs, as a last resort, and says in which test: node --import ./tests/hung.mjs …
import { afterEach, beforeEach } from "node:test";

const HUNG_MIN = 10; /* in which no test begins or ends */

let where = "before the first test";
const timer = setTimeout(() => {
    console.log(`# hung for ${HUNG_MIN} minutes ${where}`);
    process.exit(1);
}, HUNG_MIN * 60_000).unref();
const note = (words) => ({ name }) => {
    where = `${words} '${name}'`;
    timer.refresh();
};
beforeEach(note("in"));
afterEach(note("after"));
