/* cnc_matmul beyond the golden cases: the published performance, refusals, properties. */
#include "question.h"

#include <stdio.h>

/* The cluster of the paper, with the kernel rate that the shipped set assumes. */
static const char paper[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'paper', 'node': {'cores_per_node': 8},"
    " 'cnc': {'intra_node_bandwidth_bytes_per_s': 2.5e10,"
    " 'inter_node_bandwidth_bytes_per_s': 1.25e9, 'peak_flops_per_core_per_s': 1.92e10,"
    " 'step_kernel': [{'block_size': 200, 'rate_flops_per_s': 4.4e9}]}}";

struct place {
    struct fr_arena *arena;
    const struct fr_calibration *cal;
};

static int open_place(void **state)
{
    static struct place place;

    place.arena = fr_arena_new(1 << 24);
    place.cal = calibration_of(paper, place.arena);
    *state = &place;
    return 0;
}

static int close_place(void **state)
{
    fr_arena_free(((struct place *)*state)->arena);
    return 0;
}

static double ask_for(const struct place *place, const char *query, const char *output)
{
    const struct fr_prediction out = predicted("cnc_matmul", query, place->cal);

    return output_of("cnc_matmul", output, &out);
}

/* Section V.C: 60 to 70 Gflop/s on 16 ranks and 130 to 140 on 32, both algorithms. */
static void the_published_performance_is_met(void **state)
{
    static const char *const algorithms[] = { "cannon", "johnson" };

    for (size_t i = 0; i < 2; i++) {
        char query[120];
        double gflops;

        snprintf(query, sizeof query, "algorithm=%s&n=2000&block_size=200&processes=16",
                 algorithms[i]);
        gflops = ask_for(*state, query, "gflops");
        assert_true(gflops > 60 && gflops < 70);
        snprintf(query, sizeof query, "algorithm=%s&n=2000&block_size=200&processes=32",
                 algorithms[i]);
        gflops = ask_for(*state, query, "gflops");
        assert_true(gflops > 130 && gflops < 140);
    }
}

/* Section VI: a kernel four times as fast leaves Cannon bound by bandwidth, except on one rank. */
static void a_faster_kernel_meets_the_bandwidth(void **state)
{
    struct fr_prediction out = predicted(
        "cnc_matmul", "algorithm=cannon&n=2000&block_size=200&processes=16&kernel_speedup=4",
        ((struct place *)*state)->cal);

    assert_string_equal(out.text, "bandwidth");
    assert_close(out.gflops, 80.6558, 1e-5);
    out = predicted("cnc_matmul",
                    "algorithm=cannon&n=2000&block_size=200&processes=1&kernel_speedup=4",
                    ((struct place *)*state)->cal);
    assert_string_equal(out.text, "compute");
}

static void a_given_step_time_stands_in_for_the_table(void **state)
{
    static const char query[] = "algorithm=cannon&n=2000&block_size=250&processes=4&"
                                "step_time_s=0.01&kernel_speedup=2";
    const struct fr_prediction out = predicted("cnc_matmul", query, ((struct place *)*state)->cal);

    assert_close(output_of("cnc_matmul", "step_time_s", &out), 0.005, 1e-15);
    assert_int_equal(out.warning_count, 1); /* unstated sources; nothing is extrapolated */
}

static void cores_and_nodes_may_stand_for_processes(void **state)
{
    assert_close(ask_for(*state, "algorithm=cannon&n=2000&block_size=200&nodes=2", "processes"), 16,
                 0);
    assert_close(ask_for(*state, "algorithm=cannon&n=2000&block_size=200&cores=12", "nodes"), 2, 0);
}

static void what_cannot_be_is_refused_with_the_remedy(void **state)
{
    const struct fr_calibration *cal = ((struct place *)*state)->cal;
    struct fr_faults faults =
        refused("cnc_matmul", "algorithm=cannon&n=2000&block_size=300&processes=4", cal);

    assert_fault(&faults, FR_RELATION, "block_size", "250");
    faults = refused("cnc_matmul",
                     "algorithm=cannon&n=2000&block_size=200&processes=4&composition=min", cal);
    assert_fault(&faults, FR_CHOICE, "composition", "max, sum");
    faults =
        refused("cnc_matmul", "algorithm=cannon&n=2000&block_size=200&processes=4&nodes=1", cal);
    assert_fault(&faults, FR_RELATION, "nodes", "processes");
}

static void what_is_missing_is_named(void **state)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    const struct fr_calibration *cal = calibration_of(
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'node': {'cores_per_node': 8},"
        " 'cnc': {'intra_node_bandwidth_bytes_per_s': 1e9}}",
        arena);
    const struct fr_faults faults =
        refused("cnc_matmul", "algorithm=cannon&n=10&block_size=5&processes=4", cal);

    (void)state;
    assert_int_equal(faults.count, 2);
    assert_fault(&faults, FR_GROUP_MISSING, "calibration", "inter_node_bandwidth");
    fr_arena_free(arena);
}

/* Divisors of n, as many blocks as make sense. */
static void the_best_block_size_is_found_by_ranking(void **state)
{
    const struct place *place = *state;
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    const struct fr_model *model =
        ask("cnc_matmul", "n=2400&processes=16", place->arena, &values, &faults);

    assert_int_equal(fr_rank(model, values, NULL, place->cal, FR_MEMORY_LIMIT, 100, place->arena,
                             &ranking, &faults),
                     FR_OK);
    assert_int_equal(ranking.legal, 2 * 20); /* 20 divisors of 2400 are at most 64 */
    for (size_t i = 1; i < ranking.count; i++)
        assert_true(ranking.row[i].prediction.time_s >= ranking.row[i - 1].prediction.time_s);
}

static void bounds_hold_and_a_faster_kernel_is_never_slower(void **state)
{
    uint64_t random = 9;

    for (int i = 0; i < 2000; i++) {
        const int64_t block = random_between(&random, 1, 300), b = random_between(&random, 1, 30);
        const int64_t p = random_between(&random, 1, 64);
        char query[200], faster[230];
        struct fr_prediction out, fast;

        snprintf(query, sizeof query, "algorithm=%s&n=%lld&block_size=%lld&processes=%lld",
                 i % 2 ? "cannon" : "johnson", (long long)(block * b), (long long)block,
                 (long long)p);
        snprintf(faster, sizeof faster, "%s&kernel_speedup=2", query);
        out = predicted("cnc_matmul", query, ((struct place *)*state)->cal);
        fast = predicted("cnc_matmul", faster, ((struct place *)*state)->cal);
        assert_true(fast.time_s <= out.time_s * (1 + 1e-12));
        assert_true(out.time_s <= output_of("cnc_matmul", "time_sum_s", &out) * (1 + 1e-12));
        assert_true(out.gflops <=
                    output_of("cnc_matmul", "compute_bound_gflops", &out) * (1 + 1e-12));
        assert_int_equal(out.phase_count, 3);
        assert_close(out.computation_s + out.communication_s - out.hidden_s, out.time_s, 1e-12);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_performance_is_met),
        cmocka_unit_test(a_faster_kernel_meets_the_bandwidth),
        cmocka_unit_test(a_given_step_time_stands_in_for_the_table),
        cmocka_unit_test(cores_and_nodes_may_stand_for_processes),
        cmocka_unit_test(what_cannot_be_is_refused_with_the_remedy),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(the_best_block_size_is_found_by_ranking),
        cmocka_unit_test(bounds_hold_and_a_faster_kernel_is_never_slower),
    };

    return cmocka_run_group_tests(tests, open_place, close_place);
}
