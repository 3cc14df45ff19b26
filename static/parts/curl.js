/* Requests as commands of curl for a shell. */
import { token } from "../core/token.js";

const FILES = ["svg", "png", "pdf", "gp", "dat"]; /* formats that are no text to look at */

/** Quoted for the shell. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * The command.  format: of the answer, "csv"; method: in lower case; body: { type, text }, the text null where it is a file;
 * needsToken: whether the route asks for one, which reading may do too.
 */
export function curlOf({ url, format, method = "get", body = null, needsToken = false }) {
    const named = new URL(url).pathname.split("/").at(-1).replace(new RegExp(`\\.${format}$`), "");
    return ["curl -fsS",
        ["put", "delete"].includes(method) && `-X ${method.toUpperCase()}`,
        (needsToken || token.isForReading) && '-H "Authorization: Bearer $TOKEN"',
        body && `-H ${quoted(`Content-Type: ${body.type}`)} --data-binary ${body.text === null ? "@FILE" : quoted(body.text)}`,
        FILES.includes(format) && `-o ${named}.${format}`,
        quoted(url)].filter(Boolean).join(" ");
}
