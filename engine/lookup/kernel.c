/* Seconds of a BLAS or LAPACK routine from its measured rates: linear in log2 of the order, then in
 * the thread count (docs/models/dense.md#kernels). */
#include "engine/lookup/lookup.h"

static const struct {
    const char *name;
    double flops; /* F: the routine does F n^3 operations on operands of order n */
} routines[FR_ROUTINES] = {
    [FR_DGEMM] = { "dgemm", 2 },         [FR_DTRSM] = { "dtrsm", 1 }, [FR_DSYRK] = { "dsyrk", 1 },
    [FR_DPOTRF] = { "dpotrf", 1.0 / 3 }, [FR_DGER] = { "dger", 2 },   [FR_DTRSV] = { "dtrsv", 1 },
};

/* The table of a routine in one precision: its names in warnings, and its use. */
struct table {
    const char *what, *what_n, *what_threads;
    fr_uses use;
};
#define TABLE(path, bits)                                                       \
    {                                                                           \
        "kernels." path, "kernels." path ".n", "kernels." path ".threads", bits \
    }
static const struct table in_double[FR_ROUTINES] = {
    [FR_DGEMM] = TABLE("dgemm", FR_USE(DGEMM)), [FR_DTRSM] = TABLE("dtrsm", FR_USE(DTRSM)),
    [FR_DSYRK] = TABLE("dsyrk", FR_USE(DSYRK)), [FR_DPOTRF] = TABLE("dpotrf", FR_USE(DPOTRF)),
    [FR_DGER] = TABLE("dger", FR_NO_USE),       [FR_DTRSV] = TABLE("dtrsv", FR_NO_USE),
};
#define TABLES(path, bits)                                        \
    {                                                             \
        [FR_DGEMM] = TABLE("by_precision." path ".gemm", bits),   \
        [FR_DTRSM] = TABLE("by_precision." path ".trsm", bits),   \
        [FR_DSYRK] = TABLE("by_precision." path ".syrk", bits),   \
        [FR_DPOTRF] = TABLE("by_precision." path ".potrf", bits), \
    }
static const struct table precise[FR_PRECISIONS][FR_PRECISE_ROUTINES] = {
    [FR_SINGLE] = TABLES("single", FR_USE(SINGLE)),
    [FR_COMPLEX] = TABLES("complex", FR_USE(COMPLEX)),
    [FR_DOUBLE_COMPLEX] = TABLES("double_complex", FR_USE(DOUBLE_COMPLEX)),
};

const char *fr_routine_name(enum fr_routine routine)
{
    return routines[routine].name;
}

double fr_routine_flops(enum fr_routine routine, double n)
{
    return routines[routine].flops * n * n * n;
}

const struct fr_curves *fr_kernel_rates(const struct fr_calibration *cal, enum fr_routine routine,
                                        int precision)
{
    static const struct fr_curves none;

    if (precision == FR_DOUBLE)
        return &cal->rate[routine];
    return precision == FR_OPEN_CHOICE ? &none : &cal->precise_rate[precision][routine];
}

/* Operations per second of one core. */
static double rate_among(struct fr_evaluation *run, const struct table *table,
                         const struct fr_curves *curves, double n, double threads)
{
    const struct fr_curves_names names = { table->what_n, table->what_threads, true };

    return fr_curves_at(run, curves, names, n, threads);
}

double fr_kernel_s(struct fr_evaluation *run, enum fr_routine routine, int precision, double n,
                   double threads)
{
    const struct fr_curves *curves = fr_kernel_rates(run->cal, routine, precision);
    const bool is_own = curves->count > 0;
    const struct table *table =
        is_own && precision != FR_DOUBLE ? &precise[precision][routine] : &in_double[routine];

    if (!is_own) {
        fr_warn_precision(
            run->out, precision == FR_OPEN_CHOICE ? table->what : precise[precision][routine].what,
            precision, FR_DOUBLE);
        curves = &run->cal->rate[routine];
    }
    run->out->used |= table->use;
    return fr_precision_operations(precision) * fr_routine_flops(routine, n) /
           (rate_among(run, table, curves, n, threads) * threads);
}

double fr_kernel_rate(struct fr_evaluation *run, enum fr_routine routine, double n, double threads)
{
    run->out->used |= in_double[routine].use;
    return rate_among(run, &in_double[routine], &run->cal->rate[routine], n, threads);
}
