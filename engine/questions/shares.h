/* How much of a prediction rests on what its warnings say is extrapolated. */
#ifndef FR_QUESTIONS_SHARES_H
#define FR_QUESTIONS_SHARES_H

#include "engine/prediction/model.h"

/* Sets share_fraction of the warnings `extrapolated`: by how much of an error of the extrapolated
 * values the time changes.  Each takes a prediction more: where that takes long, only the first
 * is weighed, and where it fails, none; the other shares stay NaN.  `values` are resolved, and
 * those of the prediction. */
void fr_shares_find(const struct fr_model *model, const void *values,
                    const struct fr_calibration *cal, struct fr_arena *arena,
                    struct fr_prediction *prediction);

/* How wrong a prediction may be because it is for more processes than the network was measured
 * on. */
struct fr_extrapolation {
    bool is_present; /* the time depends on such a network; otherwise all are NaN: */
    double measured_processes, processes;
    /* The times if everything that is extrapolated takes less, or more, by its expected error, and
     * high_s / time_s - 1; NaN: there were too few measurements to tell. */
    double low_s, high_s, expected_error_fraction;
};
/* Finds the expected errors of a prediction whose shares are known
 * (docs/calibration.md#expected-errors), and sets those of its warnings.  Takes two predictions
 * more if anything is extrapolated. */
struct fr_extrapolation fr_extrapolation_find(const struct fr_model *model, const void *values,
                                              const struct fr_calibration *cal,
                                              struct fr_arena *arena,
                                              struct fr_prediction *prediction);
/* Writes the sentence for people, of one that is present. */
void fr_extrapolation_print(const struct fr_extrapolation *of, char *out, size_t size);

#endif
