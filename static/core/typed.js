/* Numbers as people write them, as the API takes them: 65,536, 64k and 2^16 are 65536. */

const BINARY = { k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 };
const BYTES = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9, tb: 1e12, kib: 2 ** 10, mib: 2 ** 20, gib: 2 ** 30, tib: 2 ** 40 };
const SECONDS = { s: 1, sec: 1, min: 60, m: 60, h: 3600, d: 86400, ms: 1e-3, µs: 1e-6, us: 1e-6 };
const NUMBER = String.raw`\d+(?:\.\d+)?`;

/** The value of `text` for a parameter of this descriptor; the text itself where it needs no translation. */
export function meant(p, text) {
    const given = text.trim();
    if (p.type === "vector") return given.replace(/\s*[x×*,]\s*/g, "x");
    if (p.type !== "integer" && p.type !== "number") return given;
    const value = (p.unit === "s" ? seconds(given) : null) ?? (/_fraction$/.test(p.name) ? percent(given) : null) ??
        (p.unit === "bytes" ? bytes(given) : null) ?? grouped(given) ?? power(given) ?? (p.type === "integer" ? multiple(given) : null);
    return value === null || !Number.isFinite(value) || (p.type === "integer" && !Number.isSafeInteger(value)) ? given : String(value);
}

const matched = (pattern, text) => new RegExp(`^(?:${pattern})$`, "i").exec(text);

/** The list of the API for values as people write them: "1k, 4k", "64 256 1024", "1k..64k..*2". */
export function meantList(p, text) {
    const joined = text.trim().replaceAll("…", "..").replace(/\s*\.\.\s*/g, ".."), plain = p.type === "vector" ? joined.replace(/\s*[x×]\s*/g, "x") : joined;
    const items = plain.split(/\s*[,;]\s*|\s+/).filter(Boolean);
    return items.map((item) => item.split("..").map((part) => (part.startsWith("*") ? part : meant(p, part))).join("..")).join(",");
}

/* 65,536 or 65 536; a comma that does not group thousands is left to be refused. */
function grouped(text) {
    return matched(String.raw`\d{1,3}(?:[,'_\s]\d{3})+(?:\.\d+)?`, text) && Number(text.replace(/[,'_\s]/g, ""));
}

/* 2^16, 2**16 */
function power(text) {
    const [, base, exponent] = matched(String.raw`(\d+)\s*(?:\^|\*\*)\s*(\d+)`, text) ?? [];
    return base === undefined ? null : Number(base) ** Number(exponent);
}

/* 64k is 65536, as orders of matrices and counts of processes are written. */
function multiple(text) {
    const [, count, unit] = matched(`(${NUMBER})\\s*([kmg])i?`, text) ?? [];
    return unit ? Number(count) * BINARY[unit.toLowerCase()] : null;
}

function bytes(text) {
    const [, count, unit] = matched(`(${NUMBER})\\s*(${Object.keys(BYTES).join("|")})`, text) ?? [];
    return unit ? Number(count) * BYTES[unit.toLowerCase()] : multiple(text);
}

function percent(text) {
    const [, count] = matched(`(${NUMBER})\\s*%`, text) ?? [];
    return count === undefined ? null : Number((Number(count) / 100).toPrecision(15));
}

/* 00:10:00, 1-00:00:00, 10 min, 1 h 30 min */
function seconds(text) {
    const [, days = 0, hours, minutes, rest = 0] = matched(String.raw`(?:(\d+)-)?(\d+):(\d\d)(?::(\d\d))?`, text) ?? [];
    /* As Slurm reads them: without days, two numbers are minutes and seconds. */
    if (hours !== undefined) return /^\d+:\d\d$/.test(text) ? 60 * hours + Number(minutes) : 86400 * days + 3600 * hours + 60 * minutes + Number(rest);
    const part = `(${NUMBER})\\s*(${Object.keys(SECONDS).sort((a, b) => b.length - a.length).join("|")})`;
    if (!matched(`(?:${part}\\s*)+`, text)) return null;
    return [...text.matchAll(new RegExp(part, "gi"))].reduce((total, [, count, unit]) => total + Number(count) * SECONDS[unit.toLowerCase()], 0);
}
