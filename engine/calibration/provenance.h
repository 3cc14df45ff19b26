/* Provenance: the source of each calibrated value, and the values that a prediction uses. */
#ifndef FR_CALIBRATION_PROVENANCE_H
#define FR_CALIBRATION_PROVENANCE_H

#include "engine/core/param.h"

#include <stdbool.h>
#include <stdint.h>

/* A set of enum fr_use bits. */
__extension__ typedef unsigned __int128 fr_uses;

struct fr_arena;
struct fr_calibration;
struct fr_faults;

/* What is known of where a value comes from, the surest first. */
#define FR_PROVENANCES(X)             \
    X(FR_FROM_MEASURED, "measured")   \
    X(FR_FROM_PUBLISHED, "published") \
    X(FR_FROM_STATED, "stated")       \
    X(FR_FROM_ASSUMED, "assumed")     \
    X(FR_FROM_UNSTATED, "unstated")
enum fr_provenance { FR_PROVENANCES(FR_CHOICE_VALUE) };
extern const char *const fr_provenances[]; /* names, NULL-ended */

/* The source of a value and of everything below it in the document. */
struct fr_source {
    const char *pointer;     /* JSON pointer; covers the subtree */
    int kind;                /* enum fr_provenance */
    const char *text;        /* how it was measured, which publication, or why it is assumed */
    int64_t samples;         /* 0: not stated */
    double spread_fraction;  /* interquartile range, relative to the median; NaN: not stated */
    const char *statistic;   /* of the samples, which the value is; this and the next: or NULL */
    const char *measured_on; /* YYYY-MM-DD */
    const char *load;        /* what disturbed the measurement */
    const char *words;       /* the source as it is in the document, if it is a text there */
    fr_uses uses;            /* the parts it covers: a set of enum fr_use bits */
};

/* Parts of the document whose use is recorded, so that warnings can name an assumed value.
 * X(name, JSON pointer) */
#define FR_USES(X)                                            \
    X(NODE_CORES, "/node/cores_per_node")                     \
    X(NODE_PEAK, "/node/peak_flops_per_s")                    \
    X(NODE_MEMORY, "/node/memory_bytes")                      \
    X(NODE_PEAK_SINGLE, "/node/peak_single_flops_per_s")      \
    X(PROTOCOLS, "/network/protocols")                        \
    X(CONTENTION_AVERAGE, "/contention/average")              \
    X(CONTENTION_MAXIMUM, "/contention/maximum")              \
    X(DGEMM, "/kernels/dgemm/square")                         \
    X(DTRSM, "/kernels/dtrsm/square")                         \
    X(DSYRK, "/kernels/dsyrk/square")                         \
    X(DPOTRF, "/kernels/dpotrf/square")                       \
    X(SINGLE, "/kernels/by_precision/single")                 \
    X(COMPLEX, "/kernels/by_precision/complex")               \
    X(DOUBLE_COMPLEX, "/kernels/by_precision/double_complex") \
    X(NODE_BANDWIDTH, "/network/node_bandwidth_bytes_per_s")  \
    X(BUSY_NODE, "/network/busy_node")                        \
    X(STALL_TIME, "/network/stall_time_s")                    \
    X(TOPOLOGY, "/network/topology")                          \
    X(MEMORY_BANDWIDTH, "/memory/node_bandwidth_bytes_per_s") \
    X(CORE_BANDWIDTH, "/memory/core_bandwidth_bytes_per_s")   \
    X(INDEX_BYTES, "/memory/index_bytes")                     \
    X(SPARSE_MATVEC, "/kernels/sparse_matvec")                \
    X(SPARSE_SOLVE, "/kernels/sparse_triangular_solve")       \
    X(VECTOR, "/kernels/vector")                              \
    X(ROUTINE_MODELS, "/kernels/routine_models")              \
    X(CACHE_WEIGHT, "/kernels/out_of_cache_weight")           \
    X(REUSE, "/kernels/reuse")                                \
    X(CNC_INTRA, "/cnc/intra_node_bandwidth_bytes_per_s")     \
    X(CNC_INTER, "/cnc/inter_node_bandwidth_bytes_per_s")     \
    X(CNC_STEP, "/cnc/step_kernel")                           \
    X(CNC_PEAK, "/cnc/peak_flops_per_core_per_s")             \
    X(CNC_OVERHEAD, "/cnc/volume_overhead")                   \
    X(MESSAGE_BANDWIDTH, "/network/message_bandwidth")        \
    X(CACHES, "/memory/caches")                               \
    X(MEMORY_LATENCY, "/memory/memory_latency_s")             \
    X(TLB_MISS_LATENCY, "/memory/memory_latency_tlb_miss_s")  \
    X(FLOP_TIME, "/sparse/flop_time_s")                       \
    X(DGEMM_BLOCK, "/sparse/dgemm_block")                     \
    X(DGEMM_UNROLL, "/sparse/dgemm_unroll")                   \
    X(DGER_UNROLL, "/sparse/dger_unroll")                     \
    X(DTRSV_UNROLL, "/sparse/dtrsv_unroll")                   \
    X(SPARSE_FIT, "/sparse/fit")                              \
    X(DGEMM_RATES, "/kernels/dgemm/rates")                    \
    X(DTRSM_RATES, "/kernels/dtrsm/rates")                    \
    X(DGER_RATES, "/kernels/dger/rates")                      \
    X(DTRSV_RATES, "/kernels/dtrsv/rates")                    \
    X(BROADCAST, "/network/broadcast")                        \
    X(CONTENTION_BYTES, "/contention/message_bytes")          \
    X(PATTERNS, "/contention/patterns")                       \
    X(EXCHANGE, "/contention/exchange")                       \
    X(BURST, "/contention/burst")                             \
    X(STREAMS, "/memory/streams")                             \
    X(CALL_TIME, "/memory/call_s")                            \
    X(LINE_BYTES, "/memory/line_bytes")                       \
    X(ROW_ELEMENT, "/memory/row_element_s")                   \
    X(LATENCY_BY_DISTANCE, "/network/latency_by_distance")    \
    X(SPARSE_ILU, "/kernels/sparse_ilu_solve")                \
    X(VECTOR_FUSED, "/kernels/vector_fused")                  \
    X(INJECTION, "/network/injection_bandwidth_bytes_per_s")  \
    X(MATVEC_SIZES, "/kernels/sparse_matvec/by_size")         \
    X(SPARSE_WINDOW_FIT, "/sparse/window_fit")                \
    X(SPARSE_SOLVE_FIT, "/sparse/solve_fit")                  \
    X(FOLD, "/contention/fold")                               \
    X(VARIABILITY, "/kernels/variability")                    \
    X(CALLS, "/kernels/calls")                                \
    X(ROW_SWAPS, "/memory/row_swaps")                         \
    X(BLACS_MESSAGE, "/network/blacs_message_s")
enum fr_use_index {
#define X(name, pointer) FR_USE_INDEX_##name,
    FR_USES(X)
#undef X
        FR_USE_COUNT
};
enum { FR_NO_USE };
_Static_assert(FR_USE_COUNT <= 8 * sizeof(fr_uses), "more parts than bits of a set");
#define FR_USE_OF(index) ((fr_uses)1 << (index))
#define FR_USE(name) FR_USE_OF(FR_USE_INDEX_##name)
extern const char *const fr_use_pointers[FR_USE_COUNT];

/* Reads a source that is a text, as documents had them before records: "measured: HOW (210 samples,
 * spread 1.9 %, STATISTIC); on DAY; loaded: WHAT".  FR_OK, or FR_NOMEM. */
int fr_source_read(const char *text, struct fr_arena *arena, struct fr_source *out);
/* Whether a text is a day, YYYY-MM-DD. */
bool fr_day_is_valid(const char *text);
/* Days from one time of RFC 3339 to another, or from a day (YYYY-MM-DD); NaN if it is no time. */
double fr_days_between(const char *from, const char *to);

/* Indexes the sources by pointer; part of fr_calibration_prepare. */
void fr_sources_prepare(struct fr_calibration *cal, struct fr_arena *arena,
                        struct fr_faults *faults);
/* The widest interquartile spread, relative to the median, of the measurements behind these values.
 * NaN if a source states no spread; counts are exact. */
double fr_calibration_spread(const struct fr_calibration *cal, fr_uses used);
/* The most specific source of the value at this JSON pointer, or NULL. */
struct fr_source *fr_source_of(const struct fr_calibration *cal, const char *pointer);
/* Whether values below this JSON pointer differ in their uses or their source. */
bool fr_calibration_has_notes_below(const struct fr_calibration *cal, const char *pointer);
/* Records that the document has a value at this JSON pointer, or values that do not differ below
 * it. */
void fr_calibration_note_value(struct fr_calibration *cal, const char *pointer);

#endif
