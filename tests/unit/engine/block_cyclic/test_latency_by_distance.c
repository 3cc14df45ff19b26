/* Latencies by distance in the messages of block-cyclic programs
 * (docs/models/block_cyclic.md#latency-by-distance). */
#include "engine/block_cyclic/walk.h"
#include "engine/document/document.h"
#include "tests/unit/support/cyclic_golden.h"
#include "tests/unit/support/question.h"

#include <string.h>

/* The calibration `plain`, one process a node: latencies of its three protocols. */
static const double protocol_s[] = { 1.1e-6, 2.2e-6, 4.5e-6 };
static const char *const limits[] = { "1024", "16384", "null" };

/* A latency is factor[i] times that of the protocol at distance[i], and that of the slowest pair
 * `slowest` times the mean; without distances there is no table. */
struct table {
    size_t count;
    int distance[4];
    double factor[4], slowest;
};

static const struct fr_calibration *with_table(struct cyclic_fixture *f, const char *name,
                                               const struct table *table)
{
    json_t *document = cyclic_document(f, name);
    json_t *rows = json_array();

    for (size_t i = 0; i < table->count; i++)
        for (size_t k = 0; k < 3; k++) {
            const double mean_s = table->factor[i] * protocol_s[k];

            json_array_append_new(
                rows,
                json_pack("{s:i, s:o, s:f, s:f}", "distance", table->distance[i],
                          "max_message_bytes",
                          strcmp(limits[k], "null") ? json_integer(atoi(limits[k])) : json_null(),
                          "latency_s", mean_s, "maximum_s", table->slowest * mean_s));
        }
    json_object_set_new(json_object_get(document, "network"), "latency_by_distance", rows);
    return golden_calibration(f->golden, name, f->arena);
}

static const struct table none = { 0 };
static const struct table equal = { 3, { 1, 4, 15 }, { 1, 1, 1 }, 1 };
static const struct table rising = { 3, { 1, 4, 15 }, { 1, 2, 3 }, 1 };

static const struct {
    const char *model, *query;
} questions[] = {
    { "pdgemm", "m=1000&n=1000&k=1000&block_size=64&process_rows=4&process_columns=4" },
    { "pdtrsm", "m=1000&n=1000&block_size=64&process_rows=4&process_columns=4" },
    { "pdpotrf", "n=1000&block_size=64&process_rows=4&process_columns=4" },
    { "pdpotrf", "n=1000&block_size=64&process_rows=2&process_columns=8" },
    { "pdgetrf", "m=1000&n=1000&block_size=64&process_rows=4&process_columns=4" },
    { "pdgetrf", "m=1000&n=1000&block_size=64&process_rows=8&process_columns=2" },
    { "pdgeqrf", "m=1000&n=1000&block_size=64&process_rows=4&process_columns=4" },
    { "hpl", "n=1000&block_size=64&process_rows=4&process_columns=4" },
    { "hpl", "n=1000&block_size=64&process_rows=4&process_columns=4&lookahead_depth=0"
             "&broadcast=long" },
};
enum { QUESTIONS = sizeof questions / sizeof *questions };
enum { ALL_COLUMNS = 2 }; /* the first ones, which follow no single column */

static double time_s(size_t question, const struct fr_calibration *cal)
{
    return predicted(questions[question].model, questions[question].query, cal).time_s;
}

CYCLIC_TEST(equal_latencies_change_no_hop)
{
    const struct fr_calibration *without = with_table(f, "plain", &none);
    const struct fr_calibration *with = with_table(f, "plain", &equal);

    for (size_t i = 0; i < ALL_COLUMNS; i++)
        assert_close(time_s(i, with), time_s(i, without), 1e-12);
}

CYCLIC_TEST(a_longer_way_takes_longer)
{
    const struct table steep = { 3, { 1, 4, 15 }, { 1, 4, 9 }, 1 };
    const struct table uneven = { 3, { 1, 4, 15 }, { 1, 2, 3 }, 1.5 };
    const struct fr_calibration *near = with_table(f, "plain", &equal);
    const struct fr_calibration *far = with_table(f, "plain", &rising);
    const struct fr_calibration *farther = with_table(f, "plain", &steep);
    const struct fr_calibration *slow_pairs = with_table(f, "plain", &uneven);

    for (size_t i = 0; i < QUESTIONS; i++) {
        const double far_s = time_s(i, far);

        assert_true(far_s > time_s(i, near));
        assert_true(time_s(i, farther) > far_s);
        assert_true(time_s(i, slow_pairs) > far_s);
    }
}

/* On 4 x 4 processes, one a node, row-major: a neighbour in the row is one node away, a neighbour
 * in the column four. */
CYCLIC_TEST(a_hop_takes_the_latency_of_its_distance)
{
    const struct cyclic_network net = cyclic_network_of(f, with_table(f, "plain", &rising), 4, 4);
    const struct cyclic_network flat = cyclic_network_of(f, with_table(f, "plain", &none), 4, 4);
    const double between = 1 + (log2(3) - log2(1)) / (log2(4) - log2(1));

    assert_close(cyclic_row_s(&net, 0, 1, 100) - cyclic_row_s(&flat, 0, 1, 100) + 1, 1, 1e-12);
    assert_close(cyclic_column_s(&net, 0, 1, 100) - cyclic_column_s(&flat, 0, 1, 100),
                 protocol_s[0], 1e-9);
    assert_close(cyclic_column_s(&net, 0, 1, 50000) - cyclic_column_s(&flat, 0, 1, 50000),
                 protocol_s[2], 1e-9);
    assert_close(cyclic_row_s(&net, 3, 0, 5000) - cyclic_row_s(&flat, 3, 0, 5000),
                 (between - 1) * protocol_s[1], 1e-6);
}

/* Of four rows the slowest is waited for; of two processes one message is. */
CYCLIC_TEST(the_slowest_of_several_lines_counts)
{
    const struct table uneven = { 1, { 1 }, { 1 }, 3 };
    const struct cyclic_network four = cyclic_network_of(f, with_table(f, "plain", &uneven), 4, 4);
    const struct cyclic_network one = cyclic_network_of(f, with_table(f, "plain", &uneven), 1, 4);
    const struct cyclic_network flat = cyclic_network_of(f, with_table(f, "plain", &equal), 4, 4);

    assert_close(cyclic_row_s(&four, 0, 1, 100) - cyclic_row_s(&flat, 0, 1, 100),
                 3. / 5 * 2 * protocol_s[0], 1e-9);
    assert_close(cyclic_row_s(&one, 0, 1, 100), cyclic_row_s(&flat, 0, 1, 100), 1e-12);
}

CYCLIC_TEST(a_distance_beyond_the_table_warns)
{
    const struct cyclic_network net = cyclic_network_of(f, with_table(f, "plain", &rising), 4, 8);
    const struct cyclic_network flat = cyclic_network_of(f, with_table(f, "plain", &none), 4, 8);

    assert_close(cyclic_column_s(&net, 0, 1, 100) - cyclic_column_s(&flat, 0, 1, 100),
                 (1 + 1 / (log2(15) - 2)) * protocol_s[0], 1e-6);
    assert_int_equal(f->out.warning_count, 0);
    cyclic_column_s(&net, 0, 3, 100); /* 24 nodes */
    assert_int_equal(f->out.warning_count, 1);
    assert_string_equal(f->out.warning[0].what, "network.latency_by_distance.distance");
}

/* Eight processes of a node need no network. */
CYCLIC_TEST(a_message_on_the_node_has_no_distance)
{
    const struct table far = { 1, { 1 }, { 9 }, 1 };
    const struct cyclic_network net = cyclic_network_of(f, with_table(f, "cluster", &far), 2, 8);
    const struct cyclic_network flat = cyclic_network_of(f, with_table(f, "cluster", &none), 2, 8);

    assert_close(cyclic_row_s(&net, 0, 5, 100), cyclic_row_s(&flat, 0, 5, 100), 1e-12);
    assert_close(cyclic_column_s(&net, 0, 1, 100) - cyclic_column_s(&flat, 0, 1, 100),
                 8 * protocol_s[0], 1e-9);
}

/* Two processes; a message of 16 bytes takes a, one of 8 bytes b.  A column whose pivot is in the
 * first row takes the way to row 0 and back, 2a.  Another one takes a, then a, then the exchange b,
 * after which both are ready at once. */
CYCLIC_TEST(members_of_a_column_are_followed)
{
    struct cyclic_network net = cyclic_network_of(f, with_table(f, "plain", &equal), 2, 1);
    const double a = protocol_s[0] + 16 * 5e-10, b = protocol_s[0] + 8 * 5e-10;

    assert_true(cyclic_follows_members(&net, 1));
    assert_close(cyclic_pivots_s(&net, 0, 1), (2 * a + 2 * a + b) / 2, 1e-9);
}

/* The longest ways of a broadcast and of the next search do not meet. */
CYCLIC_TEST(members_are_faster_than_the_sum_of_collectives)
{
    struct cyclic_network net = cyclic_network_of(f, with_table(f, "plain", &equal), 8, 1);
    const double collectives_s = cyclic_combine_s(&net) + 7. / 8 * cyclic_random_row_s(&net, 3, 64);

    for (int64_t row = 0; row < 8; row++) {
        assert_true(cyclic_pivots_s(&net, row, 1) < collectives_s);
        assert_true(cyclic_pivots_s(&net, row, 1) > collectives_s / 2);
        assert_true(cyclic_pivots_s(&net, row, 8) > 8 * cyclic_pivots_s(&net, row, 1));
        assert_true(cyclic_reflectors_s(&net, row, 8) > 8 * cyclic_reflectors_s(&net, row, 1));
        assert_true(cyclic_exchange_s(&net, 8) > 3 * protocol_s[0]);
    }
}

/* Seven processes of a column are ranks that follow each other, five on a node: of the three
 * columns a message from row 1 to row 2 never leaves its node, one from row 5 to row 6 does.  The
 * first messages are those of a broadcast from row 1. */
CYCLIC_TEST(a_message_of_a_column_has_the_price_of_its_place)
{
    static const int64_t from[] = { 1, 1, 5, 1, 3, 5 }, to[] = { 5, 3, 0, 2, 4, 6 };
    const struct cyclic_values grid = { .process_rows = 7,
                                        .process_columns = 3,
                                        .mapping = CYCLIC_COLUMN_MAJOR,
                                        .block_size = 64,
                                        .threads = 1,
                                        .ranks_per_node = 5 };
    struct cyclic_network net = cyclic_network_with(f, with_table(f, "cluster", &rising), &grid);
    const struct fr_protocol *protocol = cyclic_protocol_of(&net, 8);

    cyclic_reflectors_s(&net, 1, 1);
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        const struct cyclic_price price = cyclic_member_price_of(&net, protocol, from[i], to[i]);

        assert_close(net.hop[i].time_s, cyclic_hop_at(&price, protocol, 8).time_s, 0);
    }
    assert_true(net.hop[5].time_s > net.hop[3].time_s);
}

/* A what-if that changes a protocol changes its latencies by distance, but not twice. */
CYCLIC_TEST(a_changed_protocol_changes_all_distances)
{
    static const struct fr_change changes[] = {
        { "network.protocols.short.off_node.latency_s", "*2" }, { "network.latency", "*2" }
    };
    const struct fr_calibration *cal = with_table(f, "plain", &rising);
    const struct cyclic_network net = cyclic_network_of(f, cal, 4, 4);

    for (size_t i = 0; i < 2; i++) {
        const struct fr_calibration *changed =
            fr_what_if(cal, &changes[i], 1, f->arena, &f->faults);
        const struct cyclic_network slow = cyclic_network_of(f, changed, 4, 4);

        assert_close(cyclic_column_s(&slow, 0, 1, 100) - cyclic_column_s(&net, 0, 1, 100),
                     2 * protocol_s[0], 1e-9);
    }
}
