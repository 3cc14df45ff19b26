/* Charts that the daemon draws, in the theme of the page; when that changes, they change with it. */
import { blob } from "../core/api.js";
import { el, whenSeen } from "../core/dom.js";

const dark = window.matchMedia("(prefers-color-scheme: dark)");
const asked = new WeakMap(); /* of Blobs and images: { path, query } */

/**
 * The size of a chart, which is `wide` where there is room.  On a phone its letters have the size of the
 * page's; only a map is drawn larger and shown smaller, because its cells need room for their values.
 */
export function sizeOf(wide, { isMap = false } = {}) {
    if (!window.matchMedia("(max-width: 40rem)").matches) return wide;
    return isMap ? { width: "480", height: "400" } : { width: "360", height: "420" };
}

/** The query of a chart in the theme of the page. */
export const themed = (query) => (dark.matches ? { ...query, theme: "dark" } : query);

/** A chart as a Blob.  An <img> cannot show why there is none, and would not request it again. */
export async function picture(path, query, signal) {
    const chart = await blob(path, themed(query), signal);
    asked.set(chart, { path, query });
    return chart;
}

/** An image element for a picture. */
export function imageOf(chart, attributes) {
    const image = remembered(el("img", attributes), asked.get(chart));
    show(image, chart);
    return image;
}

/** An image element that requests its chart when it is about to be seen; refused(error): there is none. */
export function lazyImage(path, query, attributes, refused) {
    const image = remembered(el("img", attributes), { path, query });
    whenSeen(() => draw(image).catch(refused), "25%").observe(image);
    return image;
}

function remembered(image, question) {
    asked.set(image, question);
    return image;
}

function show(image, chart) {
    const src = URL.createObjectURL(chart);
    image.addEventListener("load", () => URL.revokeObjectURL(src), { once: true });
    image.src = src;
}

async function draw(image) {
    const { path, query } = asked.get(image);
    show(image, await blob(path, themed(query)));
}

/* Where the daemon does not answer, a picture stays as it is. */
dark.addEventListener("change", () => {
    for (const image of document.querySelectorAll(".paper img[src]")) draw(image).catch(() => {});
});
