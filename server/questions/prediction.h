/* The prediction that a question asks for. */
#ifndef FR_QUESTIONS_PREDICTION_H
#define FR_QUESTIONS_PREDICTION_H

#include "server/questions/ask.h"

/* A prediction and what it was made from. */
struct fr_predicted {
    const struct fr_model *model;
    const struct fr_loaded *loaded;
    const struct fr_calibration *cal; /* with the what-ifs applied */
    const void *values;               /* resolved */
    const struct fr_prediction *prediction;
    struct fr_spread spread;              /* where several saved runs served */
    const struct fr_residuals *residuals; /* of comparable runs, or NULL */
    const struct fr_predicted *baseline;  /* without the what-ifs, or NULL */
    const struct fr_change *change;
    size_t change_count;
    struct fr_arena *arena;
    bool is_explained; /* its list is part of the JSON */
};

/* Resolves and predicts, and the same without the what-ifs where there are any.  `values` are
 * bound, not resolved, and stay as they are; what `out` points to lives in the request's arena. */
int fr_predict(struct fr_request *rq, const struct fr_model *model, const void *values,
               const struct fr_loaded *loaded, const struct fr_calibration *cal,
               const struct fr_matching_runs *matching, const struct fr_change *change,
               size_t change_count, struct fr_predicted *out, struct fr_faults *faults);

/* Where the measured time will lie: by the residuals of comparable runs; else, where many runs
 * served as input, by the predictions with each of them; else by the spread of the calibration's
 * measurements.  False where none of these is known; then nothing is written. */
bool fr_predicted_interval(const struct fr_predicted *predicted, struct fr_interval *out,
                           const char **basis);

#endif
