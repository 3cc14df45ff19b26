/* Evaluations of kernel models that the calls of an algorithm share: most of its calls have the
 * sizes of other ones. */
#ifndef FR_BLOCKED_MEMO_H
#define FR_BLOCKED_MEMO_H

#include "engine/blocked/fitted.h"
#include "engine/core/arena.h"

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

#endif
