/* The four routines of the dense models on square operands: in double precision (kernels.ROUTINE),
 * and in single precision and complex numbers (kernels.by_precision), where syrk of complex numbers
 * is herk.  Triangles have a diagonal of ones and off-diagonals of the order 0.1/n, so that
 * repeated solves neither overflow nor produce denormal numbers, which are slow on some processors.
 */
#include <string.h>

#include "calibrations/calibrate/kernels/kernel.h"

/* Most programs compute in double precision; larger orders of the others are extrapolated. */
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
gemm dgemm_, sgemm_, cgemm_, zgemm_;
trsm dtrsm_, strsm_, ctrsm_, ztrsm_;
syrk dsyrk_, ssyrk_, cherk_, zherk_;
potrf dpotrf_, spotrf_, cpotrf_, zpotrf_;

struct fr_arithmetic {
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
static const struct fr_arithmetic arithmetics[FR_PRECISIONS] = {
    [FR_DOUBLE] = { false, 1, one_z, minus_one_z, dgemm_, dtrsm_, dsyrk_, dpotrf_ },
    [FR_SINGLE] = { true, 1, one_s, minus_one_s, sgemm_, strsm_, ssyrk_, spotrf_ },
    [FR_COMPLEX] = { true, 2, one_s, minus_one_s, cgemm_, ctrsm_, cherk_, cpotrf_ },
    [FR_DOUBLE_COMPLEX] = { false, 2, one_z, minus_one_z, zgemm_, ztrsm_, zherk_, zpotrf_ },
};

static const struct fr_arithmetic *arithmetic_of(const struct fr_operands *o)
{
    return &arithmetics[o->routine->precision];
}

size_t fr_square_element_bytes(const struct fr_square_routine *routine)
{
    const struct fr_arithmetic *of = &arithmetics[routine->precision];

    return (size_t)of->parts * (of->is_single ? sizeof(float) : sizeof(double));
}

static void set(const struct fr_operands *o, void *matrix, size_t element, double value)
{
    const size_t parts = (size_t)arithmetic_of(o)->parts;

    for (size_t part = 0; part < parts; part++)
        if (arithmetic_of(o)->is_single)
            ((float *)matrix)[element * parts + part] = part ? 0 : (float)value;
        else
            ((double *)matrix)[element * parts + part] = part ? 0 : value;
}

void fr_square_fill(struct fr_operands *o, void *matrix, size_t elements)
{
    for (size_t i = 0; i < elements; i++)
        set(o, matrix, i, fr_random_centred(&o->random));
}

/* Ones on the diagonal of a, small symmetric values elsewhere. */
static void make_triangle(struct fr_operands *o, int n)
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i <= j; i++) {
            const double value = i == j ? 1 : 0.1 / n * fr_random_centred(&o->random);

            set(o, o->a, (size_t)i + (size_t)j * (size_t)n, value);
            set(o, o->a, (size_t)j + (size_t)i * (size_t)n, value);
        }
}

static void *copy_of(const struct fr_operands *o, int n, int copy)
{
    return (char *)o->c +
           (size_t)copy * (size_t)n * (size_t)n * fr_square_element_bytes(o->routine);
}

static void keep(struct fr_operands *o, int n, int calls)
{
    (void)o, (void)n, (void)calls;
}

static void prepare_trsm(struct fr_operands *o, int n, int calls)
{
    (void)calls;
    make_triangle(o, n);
    fr_square_fill(o, o->c, (size_t)n * (size_t)n);
}

static void prepare_potrf(struct fr_operands *o, int n, int calls)
{
    make_triangle(o, n);
    for (int i = 0; i < calls; i++)
        memcpy(copy_of(o, n, i), o->a, (size_t)n * (size_t)n * fr_square_element_bytes(o->routine));
}

static void call_gemm(struct fr_operands *o, int n, int call)
{
    const struct fr_arithmetic *p = arithmetic_of(o);

    (void)call;
    p->gemm("N", "N", &n, &n, &n, p->one, o->a, &n, o->b, &n, p->one, o->c, &n, 1, 1);
}

/* X U = B, as in both models with triangular solves. */
static void call_trsm(struct fr_operands *o, int n, int call)
{
    const struct fr_arithmetic *p = arithmetic_of(o);

    (void)call;
    p->trsm("R", "U", "N", "N", &n, &n, p->one, o->a, &n, o->c, &n, 1, 1, 1, 1);
}

static void call_syrk(struct fr_operands *o, int n, int call)
{
    const struct fr_arithmetic *p = arithmetic_of(o);

    (void)call;
    p->syrk("L", "N", &n, &n, p->minus_one, o->a, &n, p->one, o->c, &n, 1, 1);
}

static void call_potrf(struct fr_operands *o, int n, int call)
{
    int info;

    arithmetic_of(o)->potrf("L", &n, copy_of(o, n, call), &n, &info, 1);
}

#define ROUTINE(NAME, POINTER, WHICH, PRECISION, OPERATIONS, PREPARE, CALL, ...)  \
    {                                                                             \
        .name = NAME, .pointer = "/kernels/" POINTER "/square", .which = WHICH,   \
        .precision = PRECISION, .flops_per_cube = OPERATIONS, .prepare = PREPARE, \
        .call = call_##CALL, __VA_ARGS__                                          \
    }
/* A precision with the letter of its routines, and the operations for each of a real one. */
#define ROUTINES(LETTER, FOLDER, PRECISION, OPERATIONS, ...)                                       \
    ROUTINE(LETTER "gemm", FOLDER "gemm", FR_DGEMM, PRECISION, 2 * OPERATIONS, keep, gemm,         \
            __VA_ARGS__),                                                                          \
        ROUTINE(LETTER "trsm", FOLDER "trsm", FR_DTRSM, PRECISION, OPERATIONS, prepare_trsm, trsm, \
                __VA_ARGS__),                                                                      \
        ROUTINE(LETTER "syrk", FOLDER "syrk", FR_DSYRK, PRECISION, OPERATIONS, keep, syrk,         \
                __VA_ARGS__),                                                                      \
        ROUTINE(LETTER "potrf", FOLDER "potrf", FR_DPOTRF, PRECISION, OPERATIONS / 3.0,            \
                prepare_potrf, potrf, .uses_up_its_input = true, __VA_ARGS__)
static const struct fr_square_routine in_double[FR_PRECISE_ROUTINES] = {
    ROUTINES("d", "d", FR_DOUBLE, 1, .peak_ratio = 1),
};
static const struct fr_square_routine precise[] = {
    ROUTINES("s", "by_precision/single/", FR_SINGLE, 1, .peak_ratio = 2, .most_order = MOST_ORDER),
    ROUTINES("c", "by_precision/complex/", FR_COMPLEX, 4, .peak_ratio = 2,
             .most_order = MOST_ORDER),
    ROUTINES("z", "by_precision/double_complex/", FR_DOUBLE_COMPLEX, 4, .peak_ratio = 1,
             .most_order = MOST_ORDER),
};
enum { PRECISE = sizeof precise / sizeof *precise };

#define BENCH(NAME, WHICH, SUMMARY)                                     \
    static void run_##NAME(struct fr_context *context)                  \
    {                                                                   \
        fr_kernel_run(context, &in_double[WHICH]);                      \
    }                                                                   \
    static double expected_##NAME##_s(const struct fr_context *context) \
    {                                                                   \
        return fr_kernel_expected_s(context, &in_double[WHICH]);        \
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
BENCH(dgemm, FR_DGEMM, "C += A B on square matrices, by order and threads")
BENCH(dtrsm, FR_DTRSM, "X U = B with an upper triangle on the right, by order and threads")
BENCH(dsyrk, FR_DSYRK, "C -= A A' on the lower triangle, by order and threads")
BENCH(dpotrf, FR_DPOTRF, "Cholesky factorization, lower, by order and threads")

static double expected_s(const struct fr_context *context)
{
    double sum_s = 0;

    for (int i = 0; i < PRECISE; i++)
        sum_s += fr_kernel_expected_s(context, &precise[i]);
    return sum_s;
}

/* Runs one routine.  For the estimate of the rest of the run, the routines that follow are as later
 * benchmarks are. */
static void run(struct fr_context *context)
{
    const double later_s = context->later_s;

    for (int i = context->part + 1; i < PRECISE; i++)
        context->later_s += fr_kernel_expected_s(context, &precise[i]);
    fr_kernel_run(context, &precise[context->part]);
    context->later_s = later_s;
}

const struct fr_bench fr_bench_precisions = {
    .name = "precisions",
    .group = "kernels",
    .summary = "the same four in single precision and complex numbers, up to order 1024",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .parts = PRECISE,
    .expected_s = expected_s,
    .run = run,
};
