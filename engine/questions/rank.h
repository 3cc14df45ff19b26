/* Ranking: every combination of the open tunables, best first. */
#ifndef FR_QUESTIONS_RANK_H
#define FR_QUESTIONS_RANK_H

#include "engine/questions/answer.h"

#include <stddef.h>

/* How much memory matters to a choice. */
enum fr_memory { FR_MEMORY_LIMIT, FR_MEMORY_IGNORE };

/* One configuration of a ranking. */
struct fr_ranked {
    const void *values;
    struct fr_prediction prediction;
    struct fr_spread spread;
};
struct fr_ranking {
    struct fr_ranked *row; /* best first */
    size_t count;
    size_t legal; /* configurations that the model accepts */
    size_t left_out_memory;
    size_t left_out_missing;       /* for want of calibrated values */
    size_t left_out_long;          /* FR_TOO_LONG: one prediction takes more than a question may */
    char reason[FR_MESSAGE_BYTES]; /* of the first of these two kinds */
    /* Nearest miss where a limit leaves nothing: the least memory that a process needs, its limit.
     */
    double least_memory_bytes, memory_limit_bytes;
    /* Recommendations: the one of least time over all counts of nodes, whatever the goal; more
     * nodes than it has do not help. */
    struct fr_ranked fastest;
};
/* Every combination of the tunables that are open, best (least time) first, at most `keep` rows.
 * `faults` comes empty; where the model accepts no combination, it holds what is against the one
 * that comes nearest.  FR_NOMEM: a prediction takes more than a question may. */
int fr_rank(const struct fr_model *model, const void *values, const struct fr_run_source *source,
            const struct fr_calibration *cal, enum fr_memory memory, size_t keep,
            struct fr_arena *arena, struct fr_ranking *out, struct fr_faults *faults);

#endif
