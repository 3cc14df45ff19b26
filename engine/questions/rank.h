/* Combinations of values, in the order of their times. */
#ifndef FR_QUESTIONS_RANK_H
#define FR_QUESTIONS_RANK_H

#include "engine/core/arena.h"
#include "engine/core/param.h"
#include "engine/prediction/model.h"
#include "engine/questions/answer.h"
#include "engine/runs/saved_run.h"

/* The configurations that a question compares: its axes, their combinations, the fewest nodes. */

/* Axes of a sweep: lists and ranges of parameter values. */

enum { FR_MAX_POINTS = 100000, FR_MAX_AXES = 16 };

/* `lo..hi`, `lo..hi..step` or `lo..hi..*factor`. */
struct fr_range {
    double low, high, step;
    bool is_factor;
};
/* Reads a range, which begins a text with `..` in its first `length` bytes.  Returns FR_OK or the
 * code of the fault; does not check the limits of the parameter. */
int fr_range_parse(const struct fr_param *param, const char *text, size_t length,
                   struct fr_range *range, struct fr_faults *faults);

/* One parameter and its values. */
struct fr_axis {
    const struct fr_param *param;
    double *value;            /* all kinds but VECTOR and TEXT */
    struct fr_vector *vector; /* VECTOR */
    size_t count;
    const char *const *text; /* TEXT */
};
/* Reads `a,b,c`, `lo..hi`, `lo..hi..step` or `lo..hi..*factor`: at most FR_MAX_POINTS values.
 * Memory comes from `arena`.  Returns FR_OK or the code of the fault. */
int fr_axis_parse(const struct fr_param *param, const char *text, struct fr_arena *arena,
                  struct fr_axis *axis, struct fr_faults *faults);
/* The axis of the one value that a parameter has in `values`; without values if memory is short. */
struct fr_axis fr_axis_of_one(const struct fr_param *param, const void *values,
                              struct fr_arena *arena);
/* Puts numbers and choices in ascending order, each once. */
void fr_axis_sort(struct fr_axis *axis);
/* Sets the parameter to the value at `index`. */
void fr_axis_put(const struct fr_axis *axis, size_t index, void *values);
void fr_axis_print(const struct fr_axis *axis, size_t index, char *out, size_t size);
/* Sets the values of point `index` of the product; the last axis varies fastest. */
void fr_axes_point(const struct fr_axis *axis, size_t count, size_t index, void *values);
/* The axis of this parameter; NULL: none. */
const struct fr_axis *fr_axes_find(const struct fr_axis *axis, size_t count, const char *name);
/* Computes the number of points.  FR_TOO_MANY_POINTS beyond FR_MAX_POINTS / `machines`. */
int fr_axes_count(const struct fr_axis *axis, size_t count, size_t machines, size_t *points,
                  struct fr_faults *faults);

/* The combinations of the tunables that a question leaves open, or restricts to lists. */

/* The values to try of some tunables, in place of their candidates: at most FR_MAX_AXES lists, with
 * at most FR_MAX_POINTS combinations (fr_axes_count). */
struct fr_restriction {
    const struct fr_axis *list;
    size_t count;
};

struct fr_combinations {
    const struct fr_model *model;
    const struct fr_calibration *cal;
    const struct fr_restriction *only; /* NULL: no list */
    void *values; /* the current combination; the tunables to vary are open before */
    bool (*visit)(void *context); /* with each combination; false: that was the last one */
    void *context;
};
/* Visits each combination.  Candidates depend on the values of the lists. */
void fr_combinations_each(const struct fr_combinations *combinations);

/* The fewest nodes on which something fits into memory. */

/* Finds the fewest nodes, of those that suit the model, on which a configuration fits: more than
 * `above`, at most `most`.  0: there are none, the problem grows with the nodes, or finding them
 * takes more work than a part of the question's. */
int64_t fr_fewest_nodes(const struct fr_model *model, const void *values,
                        const struct fr_restriction *only, const struct fr_calibration *cal,
                        int64_t above, int64_t most, struct fr_arena *arena);

/* Ranking: every combination of the open and the restricted tunables, best first. */

/* A configuration that is sure to take so many times the best time is not predicted to its end. */
#define FR_SLOW 1.25

/* Whether the memory limit excludes configurations. */
enum fr_memory { FR_MEMORY_LIMIT, FR_MEMORY_IGNORE };

/* What a ranking minimizes: the time or, where configurations differ in size
 * (fr_model_is_filled), the time of an operation. */
static inline double fr_rank_cost(const struct fr_prediction *prediction, bool is_filled)
{
    return is_filled ? prediction->time_s / prediction->flops : prediction->time_s;
}

/* Whether the models can tell two configurations apart: they do not resolve smaller ratios of times
 * (docs/models/blocked.md). */
#define FR_NEAR 1.02
static inline bool fr_rank_is_near(const struct fr_prediction *prediction,
                                   const struct fr_prediction *best, bool is_filled)
{
    return fr_rank_cost(prediction, is_filled) <= FR_NEAR * fr_rank_cost(best, is_filled);
}

/* One configuration of a ranking. */
struct fr_ranked {
    const void *values;
    struct fr_prediction prediction;
    struct fr_spread spread;
    struct fr_outlook outlook; /* of a recommendation whose deadline is judged by a quantile */
};
struct fr_ranking {
    struct fr_ranked *row; /* best first */
    size_t count;
    bool is_filled; /* the size of the problem follows from each configuration */
    size_t legal;   /* configurations that the model accepts */
    size_t tried;   /* combinations that are done with, those that it refuses too */
    size_t left_out_memory;
    size_t left_out_missing; /* calibrated values are missing */
    size_t left_out_long; /* FR_TOO_LONG, FR_LIMITED: over a limit of the daemon or of the client */
    size_t left_out_slow; /* sure to take more than FR_SLOW times the best; of one row: than it */
    size_t untried;       /* the work of the question was used up before these */
    size_t untried_nodes; /* of a recommendation: counts of nodes, of which nothing was tried */
    char reason[FR_MESSAGE_BYTES]; /* of the first configuration left out for either reason */
    size_t left_out_refused;       /* contradict a tunable that is given, as 2d does two layers */
    char refusal[FR_MESSAGE_BYTES + 48]; /* of the first of them */
    /* If the memory limit excludes everything: the least memory that a process needs, and its
     * limit. */
    double least_memory_bytes, memory_limit_bytes;
    /* Recommendations: the fastest configuration over all node counts, whatever the objective; more
     * nodes do not help. */
    struct fr_ranked fastest;
    /* The best one for FR_KNEE, whatever the objective; of a problem of fixed size. */
    struct fr_ranked knee;
    bool has_knee;
};
/* Ranks every combination of the open tunables, least cost first, at most `keep` rows.  Those of
 * `only` (or NULL), which are open in `values`, take the values of its lists.  `faults` must be
 * empty; if the model accepts no combination, they hold the reasons against the one with the
 * fewest.  FR_NOMEM if the work exceeds that of a question before anything is found; where the
 * model has a lower bound, what was found is returned, and the rest is counted as untried. Whenever
 * `goes_on` of the arena is called, `out` holds the best so far and their counts. */
int fr_rank(const struct fr_model *model, const void *values, const struct fr_restriction *only,
            const struct fr_run_source *source, const struct fr_calibration *cal,
            enum fr_memory memory, size_t keep, struct fr_arena *arena, struct fr_ranking *out,
            struct fr_faults *faults);

/* Refused configurations of a ranking. */

/* Set of fr_param_bit: the tunables that a question gives, with one value or a list. */
uint64_t fr_refusal_tunables(const struct fr_model *model, const void *values,
                             const struct fr_restriction *only);
/* Counts a refused configuration in `out` if it was not judged, or if one of the tunables `given`
 * excludes it.  `why` keeps the reasons against the one that represents all. */
void fr_refusal_note(const struct fr_model *model, uint64_t given, const struct fr_faults *faults,
                     struct fr_faults *why, struct fr_ranking *out);
/* Whether this prediction says that its configuration has another, usual name, which the question
 * compares too; it is then counted in `out` as refused. */
bool fr_refusal_is_same(const struct fr_model *model, uint64_t given,
                        const struct fr_restriction *only, const struct fr_calibration *cal,
                        const struct fr_prediction *prediction, struct fr_ranking *out);
/* Whether a prediction alone was too much, and the fault says of what. */
bool fr_refusal_says_what(const struct fr_faults *why);
/* Says which parameters leave so many configurations, after what the model says of its work.
 * Returns FR_NOMEM. */
int fr_refusal_too_many(const struct fr_model *model, const void *values, struct fr_faults *faults);

#endif
