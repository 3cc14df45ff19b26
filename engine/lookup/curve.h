/* Measured curves: linear between points, constant outside.  A curve has at least one point; its
 * abscissas are ascending, log2 of a size, distance or process count.  Private to the engine. */
#ifndef FR_CURVE_H
#define FR_CURVE_H

#include "engine/calibration/calibration.h"
#include "engine/prediction/prediction.h"

/* The curve at x; outside its range the value of the nearest end.  O(log points). */
double fr_curve_at(const struct fr_curve *curve, double x);
/* Whether x lies within the range, ends included. */
bool fr_curve_covers(const struct fr_curve *curve, double x);
/* The ends of the range. */
double fr_curve_low(const struct fr_curve *curve);
double fr_curve_high(const struct fr_curve *curve);
/* The value at x of the line through (x0, y0) and (x1, y1); x0 and x1 differ. */
double fr_interpolate(double x, double x0, double y0, double x1, double y1);

/* Names of the two keys of a table in warnings: of the abscissa, and of the curves' key.  The
 * values are rates or times: an expected error that lengthens a time lowers a rate. */
struct fr_curves_names {
    const char *abscissa, *key;
    bool are_rates;
};
/* The value at `value` (its log2 is the abscissa) on the curves of the nearest keys, then linear in
 * the key itself; constant outside, with a warning for either.  `curves` has at least one. */
double fr_curves_at(struct fr_evaluation *run, const struct fr_curves *curves,
                    struct fr_curves_names names, double value, double key);

/* The least-squares polynomial of degree min(2, count - 1) of the points (x, y), evaluated at `at`.
 * count is at least 1; x are distinct and ascending.  O(count). */
double fr_fit_quadratic(const double *x, const double *y, size_t count, double at);

#endif
