/* Predictions for questions, with baselines and what to expect of the measured time. */
#ifndef FR_QUESTIONS_PREDICTION_H
#define FR_QUESTIONS_PREDICTION_H

#include "engine/questions/answer.h"

#include "server/questions/ask.h"

/* A prediction and its inputs. */
struct fr_predicted {
    const struct fr_model *model;
    const struct fr_loaded *loaded;
    const struct fr_calibration *cal; /* with the what-ifs applied */
    const void *values;               /* resolved */
    struct fr_prediction *prediction;
    struct fr_spread spread; /* over several saved runs, if used */
    struct fr_extrapolation extrapolation;
    const struct fr_errors *errors; /* of comparable runs, or NULL */
    struct fr_outlook_asked asked;
    struct fr_outlook outlook;
    struct fr_predicted *baseline; /* without the what-ifs, or NULL */
    const struct fr_change *change;
    size_t change_count;
    struct fr_arena *arena;
    bool is_explained; /* the JSON includes its components */
};

/* Resolves the values and predicts; with what-ifs, also predicts the baseline without them.
 * The question's values stay unchanged; its first target counts.  Everything that `out` refers to
 * lives in the request's arena.  Returns FR_OK, or a code with faults. */
int fr_predict(struct fr_request *rq, const struct fr_question *question, struct fr_predicted *out,
               struct fr_faults *faults);

/* Finds the outlook of the prediction and of its baseline. */
void fr_predicted_foresee(struct fr_predicted *predicted, const struct fr_outlook_asked *asked);

/* The range of the time within which half of the calibration's measurements lie, if their noise is
 * the same everywhere.  It knows nothing of the model's error, so it is no interval.  False if a
 * value states no spread, or the request changes values. */
struct fr_calibrated_range {
    double low_s, high_s, spread_fraction;
};
bool fr_predicted_calibrated_range(const struct fr_predicted *predicted,
                                   struct fr_calibrated_range *out);

#endif
