/* The BLAS routines of a factorization, defined here a second time: the library calls them through
 * the linker's table, which finds these first.  Each passes its arguments on to the
 * BLAS, which has the next definition. */
#include "server/analyze/blas_times.h"

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/analyze/clock.h"

enum { EMPTY_ROUNDS = 10, EMPTY_TIMINGS = 1000 };

struct part {
    double time_s, calls; /* the time includes one reading of the clock in each call */
};

static struct {
    bool is_wanted, is_on;
    struct part gemm, panel;
    struct fr_blas_times last;
} state;

void fr_blas_times_next(const char *name, void *function, size_t size)
{
    void *const found = dlsym(RTLD_NEXT, name);

    if (!found) {
        fprintf(stderr, "forerun-analyze: no library has %s\n", name);
        abort();
    }
    /* C has no conversion from pointers to objects. */
    memcpy(function, &found, size);
}

static double begin(void)
{
    return state.is_on ? fr_clock_s() : 0;
}

static void end(struct part *part, double began_s)
{
    if (!state.is_on)
        return;
    part->time_s += fr_clock_s() - began_s;
    part->calls++;
}

/* The least of several means: a disturbed one would make the routines take less than no time. */
static double clock_cost_s(void)
{
    double least_s = INFINITY;

    for (int round = 0; round < EMPTY_ROUNDS; round++) {
        struct part empty = { 0 };

        for (int i = 0; i < EMPTY_TIMINGS; i++)
            end(&empty, begin());
        least_s = fmin(least_s, empty.time_s / empty.calls);
    }
    return least_s;
}

void fr_blas_times_want(void)
{
    state.is_wanted = true;
}

void fr_blas_times_begin(void)
{
    state.gemm = state.panel = (struct part){ 0 };
    state.is_on = state.is_wanted;
}

void fr_blas_times_end(void)
{
    if (state.is_on) {
        const double cost_s = clock_cost_s();

        state.last.gemm_s = state.gemm.time_s - state.gemm.calls * cost_s;
        state.last.panel_s = state.panel.time_s - state.panel.calls * cost_s;
    }
    state.is_on = false;
}

struct fr_blas_times fr_blas_times_last(void)
{
    return state.last;
}

/* ---- the routines, without the lengths of characters, which the library leaves out too --------
 */

#define FORWARD(name, part, ...)                           \
    do {                                                   \
        static __typeof__(&(name)) next;                   \
        double began_s;                                    \
                                                           \
        if (!next)                                         \
            fr_blas_times_next(#name, &next, sizeof next); \
        began_s = begin();                                 \
        next(__VA_ARGS__);                                 \
        end(part, began_s);                                \
    } while (0)

void dgemm_(const char *transpose_a, const char *transpose_b, const int *m, const int *n,
            const int *k, const double *alpha, const double *a, const int *lda, const double *b,
            const int *ldb, const double *beta, double *c, const int *ldc);
void dgemm_(const char *transpose_a, const char *transpose_b, const int *m, const int *n,
            const int *k, const double *alpha, const double *a, const int *lda, const double *b,
            const int *ldb, const double *beta, double *c, const int *ldc)
{
    FORWARD(dgemm_, &state.gemm, transpose_a, transpose_b, m, n, k, alpha, a, lda, b, ldb, beta, c,
            ldc);
}

void dtrsm_(const char *side, const char *uplo, const char *transpose, const char *diagonal,
            const int *m, const int *n, const double *alpha, const double *a, const int *lda,
            double *b, const int *ldb);
void dtrsm_(const char *side, const char *uplo, const char *transpose, const char *diagonal,
            const int *m, const int *n, const double *alpha, const double *a, const int *lda,
            double *b, const int *ldb)
{
    FORWARD(dtrsm_, &state.panel, side, uplo, transpose, diagonal, m, n, alpha, a, lda, b, ldb);
}

void dtrsv_(const char *uplo, const char *transpose, const char *diagonal, const int *n,
            const double *a, const int *lda, double *x, const int *step);
void dtrsv_(const char *uplo, const char *transpose, const char *diagonal, const int *n,
            const double *a, const int *lda, double *x, const int *step)
{
    FORWARD(dtrsv_, &state.panel, uplo, transpose, diagonal, n, a, lda, x, step);
}

void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *step_x,
           const double *y, const int *step_y, double *a, const int *lda);
void dger_(const int *m, const int *n, const double *alpha, const double *x, const int *step_x,
           const double *y, const int *step_y, double *a, const int *lda)
{
    FORWARD(dger_, &state.panel, m, n, alpha, x, step_x, y, step_y, a, lda);
}
