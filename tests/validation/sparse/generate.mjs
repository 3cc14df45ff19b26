// Generates the matrices of the validation, none of which the calibrator's fit uses, as Matrix Market
// files in FOLDER and prints their names.  Always the same bytes.
//
//     node generate.mjs [--quick] FOLDER
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const arguments_ = process.argv.slice(2);
const isQuick = arguments_.includes("--quick");
const folder = arguments_.find((one) => one !== "--quick");
if (!folder) throw new Error("usage: generate.mjs [--quick] FOLDER");

/** Uniform from 0 to 1: mulberry32. */
function random(seed) {
    let state = seed >>> 0;
    return () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let z = Math.imul(state ^ (state >>> 15), state | 1);
        z ^= z + Math.imul(z ^ (z >>> 7), z | 61);
        return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
    };
}

/** Neighbours within reach on a grid, `dof` unknowns in each point, a share `drop` of them left out.
 *  With `isStar` only those along an axis. */
function grid({ nx, ny, nz, dof = 1, drop = 0, isStar = false, seed }) {
    const draw = random(seed), entries = [], reach = [-1, 0, 1];
    const index = (x, y, z) => (z * ny + y) * nx + x;
    for (let z = 0; z < nz; z++) for (let y = 0; y < ny; y++) for (let x = 0; x < nx; x++)
        for (const c of nz > 1 ? reach : [0]) for (const b of reach) for (const a of reach) {
            if (x + a < 0 || x + a >= nx || y + b < 0 || y + b >= ny || z + c < 0 || z + c >= nz) continue;
            if (isStar && Math.abs(a) + Math.abs(b) + Math.abs(c) > 1) continue;
            const row = index(x, y, z) * dof, column = index(x + a, y + b, z + c) * dof;
            for (let s = 0; s < dof; s++) for (let t = 0; t < dof; t++) {
                const isDiagonal = row + s === column + t;
                if (isDiagonal) entries.push([row + s, column + t, 30 * dof + draw()]);
                else if (draw() >= drop) entries.push([row + s, column + t, draw() - 0.5]);
            }
        }
    return { n: nx * ny * nz * dof, entries };
}

/** Few neighbours each, mostly near, many of them one-sided, and some nodes that many others meet in. */
function circuit({ n, degree = 2, hubs = 5, seed }) {
    const draw = random(seed), found = new Map();
    const put = (row, column, value) => found.set(row * n + column, [row, column, value]);
    for (let i = 0; i < n; i++) {
        put(i, i, 8 + draw());
        for (let k = 0; k < degree; k++) {
            const j = draw() < 0.95 ? (i + 1 + Math.floor(8 * draw())) % n : Math.floor(n * draw());
            if (j === i) continue;
            put(i, j, draw() - 0.5);
            if (draw() < 0.7) put(j, i, draw() - 0.5);
        }
    }
    for (let h = 0; h < hubs; h++) {
        const hub = Math.floor(n * draw());
        for (let k = 0; k < n / 400; k++) {
            const i = Math.floor(n * draw());
            if (i !== hub) put(i, hub, 0.1 * draw());
        }
    }
    return { n, entries: [...found.values()] };
}

/** Dense blocks along the diagonal that touch the next, and a transversal beside the diagonal: no
 *  entry on it, so that rows have to be permuted. */
function blocks({ count, size, seed }) {
    const draw = random(seed), n = count * size, entries = [];
    for (let row = 0; row < n; row++) {
        const first = row - (row % size), strong = first + ((row + 1) % size);
        for (let column = first; column < first + size; column++)
            if (column === strong) entries.push([row, column, size + draw()]);
            else if (column !== row && draw() < 0.4) entries.push([row, column, draw() - 0.5]);
        if (first + size < n) entries.push([row, first + size + Math.floor(size * draw()), draw() - 0.5]);
    }
    return { n, entries };
}

const quick = {
    "star3d-13": () => grid({ nx: 13, ny: 13, nz: 13, isStar: true, seed: 1 }),
    "box2d-45": () => grid({ nx: 45, ny: 45, nz: 1, seed: 2 }),
    "blocks-20": () => blocks({ count: 40, size: 20, seed: 3 }),
};
const all = {
    ...quick,
    "star3d-17": () => grid({ nx: 17, ny: 17, nz: 17, isStar: true, seed: 4 }),
    "star3d-24": () => grid({ nx: 24, ny: 24, nz: 24, isStar: true, seed: 5 }),
    "star3d-flat": () => grid({ nx: 45, ny: 40, nz: 8, isStar: true, seed: 6 }),
    "star2d-150": () => grid({ nx: 150, ny: 130, nz: 1, isStar: true, seed: 7 }),
    "box3d-12": () => grid({ nx: 12, ny: 12, nz: 12, seed: 8 }),
    "box3d-17": () => grid({ nx: 17, ny: 17, nz: 17, seed: 9 }),
    "box2d-100": () => grid({ nx: 100, ny: 100, nz: 1, seed: 10 }),
    "cfd-50": () => grid({ nx: 50, ny: 50, nz: 1, dof: 4, drop: 0.25, seed: 11 }),
    "cfd-30": () => grid({ nx: 30, ny: 35, nz: 1, dof: 5, seed: 12 }),
    "circuit-9000": () => circuit({ n: 9000, seed: 13 }),
    "circuit-20000": () => circuit({ n: 20000, degree: 1, hubs: 20, seed: 14 }),
    "blocks-60": () => blocks({ count: 60, size: 60, seed: 15 }),
};

for (const [name, make] of Object.entries(isQuick ? quick : all)) {
    const file = join(folder, `${name}.mtx`);
    console.log(file);
    if (existsSync(file)) continue;
    const { n, entries } = make();
    entries.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
    writeFileSync(file, `%%MatrixMarket matrix coordinate real general\n% synthetic: ${name}\n${n} ${n} ${entries.length}\n` +
        entries.map(([row, column, value]) => `${row + 1} ${column + 1} ${value}\n`).join(""));
}
