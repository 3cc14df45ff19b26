/* Messages of grids with many ranks on a node
 * (docs/models/block_cyclic.md#decision-many-ranks-of-a-line-on-a-node). */
#include "engine/block_cyclic/walk.h"
#include "engine/document/document.h"
#include "tests/unit/support/cyclic_golden.h"
#include "tests/unit/support/documents.h"
#include "tests/unit/support/question.h"

/* The calibration `cluster`: eight ranks a node, and a last protocol of these links. */
static const double off_s = 4.5e-6, off_byte_s = 1.05e-10, on_s = 1.5e-6, on_byte_s = 8e-11;
static const double node_byte_s = 1 / 11e9, bytes = 1e6;

/* `busy_node` is JSON, or NULL. */
static const struct fr_calibration *cluster(struct cyclic_fixture *f, const char *busy_node)
{
    if (busy_node)
        put(cyclic_document(f, "cluster"), "/network/busy_node", busy_node);
    return golden_calibration(f->golden, "cluster", f->arena);
}

static struct cyclic_network network(struct cyclic_fixture *f, int64_t rows, int64_t columns,
                                     const char *busy_node)
{
    return cyclic_network_of(f, cluster(f, busy_node), rows, columns);
}

static double product_s(struct cyclic_fixture *f, const char *busy_node)
{
    return predicted("pdgemm",
                     "m=4000&n=4000&k=4000&block_size=64&process_rows=32&process_columns=2",
                     cluster(f, busy_node))
        .time_s;
}

static double exchange_s(struct cyclic_network *net, int64_t step, double share)
{
    return cyclic_pairwise_s(net, CYCLIC_ALONG_COLUMNS, step, share, bytes);
}

CYCLIC_TEST(members_on_a_node_share_its_interface)
{
    struct cyclic_network one = network(f, 32, 1, NULL);
    struct cyclic_network two = network(f, 16, 2, NULL);
    struct cyclic_network square = network(f, 8, 8, NULL);

    assert_close(exchange_s(&one, 8, 0), off_s + 8 * node_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&one, 4, 0), on_s + on_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&two, 4, 0), off_s + 4 * node_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&two, 4, 1), off_s + 8 * node_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&square, 4, 0), off_s + off_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&square, 4, 0.5), off_s + 4.5 * node_byte_s * bytes, 1e-12);
}

CYCLIC_TEST(members_on_a_node_share_its_memory)
{
    const char *const busy = "{'all_on_node_bandwidth_bytes_per_s': 1e10}";
    struct cyclic_network one = network(f, 32, 1, busy);
    struct cyclic_network two = network(f, 16, 2, busy);

    /* of the eight members four send all rows, and four an eighth; of the four two, and two */
    assert_close(exchange_s(&one, 4, 0), on_s + 4.5 / 1e10 * bytes, 1e-12);
    assert_close(exchange_s(&two, 2, 0), on_s + 2.25 / 1e10 * bytes, 1e-12);
    assert_close(exchange_s(&two, 2, 0.5), on_s + 3.375 / 1e10 * bytes, 1e-12);
    assert_true(f->out.used & FR_USE(BUSY_NODE));
}

/* Of a ring of 32 one member of a node sends off it, and seven on it. */
CYCLIC_TEST(a_ring_has_messages_of_both_kinds)
{
    struct cyclic_network off = network(f, 32, 1, NULL);
    struct cyclic_network on = network(f, 32, 1, "{'all_on_node_bandwidth_bytes_per_s': 1e10}");

    assert_close(cyclic_roll_s(&off, CYCLIC_ALONG_COLUMNS, 0, bytes), off_s + off_byte_s * bytes,
                 1e-12);
    assert_close(cyclic_roll_s(&on, CYCLIC_ALONG_COLUMNS, 0, bytes), on_s + 7 / 1e10 * bytes,
                 1e-12);
}

/* Steps of 1, 2 and 4 rows stay on the nodes of eight, with 4, 2 and 1 senders each; of 8 and 16
 * rows one message leaves a node. */
CYCLIC_TEST(a_tree_has_its_most_messages_on_the_nodes)
{
    const char *const busy = "{'all_on_node_bandwidth_bytes_per_s': 1e10}";
    struct cyclic_network one = network(f, 32, 1, busy);
    const double latency_s = 3 * on_s + 2 * off_s;

    assert_close(cyclic_tree_s(&one, bytes), latency_s + (7 / 1e10 + 2 * off_byte_s) * bytes,
                 1e-12);
}

/* Four rows of two columns are on a node: in three of four hops both columns send. */
CYCLIC_TEST(lines_that_are_a_hop_apart_meet_on_a_node)
{
    const char *const busy = "{'all_on_node_bandwidth_bytes_per_s': 1e10}";
    struct cyclic_network two = network(f, 16, 2, busy);

    assert_close(cyclic_column_s(&two, 0, 1, bytes), on_s + 1.75 / 1e10 * bytes, 1e-12);
}

static double lagging_s(const struct cyclic_network *net, double lag_s)
{
    return cyclic_lagging_column_s(net, 3, 4, net->columns, lag_s, bytes);
}

/* Four rows of two columns are on a node, and the fourth sends off it. */
CYCLIC_TEST(columns_that_lag_share_what_is_left)
{
    struct cyclic_network two = network(f, 16, 2, NULL);
    const double one_s = node_byte_s * bytes;

    assert_close(lagging_s(&two, 0), off_s + 2 * one_s, 1e-12);
    assert_close(lagging_s(&two, one_s / 4), off_s + 1.75 * one_s, 1e-12);
    assert_close(lagging_s(&two, one_s), off_s + off_byte_s * bytes, 1e-12);
    assert_close(lagging_s(&two, 5 * one_s), off_s + off_byte_s * bytes, 1e-12);
}

/* Two columns send, but one has something to send. */
CYCLIC_TEST(a_column_alone_shares_with_none)
{
    struct cyclic_network two = network(f, 16, 2, NULL);

    assert_close(cyclic_lagging_column_s(&two, 3, 4, 1, 0, bytes), off_s + off_byte_s * bytes,
                 1e-12);
}

CYCLIC_TEST(columns_that_lag_share_the_memory_of_a_node)
{
    struct cyclic_network two = network(f, 16, 2, "{'all_on_node_bandwidth_bytes_per_s': 1e10}");

    assert_close(cyclic_lagging_column_s(&two, 0, 1, 2, 0.5e-4, bytes), on_s + 1.5 / 1e10 * bytes,
                 1e-12);
}

/* With a fast memory the owner copies sooner than others receive and pass on.  The values are of
 * a program apart from the engine. */
CYCLIC_TEST(a_pipe_goes_at_the_pace_of_its_slowest_row)
{
    static const struct {
        const char *grid;
        double time_s;
    } cases[] = {
        { "process_rows=8&process_columns=1&ranks_per_node=2", 0.0746043803066 },
        { "process_rows=16&process_columns=2&ranks_per_node=4", 0.0212408929492 },
        { "process_rows=12&process_columns=2&ranks_per_node=8", 0.0304169113257 },
    };
    json_t *document = cyclic_document(f, "cluster");
    const struct fr_calibration *cal;

    put(document, "/memory/call_s", "0");
    put(document, "/memory/streams",
        "[{'max_operand_bytes': null, 'bandwidth_bytes_per_s': 2e11}]");
    cal = golden_calibration(f->golden, "cluster", f->arena);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char question[200];

        snprintf(question, sizeof question, "m=4000&n=1200&k=1024&block_size=64&%s", cases[i].grid);
        assert_close(predicted("pdgemm", question, cal).time_s, cases[i].time_s, 1e-9);
    }
}

/* A longer slice of A keeps columns apart, which the filling by a single slice must not be paid
 * for with. */
CYCLIC_TEST(more_rows_take_no_less_time_in_one_slice)
{
    const struct fr_calibration *cal;
    double before_s = 0;

    put(cyclic_document(f, "cluster"), "/network/node_bandwidth_bytes_per_s", "1e9");
    cal = golden_calibration(f->golden, "cluster", f->arena);
    for (int m = 64; m <= 16384; m *= 2) {
        char question[200];
        double time_s;

        snprintf(question, sizeof question,
                 "m=%d&n=512&k=41&block_size=64&process_rows=16&process_columns=8", m);
        time_s = predicted("pdgemm", question, cal).time_s;
        assert_true(time_s >= before_s);
        before_s = time_s;
    }
}

/* The hop around the ring, which a single slice does not make, is farther than was measured. */
CYCLIC_TEST(one_slice_asks_for_no_hop_around_the_ring)
{
    struct fr_prediction out;

    put(cyclic_document(f, "cluster"), "/network/latency_by_distance",
        "[{'distance': 1, 'max_message_bytes': null, 'latency_s': 4e-6, 'maximum_s': 5e-6},"
        " {'distance': 2, 'max_message_bytes': null, 'latency_s': 4e-6, 'maximum_s': 5e-6}]");
    out = predicted(
        "pdgemm",
        "m=900&n=900&k=60&block_size=64&process_rows=8&process_columns=2&ranks_per_node=2",
        golden_calibration(f->golden, "cluster", f->arena));
    for (size_t i = 0; i < out.warning_count; i++)
        assert_true(!out.warning[i].what || !strstr(out.warning[i].what, "latency_by_distance"));
}

CYCLIC_TEST(a_ring_keeps_the_memory_and_the_interface_busy)
{
    const char *const busy = "{'all_on_node_bandwidth_bytes_per_s': 1e10}";
    struct cyclic_network two = network(f, 16, 2, busy);
    const struct cyclic_busy down = cyclic_busy_of(&two, CYCLIC_ALONG_COLUMNS);
    const struct cyclic_busy across = cyclic_busy_of(&two, CYCLIC_ALONG_ROWS);

    assert_close(down.memory_s_per_byte, 6 / 1e10, 1e-12); /* of eight messages two leave */
    assert_close(down.interface_s_per_byte, 2 * node_byte_s, 1e-12);
    assert_close(across.memory_s_per_byte, 8 / 1e10, 1e-12);
    assert_close(across.interface_s_per_byte, 0, 0);
}

/* A slice of B has 2000 columns on 32 x 2 processes; the memory of a node carries six of them. */
CYCLIC_TEST(a_product_is_no_faster_than_the_memory_of_a_node)
{
    const double slices = 4000 / 32.0, slice_bytes = 8 * 32 * 2000.0;
    const double free_s = product_s(f, NULL);
    const double shared_s = product_s(f, "{'all_on_node_bandwidth_bytes_per_s': 1e9}");

    assert_true(shared_s > slices * 6 * slice_bytes / 1e9);
    assert_true(shared_s > 2 * free_s);
}

/* Of a column of 32 processes seven messages of each node stay on it, for each slice of 32 x 64:
 * all of 31 updates with 62, 60, ... and 2 slices. */
CYCLIC_TEST(a_column_of_cholesky_goes_at_the_pace_of_the_memory)
{
    const char *const question = "n=2048&block_size=64&process_rows=32&process_columns=1";
    const double slow_s =
        predicted("pdpotrf", question, cluster(f, "{'all_on_node_bandwidth_bytes_per_s': 1e7}"))
            .time_s;
    const double slower_s =
        predicted("pdpotrf", question, cluster(f, "{'all_on_node_bandwidth_bytes_per_s': 5e6}"))
            .time_s;
    const double carried_bytes = 7 * 8 * 32 * 64.0;

    assert_true(slower_s - slow_s > 31 * 32 * carried_bytes / 1e7);
    assert_true(slower_s - slow_s < 1.2 * 31 * 32 * carried_bytes / 1e7);
}

CYCLIC_TEST(messages_beside_work_are_slower)
{
    const char *const busy = "{'on_node_bandwidth_bytes_per_s': 4e9,"
                             " 'off_node_bandwidth_bytes_per_s': 1e9}";
    struct cyclic_network square = network(f, 8, 8, busy);
    struct cyclic_network one = network(f, 32, 1, busy);

    assert_close(cyclic_row_s(&square, 0, 1, bytes), on_s + bytes / 4e9, 1e-12);
    /* the seven others multiply, or none does */
    assert_close(exchange_s(&square, 4, 0),
                 off_s + (off_byte_s + 7.0 / 8 * (1 / 1e9 - off_byte_s)) * bytes, 1e-12);
    assert_close(exchange_s(&one, 8, 0), off_s + 8 * node_byte_s * bytes, 1e-12);
}

#define SQUARE                                                                     \
    "n=4000&block_size=64&contention=false&process_rows=8&process_columns=8&swap=" \
    "binary_exchange&lookahead_depth=0&broadcast="
/* Columns that have met swap at the same time, those behind a ring do not. */
CYCLIC_TEST(columns_that_met_share_the_interface)
{
    const struct fr_calibration *cal = cluster(f, NULL);
    const double ring_s = predicted("hpl", SQUARE "1ring", cal).time_s;
    const double met_s = predicted("hpl", SQUARE "long", cal).time_s;
    const double wide_s = predicted("hpl", SQUARE "long&ranks_per_node=1", cal).time_s;

    assert_true(met_s > 1.1 * wide_s);
    assert_true(ring_s < met_s);
}
