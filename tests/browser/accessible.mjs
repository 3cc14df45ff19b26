// Accessibility faults that axe finds, in either theme.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const BY_COLOR = ["color-contrast", "link-in-text-block"]; /* the rules that a theme can break: it changes nothing but colors */
const NARROW = 600; /* a screen below it has the colors of a wide one, but at the top and at the bottom of the page */

const judged = new Set(); /* the styles of texts, on all pages, of which a rule has found that their contrast is no fault */

/* Contrast depends on the styles of a text and of what it stands on, which are its ancestors: each combination is checked until
   it has once been found good, not in each cell of a table.  axe.areJudged(of): there is no other one in a part of the page. */
function checkOnce(known) {
    const { axe } = window, { dom } = axe.commons, named = ({ id }) => id === "color-contrast";
    const check = axe._audit.checks["color-contrast"], rule = axe._audit.rules.find(named), { evaluate } = check, { matches } = rule;
    const judged = new Set(known);
    axe.configure({ noHtml: true }); /* whose text takes longer than most rules */
    let tree, grounds;
    /** What an element and its ancestors give to the color below a text. */
    function groundOf(element) {
        if (!element) return "";
        if (!grounds.has(element)) {
            const { backgroundColor, backgroundImage, opacity, mixBlendMode, position, zIndex } = getComputedStyle(element);
            const own = [backgroundColor, backgroundImage, opacity, mixBlendMode, position, zIndex].join();
            grounds.set(element, groundOf(element.parentElement) + (own === "rgba(0, 0, 0, 0),none,1,normal,static,auto" ? "" : `;${own}`));
        }
        return grounds.get(element);
    }
    function keyOf(node) {
        if (tree !== axe._tree) [tree, grounds] = [axe._tree, new WeakMap()]; /* another run */
        const { color, webkitTextFillColor, webkitTextStroke, textShadow, fontSize, fontWeight } = getComputedStyle(node);
        const around = node.nodeName === "A" ? [getComputedStyle(node).textDecorationLine, getComputedStyle(node.parentElement).color] : []; /* link-in-text-block */
        return [color, webkitTextFillColor, webkitTextStroke, textShadow, fontSize, fontWeight, ...around, groundOf(node)].join(";");
    }
    /* What axe does not decide, as of disabled controls and of pictures below a text, it is asked again; it is not asked for its sake alone. */
    const undecided = (node) => `${node.nodeName};${keyOf(node)}`;
    rule.matches = function matchesOnce(node, ...args) {
        if (judged.has(keyOf(node))) return false;
        const result = matches.call(this, node, ...args);
        if (!result) judged.add(undecided(node));
        return result;
    };
    check.evaluate = function evaluateOnce(node, ...args) {
        const key = keyOf(node);
        if (judged.has(key)) return true;
        const result = evaluate.call(this, node, ...args);
        if (result !== false) judged.add(result && dom.isVisibleOnScreen(node) ? key : undecided(node));
        return result;
    };
    const hasText = (node) => [...node.childNodes].some((each) => each.nodeType === Node.TEXT_NODE && each.data.trim());
    axe.areJudged = (of) => {
        [tree, grounds] = [axe._tree, new WeakMap()];
        const all = document.querySelectorAll(`:is(${of}), :is(${of}) *`);
        return [...all].every((node) => !hasText(node) || !node.checkVisibility() || judged.has(keyOf(node)) || judged.has(undecided(node)));
    };
    axe.judged = () => [...judged].slice(known.length);
}

/* axe looks where each element of the page stands before it judges one.  A page without the other sections is as on a narrow screen. */
function leaveOthersOut(of) {
    const parts = [...document.querySelectorAll(of)], from = scrollY, has = (section) => parts.some((part) => section.contains(part) || part.contains(section));
    const others = [...document.querySelectorAll("main > section, #papers > section, #question")].filter((section) => !has(section));
    for (const each of others) each.style.setProperty("display", "none", "important");
    window.axe.bringBack = () => {
        for (const each of others) each.style.removeProperty("display");
        scrollTo(0, from);
    };
}

/** Fails if axe finds a fault; of: a selector of the part to check, on a narrow screen in the light theme alone. */
export async function assertAccessible(page, of = ":root") {
    if (!(await page.evaluate(() => "axe" in window))) {
        await page.evaluate(await readFile(axe, "utf8"));
        await page.evaluate(checkOnce, [...judged]);
    }
    await page.evaluate(leaveOthersOut, of);
    const themes = [["light"], ["dark", BY_COLOR]], has = of === ":root" || page.viewportSize().width > NARROW ? 2 : 1;
    for (const [colorScheme, rules] of themes.slice(0, has)) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        if (rules && await page.evaluate((part) => window.axe.areJudged(part), of)) continue;
        const { violations } = await page.evaluate(([part, runOnly]) => window.axe.run(part, { resultTypes: ["violations"], ...(runOnly ? { runOnly } : { rules: { "label-content-name-mismatch": { enabled: true } } }) }), [of, rules]);
        assert.deepEqual(violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`), []);
    }
    for (const style of await page.evaluate(() => { window.axe.bringBack(); return window.axe.judged(); })) judged.add(style);
    await page.emulateMedia({ colorScheme: null });
}
