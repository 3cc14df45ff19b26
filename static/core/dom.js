/* Builds elements.  Texts become text nodes, so that nothing in an answer is taken for markup. */

/** el("p", { class: "note", on: { click } }, "text", child, null, [more]) */
export function el(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
        if (value === undefined || value === null || value === false) continue;
        if (name === "on") {
            for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener);
        } else if (name === "checked" || name === "value") {
            element[name] = value;
        } else {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    append(element, children);
    return element;
}

/** Adds what el() takes as children. */
export function append(element, children) {
    for (const child of children.flat(Infinity)) {
        if (child !== null && child !== undefined && child !== false) element.append(child);
    }
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
    element.replaceChildren();
    append(element, children);
}

export const byId = (id) => document.getElementById(id);

/** A text for screen readers only. */
export const unseen = (text) => el("span", { class: "unseen" }, text);

/** Returns a function that calls `act` when it has not been called again for `wait_ms`. */
export function debounced(act, wait_ms) {
    let timer = 0;
    return (...args) => {
        clearTimeout(timer);
        timer = setTimeout(act, wait_ms, ...args);
    };
}

/** Copies a text, also on pages without TLS, which have no clipboard API. */
async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        const area = el("textarea", { class: "unseen", value: text, "aria-hidden": "true" });
        const before = document.activeElement;
        document.body.append(area);
        area.select();
        const done = document.execCommand("copy");
        area.remove();
        before?.focus();
        return done;
    }
}

/** A button that copies the result of `text()` and confirms it. */
export function copyButton(label, text) {
    const button = el("button", { type: "button", class: "quiet" }, label);
    const said = el("span", { class: "unseen", role: "status" });
    button.addEventListener("click", async () => {
        const done = await copy(text());
        said.textContent = done ? "Copied" : "Could not copy";
        button.textContent = done ? "Copied" : "Could not copy";
        setTimeout(() => {
            button.textContent = label;
            said.textContent = "";
        }, 1600);
    });
    return [button, said];
}

/** An observer that calls `act` once when an observed element is about to be seen; `margin` is how far ahead. */
export function whenSeen(act, margin) {
    const seen = new IntersectionObserver((entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        seen.disconnect();
        act();
    }, { rootMargin: `${margin} 0px` });
    return seen;
}

/** Waits until the browser has painted; a hidden page is not painted, and waits no longer than that takes. */
export const painted = () => new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, 100);
});
