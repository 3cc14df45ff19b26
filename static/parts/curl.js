/* Requests as commands of curl for a shell. */
import { token } from "../core/token.js";

const FILES = ["svg", "png", "pdf", "gp", "dat"]; /* formats that are no text to look at */

/** Quoted for the shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const quotedIfNeeded = (text) => (/^[\w.-]+$/.test(text) ? text : quoted(text));

/* The file for an answer, in the folder where the command runs: named after the last part of the path that is not open, as {model} is. */
function fileOf(url, format) {
    const parts = new URL(url).pathname.replace(new RegExp(`\\.${format}$`), "").split("/").map(decodeURIComponent);
    return `${parts.findLast((part) => part && !/^\{\w+\}$/.test(part)).replaceAll("/", "-")}.${format}`;
}

/**
 * The command.  format: of the answer, "csv"; method: in lower case; body: { type, text }, the text null where it is a file;
 * needsToken: whether the route asks for one, which reading may do too.
 */
export function curlOf({ url, format, method = "get", body = null, needsToken = false }) {
    return ["curl -fsS",
        ["put", "delete"].includes(method) && `-X ${method.toUpperCase()}`,
        (needsToken || token.isForReading) && '-H "Authorization: Bearer $TOKEN"',
        body && `-H ${quoted(`Content-Type: ${body.type}`)} --data-binary ${body.text === null ? "@FILE" : quoted(body.text)}`,
        FILES.includes(format) && `-o ${quotedIfNeeded(fileOf(url, format))}`,
        quoted(url)].filter(Boolean).join(" ");
}
