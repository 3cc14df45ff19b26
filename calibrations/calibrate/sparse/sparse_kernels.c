/* sparse_kernels: rates of the four BLAS routines of sparse LU over their sizes (kernels.*.rates).
 *
 * Only rank 0 measures, on one thread.  The operands stay in place between calls, so that small
 * ones are in cache like the recently used blocks of a supernode.  The fitted constants cover
 * everything else that the library does.
 */
#include "calibrations/calibrate/sparse/sparse_kernels.h"

#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/blas.h"

enum { AXES = 3, SIZES_MAX = 12, POINTS_MAX = 216, ROUNDS_MAX = 99, CALLS_MAX = 100000 };
enum { LARGEST = 1024 };

struct operands {
    double *a, *b, *c; /* LARGEST squared each; triangles in b */
};

struct routine {
    enum fr_routine which;
    const char *pointer;
    int axes;
    struct {
        const char *name;
        int size[SIZES_MAX]; /* ends with 0 */
    } axis[AXES];
    double (*flops)(const int *size);
    void (*call)(struct operands *o, const int *size);
};

struct point {
    int size[AXES];
    int calls, samples;
    double time_s[ROUNDS_MAX]; /* of one call */
};

struct table {
    const struct routine *routine;
    int points;
    struct point point[POINTS_MAX];
};

/* The measured rates, for the benchmark sparse_fit. */
static struct fr_kernel found[FR_ROUTINES];

bool fr_sparse_kernels_find(struct fr_kernel kernels[FR_ROUTINES])
{
    for (int i = 0; i < FR_ROUTINES; i++)
        kernels[i] = found[i];
    return found[FR_DGEMM].rates.count && found[FR_DTRSM].rates.count &&
           found[FR_DGER].rates.count && found[FR_DTRSV].rates.count;
}

static const double one = 1, minus_one = -1, zero = 0;
static const int step = 1;

static double flops_dgemm(const int *s)
{
    return 2.0 * s[0] * s[1] * s[2];
}

static void call_dgemm(struct operands *o, const int *s)
{
    dgemm_("N", "N", &s[0], &s[1], &s[2], &one, o->a, &s[0], o->b, &s[2], &zero, o->c, &s[0], 1, 1);
}

static double flops_dger(const int *s)
{
    return 2.0 * s[0] * s[1];
}

static void call_dger(struct operands *o, const int *s)
{
    dger_(&s[0], &s[1], &minus_one, o->a, &step, o->a + LARGEST, &step, o->c, &s[0]);
}

static double flops_dtrsm(const int *s)
{
    return (double)s[0] * s[1] * s[1];
}

/* The solve for rows of L below the diagonal block in the panel factorization. */
static void call_dtrsm(struct operands *o, const int *s)
{
    static const int leading = LARGEST;

    dtrsm_("R", "U", "N", "N", &s[0], &s[1], &one, o->b, &leading, o->c, &s[0], 1, 1, 1, 1);
}

static double flops_dtrsv(const int *s)
{
    return (double)s[0] * s[0];
}

/* The solve for a segment of U. */
static void call_dtrsv(struct operands *o, const int *s)
{
    static const int leading = LARGEST;

    dtrsv_("L", "N", "U", &s[0], o->b, &leading, o->c, &step, 1, 1, 1);
}

static const struct routine routines[] = {
    { .which = FR_DGEMM,
      .pointer = "/kernels/dgemm/rates",
      .axes = 3,
      .axis = { { "m", { 1, 4, 16, 64, 256, 1024 } },
                { "n", { 1, 4, 16, 64, 256, 1024 } },
                { "k", { 1, 2, 8, 32, 128, 256 } } },
      .flops = flops_dgemm,
      .call = call_dgemm },
    { .which = FR_DTRSM,
      .pointer = "/kernels/dtrsm/rates",
      .axes = 2,
      .axis = { { "m", { 1, 4, 16, 64, 256, 1024 } }, { "n", { 1, 4, 16, 64, 256 } } },
      .flops = flops_dtrsm,
      .call = call_dtrsm },
    { .which = FR_DGER,
      .pointer = "/kernels/dger/rates",
      .axes = 2,
      .axis = { { "m", { 1, 4, 16, 64, 256, 1024 } }, { "n", { 1, 4, 16, 64, 256 } } },
      .flops = flops_dger,
      .call = call_dger },
    { .which = FR_DTRSV,
      .pointer = "/kernels/dtrsv/rates",
      .axes = 1,
      .axis = { { "n", { 1, 2, 4, 8, 16, 32, 64, 128, 256, 512 } } },
      .flops = flops_dtrsv,
      .call = call_dtrsv },
};
enum { ROUTINES = sizeof routines / sizeof *routines };

static double *matrix_new(struct fr_random *random)
{
    double *matrix = malloc((size_t)LARGEST * LARGEST * sizeof *matrix);

    if (!matrix)
        fr_world_out_of_memory();
    for (size_t i = 0; i < (size_t)LARGEST * LARGEST; i++)
        matrix[i] = fr_random_centred(random);
    return matrix;
}

/* Ones on the diagonal and small values elsewhere, so that repeated solves do not overflow or
 * underflow. */
static void tame(double *triangle)
{
    for (size_t i = 0; i < (size_t)LARGEST * LARGEST; i++)
        triangle[i] *= 0.1 / LARGEST;
    for (size_t j = 0; j < LARGEST; j++)
        triangle[j * (LARGEST + 1)] = 1;
}

static double sample_min_s(const struct fr_context *context)
{
    return context->options->is_quick ? 1e-4 : 2e-3;
}

static double time_of(const struct routine *routine, struct operands *o, const int *size, int calls)
{
    const double began_s = MPI_Wtime();

    for (int i = 0; i < calls; i++)
        routine->call(o, size);
    return (MPI_Wtime() - began_s) / calls;
}

static void measure(const struct fr_context *context, const struct routine *routine,
                    struct operands *o, struct point *point)
{
    const double least_s = sample_min_s(context);

    for (int trial = 0; trial < 3 && !point->calls; trial++) {
        static const int tried[] = { 1, 10, 100 };
        const double call_s = time_of(routine, o, point->size, tried[trial]);

        if (trial == 2 || call_s * tried[trial] > 1e-5)
            point->calls = (int)fmin(fmax(ceil(least_s / fmax(call_s, 1e-9)), 1), CALLS_MAX);
    }
    point->time_s[point->samples++] = time_of(routine, o, point->size, point->calls);
}

static void fill(struct table *table, const struct routine *routine)
{
    int place[AXES] = { 0 };

    table->routine = routine;
    while (place[0] < SIZES_MAX && routine->axis[0].size[place[0]]) {
        struct point *point = &table->point[table->points++];
        int a = routine->axes - 1;

        for (int i = 0; i < routine->axes; i++)
            point->size[i] = routine->axis[i].size[place[i]];
        place[a]++;
        for (; a > 0 && !routine->axis[a].size[place[a]]; a--) {
            place[a] = 0;
            place[a - 1]++;
        }
    }
}

/* Each round measures all routines and sizes in a new random order. */
static void measure_all(struct fr_context *context, struct table *tables)
{
    struct fr_random random = context->random;
    struct operands o = { matrix_new(&random), matrix_new(&random), matrix_new(&random) };
    const int rounds = context->options->repetitions;
    struct fr_progress progress = fr_progress_begin(context, "sparse_kernels", rounds);

    tame(o.b);
    for (int round = 0; round < rounds; round++) {
        for (int t = 0; t < ROUTINES; t++) {
            struct table *table = &tables[t];
            int order[POINTS_MAX];

            fr_random_order(&random, order, table->points);
            for (int i = 0; i < table->points && !fr_bench_is_late(context, MPI_COMM_SELF); i++)
                measure(context, table->routine, &o, &table->point[order[i]]);
        }
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
    free(o.a);
    free(o.b);
    free(o.c);
}

static struct fr_rate row_of(const struct routine *routine, const int *size, double rate)
{
    if (routine->axes == 1)
        return (struct fr_rate){ .n = size[0], .rate_flops_per_s = rate };
    return (struct fr_rate){ size[0], size[1], routine->axes > 2 ? size[2] : 0, rate };
}

/* The models interpolate between neighbours, so that a table with gaps is not written. */
static void record(struct fr_context *context, struct table *table)
{
    const struct routine *routine = table->routine;
    struct fr_rate *row = fr_document_memory(context->document, (size_t)table->points, sizeof *row);
    struct fr_kernel *kernel = &context->document->found.kernels.routine[routine->which];
    double spread[POINTS_MAX];
    int samples = 0;

    for (int i = 0; i < table->points; i++)
        if (!table->point[i].samples) {
            fr_bench_missing(context, routine->pointer,
                             "the time limit came before its last sizes");
            return;
        }
    for (int i = 0; i < table->points; i++) {
        struct point *point = &table->point[i];
        double rate;

        spread[i] = fr_sample_spread(point->time_s, point->samples);
        rate = routine->flops(point->size) / fr_sample_median(point->time_s, point->samples);
        samples += point->samples;
        row[i] = row_of(routine, point->size, rate);
    }
    kernel->rates.row = row;
    kernel->rates.count = (size_t)table->points;
    found[routine->which] = *kernel;
    fr_document_source(
        context->document, routine->pointer,
        fr_document_measured(samples, fr_sample_median(spread, table->points), "median of rounds"),
        "one thread alone, operands in place; samples of %g ms or one call",
        1e3 * sample_min_s(context));
}

static void run(struct fr_context *context)
{
    struct table *tables;

    if (!fr_blas_set_threads(1)) {
        fr_bench_missing(context, "sparse_kernels", "this BLAS cannot be set to one thread");
        return;
    }
    tables = fr_world_record(ROUTINES, sizeof *tables);
    for (int t = 0; t < ROUTINES; t++)
        fill(&tables[t], &routines[t]);
    measure_all(context, tables);
    for (int t = 0; t < ROUTINES; t++)
        record(context, &tables[t]);
    fr_record_free(tables);
}

static double expected_s(const struct fr_context *context)
{
    return (context->options->repetitions + 1) * 1e3 * sample_min_s(context);
}

const struct fr_bench fr_bench_sparse_kernels = {
    .name = "sparse_kernels",
    .group = "kernels",
    .summary = "dgemm, dtrsm, dger and dtrsv by their sizes, for sparse LU",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .is_alone = true,
    .expected_s = expected_s,
    .run = run,
};
