/* The answer to a question: one prediction, or the median over predictions with matching saved
 * runs. */
#ifndef FR_QUESTIONS_ANSWER_H
#define FR_QUESTIONS_ANSWER_H

#include "engine/core/statistics.h"
#include "engine/prediction/model.h"
#include "engine/runs/saved_run.h"

#include <stddef.h>

/* The spread of the predictions with each matching saved run. */
struct fr_spread {
    size_t runs; /* 0 if no saved run was used; the other members are then undefined */
    struct fr_box_statistics box;
    double unaided_s;    /* predicted without the measurements of the runs; NaN: not possible */
    bool is_transferred; /* the nearest run corrects the estimate; `runs` is then 0 */
};
/* Resolves and predicts bound values, once with each matching saved run; the answer is the median
 * prediction (docs/saved_runs.md#runs-that-serve-a-prediction).  `values` become resolved. `source`
 * may be NULL. */
int fr_model_answer(const struct fr_model *model, void *values, const struct fr_run_source *source,
                    const struct fr_calibration *cal, struct fr_arena *arena,
                    struct fr_prediction *out, struct fr_spread *spread, struct fr_faults *faults);

#endif
