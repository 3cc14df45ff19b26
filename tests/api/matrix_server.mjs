// What tests of matrices share: small matrices, and a daemon with a program in place of forerun-analyze.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { program, root, startDaemon, until } from "../daemon.mjs";
import { client } from "./client.mjs";

export { until };

export const fake = resolve(root, "tests/fake-analyze.sh");
export const real = join(dirname(program), "forerun-analyze");
const ENTRIES = ["1 1 4", "2 2 4", "3 3 4", "4 4 4", "5 5 4", "2 1 -1", "1 2 -1", "5 4 -1", "4 5 -1"];

let serial = 0;
/** A matrix of order 5 unlike all others; the fake program does what `act` says. */
export const small = (act = "") => `%%MatrixMarket matrix coordinate real general\n${act && `%fake ${act}\n`}% number ${++serial}\n5 5 9\n${ENTRIES.join("\n")}\n`;
export const idOf = (text) => createHash("sha256").update(text).digest("hex").slice(0, 16);

/** The five-point operator on side x side points. */
export function grid(side) {
    const n = side * side, lines = [];
    for (let i = 0; i < n; i++) {
        lines.push(`${i + 1} ${i + 1} 4`);
        if (i % side) lines.push(`${i + 1} ${i} -1`);
        if (i >= side) lines.push(`${i + 1} ${i + 1 - side} -1`);
    }
    return `%%MatrixMarket matrix coordinate real symmetric\n${n} ${n} ${lines.length}\n${lines.join("\n")}\n`;
}

/** The 7-point operator on side^3 points. */
export function grid7(side) {
    const at = (x, y, z) => (z * side + y) * side + x + 1, entries = [];
    const around = [[0, 0, 0], [1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]];
    const isInside = (...place) => place.every((i) => i >= 0 && i < side);
    for (let z = 0; z < side; z++)
        for (let y = 0; y < side; y++)
            for (let x = 0; x < side; x++)
                for (const [dx, dy, dz] of around)
                    if (isInside(x + dx, y + dy, z + dz)) entries.push(`${at(x, y, z)} ${at(x + dx, y + dy, z + dz)} ${dx || dy || dz ? -1 : 6}`);
    return `%%MatrixMarket matrix coordinate real general\n${side ** 3} ${side ** 3} ${entries.length}\n${entries.join("\n")}\n`;
}

/** Waits for the end of an analysis; returns the matrix. */
export const analyzed = (api, matrix) => until(`${matrix} is analyzed`, async () => {
    const { json } = await api.get(`/api/v1/matrices/${matrix}`);
    return ["ready", "failed"].includes(json.status) && json;
});

/** Uploads a matrix and waits until it is ready; returns it. */
export async function readyMatrix(api, token, query, body) {
    const stored = await api.post(`/api/v1/matrices?${query}`, Buffer.from(body), { token, headers: { "Content-Type": "application/octet-stream" } });
    assert.equal(stored.status, 202, stored.text.slice(0, 300));
    const matrix = await analyzed(api, stored.json.id);
    assert.equal(matrix.status, "ready", JSON.stringify(matrix));
    return matrix;
}

/** Starts a daemon, by startDaemon() or `start`, with the fake program and returns it with what tests need. */
export async function serve({ args = [], start = startDaemon, ...options } = {}) {
    const daemon = await start({ calibrations: null, args: ["--analyze-program", fake, ...args], ...options });
    const api = client(daemon.url);
    const token = await daemon.token("write", `write-${++serial}`);
    return {
        daemon, api, token,
        upload: (body, query = "", headers = {}) => api.post(`/api/v1/matrices${query}`, Buffer.from(body),
            { token, headers: { "Content-Type": "application/octet-stream", ...headers } }),
        ended: (matrix) => analyzed(api, matrix),
    };
}
