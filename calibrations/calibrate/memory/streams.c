/* Vector operations of one core, for the panels of block-cyclic factorizations: dger, which updates
 * a panel after each of its columns, on panels of 8 KiB to 256 MiB.  The bytes that a call reads
 * and writes, divided by its time beyond that of a call on one element, give a bandwidth for each
 * size (docs/calibration.md#memory). */
#include <math.h>
#include <stdlib.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/core/blas.h"

enum { SIZES_MAX = 16, ROUNDS_MAX = 99, CALLS_MAX = 1 << 20, CALLS_OF_ONE = 20000, COLUMNS = 32 };
static const double least_bytes = 8 * 0x1p10, most_bytes = 256 * 0x1p20, quick_bytes = 16 * 0x1p20;
static const double sample_s = 1e-3;

struct point {
    int elements;
    int calls;                 /* of a sample; 0: not chosen yet */
    double time_s[ROUNDS_MAX]; /* of a call */
};

struct streams {
    struct fr_cache_levels cache;
    double *x, *panel;
    struct point point[SIZES_MAX];
    int points, samples; /* samples: of each point */
    struct point one;    /* dscal of one element */
};

/* Neither changes the numbers much in millions of calls. */
static void update_panel(const struct streams *s, int elements)
{
    static const double tiny = 1e-12;
    const int one = 1, rows = elements / COLUMNS, columns = COLUMNS;

    dger_(&rows, &columns, &tiny, s->x, &one, s->x, &one, s->panel, &rows);
}

static void scale_one(const struct streams *s, int elements)
{
    static const double nearly_one = 0.9999999;
    const int one = 1;

    dscal_(&elements, &nearly_one, s->panel, &one);
}

static double sample(const struct streams *s, const struct point *point, int calls)
{
    const double began_s = MPI_Wtime();

    for (int i = 0; i < calls; i++)
        (point->elements > 1 ? update_panel : scale_one)(s, point->elements);
    return (MPI_Wtime() - began_s) / calls;
}

static void measure_point(const struct streams *s, struct point *point, int round)
{
    if (!point->calls) {
        const double once_s = fmin(sample(s, point, 1), sample(s, point, 1));

        point->calls = (int)fmin(CALLS_MAX, ceil(sample_s / fmax(once_s, 1e-9)));
    }
    point->time_s[round] = sample(s, point, point->calls);
}

/* In rounds, so that a disturbance spoils a few samples of many points. */
static void measure(struct fr_context *context, struct streams *s)
{
    const int rounds = context->options->repetitions;
    struct fr_random random = context->random;
    struct fr_progress progress = fr_progress_begin(context, "streams", rounds);
    int order[SIZES_MAX];

    s->one = (struct point){ .elements = 1, .calls = CALLS_OF_ONE };
    for (; s->samples < rounds && !fr_bench_is_late(context, MPI_COMM_SELF); s->samples++) {
        measure_point(s, &s->one, s->samples);
        fr_random_order(&random, order, s->points);
        for (int i = 0; i < s->points; i++)
            measure_point(s, &s->point[order[i]], s->samples);
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
    const double free_bytes = fr_system_free_bytes();
    const double most = fmin(context->options->is_quick ? quick_bytes : most_bytes, free_bytes / 4);
    size_t largest = COLUMNS;

    for (double bytes = least_bytes; bytes <= most && s->points < SIZES_MAX; bytes *= 2) {
        largest = (size_t)bytes / sizeof(double);
        s->point[s->points++] = (struct point){ .elements = (int)largest };
    }
    s->x = vector_new(largest / COLUMNS + COLUMNS);
    s->panel = vector_new(largest);
}

/* A row for each size, up to half way to the next one; the last has no limit.  Not one for each
 * cache: what the system says of a shared one is not what a core gets. */
static void write_rows(struct fr_context *context, struct streams *s, double call_s)
{
    struct fr_calibration *found = &context->document->found;
    double spread = 0;

    for (int i = 0; i < s->points; i++) {
        struct point *point = &s->point[i];
        const double bytes = sizeof(double) * (double)point->elements;
        const double beyond_s = fr_sample_median(point->time_s, s->samples) - call_s;
        const bool is_last = i + 1 == s->points;

        spread = fmax(spread, fr_sample_spread(point->time_s, s->samples));
        if (beyond_s > 0 || is_last)
            *FR_ADD_ROW(context->document, found->memory.streams) =
                (struct fr_memory_stream){ is_last ? HUGE_VAL : sqrt(2) * bytes,
                                           2 * bytes / (beyond_s > 0 ? beyond_s : call_s) };
    }
    fr_document_source(context->document, "/memory/streams",
                       fr_document_measured((int64_t)s->samples * s->points, spread, "median"),
                       "dger of one core on %d columns, bytes read and written by the time beyond "
                       "that of a call on one element, by the size of the panel",
                       COLUMNS);
}

static void record(struct fr_context *context, struct streams *s)
{
    const double spread = fr_sample_spread(s->one.time_s, s->samples);
    const double call_s = fr_sample_median(s->one.time_s, s->samples);

    write_rows(context, s, call_s);
    context->document->found.memory.call_s = call_s;
    fr_document_source(context->document, "/memory/call_s",
                       fr_document_measured(s->samples, spread, "median"),
                       "dscal of one element, mean of %d calls", CALLS_OF_ONE);
    context->document->found.memory.line_bytes = (double)s->cache.level[0].line_bytes;
    fr_document_source(context->document, "/memory/line_bytes", fr_source_counted,
                       "line of a data cache as %s reports it", s->cache.told_by);
}

static void run(struct fr_context *context)
{
    struct streams *s = calloc(1, sizeof *s);

    if (!s)
        fr_world_out_of_memory();
    if (fr_cache_levels_find(&s->cache)) {
        fr_bench_missing(context, "streams", "the system reports no hierarchy of caches");
        free(s);
        return;
    }
    fr_blas_set_threads(1);
    choose_points(context, s);
    measure(context, s);
    if (s->samples)
        record(context, s);
    free(s->x);
    free(s->panel);
    free(s);
}

static double expected_s(const struct fr_context *context)
{
    return context->options->is_quick ? 1 : 2 + 0.6 * context->options->repetitions;
}

const struct fr_bench fr_bench_streams = {
    .name = "streams",
    .group = "memory",
    .summary = "vector operations of one core by the size of their operand",
    .needs_ranks = 1,
    .is_timing_cores = true,
    .is_alone = true,
    .expected_s = expected_s,
    .run = run,
};
