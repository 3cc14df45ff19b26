/* Calls as the Sampler reads them: the short form `dtrsm LLNN 100 200 -1`, or the tuple of all
 * arguments, `(dtrsm, L, L, N, N, 100, 200, 1.0, 10000, 2500, 20000, 2500)`.
 *
 * In a tuple each operand stands as its size in elements, where BLAS takes its address, and its
 * leading dimension.  The scalars are alpha (1 or -1) and, before the operand that is overwritten,
 * beta (1) where the routine has one; work space, pivots and results are left out.
 */
#ifndef FR_TUPLE_H
#define FR_TUPLE_H

#include "calibrations/calibrate/blocked/operands.h"

/* Reads the one call of a text; `layout` gets the leading dimensions of a tuple, or zeros.  Returns
 * 0, or -1 with a sentence in `why`; then nothing else was written. */
int fr_call_parse(const char *text, struct blocked_call *call, struct fr_layout *layout,
                  char why[BLOCKED_WHY_BYTES]);

#endif
