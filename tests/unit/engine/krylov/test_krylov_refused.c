/* Refusals of allreduce and halo_exchange, the parameters that they name, and warnings. */
#include "tests/unit/support/machines.h"

#include <stdio.h>
#include <string.h>

static void check_refused(const char *model, const char *query, const struct fr_calibration *cal,
                          const char *where, const char *words)
{
    const struct fr_faults faults = refused(model, query, cal);
    const struct fr_fault *fault = fault_at(&faults, where);

    if (!fault || !strstr(fault->message, words) || faults.count != 1)
        fail_msg("%s?%s: %zu faults, %s: %s", model, query, faults.count, faults.fault[0].where,
                 faults.fault[0].message);
}

#define CASE(name) TEST_OF(name, const struct machines *m, NULL, NULL)

CASE(impossible_requests_are_refused)
{
#define SIZE "message_bytes=8&nodes=8&processes_per_node=6"
    static const char halo[] = "halo_exchange";

    check_refused("allreduce", "message_bytes=8&nodes=1e9&processes_per_node=2", m->uniform,
                  "nodes", "at most 500000000");
    check_refused(halo, "nodes=8&processes_per_node=6", m->uniform, "message_bytes", "required");
    check_refused(halo, SIZE "&local_grid=4x4x4", m->uniform, "message_bytes", "leave one");
    check_refused(halo, "local_grid=4x4&nodes=8&processes_per_node=6", m->uniform, "local_grid",
                  "dimensions=3");
    check_refused(halo, SIZE "&process_grid=4x4x4", m->uniform, "process_grid", "48 processes");
    check_refused(halo, SIZE "&process_grid=8x6", m->uniform, "process_grid", "3 dimensions");
    check_refused(halo, SIZE "&on_node_grid=3x1x1", m->uniform, "on_node_grid", "tile");
    check_refused(halo, SIZE "&on_node_grid=1x6x1", m->uniform, "on_node_grid", "4x4x3");
    check_refused(halo, SIZE "&mapping=topology_aware", m->uniform, "mapping", "uniform");
    check_refused(halo, SIZE "&mapping=topology_aware&allocation=3x2x1", m->torus, "mapping",
                  "full block");
    check_refused(halo, SIZE "&mapping=topology_aware&allocation=2x2x1&process_grid=4x4x3",
                  m->torus, "mapping", "leave out");
    check_refused(halo, SIZE "&allocation=1x1x1", m->torus, "allocation", "hold 2 nodes");
    check_refused(halo, SIZE "&allocation=25x1x1", m->torus, "allocation", "larger than");
    check_refused(halo, "message_bytes=8&nodes=30000&processes_per_node=6", m->torus, "nodes",
                  "nodes of the torus; ask for at most");
    check_refused(halo, SIZE "&allocation=4x4", m->torus, "allocation", "3 numbers");
    check_refused(halo, SIZE "&allocation=9x1x1", m->dragonfly, "allocation", "at most as many");
    check_refused(halo, SIZE "&allocation=1x1x1", m->dragonfly, "allocation", "2 routers");
    check_refused("allreduce", "message_bytes=8&nodes=8&processes_per_node=1&allocation=2x1x2",
                  m->dragonfly, "allocation", "at most as many");
    check_refused("allreduce", "message_bytes=8&nodes=1000&processes_per_node=1&allocation=300x2x1",
                  m->dragonfly, "allocation", "19 chassis");
    check_refused("allreduce",
                  "message_bytes=8&nodes=1000&processes_per_node=1&allocation=300x19x2",
                  m->dragonfly, "allocation", "4 groups");
    check_refused(halo, "message_bytes=8&nodes=1e8&processes_per_node=6&process_grid=75000000x2x4",
                  m->uniform, "processes_per_node", "node_aware");
#undef SIZE
}

CASE(a_missing_problem_is_named_with_all_else_that_is_missing)
{
    const struct fr_faults faults = refused("solve", "nodes=8&processes_per_node=2", m->uniform);

    assert_non_null(fault_at(&faults, "iterations"));
    assert_non_null(fault_at(&faults, "local_grid"));
    check_refused("solve", "nodes=8&processes_per_node=2&iterations=9", m->uniform, "local_grid",
                  "give one");
}

CASE(calibrated_values_that_a_penalty_needs_are_required)
{
#define SIZE "message_bytes=8&nodes=8&processes_per_node=2&stalls_per_byte=1"
    struct fr_calibration cal = *m->uniform;

    cal.network.node_bandwidth_bytes_per_s = NAN;
    check_refused("allreduce", SIZE, &cal, "calibration", "without max_rate");
    predicted("allreduce", SIZE "&penalties=hops:congestion_hops", &cal);
    cal = *m->uniform;
    cal.network.stall_time_s = NAN;
    check_refused("halo_exchange", SIZE, &cal, "calibration", "stall_time_s");
    predicted("halo_exchange", SIZE "&penalties=hops:max_rate", &cal);
    predicted("halo_exchange", "message_bytes=8&nodes=8&processes_per_node=2", &cal);
    cal = *m->uniform;
    cal.network.topology.type = -1;
    check_refused("halo_exchange", SIZE, &cal, "calibration", "network.topology");
    check_refused("halo_exchange", SIZE "&penalties=congestion_hops", &cal, "calibration",
                  "without congestion_hops");
    predicted("halo_exchange", SIZE "&penalties=max_rate:congestion", &cal);
    cal = *m->uniform;
    cal.core_peak_flops_per_s = NAN;
    check_refused("allreduce", SIZE, &cal, "calibration", "time of an addition");
    predicted("halo_exchange", SIZE, &cal);
    cal = *m->uniform;
    cal.has_off_node = false;
    check_refused("allreduce", SIZE, &cal, "calibration", "one node does not need");
    predicted("allreduce", "message_bytes=8&nodes=1&processes_per_node=8", &cal);
#undef SIZE
}

CASE(warnings_name_what_is_assumed)
{
    struct fr_prediction out =
        predicted("allreduce", "message_bytes=8&nodes=8&processes_per_node=17", m->torus);

    assert_true(has_warning(&out, FR_WARN_ALLOCATION, NULL));
    assert_true(has_warning(&out, FR_WARN_STALL_RATE, NULL));
    assert_true(has_warning(&out, FR_WARN_OVERSUBSCRIBED, NULL));
    out = predicted("allreduce",
                    "message_bytes=8&nodes=8&processes_per_node=16&allocation=4x1x1&"
                    "penalties=max_rate:hops",
                    m->torus);
    assert_int_equal(out.warning_count, 0);
}

/* The Krylov models have no peak: the fault names the goal that needs one. */
CASE(goals_of_efficiency_are_refused)
{
    static const struct fr_goal goals[] = {
        { .objective = FR_BEST_EFFICIENCY, .deadline_s = NAN, .min_efficiency_fraction = NAN },
        { .objective = FR_LEAST_TIME, .deadline_s = NAN, .min_efficiency_fraction = 0.5 },
    };
    static const char *const names[] = { "objective", "min_efficiency_fraction" };

    for (size_t i = 0; i < sizeof goals / sizeof *goals; i++) {
        struct fr_arena *arena = fr_arena_new(1 << 24);
        struct fr_faults faults = { 0 };
        struct fr_ranking ranking;
        void *values;
        const struct fr_model *model = ask(
            "allreduce", "message_bytes=8&nodes=8&processes_per_node=2", arena, &values, &faults);

        assert_int_equal(
            fr_recommend(model, values, NULL, m->torus, &goals[i], 1, arena, &ranking, &faults),
            FR_RELATION);
        assert_int_equal(faults.count, 1);
        assert_fault(&faults, FR_RELATION, names[i], "no percent_of_peak");
        fr_arena_free(arena);
    }
}

GROUP(machines_begin, place_end)
