/* The time of a sequence of calls. */
#ifndef FR_BLOCKED_H
#define FR_BLOCKED_H

#include "engine/blocked/fitted.h"
#include "engine/calibration/calibration.h"
#include "engine/core/arena.h"
#include "engine/prediction/model.h"

/* Evaluations of kernel models that the calls of an algorithm share: most of its calls have the
 * sizes of other ones. */

/* What blocked_evaluate finds for a call. */
struct blocked_evaluation {
    const struct blocked_fitted *fitted;
    char flags[BLOCKED_MAX_FLAGS + 1];
    int64_t size[BLOCKED_MAX_SIZES];
    const struct blocked_region *nearest; /* NULL: a region contains the sizes */
    struct blocked_times times;
};

enum { BLOCKED_LEAST_EVALUATIONS = 64 };

/* A table with one place for each hash; empty if zeroed. */
struct blocked_memo {
    struct blocked_evaluation first[BLOCKED_LEAST_EVALUATIONS];
    struct blocked_evaluation *larger; /* in the arena; NULL: first is used */
    size_t places, evaluated;
};

/* The evaluation of a call without empty operands, of a kernel that the model describes.  It is
 * valid until the next one.  Adds the work to *steps.  The table grows in the arena. */
const struct blocked_evaluation *blocked_recall(struct blocked_memo *memo,
                                                const struct blocked_fitted *fitted,
                                                const struct blocked_call *call,
                                                struct fr_arena *arena, double *steps);

/* How long ago the operands of each call of an algorithm were last used, and what they cost for
 * that (docs/models/blocked.md#reuse-of-operands). */

/* Each matrix is divided into square tiles of whole blocks, at most this many along a side. */
enum { BLOCKED_MAX_TILES = 32 };

struct blocked_reuse {
    const struct fr_calibration *cal;
    struct {
        int64_t rows, columns; /* of the part that calls touch */
        size_t tile_rows, tile_columns;
        double *used_bytes; /* by tile, column by column: the clock at its last use */
    } matrix[BLOCKED_MATRICES];
    int64_t block, tile;  /* sides in elements */
    double clock_bytes;   /* of the operands of all calls so far */
    double touched_bytes; /* of all tiles that were ever used */
    bool is_touched;      /* every tile that calls use was used before */
    double steps;         /* work done: uses of tiles */
};

/* Passes the calls of resolved values to a visitor; returns whether it let all of them pass. */
typedef bool blocked_walk(const void *values, blocked_visit *visit, void *context);

/* Sets up the tiles.  With `is_warm` the algorithm has just been executed, so that its operands are
 * in the caches as far as they fit; otherwise they are in none.  Returns 0, or -1 without memory or
 * where a call does not say what its operands are.  blocked_reuse_close frees the tiles. */
int blocked_reuse_open(struct blocked_reuse *reuse, const struct fr_calibration *cal,
                       blocked_walk *walk, const void *values, bool is_warm);
void blocked_reuse_close(struct blocked_reuse *reuse);

/* The weight of out of cache in the time of the next call, 0 to 1; marks its operands as used. */
double blocked_reuse_weight(struct blocked_reuse *reuse, const struct blocked_call *call);

/* The share of kernels.reuse at a distance; linear in its logarithm, 0 at no distance, and that of
 * the last row beyond it. */
double blocked_reuse_share(const struct fr_calibration *cal, double distance_bytes);

/* Common parts of the models of blocked algorithms: parameters, outputs, and the sum over the calls
 * (docs/models/blocked.md#prediction).  A model adds a walk over its calls and an operation count.
 */

struct blocked_values {
    int64_t threads;
    double out_of_cache_weight;
    int locality, first_use, statistic;
    blocked_walk *walk; /* over the calls of all values; blocked_resolve sets it */
};

enum blocked_time { BLOCKED_MEDIAN, BLOCKED_MINIMUM, BLOCKED_AVERAGE, BLOCKED_MAXIMUM };
extern const char *const blocked_localities[], *const blocked_first_uses[],
                                                   *const blocked_time_names[];

/* Descriptors of struct blocked_values, which is the first member of every model's values. */
#define BLOCKED_PARAMS                                                                            \
    FR_INT(struct blocked_values, threads, .unit = "1", .min = 1, .max = 65536, .fallback = 1,    \
           .flags = FR_DEFAULT,                                                                   \
           .doc = "Threads of every call; a kernel model holds for one count."),                  \
        FR_CHOICE_OF(struct blocked_values, locality, .choices = blocked_localities, .unit = "",  \
                     .flags = FR_AUTOMATIC | FR_METHOD,                                           \
                     .doc =                                                                       \
                         "Where the operands are before a call: in_cache gives a lower bound of " \
                         "the time, out_of_cache an upper bound, blend lies between; reuse: by "  \
                         "how long ago each was used. Automatic: reuse if the calibration has "   \
                         "kernels.reuse and models of both, else in_cache."),                     \
        FR_CHOICE_OF(struct blocked_values, first_use, .choices = blocked_first_uses, .unit = "", \
                     .fallback = BLOCKED_IN_CACHE, .flags = FR_DEFAULT | FR_METHOD,               \
                     .doc = "With locality=reuse, where operands are before their first use: "    \
                            "in_cache, as far as they fit, as after the same algorithm, or "      \
                            "out_of_cache."),                                                     \
        FR_REAL(struct blocked_values, out_of_cache_weight, .unit = "1", .min = 0, .max = 1,      \
                .flags = FR_AUTOMATIC | FR_OPTIONAL | FR_METHOD,                                  \
                .doc = "Weight of out_of_cache in a blend; default: the calibration's."),         \
        FR_CHOICE_OF(struct blocked_values, statistic, .choices = blocked_time_names, .unit = "", \
                     .fallback = BLOCKED_MEDIAN, .flags = FR_DEFAULT | FR_METHOD,                 \
                     .doc = "Statistic of the calls that time_s adds up; rankings use it too.")

/* The block size; candidates are 8, 16, ... 256. */
#define BLOCKED_BLOCK_SIZE(S)                                                                  \
    FR_INT(S, block_size, .unit = "1", .min = 1, .max = BLOCKED_MAX_SIZE, .flags = FR_TUNABLE, \
           .candidates = blocked_block_sizes,                                                  \
           .doc = "Order of a block; the last block may be smaller.")

struct blocked_own {
    double time_min_s, time_average_s, time_max_s, time_std_s, calls, calls_outside, flops_fused;
};
/* `count` names the output of the number of calls. */
#define BLOCKED_OUTPUTS(count)                                                               \
    FR_OUTPUT(time_s, .unit = "s", .doc = "Sum over the calls of the chosen statistic."),    \
        FR_OWN(struct blocked_own, time_min_s, .unit = "s",                                  \
               .doc = "Sum of the minima of the calls."),                                    \
        FR_OWN(struct blocked_own, time_average_s, .unit = "s", .doc = "Sum of the means."), \
        FR_OWN(struct blocked_own, time_max_s, .unit = "s", .doc = "Sum of the maxima."),    \
        FR_OWN(struct blocked_own, time_std_s, .unit = "s",                                  \
               .doc = "Standard deviation: root of the sum of the calls' variances."),       \
        FR_OWN_AS(struct blocked_own, calls, count, .unit = "1",                             \
                  .doc = "Calls without empty operands."),                                   \
        FR_OWN(struct blocked_own, calls_outside, .unit = "1",                               \
               .doc = "Calls with sizes outside all regions of their model."),               \
        FR_OUTPUT(flops, .unit = "flop",                                                     \
                  .doc = "Minimal operation count, also for variants that do more."),        \
        FR_OWN(struct blocked_own, flops_fused, .unit = "1",                                 \
               .doc = "The same, counting a multiplication and its addition as one."),       \
        FR_OUTPUT(gflops, .unit = "Gflop/s", .doc = "flops divided by time_s."),             \
        FR_OUTPUT(percent_of_peak, .unit = "%",                                              \
                  .doc = "Percentage of the threads' peak; null if the peak is unknown."),   \
        FR_BOUND_OUTPUTS, FR_OUTPUTS_END
extern const struct fr_output blocked_outputs[];
extern const char *const blocked_blind_spots[];

/* Candidates for a tunable; return their number. */
size_t blocked_block_sizes(const void *values, const struct fr_calibration *cal, int64_t *out,
                           size_t capacity);
size_t blocked_variants(size_t count, int64_t *out, size_t capacity);
/* Sets the locality and the weight of a blend, and adds a fault for every kernel without a model.
 * `whole` may be a smaller problem of BLOCKED_FEW blocks in each dimension, which uses every
 * kernel.  `kernels` is what `forerun-calibrate --kernels` calls the kernels of all variants, or
 * NULL if they have no common name.  Returns FR_OK or a fault code. */
enum { BLOCKED_FEW = 4 };
int blocked_resolve(struct blocked_values *values, const void *whole, blocked_walk *walk,
                    const char *kernels, const struct fr_calibration *cal,
                    struct fr_faults *faults);
/* Adds up the calls of resolved values.  `flops` is the minimal operation count, `fused` the count
 * with a multiplication and its addition as one. */
void blocked_sum(const struct blocked_values *values, double flops, double fused,
                 struct fr_evaluation *run);
/* The hook of struct fr_model: lists each call with its times. */
void blocked_explain(const void *values, struct fr_evaluation *run,
                     const struct fr_listing *listing);
extern const struct fr_column blocked_columns[];

/* Whether the calibration has the models, in cache on one thread, of all kernels that these values
 * call. */
bool blocked_has_models(const struct fr_calibration *cal, const void *whole, blocked_walk *walk);

/* `also_helpful`, `set` and `has_set` as in struct fr_reads. */
#define BLOCKED_MODEL(S, has_outputs, also_helpful, set, has_set)                                 \
    .reads = { .required = FR_USE(ROUTINE_MODELS),                                                \
               .helpful = FR_USE(NODE_CORES) | FR_USE(NODE_PEAK) | (also_helpful),                \
               .kernels = set,                                                                    \
               .has_kernels = has_set },                                                          \
    .family = "blocked", .groups = FR_CAL_KERNELS, .values_size = sizeof(S), .params = params,    \
    .outputs = has_outputs, .has_ordered_phases = true, .blind_spots = blocked_blind_spots,       \
    .resolve = resolve, .predict = predict, .explain = blocked_explain, .list_name = "call_list", \
    .list_columns = blocked_columns

/* State of a sum over the calls of an algorithm.  Private to resolve.c and sum.c. */

enum { BLOCKED_MOST_KERNELS = 64 };

/* A kernel that the calls use, with the models that the locality needs; others are NULL. */
struct blocked_used {
    struct blocked_kernel kernel;
    const struct blocked_fitted *in_cache, *out_of_cache;
};

struct blocked_total {
    const struct blocked_values *values;
    const struct fr_calibration *cal;
    const char *kernel_set; /* the name of all kernels in forerun-calibrate, or NULL */
    struct blocked_used used[BLOCKED_MOST_KERNELS];
    size_t kernels;
    bool is_full;                /* more than BLOCKED_MOST_KERNELS kernels are used */
    bool has_operands;           /* every call says what its operands are */
    struct blocked_reuse *reuse; /* NULL unless the locality is reuse */
    struct {
        const char *routine;
        double time_s;
    } phase[FR_MAX_PHASES];
    size_t phases;
    struct blocked_times total;
    double variance, calls, outside, reordered, flops;
    struct blocked_memo memo;
    double steps; /* of work not yet charged to the request */
    struct fr_arena *arena;
    struct fr_prediction *out;
    const struct fr_listing *listing;
};

/* The kernel of a call, with its models; NULL beyond BLOCKED_MOST_KERNELS. */
struct blocked_used *blocked_use(struct blocked_total *sum, const struct blocked_kernel *kernel);

#endif
