/* The four routines of the dense models.  Triangles have a diagonal of ones and off-diagonals of
 * the order 0.1/n, so that repeated solves neither overflow nor produce denormal numbers, which are
 * slow on some processors. */
#include <string.h>

#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/kernels/kernel.h"

static const double one = 1, minus_one = -1;

static void keep(struct fr_operands *operands, int n, int calls)
{
    (void)operands;
    (void)n;
    (void)calls;
}

/* Ones on the diagonal of a, small symmetric values elsewhere. */
static void make_triangle(struct fr_operands *o, int n)
{
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < j; i++) {
            const double x = 0.1 / n * fr_random_centred(&o->random);

            o->a[i + (size_t)j * (size_t)n] = x;
            o->a[j + (size_t)i * (size_t)n] = x;
        }
        o->a[j + (size_t)j * (size_t)n] = 1;
    }
}

static void call_dgemm(struct fr_operands *o, int n, int call)
{
    (void)call;
    dgemm_("N", "N", &n, &n, &n, &one, o->a, &n, o->b, &n, &one, o->c, &n, 1, 1);
}

static void prepare_dtrsm(struct fr_operands *o, int n, int calls)
{
    (void)calls;
    make_triangle(o, n);
    for (size_t i = 0; i < (size_t)n * (size_t)n; i++)
        o->c[i] = fr_random_centred(&o->random);
}

/* X U = B, as in both models with triangular solves. */
static void call_dtrsm(struct fr_operands *o, int n, int call)
{
    (void)call;
    dtrsm_("R", "U", "N", "N", &n, &n, &one, o->a, &n, o->c, &n, 1, 1, 1, 1);
}

static void call_dsyrk(struct fr_operands *o, int n, int call)
{
    (void)call;
    dsyrk_("L", "N", &n, &n, &minus_one, o->a, &n, &one, o->c, &n, 1, 1);
}

static void prepare_dpotrf(struct fr_operands *o, int n, int calls)
{
    const size_t elements = (size_t)n * (size_t)n;

    make_triangle(o, n);
    for (int i = 0; i < calls; i++)
        memcpy(o->c + (size_t)i * elements, o->a, elements * sizeof *o->a);
}

static void call_dpotrf(struct fr_operands *o, int n, int call)
{
    int info;

    dpotrf_("L", &n, o->c + (size_t)call * (size_t)n * (size_t)n, &n, &info, 1);
}

static const struct fr_square_routine dgemm = { .name = "dgemm",
                                                .pointer = "/kernels/dgemm/square",
                                                .which = FR_DGEMM,
                                                .flops_per_cube = 2,
                                                .prepare = keep,
                                                .call = call_dgemm };
static const struct fr_square_routine dtrsm = { .name = "dtrsm",
                                                .pointer = "/kernels/dtrsm/square",
                                                .which = FR_DTRSM,
                                                .flops_per_cube = 1,
                                                .prepare = prepare_dtrsm,
                                                .call = call_dtrsm };
static const struct fr_square_routine dsyrk = { .name = "dsyrk",
                                                .pointer = "/kernels/dsyrk/square",
                                                .which = FR_DSYRK,
                                                .flops_per_cube = 1,
                                                .prepare = keep,
                                                .call = call_dsyrk };
static const struct fr_square_routine dpotrf = { .name = "dpotrf",
                                                 .pointer = "/kernels/dpotrf/square",
                                                 .which = FR_DPOTRF,
                                                 .flops_per_cube = 1.0 / 3,
                                                 .uses_up_its_input = true,
                                                 .prepare = prepare_dpotrf,
                                                 .call = call_dpotrf };

#define BENCH(NAME, SUMMARY)                                            \
    static void run_##NAME(struct fr_context *context)                  \
    {                                                                   \
        fr_kernel_run(context, &NAME);                                  \
    }                                                                   \
    static double expected_##NAME##_s(const struct fr_context *context) \
    {                                                                   \
        return fr_kernel_expected_s(context, &NAME);                    \
    }                                                                   \
    const struct fr_bench fr_bench_##NAME = {                           \
        .name = #NAME,                                                  \
        .group = "kernels",                                             \
        .summary = SUMMARY,                                             \
        .needs_ranks = 1,                                               \
        .is_timing_cores = true,                                        \
        .expected_s = expected_##NAME##_s,                              \
        .run = run_##NAME,                                              \
    };
BENCH(dgemm, "C += A B on square matrices, by order and threads")
BENCH(dtrsm, "X U = B with an upper triangle on the right, by order and threads")
BENCH(dsyrk, "C -= A A' on the lower triangle, by order and threads")
BENCH(dpotrf, "Cholesky factorization, lower, by order and threads")
