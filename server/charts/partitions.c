/* partitions: what the processes exchange that share a matrix, over their number; a line for each
 * way to divide it. */
#include "server/charts/chart.h"
#include "server/http/handlers.h"
#include "server/matrices/matrix.h"

#include <string.h>

#include "engine/krylov/partition/partition.h"

static const double word_bytes = 8;

/* ---- what is drawn ------------------------------------------------------------------------ */

/* Named as in the list of partitions. */
enum { NEIGHBOURS, BYTES, LARGEST, BALANCE };
static const char *const values[] = { [NEIGHBOURS] = "most_neighbours",
                                      [BYTES] = "most_bytes",
                                      [LARGEST] = "largest_message_bytes",
                                      [BALANCE] = "load_balance_factor",
                                      NULL };
static const char *const titles[] = { [NEIGHBOURS] = "messages of the process with most",
                                      [BYTES] = "bytes of the process with most",
                                      [LARGEST] = "bytes of the largest message",
                                      [BALANCE] = "most entries of a process / mean" };

static double value_of(const struct fr_partition_record *record, int y)
{
    const struct krylov_partition_summary *s = &record->summary;

    switch (y) {
    case NEIGHBOURS:
        return (double)s->most_neighbours;
    case BYTES:
        return word_bytes * (double)s->most_words;
    case LARGEST:
        return word_bytes * (double)s->largest_message;
    default:
        return s->imbalance;
    }
}

/* The partitions of this name that are ready; an empty series if memory is short. */
static struct fr_series line_of(const char *partition, const struct fr_partition_record *record,
                                size_t count, int y, struct fr_arena *arena)
{
    double *at = fr_arena_zeroed(arena, count, sizeof *at);
    double *value = fr_arena_zeroed(arena, count, sizeof *value);
    struct fr_series series = { .label = partition, .x = at, .y = value };

    for (size_t i = 0; at && value && i < count; i++) {
        if (strcmp(record[i].partition, partition) != 0 || record[i].status != FR_MATRIX_READY)
            continue;
        at[series.count] = (double)record[i].processes;
        value[series.count++] = value_of(&record[i], y);
    }
    return series;
}

bool fr_partitions_draw(struct fr_plot *plot, const char *title,
                        const struct fr_partition_record *record, size_t count, int y,
                        struct fr_arena *arena)
{
    const struct fr_plot_axis x_axis = { .title = "processes", .is_log = true, .is_log2 = true };
    const struct fr_plot_axis y_axis = { .title = titles[y], .from_zero = y != BALANCE };
    struct fr_series series[KRYLOV_PARTITION_COUNT];
    size_t lines = 0;

    for (const char *const *name = krylov_partitions; *name; name++) {
        series[lines] = line_of(*name, record, count, y, arena);
        series[lines].colour = series[lines].shape = (unsigned)(name - krylov_partitions) + 1;
        lines += series[lines].count > 0;
    }
    if (lines)
        fr_plot_lines(plot, title, &x_axis, &y_axis, series, lines);
    return lines > 0;
}

struct options {
    int y;
    struct fr_look look;
};

const struct fr_param fr_partitions_chart_params[] = {
    FR_CHOICE_OF(struct options, y, .choices = values, .flags = FR_DEFAULT, .fallback = BYTES,
                 .doc = "A member of the list of partitions."),
    FR_CHART_LOOK(struct options, 700, 430),
    FR_PARAMS_END,
};

/* ---- the handler -------------------------------------------------------------------------- */

int fr_get_partitions_chart(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_partition_record *record = NULL;
    struct fr_matrix_record matrix;
    struct fr_faults faults;
    struct options options;
    size_t count = 0;
    int status;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &options, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    status = fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    if (fr_store_partition_list(rq->store, matrix.id, NULL, rq->arena, &record, &count) !=
        FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);

    struct fr_plot plot = fr_chart_begin(rq, &options.look);
    const bool is_drawn =
        fr_partitions_draw(&plot, matrix.name, record, count, options.y, rq->arena);

    return fr_chart_reply(rq, reply, &plot, is_drawn,
                          &(struct fr_chart_subject){ .kind = "partitions",
                                                      .outputs = &values[options.y],
                                                      .output_count = 1 },
                          &faults,
                          "No partition is ready, so there is nothing to draw; ask "
                          "…/partitions?processes=… first.");
}
