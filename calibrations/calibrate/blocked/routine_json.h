/* A routine model as the document has it (blocked.md 7). */
#ifndef FR_ROUTINE_JSON_H
#define FR_ROUTINE_JSON_H

#include "calibrations/calibrate/blocked/fit_history.h"
#include "calibrations/calibrate/blocked/modeling.h"

struct fr_writer;

struct fr_routine_made {
    const struct fr_domain *domain;
    const struct blocked_build *build;
    const struct blocked_model *model;
    const struct fr_fit_history *building;
    bool is_cold;
    int threads, repetitions, leading_dimension;
    double seconds; /* it took; NAN: not known, as it took over samples */
};

void fr_routine_json(struct fr_writer *out, const struct fr_routine_made *made);

#endif
