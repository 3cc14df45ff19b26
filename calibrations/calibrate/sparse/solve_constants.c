/* sparse.solve_fit: the constants of the triangular solves
 * (docs/models/sparse_lu.md#constants-of-the-solves). */
#include <math.h>
#include <stdio.h>

#include "calibrations/calibrate/sparse/sparse_kernels.h"

const struct fr_constant_set fr_solve_constants = {
    .pointer = "/sparse/solve_fit",
    .offset = offsetof(struct fr_calibration, sparse.solve_fit),
    .count = 4,
    .name = { "entry_s", "flop_s", "block_s", "supernode_s" },
    .elsewhere = { 6.9e-10, 2.8e-10, 6.2e-8, 1.7e-7 },
};
enum { EQUATIONS_MAX = FR_SPARSE_SAMPLES_MAX * FR_SAMPLE_SOLVES };
_Static_assert((int)EQUATIONS_MAX <= (int)FR_EQUATIONS_MAX, "too many solves");

/* The solves that were measured; returns how many. */
static int collect(const struct fr_sparse_samples *samples, struct fr_fit_sample *out)
{
    int count = 0;

    for (int i = 0; i < samples->count; i++)
        for (int k = 0; k < FR_SAMPLE_SOLVES; k++)
            if (samples->sample[i].solve[k].equation.time_s > 0)
                out[count++] = samples->sample[i].solve[k];
    return count;
}

static void record(const struct fr_sparse_samples *samples, const double prior[FR_CONSTANTS],
                   const struct fr_prior_fit *fit, int count)
{
    struct fr_document *document = samples->context->document;
    const struct fr_constant_set *set = &fr_solve_constants;
    char errors[FR_ERRORS_BYTES], statistic[FR_STATISTIC_BYTES];

    fr_constants_write(document, set, fit->constant);
    snprintf(statistic, sizeof statistic, "best of %d", FR_SAMPLE_SOLVE_REPETITIONS);
    fr_document_source(
        document, set->pointer, fr_document_measured(count, NAN, statistic),
        "solves of SuperLU_DIST on one process with %d and %d right-hand sides, the matrices of "
        "sparse.window_fit; bounded least squares of the relative error with a prior, assumed for "
        "entry %.3g s, flop %.3g s, block %.3g s, supernode %.3g s: %s",
        fr_sample_nrhs[0], fr_sample_nrhs[1], prior[0], prior[1], prior[2], prior[3],
        fr_constants_errors(fit, errors));
    fr_constants_doubt(document, set, fit, prior);
}

void fr_solve_constants_fit(const struct fr_sparse_samples *samples)
{
    const struct fr_constant_set *set = &fr_solve_constants;
    struct fr_fit_sample sample[EQUATIONS_MAX];
    const int count = collect(samples, sample);
    double prior[FR_CONSTANTS];
    struct fr_prior_fit fit;

    if (count < set->count) {
        char why[FR_CHILD_WHY_BYTES + 60];

        snprintf(why, sizeof why, "%d of at least %d solves succeeded: %s", count, set->count,
                 samples->why);
        fr_constants_assume(samples->context, set, why);
        return;
    }
    for (int j = 0; j < FR_CONSTANTS; j++)
        prior[j] = j < set->count ? set->elsewhere[j] : 1;
    fr_prior_fit(sample, count, prior, &fit);
    record(samples, prior, &fit, count);
}
