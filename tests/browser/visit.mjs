// What most tests of the page begin with: a question, and the controls of its form.
import { assertNoOverflow, daemon, go, page, reopen, turn } from "./browser.mjs";

export const api = async (path) => (await fetch(`${daemon.url}/api/v1/${path}`)).json();
export const choice = (name, within = page) => within.getByRole("combobox", { name, exact: true });
export const entry = (name, within = page) => within.getByRole("textbox", { name, exact: true });

/**
 * Asks a question, of the page that the test before has left if it is that of this daemon: to load it takes longer than to answer.
 * Without an operation it is that of a page which is loaded.
 */
export async function visit(query, on = page) {
    const at = new URL(on.url()), { origin, search } = new URL(`${daemon.url}/?${query}`);
    if (!/[?&]model=/.test(search) || !at.search || at.search === search || `${at.origin}${at.pathname}` !== `${origin}/`) return reopen(`${daemon.url}/?${query}`, on);
    await on.evaluate(() => { scrollTo(0, 0); document.activeElement.blur(); });
    return turn(on, query);
}

/** Looks at a section on a screen of this width, which shows one section at a time. */
export async function narrowTo(width, section) {
    await page.setViewportSize({ width, height: 800 });
    await go(page, section);
    await assertNoOverflow(page);
}
