/* Machines of the Krylov golden file, one for each topology. */
#ifndef FR_MACHINES_H
#define FR_MACHINES_H

#include "tests/unit/support/question.h"

struct machines {
    struct fr_arena *arena;
    const struct fr_calibration *torus, *dragonfly, *uniform;
};
/* Setup and teardown of a group of tests; *state is a struct machines. */
int machines_begin(void **state);
/* The predicted time_s. */
double time_of(const char *model, const char *query, const struct fr_calibration *cal);

#endif
