/* Reads a call for the Sampler: the short form `dtrsm LLNN 100 200 -1`, or a tuple of all
 * arguments,
 * `(dtrsm, L, L, N, N, 100, 200, 1.0, 10000, 2500, 20000, 2500)`.
 *
 * In a tuple each operand is given by its size in elements, or its name, in the place of its
 * address, and its leading dimension.  The scalars are alpha and, before the operand that is
 * overwritten, beta (1) if the routine has one; work space, pivots and results are omitted.
 */
#ifndef FR_CALL_PARSER_H
#define FR_CALL_PARSER_H

#include "calibrations/calibrate/blocked/sampler.h"

/* Reads a text that is one call.  `layout` gets the leading dimensions of a tuple, or zeros.
 * Returns 0, or -1 with an error message in `why` and the other outputs unchanged. */
int fr_call_parse(const char *text, struct blocked_call *call, struct fr_layout *layout,
                  char why[BLOCKED_WHY_BYTES]);

#endif
