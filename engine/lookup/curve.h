/* Measured curves: linear between points, constant outside. Private to the engine. */
#ifndef FR_CURVE_H
#define FR_CURVE_H

#include "engine/calibration/calibration.h"

/* The curve at x; outside its range the nearest end's value. */
double fr_curve_at(const struct fr_curve *curve, double x);
bool fr_curve_covers(const struct fr_curve *curve, double x);
double fr_curve_low(const struct fr_curve *curve);
double fr_curve_high(const struct fr_curve *curve);
/* Linear between (x0, y0) and (x1, y1). */
double fr_between(double x, double x0, double y0, double x1, double y1);

/* Least-squares polynomial of degree min(2, count - 1) through (x, y), evaluated at `at`.
 * x are distinct and ascending. O(count). */
double fr_fit_quadratic(const double *x, const double *y, size_t count, double at);

#endif
