/* The calibration document: what is known of one machine, measured or published at one time.
 *
 * The structs mirror the JSON document (absent numbers are NaN, absent counts 0, absent texts NULL,
 * absent choices -1); engine/fields describes each field once.
 */
#ifndef FR_CALIBRATION_CALIBRATION_H
#define FR_CALIBRATION_CALIBRATION_H

#include "engine/calibration/field.h"
#include "engine/calibration/machine_facts.h"
#include "engine/calibration/precision.h"
#include "engine/calibration/provenance.h"

struct fr_link {
    double latency_s;
    double inverse_bandwidth_s_per_byte;
};
struct fr_protocol {
    const char *name;
    double max_message_bytes; /* null: INFINITY */
    int pipelined;            /* -1 unstated */
    struct fr_link off_node, on_node;
};
enum fr_broadcast_algorithm { FR_BINOMIAL, FR_SCATTER_ALLGATHER, FR_SCATTER_RING };
struct fr_broadcast_choice {
    double max_message_bytes;
    int algorithm; /* enum fr_broadcast_algorithm */
};
/* The latency between nodes that are `distance` nodes apart in the order of the job. */
struct fr_distance_latency {
    int64_t distance;
    double max_message_bytes; /* of the protocol; null: INFINITY */
    double latency_s;         /* mean over pairs */
    double maximum_s;         /* of the slowest pair */
};
/* The same, ready for look-up (engine/lookup/lookup.h). */
struct fr_latency {
    double mean_s;
    double beyond_s; /* by which the slowest pair takes longer; 0 if that is unknown */
};
struct fr_latencies {
    const double *log2_distance; /* ascending */
    const struct fr_latency *of; /* of each distance, by protocol */
    size_t distances, protocols;
};
struct fr_bandwidth_point {
    double message_bytes, bandwidth_bytes_per_s;
};
struct fr_hop_links {
    double chassis, group, global;
};
struct fr_hop_estimates {
    struct fr_hop_links best, average, max;
};

/* Bytes per second of a link of each class, in one direction; those of the topology's type. */
struct fr_link_bandwidths {
    double torus;                  /* between neighboring routers of a torus */
    double chassis, group, global; /* dragonfly; all cables between two ends together */
    double up, down;               /* between a leaf and the upper level of a fat tree */
};

struct fr_topology {
    int type; /* enum fr_topology_type, -1 absent */
    int64_t nodes_per_router;
    struct fr_link_bandwidths link_bandwidth_bytes_per_s;
    /* torus */
    fr_numbers dimensions;
    fr_numbers hop_latency_s; /* one, or one for each dimension; uniform: one */
    /* dragonfly */
    int64_t routers_per_chassis, chassis_per_group;
    struct fr_hop_links class_latency_s, static_class_latency_s;
    struct {
        struct fr_hop_estimates chassis, group, global;
    } hop_classes;
    /* uniform */
    struct {
        double best, average, max;
    } hops;
    int64_t nodes_per_leaf, uplinks_per_leaf; /* of a fat tree of two levels; 0 unstated */
};
enum fr_topology_type { FR_TORUS, FR_DRAGONFLY, FR_UNIFORM };
extern const char *const fr_topology_types[]; /* names, NULL-ended */

/* The time of each process, by rank, when all send to the rank at a distance at once. */
struct fr_process_times {
    int64_t distance;
    fr_numbers times_s;
};
enum { FR_MOST_PROCESS_TIMES = 4096 }; /* in a row */

struct fr_factor {
    int64_t processes; /* 0 unstated */
    int64_t distance;
    double factor;
};
/* Communication patterns of the dense algorithms (docs/models/dense.md#communication-patterns). */
#define FR_PATTERNS(X)                                           \
    X(FR_SHIFT_ROW, "shift_row")                                 \
    X(FR_SHIFT_COLUMN, "shift_column")                           \
    X(FR_SHIFT_PAIR, "shift_pair")                               \
    X(FR_DISTRIBUTE, "distribute")                               \
    X(FR_REPLICATE_LAYERS, "replicate_layers")                   \
    X(FR_REDUCE_LAYERS, "reduce_layers")                         \
    X(FR_BROADCAST_LAYERS, "broadcast_layers")                   \
    X(FR_BROADCAST_LAYERS_ALONE, "broadcast_layers_alone")       \
    X(FR_SCATTER_LAYERS, "scatter_layers")                       \
    X(FR_GATHER_LAYERS, "gather_layers")                         \
    X(FR_BROADCAST_ROW, "broadcast_row")                         \
    X(FR_BROADCAST_COLUMN, "broadcast_column")                   \
    X(FR_BROADCAST_ROW_ROTATING, "broadcast_row_rotating")       \
    X(FR_BROADCAST_COLUMN_ROTATING, "broadcast_column_rotating") \
    X(FR_BROADCAST_BOTH, "broadcast_both")                       \
    X(FR_BROADCAST_ROW_ALONE, "broadcast_row_alone")             \
    X(FR_BROADCAST_COLUMN_DIAGONAL, "broadcast_column_diagonal") \
    X(FR_BROADCAST_COLUMN_ALONE, "broadcast_column_alone")       \
    X(FR_BARRIER, "barrier")                                     \
    X(FR_REDUCE_SCATTER_LAYERS, "reduce_scatter_layers")         \
    X(FR_ALLGATHER_LAYERS, "allgather_layers")                   \
    X(FR_CANNON, "cannon")                                       \
    X(FR_CANNON_PAIRS, "cannon_pairs")                           \
    X(FR_CANNON_HIDDEN, "cannon_hidden")                         \
    X(FR_SUMMA, "summa")                                         \
    X(FR_SOLVE_STEPS, "solve_steps")                             \
    X(FR_FACTOR_STEPS, "factor_steps")                           \
    X(FR_FACTOR_STEPS_LATE, "factor_steps_late")                 \
    X(FR_SOLVE_STEPS_FOUR, "solve_steps_four")                   \
    X(FR_FACTOR_STEPS_FOUR, "factor_steps_four")                 \
    X(FR_BROADCAST_BOTH_AHEAD, "broadcast_both_ahead")           \
    X(FR_SOLVE_STEPS_AHEAD, "solve_steps_ahead")                 \
    X(FR_FACTOR_STEPS_AHEAD, "factor_steps_ahead")               \
    X(FR_FACTOR_STEPS_AHEAD_FOUR, "factor_steps_ahead_four")
enum fr_pattern_kind { FR_PATTERNS(FR_CHOICE_VALUE) };
extern const char *const fr_pattern_names[]; /* NULL at the end */
struct fr_pattern {
    int pattern; /* enum fr_pattern_kind */
    int64_t processes, layers;
    double message_bytes, average_s, maximum_s;
};
struct fr_exchange {
    int64_t processes, distance;
    double message_bytes, average_s;
    double maximum_s; /* in a sequence of rounds; NaN: not measured */
};
struct fr_fold {
    int64_t processes;
    double message_bytes, message_s;
};
struct fr_burst {
    int64_t processes;
    double message_bytes, gap_s;
};
/* Where a batch system put the nodes of a job: in the network's order, or in one fixed disorder. */
enum fr_placement { FR_BLOCK, FR_SCATTERED };
extern const char *const fr_placements[]; /* NULL at the end */
struct fr_square_rate {
    int64_t threads, n;
    double efficiency_fraction, time_s; /* one of the two */
};
struct fr_rate {
    int64_t m, n, k;
    double rate_flops_per_s;
};
enum fr_routine {
    FR_DGEMM,
    FR_DTRSM,
    FR_DSYRK,
    FR_DPOTRF,
    FR_DGER,
    FR_DTRSV,
    FR_ROUTINES,
    FR_PRECISE_ROUTINES = FR_DPOTRF + 1 /* the first of them have rates in every precision */
};
struct fr_kernel {
    FR_TABLE(struct fr_square_rate) square;
    FR_TABLE(struct fr_rate) rates;
};
/* Square operands in one precision; by the routine of double precision: FR_DSYRK of a complex
 * precision is herk. */
struct fr_precise_kernels {
    struct fr_kernel routine[FR_PRECISE_ROUTINES];
};
/* Bandwidth of one process while `processes` cores of a node run the same kernels. */
struct fr_sized_bandwidth {
    int64_t processes;
    double working_set_bytes; /* of one process, all kernels together */
    double bandwidth_bytes_per_s;
};
struct fr_stream_kernel {
    double bandwidth_fraction;
    FR_TABLE(struct fr_sized_bandwidth) by_size;
};
#define FR_STREAM_LIST(X)                                    \
    X(FR_SPARSE_MATVEC, "sparse_matvec")                     \
    X(FR_SPARSE_TRIANGULAR_SOLVE, "sparse_triangular_solve") \
    X(FR_SPARSE_ILU_SOLVE, "sparse_ilu_solve")               \
    X(FR_VECTOR_KERNEL, "vector")                            \
    X(FR_VECTOR_FUSED, "vector_fused")
enum fr_stream {
    FR_STREAM_LIST(FR_CHOICE_VALUE) FR_STREAMS,
};
extern const char *const fr_stream_names[FR_STREAMS];
struct fr_model_range {
    fr_numbers min, max;
};
struct fr_region {
    fr_numbers min, max;
    double error;
    int64_t samples;
    struct {
        fr_numbers min, med, avg, max, std;
    } coef;
};
/* How good a model was after so many samples. */
struct fr_model_progress {
    int64_t samples, regions;
    double error;
};
struct fr_routine_model {
    const char *kind, *routine;
    struct {
        const char *side, *uplo, *trans, *transA, *transB, *diag;
    } flags;
    fr_texts parameters;
    FR_TABLE(struct fr_model_range) range;
    const char *unit;
    int locality;
    int64_t threads, leading_dimension;
    struct {
        const char *name, *version, *core;
    } library;
    struct {
        const char *strategy, *split, *grid, *direction, *reference, *measure, *when;
        double eps, seconds;
        int64_t s_min, s_fine, s_ini, oversampling, degree_extra, repetitions, samples;
        int relative;
        FR_TABLE(struct fr_model_progress) history;
    } build;
    fr_number_lists basis;
    FR_TABLE(struct fr_region) regions;
};
/* `name` is a flag's (`side`); NULL where the model does not give it. */
const char *fr_routine_model_flag(const struct fr_routine_model *model, const char *name);
struct fr_cache_level {
    const char *name;
    double capacity_bytes, line_bytes;
    int policy;
    double latency_s;
};
/* Bandwidth of one core for operands below a size. */
struct fr_memory_stream {
    double max_operand_bytes; /* exclusive; null: INFINITY */
    double bandwidth_bytes_per_s;
};
/* The time to read and write an element of a row: of two that are exchanged, or packed into a
 * message and unpacked from another; and the same where columns are a multiple of FR_PAGE_BYTES
 * apart, so that the elements of a row compete for few sets of a cache. */
enum { FR_PAGE_BYTES = 4096 };
struct fr_row_swap {
    double max_matrix_bytes; /* exclusive; null: INFINITY */
    double element_s, packed_element_s, page_element_s, page_packed_element_s;
};
/* Of the time between in cache and out of cache: what an operand costs by the bytes touched since
 * its last use. */
struct fr_reuse {
    double distance_bytes, out_of_cache_share;
};
/* BLAS calls as programs make them; dtrsm by side, uplo and trans. */
#define FR_BLAS_CALLS(X)              \
    X(FR_CALL_DGEMM, "dgemm")         \
    X(FR_CALL_DSYRK, "dsyrk")         \
    X(FR_CALL_DTRSM_LLN, "dtrsm_LLN") \
    X(FR_CALL_DTRSM_LLT, "dtrsm_LLT") \
    X(FR_CALL_DTRSM_LUN, "dtrsm_LUN") \
    X(FR_CALL_DTRSM_LUT, "dtrsm_LUT") \
    X(FR_CALL_DTRSM_RLN, "dtrsm_RLN") \
    X(FR_CALL_DTRSM_RLT, "dtrsm_RLT") \
    X(FR_CALL_DTRSM_RUN, "dtrsm_RUN") \
    X(FR_CALL_DTRSM_RUT, "dtrsm_RUT") \
    X(FR_CALL_DGEMM_MEMORY, "dgemm_memory")
enum fr_blas_call {
    FR_BLAS_CALLS(FR_CHOICE_VALUE) FR_CALLS,
};
extern const char *const fr_blas_call_names[]; /* NULL at the end */
static inline bool fr_call_is_dgemm(enum fr_blas_call call)
{
    return call == FR_CALL_DGEMM || call == FR_CALL_DGEMM_MEMORY;
}
/* What a call costs: a sum over what it computes and touches
 * (docs/models/block_cyclic.md#costs-of-calls). */
enum { FR_CALL_ROWS_MAX = 16 }; /* of one call on so many threads */
struct fr_call_cost {
    int call; /* enum fr_blas_call */
    int64_t threads;
    double max_width; /* of the smaller of m and n, or the right-hand sides; null: INFINITY */
    double max_depth; /* of k, or of the order of the triangle; null: INFINITY */
    double max_size;  /* the largest of all sizes measured */
    double call_s, multiply_add_s, a_element_s, b_element_s, c_element_s;
};
/* Columns that a dgemm of n columns and depth k costs besides its own, with costs of calls. */
enum { FR_NARROW_COLUMNS = 64, FR_DEPTH_AT_ONCE = 256 };
struct fr_extra_columns {
    fr_numbers by_remainder; /* of n after division by their count, up to FR_NARROW_COLUMNS */
    double depth_64;  /* for a k up to FR_DEPTH_AT_ONCE that is a multiple of 64, not of 128 */
    double depth_128; /* of 128 */
};
struct fr_step_kernel {
    int64_t block_size;
    double rate_flops_per_s, time_s; /* one of the two */
    int precision;                   /* enum fr_precision; -1 unstated: single */
};

/* Groups of the document, as bits. */
#define FR_GROUPS(X)               \
    X(NODE, 1, "node")             \
    X(NETWORK, 2, "network")       \
    X(CONTENTION, 4, "contention") \
    X(KERNELS, 8, "kernels")       \
    X(MEMORY, 16, "memory")        \
    X(SPARSE, 32, "sparse")        \
    X(CNC, 64, "cnc")
enum fr_group {
#define X(name, bit, text) FR_CAL_##name = bit,
    FR_GROUPS(X)
#undef X
};

/* A measured curve, ready for lookup: x = log2 of the abscissa, ascending. */
struct fr_curve {
    const double *x, *y;
    size_t count;
};
/* The most process counts or thread counts that a table may hold. */
enum { FR_MAX_CURVES = 64 };
/* Curves by an integer key (threads, processes), ascending. */
struct fr_curves {
    const int64_t *key;
    const double *log2_key;
    const struct fr_curve *curve;
    size_t count;
};

/* A measured time of a communication pattern, ready for look-up (lookup.h). */
enum fr_timing_key {
    FR_TIMING_PROCESSES,
    FR_TIMING_DISTANCE, /* 1 where the table has none */
    FR_TIMING_BYTES,
    FR_TIMING_KEYS
};
struct fr_timing {
    int pattern; /* enum fr_pattern_kind, of contention.patterns alone; and: */
    int64_t layers;
    double key[FR_TIMING_KEYS], x[FR_TIMING_KEYS]; /* x: log2, of less than a byte 0 */
    double average_s, maximum_s;
};
/* Ascending by pattern, layers and keys. */
struct fr_timings {
    const struct fr_timing *row;
    size_t count;
};

struct fr_held_outs; /* engine/prediction/prediction.h */

/* One document, immutable once prepared.  Its memory is an arena's; see fr_calibration_prepare. */
struct fr_calibration {
    const char *schema, *machine, *description, *created_at;
    struct {
        const char *name, *version, *command;
        double duration_s;
    } tool;
    struct fr_environment environment;
    struct {
        int64_t cores_per_node, sockets, numa_domains;
        double peak_flops_per_s, peak_single_flops_per_s, memory_bytes, clock_hz;
    } node;
    struct {
        FR_TABLE(struct fr_protocol) protocols;
        FR_TABLE(struct fr_distance_latency) latency_by_distance;
        FR_TABLE(struct fr_broadcast_choice) broadcast;
        double node_bandwidth_bytes_per_s, injection_bandwidth_bytes_per_s;
        struct { /* on_node, off_node: of one message while the other cores multiply */
            double all_on_node_bandwidth_bytes_per_s;
            double on_node_bandwidth_bytes_per_s, off_node_bandwidth_bytes_per_s;
        } busy_node;
        double stall_time_s, bytes_per_traffic_unit, blacs_message_s;
        struct fr_topology topology;
        struct {
            double latency_s;
            int kind;
            FR_TABLE(struct fr_bandwidth_point) points;
        } message_bandwidth;
    } network;
    struct {
        double message_bytes;
        FR_TABLE(struct fr_factor) average;
        FR_TABLE(struct fr_factor) maximum;
        FR_TABLE(struct fr_process_times) process_times; /* for people: no model reads them */
        FR_TABLE(struct fr_pattern) patterns;
        FR_TABLE(struct fr_exchange) exchange;
        FR_TABLE(struct fr_fold) fold;
        FR_TABLE(struct fr_burst) burst;
        int burst_placement; /* enum fr_placement; negative: not known */
    } contention;
    struct {
        struct fr_kernel routine[FR_ROUTINES];                 /* double precision */
        struct fr_precise_kernels by_precision[FR_PRECISIONS]; /* FR_DOUBLE stays empty */
        struct fr_stream_kernel stream[FR_STREAMS];
        FR_TABLE(struct fr_routine_model) routine_models;
        FR_TABLE(struct fr_call_cost) calls;
        struct fr_extra_columns extra_columns;
        double out_of_cache_weight;
        FR_TABLE(struct fr_reuse) reuse;
        struct {
            int64_t cores; /* of a processor */
            fr_numbers processor_times;
            double late_fraction;
        } variability;
    } kernels;
    struct {
        double node_bandwidth_bytes_per_s, core_bandwidth_bytes_per_s, index_bytes;
        FR_TABLE(struct fr_cache_level) caches;
        double memory_latency_s, memory_latency_tlb_miss_s;
        FR_TABLE(struct fr_memory_stream) streams;
        double call_s, line_bytes;
        FR_TABLE(struct fr_row_swap) row_swaps;
        double row_element_s; /* of a matrix that fits in no cache */
    } memory;
    struct {
        double flop_time_s;
        struct {
            int64_t m, n, k;
        } dgemm_block;
        struct {
            int64_t m, n;
        } dgemm_unroll;
        int64_t dger_unroll, dtrsv_unroll, supernode_max, supernode_relax;
        struct {
            double gemm, panel, scatter_s, block_s, column_s, supernode_s;
        } fit, window_fit;
        struct { /* factors of at least 1; left_out: of matrices that the fit did not use */
            double median, worst, left_out_median, left_out_worst;
            struct { /* 0: known from the samples; 1: from the prior alone */
                double gemm, panel, scatter_s, block_s, column_s, supernode_s;
            } prior_share;
        } window_fit_quality;
        struct {
            double entry_s, flop_s, block_s, supernode_s;
        } solve_fit;
    } sparse;
    struct {
        double intra_node_bandwidth_bytes_per_s, inter_node_bandwidth_bytes_per_s;
        double peak_flops_per_core_per_s;
        FR_TABLE(struct fr_step_kernel) step_kernel;
        struct {
            double cannon, johnson;
        } volume_overhead;
    } cnc;
    FR_TABLE(struct fr_source) sources;

    struct fr_machine_facts facts; /* what the machine's owner states; not of the document */
    unsigned groups;               /* set while decoding: which groups the document has */
    const struct fr_calibration *as_measured; /* what a what-if changed; NULL: nothing was */

    /* fr_calibration_prepare derives the following from the members above. */
    double core_peak_flops_per_s; /* NaN where the node's peak is unknown */
    bool has_off_node;
    struct fr_latencies latencies;      /* none without network.latency_by_distance */
    struct fr_curve average;            /* contention factor over log2 distance */
    struct fr_curves averages, maximum; /* by processes: over log2 distance */
    struct fr_timings patterns, exchange, fold, burst;
    struct fr_curves rate[FR_ROUTINES]; /* by threads: flop/s of one core over log2 n */
    struct fr_curves precise_rate[FR_PRECISIONS][FR_PRECISE_ROUTINES]; /* likewise */
    struct fr_curves byte_s[FR_STREAMS]; /* by processes: s/byte over log2 working_set_bytes */
    struct fr_curve reuse;               /* kernels.reuse over log2 distance_bytes */
    const double *slowness;              /* kernels.variability.processor_times, ascending */
    struct fr_source **by_pointer;       /* the sources, sorted */
    const struct blocked_fitted *fitted; /* of each of kernels.routine_models */
    fr_uses has, assumed, unstated;      /* sets of enum fr_use bits */

    const struct fr_held_outs *held_outs; /* of fr_held_outs_find; NULL: it was not called */
};

extern const struct fr_field fr_calibration_fields[], fr_source_fields[];
extern const struct fr_field fr_fields_routine_model[], fr_fields_routine_flags[];

/* The peak of a core in this precision, complex or not; NaN if it is unknown. */
double fr_core_peak_flops_per_s(const struct fr_calibration *cal, int precision);
/* The precision of a block product of Concurrent Collections. */
enum fr_precision fr_step_precision(const struct fr_step_kernel *row);

/* A calibration with every value absent. */
void fr_calibration_clear(struct fr_calibration *cal);
const char *fr_group_name(unsigned group);
/* The groups `missing` as text: "contention, kernels". */
void fr_groups_print(unsigned groups, char *out, size_t size);

#endif
