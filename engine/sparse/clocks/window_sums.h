/* The amounts of a factorization on one process with a look-ahead window: equations of the fit, and
 * the sequential time. */
#ifndef FR_SPARSE_WINDOW_SUMS_H
#define FR_SPARSE_WINDOW_SUMS_H

#include "engine/sparse/clocks/window_work.h"

/* `tables` record look-ups outside their sizes.  FR_OK, or FR_NOMEM without a fault. */
int sparse_window_sums(const struct sparse_structure *s, const struct sparse_schedule *schedule,
                       int32_t window, struct sparse_tables *tables, struct sparse_sums *out);

#endif
