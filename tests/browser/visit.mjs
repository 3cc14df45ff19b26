// What most tests of the page do: open a question, turn to another one, find a control, look for faults of accessibility.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { assertNoOverflow, daemon, go, page, settled } from "./browser.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();
export const choice = (name, on = page) => on.getByRole("combobox", { name, exact: true });
export const entry = (name, on = page) => on.getByRole("textbox", { name, exact: true });

/** Loads the page with a question. */
export async function visit(query, on = page) {
    await on.goto(`${daemon.url}/?${query}`);
    await settled(on);
}

/** Turns to another question as Back and Forward do, from the top of the page, which costs a fraction of a load. */
export async function turn(query, on = page) {
    await on.evaluate((search) => {
        scrollTo(0, 0);
        history.pushState(null, "", search);
        dispatchEvent(new PopStateEvent("popstate"));
    }, `?${query}`);
    await settled(on);
}

/* The rules of axe whose findings depend on colours, which are all that a theme changes. */
const COLORS = ["color-contrast", "link-in-text-block"];

/** Fails where axe finds a fault within these parts of the page: of any kind in the light theme, of colours in the dark one. */
export async function assertAccessible(parts, on = page) {
    if (!await on.evaluate(() => "axe" in window)) await on.evaluate(axe);
    for (const [colorScheme, rules] of [["dark", COLORS], ["light", null]]) {
        await on.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const { violations } = await on.evaluate(([selectors, values]) => window.axe.run({ include: selectors.map((each) => [each]) }, values ? { runOnly: { type: "rule", values } } : {}), [parts, rules]);
        assert.deepEqual(violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join("; ")}`), []);
    }
}

/** Looks at a section on a screen of this width, which shows one section at a time. */
export async function narrowTo(width, section, on = page) {
    await on.setViewportSize({ width, height: 800 });
    await go(on, section);
    await assertNoOverflow(on);
}
