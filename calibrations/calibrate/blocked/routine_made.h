/* A routine model as a row of the calibration document
 * (docs/models/kernel_models.md#routine-models-in-the-calibration-document). */
#ifndef FR_ROUTINE_MADE_H
#define FR_ROUTINE_MADE_H

#include "calibrations/calibrate/blocked/fit_history.h"
#include "calibrations/calibrate/blocked/modeling.h"

struct fr_document;

struct fr_routine_made {
    const struct fr_domain *domain;
    const struct blocked_build *build;
    const struct blocked_model *model;
    const struct fr_fit_history *history;
    bool is_cold;
    int threads, repetitions, leading_dimension;
    double seconds; /* to build it; NAN: unknown, because samples were resumed */
};

/* Adds the row, with its build options and its convergence. */
void fr_routine_record(struct fr_document *document, const struct fr_routine_made *made);

#endif
