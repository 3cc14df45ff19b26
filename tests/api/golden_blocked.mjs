// The golden file of the blocked algorithms, and a calibration document made of its routine models.
import { readFileSync } from "node:fs";

export const golden = JSON.parse(readFileSync(new URL("../validation/golden/blocked.json", import.meta.url), "utf8"));

const flagNames = { dgemm: ["transA", "transB"], dtrsm: ["side", "uplo", "trans", "diag"], dtrmm: ["side", "uplo", "trans", "diag"] };

/** The golden file joins the flags and states neither range nor locality. */
const routineModel = ({ routine, flags, params, basis, regions }, locality, slower) => ({
    kind: "routine_model", routine, parameters: params, unit: "s", locality, threads: 1, basis,
    flags: Object.fromEntries([...flags].map((letter, i) => [flagNames[routine][i], letter])),
    range: regions.map(({ min, max }) => ({ min, max })),
    regions: regions.map((region) => ({
        ...region, coef: Object.fromEntries(Object.entries(region.coef).map(([name, list]) => [name, list.map((c) => slower * c)])),
    })),
});

/** In the cache as the file says; out of it everything takes twice as long. */
export const document = (machine) => ({
    schema: "forerun-calibration-1", machine,
    node: { cores_per_node: 4, peak_flops_per_s: 4e11 },
    kernels: {
        routine_models: [...golden.models.map((m) => routineModel(m, "in_cache", 1)), ...golden.models.map((m) => routineModel(m, "out_of_cache", 2))],
        out_of_cache_weight: 0.25,
    },
    sources: { "": "published: golden cases of the blocked algorithms" },
});
