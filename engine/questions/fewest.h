/* The fewest nodes on which something fits into memory. */
#ifndef FR_QUESTIONS_FEWEST_H
#define FR_QUESTIONS_FEWEST_H

#include "engine/questions/combinations.h"
#include "engine/runs/saved_run.h"

#include <stdint.h>

/* Finds the fewest nodes, of those that suit the model, on which a configuration fits: more than
 * `above`, at most `most`.  0: there are none, the problem grows with the nodes, or finding them
 * takes more work than a part of the question's. */
int64_t fr_fewest_nodes(const struct fr_model *model, const void *values,
                        const struct fr_restriction *only, const struct fr_calibration *cal,
                        int64_t above, int64_t most, struct fr_arena *arena);

#endif
