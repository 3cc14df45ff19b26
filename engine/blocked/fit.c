/* Least squares by the singular value decomposition, LAPACK's dgelsd
 * (docs/models/kernel_models.md#fit).  It gives the solution of least norm where there are too few
 * points or where points coincide after rounding. */
#include "engine/blocked/modeling.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Not every system installs a header for LAPACK. */
extern void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
                    double *b, const int *ldb, double *s, const double *rcond, int *rank,
                    double *work, const int *lwork, int *iwork, int *info);

bool modeling_is_time(double time_s, bool is_relative)
{
    return time_s >= (is_relative ? 1e-30 : 0) && time_s <= 1e30;
}

/* Divides each column by its norm.  Without it, times from 1e-7 to 1e-1 s would make the matrix of
 * relative residuals numerically singular. */
static void normalize(double *a, int rows, size_t columns, double *norm)
{
    for (size_t j = 0; j < columns; j++) {
        double *column = a + j * (size_t)rows, sum = 0;

        for (int i = 0; i < rows; i++)
            sum = fmax(sum, fabs(column[i]));
        norm[j] = sum > 0 ? sum : 1;
        sum = 0;
        for (int i = 0; i < rows; i++) {
            column[i] /= norm[j];
            sum += column[i] * column[i];
        }
        sum = sum > 0 ? sqrt(sum) : 1;
        for (int i = 0; i < rows; i++)
            column[i] /= sum;
        norm[j] *= sum;
    }
}

/* Least norm solution of a x = b; x replaces b.  Returns 0, or -1 without memory or convergence. */
static int solve(double *a, int rows, int columns, double *b, double cutoff)
{
    const int one = 1, length = rows > columns ? rows : columns, query = -1;
    double singular[BLOCKED_MAX_TERMS], work_size = 0, *work;
    int rank = 0, info = 0, integers = 0, reals, *integer;

    dgelsd_(&rows, &columns, &one, a, &rows, b, &length, singular, &cutoff, &rank, &work_size,
            &query, &integers, &info);
    if (info != 0)
        return -1;
    reals = (int)work_size;
    work = malloc((size_t)reals * sizeof *work);
    integer = malloc((size_t)(integers > 1 ? integers : 1) * sizeof *integer);
    if (work && integer)
        dgelsd_(&rows, &columns, &one, a, &rows, b, &length, singular, &cutoff, &rank, work, &reals,
                integer, &info);
    else
        info = -1;
    free(integer);
    free(work);
    return info == 0 ? 0 : -1;
}

/* Sets a row of `a` (the monomials) and of `b` (the time) for every usable time. */
static void set_up(const struct blocked_box *box, size_t dimensions,
                   int (*exponent)[BLOCKED_MAX_SIZES], size_t terms,
                   int64_t (*at)[BLOCKED_MAX_SIZES], const double *value, size_t count,
                   bool is_relative, size_t rows, double *a, double *b)
{
    size_t row = 0;

    for (size_t i = 0; i < count; i++) {
        double local[BLOCKED_MAX_SIZES] = { 0 }, weight;

        if (!modeling_is_time(value[i], is_relative))
            continue;
        weight = is_relative ? 1 / value[i] : 1;
        for (size_t d = 0; d < dimensions; d++)
            local[d] = modeling_local(box, d, at[i][d]);
        for (size_t j = 0; j < terms; j++)
            a[j * rows + row] = weight * modeling_monomial(local, exponent[j], dimensions);
        b[row++] = weight * value[i];
    }
}

int blocked_fit(const struct blocked_box *box, size_t dimensions,
                int (*exponent)[BLOCKED_MAX_SIZES], size_t terms, int64_t (*at)[BLOCKED_MAX_SIZES],
                const double *value, size_t count, bool is_relative, double cutoff, double *coef)
{
    double norm[BLOCKED_MAX_TERMS], *a, *b;
    size_t rows = 0;
    int failed = -1;

    for (size_t i = 0; i < count; i++)
        rows += modeling_is_time(value[i], is_relative);
    if (rows > INT_MAX / BLOCKED_MAX_TERMS)
        return -1;
    if (rows == 0) { /* no usable time */
        for (size_t j = 0; j < terms; j++)
            coef[j] = 0;
        return 0;
    }
    a = malloc(rows * terms * sizeof *a);
    b = calloc(rows > terms ? rows : terms, sizeof *b);
    if (a && b) {
        set_up(box, dimensions, exponent, terms, at, value, count, is_relative, rows, a, b);
        normalize(a, (int)rows, terms, norm);
        failed = solve(a, (int)rows, (int)terms, b, cutoff);
    }
    for (size_t j = 0; failed == 0 && j < terms; j++)
        coef[j] = b[j] / norm[j];
    free(b);
    free(a);
    return failed;
}
