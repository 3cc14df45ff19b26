// One line of the runs: the record of forerun-analyze --factorize with the matrix file and the
// number of processes.
//
//     node join.mjs FILE PROCESSES RECORD
import { readFileSync } from "node:fs";

const [file, processes, name] = process.argv.slice(2);
const records = readFileSync(name, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const record = records.find((one) => one.record === "factorization");
if (!record) throw new Error(`${name}: no factorization among ${records.length} records`);
console.log(JSON.stringify({ file, processes: Number(processes), ...record }));
