/* Which benchmark measures which part of a calibration. */
#include "engine/calibration/benchmark.h"

#include <stddef.h>

const struct fr_benchmark fr_benchmarks[] = {
    { "node", FR_USE(NODE_CORES) | FR_USE(NODE_MEMORY), false, NULL },
    { "peak", FR_USE(NODE_PEAK), false, NULL },
    { "caches", FR_USE(CACHES) | FR_USE(MEMORY_LATENCY) | FR_USE(TLB_MISS_LATENCY), false, NULL },
    { "memory_bandwidth", FR_USE(MEMORY_BANDWIDTH) | FR_USE(CORE_BANDWIDTH), false, NULL },
    { "streams", FR_USE(STREAMS) | FR_USE(CALL_TIME) | FR_USE(LINE_BYTES), false, NULL },
    { "row_swaps", FR_USE(ROW_SWAPS), false, NULL },
    { "counting",
      FR_USE(FLOP_TIME) | FR_USE(DGEMM_BLOCK) | FR_USE(DGEMM_UNROLL) | FR_USE(DGER_UNROLL) |
          FR_USE(DTRSV_UNROLL) | FR_USE(INDEX_BYTES),
      false, NULL },
    { "dgemm", FR_USE(DGEMM), false, NULL },
    { "dtrsm", FR_USE(DTRSM), false, NULL },
    { "dsyrk", FR_USE(DSYRK), false, NULL },
    { "dpotrf", FR_USE(DPOTRF), false, NULL },
    { "precisions", FR_USE(SINGLE) | FR_USE(COMPLEX) | FR_USE(DOUBLE_COMPLEX), false, NULL },
    { "krylov_kernels",
      FR_USE(SPARSE_MATVEC) | FR_USE(SPARSE_SOLVE) | FR_USE(VECTOR) | FR_USE(SPARSE_ILU) |
          FR_USE(VECTOR_FUSED) | FR_USE(MATVEC_SIZES),
      false, NULL },
    { "step_kernel", FR_USE(CNC_STEP) | FR_USE(CNC_PEAK), false, NULL },
    { "cnc_intra_node", FR_USE(CNC_INTRA), false, NULL },
    { "routine_models", FR_USE(ROUTINE_MODELS) | FR_USE(CACHE_WEIGHT) | FR_USE(REUSE), false,
      NULL },
    { "calls", FR_USE(CALLS), false, NULL },
    { "variability", FR_USE(VARIABILITY), false, NULL },
    { "sparse_kernels",
      FR_USE(DGEMM_RATES) | FR_USE(DTRSM_RATES) | FR_USE(DGER_RATES) | FR_USE(DTRSV_RATES), false,
      NULL },
    { "sparse_fit", FR_USE(SPARSE_FIT) | FR_USE(SPARSE_WINDOW_FIT) | FR_USE(SPARSE_SOLVE_FIT),
      false, NULL },
    { "pingpong", FR_USE(PROTOCOLS), true, NULL },
    { "message_bandwidth", FR_USE(MESSAGE_BANDWIDTH), true, NULL },
    { "cnc_inter_node", FR_USE(CNC_INTER), true, NULL },
    { "contention",
      FR_USE(CONTENTION_AVERAGE) | FR_USE(CONTENTION_MAXIMUM) | FR_USE(CONTENTION_BYTES), true,
      NULL },
    { "node_bandwidth", FR_USE(NODE_BANDWIDTH) | FR_USE(BUSY_NODE), true, NULL },
    { "injection", FR_USE(INJECTION), true, NULL },
    { "hops", FR_USE(TOPOLOGY), true, "--topology=T" },
    { "distances", FR_USE(LATENCY_BY_DISTANCE), true, NULL },
    { "broadcast", FR_USE(BROADCAST), true, NULL },
    { "blacs", FR_USE(BLACS_MESSAGE), true, NULL },
    { "patterns", FR_USE(PATTERNS), true, NULL },
    { "exchange", FR_USE(EXCHANGE) | FR_USE(FOLD), true, NULL },
    { "burst", FR_USE(BURST), true, NULL },
    { NULL, 0, false, NULL },
};

const struct fr_benchmark *fr_benchmark_of(fr_uses part)
{
    for (const struct fr_benchmark *benchmark = fr_benchmarks; benchmark->name; benchmark++)
        if (benchmark->measures & part)
            return benchmark;
    return NULL;
}
