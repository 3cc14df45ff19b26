#include "engine/dense/quadratic.h"

#include <math.h>

struct quadratic dense_quadratic_sum(struct quadratic a, struct quadratic b)
{
    return (struct quadratic){ a.constant + b.constant, a.linear + b.linear, a.square + b.square };
}

struct quadratic dense_quadratic_times(double factor, struct quadratic of)
{
    return (struct quadratic){ factor * of.constant, factor * of.linear, factor * of.square };
}

static double squares(double last)
{
    return last * (last + 1) * (2 * last + 1) / 6;
}

static double sum(struct quadratic of, double from, double to)
{
    return of.constant * (to - from + 1) + of.linear * (to - from + 1) * (to + from) / 2 +
           of.square * (squares(to) - squares(from - 1));
}

/* The last f at or before each root of the difference; infinite where there is none. */
static void find_roots(struct quadratic of, double root[2])
{
    const double discriminant = of.linear * of.linear - 4 * of.square * of.constant;
    double half_sum;

    root[0] = root[1] = INFINITY;
    if (of.square == 0) {
        if (of.linear != 0)
            root[0] = floor(-of.constant / of.linear);
        return;
    }
    if (discriminant < 0)
        return;
    /* One root from the product of the two: a difference would lose its digits. */
    half_sum = -(of.linear + copysign(sqrt(discriminant), of.linear)) / 2;
    root[0] = floor(half_sum / of.square);
    if (half_sum != 0)
        root[1] = floor(of.constant / half_sum);
}

/* Between the roots of the difference one of the two is the smaller throughout, and has the smaller
 * sum. */
double dense_quadratic_minima(struct quadratic a, struct quadratic b, double from, double to)
{
    double root[2], total = 0;

    find_roots(dense_quadratic_sum(a, dense_quadratic_times(-1, b)), root);
    while (from <= to) {
        double end = to;

        for (int i = 0; i < 2; i++)
            if (root[i] >= from && root[i] < end)
                end = root[i];
        total += fmin(sum(a, from, end), sum(b, from, end));
        from = end + 1;
    }
    return total;
}

double dense_quadratic_maxima(struct quadratic a, struct quadratic b, double from, double to)
{
    return -dense_quadratic_minima(dense_quadratic_times(-1, a), dense_quadratic_times(-1, b), from,
                                   to);
}
