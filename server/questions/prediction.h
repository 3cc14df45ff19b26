/* Predictions for questions, with baselines and intervals. */
#ifndef FR_QUESTIONS_PREDICTION_H
#define FR_QUESTIONS_PREDICTION_H

#include "server/questions/ask.h"

/* A prediction and its inputs. */
struct fr_predicted {
    const struct fr_model *model;
    const struct fr_loaded *loaded;
    const struct fr_calibration *cal; /* with the what-ifs applied */
    const void *values;               /* resolved */
    const struct fr_prediction *prediction;
    struct fr_spread spread;              /* over several saved runs, if used */
    const struct fr_residuals *residuals; /* of comparable runs, or NULL */
    const struct fr_predicted *baseline;  /* without the what-ifs, or NULL */
    const struct fr_change *change;
    size_t change_count;
    struct fr_arena *arena;
    bool is_explained; /* the JSON includes its components */
};

/* Resolves the values and predicts; with what-ifs, also predicts the baseline without them.
 * `values` are bound but not resolved, and stay unchanged.  Everything that `out` refers to lives
 * in the request's arena.  Returns FR_OK, or a code with faults. */
int fr_predict(struct fr_request *rq, const struct fr_model *model, const void *values,
               const struct fr_loaded *loaded, const struct fr_calibration *cal,
               const struct fr_matching_runs *matching, const struct fr_change *change,
               size_t change_count, struct fr_predicted *out, struct fr_faults *faults);

/* Estimates an interval for the measured time.  The first available source is used: residuals of
 * comparable runs, predictions with each of several saved runs, spread of the calibration's
 * measurements.  Returns false, and leaves *out unchanged, if no source is available. */
bool fr_predicted_interval(const struct fr_predicted *predicted, struct fr_interval *out,
                           const char **basis);

#endif
