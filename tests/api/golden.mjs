// Golden cases as requests: those of the models whose files have whole calibrations.
import { readFileSync } from "node:fs";

/** Each file, and its model if it is about one. */
export const FILES = [["dense-distributed"], ["cnc", "cnc_matmul"], ["krylov"], ["dense-refined"], ["krylov-refined"], ["krylov-problem"], ["multigrid"], ["block-cyclic"]];

const folder = new URL("../validation/golden/", import.meta.url);
const read = (path) => JSON.parse(readFileSync(new URL(path, folder), "utf8"));

/** The cases of a file in one form: id, request, expect. `model` is of files about one model. */
export function casesOf(name, model) {
    const golden = read(name);
    const calibration = (key) => {
        const named = golden.calibrations[key];
        const document = typeof named === "string" ? read(named) : named;
        return { schema: "forerun-calibration-1", machine: "golden", ...document };
    };
    return golden.cases.filter((each) => (each.problem || each.parameters) && !each.runs).map((each) => {
        const { model: own, ...parameters } = each.problem ?? each.parameters;
        if (each.facts) delete parameters.matrix; // the facts are the matrix
        const request = {
            model: own ?? each.model ?? model,
            parameters,
            calibration: calibration(each.calibration ?? each.machine),
            ...(each.run && { run: each.run }),
            ...(each.facts && { facts: each.facts }),
        };
        return { id: each.id, request, expect: each.expect };
    });
}
