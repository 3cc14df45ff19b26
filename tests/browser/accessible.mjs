// Accessibility faults that axe finds, in either theme.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const BY_COLOR = ["color-contrast", "link-in-text-block"]; /* the rules that a theme can break: it changes nothing but colors */
const NARROW = 600; /* a screen below it has the colors of a wide one, but at the top and at the bottom of the page */

const passed = new Set(); /* the styles that have enough contrast, on all pages */

/* Contrast depends on the styles of a text and of what lies below it: each combination is checked once, not each cell of a table. */
function checkOnce(known) {
    const { axe } = window, { dom } = axe.commons, check = axe._audit.checks["color-contrast"], { evaluate } = check;
    const seen = new Set(known);
    axe.configure({ noHtml: true }); /* whose text takes longer than most rules */
    let tree, styles;
    /** What an element gives to the color of those above it. */
    function layer(element) {
        if (!styles.has(element)) {
            const style = getComputedStyle(element), parent = element.parentElement;
            const own = [element.nodeName, style.backgroundColor, style.backgroundImage, style.opacity, style.mixBlendMode, style.position, style.zIndex].join();
            styles.set(element, { own, opacity: style.opacity * (parent ? layer(parent).opacity : 1) });
        }
        return styles.get(element);
    }
    function keyOf(node) {
        const [stack, ...others] = dom.getTextElementStack(node);
        if (stack?.[0] !== node || !others.every((other) => String(other.map((each) => stack.indexOf(each))) === String(stack.map((_, i) => i)))) return null;
        const { color, webkitTextFillColor, webkitTextStroke, textShadow, fontSize, fontWeight } = getComputedStyle(node);
        return [color, webkitTextFillColor, webkitTextStroke, textShadow, fontSize, fontWeight, layer(node).opacity, ...stack.map((each) => layer(each).own)].join(";");
    }
    check.evaluate = function evaluateOnce(node, ...args) {
        if (tree !== axe._tree) [tree, styles] = [axe._tree, new WeakMap()]; /* another run */
        const key = dom.isVisibleOnScreen(node) ? keyOf(node) : null;
        if (seen.has(key)) return true;
        const result = evaluate.call(this, node, ...args);
        if (key && result === true) seen.add(key);
        return result;
    };
    axe.passed = () => [...seen].slice(known.length);
}

/** Fails if axe finds a fault; of: a selector of the part to check, on a narrow screen in the light theme alone. */
export async function assertAccessible(page, of = ":root") {
    if (!(await page.evaluate(() => "axe" in window))) {
        await page.evaluate(await readFile(axe, "utf8"));
        await page.evaluate(checkOnce, [...passed]);
    }
    const themes = [["light"], ["dark", BY_COLOR]], has = of === ":root" || page.viewportSize().width > NARROW ? 2 : 1;
    for (const [colorScheme, rules] of themes.slice(0, has)) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        const { violations } = await page.evaluate(([part, runOnly]) => window.axe.run(part, { resultTypes: ["violations"], ...(runOnly ? { runOnly } : { rules: { "label-content-name-mismatch": { enabled: true } } }) }), [of, rules]);
        assert.deepEqual(violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join("; ")}`), []);
    }
    for (const style of await page.evaluate(() => window.axe.passed())) passed.add(style);
    await page.emulateMedia({ colorScheme: null });
}
