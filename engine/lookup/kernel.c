/* Seconds of a BLAS or LAPACK routine from its measured rates: linear in log2 of the order, then in
 * the thread count (docs/models/dense.md#kernels). */
#include "engine/lookup/curve.h"
#include "engine/lookup/lookup.h"

#include <math.h>

static const struct {
    const char *name, *what_n, *what_threads;
    double flops; /* F: the routine does F n^3 operations on operands of order n */
    uint64_t use;
} routines[FR_ROUTINES] = {
    [FR_DGEMM] = { "dgemm", "kernels.dgemm.n", "kernels.dgemm.threads", 2, FR_USE(DGEMM) },
    [FR_DTRSM] = { "dtrsm", "kernels.dtrsm.n", "kernels.dtrsm.threads", 1, FR_USE(DTRSM) },
    [FR_DSYRK] = { "dsyrk", "kernels.dsyrk.n", "kernels.dsyrk.threads", 1, FR_USE(DSYRK) },
    [FR_DPOTRF] = { "dpotrf", "kernels.dpotrf.n", "kernels.dpotrf.threads", 1.0 / 3,
                    FR_USE(DPOTRF) },
    [FR_DGER] = { "dger", "kernels.dger.n", "kernels.dger.threads", 2, FR_NO_USE },
    [FR_DTRSV] = { "dtrsv", "kernels.dtrsv.n", "kernels.dtrsv.threads", 1, FR_NO_USE },
};

const char *fr_routine_name(enum fr_routine routine)
{
    return routines[routine].name;
}

double fr_routine_flops(enum fr_routine routine, double n)
{
    return routines[routine].flops * n * n * n;
}

static double rate_at(struct fr_evaluation *run, enum fr_routine routine,
                      const struct fr_curve *curve, double n, double x)
{
    if (!fr_curve_covers(curve, x))
        fr_warn(run->out, FR_WARN_EXTRAPOLATED, routines[routine].what_n, n,
                round(exp2(fr_curve_low(curve))), round(exp2(fr_curve_high(curve))));
    return fr_curve_at(curve, x);
}

double fr_kernel_s(struct fr_evaluation *run, enum fr_routine routine, double n, double threads)
{
    const struct fr_curves *curves = &run->cal->rate[routine];
    const size_t last = curves->count - 1;
    const double x = log2(n);
    size_t above = 0;
    double rate; /* flop/s of one core */

    run->out->used |= routines[routine].use;
    while (above < last && (double)curves->key[above] < threads)
        above++;
    if ((double)curves->key[above] == threads || above == 0 ||
        (double)curves->key[above] < threads) {
        rate = rate_at(run, routine, &curves->curve[above], n, x);
        if ((double)curves->key[above] != threads)
            fr_warn(run->out, FR_WARN_EXTRAPOLATED, routines[routine].what_threads, threads,
                    (double)curves->key[0], (double)curves->key[last]);
    } else {
        rate = fr_interpolate(threads, (double)curves->key[above - 1],
                              rate_at(run, routine, &curves->curve[above - 1], n, x),
                              (double)curves->key[above],
                              rate_at(run, routine, &curves->curve[above], n, x));
    }
    return fr_routine_flops(routine, n) / (rate * threads);
}
