/* cg: computation and waiting, from saved runs and from memory bandwidth. */
#include "tests/unit/support/cg_fixture.h"

#include <stdio.h>

#define WITH_MACHINE(name) TEST_OF(name, struct cg_fixture *cg, cg_fixture_begin, cg_fixture_end)

WITH_MACHINE(without_a_run_memory_bandwidth_bounds_computation)
{
    static const char one_core[] =
        "solver=pcg&nodes=1&processes_per_node=1&local_grid=10x10x10&iterations=1";
    struct fr_calibration cal = *cg->cal;

    cg->cal = &cal;
    answered(cg, one_core);
    assert_close(output(cg, "phases.matvec_s"), 344e3 / 8e9, 1e-12);
    assert_close(output(cg, "phases.vector_s"), 8 * 13e3 / 8e9, 1e-12);
    /* 28^3 entries within the process */
    assert_close(output(cg, "phases.preconditioner_s"), (12 * (21952 + 1e3) + 8e3 + 32e3) / 8e9,
                 1e-12);
    assert_true(has_warning(&cg->out, FR_WARN_COMPUTATION, NULL));
    assert_false(has_warning(&cg->out, FR_WARN_SYNCHRONIZATION, NULL)); /* one process */
    assert_true(cg->out.used & FR_USE(MEMORY_BANDWIDTH));
    assert_false(cg->out.used & FR_USE(CORE_BANDWIDTH));

    cal.memory.core_bandwidth_bytes_per_s = 5e9; /* below that of the node */
    cal.memory.index_bytes = 8;
    cal.kernels.stream[FR_SPARSE_MATVEC].bandwidth_fraction = 0.5;
    answered(cg, one_core);
    assert_close(output(cg, "phases.matvec_s"), (27 * 16 + 24) * 1e3 / (5e9 * 0.5), 1e-12);
    assert_true(cg->out.used & FR_USE(CORE_BANDWIDTH));
    assert_true(cg->out.used & FR_USE(SPARSE_MATVEC));
    assert_false(cg->out.used & FR_USE(SPARSE_SOLVE));

    answered(cg, "solver=pipe2cg&nodes=1&processes_per_node=4&local_grid=10x10x10&iterations=2");
    assert_close(output(cg, "phases.vector_s"), 8 * 18e3 / 2e9, 1e-12);
    assert_true(has_warning(&cg->out, FR_WARN_SYNCHRONIZATION, NULL));
}

WITH_MACHINE(times_of_a_run_are_scaled_to_the_rows)
{
    static const char run[] = "{'local_grid': [8, 8, 4], 'computation': {'phases': {"
                              " 'matvec_s': [[1e-3]], 'preconditioner_s': [[2e-3]],"
                              " 'vector_s': [[3e-3]]}}}";
    const struct fr_warning *warning = &cg->out.warning[0];

    with_runs(cg, run, NULL);
    answered(cg, "nodes=1&processes_per_node=1&local_grid=8x8x8&iterations=1");
    assert_close(output(cg, "phases.matvec_s"), 2e-3, 1e-12);
    assert_close(output(cg, "phases.preconditioner_s"), 4e-3, 1e-12);
    assert_close(output(cg, "phases.vector_s"), 6e-3, 1e-12);
    assert_int_equal(cg->out.warning_count, 1);
    assert_int_equal(warning->code, FR_WARN_COMPUTATION_SCALED);
    assert_close(warning->value, 512, 0);
    assert_close(warning->low, 256, 0);
    assert_false(cg->out.used & FR_USE(MEMORY_BANDWIDTH));

    answered(cg, "nodes=1&processes_per_node=1&local_grid=4x8x8&iterations=1");
    assert_close(output(cg, "phases.matvec_s"), 1e-3, 1e-12);
    assert_int_equal(cg->out.warning_count, 0);
}

WITH_MACHINE(a_total_is_split_by_memory_traffic)
{
    static const char query[] = "nodes=1&processes_per_node=1&local_grid=8x8x8&iterations=1";
    double share;

    answered(cg, query);
    share = output(cg, "phases.matvec_s") / output(cg, "step.computation_s");
    with_runs(cg, "{'computation': {'total_s': [[7e-3]]}}", NULL);
    answered(cg, query);
    assert_close(output(cg, "step.computation_s"), 7e-3, 1e-12);
    assert_close(output(cg, "phases.matvec_s"), 7e-3 * share, 1e-12);
    assert_int_equal(cg->out.warning_count, 1);
    assert_true(has_warning(&cg->out, FR_WARN_COMPUTATION_SPLIT, NULL));
}

/* A run may state only the network. */
WITH_MACHINE(a_run_without_computation_gives_its_stall_rate)
{
    static const char query[] = "nodes=8&processes_per_node=4&local_grid=8x8x8&iterations=1";

    answered(cg, query);
    assert_true(has_warning(&cg->out, FR_WARN_STALL_RATE, NULL));
    assert_close(output(cg, "halo.congestion_s"), 0, 0);
    with_runs(cg, "{'network_state': {'stalls_per_byte': 0.5}}", NULL);
    answered(cg, query);
    assert_false(has_warning(&cg->out, FR_WARN_STALL_RATE, NULL));
    assert_true(output(cg, "halo.congestion_s") > 0);
    assert_true(has_warning(&cg->out, FR_WARN_COMPUTATION, NULL));
    assert_true(has_warning(&cg->out, FR_WARN_SYNCHRONIZATION, NULL));
}

/* Equal runs share one prediction; runs that differ in any input have one each. */
WITH_MACHINE(different_runs_have_predictions_of_their_own)
{
    static const char *const pairs[][2] = {
        { "{'network_state': {'stalls_per_byte': 0.5}}",
          "{'network_state': {'stalls_per_byte': 2}}" },
        { "{'computation': {'total_s': [[1e-3]]}}", "{'computation': {'total_s': [[2e-3]]}}" },
        { "{'process_grid': [8, 2, 2]}", "{'process_grid': [32, 1, 1]}" },
    };
    static const char query[] = "nodes=8&processes_per_node=4&local_grid=8x8x8&iterations=1";

    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        double time_s[2];

        for (size_t k = 0; k < 2; k++) {
            with_runs(cg, pairs[i][k], pairs[i][k]);
            answered(cg, query);
            assert_int_equal(cg->spread.runs, 2);
            assert_close(cg->spread.box.minimum, cg->spread.box.maximum, 0);
            time_s[k] = cg->out.time_s;
        }
        assert_true(time_s[0] != time_s[1]);
        with_runs(cg, pairs[i][0], pairs[i][1]);
        answered(cg, query);
        assert_close(cg->out.time_s, (time_s[0] + time_s[1]) / 2, 1e-15);
        assert_close(cg->spread.box.maximum, fmax(time_s[0], time_s[1]), 0);
    }
}

static double waits(struct cg_fixture *cg, const char *query, const char *run)
{
    char whole[200];

    snprintf(whole, sizeof whole, "nodes=2&processes_per_node=1&local_grid=4x4x4&iterations=2&%s",
             query);
    with_runs(cg, run, NULL);
    answered(cg, whole);
    return output(cg, "synchronization_each_s");
}

WITH_MACHINE(an_allreduce_waits_for_the_slowest_process)
{
    static const char total[] =
        "{'computation': {'total_s': [[1e-3, 3e-3], [1e-3, 5e-3], [1e-3, 9e-3]]}}";
    static const char summary[] =
        "{'computation': {'summary': {'median_s': 1e-3, 'first_quartile_s': 9e-4,"
        " 'slowest_median_s': 4e-3, 'slowest_first_quartile_s': 1.5e-3}}}";
    static const char backwards[] =
        "{'computation': {'summary': {'median_s': 1e-3, 'first_quartile_s': 9e-4,"
        " 'slowest_median_s': 5e-4, 'slowest_first_quartile_s': 4e-4}}}";

    /* median of the slowest 5, of all 2; two allreduces share it in pcg */
    assert_close(waits(cg, "solver=pcg", total), 1.5e-3, 1e-12);
    assert_close(waits(cg, "solver=sapcg", total), 3e-3, 1e-12);
    /* first quartiles: 4 and 1 */
    assert_close(waits(cg, "solver=pipecg", total), 3e-3, 1e-12);
    /* rows 0 and 1 are added: the slowest takes 8, the quartile of 2 and 8 is 3.5 */
    assert_close(waits(cg, "solver=pipe2cg", total), 4.5e-3, 1e-12);
    assert_close(waits(cg, "solver=sapcg", summary), 3e-3, 1e-12);
    assert_close(waits(cg, "solver=nbpcg", summary), 3e-4, 1e-12);
    assert_close(waits(cg, "solver=pipe2cg", summary), 1.2e-3, 1e-12);
    assert_close(waits(cg, "solver=pcg", backwards), 0, 0);
    assert_close(waits(cg, "solver=sapcg&penalties=max_rate:hops", total), 0, 0);
    assert_false(has_warning(&cg->out, FR_WARN_SYNCHRONIZATION, NULL));
    assert_close(waits(cg, "solver=sapcg&penalties=max_rate:hops", NULL), 0, 0);
    assert_false(has_warning(&cg->out, FR_WARN_SYNCHRONIZATION, NULL));
}

WITH_MACHINE(wait_fraction_is_a_share_of_the_computation)
{
    static const char run[] = "{'computation': {'summary': {'median_s': 1e-3, 'first_quartile_s': "
                              "9e-4, 'slowest_median_s': 4e-3, 'slowest_first_quartile_s': "
                              "1.5e-3}}}";
    static const double first_quartile = 0.287682072451780927 / 0.693147180559945309;
    double wait_s;

    assert_close(waits(cg, "solver=pcg&wait_fraction=0.5", run), 0.25e-3, 1e-12);
    assert_close(waits(cg, "solver=sapcg&wait_fraction=0.5", run), 0.5e-3, 1e-12);
    assert_close(waits(cg, "solver=nbpcg&wait_fraction=0.5", run), first_quartile * 0.25e-3, 1e-12);
    assert_close(waits(cg, "solver=pipecg&wait_fraction=2", run), first_quartile * 2e-3, 1e-12);
    assert_close(waits(cg, "solver=pipe2cg&wait_fraction=0.5", run), first_quartile * 1e-3, 1e-12);
    /* one iteration tells nothing of the pairs, which are not asked for then */
    assert_close(waits(cg, "solver=pipe2cg&wait_fraction=0.5",
                       "{'computation': {'total_s': [[1e-3, 3e-3]]}}"),
                 first_quartile * 2e-3, 1e-12);
    assert_close(waits(cg, "wait_fraction=0.5&penalties=hops", run), 0, 0);
    assert_close(waits(cg, "wait_fraction=0", run), 0, 0);

    wait_s = waits(cg, "solver=sapcg&wait_fraction=0.5", NULL);
    assert_close(wait_s, 0.5 * output(cg, "step.computation_s"), 1e-12);
    assert_false(has_warning(&cg->out, FR_WARN_SYNCHRONIZATION, NULL));
    answered(cg, "nodes=1&processes_per_node=1&local_grid=4x4x4&iterations=2&wait_fraction=1");
    assert_close(output(cg, "synchronization_each_s"), 0, 0);
}
