/* Vector operations of one core, for the panels of block-cyclic factorizations: daxpy, dscal and
 * dger over operands of 8 KiB to 256 MiB.  The bytes that a call reads and writes, divided by its
 * time beyond that of a call on one element, give a bandwidth for each cache that the largest
 * operand fits in (docs/calibration.md#memory). */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"
#include "calibrations/calibrate/core/progress.h"
#include "calibrations/calibrate/memory/cache_levels.h"

enum { OPERATIONS = 3, SIZES_MAX = 16, ROUNDS_MAX = 99, CALLS_MAX = 1 << 20, CALLS_OF_ONE = 20000 };
enum { COLUMNS = 32, ROWS_MAX = FR_CACHE_LEVELS_MAX + 1 };
static const double least_bytes = 8 * 0x1p10, most_bytes = 256 * 0x1p20, quick_bytes = 16 * 0x1p20;
static const double sample_s = 1e-3;

/* Neither grows nor decays much in millions of calls. */
static const double nearly_one = 0.9999999, tiny = 1e-12;

struct vectors {
    double *x, *y;
};

static void call_daxpy(const struct vectors *v, int elements)
{
    const int one = 1;

    daxpy_(&elements, &tiny, v->x, &one, v->y, &one);
}

static void call_dscal(const struct vectors *v, int elements)
{
    const int one = 1;

    dscal_(&elements, &nearly_one, v->y, &one);
}

/* A panel: tall, with few columns. */
static void call_dger(const struct vectors *v, int elements)
{
    const int one = 1, rows = elements / COLUMNS, columns = COLUMNS;

    dger_(&rows, &columns, &tiny, v->x, &one, v->x, &one, v->y, &rows);
}

/* Bytes read and written for each byte of the largest operand; the vectors of dger are left out. */
static const struct operation {
    void (*call)(const struct vectors *vectors, int elements);
    double bytes_touched;
} operations[OPERATIONS] = { { call_daxpy, 3 }, { call_dscal, 2 }, { call_dger, 2 } };

struct point {
    int elements, operation;
    int calls; /* of a sample; 0: not chosen yet */
    int samples;
    double time_s[ROUNDS_MAX]; /* of a call */
};

struct streams {
    struct fr_cache_levels cache;
    struct vectors vectors;
    struct point point[OPERATIONS * SIZES_MAX];
    int points;
    struct point one; /* dscal of one element */
};

struct row {
    double limit_bytes, bandwidth_bytes_per_s, spread;
    int samples;
};

static double sample(const struct streams *s, const struct point *point, int calls)
{
    const double began_s = MPI_Wtime();

    for (int i = 0; i < calls; i++)
        operations[point->operation].call(&s->vectors, point->elements);
    return (MPI_Wtime() - began_s) / calls;
}

static void measure_point(const struct streams *s, struct point *point)
{
    if (!point->calls) {
        const double once_s = fmin(sample(s, point, 1), sample(s, point, 1));

        point->calls = (int)fmin(CALLS_MAX, ceil(sample_s / fmax(once_s, 1e-9)));
    }
    point->time_s[point->samples++] = sample(s, point, point->calls);
}

/* In rounds, so that a disturbance spoils a few samples of many points. */
static void measure(struct fr_context *context, struct streams *s)
{
    const int rounds = context->options->repetitions;
    struct fr_random random = context->random;
    struct fr_progress progress = fr_progress_begin(context, "streams", rounds);
    int order[OPERATIONS * SIZES_MAX];

    s->one = (struct point){ .elements = 1, .operation = 1, .calls = CALLS_OF_ONE };
    for (int round = 0; round < rounds && !fr_bench_is_late(context, MPI_COMM_SELF); round++) {
        measure_point(s, &s->one);
        fr_random_order(&random, order, s->points);
        for (int i = 0; i < s->points; i++)
            measure_point(s, &s->point[order[i]]);
        fr_progress_add(&progress, 1);
    }
    fr_progress_end(&progress);
}

static double *vector_new(size_t elements)
{
    double *vector = malloc(elements * sizeof *vector);

    if (!vector)
        fr_world_out_of_memory();
    for (size_t i = 0; i < elements; i++)
        vector[i] = 1;
    return vector;
}

static void choose_points(const struct fr_context *context, struct streams *s)
{
    const double free_bytes = (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double most = fmin(context->options->is_quick ? quick_bytes : most_bytes, free_bytes / 4);
    size_t longest = 0;

    for (double bytes = least_bytes; bytes <= most; bytes *= 2)
        for (int k = 0; k < OPERATIONS; k++) {
            longest = (size_t)bytes / sizeof(double);
            s->point[s->points++] = (struct point){ .elements = (int)longest, .operation = k };
        }
    s->vectors = (struct vectors){ vector_new(longest), vector_new(longest) };
}

/* The bandwidth of a point; NAN if it took no longer than a call on one element. */
static double bandwidth_of(struct point *point, double call_s)
{
    const double beyond_s = fr_sample_median(point->time_s, point->samples) - call_s;

    return beyond_s > 0 ? operations[point->operation].bytes_touched * sizeof(double) *
                              point->elements / beyond_s
                        : NAN;
}

/* Median over the points whose operand is at least `from` and below `to` bytes long. */
static struct row row_of(struct streams *s, double from, double to, double call_s)
{
    struct row row = { .limit_bytes = to };
    double bandwidth[OPERATIONS * SIZES_MAX], spread[OPERATIONS * SIZES_MAX];
    int count = 0;

    for (int i = 0; i < s->points; i++) {
        struct point *point = &s->point[i];
        const double bytes = sizeof(double) * (double)point->elements;
        const double here = bytes >= from && bytes < to ? bandwidth_of(point, call_s) : NAN;

        if (isnan(here))
            continue;
        spread[count] = fr_sample_spread(point->time_s, point->samples);
        bandwidth[count++] = here;
        row.samples += point->samples;
    }
    if (count) {
        row.spread = fr_sample_median(spread, count);
        row.bandwidth_bytes_per_s = fr_sample_median(bandwidth, count);
    }
    return row;
}

/* A row for each cache that some operands fit in, and one for memory; the last has no limit. */
static int make_rows(struct streams *s, double call_s, struct row row[ROWS_MAX])
{
    double from = 0;
    int rows = 0;

    for (int q = 0; q <= s->cache.count; q++) {
        const double to = q < s->cache.count ? (double)s->cache.level[q].capacity_bytes : HUGE_VAL;
        const struct row next = row_of(s, from, to, call_s);

        from = to;
        if (next.samples)
            row[rows++] = next;
    }
    if (rows)
        row[rows - 1].limit_bytes = HUGE_VAL;
    return rows;
}

static void write_rows(struct fr_context *context, const struct row *row, int rows)
{
    double spread = 0;
    int samples = 0;

    for (int i = 0; i < rows; i++) {
        *FR_ADD_ROW(context->document, context->document->found.memory.streams) =
            (struct fr_memory_stream){ row[i].limit_bytes, row[i].bandwidth_bytes_per_s };
        samples += row[i].samples;
        spread = fmax(spread, row[i].spread);
    }
    fr_document_source(
        context->document, "/memory/streams",
        fr_document_measured(samples, spread, "median over operations and sizes"),
        "daxpy, dscal and dger of one core, bytes read and written by the time beyond that of a "
        "call on one element; sizes that fit in each cache");
}

static void record(struct fr_context *context, struct streams *s)
{
    const double spread = fr_sample_spread(s->one.time_s, s->one.samples);
    const double call_s = fr_sample_median(s->one.time_s, s->one.samples);
    struct row row[ROWS_MAX];

    write_rows(context, row, make_rows(s, call_s, row));
    context->document->found.memory.call_s = call_s;
    fr_document_source(context->document, "/memory/call_s",
                       fr_document_measured(s->one.samples, spread, "median"),
                       "dscal of one element, mean of %d calls", CALLS_OF_ONE);
    context->document->found.memory.line_bytes = (double)s->cache.level[0].line_bytes;
    fr_document_source(context->document, "/memory/line_bytes", fr_source_counted,
                       "line of a data cache as %s reports it", s->cache.told_by);
}

static void run_alone(struct fr_context *context)
{
    const bool may_pin = !context->options->is_unpinned;
    struct streams *s = calloc(1, sizeof *s);

    if (!s)
        fr_world_out_of_memory();
    if (fr_cache_levels_find(&s->cache)) {
        fr_bench_missing(context, "streams", "the system reports no hierarchy of caches");
        free(s);
        return;
    }
    fr_blas_set_threads(1);
    if (may_pin)
        fr_binding_set(context->cores, 0, 1);
    choose_points(context, s);
    measure(context, s);
    if (s->one.samples)
        record(context, s);
    if (may_pin)
        fr_binding_restore(context->cores);
    free(s->vectors.x);
    free(s->vectors.y);
    free(s);
}

static void run(struct fr_context *context)
{
    struct fr_team team = fr_team_begin(context->world, context->world->rank == 0);

    if (context->world->rank == 0)
        run_alone(context);
    fr_team_end(context->world, &team);
}

static double expected_s(const struct fr_context *context)
{
    return context->options->is_quick ? 1 : 2 + 0.6 * context->options->repetitions;
}

const struct fr_bench fr_bench_streams = {
    .name = "streams",
    .group = "memory",
    .summary = "vector operations of one core by the size of their operands",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .expected_s = expected_s,
    .run = run,
};
