/* Measured curves: linear between points, constant outside.  A curve has at least one point; its
 * abscissas are ascending, log2 of a size, distance or process count.  Private to the engine. */
#ifndef FR_CURVE_H
#define FR_CURVE_H

#include "engine/calibration/calibration.h"

/* The curve at x; outside its range the value of the nearest end.  O(log points). */
double fr_curve_at(const struct fr_curve *curve, double x);
/* Whether x lies within the range, ends included. */
bool fr_curve_covers(const struct fr_curve *curve, double x);
/* The ends of the range. */
double fr_curve_low(const struct fr_curve *curve);
double fr_curve_high(const struct fr_curve *curve);
/* The value at x of the line through (x0, y0) and (x1, y1); x0 and x1 differ. */
double fr_interpolate(double x, double x0, double y0, double x1, double y1);

/* The least-squares polynomial of degree min(2, count - 1) of the points (x, y), evaluated at `at`.
 * count is at least 1; x are distinct and ascending.  O(count). */
double fr_fit_quadratic(const double *x, const double *y, size_t count, double at);

#endif
