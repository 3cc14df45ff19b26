/* Charts of partitions: their facts over processes, and who talks to whom. */
#include "engine/krylov/partition/partition.h"
#include "server/charts/chart.h"
#include "server/http/handlers.h"
#include "server/store/store.h"
#include "tests/unit/support/check.h"

#include <string.h>

struct drawn {
    struct fr_arena *arena;
    struct fr_plot plot;
};

static int begin(void **state)
{
    static struct drawn drawn;

    drawn = (struct drawn){ .arena = fr_arena_new(8 << 20), .plot = { .format = FR_GP } };
    fr_writer_init(&drawn.plot.script);
    *state = &drawn;
    return drawn.arena ? 0 : -1;
}

static int end(void **state)
{
    struct drawn *drawn = *state;

    fr_writer_free(&drawn->plot.script);
    fr_arena_free(drawn->arena);
    return 0;
}

static bool has(struct drawn *drawn, const char *text)
{
    struct fr_writer *script = &drawn->plot.script;

    fr_writer_append(script, "", 1);
    script->length--;
    return strstr(script->text, text);
}

/* ---- over processes ----------------------------------------------------------------------- */

static struct fr_partition_record record(const char *partition, int64_t processes,
                                         enum fr_matrix_status status)
{
    return (struct fr_partition_record){
        .partition = partition,
        .processes = processes,
        .status = status,
        .summary = { .most_neighbours = processes - 1,
                     .most_words = 3 * processes,
                     .largest_message = 2 * processes,
                     .imbalance = 1.25 },
    };
}

static bool draw_records(struct drawn *drawn, const char *y, const struct fr_partition_record *of,
                         size_t count)
{
    const char *const *choice = fr_param_find(fr_partitions_chart_params, "y")->choices;
    int place = 0;

    while (strcmp(choice[place], y) != 0)
        place++;
    fr_writer_free(&drawn->plot.script);
    fr_writer_init(&drawn->plot.script);
    return fr_partitions_draw(&drawn->plot, "laplace", of, count, place, drawn->arena);
}

#define CASE(name) TEST_OF(name, struct drawn *drawn, begin, end)

CASE(each_way_that_is_ready_has_a_line)
{
    const char *const *names = krylov_partitions;
    const struct fr_partition_record records[] = {
        record(names[0], 2, FR_MATRIX_READY),  record(names[0], 4, FR_MATRIX_FAILED),
        record(names[0], 8, FR_MATRIX_READY),  record(names[1], 4, FR_MATRIX_READY),
        record(names[1], 8, FR_MATRIX_QUEUED),
    };

    assert_true(draw_records(drawn, "most_bytes", records, 5));
    assert_true(has(drawn, "$data0 << EOD\n2 48\n8 192\nEOD\n"));
    assert_true(has(drawn, "$data1 << EOD\n4 96\nEOD\n"));
    assert_true(has(drawn, "title 'metis'"));
    assert_true(draw_records(drawn, "largest_message_bytes", records, 5));
    assert_true(has(drawn, "$data0 << EOD\n2 32\n8 128\nEOD\n"));
    assert_true(draw_records(drawn, "most_neighbours", records, 5));
    assert_true(has(drawn, "$data0 << EOD\n2 1\n8 7\nEOD\n"));
    assert_true(draw_records(drawn, "load_balance_factor", records, 5));
    assert_true(has(drawn, "$data1 << EOD\n4 1.25\nEOD\n"));
}

CASE(nothing_is_drawn_before_one_is_ready)
{
    const struct fr_partition_record queued = record(krylov_partitions[1], 8, FR_MATRIX_QUEUED);

    assert_false(draw_records(*state, "most_bytes", &queued, 1));
}

/* ---- who talks to whom -------------------------------------------------------------------- */

static void draw_messages(struct drawn *drawn, int64_t processes, struct krylov_words *message,
                          size_t count)
{
    const struct krylov_partition facts = { .processes = processes,
                                            .message_count = count,
                                            .message = message };

    assert_true(fr_messages_draw(&drawn->plot, "laplace", &facts, drawn->arena));
}

CASE(a_message_is_a_square_in_the_column_of_its_sender)
{
    struct krylov_words message[] = { { 0, 2, 1 }, { 2, 1, 100 } };

    draw_messages(drawn, 3, message, 2);
    assert_true(has(drawn, "\n-0.5 1.5 -0.5 0.5 1.5 2.5 8\n"));
    assert_true(has(drawn, "\n1.5 0.5 1.5 2.5 0.5 1.5 800\n"));
    assert_true(has(drawn, "set logscale cb"));
    assert_true(has(drawn, "set label '800'"));
}

CASE(processes_beyond_64_share_squares_whose_bytes_add_up)
{
    /* Square floor(64 p / 100): 0 and 1 share the first, 2 and 3 the second, 97 and 98 the last
     * but one; 99 has the last to itself. */
    struct krylov_words message[] = { { 0, 98, 1 }, { 1, 99, 2 }, { 2, 1, 5 } };

    draw_messages(drawn, 100, message, 3);
    assert_true(has(drawn, "\n-0.5 98.5 -0.5 1.5 98.5 99.5 16\n"));
    assert_true(has(drawn, "\n-0.5 96.5 -0.5 1.5 96.5 98.5 8\n"));
    assert_true(has(drawn, "\n1.5 -0.5 1.5 3.5 -0.5 1.5 40\n"));
}

CASE(without_messages_the_axes_are_complete)
{
    draw_messages(drawn, 20, NULL, 0);
    assert_true(has(drawn, "set xrange [-0.5:19.5]"));
    assert_true(has(drawn, "$tiles << EOD\nNaN NaN NaN NaN NaN NaN NaN\nEOD\n"));
}
