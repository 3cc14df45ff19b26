#include "calibrations/calibrate/sparse/sparse_kernels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Above this, a constant is not identified by the samples. */
static const double most_prior_share = 0.5;

void fr_constants_write(struct fr_document *document, const struct fr_constant_set *set,
                        const double value[FR_CONSTANTS])
{
    memcpy((char *)&document->found + set->offset, value, (size_t)set->count * sizeof *value);
}

void fr_constants_assume(struct fr_context *context, const struct fr_constant_set *set,
                         const char *why)
{
    fr_bench_say(context, "%s: not fitted, %s; taken from another machine", set->pointer, why);
    fr_constants_write(context->document, set, set->elsewhere);
    fr_document_source(context->document, set->pointer, fr_source_assumed,
                       "fitted on another machine; here %s", why);
}

void fr_constants_doubt(struct fr_document *document, const struct fr_constant_set *set,
                        const struct fr_prior_fit *fit, const double prior[FR_CONSTANTS])
{
    for (int j = 0; j < set->count; j++) {
        char at[80];

        snprintf(at, sizeof at, "%s/%s", set->pointer, set->name[j]);
        if (fit->bound[j] != FR_WITHIN)
            fr_document_source(document, at, (struct fr_source){ .kind = FR_FROM_MEASURED },
                               "doubtful, the fit ends at %s of the prior %.3g",
                               fit->bound[j] == FR_AT_FLOOR ? "a tenth" : "ten times", prior[j]);
        else if (fit->prior_share[j] > most_prior_share)
            fr_document_source(
                document, at,
                (struct fr_source){ .kind =
                                        set->is_measured[j] ? FR_FROM_MEASURED : FR_FROM_ASSUMED },
                "not identified by the samples; the share of the prior, %.3g%s, is %.2f", prior[j],
                set->is_measured[j] ? " of a kernel that scatters" : "", fit->prior_share[j]);
    }
}

struct fr_source fr_constants_source(const struct fr_sparse_samples *samples,
                                     char statistic[FR_STATISTIC_BYTES])
{
    double spread[FR_SPARSE_SAMPLES_MAX];

    for (int i = 0; i < samples->count; i++)
        spread[i] = samples->sample[i].spread;
    snprintf(statistic, FR_STATISTIC_BYTES, "best median of %d round%s", samples->rounds,
             samples->rounds == 1 ? "" : "s");
    return fr_document_measured(samples->count, fr_sample_median(spread, samples->count),
                                statistic);
}

const char *fr_constants_errors(const struct fr_prior_fit *fit, char out[FR_ERRORS_BYTES])
{
    const int length =
        snprintf(out, FR_ERRORS_BYTES, "median factor %.3f, worst %.3f, ", fit->median, fit->worst);

    if (isnan(fit->left_out_worst))
        snprintf(out + length, (size_t)(FR_ERRORS_BYTES - length), "no other matrix to leave out");
    else
        snprintf(out + length, (size_t)(FR_ERRORS_BYTES - length),
                 "of matrices left out %.3f and %.3f", fit->left_out_median, fit->left_out_worst);
    return out;
}
