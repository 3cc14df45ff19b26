/* Least squares with polynomials that are orthogonal over the points (Forsythe).  It needs no
 * matrix and avoids the cancellation of powers of x. */
#include "engine/lookup/lookup.h"

double fr_fit_quadratic(const double *x, const double *y, size_t count, double at)
{
    const size_t degree = count > 2 ? 2 : count - 1;
    double previous_norm = 1, result = 0;
    double shift[3] = { 0 }, ratio[3] = { 0 }; /* p[k+1] = (x - shift[k]) p[k] - ratio[k] p[k-1] */

    for (size_t k = 0; k <= degree; k++) {
        double norm = 0, moment = 0, projection = 0, value, before;

        for (size_t i = 0; i <= count; i++) {
            const double here = i < count ? x[i] : at;

            value = 1;
            before = 0;
            for (size_t j = 0; j < k; j++) {
                const double next = (here - shift[j]) * value - ratio[j] * before;

                before = value;
                value = next;
            }
            if (i < count) {
                norm += value * value;
                moment += here * value * value;
                projection += y[i] * value;
            }
        }
        result += projection / norm * value; /* `value` is p[k] at `at`, the last point */
        shift[k] = moment / norm;
        ratio[k] = k ? norm / previous_norm : 0;
        previous_norm = norm;
    }
    return result;
}
