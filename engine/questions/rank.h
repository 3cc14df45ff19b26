/* Ranking: every combination of the open and the restricted tunables, best first. */
#ifndef FR_QUESTIONS_RANK_H
#define FR_QUESTIONS_RANK_H

#include "engine/questions/answer.h"
#include "engine/questions/combinations.h"

#include <stddef.h>

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
 * fewest.  FR_NOMEM if the work exceeds that of a question.  Whenever `goes_on` of the arena is
 * called, `out` holds the best so far and their counts. */
int fr_rank(const struct fr_model *model, const void *values, const struct fr_restriction *only,
            const struct fr_run_source *source, const struct fr_calibration *cal,
            enum fr_memory memory, size_t keep, struct fr_arena *arena, struct fr_ranking *out,
            struct fr_faults *faults);

#endif
