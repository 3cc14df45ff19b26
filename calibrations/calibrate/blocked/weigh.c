/* Runs the blocked inversion, again and again on the same matrix: what one call leaves in the cache
 * for the next is what the weight accounts for. */
#include "calibrations/calibrate/blocked/modeling.h"

#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/blocked/sampler.h"
#include "calibrations/calibrate/blocked/unblocked.h"
#include "calibrations/calibrate/core/bench.h"
#include "engine/blocked/fitted.h"

enum { VARIANTS = 3, SIZES = 3, RUNS = 7, BLOCK = 96, LARGEST = 1024 };

static double *matrix_new(int n, int leading)
{
    double *matrix = calloc((size_t)leading * (size_t)n, sizeof *matrix);

    if (!matrix)
        fr_world_out_of_memory();
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            matrix[(size_t)j * (size_t)leading + (size_t)i] = i == j ? 1 : 0.1 / n;
    return matrix;
}

/* The median time; the first run is not counted.  The inverse of the inverse is the matrix. */
static double time_of(int variant, int n, int b, double *matrix, int leading, double *spread)
{
    double time_s[RUNS];

    for (int i = -1; i < RUNS; i++) {
        const double began_s = fr_stopwatch_s();

        fr_trinv_blocked(variant, n, b, matrix, leading);
        if (i >= 0)
            time_s[i] = fr_stopwatch_s() - began_s;
    }
    *spread = fr_sample_spread(time_s, RUNS);
    return fr_sample_median(time_s, RUNS);
}

static void record(struct fr_context *context, const struct fr_weight_run *run, int runs,
                   double *spread)
{
    double error;
    const double weight = fr_weight_fit(run, runs, &error);

    if (isnan(weight)) {
        fr_bench_missing(context, "out_of_cache_weight", "the two localities do not differ");
        return;
    }
    context->document->found.kernels.out_of_cache_weight = weight;
    fr_document_source(
        context->document, "/kernels/out_of_cache_weight",
        fr_document_measured(runs * RUNS, fr_sample_median(spread, runs), NULL),
        "trinv variants 1 to %d in %d sizes, least squares of the blend, which differs by %.1f %%",
        VARIANTS, SIZES, 100 * error);
    fr_bench_say(context, "out_of_cache_weight: %.3f, the blend differs by %.1f %%", weight,
                 100 * error);
}

void fr_weigh(struct fr_context *context, int threads, int leading)
{
    struct fr_calibration *models = &context->document->found;
    const int size_most = context->modeling->size;
    const int most = (size_most < LARGEST ? size_most : LARGEST) / 8 * 8;
    const int block = context->modeling->block < BLOCK ? context->modeling->block : BLOCK;
    struct fr_weight_run run[VARIANTS * SIZES];
    double spread[VARIANTS * SIZES], *matrix = matrix_new(most, leading);
    struct fr_faults faults = { 0 };
    int runs = 0;

    blocked_prepare(models, context->document->arena, &faults);
    if (faults.count)
        fr_world_out_of_memory();
    for (int size = 0; size < SIZES; size++)
        for (int variant = 1; variant <= VARIANTS; variant++) {
            const int n = most * (SIZES - 1 + size) / (2 * SIZES - 2);

            if (!fr_weight_predict(models, threads, variant, n, block, &run[runs]))
                continue;
            run[runs].time_s = time_of(variant, n, block, matrix, leading, &spread[runs]);
            runs++;
        }
    if (runs)
        record(context, run, runs, spread);
    else
        fr_bench_missing(context, "out_of_cache_weight",
                         "it needs models of trinv in both localities");
    free(matrix);
}
