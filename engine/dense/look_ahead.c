#include "dense/look_ahead.h"

#include <math.h>

double look_ahead_updates_s(const struct update *u, double last)
{
    return u->diagonal_s * last * (last + 1) / 2 +
           u->product_s * (last + 1) * last * (last - 1) / 6;
}

/* update(K) - panel (K - 1) is convex in K, so the update is the smaller one on a single range of K
 * (or nowhere), which its roots bound: the cost does not grow with m.
 */
double look_ahead_hidden_s(const struct update *u, double panel_s, double last)
{
    const double a = u->product_s / 2, b = u->diagonal_s - u->product_s / 2 - panel_s;
    const double discriminant = b * b - 4 * a * panel_s;
    const double panels_s = panel_s * last * (last - 1) / 2;
    double sum, from, to;

    if (last < 2)
        return 0;
    if (discriminant < 0 || b > 0)
        return panels_s;
    /* The smaller root from the product of the two: a difference would lose its digits. */
    sum = -b + sqrt(discriminant);
    from = fmax(1, ceil(2 * panel_s / sum));
    to = fmin(last, floor(sum / (2 * a)));
    if (from > to)
        return panels_s;
    return panels_s - panel_s * (to - from + 1) * (to + from - 2) / 2 +
           look_ahead_updates_s(u, to) - look_ahead_updates_s(u, from - 1);
}
