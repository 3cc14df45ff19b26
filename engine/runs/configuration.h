/* What runs: the parameters of a question or saved run by which their configurations are compared.
 * Parameters with FR_METHOD only choose how to predict it, and are left out. */
#ifndef FR_RUNS_CONFIGURATION_H
#define FR_RUNS_CONFIGURATION_H

#include "engine/prediction/model.h"

#include <stdbool.h>
#include <stdint.h>

/* A hash of the parameters without those flags, equal for equal ones: of a configuration without
 * FR_METHOD, of a problem without FR_TUNABLE too. */
uint64_t fr_configuration(const struct fr_model *model, const void *values, unsigned left_out);

/* A configuration by its hashes: that of the parameters that each question decides, and those of
 * the others, in the order of the table.  A question decides the others only if it gives them, or,
 * if they are FR_ITERATIONS, only if it is about the whole time. */
enum { FR_MOST_UNDECIDED = 16 };
struct fr_footprint {
    uint64_t decided, other[FR_MOST_UNDECIDED]; /* 0: open */
};
void fr_footprint_of(const struct fr_model *model, const void *values, struct fr_footprint *out);

/* What a saved run is to agree in with a question: in what changes its time, or in what changes the
 * measurements that a model takes from it, seconds of one iteration. */
enum fr_agreement { FR_SAME_TIME, FR_SAME_ITERATION };
/* Whether a run has the configuration of a question, which gives the set `given` of parameters. */
bool fr_footprint_agrees(const struct fr_model *model, const struct fr_footprint *run,
                         const struct fr_footprint *question, uint64_t given,
                         enum fr_agreement agreement);

#endif
