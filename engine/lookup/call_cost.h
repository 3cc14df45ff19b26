/* Costs of BLAS calls as programs make them (docs/models/block_cyclic.md#costs-of-calls). */
#ifndef FR_LOOKUP_CALL_COST_H
#define FR_LOOKUP_CALL_COST_H

#include "engine/prediction/prediction.h"

/* What a call of m, n and k does: its multiplications with their additions, and the elements of
 * its operands.  dsyrk: m = n; dtrsm: m = k the order of the triangle, n right-hand sides. */
struct fr_call_amounts {
    double multiply_adds, a_elements, b_elements, c_elements;
};
struct fr_call_amounts fr_call_amounts(enum fr_blas_call call, double m, double n, double k);

/* The rows of one call and thread count, in order; count 0: none.  Borrowed from the
 * calibration. */
struct fr_call_costs {
    const struct fr_call_cost *row[FR_CALL_ROWS_MAX];
    size_t count;
};
struct fr_call_costs fr_call_costs_find(const struct fr_calibration *cal, enum fr_blas_call call,
                                        int64_t threads);

/* Seconds of a call; its sizes are above 0 and may be fractional.  Warns beyond the sizes measured.
 */
double fr_call_s(struct fr_evaluation *run, const struct fr_call_costs *costs, double m, double n,
                 double k);
/* No more than the calls take together among which the n columns are divided. */
double fr_call_least_s(const struct fr_call_costs *costs, double m, double n, double k);

#endif
