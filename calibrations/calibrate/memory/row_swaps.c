/* Exchanges of rows of a matrix that fits in no cache, as an LU factorization makes them: each row
 * of a panel in turn with a random row below it (docs/calibration.md#memory). */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/progress.h"
#include "calibrations/calibrate/memory/cache_levels.h"

enum { COLUMNS = 2048, PANEL = 64, SAMPLES_MAX = 99 };
/* The matrix is this many times the largest cache, within these limits. */
static const double caches = 4, least_bytes = 64 * 0x1p20, most_bytes = 512 * 0x1p20;

struct matrix {
    double *element;
    int rows; /* the leading dimension */
};

/* No multiple of a page apart, elements of a row do not compete for the sets of a cache. */
static struct matrix matrix_new(void)
{
    const double free_bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    struct fr_cache_levels cache = { 0 };
    double bytes = least_bytes;
    struct matrix matrix;

    if (!fr_cache_levels_find(&cache))
        bytes = caches * (double)cache.level[cache.count - 1].capacity_bytes;
    bytes = fmin(fmin(fmax(bytes, least_bytes), most_bytes), free_bytes / 4);
    matrix.rows = (int)(bytes / sizeof(double) / COLUMNS) / 512 * 512 + 8;
    matrix.element = malloc((size_t)matrix.rows * COLUMNS * sizeof(double));
    if (!matrix.element)
        fr_world_out_of_memory();
    for (size_t i = 0; i < (size_t)matrix.rows * COLUMNS; i++)
        matrix.element[i] = 1;
    return matrix;
}

/* Seconds of an element of a row, of PANEL swaps one after the other; each moves two rows. */
static double sample(const struct matrix *matrix, struct fr_random *random)
{
    const int columns = COLUMNS, rows = matrix->rows;
    const int first = (int)(fr_random_next(random) % (uint64_t)(rows - PANEL));
    const double began_s = MPI_Wtime();

    for (int i = first; i < first + PANEL; i++) {
        const int other = i + (int)(fr_random_next(random) % (uint64_t)(rows - i));

        dswap_(&columns, matrix->element + i, &rows, matrix->element + other, &rows);
    }
    return (MPI_Wtime() - began_s) / (2.0 * PANEL * COLUMNS);
}

static void measure(struct fr_context *context)
{
    const int rounds = context->options->repetitions;
    struct fr_random random = context->random;
    struct fr_progress progress = fr_progress_begin(context, "row_swaps", rounds);
    struct matrix matrix = matrix_new();
    double time_s[SAMPLES_MAX];
    int samples = 0;

    while (samples < rounds && !fr_bench_is_late(context, MPI_COMM_SELF)) {
        time_s[samples++] = sample(&matrix, &random);
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
    free(matrix.element);
    if (!samples)
        return;
    context->document->found.memory.row_element_s = fr_sample_median(time_s, samples);
    fr_document_source(context->document, "/memory/row_element_s",
                       fr_document_measured(samples, fr_sample_spread(time_s, samples), "median"),
                       "dswap of %d pairs of rows of %d elements, %d apart", PANEL, COLUMNS,
                       matrix.rows);
}

static void run(struct fr_context *context)
{
    struct fr_team team = fr_team_begin(context->world, context->world->rank == 0);

    if (context->world->rank == 0) {
        const bool may_pin = !context->options->is_unpinned;

        fr_blas_set_threads(1);
        if (may_pin)
            fr_binding_set(context->cores, 0, 1);
        measure(context);
        if (may_pin)
            fr_binding_restore(context->cores);
    }
    fr_team_end(context->world, &team);
}

static double expected_s(const struct fr_context *context)
{
    return 1 + 0.02 * context->options->repetitions;
}

const struct fr_bench fr_bench_row_swaps = {
    .name = "row_swaps",
    .group = "memory",
    .summary = "exchanges of rows of a matrix in memory",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .expected_s = expected_s,
    .run = run,
};
