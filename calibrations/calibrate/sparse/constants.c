#include "calibrations/calibrate/sparse/constants.h"

#include <stdio.h>

#include "server/json/writer.h"

const char *const fr_constant_names[FR_CONSTANTS] = {
    [FR_BY_GEMM] = "gemm",     [FR_BY_PANEL] = "panel",     [FR_BY_SCATTER] = "scatter_s",
    [FR_BY_BLOCK] = "block_s", [FR_BY_COLUMN] = "column_s", [FR_BY_SUPERNODE] = "supernode_s",
};

void fr_constants_write(struct fr_writer *out, const double constant[FR_CONSTANTS])
{
    for (int j = 0; j < FR_CONSTANTS; j++)
        fr_json_pair_number(out, fr_constant_names[j], constant[j]);
}

void fr_constants_assume(struct fr_context *context, const char *pointer,
                         const double constant[FR_CONSTANTS], const char *why)
{
    struct fr_writer *out = fr_document_value(context->document, pointer);

    fr_bench_say(context, "%s: not fitted, %s; taken from another machine", pointer, why);
    fr_json_object(out);
    fr_constants_write(out, constant);
    fr_json_object_end(out);
    fr_document_source(context->document, pointer, "assumed: fitted on another machine; here %s",
                       why);
}

const char *fr_constants_counted(const struct fr_sparse_samples *samples,
                                 char out[FR_COUNTED_BYTES])
{
    double spread[FR_SPARSE_SAMPLES_MAX];

    for (int i = 0; i < samples->count; i++)
        spread[i] = samples->sample[i].spread;
    snprintf(out, FR_COUNTED_BYTES, "%d samples, best median of %d rounds of %d, spread %.1f %%",
             samples->count, samples->rounds, samples->repetitions,
             100 * fr_sample_median(spread, samples->count));
    return out;
}
