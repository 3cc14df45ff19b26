/* Polynomials in the local coordinates of a box
 * (docs/models/kernel_models.md#decision-local-coordinates).  Separate from the fit, so that
 * programs that only evaluate polynomials do not link LAPACK. */
#include "engine/blocked/modeling.h"

double modeling_local(const struct blocked_box *box, size_t d, int64_t at)
{
    const int64_t side = box->max[d] - box->min[d];

    return side ? (double)(at - box->min[d]) / (double)side : 0;
}

double modeling_monomial(const double *local, const int *exponent, size_t dimensions)
{
    double product = 1;

    for (size_t d = 0; d < dimensions; d++)
        for (int i = 0; i < exponent[d]; i++)
            product *= local[d];
    return product;
}

double blocked_polynomial(const struct blocked_box *box, size_t dimensions,
                          int (*exponent)[BLOCKED_MAX_SIZES], size_t terms, const double *coef,
                          const int64_t *at)
{
    double local[BLOCKED_MAX_SIZES] = { 0 }, sum = 0;

    for (size_t d = 0; d < dimensions; d++)
        local[d] = modeling_local(box, d, at[d]);
    for (size_t j = 0; j < terms; j++)
        sum += coef[j] * modeling_monomial(local, exponent[j], dimensions);
    return sum;
}
