/* sparse.fit: the constants for the steps of the paper
 * (docs/models/sparse_lu.md#fit-of-the-six-constants). */
#include <math.h>

#include "calibrations/calibrate/sparse/sparse_kernels.h"

const struct fr_constant_set fr_step_constants = {
    .pointer = "/sparse/fit",
    .offset = offsetof(struct fr_calibration, sparse.fit),
    .count = FR_CONSTANTS,
    .name = { FR_CONSTANT_NAMES },
    .elsewhere = { 1.96, 1.89, 1.13e-9, 1.1e-7, 7.2e-9, 2.57e-6 },
};

/* Writes the constants and the distribution of the residuals as factors of at least 1. */
static void record_steps(const struct fr_sparse_samples *samples,
                         const double constant[FR_CONSTANTS], double error)
{
    struct fr_document *document = samples->context->document;
    double factor[FR_SPARSE_SAMPLES_MAX], median;
    char statistic[FR_STATISTIC_BYTES];
    int furthest = 0;

    for (int i = 0; i < samples->count; i++) {
        const struct fr_equation *equation = &samples->sample[i].steps;

        factor[i] = exp(fabs(log(fr_equation_s(equation, constant) / equation->time_s)));
        furthest = factor[i] > factor[furthest] ? i : furthest;
    }
    fr_bench_say(samples->context,
                 "sparse_fit: the largest error has %s, a factor of %.2f of %.3g ms",
                 samples->sample[furthest].matrix, factor[furthest],
                 1e3 * samples->sample[furthest].steps.time_s);
    median = fr_sample_median(factor, samples->count);
    fr_constants_write(document, &fr_step_constants, constant);
    fr_document_source(
        document, fr_step_constants.pointer, fr_constants_source(samples, statistic),
        "SuperLU_DIST on one process, metis, generated matrices at two limits of supernodes, "
        "non-negative least squares of the relative error: root mean square %.1f %%, median factor "
        "%.3f, worst %.3f",
        100 * error, median, factor[samples->count - 1]);
}

void fr_step_constants_fit(const struct fr_sparse_samples *samples)
{
    struct fr_equation equation[FR_SPARSE_SAMPLES_MAX];
    double constant[FR_CONSTANTS], error;

    for (int i = 0; i < samples->count; i++)
        equation[i] = samples->sample[i].steps;
    if (fr_nonnegative_fit(equation, samples->count, constant, &error))
        record_steps(samples, constant, error);
    else
        fr_constants_assume(samples->context, &fr_step_constants,
                            "no constants fit the measured times");
}
