/* The routines of the dense models in the other precisions: single, and complex numbers of single
 * and double precision (kernels.by_precision).  In complex arithmetic syrk is herk. */
#include <string.h>

#include "calibrations/calibrate/kernels/kernel.h"

/* Most programs compute in double precision; larger orders are extrapolated. */
enum { MOST_ORDER = 1024 };

/* Scalars and matrices by their addresses, because their types differ.  The trailing arguments are
 * the lengths of the character arguments. */
typedef void gemm(const char *, const char *, const int *, const int *, const int *, const void *,
                  const void *, const int *, const void *, const int *, const void *, void *,
                  const int *, size_t, size_t);
typedef void trsm(const char *, const char *, const char *, const char *, const int *, const int *,
                  const void *, const void *, const int *, void *, const int *, size_t, size_t,
                  size_t, size_t);
typedef void syrk(const char *, const char *, const int *, const int *, const void *, const void *,
                  const int *, const void *, void *, const int *, size_t, size_t);
typedef void potrf(const char *, const int *, void *, const int *, int *, size_t);
gemm sgemm_, cgemm_, zgemm_;
trsm strsm_, ctrsm_, ztrsm_;
syrk ssyrk_, cherk_, zherk_;
potrf spotrf_, cpotrf_, zpotrf_;

struct fr_kernel_precision {
    bool is_single;
    int parts;                   /* 2: real and imaginary */
    const void *one, *minus_one; /* herk takes only the real parts */
    gemm *gemm;
    trsm *trsm;
    syrk *syrk;
    potrf *potrf;
};

static const float one_s[] = { 1, 0 }, minus_one_s[] = { -1, 0 };
static const double one_z[] = { 1, 0 }, minus_one_z[] = { -1, 0 };
static const struct fr_kernel_precision single = { true,   1,      one_s,  minus_one_s,
                                                   sgemm_, strsm_, ssyrk_, spotrf_ };
static const struct fr_kernel_precision complex_single = { true,   2,      one_s,  minus_one_s,
                                                           cgemm_, ctrsm_, cherk_, cpotrf_ };
static const struct fr_kernel_precision complex_double = { false,  2,      one_z,  minus_one_z,
                                                           zgemm_, ztrsm_, zherk_, zpotrf_ };

static size_t bytes_of(const struct fr_kernel_precision *p)
{
    return (size_t)p->parts * (p->is_single ? sizeof(float) : sizeof(double));
}

static void set(const struct fr_kernel_precision *p, void *matrix, size_t element, double value)
{
    const size_t first = element * (size_t)p->parts;

    for (size_t part = 0; part < (size_t)p->parts; part++)
        if (p->is_single)
            ((float *)matrix)[first + part] = part ? 0 : (float)value;
        else
            ((double *)matrix)[first + part] = part ? 0 : value;
}

/* Symmetric, ones on the diagonal and small values elsewhere, so that repeated calls neither
 * overflow nor produce denormal numbers. */
static void fill(struct fr_operands *o, void *matrix, int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) {
            const double value = i == j ? 1 : 0.1 / n * fr_random_centred(&o->random);

            set(o->precision, matrix, (size_t)i + (size_t)j * (size_t)n, value);
            set(o->precision, matrix, (size_t)j + (size_t)i * (size_t)n, value);
        }
}

static void prepare(struct fr_operands *o, int n, int calls)
{
    (void)calls;
    fill(o, o->a, n);
    fill(o, o->b, n);
    fill(o, o->c, n);
}

static void *copy_of(const struct fr_operands *o, int n, int copy)
{
    return (char *)o->c + (size_t)copy * (size_t)n * (size_t)n * bytes_of(o->precision);
}

static void prepare_copies(struct fr_operands *o, int n, int calls)
{
    fill(o, o->a, n);
    for (int i = 0; i < calls; i++)
        memcpy(copy_of(o, n, i), o->a, (size_t)n * (size_t)n * bytes_of(o->precision));
}

static void call_gemm(struct fr_operands *o, int n, int call)
{
    const struct fr_kernel_precision *p = o->precision;

    (void)call;
    p->gemm("N", "N", &n, &n, &n, p->one, o->a, &n, o->b, &n, p->one, o->c, &n, 1, 1);
}

static void call_trsm(struct fr_operands *o, int n, int call)
{
    const struct fr_kernel_precision *p = o->precision;

    (void)call;
    p->trsm("R", "U", "N", "N", &n, &n, p->one, o->a, &n, o->c, &n, 1, 1, 1, 1);
}

static void call_syrk(struct fr_operands *o, int n, int call)
{
    const struct fr_kernel_precision *p = o->precision;

    (void)call;
    p->syrk("L", "N", &n, &n, p->minus_one, o->a, &n, p->one, o->c, &n, 1, 1);
}

static void call_potrf(struct fr_operands *o, int n, int call)
{
    int info;

    o->precision->potrf("L", &n, copy_of(o, n, call), &n, &info, 1);
}

/* Complex numbers take four operations for each of a real one. */
#define ROUTINE(LETTER, NAME, ARITHMETIC, PRECISION, ROUTINE, WHICH, OPERATIONS, PEAK_RATIO, ...)  \
    {                                                                                              \
        .name = LETTER #ROUTINE, .pointer = "/kernels/by_precision/" NAME "/" #ROUTINE "/square",  \
        .which = WHICH, .arithmetic = ARITHMETIC, .flops_per_cube = OPERATIONS,                    \
        .peak_ratio = PEAK_RATIO, .precision = &PRECISION, .doubles = 2, .most_order = MOST_ORDER, \
        .call = call_##ROUTINE, __VA_ARGS__                                                        \
    }
#define ROUTINES(LETTER, NAME, ARITHMETIC, PRECISION, OPERATIONS, PEAK_RATIO)                    \
    ROUTINE(LETTER, NAME, ARITHMETIC, PRECISION, gemm, FR_DGEMM, 2 * OPERATIONS, PEAK_RATIO,     \
            .prepare = prepare),                                                                 \
        ROUTINE(LETTER, NAME, ARITHMETIC, PRECISION, trsm, FR_DTRSM, 1 * OPERATIONS, PEAK_RATIO, \
                .prepare = prepare),                                                             \
        ROUTINE(LETTER, NAME, ARITHMETIC, PRECISION, syrk, FR_DSYRK, 1 * OPERATIONS, PEAK_RATIO, \
                .prepare = prepare),                                                             \
        ROUTINE(LETTER, NAME, ARITHMETIC, PRECISION, potrf, FR_DPOTRF, OPERATIONS / 3.0,         \
                PEAK_RATIO, .prepare = prepare_copies, .uses_up_its_input = true)
static const struct fr_square_routine routines[] = {
    ROUTINES("s", "single", FR_SINGLE, single, 1, 2),
    ROUTINES("c", "complex", FR_COMPLEX, complex_single, 4, 2),
    ROUTINES("z", "double_complex", FR_DOUBLE_COMPLEX, complex_double, 4, 1),
};
enum { COUNT = sizeof routines / sizeof *routines };

static double expected_s(const struct fr_context *context)
{
    double sum_s = 0;

    for (int i = 0; i < COUNT; i++)
        sum_s += fr_kernel_expected_s(context, &routines[i]);
    return sum_s;
}

/* Runs one routine.  For the estimate of the rest of the run, the routines that follow are as later
 * benchmarks are. */
static void run(struct fr_context *context)
{
    const double later_s = context->later_s;

    for (int i = context->part + 1; i < COUNT; i++)
        context->later_s += fr_kernel_expected_s(context, &routines[i]);
    fr_kernel_run(context, &routines[context->part]);
    context->later_s = later_s;
}

const struct fr_bench fr_bench_precisions = {
    .name = "precisions",
    .group = "kernels",
    .summary = "the same four in single precision and complex numbers, up to order 1024",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .parts = COUNT,
    .expected_s = expected_s,
    .run = run,
};
