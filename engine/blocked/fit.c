/* Least squares by the singular value decomposition (LAPACK dgelsd), which gives the solution of
 * least norm where points are too few or, after rounding, fall together. */
#include "engine/blocked/modeling.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* LAPACK has no header that every system installs. */
extern void dgelsd_(const int *m, const int *n, const int *nrhs, double *a, const int *lda,
                    double *b, const int *ldb, double *s, const double *rcond, int *rank,
                    double *work, const int *lwork, int *iwork, int *info);

bool modeling_is_time(double time_s, bool is_relative)
{
    return time_s >= (is_relative ? 1e-30 : 0) && time_s <= 1e30;
}

/* Divides each column by its norm: residuals relative to times of 1e-7 and 1e-1 s would make the
 * matrix look singular. */
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

/* Least norm solution of a x = b; x replaces b.  0, or -1: memory, or no convergence. */
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

/* One row for each time that can be used: the monomials at its point, and the time, as `a` and `b`.
 */
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

int modeling_fit_values(const struct blocked_box *box, size_t dimensions,
                        int (*exponent)[BLOCKED_MAX_SIZES], size_t terms,
                        int64_t (*at)[BLOCKED_MAX_SIZES], const double *value, size_t count,
                        bool is_relative, double cutoff, double *coef)
{
    double norm[BLOCKED_MAX_TERMS], *a, *b;
    size_t rows = 0;
    int failed = -1;

    for (size_t i = 0; i < count; i++)
        rows += modeling_is_time(value[i], is_relative);
    if (rows > INT_MAX / BLOCKED_MAX_TERMS)
        return -1;
    if (rows == 0) { /* every time is as good as zero */
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

int blocked_fit(const struct blocked_box *box, size_t dimensions,
                int (*exponent)[BLOCKED_MAX_SIZES], size_t terms, int64_t (*at)[BLOCKED_MAX_SIZES],
                const double *value, size_t count, bool is_relative, double *coef)
{
    return modeling_fit_values(box, dimensions, exponent, terms, at, value, count, is_relative,
                               MODELING_ROUNDING, coef);
}
