/* Names the regions of a routine model that missed their error bound. */
#ifndef FR_MISSED_H
#define FR_MISSED_H

#include "engine/blocked/modeler.h"

enum { FR_MISSED_BYTES = 280 };

/* Writes "2 of 5 regions missed the error bound of 8 %: m 8 to 64, n 8 to 128 (23 %); ...", the
 * largest errors first, as many as fit.  Returns the number of regions that missed it; 0: nothing
 * is written. */
size_t fr_missed_write(const struct blocked_routine *routine, const struct blocked_model *model,
                       double eps, char out[FR_MISSED_BYTES]);

#endif
