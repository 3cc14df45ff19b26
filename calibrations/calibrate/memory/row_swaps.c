/* Exchanges of rows of a matrix, as an LU factorization makes them: each row of a panel in turn
 * with a random row below it, in the memory of the process or by message, by the size of the matrix
 * (docs/calibration.md#memory). */
#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"

enum { PANEL = 64, SIZES_MAX = 6, SAMPLES_MAX = 99 };
static const double least_bytes = 0x1p20, most_bytes = 512 * 0x1p20, quick_bytes = 16 * 0x1p20;
static const double ratio = 4, sample_s = 1e-3;

struct matrix {
    int rows, columns;                                    /* rows: the leading dimension */
    double swapped_s[SAMPLES_MAX], packed_s[SAMPLES_MAX]; /* of an element */
};
/* What is exchanged, and the message of a row. */
struct rows {
    double *element;
    char *message;
    int message_bytes;
    struct fr_random *random;
};

/* Nearly square.  Where columns are a multiple of a page apart, elements of a row compete for the
 * sets of a cache. */
static struct matrix matrix_of(double bytes, bool is_on_pages)
{
    const int order = (int)sqrt(bytes / sizeof(double)), page = FR_PAGE_BYTES / sizeof(double);
    const int rows = is_on_pages ? (order + page - 1) / page * page : order / 64 * 64 + 8;

    return (struct matrix){ .rows = rows, .columns = (int)(bytes / sizeof(double)) / rows };
}

static size_t elements_of(const struct matrix *matrix)
{
    return (size_t)matrix->rows * (size_t)matrix->columns;
}

static void swap(const struct matrix *matrix, const struct rows *rows, int row, int other)
{
    dswap_(&matrix->columns, rows->element + row, &matrix->rows, rows->element + other,
           &matrix->rows);
}

/* The MPI library packs a row that a program sends from its place, and unpacks what it receives. */
static void pack(const struct matrix *matrix, const struct rows *rows, int row, int other)
{
    MPI_Datatype type;
    int at = 0;

    MPI_Type_vector(matrix->columns, 1, matrix->rows, MPI_DOUBLE, &type);
    MPI_Type_commit(&type);
    MPI_Pack(rows->element + other, 1, type, rows->message, rows->message_bytes, &at,
             MPI_COMM_SELF);
    at = 0;
    MPI_Unpack(rows->message, rows->message_bytes, &at, rows->element + row, 1, type,
               MPI_COMM_SELF);
    MPI_Type_free(&type);
}

/* Each row of a panel with a random row below it. */
static void move_panel(const struct matrix *matrix, const struct rows *rows,
                       void (*move)(const struct matrix *, const struct rows *, int, int))
{
    const int first = (int)(fr_random_next(rows->random) % (uint64_t)(matrix->rows - PANEL));

    for (int i = first; i < first + PANEL; i++)
        move(matrix, rows, i,
             i + (int)(fr_random_next(rows->random) % (uint64_t)(matrix->rows - i)));
}

/* Seconds of a panel for each of its elements. */
static double sample(const struct matrix *matrix, const struct rows *rows,
                     void (*move)(const struct matrix *, const struct rows *, int, int))
{
    double began_s, took_s;
    int panels = 0;

    move_panel(matrix, rows, move);
    began_s = MPI_Wtime();
    do {
        move_panel(matrix, rows, move);
        panels++;
        took_s = MPI_Wtime() - began_s;
    } while (took_s < sample_s);
    return took_s / ((double)PANEL * panels * matrix->columns);
}

static void measure(struct matrix *matrix, const struct rows *rows, int number)
{
    matrix->swapped_s[number] = sample(matrix, rows, swap) / 2; /* moves two */
    matrix->packed_s[number] = sample(matrix, rows, pack);
}

/* `paged`: the same matrices, columns a multiple of a page apart. */
static void record(struct fr_context *context, struct matrix *matrix, struct matrix *paged,
                   int matrices, int samples)
{
    struct fr_calibration *found = &context->document->found;
    double spread = 0;

    for (int i = 0; i < matrices; i++) {
        spread = fmax(spread, fr_sample_spread(matrix[i].swapped_s, samples));
        spread = fmax(spread, fr_sample_spread(matrix[i].packed_s, samples));
        spread = fmax(spread, fr_sample_spread(paged[i].swapped_s, samples));
        spread = fmax(spread, fr_sample_spread(paged[i].packed_s, samples));
        *FR_ADD_ROW(context->document, found->memory.row_swaps) = (struct fr_row_swap){
            i + 1 < matrices ? sizeof(double) * (double)elements_of(&matrix[i]) * sqrt(ratio)
                             : HUGE_VAL,
            fr_sample_median(matrix[i].swapped_s, samples),
            fr_sample_median(matrix[i].packed_s, samples),
            fr_sample_median(paged[i].swapped_s, samples),
            fr_sample_median(paged[i].packed_s, samples),
        };
    }
    fr_document_source(context->document, "/memory/row_swaps",
                       fr_document_measured((int64_t)samples * 4 * matrices, spread, "median"),
                       "dswap of panels of %d rows with random ones, and MPI_Pack and MPI_Unpack "
                       "of such rows, of square matrices of up to order %d; page: columns a "
                       "multiple of a page apart",
                       PANEL, matrix[matrices - 1].columns);
}

static void run(struct fr_context *context)
{
    const double free_bytes = fr_system_free_bytes();
    const double most = fmin(context->options->is_quick ? quick_bytes : most_bytes, free_bytes / 4);
    const int rounds = context->options->repetitions;
    struct fr_random random = context->random;
    struct fr_progress progress = fr_progress_begin(context, "row_swaps", rounds);
    struct matrix matrix[SIZES_MAX], paged[SIZES_MAX];
    struct rows rows = { .random = &random };
    double bytes = least_bytes;
    int matrices = 0, samples = 0;
    size_t elements;

    fr_blas_set_threads(1);
    do {
        matrix[matrices] = matrix_of(bytes, false);
        paged[matrices++] = matrix_of(bytes, true);
        bytes *= ratio;
    } while (bytes <= most && matrices < SIZES_MAX);
    elements = (size_t)(bytes / ratio / sizeof *rows.element); /* the most of a matrix */
    MPI_Pack_size((int)fmax(matrix[matrices - 1].columns, paged[matrices - 1].columns), MPI_DOUBLE,
                  MPI_COMM_SELF, &rows.message_bytes);
    rows.message = malloc((size_t)rows.message_bytes);
    rows.element =
        aligned_alloc(FR_PAGE_BYTES, (elements * sizeof *rows.element + FR_PAGE_BYTES - 1) /
                                         FR_PAGE_BYTES * FR_PAGE_BYTES);
    if (!rows.message || !rows.element)
        fr_world_out_of_memory();
    for (size_t i = 0; i < elements; i++)
        rows.element[i] = 1;
    for (; samples < rounds && !fr_bench_is_late(context, MPI_COMM_SELF); samples++) {
        for (int i = 0; i < matrices; i++) {
            measure(&matrix[i], &rows, samples);
            measure(&paged[i], &rows, samples);
        }
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
    free(rows.element);
    free(rows.message);
    if (samples)
        record(context, matrix, paged, matrices, samples);
}

static double expected_s(const struct fr_context *context)
{
    return 1 + 0.4 * context->options->repetitions;
}

const struct fr_bench fr_bench_row_swaps = {
    .name = "row_swaps",
    .group = "memory",
    .summary = "exchanges of rows by the size of the matrix",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .is_alone = true,
    .expected_s = expected_s,
    .run = run,
};
