// Drives Debian's chromium, or its firefox-esr with FORERUN_BROWSER=firefox: pages that record their errors.
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import { text } from "node:stream/consumers";
import { after, afterEach, before, beforeEach } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { chromium, firefox } from "playwright-core";
import { startPageDaemon } from "../page/daemon.mjs";

export { assertAccessible } from "./accessible.mjs";
export const isFirefox = process.env.FORERUN_BROWSER === "firefox";

/** Of the test file that calls withPages; the browser and its page are those of all files of this process. */
export let daemon, browser, page;

/* The page serves all tests, since its process has compiled the scripts already; a daemon those that do not change it. */
let history;
const shared = new Map(); /* options -> daemon */
after(async () => {
    await browser?.close();
    for (const each of shared.values()) await each.stop();
});

/**
 * Opens the page, and starts a daemon with these options, which `prepare` fills.  Each test begins without a document, and ends without errors.
 * Without `prepare` the daemon may be that of other files too, and is not to be changed; own: it is not.
 * charts: gnuplot draws them; otherwise they are empty pictures.  init: runs in each page before its scripts.
 */
export function withPages({ own = false, init, ...options } = {}, prepare) {
    let script;
    const isShared = !own && !prepare, key = JSON.stringify(options);
    before(async () => {
        daemon = (isShared && shared.get(key)) || await startPageDaemon(options);
        if (isShared) shared.set(key, daemon);
        await prepare?.();
        if (!page) {
            browser = await launch();
            page = await newPage(browser);
            if (!isFirefox) history = await page.context().newCDPSession(page);
        }
        script = init && await page.addInitScript(init);
    });
    after(async () => {
        await script?.dispose();
        if (isShared) return;
        if (page && !page.isClosed()) await page.goto("about:blank"); /* no request is left to the daemon */
        await daemon?.stop();
    });
    beforeEach(async () => {
        for (const event of ["request", "requestfailed", "requestfinished", "response", "download", "dialog"]) page.removeAllListeners(event);
        await page.unrouteAll({ behavior: "ignoreErrors" });
        if (page.url() !== "about:blank") await page.evaluate(() => sessionStorage.clear());
        await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: "reduce" }); /* no frames of transitions */
        await page.setViewportSize(USUAL.viewport);
        await page.mouse.move(0, 0);
        await history?.send("Page.resetNavigationHistory"); /* it has 50 entries at most */
        page.troubles().length = 0;
    });
    afterEach(async ({ passed }) => {
        if (!passed) await leave(page);
        assert.deepEqual(page.troubles(), [], "the page logged errors");
    });
}

/** An init of withPages: the page asks at once again where it would wait for a second or two. */
export function askingAtOnce() {
    const later = window.setTimeout.bind(window);
    window.setTimeout = (act, ms, ...more) => later(act, ms >= 1000 && ms < 2000 ? 50 : ms, ...more);
}

/* Debian's Firefox is driven by WebDriver BiDi. */
const launch = (prefs = {}) => (isFirefox ? firefox.launch({ executablePath: process.env.FIREFOX ?? "/usr/bin/firefox-esr", channel: "moz-firefox", firefoxUserPrefs: prefs }) : chromium.launch(CHROMIUM));

const CHROMIUM = {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-features=NetworkServiceInProcess2"],
};
/* FORERUN_SLOW_PAGES=SEED: answers come up to 0.9 s late and in any order, to a third of a processor.  No test may depend on it. */
const slow = process.env.FORERUN_SLOW_PAGES && !isFirefox && (async (own, page) => {
    await own.route("**/api/v1/**", async (route) => {
        await wait(900 * random());
        await route.continue().catch(() => {}); /* the page may have left */
    });
    await (await own.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 3 });
});
let state = Number(process.env.FORERUN_SLOW_PAGES);
function random() {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return state / 0x7fffffff;
}

const HUNG_MS = 180_000; /* ends a test that waits for what does not come */
const USUAL = { viewport: { width: 1280, height: 900 } };

/**
 * A page in its own context; `context` has the options of playwright.  page.troubles() lists console
 * errors and exceptions, except refusals (400, 401, 404, 422) of the API.
 */
export async function newPage(browser, context = {}) {
    const own = await browser.newContext({ ...USUAL, ...context }), page = await own.newPage();
    if (slow) await slow(own, page);
    const troubles = [];
    page.on("pageerror", (error) => troubles.push(String(error.stack ?? error)));
    page.on("console", (message) => {
        const isRefusal = /status of 4(00|01|04|22) /.test(message.text()) && /\/api\//.test(message.location().url);
        if (message.type() === "error" && !isRefusal) troubles.push(`${message.text()} ${message.location().url}`);
    });
    page.setDefaultTimeout(HUNG_MS);
    page.troubles = () => troubles;
    return page;
}

/** A page of a dark system; close() ends it.  WebDriver BiDi cannot make Firefox dark, so that another one starts dark. */
export async function darkPage() {
    const own = isFirefox ? await launch({ "layout.css.prefers-color-scheme.content-override": 0 }) : browser;
    const dark = await newPage(own, { colorScheme: "dark" });
    return { dark, close: () => (isFirefox ? own.close() : dark.context().close()) };
}

/** Waits until every part of the page has its answer.  The page's policy forbids waitForFunction, and locators ask again and again. */
export const settled = (page) => page.evaluate((hung_ms) => new Promise((done, fail) => {
    const isSettled = () => document.querySelector("#answer-body .time, #answer-problem > *") && !document.querySelector('[aria-busy="true"]');
    if (isSettled()) return done();
    setTimeout(() => fail(new Error(`${location} is not settled; busy: ${[...document.querySelectorAll('[aria-busy="true"]')].map(({ id, className }) => id || className).join(", ")}`)), hung_ms);
    return new MutationObserver((_, observer) => {
        if (!isSettled()) return;
        observer.disconnect();
        done();
    }).observe(document, { subtree: true, childList: true, attributes: true });
}), HUNG_MS);

/** Ends what the page does.  The next address is then loaded, also where it has another fragment alone. */
export const leave = (page) => page.goto(`${daemon.url}/favicon.svg`);

/** Opens an address anew, as another browser would. */
export async function reopen(url = page.url(), on = page) {
    const [now, then] = [on.url(), url].map((each) => each.replace(/#.*/, ""));
    if (now === then || !now.startsWith(`${daemon.url}/`)) await leave(on); /* the browser would go to the fragment alone; the storage is that of the origin */
    await on.evaluate(() => sessionStorage.clear());
    await on.goto(url);
    await settled(on);
}

/** Leads the open page to another question, as Back and Forward do: nothing is loaded again. */
export async function turn(page, query) {
    await page.evaluate((search) => {
        history.pushState(null, "", search);
        dispatchEvent(new PopStateEvent("popstate"));
        if (location.hash) document.querySelector(location.hash).scrollIntoView();
    }, `?${query}`);
    await settled(page);
}

/** Performs an action that sends a request, and waits for the answer to that request, not to one before it, nor for its chart, which comes when it is seen. */
export async function asking(page, path, act) {
    const isIt = ({ pathname }) => pathname.startsWith(`/api/v1/${path}`) && !pathname.endsWith("/chart.svg");
    const sent = new WeakSet(), note = (request) => sent.add(request);
    page.on("request", note);
    const [response] = await Promise.all([page.waitForResponse((r) => sent.has(r.request()) && isIt(new URL(r.url()))), act()]);
    page.off("request", note);
    await settled(page);
    return response;
}

/** The predicted time at the top of the page. */
export async function shownTime(page) {
    const text = await page.locator("#time").innerText();
    return text.replaceAll("\u00a0", " ").replace(/^Predicted time:/, "").replace(/\s+/g, " ").trim();
}

/** Follows the link of a section at the top: a narrow screen shows one section at a time. */
export async function go(page, section) {
    await page.locator(`.top nav a[href="#${section}"]`).click();
    await page.locator(`#${section}.current`).waitFor();
}

/** Performs a check in each section. */
export async function inEachSection(page, check) {
    const sections = await page.locator(".top nav a:visible").evaluateAll((links) => links.map((link) => link.hash.slice(1)));
    assert.ok(sections.includes("answer") && sections.includes("machine"));
    for (const section of sections) {
        await page.locator(`.top nav a[href="#${section}"]`).evaluate((link) => link.click());
        await page.locator(`#${section}.current`).waitFor();
        await check();
    }
}

/** Fails if the page is wider than the screen. */
export async function assertNoOverflow(page) {
    const wide = await page.evaluate(() => {
        const width = document.documentElement.clientWidth;
        if (document.documentElement.scrollWidth <= width) return [];
        return [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > width + 1)
            .slice(0, 10).map((e) => `${e.tagName}#${e.id}.${e.className}`);
    });
    assert.deepEqual(wide, []);
}

/** The text of a file that the page has given to the user. */
export const downloaded = async (download) => text(await download.createReadStream());

/** Calls act(url) with the address of a proxy that serves the daemon below a path. */
export async function belowPrefix(act) {
    const proxy = createServer((rq, rs) => {
        if (!rq.url.startsWith("/lab/")) return rs.writeHead(404).end();
        return rq.pipe(request(daemon.url + rq.url.slice("/lab".length), { method: rq.method, headers: rq.headers }, (answer) => {
            rs.writeHead(answer.statusCode, answer.headers);
            answer.pipe(rs);
        }));
    });
    await new Promise((done) => { proxy.listen(0, "127.0.0.1", done); });
    try {
        await act(`http://127.0.0.1:${proxy.address().port}/lab`);
    } finally {
        await page.goto("about:blank");
        proxy.closeAllConnections();
        await new Promise((done) => { proxy.close(done); });
    }
}
