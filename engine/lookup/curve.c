/* Piecewise linear curves over ascending abscissas. */
#include "engine/lookup/curve.h"

double fr_interpolate(double x, double x0, double y0, double x1, double y1)
{
    return y0 + (y1 - y0) * ((x - x0) / (x1 - x0));
}

double fr_curve_low(const struct fr_curve *curve)
{
    return curve->x[0];
}

double fr_curve_high(const struct fr_curve *curve)
{
    return curve->x[curve->count - 1];
}

bool fr_curve_covers(const struct fr_curve *curve, double x)
{
    return x >= fr_curve_low(curve) && x <= fr_curve_high(curve);
}

double fr_curve_at(const struct fr_curve *curve, double x)
{
    size_t below = 0, above = curve->count - 1;

    if (x <= curve->x[below])
        return curve->y[below];
    if (x >= curve->x[above])
        return curve->y[above];
    while (above - below > 1) {
        const size_t middle = (below + above) / 2;

        if (curve->x[middle] <= x)
            below = middle;
        else
            above = middle;
    }
    return fr_interpolate(x, curve->x[below], curve->y[below], curve->x[above], curve->y[above]);
}
