/* Common parts of the distributed dense models: parameters, grid, messages, collectives, outputs.
 *
 * Symbols (docs/models/dense.md#symbols): n order, p processes, c layers, r blocks of a process in
 * each dimension, q = sqrt(p/c) side of the grid of a layer, m = r q block columns, bs = n/m order
 * of a block, w = bs^2 its words (matrix elements).  Distances are differences of ranks.
 */
#ifndef FR_DENSE_H
#define FR_DENSE_H

#include "engine/calibration/calibration.h"
#include "engine/core/param.h"
#include "engine/prediction/model.h"

struct dense_values {
    int64_t n, processes, cores, nodes, threads;
    int64_t replication, blocks_per_process, communication_threads, word_bytes;
    int variant, contention, contention_model, step_barriers, precision;
};

enum dense_variant { DENSE_2D, DENSE_2D_OVLP, DENSE_25D, DENSE_25D_OVLP };
enum dense_contention_model { DENSE_PAPER, DENSE_REFINED };
extern const char *const dense_variants[], *const dense_contention_models[];

/* The descriptors of struct dense_values, the first member of the values of every dense model. */
#define DENSE_PARAMS                                                                               \
    FR_CHOICE_OF(struct dense_values, variant, .choices = dense_variants, .unit = "",              \
                 .flags = FR_TUNABLE,                                                              \
                 .doc = "2d on one layer of processes, 25d on replicated layers; ovlp hides "      \
                        "communication behind computation."),                                      \
        FR_INT(struct dense_values, n, .unit = "1", .min = 1, .max = 1e9, .flags = FR_REQUIRED,    \
               .doc = "Order of the square matrices."),                                            \
        FR_INT(struct dense_values, processes, .unit = "1", .min = 1, .max = 1e9,                  \
               .one_of = "processes", .doc = "Processes of all layers together."),                 \
        FR_INT(struct dense_values, cores, .unit = "1", .min = 1, .max = 1e9,                      \
               .one_of = "processes", .flags = FR_INPUT_ONLY,                                      \
               .doc = "Total cores instead of processes; a multiple of threads."),                 \
        FR_INT(struct dense_values, nodes, .unit = "1", .min = 1, .max = 1e9,                      \
               .one_of = "processes", .flags = FR_INPUT_ONLY,                                      \
               .doc = "Nodes instead of processes: as many processes as fit on their cores."),     \
        FR_INT(struct dense_values, threads, .unit = "1", .min = 1, .max = 65536, .fallback = 1,   \
               .flags = FR_DEFAULT, .doc = "Cores of each process."),                              \
        FR_INT(struct dense_values, replication, .unit = "1", .min = 1, .max = 1e6,                \
               .idle_with = "variant", .idle_at = 1 << DENSE_2D | 1 << DENSE_2D_OVLP,              \
               .flags = FR_AUTOMATIC | FR_TUNABLE, .candidates = dense_replication_candidates,     \
               .doc = "Layers of a 25d variant: copies of the matrices; 1 in 2d. Left open, the "  \
                      "least number above 1 that divides the processes into squares."),            \
        FR_INT(struct dense_values, communication_threads, .unit = "1", .min = 0, .max = 65535,    \
               .flags = FR_AUTOMATIC | FR_LATE,                                                    \
               .doc = "Threads of a process that only communicate, in an ovlp variant."),          \
        FR_PRECISION_PARAMS(struct dense_values, "Default: double."),                              \
        FR_BOOL(struct dense_values, contention, .unit = "", .fallback = 1,                        \
                .flags = FR_DEFAULT | FR_METHOD,                                                   \
                .doc = "Whether the measured contention factors slow messages.  Without them the " \
                       "refined model does not use measured patterns either; those may be faster " \
                       "than uncontended messages."),                                              \
        FR_CHOICE_OF(struct dense_values, contention_model, .choices = dense_contention_models,    \
                     .unit = "", .flags = FR_AUTOMATIC | FR_METHOD,                                \
                     .doc = "How to price contention: as in the source, or by measured times of "  \
                            "whole communication patterns; left open, by these where the "         \
                            "calibration has any."),                                               \
        FR_BOOL(struct dense_values, step_barriers, .unit = "", .fallback = 0,                     \
                .flags = FR_DEFAULT,                                                               \
                .doc = "Whether the Cannon program has a barrier in rows and columns after every " \
                       "step; needs contention_model=refined.")

#define DENSE_BLOCKS(more_flags, ...)                                                  \
    FR_INT(struct dense_values, blocks_per_process, .unit = "1", .min = 1, .max = 1e6, \
           .fallback = 1, .flags = FR_DEFAULT | (more_flags),                          \
           __VA_ARGS__.doc =                                                           \
               "Blocks of a process in each dimension of the block-cyclic distribution.")

/* Candidates of the tunables and of the node count, as struct fr_param and struct fr_model define
 * them. */
size_t dense_replication_candidates(const void *values, const struct fr_calibration *cal,
                                    int64_t *out, size_t capacity);
size_t dense_blocks_candidates(const void *values, const struct fr_calibration *cal, int64_t *out,
                               size_t capacity);
size_t dense_node_counts(const void *values, const struct fr_calibration *cal, int64_t max_nodes,
                         int64_t *out, size_t capacity);
void dense_set_nodes(void *values, int64_t nodes);
unsigned dense_needs(const void *values);

extern const struct fr_output dense_outputs[];
extern const char *const dense_grows_with[];

/* The common members of the descriptors of dense models.  S is the struct of the values; the file
 * defines `params`, `resolve` and `predict`.  `kernels` are the FR_USE bits of its kernels. */
#define DENSE_MODEL(S, kernels)                                                                  \
    .family = "dense",                                                                           \
    .reads = { .required = FR_USE(NODE_CORES) | FR_USE(PROTOCOLS) | FR_USE(CONTENTION_AVERAGE) | \
                           FR_USE(CONTENTION_MAXIMUM) | (kernels),                               \
               .helpful = FR_USE(NODE_PEAK) | FR_USE(NODE_PEAK_SINGLE) | FR_USE(NODE_MEMORY) |   \
                          FR_USE(VARIABILITY) | FR_USE(CONTENTION_BYTES) | FR_USE(BROADCAST) |   \
                          FR_USE(PATTERNS) | FR_USE(SINGLE) | FR_USE(COMPLEX) |                  \
                          FR_USE(DOUBLE_COMPLEX) },                                              \
    .groups = FR_CAL_NODE | FR_CAL_NETWORK | FR_CAL_CONTENTION | FR_CAL_KERNELS,                 \
    .needs = dense_needs, .cost = FR_CLOSED_FORM, .values_size = sizeof(S), .params = params,    \
    .outputs = dense_outputs, .grows_with = dense_grows_with, .resolve = resolve,                \
    .predict = predict, .node_counts = dense_node_counts, .set_nodes = dense_set_nodes

/* The rules of one model. */
struct dense_rules {
    int64_t communication_threads;   /* default of the ovlp variants */
    bool has_single_blocks;          /* blocks_per_process must be 1 (Cannon) */
    bool may_have_barriers;          /* step_barriers may be true (Cannon) */
    const enum fr_routine *routines; /* the kernels it calls */
    size_t routine_count;
};
bool dense_is_overlapped(const struct dense_values *v);
bool dense_is_replicated(const struct dense_values *v);
/* Sets `processes` and the automatic parameters, and checks the problem in stages
 * (docs/models/dense.md#refusals).  Returns FR_OK, or a code after adding faults. */
int dense_resolve(struct dense_values *v, const struct fr_calibration *cal,
                  const struct dense_rules *rules, struct fr_faults *faults);

/* The quantities that the equations use. */
struct dense {
    struct fr_evaluation *run;
    double n, p, c, r, q, m, bs;
    double w;       /* bs^2: words of a block */
    double threads; /* t': threads that compute */
    double slowest; /* fr_kernel_slowest */
    int precision;  /* enum fr_precision; -1 unknown */
    double word_bytes;
    double idle_share; /* of the processes, while the others communicate */
    bool is_overlapped, has_contention, is_refined, has_barriers;
    bool has_one_broadcast; /* one assumed algorithm for messages of any size */
};
/* Warns if the order of a block is not a whole number.  `run` is borrowed. */
struct dense dense_derive(const struct dense_values *v, struct fr_evaluation *run);
/* Seconds of a routine on one block with the computing threads. */
double dense_kernel_s(const struct dense *d, enum fr_routine routine);

/* Seconds, words sent and messages of a transfer, of one process. */
struct cost {
    double time_s, words, messages;
};
/* The cost repeated `factor` times, and the sum of two. */
struct cost cost_times(double factor, struct cost cost);
struct cost cost_plus(struct cost a, struct cost b);

/* A message of every process, synchronized. */
struct cost dense_shift(const struct dense *d, double words, double distance);

/* Steps of a collective by halving or doubling: ceil(log2 group). */
int dense_steps(double group);
/* Warns if the group is not a power of two
 * (docs/models/dense.md#decision-groups-are-rounded-up-to-a-power-of-two). */
void dense_warn_rounded(const struct dense *d, double group);

/* Collectives of `group` members, neighbours at `distance`; `words` is the whole vector.  In
 * `_sync` all members wait for the slowest.  A group of one costs nothing
 * (docs/models/dense.md#collectives). */
struct cost dense_scatter(const struct dense *d, double group, double words, double distance);
struct cost dense_gather(const struct dense *d, double group, double words, double distance);
struct cost dense_gather_sync(const struct dense *d, double group, double words, double distance);
struct cost dense_reduce(const struct dense *d, double group, double words, double distance);
struct cost dense_broadcast(const struct dense *d, double group, double words, double distance);
struct cost dense_broadcast_sync(const struct dense *d, double group, double words,
                                 double distance);

/* Adds a phase to the prediction, unless it takes no time.  `hidden_s` is the part of a
 * communication phase that runs behind computation. */
void dense_communicate(const struct dense *d, const char *phase, struct cost cost, double hidden_s);
void dense_compute(const struct dense *d, const char *phase, double time_s);
/* Offers the lower bound of the time in which a process receives `words`, unless the prediction
 * uses measured patterns, which may be faster than single messages
 * (docs/models/dense.md#lower-bounds). */
void dense_bound_network(const struct dense *d, double words);
/* Sets the outputs that all dense models compute alike, once phases and bounds are known.
 * `real_flops` are the operations in real arithmetic. */
void dense_finish(const struct dense *d, const struct dense_values *v, double real_flops,
                  double memory_words);

#endif
