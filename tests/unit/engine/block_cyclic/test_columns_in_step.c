/* Process columns of pdpotrf that are out of step
 * (docs/models/block_cyclic.md#decision-columns-in-step). */
#include "engine/block_cyclic/walk.h"
#include "tests/unit/support/documents.h"
#include "tests/unit/support/factored.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/question.h"

static struct fr_arena *arena;
static const struct fr_calibration *without, *with; /* latencies, all those of the protocols */

static int begin(void **state)
{
    json_t *golden = golden_load("block-cyclic.json");
    json_t *cluster = json_object_get(json_object_get(golden, "calibrations"), "cluster");

    *state = arena = fr_arena_new(1 << 24);
    without = golden_calibration(golden, "cluster", arena);
    json_object_set_new(
        json_object_get(cluster, "network"), "latency_by_distance",
        json_of("[{'distance':1,'max_message_bytes':1024,'latency_s':1.1e-6,'maximum_s':1.1e-6},"
                "{'distance':1,'max_message_bytes':16384,'latency_s':2.2e-6,'maximum_s':2.2e-6},"
                "{'distance':1,'max_message_bytes':null,'latency_s':4.5e-6,'maximum_s':4.5e-6}]"));
    with = golden_calibration(golden, "cluster", arena);
    json_decref(golden);
    return 0;
}

static struct fr_evaluation evaluation(const struct fr_calibration *cal, struct fr_prediction *out,
                                       struct fr_faults *faults)
{
    fr_prediction_clear(out);
    return (struct fr_evaluation){ .cal = cal, .arena = arena, .out = out, .faults = faults };
}

/* Two blocks on 2 x 4 processes, one a node.  Slices go down the first column, which has the links
 * for itself; the second column has the rows that it turns, for which nobody packs. */
TEST(nobody_packs_what_is_there)
{
    const struct cyclic_values v = { .process_rows = 2,
                                     .process_columns = 4,
                                     .block_size = 96,
                                     .threads = 1,
                                     .ranks_per_node = 1,
                                     .contention = true };
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    struct fr_evaluation run = evaluation(with, &out, &faults);
    struct cyclic_walk walk;
    double expected;

    assert_int_equal(cyclic_begin(&walk, &v, true, &run), FR_OK);
    assert_true(cyclic_lone_hop(&walk.net, CYCLIC_ALONG_COLUMNS, 0, 1, 24576).time_s <
                cyclic_column_s(&walk.net, 0, 1, 24576));
    expected = 2 * factored_s(&walk.kernels, 96) + 2 * cyclic_broadcast_s(&walk.net, 4) +
               3 * cyclic_trsm_s(&walk.kernels, 32, 96) + cyclic_gemm_s(&walk.kernels, 96, 64, 32) +
               cyclic_gemm_s(&walk.kernels, 96, 32, 32) + cyclic_row_s(&walk.net, 0, 1, 73728) +
               cyclic_row_s(&walk.net, 1, 2, 73728) + cyclic_turned_s(&walk, 96, 96, 96) +
               cyclic_syrk_s(&walk.kernels, 96, 96) + 2 * cyclic_row_s(&walk.net, 1, 2, 4);
    for (int left = 96; left > 0; left -= 32)
        expected += cyclic_turned_s(&walk, left, 32, 32) +
                    cyclic_lone_hop(&walk.net, CYCLIC_ALONG_COLUMNS, 0, 1, 8 * 32 * left).time_s;
    assert_close(predicted("pdpotrf",
                           "n=192&block_size=96&process_rows=2&process_columns=4&ranks_per_node=1",
                           with)
                     .time_s,
                 expected, 1e-12);
}

TEST(wide_grids_are_faster_than_in_step)
{
    const char *wide = "n=3000&block_size=64&process_rows=2&process_columns=8&ranks_per_node=1";

    assert_true(predicted("pdpotrf", wide, with).time_s <
                0.95 * predicted("pdpotrf", wide, without).time_s);
}

/* Of four processes of a node on a 4 x 4 grid three exchange with other nodes. */
TEST(so_many_share_a_link_as_leave_the_node)
{
    const struct cyclic_values v = { .process_rows = 4,
                                     .process_columns = 4,
                                     .block_size = 64,
                                     .threads = 1,
                                     .ranks_per_node = 4,
                                     .contention = true };
    struct fr_faults faults = { 0 };
    struct fr_prediction out;
    struct fr_evaluation all = evaluation(without, &out, &faults);
    struct fr_evaluation some = evaluation(with, &out, &faults);
    struct cyclic_network in_step, net;

    assert_int_equal(cyclic_network_begin(&in_step, &v, &all), FR_OK);
    assert_int_equal(cyclic_network_begin(&net, &v, &some), FR_OK);
    cyclic_transpose_s(&in_step, 1e5);
    cyclic_transpose_s(&net, 1e5);
    assert_close(net.transposed_factor, 3. / 4 * in_step.transposed_factor, 1e-12);
}

GROUP(begin, arena_end)
