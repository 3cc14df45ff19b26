/* Fields for the token, which all have the same. */
import { Problem } from "../core/api.js";
import { el } from "../core/dom.js";
import { token } from "../core/token.js";
import { field, input } from "./fields.js";

export function tokenField(id, hint) {
    const control = input(token.value, { type: "password", inputmode: "text", autocomplete: "off", class: "token" });
    control.addEventListener("input", () => {
        token.value = control.value;
        for (const other of document.querySelectorAll("input.token")) if (other !== control) other.value = control.value;
    });
    return field(id, { label: "Token", hint, control });
}

/** Why the daemon does not take this token; null if the error is another one. */
export function tokenRefusal(error, value) {
    if (!(error instanceof Problem) || ![401, 403].includes(error.status)) return null;
    return value ? error.message : "a valid token is needed: enter it above. forerund token create makes one.";
}

/** A button that sends files again, with the token that the field then has. */
export const againButton = (files, send) =>
    el("button", { type: "button", class: "quiet", on: { click: () => send(files) } }, files.length > 1 ? `Send ${files.length} files again` : "Send again");

/** Asks for the token where reading needs it; go(): what comes then. */
export const readingView = (go) => [tokenField("reading-token", "This daemon asks for a token to read. It is kept while this tab is open.").root,
    el("button", { type: "button", on: { click: go } }, "Go on")];
