/* Links to the API where reading needs the token, which the browser would leave out: they become downloads. */
import { address, fileAt } from "../core/api.js";
import { el } from "../core/dom.js";
import { token } from "../core/token.js";

const KEPT_MS = 60_000; /* the browser reads the file after the click */
const base = address("");

export function followDownloads() {
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("a[href]");
        if (!link?.href.startsWith(base) || !token.isForReading) return;
        event.preventDefault();
        download(link).catch((error) => { link.replaceWith(el("span", { class: "hint" }, `${link.textContent}: ${error.message}`)); });
    });
}

async function download({ href, pathname, download: name }) {
    const url = URL.createObjectURL(await fileAt(href)), last = pathname.split("/").at(-1);
    el("a", { href: url, download: name || (last.includes(".") ? last : `${last}.json`) }).click();
    setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
