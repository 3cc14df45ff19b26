/* The answer to a question: one prediction, or the median over the saved runs that match. */
#ifndef FR_QUESTIONS_ANSWER_H
#define FR_QUESTIONS_ANSWER_H

#include "engine/core/statistics.h"
#include "engine/prediction/model.h"
#include "engine/runs/saved_run.h"

#include <stddef.h>

/* Where several saved runs served one question: how the predictions spread. */
struct fr_spread {
    size_t runs;          /* 0: no saved run was used, and the rest is without meaning */
    double low_s, high_s; /* 5 % and 95 % quantiles */
    struct fr_box_statistics box;
};
/* The whole of it: resolves and predicts bound values, once with each saved run that matches; the
 * answer is the median prediction (krylov.md 2.3).  `values` become resolved.  `source` may be
 * NULL: no runs. */
int fr_model_answer(const struct fr_model *model, void *values, const struct fr_run_source *source,
                    const struct fr_calibration *cal, struct fr_arena *arena,
                    struct fr_prediction *out, struct fr_spread *spread, struct fr_faults *faults);

#endif
