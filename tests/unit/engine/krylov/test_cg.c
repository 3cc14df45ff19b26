/* cg: the worked example (docs/models/krylov.md#worked-example), operation counts, sums, overlap,
 * refusals.  test_golden_krylov.c has the golden cases, test_cg_runs.c computation from runs. */
#include "tests/unit/support/cg_fixture.h"
#include "tests/unit/support/draws.h"

#include "server/calibrations/document.h"

#include <stdio.h>

static const char *const solvers[] = { "pcg", "sapcg", "nbpcg", "pipecg", "pipe2cg" };
enum { SOLVERS = 5 };

static void blue_waters(struct cg_fixture *cg)
{
    struct fr_calibration *cal = fr_arena_zeroed(cg->arena, 1, sizeof *cal);
    json_t *document = json_load_file("calibrations/sets/blue-waters.json", 0, NULL);
    char id[17];

    assert_non_null(document);
    cg->faults.count = 0;
    assert_int_equal(fr_calibration_decode(document, cg->arena, cal, id, &cg->faults), FR_OK);
    json_decref(document);
    cg->cal = cal;
    with_runs(cg,
              "{'local_grid': [16, 16, 16], 'process_grid': [32, 32, 16],"
              " 'on_node_grid': [4, 2, 2], 'allocation': [8, 8, 8],"
              " 'network_state': {'stalls_per_byte': 0.5}, 'computation': {'phases': {"
              "  'matvec_s': [[4.0e-4, 4.2e-4, 4.1e-4], [4.0e-4, 4.1e-4, 4.6e-4]],"
              "  'preconditioner_s': [[5.0e-4, 5.1e-4, 5.2e-4], [5.0e-4, 5.6e-4, 5.1e-4]],"
              "  'vector_s': [[1.3e-4, 1.3e-4, 1.3e-4], [1.3e-4, 1.3e-4, 1.4e-4]]}}}",
              NULL);
}

#define WITH_MACHINE(name) TEST_OF(name, struct cg_fixture *cg, cg_fixture_begin, cg_fixture_end)

WITH_MACHINE(worked_example_of_pcg)
{
    blue_waters(cg);
    answered(cg, "solver=pcg&nodes=1024&processes_per_node=16&local_grid=16x16x16&iterations=20");
    assert_close(output(cg, "phases.matvec_s"), 410e-6, 1e-12);
    assert_close(output(cg, "phases.preconditioner_s"), 510e-6, 1e-12);
    assert_close(output(cg, "phases.vector_s"), 130e-6, 1e-12);
    assert_close(output(cg, "halo.off_node_messages"), 19, 0);
    assert_close(output(cg, "halo.on_node_messages"), 7, 0);
    assert_close(output(cg, "halo.penalty_s"), 47.16186e-6, 1e-7);
    assert_close(output(cg, "halo.hidden_s"), 47.16186e-6, 1e-7);
    assert_close(output(cg, "halo.time_s"), 73.35908e-6, 1e-7);
    assert_close(output(cg, "initial.allreduce_s"), 65.45980e-6, 1e-7);
    assert_close(output(cg, "synchronization_each_s"), 29.42308e-6, 1e-6);
    assert_close(output(cg, "step.time_s"), 1313.12483e-6, 1e-8);
    assert_close(output(cg, "initial.time_s"), 644.88287e-6, 1e-8);
    assert_close(cg->out.time_s, 26.90738e-3, 1e-6);
    assert_close(cg->out.processes, 16384, 0);
    assert_int_equal(cg->out.warning_count, 0);
}

WITH_MACHINE(worked_example_of_pipecg)
{
    blue_waters(cg);
    answered(cg,
             "solver=pipecg&nodes=1024&processes_per_node=16&local_grid=16x16x16&iterations=20");
    assert_close(output(cg, "synchronization_each_s"), 35e-6, 1e-9);
    assert_close(output(cg, "step.time_s"), 1212.53652e-6, 1e-8);
    assert_close(output(cg, "initial.time_s"), 2202.10777e-6, 1e-8);
    assert_close(cg->out.time_s, 26.45284e-3, 1e-6);
}

/* Products, preconditioner applications, vector words and allreduces of a step and of the start
 * (docs/models/krylov.md#operations-of-a-solver). */
static const struct {
    double iterations, step[4], start[4];
} table[SOLVERS] = {
    { 1, { 1, 1, 13, 2 }, { 0, 1, 4, 1 } }, { 1, { 1, 1, 15, 1 }, { 2, 1, 8, 3 } },
    { 1, { 1, 1, 19, 2 }, { 1, 1, 6, 1 } }, { 1, { 1, 1, 28, 1 }, { 2, 2, 8, 2 } },
    { 2, { 2, 2, 36, 1 }, { 4, 4, 8, 3 } },
};

/* The phases take 1.5, 100 and 10000 µs, so that the sums show the counts. */
WITH_MACHINE(starts_and_steps_have_the_counts_of_the_table)
{
    with_runs(cg,
              "{'computation': {'phases': {'matvec_s': [[1e-6, 2e-6], [1e-6, 2e-6]],"
              " 'preconditioner_s': [[1e-4, 1e-4], [1e-4, 1e-4]],"
              " 'vector_s': [[1e-2, 1e-2], [1e-2, 1e-2]]}}}",
              NULL);
    for (size_t i = 0; i < SOLVERS; i++) {
        const double *step = table[i].step, *start = table[i].start;
        char query[200];
        double vector_s;

        snprintf(query, sizeof query,
                 "solver=%s&nodes=2&processes_per_node=4&local_grid=4x4x4&iterations=7",
                 solvers[i]);
        answered(cg, query);
        vector_s = 1e-2 * table[i].iterations;
        assert_close(output(cg, "steps"), ceil(7 / table[i].iterations), 0);
        assert_close(output(cg, "iterations_per_step"), table[i].iterations, 0);
        assert_close(output(cg, "step.computation_s"), step[0] * 1.5e-6 + step[1] * 1e-4 + vector_s,
                     1e-12);
        assert_close(output(cg, "initial.computation_s"),
                     start[0] * 1.5e-6 + start[1] * 1e-4 + vector_s * start[2] / step[2], 1e-12);
        assert_close(output(cg, "step.synchronization_s"),
                     step[3] * output(cg, "synchronization_each_s"), 1e-12);
        assert_close(output(cg, "initial.synchronization_s"),
                     start[3] * output(cg, "synchronization_each_s"), 1e-12);
        assert_close(output(cg, "step.halo_s"), step[0] * output(cg, "halo.time_s"), 1e-12);
    }
}

static void check_sums(const struct cg_fixture *cg, double iterations)
{
    const struct fr_prediction *out = &cg->out;
    const double per_step = output(cg, "iterations_per_step");
    double sum_s = 0;

    for (size_t i = 0; i < out->phase_count; i++)
        sum_s += out->phase[i].time_s - out->phase[i].hidden_s;
    assert_close(sum_s, out->time_s, 1e-12);
    assert_close(out->computation_s + out->communication_s - out->hidden_s, out->time_s, 1e-12);
    assert_close(output(cg, "initial.time_s") +
                     ceil(iterations / per_step) * per_step * output(cg, "iteration_s"),
                 out->time_s, 1e-12);
}

WITH_MACHINE(the_breakdown_adds_up_and_iterations_cost_time)
{
    static const char *const mappings[] = { "default", "node_aware" };
    uint64_t random = draws_from(42);

    for (int i = 0; i < draws_of(400); i++) {
        const int64_t iterations = random_between(&random, 1, 100);
        const int length = (int)random_between(&random, 1, 20);
        char query[300], more[330];
        double time_s;

        snprintf(query, sizeof query,
                 "solver=%s&mapping=%s&nodes=%d&processes_per_node=%d&local_grid=%dx%dx7"
                 "&stalls_per_byte=%g&matvec_overlap=%s",
                 solvers[i % SOLVERS], mappings[i / 7 % 2], (int)random_between(&random, 1, 12),
                 (int)random_between(&random, 1, 8), length, length + i % 3, random_share(&random),
                 i % 3 ? "true" : "false");
        snprintf(more, sizeof more, "%s&iterations=%d", query, (int)iterations);
        answered(cg, more);
        check_sums(cg, (double)iterations);
        time_s = cg->out.time_s;
        snprintf(more, sizeof more, "%s&iterations=%d", query, (int)iterations + 1);
        answered(cg, more);
        assert_true(cg->out.time_s >= time_s);
    }
}

/* Two runs, one of them without a slowest process: the median is the mean of both. */
WITH_MACHINE(the_breakdown_of_two_runs_adds_up)
{
    static const char query[] = "nodes=2&processes_per_node=4&local_grid=8x8x8&iterations=9";
    static const char even[] = "{'computation': {'total_s': [[1e-3, 1e-3]]}}";
    static const char uneven[] = "{'computation': {'total_s': [[1e-3, 2e-3]]}}";
    double times = 0;

    with_runs(cg, even, NULL);
    answered(cg, query);
    assert_null(phase_of(&cg->out, "synchronization"));
    times += cg->out.time_s;
    with_runs(cg, uneven, NULL);
    answered(cg, query);
    times += cg->out.time_s;
    with_runs(cg, even, uneven);
    answered(cg, query);
    assert_int_equal(cg->spread.runs, 2);
    assert_close(cg->out.time_s, times / 2, 1e-12);
    assert_non_null(phase_of(&cg->out, "synchronization"));
    check_sums(cg, 9);
}

WITH_MACHINE(a_matvec_hides_the_penalties_of_its_halo)
{
    static const char query[] =
        "nodes=27&processes_per_node=4&local_grid=20x20x20&iterations=1&stalls_per_byte=30";
    char blocking[200];
    double time_s;

    answered(cg, query);
    assert_true(output(cg, "halo.penalty_s") > 0);
    assert_close(output(cg, "halo.hidden_s"), output(cg, "halo.penalty_s"), 1e-12);
    time_s = cg->out.time_s;
    snprintf(blocking, sizeof blocking, "%s&matvec_overlap=false", query);
    answered(cg, blocking);
    assert_true(cg->out.time_s > time_s);
    snprintf(blocking, sizeof blocking, "%s&overlap=false", query);
    answered(cg, blocking);
    assert_close(cg->out.hidden_s, 0, 0);
}

static void refuses(struct cg_fixture *cg, const char *query, enum fr_code code, const char *where,
                    const char *words)
{
    assert_int_not_equal(answer(cg, query), FR_OK);
    check_fault(&cg->faults, code, where, words, __FILE__, __LINE__);
    assert_int_equal(cg->faults.count, 1);
}

WITH_MACHINE(impossible_requests_are_refused)
{
    static const char one_row[] = "{'computation': {'total_s': [[1e-3, 2e-3]]}}";
    static const char query[] =
        "solver=pipe2cg&nodes=2&processes_per_node=1&local_grid=4x4x4&iterations=2";
    struct fr_calibration cal = *cg->cal;
    char without[200];

    refuses(cg, "nodes=1&processes_per_node=1&local_grid=4x4&iterations=2", FR_RELATION,
            "local_grid", "2 extents");
    refuses(cg, "nodes=1&processes_per_node=1&iterations=2", FR_MISSING, "local_grid", "required");
    refuses(cg, "nodes=1&processes_per_node=1&local_grid=4x4x4&iterations=0", FR_RANGE,
            "iterations", "0");
    with_runs(cg, one_row, NULL);
    refuses(cg, query, FR_RELATION, "run", "two iterations");
    snprintf(without, sizeof without, "%s&penalties=hops", query);
    answered(cg, without);

    cg->cal = &cal;
    cal.memory.node_bandwidth_bytes_per_s = NAN;
    answered(cg, without);
    with_runs(cg, NULL, NULL);
    refuses(cg, query, FR_GROUP_MISSING, "calibration", "memory.node_bandwidth_bytes_per_s");
}
