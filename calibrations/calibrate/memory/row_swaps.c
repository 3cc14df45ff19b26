/* Exchanges of rows of a matrix, as an LU factorization makes them: each row of a panel in turn
 * with a random row below it, by the size of the matrix (docs/calibration.md#memory). */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/progress.h"

enum { PANEL = 64, SIZES_MAX = 6, SAMPLES_MAX = 99 };
static const double least_bytes = 0x1p20, most_bytes = 512 * 0x1p20, quick_bytes = 16 * 0x1p20;
static const double ratio = 4, sample_s = 1e-3;

struct matrix {
    int rows, columns; /* rows: the leading dimension */
    double time_s[SAMPLES_MAX];
};

/* Nearly square.  No multiple of a page apart, elements of a row do not compete for the sets of a
 * cache. */
static struct matrix matrix_of(double bytes)
{
    const int order = (int)sqrt(bytes / sizeof(double));

    return (struct matrix){ .rows = order / 64 * 64 + 8, .columns = order };
}

static size_t elements_of(const struct matrix *matrix)
{
    return (size_t)matrix->rows * (size_t)matrix->columns;
}

static void swap_panel(const struct matrix *matrix, double *element, struct fr_random *random)
{
    const int first = (int)(fr_random_next(random) % (uint64_t)(matrix->rows - PANEL));

    for (int i = first; i < first + PANEL; i++) {
        const int other = i + (int)(fr_random_next(random) % (uint64_t)(matrix->rows - i));

        dswap_(&matrix->columns, element + i, &matrix->rows, element + other, &matrix->rows);
    }
}

/* Seconds of an element of a row; each swap moves two rows. */
static double sample(const struct matrix *matrix, double *element, struct fr_random *random)
{
    double began_s, took_s;
    int panels = 0;

    swap_panel(matrix, element, random);
    began_s = MPI_Wtime();
    do {
        swap_panel(matrix, element, random);
        panels++;
        took_s = MPI_Wtime() - began_s;
    } while (took_s < sample_s);
    return took_s / (2.0 * PANEL * panels * matrix->columns);
}

static void record(struct fr_context *context, struct matrix *matrix, int matrices, int samples)
{
    struct fr_calibration *found = &context->document->found;
    double spread = 0;

    for (int i = 0; i < matrices; i++) {
        spread = fmax(spread, fr_sample_spread(matrix[i].time_s, samples));
        *FR_ADD_ROW(context->document, found->memory.row_swaps) = (struct fr_row_swap){
            i + 1 < matrices ? sizeof(double) * (double)elements_of(&matrix[i]) * sqrt(ratio)
                             : HUGE_VAL,
            fr_sample_median(matrix[i].time_s, samples),
        };
    }
    fr_document_source(context->document, "/memory/row_swaps",
                       fr_document_measured((int64_t)samples * matrices, spread, "median"),
                       "dswap of panels of %d rows with random ones, of square matrices of up to "
                       "order %d",
                       PANEL, matrix[matrices - 1].columns);
}

static void measure(struct fr_context *context)
{
    const double free_bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double most = fmin(context->options->is_quick ? quick_bytes : most_bytes, free_bytes / 4);
    const int rounds = context->options->repetitions;
    struct fr_random random = context->random;
    struct fr_progress progress = fr_progress_begin(context, "row_swaps", rounds);
    struct matrix matrix[SIZES_MAX] = { matrix_of(least_bytes) };
    int matrices = 1, samples = 0;
    double *element;

    for (double bytes = ratio * least_bytes; bytes <= most && matrices < SIZES_MAX; bytes *= ratio)
        matrix[matrices++] = matrix_of(bytes);
    element = malloc(elements_of(&matrix[matrices - 1]) * sizeof *element);
    if (!element)
        fr_world_out_of_memory();
    for (size_t i = 0; i < elements_of(&matrix[matrices - 1]); i++)
        element[i] = 1;
    for (; samples < rounds && !fr_bench_is_late(context, MPI_COMM_SELF); samples++) {
        for (int i = 0; i < matrices; i++)
            matrix[i].time_s[samples] = sample(&matrix[i], element, &random);
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
    free(element);
    if (samples)
        record(context, matrix, matrices, samples);
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
    return 1 + 0.1 * context->options->repetitions;
}

const struct fr_bench fr_bench_row_swaps = {
    .name = "row_swaps",
    .group = "memory",
    .summary = "exchanges of rows by the size of the matrix",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .expected_s = expected_s,
    .run = run,
};
