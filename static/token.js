/* The token for uploads: kept while the tab is open, never in the address, shared by all forms. */
import { field, input } from "./fields.js";

const KEY = "forerun-token";

export const token = {
    get value() {
        return (sessionStorage.getItem(KEY) ?? "").trim();
    },
};

const controls = [];

/** A field for the token.  All such fields show the same value. */
export function tokenField(id, hint) {
    const control = input(token.value, { type: "password", inputmode: "text", autocomplete: "off" });
    controls.push(control);
    control.addEventListener("input", () => {
        sessionStorage.setItem(KEY, control.value.trim());
        for (const other of controls) if (other !== control) other.value = control.value;
    });
    return field(id, { label: "Token", hint, control });
}
