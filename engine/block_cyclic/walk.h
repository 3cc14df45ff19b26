/* The state of one prediction of a block-cyclic program, and what its models share: kernels,
 * network, clocks, outputs (docs/models/block_cyclic.md). */
#ifndef FR_BLOCK_CYCLIC_WALK_H
#define FR_BLOCK_CYCLIC_WALK_H

#include "engine/block_cyclic/clocks.h"
#include "engine/block_cyclic/distribution.h"
#include "engine/block_cyclic/kernels.h"
#include "engine/block_cyclic/stretches.h"
#include "engine/block_cyclic/values.h"

#include <math.h>

struct cyclic_walk {
    struct fr_evaluation *run;
    const struct cyclic_values *v;
    int64_t rows, columns, block; /* P, Q, nb of the walk, which may be a mirror image */
    struct cyclic_kernels kernels;
    struct cyclic_network net;
    struct cyclic_clocks clocks;
    int64_t followed;     /* steps so far */
    double weight;        /* how many the present one stands for; 0: it settles the clocks */
    double sure;          /* the share of a bound that is sure: sums over stretches are not exact */
    int64_t shrunk_width; /* of cyclic_shrinking_s */
    double shrunk_s;
};
/* The mirror image of a problem: rows and columns of matrices and grid are exchanged
 * (docs/models/block_cyclic.md#decision-mirror-images). */
struct cyclic_values cyclic_mirrored(const struct cyclic_values *v);
/* Begins the walk of resolved values; all are borrowed.  At each step the processes of a column
 * wait for each other, and `columns_meet` if those of all columns do.  FR_OK, or FR_NOMEM after
 * adding a fault. */
int cyclic_begin(struct cyclic_walk *walk, const struct cyclic_values *v, bool columns_meet,
                 struct fr_evaluation *run);

/* Matrix columns of the process columns from `first` on. */
static inline struct cyclic_range cyclic_columns_from(const struct cyclic_walk *walk, int64_t n,
                                                      int64_t first)
{
    return cyclic_range_of(n, walk->block, walk->columns, first);
}
/* The most matrix rows of a process from `first` on. */
static inline double cyclic_most_rows(const struct cyclic_walk *walk, int64_t n, int64_t first)
{
    return (double)cyclic_most_rows_from(n, walk->block, walk->rows, first);
}
/* Matrix columns of each process column from `first` on. */
static inline struct cyclic_spans cyclic_column_spans(const struct cyclic_walk *walk, int64_t n,
                                                      int64_t first)
{
    const struct cyclic_range range = cyclic_columns_from(walk, n, first);

    return cyclic_spans_of(&range, walk->columns);
}
/* Seconds of a collective on each of width - 1, width - 2, ... 1 numbers, always the same one. */
double cyclic_shrinking_s(struct cyclic_walk *walk,
                          double (*collective)(const struct cyclic_network *net, double bytes),
                          int64_t width);
/* Seconds of a copy of contiguous columns in `calls` calls, and of one that also transposes. */
double cyclic_packed_s(const struct cyclic_walk *walk, double m, double n, double calls);
double cyclic_turned_s(const struct cyclic_walk *walk, double m, double n, double calls);

/* Bytes that a process has of an m x n matrix. */
static inline double cyclic_matrix_bytes(const struct cyclic_walk *walk, int64_t m, int64_t n)
{
    return 8 * (double)m * (double)n / ((double)walk->rows * (double)walk->columns);
}
/* Words of an m x n matrix that is factored in place, and of a panel of rows and one of columns. */
double cyclic_factor_words(const struct cyclic_values *v, int64_t m, int64_t n);

/* The share of a sum over some of the steps of a sequence that is no more than the sum over all. */
#define CYCLIC_SURE 0.998
/* Sets the lower bounds of a walk whose models spend by cyclic_spend_on and cyclic_spend_each
 * (docs/models/block_cyclic.md#lower-bound). */
void cyclic_bound(struct cyclic_walk *walk);
/* That bound without a prediction: the walk without its clocks. */
double cyclic_bound_s(const struct cyclic_values *v, struct fr_evaluation *run,
                      bool (*walk_panels)(struct cyclic_walk *walk));
/* Follows a sequence in stretches.  False if a step returned false, if the time is sure to exceed
 * the limit of the question, when it becomes infinite, or with a fault if the work of the request
 * is used up or nobody waits for its answer. */
bool cyclic_follow_steps(struct cyclic_walk *walk, const struct cyclic_sequence *sequence,
                         bool (*step)(void *context, int64_t number), void *context);
/* The same for the panels of the matrix. */
bool cyclic_follow_panels(struct cyclic_walk *walk, bool (*step)(void *context, int64_t number),
                          void *context);
/* Charges the request with the work of the walk so far; false: it must end. */
bool cyclic_charge(struct cyclic_walk *walk);
/* The same with a fault, after enough work since the last time. */
bool cyclic_goes_on(struct cyclic_walk *walk);
extern const struct fr_output cyclic_outputs[];
/* Sets the memory of a process that holds so many numbers, and its limit. */
void cyclic_memory(const struct cyclic_values *v, double words, const struct fr_calibration *cal,
                   struct fr_prediction *out);
/* Writes phases and outputs of a finished walk; `v` are the values asked for, not the mirror image,
 * and `memory_words` the matrix elements of a process. */
void cyclic_finish(struct cyclic_walk *walk, const struct cyclic_values *v, double flops,
                   double memory_words);

/* The bound of a model whose walk has one: the same bytes of values give the same bound. */
#define CYCLIC_BOUND .bound_s = bound_s, .bound_bytes = offsetof(struct cyclic_values, work)
/* The common members of the descriptors of these models.  S is the struct of the values; the file
 * defines `params`, `resolve`, `predict` and `memory`.  `squares` are the FR_USE bits of rates that
 * replace costs of calls, `more` those of further parts that it reads. */
#define CYCLIC_MODEL(S, squares, more)                                                            \
    .family = "block_cyclic",                                                                     \
    .reads = { .required = FR_USE(NODE_CORES) | FR_USE(PROTOCOLS),                                \
               .either = { { .preferred = FR_USE(CALLS), .instead = squares },                    \
                           { .preferred = FR_USE(STREAMS), .instead = FR_USE(CORE_BANDWIDTH) } }, \
               .older = FR_USE(ROUTINE_MODELS) | FR_USE(ROW_ELEMENT),                             \
               .helpful = FR_USE(NODE_PEAK) | FR_USE(NODE_MEMORY) | FR_USE(NODE_BANDWIDTH) |      \
                          FR_USE(BUSY_NODE) | FR_USE(VARIABILITY) | FR_USE(CONTENTION_AVERAGE) |  \
                          FR_USE(LATENCY_BY_DISTANCE) | FR_USE(CALL_TIME) | FR_USE(LINE_BYTES) |  \
                          FR_USE(ROW_SWAPS) | (more),                                             \
               .has_kernels = cyclic_has_kernels },                                               \
    .groups = FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_KERNELS | FR_CAL_MEMORY, .cost = FR_LONG,     \
    .values_size = sizeof(S), .params = params, .outputs = cyclic_outputs,                        \
    .grows_with = cyclic_grows_with, .resolve = resolve, .predict = predict, .memory = memory,    \
    .node_counts = cyclic_node_counts, .set_nodes = cyclic_set_nodes

#endif
