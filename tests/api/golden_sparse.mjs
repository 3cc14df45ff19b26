// The golden file of sparse LU: its machines as calibration documents, its switches as parameters.
import { readFileSync } from "node:fs";

export const golden = JSON.parse(readFileSync(new URL("../validation/golden/sparse-lu.json", import.meta.url), "utf8"));

/** Cycles become seconds, doubles become bytes. */
export function document(name, machine = "golden") {
    const of = golden.params[name], seconds = (cycles) => cycles / of.clock_hz;
    return {
        schema: "forerun-calibration-1", machine,
        network: { message_bandwidth: {
            latency_s: of.net.alpha_s, kind: of.net.add_latency ? "asymptotic" : "effective",
            points: of.net.bandwidth.map(([message_bytes, bandwidth_bytes_per_s]) => ({ message_bytes, bandwidth_bytes_per_s })),
        } },
        memory: {
            index_bytes: of.index_bytes, memory_latency_s: seconds(of.mem_latency_cycles),
            caches: of.caches.map((level, i) => ({
                name: `L${i + 1}`, capacity_bytes: 8 * level.capacity_doubles, line_bytes: 8 * level.line_doubles,
                policy: level.policy, latency_s: seconds(level.latency_cycles),
            })),
        },
        sparse: {
            flop_time_s: seconds(of.gamma_cycles), dgemm_block: { m: of.dgemm.MB, n: of.dgemm.NB, k: of.dgemm.KB },
            dgemm_unroll: { m: of.dgemm.Ea, n: of.dgemm.Eb }, dger_unroll: of.dger.Ey, dtrsv_unroll: of.dtrsv.EL,
        },
        sources: { "": "published: golden cases of sparse LU" },
    };
}

export function switches(name) {
    const of = golden.params[name];
    return {
        overlap: of.overlap, dest_lines: of.dest_lines, dgemm_counts: of.dgemm.counts, dtrsv_loads_linear: of.dtrsv.loads_linear,
        count_scatter: of.count_scatter, messages_per_panel: of.messages_per_panel,
    };
}

/** One request of a batch. */
export const question = (structure, params, process_rows, process_columns, more = {}) => ({
    model: "sparse_lu", calibration: document(params), structure: golden.structures[structure],
    parameters: { process_rows, process_columns, ...switches(params), ...more },
});
