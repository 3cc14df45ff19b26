/* Measures the communication patterns of the dense algorithms
 * (docs/models/dense.md#communication-patterns). */
#include <stdio.h>
#include <string.h>

#include "calibrations/calibrate/core/bench.h"
#include "calibrations/calibrate/network/grid.h"
#include "calibrations/calibrate/network/sizes.h"
#include "calibrations/calibrate/network/timed_collective.h"

enum { ROWS_MAX = FR_PATTERNS * FR_LIST_MAX, GRIDS_BYTES = 400 };

#define PREFIX "patterns of "

struct row {
    const struct fr_grid_pattern *pattern;
    int bytes;
};

/* Runs one grid at a time; the document grows with each. */
struct patterns {
    struct fr_grid grid;
    double paused_s; /* in the pattern that ran last */
    struct row row[ROWS_MAX];
    struct fr_timed_collective times[ROWS_MAX];
    struct fr_collective_summary summary;
    char measured[GRIDS_BYTES]; /* the grids */
};

static int run_row(void *with, int index)
{
    struct patterns *patterns = with;
    const struct row *row = &patterns->row[index];

    patterns->paused_s = 0;
    return row->pattern->run(&patterns->grid, row->pattern, row->bytes);
}

static int choose_rows(struct patterns *patterns, struct fr_grid_shape shape,
                       const struct fr_list *messages)
{
    int rows = 0;

    for (int i = 0; i < FR_PATTERNS; i++) {
        const struct fr_grid_pattern *pattern = &fr_patterns[i];
        const int sizes = pattern->is_empty ? 1 : messages->count;

        for (int j = 0; j < sizes && fr_pattern_exists(pattern, shape); j++)
            patterns->row[rows++] =
                (struct row){ pattern, pattern->is_empty ? 0 : (int)messages->value[j] };
    }
    memset(patterns->times, 0, (size_t)rows * sizeof *patterns->times);
    return rows;
}

static void write_row(struct fr_context *context, struct patterns *patterns, int index,
                      struct fr_grid_shape shape)
{
    const struct row *row = &patterns->row[index];
    const double average_s = fr_timed_collective_average_s(&patterns->times[index]);
    const double maximum_s = fr_timed_collective_maximum_s(&patterns->times[index]);

    if (maximum_s > 0)
        *FR_ADD_ROW(context->document, context->document->found.contention.patterns) =
            (struct fr_pattern){ row->pattern->kind,
                                 shape.processes,
                                 shape.layers,
                                 row->bytes,
                                 row->pattern->is_of_slowest ? maximum_s : average_s,
                                 maximum_s };
}

/* The grid as in --grids. */
static void name_grid(struct fr_grid_shape shape, char out[FR_PLAN_WHAT_BYTES])
{
    if (shape.layers > 1)
        snprintf(out, FR_PLAN_WHAT_BYTES, PREFIX "%d:%d", shape.processes, shape.layers);
    else
        snprintf(out, FR_PLAN_WHAT_BYTES, PREFIX "%d", shape.processes);
}

static void run_grid(struct fr_context *context, struct patterns *patterns, char *const *buffer,
                     struct fr_grid_shape shape, const struct fr_list *messages)
{
    const bool works = context->world->rank < shape.processes;
    const int rows = choose_rows(patterns, shape, messages);
    const struct fr_workload workload = { .run = run_row,
                                          .with = patterns,
                                          .paused_s = &patterns->paused_s };
    const size_t used = strlen(patterns->measured);
    char what[FR_PLAN_WHAT_BYTES];
    struct fr_team team;

    name_grid(shape, what);
    if (!fr_plan_begin(context, what))
        return;
    team = fr_team_begin(context->world, works);
    if (works) {
        patterns->grid = fr_grid_make(team.comm, shape);
        patterns->grid.world = context->world;
        patterns->grid.paused_s = &patterns->paused_s;
        for (int i = 0; i < 2; i++) {
            patterns->grid.sent[i] = buffer[i];
            patterns->grid.received[i] = buffer[2 + i];
        }
        fr_timed_collective_measure(context, team.comm, what, &workload, patterns->times, rows);
        fr_grid_free(&patterns->grid);
    }
    fr_team_end(context->world, &team);
    fr_plan_end(context, what);
    if (context->world->rank)
        return;
    for (int i = 0; i < rows; i++)
        write_row(context, patterns, i, shape);
    fr_timed_collective_count(&patterns->summary, patterns->times, rows);
    snprintf(patterns->measured + used, sizeof patterns->measured - used, "%s%s", used ? ", " : "",
             what + strlen(PREFIX));
}

static void choose_messages(const struct fr_context *context, struct fr_list *messages)
{
    const bool is_quick = context->options->is_quick;
    struct fr_list usual;

    fr_value_spaced(512, is_quick ? 128 << 10 : 16 << 20, is_quick ? 3 : 9, &usual);
    fr_sizes_choose(context, &usual, messages);
}

static void announce(struct fr_context *context, struct fr_grid_shape shape,
                     const struct fr_list *messages)
{
    char what[FR_PLAN_WHAT_BYTES];
    double round_s = 0;
    int operations = 0;

    for (int i = 0; i < FR_PATTERNS; i++) {
        const struct fr_grid_pattern *pattern = &fr_patterns[i];
        const int sizes = pattern->is_empty ? 1 : messages->count;

        for (int j = 0; j < sizes && fr_pattern_exists(pattern, shape); j++) {
            const int bytes = pattern->is_empty ? 0 : (int)messages->value[j];

            round_s += fr_pattern_paused_s(pattern, shape, bytes) +
                       fr_plan_operation_s(&context->plan, shape.processes,
                                           fr_pattern_messages(pattern, shape), bytes);
            operations++;
        }
    }
    name_grid(shape, what);
    fr_plan_add(&context->plan, what, shape.processes, shape.layers, operations,
                context->options->repetitions * round_s);
}

static void plan(struct fr_context *context)
{
    struct fr_grid_shape shape[FR_GRIDS_MAX];
    const int shapes = fr_networking_shapes(context->networking, context->world->size, shape);
    struct fr_list messages;

    choose_messages(context, &messages);
    for (int i = 0; i < shapes; i++)
        if (shape[i].processes > 1 && shape[i].processes <= context->world->size)
            announce(context, shape[i], &messages);
}

static void record(struct fr_context *context, struct patterns *patterns)
{
    if (!context->document->found.contention.patterns.count)
        return;
    fr_document_source(
        context->document, "/contention/patterns", fr_timed_collective_source(&patterns->summary),
        "each pattern by all processes of a grid at once, after a barrier; mean and slowest "
        "process; grids (processes:layers) %s",
        patterns->measured);
}

static void run(struct fr_context *context)
{
    struct fr_grid_shape shape[FR_GRIDS_MAX];
    const int shapes = fr_networking_shapes(context->networking, context->world->size, shape);
    struct patterns *patterns;
    char *buffer[FR_GRID_BUFFERS];
    struct fr_list messages;
    bool is_any = false;

    if (!shapes) {
        fr_bench_missing(context, "patterns", "%d processes make no square grid",
                         context->world->size);
        return;
    }
    patterns = fr_world_record(1, sizeof *patterns);
    choose_messages(context, &messages);
    fr_value_cut(&messages, fr_message_buffer_for(context, "patterns", fr_value_largest(&messages),
                                                  FR_GRID_BUFFERS));
    for (int i = 0; i < FR_GRID_BUFFERS; i++)
        buffer[i] = fr_message_buffer_take(context, fr_value_largest(&messages));
    for (int i = 0; i < shapes; i++)
        if (shape[i].processes > context->world->size)
            fr_bench_missing_processes(context, "patterns", shape[i].processes);
        else if (shape[i].processes > 1) {
            is_any = true;
            run_grid(context, patterns, buffer, shape[i], &messages);
        }
    if (is_any && context->world->rank == 0)
        record(context, patterns);
    for (int i = 0; i < FR_GRID_BUFFERS; i++)
        free(buffer[i]);
    fr_record_free(patterns);
}

const struct fr_bench fr_bench_patterns = {
    .name = "patterns",
    .group = "contention",
    .summary = "shifts, broadcasts and other patterns on process grids",
    .needs_ranks = 2,
    .after = "pingpong",
    .plan = plan,
    .run = run,
};
