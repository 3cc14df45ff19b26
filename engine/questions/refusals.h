/* Refused configurations of a ranking. */
#ifndef FR_QUESTIONS_REFUSALS_H
#define FR_QUESTIONS_REFUSALS_H

#include "engine/questions/rank.h"

/* Set of fr_param_bit: the tunables that a question gives, with one value or a list. */
uint64_t fr_refusal_tunables(const struct fr_model *model, const void *values,
                             const struct fr_restriction *only);
/* Counts a refused configuration in `out` if it was not judged, or if one of the tunables `given`
 * excludes it.  `why` keeps the reasons against the one that represents all. */
void fr_refusal_note(const struct fr_model *model, uint64_t given, const struct fr_faults *faults,
                     struct fr_faults *why, struct fr_ranking *out);
/* Whether `out` has a row with this prediction, which says that its configuration has another,
 * usual name; it is then counted as refused instead of as legal. */
bool fr_refusal_is_same(const struct fr_prediction *prediction, const struct fr_calibration *cal,
                        struct fr_ranking *out);

#endif
