/* Piecewise linear curves over ascending abscissas. */
#include "engine/lookup/lookup.h"

#include <math.h>

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

/* What a value of the table has to be multiplied by where `at` lies outside [low, high]. */
static double weight_outside(struct fr_evaluation *run, const char *name, bool is_rate, double at,
                             double low, double high)
{
    const double weight = fr_extrapolate(run->out, name, at, low, high);

    return is_rate ? 1 / weight : weight;
}

static double value_on(struct fr_evaluation *run, const struct fr_curve *curve,
                       struct fr_curves_names names, double value)
{
    const double x = log2(value);
    double weight = 1;

    if (!fr_curve_covers(curve, x))
        weight =
            weight_outside(run, names.abscissa, names.are_rates, value,
                           round(exp2(fr_curve_low(curve))), round(exp2(fr_curve_high(curve))));
    return weight * fr_curve_at(curve, x);
}

double fr_curves_at(struct fr_evaluation *run, const struct fr_curves *curves,
                    struct fr_curves_names names, double value, double key)
{
    const size_t last = curves->count - 1;
    double weight = 1;
    size_t above = 0;

    while (above < last && (double)curves->key[above] < key)
        above++;
    if (above > 0 && (double)curves->key[above] > key)
        return fr_interpolate(key, (double)curves->key[above - 1],
                              value_on(run, &curves->curve[above - 1], names, value),
                              (double)curves->key[above],
                              value_on(run, &curves->curve[above], names, value));
    if ((double)curves->key[above] != key)
        weight = weight_outside(run, names.key, names.are_rates, key, (double)curves->key[0],
                                (double)curves->key[last]);
    return weight * value_on(run, &curves->curve[above], names, value);
}
