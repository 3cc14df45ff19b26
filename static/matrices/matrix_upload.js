/* The upload of a sparse matrix: a file that is selected or dropped, compressed, with progress. */
import { address, Problem, Unreachable } from "../core/api.js";
import { el, fill } from "../core/dom.js";
import { token } from "../core/token.js";
import { unfolds } from "../core/unfold.js";
import { quantity } from "../core/units.js";
import { field, input } from "../parts/fields.js";
import { readView, said } from "../parts/sending.js";
import { againButton, tokenField, tokenRefusal } from "../parts/token.js";

const WORTH_PACKING = 1 << 20; /* bytes; text compresses to about a quarter */

export class MatrixUpload {
    #sending = null; /* the request under way */

    /** uploaded(name): called when the daemon has stored the matrix. */
    constructor({ root, uploaded }) {
        this.uploaded = uploaded;
        unfolds(root, "matrix-upload");
        this.name = input("", { inputmode: "text", placeholder: "name of the file" });
        this.file = el("input", { type: "file", id: "matrix-file" });
        this.file.addEventListener("change", () => this.#take(this.file.files[0]));
        this.said = el("div", { role: "status", class: "said" });
        this.zone = el("div", { class: "drop" }, el("label", { for: "matrix-file" }, "Drop a matrix file here, or select one:"), this.file);
        fill(root, el("summary", {}, "Upload a matrix"),
            el("p", { class: "hint" }, "A square matrix as Matrix Market, Harwell-Boeing or Rutherford-Boeing file, plain or gzip. After the upload the daemon computes orderings and the structure of the factors."),
            el("div", { class: "inline-form" },
                tokenField("matrix-token", "Scope write, or admin to delete; created by forerund token create. Kept until this tab is closed.").root,
                field("matrix-name", { label: "Name", control: this.name, hint: "Letters, digits, - _ and ." }).root),
            this.zone, this.said);
        for (const type of ["dragenter", "dragover", "dragleave", "drop"]) {
            this.zone.addEventListener(type, (event) => {
                event.preventDefault();
                event.stopPropagation(); /* elsewhere on the page a dropped file is a saved run */
                this.zone.classList.toggle("over", /enter|over/.test(type));
                if (type === "drop") this.#take(event.dataTransfer.files[0]);
            });
        }
    }

    async #take(file) {
        this.file.value = "";
        if (!file || this.#sending) return;
        const name = this.name.value.trim() || nameOf(file.name);
        const bar = el("progress", { max: "1", "aria-label": `Sending ${file.name}` });
        const text = el("span", {}, `Compressing ${file.name} …`);
        const stop = el("button", { type: "button", class: "quiet", on: { click: () => this.#sending?.abort() } }, "Stop");
        fill(this.said, el("p", { class: "waiting" }, text, " ", bar, " ", stop));
        this.#sending = new XMLHttpRequest();
        let stored;
        try {
            const { status, body } = await send(this.#sending, await packed(file), name, (sent, total) => {
                bar.value = sent / total;
                text.textContent = sent < total ? `Sending ${file.name}: ${quantity("bytes", sent, 3)} of ${quantity("bytes", total, 3)}` : `${file.name} is sent; the daemon is reading it …`;
            });
            this.name.value = "";
            fill(this.said, el("p", { class: "done" }, el("strong", {}, `${file.name}: `), status === 202 ? `stored as ${body.name}; its analysis has begun.` : `was already stored as ${body.name}.`), readView(file.name, body.read));
            stored = body.name;
        } catch (error) {
            const words = tokenRefusal(error, token.value);
            if (words) fill(this.said, said(file.name, `not stored: ${words}`), againButton([file], () => this.#take(file)));
            else fill(this.said, refusalView(file.name, error));
        } finally {
            this.#sending = null;
        }
        if (stored) await this.uploaded(stored);
    }
}

/* memplus.mtx.gz -> memplus; characters that a name may not have are replaced. */
const nameOf = (file) => file.replace(/\.gz$/i, "").replace(/\.(mtx|mm|rua|rsa|rb|hb|pua|psa|cua|csa)$/i, "").replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "") || "matrix";

async function packed(file) {
    const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
    const isPacked = head[0] === 0x1f && head[1] === 0x8b;
    if (isPacked || file.size < WORTH_PACKING || typeof CompressionStream === "undefined") return file;
    return new Response(file.stream().pipeThrough(new CompressionStream("gzip"))).blob();
}

class Stopped extends Error {}

/* XMLHttpRequest, because fetch does not report upload progress. */
function send(request, body, name, progress) {
    return new Promise((resolve, reject) => {
        request.open("POST", address("matrices", { name }));
        request.responseType = "json";
        request.setRequestHeader("Content-Type", "application/octet-stream");
        request.setRequestHeader("Accept", "application/json");
        if (token.value) request.setRequestHeader("Authorization", `Bearer ${token.value}`);
        request.upload.addEventListener("progress", ({ loaded, total }) => progress(loaded, total));
        request.addEventListener("load", () => {
            if (request.status >= 200 && request.status < 300 && request.response) resolve({ status: request.status, body: request.response });
            else reject(new Problem(request.status, request.response));
        });
        request.addEventListener("error", () => reject(new Unreachable("The daemon cannot be reached, or it closed the connection.")));
        request.addEventListener("abort", () => reject(new Stopped("stopped.")));
        request.send(body);
    });
}

function refusalView(name, error) {
    if (!(error instanceof Problem)) return said(name, error instanceof Stopped ? "stopped; nothing was stored." : `not sent. ${error.message}`);
    if (!error.errors.length) return said(name, `not stored. ${error.message}`);
    return said(name, "not stored.", el("ul", {}, error.errors.map(({ pointer, parameter, message }) => {
        const line = /^\/line\/(\d+)$/.exec(pointer ?? "")?.[1];
        return el("li", {}, line && !message.startsWith("line ") ? [el("strong", {}, `line ${line}`), ": "] : parameter && [el("code", {}, parameter), ": "], message);
    })));
}
