/* Lower bounds of allreduce, halo_exchange and cg by hand
 * (docs/models/krylov.md#lower-bounds). */
#include "tests/unit/support/question.h"

#include <math.h>
#include <stdio.h>

#define NETWORK                                                                               \
    "{'schema': 'forerun-calibration-1', 'machine': 'round',"                                 \
    " 'node': {'cores_per_node': 4, 'peak_flops_per_s': 4000},"                               \
    " 'memory': {'node_bandwidth_bytes_per_s': 1e6, 'index_bytes': 4},"                       \
    " 'network': {'node_bandwidth_bytes_per_s': 1e9, 'topology': {'type': 'uniform',"         \
    "   'hops': {'best': 1, 'average': 1, 'max': 1}, 'hop_latency_s': [0.5]}, 'protocols': [" \
    "  {'name': 'eager', 'max_message_bytes': 100,"                                           \
    "   'on_node': {'latency_s': 1, 'inverse_bandwidth_s_per_byte': 0.5},"                    \
    "   'off_node': {'latency_s': 2, 'inverse_bandwidth_s_per_byte': 1}},"                    \
    "  {'name': 'rendezvous', 'max_message_bytes': null,"                                     \
    "   'on_node': {'latency_s': 4, 'inverse_bandwidth_s_per_byte': 0.25},"                   \
    "   'off_node': {'latency_s': 8, 'inverse_bandwidth_s_per_byte': 0.5}}]}"
static const char plain[] = NETWORK "}";
/* Swaps and gaps of half and of a quarter of a single message. */
static const char measured[] =
    NETWORK ", 'contention': {"
            "  'exchange': [{'processes': 8, 'distance': 1, 'message_bytes': 8, 'average_s': 5}],"
            "  'burst': [{'processes': 8, 'message_bytes': 8, 'gap_s': 2.5}]}}";

/* ... and messages of an allreduce of 6 processes a fifth. */
static const char of_six[] =
    NETWORK ", 'contention': {"
            "  'exchange': [{'processes': 8, 'distance': 1, 'message_bytes': 8, 'average_s': 5}],"
            "  'fold': [{'processes': 6, 'message_bytes': 8, 'message_s': 2}]}}";

static struct fr_arena *arena;
static const struct fr_calibration *cal, *with_tables, *with_fold;

static int begin(void **state)
{
    *state = arena = fr_arena_new(1 << 22);
    cal = calibration_of(plain, arena);
    with_tables = calibration_of(measured, arena);
    with_fold = calibration_of(of_six, arena);
    return 0;
}

static void check(const char *model, const char *query, const struct fr_calibration *on,
                  double seconds, const char *resource)
{
    const struct fr_prediction out = predicted(model, query, on);

    assert_close(out.bound_s, seconds, 1e-14);
    assert_string_equal(out.bound_by, resource);
    assert_true(out.time_s >= out.bound_s * (1 - 1e-12));
}

/* log2 8 = 3 rounds of 1 s, or 2 * 7/8 of the bytes at 0.25 s; log2 4 = 2 rounds of 2 s. */
TEST(an_allreduce_takes_the_rounds_or_the_bytes)
{
    check("allreduce", "nodes=4&processes_per_node=2&message_bytes=4", cal, 3, "critical_path");
    check("allreduce", "nodes=4&processes_per_node=2&message_bytes=80", cal, 35, "network");
    check("allreduce", "nodes=4&processes_per_node=1&message_bytes=0", cal, 4, "critical_path");
    check("allreduce", "nodes=4&processes_per_node=1&message_bytes=80", cal, 60, "network");
    check("allreduce", "nodes=1&processes_per_node=4&message_bytes=80", cal, 30, "network");
    check("allreduce", "nodes=1&processes_per_node=1&message_bytes=80", cal, 0, "critical_path");
}

/* An exchange of 8 bytes takes 5 s, half of 2 + 8 s, so every message may take half as long. */
TEST(measured_exchanges_are_no_faster_than_the_fastest)
{
    check("allreduce", "nodes=4&processes_per_node=2&message_bytes=4", with_tables, 1.5,
          "critical_path");
    check("allreduce", "nodes=4&processes_per_node=2&message_bytes=4&contention_model=paper",
          with_tables, 3, "critical_path");
    check("allreduce", "nodes=4&processes_per_node=2&message_bytes=4", with_fold, 3 * 0.2,
          "critical_path");
}

/* Two messages of 10 bytes off the node, or one on and one off it; measured gaps of a quarter, with
 * the smaller latency of the two links. */
TEST(a_halo_exchange_receives_its_bytes)
{
    check("halo_exchange", "dimensions=1&nodes=4&processes_per_node=1&message_bytes=10", cal,
          2 + 20 * 0.5, "network");
    check("halo_exchange", "dimensions=1&nodes=4&processes_per_node=2&message_bytes=10", cal,
          1 + 10 * 0.25 + 10 * 0.5, "network");
    check("halo_exchange", "dimensions=1&nodes=4&processes_per_node=1&message_bytes=10",
          with_tables, (1 + 20 * 0.5) / 4, "network");
    check("halo_exchange", "dimensions=1&nodes=1&processes_per_node=1&message_bytes=10", cal, 0,
          "network");
}

static const char cg[] = "local_grid=2x2x2&iterations=10&solver=%s&nodes=%d&processes_per_node=1";

TEST(one_process_solves_by_its_work_alone)
{
    char query[120];
    struct fr_prediction out;

    snprintf(query, sizeof query, cg, "pcg", 1);
    out = predicted("cg", query, cal);
    assert_string_equal(out.bound_by, "work");
    assert_close(out.bound_s, out.time_s, 1e-12);
}

/* 8 processes, 7 messages to each: faces of 32, edges of 16 and a corner of 8 bytes.  Two blocking
 * allreduces of 8 bytes a step, or one of 16 beside the product and the preconditioner. */
TEST(a_solve_follows_the_chain_of_halos_and_allreduces)
{
    const double halo_s = 2 + 0.5 * (3 * 32 + 3 * 16 + 8);
    const double dot_s = fmax(3 * 2, 2 * 7. / 8 * 8 * 0.5), pair_s = 2 * 7. / 8 * 16 * 0.5;
    char query[120];
    struct fr_prediction out;
    double pc_s;

    snprintf(query, sizeof query, cg, "pcg", 8);
    out = predicted("cg", query, cal);
    pc_s = output_of("cg", "phases.preconditioner_s", &out);
    assert_true(output_of("cg", "phases.matvec_s", &out) < halo_s && pc_s < dot_s);
    assert_string_equal(out.bound_by, "critical_path");
    assert_close(out.bound_s, pc_s + dot_s + 10 * (halo_s + pc_s + 2 * dot_s), 1e-12);
    snprintf(query, sizeof query, cg, "pipecg", 8);
    out = predicted("cg", query, cal);
    assert_true(pair_s < halo_s); /* hidden */
    assert_close(out.bound_s, 2 * (halo_s + pc_s) + 10 * (halo_s + pc_s), 1e-12);
}

GROUP(begin, arena_end)
