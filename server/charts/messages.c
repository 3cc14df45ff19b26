/* messages: who talks to whom when processes share a matrix. Senders run to the right, receivers
 * up; the colour of a square is the bytes between its processes. */
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"
#include "server/http/handlers.h"
#include "server/matrices/matrix.h"
#include "server/matrices/simulation.h"

#include "engine/krylov/partition/partition.h"

#include <inttypes.h>
#include <math.h>

/* Squares along a side; more processes share them. */
enum { MOST_SQUARES = 64, MOST_NAMES = 16 };
static const double word_bytes = 8;
static const double most_plain = 1e5; /* larger values are written with an exponent */

/* The squares along a side, and their bytes by sender and receiver. */
struct squares {
    int64_t side;
    double bytes[MOST_SQUARES][MOST_SQUARES];
};

static void add_up(const struct krylov_partition *facts, struct squares *out)
{
    const int64_t side = facts->processes < MOST_SQUARES ? facts->processes : MOST_SQUARES;

    out->side = side;
    for (size_t i = 0; i < facts->message_count; i++) {
        const struct krylov_words *message = &facts->message[i];

        out->bytes[message->from * side / facts->processes]
                  [message->to * side / facts->processes] += word_bytes * (double)message->words;
    }
}

/* Where square i begins on an axis of processes: a process p covers p - 0.5 to p + 0.5. */
static double edge(int64_t i, const struct squares *squares, int64_t processes)
{
    return ceil((double)(i * processes) / (double)squares->side) - 0.5;
}

/* A tile for each square with messages, after one without a value that spans them all. */
static size_t tiles_of(const struct squares *squares, int64_t processes, struct fr_tile *tile,
                       struct fr_plot_scale *scale)
{
    const double low = edge(0, squares, processes), high = edge(squares->side, squares, processes);
    size_t count = 1;

    tile[0] = (struct fr_tile){ low, high, low, high, NAN };
    for (int64_t from = 0; from < squares->side; from++)
        for (int64_t to = 0; to < squares->side; to++) {
            const double bytes = squares->bytes[from][to];

            if (bytes <= 0)
                continue;
            tile[count++] =
                (struct fr_tile){ edge(from, squares, processes),
                                  edge(from + 1, squares, processes), edge(to, squares, processes),
                                  edge(to + 1, squares, processes), bytes };
            scale->least = count == 2 ? bytes : fmin(scale->least, bytes);
            scale->most = fmax(scale->most, bytes);
        }
    return count;
}

/* "0", "1", … for few processes; NULL: numbers of the axis. */
static const char *const *names_of(int64_t processes, struct fr_arena *arena)
{
    const char **name = NULL;

    if (processes <= MOST_NAMES)
        name = fr_arena_zeroed(arena, (size_t)processes + 1, sizeof *name);
    for (int64_t p = 0; name && p < processes; p++)
        name[p] = fr_chart_text(arena, "%" PRId64, p);
    return name;
}

bool fr_messages_draw(struct fr_plot *plot, const char *title, const struct krylov_partition *facts,
                      struct fr_arena *arena)
{
    struct squares *squares = fr_arena_zeroed(arena, 1, sizeof *squares);
    struct fr_tile *tile =
        fr_arena_zeroed(arena, (size_t)MOST_SQUARES * MOST_SQUARES + 1, sizeof *tile);
    struct fr_plot_scale scale = { .title = "bytes" };
    const char *const *names = names_of(facts->processes, arena);
    const struct fr_plot_axis x = { .title = "sender", .is_tight = true, .categories = names };
    const struct fr_plot_axis y = { .title = "receiver", .is_tight = true, .categories = names };
    size_t count;

    if (!squares || !tile)
        return false;
    add_up(facts, squares);
    count = tiles_of(squares, facts->processes, tile, &scale);
    scale.digits = scale.most < most_plain ? 1 : 3; /* as whole numbers, or rounded */
    scale.is_log = scale.most > 10 * scale.least && scale.least > 0;
    fr_plot_tiles(plot, title, &x, &y, &scale, tile, count);
    return true;
}

struct options {
    int partition;
    int64_t processes;
    struct fr_look look;
};

const struct fr_param fr_messages_params[] = {
    FR_CHOICE_OF(struct options, partition, .choices = krylov_partitions, .flags = FR_DEFAULT,
                 .fallback = KRYLOV_PARTITION_contiguous, .doc = "How the rows are divided."),
    FR_INT(struct options, processes, .unit = "processes", .min = 1,
           .max = KRYLOV_PARTITION_MOST_PROCESSES, .flags = FR_REQUIRED,
           .doc = "Number of processes."),
    FR_CHART_LOOK(struct options, 640, 560),
    FR_PARAMS_END,
};

/* ---- the handler -------------------------------------------------------------------------- */

static int answer(struct fr_request *rq, struct fr_reply *reply, const struct options *options,
                  const struct fr_matrix_record *matrix, struct fr_faults *faults)
{
    struct fr_partitions *partitions = fr_partitions_begin(rq, "processes");
    const char *name = krylov_partitions[options->partition];
    const struct krylov_partition *facts =
        partitions ? fr_partitions_find(partitions, matrix->id, name, options->processes, faults)
                   : NULL;
    const char *title = fr_chart_text(
        rq->arena, "%.64s, %s, P = %" PRId64 "%s", matrix->name, name, options->processes,
        options->processes > MOST_SQUARES ? ", several processes to a square" : "");
    struct fr_plot plot = fr_chart_begin(rq, &options->look);
    const bool is_drawn = facts && fr_messages_draw(&plot, title, facts, rq->arena);

    if (!is_drawn && !faults->count)
        fr_fault(faults, FR_NOMEM, "processes",
                 "the picture needs more memory than a request may take");
    fr_partitions_end(partitions);
    return fr_chart_reply(rq, reply, &plot, is_drawn,
                          &(struct fr_chart_subject){ .kind = "messages" }, faults, NULL);
}

int fr_get_partition_messages(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_matrix_record matrix;
    struct fr_faults faults;
    struct options options;
    int status;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &options, &faults);
    status = fr_matrix_find(rq, reply, &matrix);
    if (status)
        return status;
    if (!faults.count)
        fr_partition_possible(matrix.name, matrix.n, options.processes, "processes", &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    status = fr_chart_find_drawn(rq, reply, matrix.id, matrix.name, fr_messages_params, &options);
    return status ? status : answer(rq, reply, &options, &matrix, &faults);
}
