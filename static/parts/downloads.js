/* Downloads where reading needs the token: the browser would ask for the file of a link without it. */
import { fileAt } from "../core/api.js";
import { el } from "../core/dom.js";
import { token } from "../core/token.js";

const KEPT_MS = 60_000; /* the browser reads the file after the click */

export function followDownloads() {
    document.addEventListener("click", (event) => {
        const link = event.target.closest?.("a[download]");
        if (!link || !token.isForReading || link.protocol === "blob:") return;
        event.preventDefault();
        download(link).catch((error) => { link.replaceWith(el("span", { class: "hint" }, `${link.textContent}: ${error.message}`)); });
    });
}

async function download({ href, download: name }) {
    const url = URL.createObjectURL(await fileAt(href));
    el("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
