/* sparse.window_fit and sparse.window_fit_quality: the constants with a look-ahead window, and what
 * is known of them (docs/models/sparse_lu.md#fit-with-a-window). */
#include <math.h>
#include <string.h>

#include "calibrations/calibrate/sparse/sparse_kernels.h"

static const char quality[] = "/sparse/window_fit_quality";

const struct fr_constant_set fr_window_constants = {
    .pointer = "/sparse/window_fit",
    .offset = offsetof(struct fr_calibration, sparse.window_fit),
    .count = FR_CONSTANTS,
    .name = { FR_CONSTANT_NAMES },
    .elsewhere = { 1.0, 1.7, 4.5e-10, 3.9e-8, 6.0e-9, 2.8e-6 },
    .is_measured = { [FR_BY_SCATTER] = true, [FR_BY_COLUMN] = true },
};
/* But for scattered elements and columns. */
static const double assumed_prior[FR_CONSTANTS] = {
    [FR_BY_GEMM] = 1, [FR_BY_PANEL] = 1.6, [FR_BY_BLOCK] = 4e-8, [FR_BY_SUPERNODE] = 3e-6
};

static void write_quality(struct fr_document *document, const struct fr_prior_fit *fit)
{
    struct fr_calibration *found = &document->found;

    found->sparse.window_fit_quality.median = fit->median;
    found->sparse.window_fit_quality.worst = fit->worst;
    if (!isnan(fit->left_out_worst)) {
        found->sparse.window_fit_quality.left_out_median = fit->left_out_median;
        found->sparse.window_fit_quality.left_out_worst = fit->left_out_worst;
    }
    memcpy(&found->sparse.window_fit_quality.prior_share, fit->prior_share,
           sizeof found->sparse.window_fit_quality.prior_share);
    fr_document_source(document, quality, (struct fr_source){ .kind = FR_FROM_MEASURED },
                       "errors of the samples of %s as factors, and the share of the "
                       "prior in each constant",
                       fr_window_constants.pointer);
}

static void record(const struct fr_sparse_samples *samples, const double prior[FR_CONSTANTS],
                   const struct fr_prior_fit *fit)
{
    struct fr_document *document = samples->context->document;
    char statistic[FR_STATISTIC_BYTES], errors[FR_ERRORS_BYTES];

    fr_constants_write(document, &fr_window_constants, fit->constant);
    write_quality(document, fit);
    fr_document_source(
        document, fr_window_constants.pointer, fr_constants_source(samples, statistic),
        "SuperLU_DIST on one process, metis, look-ahead %d, generated matrices at two limits of "
        "supernodes, dgemm and panel also apart; bounded least squares of the relative error with "
        "a prior, assumed for gemm %.3g, panel %.3g, block %.3g s, supernode %.3g s, measured for "
        "scatter %.3g s and column %.3g s: %s",
        FR_SAMPLE_WINDOW, prior[FR_BY_GEMM], prior[FR_BY_PANEL], prior[FR_BY_BLOCK],
        prior[FR_BY_SUPERNODE], prior[FR_BY_SCATTER], prior[FR_BY_COLUMN],
        fr_constants_errors(fit, errors));
    fr_constants_doubt(document, &fr_window_constants, fit, prior);
}

void fr_window_constants_fit(const struct fr_sparse_samples *samples)
{
    struct fr_random random = samples->context->random;
    const struct fr_scatter scatter = fr_scatter_measure(&random);
    struct fr_fit_sample sample[FR_SPARSE_SAMPLES_MAX];
    double prior[FR_CONSTANTS];
    struct fr_prior_fit fit;

    memcpy(prior, assumed_prior, sizeof prior);
    prior[FR_BY_SCATTER] = scatter.scatter_s;
    prior[FR_BY_COLUMN] = scatter.column_s;
    for (int i = 0; i < samples->count; i++)
        sample[i] = samples->sample[i].window;
    fr_prior_fit(sample, samples->count, prior, &fit);
    record(samples, prior, &fit);
}
