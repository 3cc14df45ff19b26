// What most tests of the page begin with: a question, and the controls of its form.
import { assertNoOverflow, daemon, go, page, settled } from "./browser.mjs";

export const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();
export const choice = (name, within = page) => within.getByRole("combobox", { name, exact: true });
export const entry = (name, within = page) => within.getByRole("textbox", { name, exact: true });

/** Loads the page with a question. */
export async function visit(query, on = page) {
    await on.goto(`${daemon.url}/?${query}`);
    await settled(on);
}

/** Looks at a section on a screen of this width, which shows one section at a time. */
export async function narrowTo(width, section) {
    await page.setViewportSize({ width, height: 800 });
    await go(page, section);
    await assertNoOverflow(page);
}
