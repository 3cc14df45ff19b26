/* Sample grids (docs/models/kernel_models.md#sample-grid).  Inner points are multiples of 8,
 * because kernels work on blocks of 8 elements and other sizes behave differently. */
#include "engine/blocked/modeling.h"

#include <math.h>

enum { MULTIPLE = 8 };

int64_t modeling_round(int64_t numerator, int64_t denominator)
{
    return (2 * numerator + MULTIPLE * denominator) / (2 * MULTIPLE * denominator) * MULTIPLE;
}

static int64_t inner_point(enum blocked_grid kind, int64_t lo, int64_t hi, int64_t i, int64_t last)
{
    static const double pi = 3.14159265358979323846;
    double share;

    if (kind == BLOCKED_CARTESIAN)
        return modeling_round(lo * last + (hi - lo) * i, last);
    /* The 1e-9 keeps the rounding error of the cosine from deciding the direction of a half. */
    share = (1 - cos(pi * (double)i / (double)last)) / 2;
    return (int64_t)floor(((double)lo + (double)(hi - lo) * share) / MULTIPLE + 0.5 + 1e-9) *
           MULTIPLE;
}

size_t blocked_grid(enum blocked_grid kind, int64_t lo, int64_t hi, size_t points, int64_t *out)
{
    size_t count = 0;

    if (points == 0)
        return 0;
    out[count++] = lo;
    for (size_t i = 1; i + 1 < points; i++) {
        const int64_t at = inner_point(kind, lo, hi, (int64_t)i, (int64_t)points - 1);

        if (at > out[count - 1] && at < hi) /* may leave the side or coincide after rounding */
            out[count++] = at;
    }
    if (points > 1 && hi > lo)
        out[count++] = hi;
    return count;
}
