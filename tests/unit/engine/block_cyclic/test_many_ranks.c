/* Messages of grids with many ranks on a node
 * (docs/models/block_cyclic.md#decision-many-ranks-of-a-line-on-a-node). */
#include "engine/block_cyclic/walk.h"
#include "engine/document/document.h"
#include "tests/unit/support/documents.h"
#include "tests/unit/support/golden.h"

/* The calibration `cluster`: eight ranks a node, and a last protocol of these links. */
static const double off_s = 4.5e-6, off_byte_s = 1.05e-10, on_s = 1.5e-6, on_byte_s = 8e-11;
static const double node_byte_s = 1 / 11e9, bytes = 1e6;

struct fixture {
    struct fr_arena *arena;
    json_t *golden;
    struct fr_prediction out;
    struct fr_faults faults;
};

static int begin(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    f->arena = fr_arena_new(1 << 26);
    f->golden = golden_load("block-cyclic.json");
    *state = f;
    return 0;
}

static int end(void **state)
{
    struct fixture *f = *state;

    json_decref(f->golden);
    fr_arena_free(f->arena);
    test_free(f);
    return 0;
}

/* `busy_node` is JSON, or NULL. */
static struct cyclic_network network(struct fixture *f, int64_t rows, int64_t columns,
                                     const char *busy_node)
{
    json_t *document = json_object_get(json_object_get(f->golden, "calibrations"), "cluster");
    const struct cyclic_values v = { .process_rows = rows,
                                     .process_columns = columns,
                                     .block_size = 64,
                                     .threads = 1,
                                     .ranks_per_node = 8 };
    struct fr_evaluation *run = fr_arena_zeroed(f->arena, 1, sizeof *run);
    struct cyclic_network net;

    if (busy_node)
        put(document, "/network/busy_node", busy_node);
    fr_prediction_clear(&f->out);
    *run = (struct fr_evaluation){
        .cal = golden_calibration(f->golden, "cluster", f->arena),
        .arena = f->arena,
        .out = &f->out,
        .faults = &f->faults,
    };
    assert_int_equal(cyclic_network_begin(&net, &v, run), FR_OK);
    return net;
}

static double product_s(struct fixture *f, const char *busy_node)
{
    json_t *problem = json_of("{'model':'pdgemm','m':4000,'n':4000,'k':4000,'block_size':64,"
                              "'process_rows':32,'process_columns':2}");
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    const struct fr_calibration *cal;
    void *values;
    const struct fr_model *model = golden_bind(problem, f->arena, &values, &faults);

    json_decref(problem);
    if (busy_node)
        put(json_object_get(json_object_get(f->golden, "calibrations"), "cluster"),
            "/network/busy_node", busy_node);
    cal = golden_calibration(f->golden, "cluster", f->arena);
    assert_int_equal(fr_model_resolve(model, values, cal, &faults), FR_OK);
    assert_int_equal(fr_model_predict(model, values, cal, f->arena, &out, &faults), FR_OK);
    return out.time_s;
}

static double exchange_s(struct cyclic_network *net, int64_t step, double share)
{
    return cyclic_pairwise_s(net, CYCLIC_ALONG_COLUMNS, step, share, bytes);
}

#define CASE(name) TEST_WITH(name, begin, end)

CASE(members_on_a_node_share_its_interface)
{
    struct cyclic_network one = network(*state, 32, 1, NULL);
    struct cyclic_network two = network(*state, 16, 2, NULL);
    struct cyclic_network square = network(*state, 8, 8, NULL);

    assert_close(exchange_s(&one, 8, 0), off_s + 8 * node_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&one, 4, 0), on_s + on_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&two, 4, 0), off_s + 4 * node_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&two, 4, 1), off_s + 8 * node_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&square, 4, 0), off_s + off_byte_s * bytes, 1e-12);
    assert_close(exchange_s(&square, 4, 0.5), off_s + 4.5 * node_byte_s * bytes, 1e-12);
}

CASE(members_on_a_node_share_its_memory)
{
    const char *const busy = "{'all_on_node_bandwidth_bytes_per_s': 1e10}";
    struct cyclic_network one = network(*state, 32, 1, busy);
    struct cyclic_network two = network(*state, 16, 2, busy);

    /* of the eight members four send all rows, and four an eighth; of the four two, and two */
    assert_close(exchange_s(&one, 4, 0), on_s + 4.5 / 1e10 * bytes, 1e-12);
    assert_close(exchange_s(&two, 2, 0), on_s + 2.25 / 1e10 * bytes, 1e-12);
    assert_close(exchange_s(&two, 2, 0.5), on_s + 3.375 / 1e10 * bytes, 1e-12);
    assert_true(((struct fixture *)*state)->out.used & FR_USE(BUSY_NODE));
}

/* Of a ring of 32 one member of a node sends off it, and seven on it. */
CASE(a_ring_has_messages_of_both_kinds)
{
    struct cyclic_network off = network(*state, 32, 1, NULL);
    struct cyclic_network on =
        network(*state, 32, 1, "{'all_on_node_bandwidth_bytes_per_s': 1e10}");

    assert_close(cyclic_roll_s(&off, CYCLIC_ALONG_COLUMNS, 0, bytes), off_s + off_byte_s * bytes,
                 1e-12);
    assert_close(cyclic_roll_s(&on, CYCLIC_ALONG_COLUMNS, 0, bytes), on_s + 7 / 1e10 * bytes,
                 1e-12);
}

/* Steps of 1, 2 and 4 rows stay on the nodes of eight, with 4, 2 and 1 senders each; of 8 and 16
 * rows one message leaves a node. */
CASE(a_tree_has_its_most_messages_on_the_nodes)
{
    const char *const busy = "{'all_on_node_bandwidth_bytes_per_s': 1e10}";
    struct cyclic_network one = network(*state, 32, 1, busy);
    const double latency_s = 3 * on_s + 2 * off_s;

    assert_close(cyclic_tree_s(&one, bytes), latency_s + (7 / 1e10 + 2 * off_byte_s) * bytes,
                 1e-12);
}

/* Four rows of two columns are on a node: in three of four hops both columns send. */
CASE(lines_that_are_a_hop_apart_meet_on_a_node)
{
    const char *const busy = "{'all_on_node_bandwidth_bytes_per_s': 1e10}";
    struct cyclic_network two = network(*state, 16, 2, busy);

    assert_close(cyclic_column_s(&two, 0, 1, bytes), on_s + 1.75 / 1e10 * bytes, 1e-12);
}

CASE(a_ring_keeps_the_memory_and_the_interface_busy)
{
    const char *const busy = "{'all_on_node_bandwidth_bytes_per_s': 1e10}";
    struct cyclic_network two = network(*state, 16, 2, busy);
    const struct cyclic_busy down = cyclic_busy_of(&two, CYCLIC_ALONG_COLUMNS);
    const struct cyclic_busy across = cyclic_busy_of(&two, CYCLIC_ALONG_ROWS);

    assert_close(down.memory_s_per_byte, 6 / 1e10, 1e-12); /* of eight messages two leave */
    assert_close(down.interface_s_per_byte, 2 * node_byte_s, 1e-12);
    assert_close(across.memory_s_per_byte, 8 / 1e10, 1e-12);
    assert_close(across.interface_s_per_byte, 0, 0);
}

/* A slice of B has 2000 columns on 32 x 2 processes; the memory of a node carries six of them. */
CASE(a_product_is_no_faster_than_the_memory_of_a_node)
{
    const double slices = 4000 / 32.0, slice_bytes = 8 * 32 * 2000.0;
    struct fixture *f = *state;
    const double free_s = product_s(f, NULL);
    const double shared_s = product_s(f, "{'all_on_node_bandwidth_bytes_per_s': 1e9}");

    assert_true(shared_s > slices * 6 * slice_bytes / 1e9);
    assert_true(shared_s > 2 * free_s);
}

CASE(messages_beside_work_are_slower)
{
    const char *const busy = "{'on_node_bandwidth_bytes_per_s': 4e9,"
                             " 'off_node_bandwidth_bytes_per_s': 1e9}";
    struct cyclic_network square = network(*state, 8, 8, busy);
    struct cyclic_network one = network(*state, 32, 1, busy);

    assert_close(cyclic_row_s(&square, 0, 1, bytes), on_s + bytes / 4e9, 1e-12);
    /* the seven others multiply, or none does */
    assert_close(exchange_s(&square, 4, 0),
                 off_s + (off_byte_s + 7.0 / 8 * (1 / 1e9 - off_byte_s)) * bytes, 1e-12);
    assert_close(exchange_s(&one, 8, 0), off_s + 8 * node_byte_s * bytes, 1e-12);
}

static double hpl_s(struct fixture *f, const char *grid)
{
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    char question[300];
    json_t *problem;
    void *values;
    const struct fr_model *model;

    snprintf(question, sizeof question,
             "{'model':'hpl','n':4000,'block_size':64,'contention':false,%s}", grid);
    problem = json_of(question);
    model = golden_bind(problem, f->arena, &values, &faults);
    json_decref(problem);
    assert_int_equal(fr_model_resolve(model, values,
                                      golden_calibration(f->golden, "cluster", f->arena), &faults),
                     FR_OK);
    assert_int_equal(fr_model_predict(model, values,
                                      golden_calibration(f->golden, "cluster", f->arena), f->arena,
                                      &out, &faults),
                     FR_OK);
    return out.time_s;
}

#define SQUARE "'process_rows':8,'process_columns':8,'swap':'binary_exchange','lookahead_depth':0,"
/* Columns that have met swap at the same time, those behind a ring do not. */
CASE(columns_that_met_share_the_interface)
{
    const double ring_s = hpl_s(*state, SQUARE "'broadcast':'1ring'");
    const double met_s = hpl_s(*state, SQUARE "'broadcast':'long'");
    const double wide_s = hpl_s(*state, SQUARE "'broadcast':'long','ranks_per_node':1");

    assert_true(met_s > 1.1 * wide_s);
    assert_true(ring_s < met_s);
}
