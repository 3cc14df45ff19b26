// Modules of the page in Node, with the little that they expect of a browser when they are loaded.
import { register } from "node:module";

/* No package.json says that the files of the page are modules. */
const hooks = 'export const load = (url, context, next) => next(url, url.includes("/static/") ? { ...context, format: "module" } : context);';
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const nothing = () => {};
const stored = new Map();
globalThis.location = { search: "" };
globalThis.document = { baseURI: "http://daemon/", addEventListener: nothing, querySelector: () => null, querySelectorAll: () => [], getElementById: () => null, createElement: () => ({ setAttribute: nothing, addEventListener: nothing, append: nothing }) };
globalThis.window = { matchMedia: () => ({ matches: false, addEventListener: nothing }) };
globalThis.MutationObserver = class {};
globalThis.sessionStorage = { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => { stored.set(key, text); } };

/** Of the daemon, before the modules are loaded that send requests. */
export function servedBy(url) {
    document.baseURI = `${url}/`;
}

/** A module of the page: load("core/units.js"). */
export const load = (name) => import(new URL(`../../static/${name}`, import.meta.url));
