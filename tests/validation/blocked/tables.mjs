// Formats the tables of compare.mjs and seed.mjs.
export const median = (values) => {
    const sorted = [...values].sort((a, b) => a - b), middle = (sorted.length - 1) / 2;
    return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2;
};
export const percent = (fraction) => `${(100 * fraction).toFixed(1)} %`;

export function print(title, head, lines) {
    const table = [head, ...lines].map((line) => line.map(String));
    const widths = head.map((_, column) => Math.max(...table.map((line) => line[column].length)));
    console.log(`\n${title}`);
    for (const line of table) console.log(line.map((text, column) => text.padStart(widths[column])).join("  "));
}

/** The answer, where its status is one of those; else an exception with its text. */
export function expect(answer, what, ...statuses) {
    if (statuses.includes(answer.status)) return answer;
    throw new Error(`${what}: ${answer.status}\n${answer.text.slice(0, 2000)}`);
}
