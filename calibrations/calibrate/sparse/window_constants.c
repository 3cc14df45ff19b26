/* sparse.window_fit and sparse.window_fit_quality: the constants with a look-ahead window, and what
 * is known of them (docs/models/sparse_lu.md#fit-with-a-window). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/sparse/constants.h"
#include "calibrations/calibrate/sparse/scatter.h"
#include "server/json/writer.h"

static const char pointer[] = "/sparse/window_fit";
/* Of another machine. */
static const double elsewhere[FR_CONSTANTS] = { 1.0, 1.7, 4.5e-10, 3.9e-8, 6.0e-9, 2.8e-6 };
/* Scattered elements and columns are measured here. */
static const double assumed_prior[FR_CONSTANTS] = {
    [FR_BY_GEMM] = 1, [FR_BY_PANEL] = 1.6, [FR_BY_BLOCK] = 4e-8, [FR_BY_SUPERNODE] = 3e-6
};
/* Above this, a constant is not identified by the samples. */
static const double most_prior_share = 0.5;

static void write_values(struct fr_document *document, const struct fr_window_fit *fit)
{
    struct fr_writer *out = fr_document_value(document, pointer);

    fr_json_object(out);
    fr_constants_write(out, fit->constant);
    fr_json_object_end(out);
    out = fr_document_value(document, "/sparse/window_fit_quality");
    fr_json_object(out);
    fr_json_pair_number(out, "median", fit->median);
    fr_json_pair_number(out, "worst", fit->worst);
    if (!isnan(fit->left_out_worst)) {
        fr_json_pair_number(out, "left_out_median", fit->left_out_median);
        fr_json_pair_number(out, "left_out_worst", fit->left_out_worst);
    }
    fr_json_key(out, "prior_share");
    fr_json_object(out);
    fr_constants_write(out, fit->prior_share);
    fr_json_object_end(out);
    fr_json_object_end(out);
    fr_document_source(document, "/sparse/window_fit_quality",
                       "measured: errors of the samples of %s as factors, and the share of the "
                       "prior in each constant",
                       pointer);
}

/* States which constants the samples do not determine. */
static void record_doubts(struct fr_document *document, const struct fr_window_fit *fit,
                          const double prior[FR_CONSTANTS])
{
    for (int j = 0; j < FR_CONSTANTS; j++) {
        const bool is_measured = !(assumed_prior[j] > 0);
        char at[80];

        snprintf(at, sizeof at, "%s/%s", pointer, fr_constant_names[j]);
        if (fit->bound[j] != FR_WITHIN)
            fr_document_source(document, at,
                               "measured: doubtful, the fit ends at %s of the prior %.3g",
                               fit->bound[j] == FR_AT_FLOOR ? "a tenth" : "ten times", prior[j]);
        else if (fit->prior_share[j] > most_prior_share)
            fr_document_source(document, at,
                               "%s: not identified by the samples; the share of the prior, %.3g%s, "
                               "is %.2f",
                               is_measured ? "measured" : "assumed", prior[j],
                               is_measured ? " of a kernel that scatters" : "",
                               fit->prior_share[j]);
    }
}

static void record(const struct fr_sparse_samples *samples, const double prior[FR_CONSTANTS],
                   const struct fr_window_fit *fit)
{
    struct fr_document *document = samples->context->document;
    char counted[FR_COUNTED_BYTES], left_out[80] = "no other matrix to leave out";

    if (!isnan(fit->left_out_worst))
        snprintf(left_out, sizeof left_out, "of matrices left out %.3f and %.3f",
                 fit->left_out_median, fit->left_out_worst);
    write_values(document, fit);
    fr_document_source(
        document, pointer,
        "measured: SuperLU_DIST on one process, metis, look-ahead %d, generated matrices at two "
        "limits of supernodes, dgemm and panel also apart; bounded least squares of the relative "
        "error with a prior, assumed for gemm %.3g, panel %.3g, block %.3g s, supernode %.3g s, "
        "measured for scatter %.3g s and column %.3g s: median factor %.3f, worst "
        "%.3f, %s (%s)",
        FR_SAMPLE_WINDOW, prior[FR_BY_GEMM], prior[FR_BY_PANEL], prior[FR_BY_BLOCK],
        prior[FR_BY_SUPERNODE], prior[FR_BY_SCATTER], prior[FR_BY_COLUMN], fit->median, fit->worst,
        left_out, fr_constants_counted(samples, counted));
    record_doubts(document, fit, prior);
}

void fr_window_constants_fit(const struct fr_sparse_samples *samples)
{
    struct fr_random random = samples->context->random;
    const struct fr_scatter scatter = fr_scatter_measure(&random);
    struct fr_window_sample sample[FR_SPARSE_SAMPLES_MAX];
    double prior[FR_CONSTANTS];
    struct fr_window_fit fit;

    memcpy(prior, assumed_prior, sizeof prior);
    prior[FR_BY_SCATTER] = scatter.scatter_s;
    prior[FR_BY_COLUMN] = scatter.column_s;
    for (int i = 0; i < samples->count; i++)
        sample[i] = samples->sample[i].window;
    fr_window_fit(sample, samples->count, prior, &fit);
    record(samples, prior, &fit);
}

void fr_window_constants_assume(struct fr_context *context, const char *why)
{
    fr_constants_assume(context, pointer, elsewhere, why);
}
