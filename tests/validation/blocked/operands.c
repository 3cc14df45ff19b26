/* Matrices with known contents, and the residuals of the results. */
#include "tests/validation/blocked/operands.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/sample.h"

/* The leading dimension of the calibrator
 * (docs/models/kernel_models.md#decision-leading-dimensions). */
enum { LEADING_DIMENSION = 2500, ALIASED = 256 };

static double *matrix_new(const struct operands *operands)
{
    const size_t count = (size_t)operands->ld * (size_t)operands->n;
    double *matrix = malloc(count * sizeof *matrix);

    if (!matrix) {
        fprintf(stderr, "blocked: no memory for n = %d; use smaller orders\n", operands->n);
        exit(1);
    }
    /* Touches all pages before anything is timed. */
    for (size_t i = 0; i < count; i++)
        matrix[i] = NAN;
    return matrix;
}

static double *at(const struct operands *operands, double *matrix, int row, int column)
{
    return &matrix[row + (ptrdiff_t)column * operands->ld];
}

static double entry(struct fr_random *random, int row, int column, int n)
{
    return row == column ? 1 + 0.1 * fr_random_centred(random)
                         : 0.2 * fr_random_centred(random) / n;
}

struct operands operands_new(int n)
{
    struct operands operands = { .n = n, .ld = n > LEADING_DIMENSION ? n : LEADING_DIMENSION };
    struct fr_random random = { 1 };

    operands.ld += operands.ld % ALIASED == 0 ? 8 : 0;
    operands.l = matrix_new(&operands);
    operands.u = matrix_new(&operands);
    operands.c = matrix_new(&operands);
    operands.x = matrix_new(&operands);
    operands.spare = matrix_new(&operands);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            *at(&operands, i < j ? operands.u : operands.l, i, j) = entry(&random, i, j, n);
            *at(&operands, operands.c, i, j) = fr_random_centred(&random);
            if (i == j)
                *at(&operands, operands.u, i, j) = entry(&random, i, j, n);
        }
    return operands;
}

void operands_free(struct operands *operands)
{
    free(operands->l);
    free(operands->u);
    free(operands->c);
    free(operands->x);
    free(operands->spare);
}

static void copy(const struct operands *operands, int n, double *to, double *from)
{
    for (int j = 0; j < n; j++)
        memcpy(at(operands, to, 0, j), at(operands, from, 0, j), (size_t)n * sizeof *to);
}

void operands_fresh_l(struct operands *operands, int n)
{
    copy(operands, n, operands->x, operands->l);
}

void operands_fresh_c(struct operands *operands, int n)
{
    copy(operands, n, operands->x, operands->c);
}

/* Unlike fmax, keeps a NaN. */
static double larger(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

/* B := A B (side "L") or B A (side "R"). */
static void multiply(const struct operands *operands, const char *side, const char *uplo, int n,
                     const double *a, double *b)
{
    const double alpha = 1;

    dtrmm_(side, uplo, "N", "N", &n, &n, &alpha, a, &operands->ld, b, &operands->ld, 1, 1, 1, 1);
}

double operands_inverse_residual(struct operands *operands, int n)
{
    double most = 0;

    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++) {
            double *above = at(operands, operands->x, i, j);

            most = isnan(*above) ? most : NAN;
            *above = 0;
        }
    multiply(operands, "L", "L", n, operands->l, operands->x);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            most = larger(most, fabs(*at(operands, operands->x, i, j) - (i == j)));
    return most;
}

double operands_sylv_residual(struct operands *operands, int n)
{
    double most = 0;

    copy(operands, n, operands->spare, operands->x);
    multiply(operands, "L", "L", n, operands->l, operands->x);
    multiply(operands, "R", "U", n, operands->u, operands->spare);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            most = larger(most, fabs(*at(operands, operands->x, i, j) +
                                     *at(operands, operands->spare, i, j) -
                                     *at(operands, operands->c, i, j)));
    return most;
}
