/* cnc_matmul beyond the golden cases: the published numbers with the shipped calibration, refusals,
 * what-ifs and properties. */
#include "tests/unit/support/draws.h"
#include "tests/unit/support/question.h"

#include "server/calibrations/document.h"

#include <jansson.h>
#include <stdio.h>

struct place {
    struct fr_arena *arena;
    const struct fr_calibration *cal; /* the shipped calibration of the paper's cluster */
};

static int open_place(void **state)
{
    static struct place place;
    json_t *document = json_load_file("calibrations/sets/osu-e5630.json", 0, NULL);
    struct fr_calibration *cal;
    struct fr_faults faults = { 0 };
    char id[17];

    assert_non_null(document);
    place.arena = fr_arena_new(1 << 24);
    cal = fr_arena_zeroed(place.arena, 1, sizeof *cal);
    assert_int_equal(fr_calibration_decode(document, place.arena, cal, id, &faults), FR_OK);
    json_decref(document);
    place.cal = cal;
    *state = &place;
    return 0;
}

static double ask_for(const struct place *place, const char *query, const char *output)
{
    const struct fr_prediction out = predicted("cnc_matmul", query, place->cal);

    return output_of("cnc_matmul", output, &out);
}

/* docs/models/cnc.md#worked-example */
TEST(the_worked_examples_hold)
{
    static const struct {
        const char *query;
        double computation_s, communication_s, time_s, gflops;
    } examples[] = {
        { "algorithm=cannon&n=2000&block_size=200&processes=16", 0.2290909, 0.1983744, 0.2290909,
          69.841 },
        { "algorithm=cannon&n=2000&block_size=200&processes=16&composition=sum", 0.2290909,
          0.1983744, 0.4274653, 37.430 },
        { "algorithm=cannon&n=2000&block_size=200&processes=32", 0.1163636, 0.1007616, 0.1163636,
          137.5 },
        { "algorithm=cannon&n=2000&block_size=400&processes=32", 0.1454545, 0.062976, 0.1454545,
          110 },
        { "algorithm=johnson&n=2000&block_size=200&processes=16", 0.2290909, 0.1096704, 0.2290909,
          69.841 },
        { "algorithm=cannon&n=2000&block_size=200&processes=16&kernel_speedup=4", 0.0572727,
          0.1983744, 0.1983744, 80.656 },
    };

    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const struct fr_prediction out =
            predicted("cnc_matmul", examples[i].query, ((struct place *)*state)->cal);

        assert_close(out.computation_s, examples[i].computation_s, 1e-6);
        assert_close(out.communication_s, examples[i].communication_s, 1e-6);
        assert_close(out.time_s, examples[i].time_s, 1e-6);
        assert_close(out.gflops, examples[i].gflops, 1e-5);
        /* The kernel is measured for blocks of 200 only. */
        assert_int_equal(has_warning(&out, FR_WARN_EXTRAPOLATED, "cnc.step_kernel"),
                         strstr(examples[i].query, "block_size=400") != NULL);
    }
}

/* Section V.C: 60 to 70 Gflop/s on 16 ranks and 130 to 140 on 32, with the same kernel rate. */
static bool is_as_published(const struct place *place, const char *algorithm, double rate_gflops)
{
    double gflops[2];

    for (int i = 0; i < 2; i++) {
        char query[120];

        snprintf(query, sizeof query,
                 "algorithm=%s&n=2000&block_size=200&processes=%d&kernel_speedup=%.17g", algorithm,
                 i ? 32 : 16, rate_gflops / 4.4);
        gflops[i] = ask_for(place, query, "gflops");
    }
    return gflops[0] >= 60 && gflops[0] <= 70 && gflops[1] >= 130 && gflops[1] <= 140;
}

/* The shipped rate is fitted; this checks the range that its source states
 * (docs/models/cnc.md#decision-the-maximum-is-the-default). */
TEST(the_published_performance_is_met)
{
    static const char *const algorithms[] = { "cannon", "johnson" };

    for (size_t i = 0; i < 2; i++) {
        assert_true(is_as_published(*state, algorithms[i], 4.4));
        assert_true(is_as_published(*state, algorithms[i], 4.17));
        assert_false(is_as_published(*state, algorithms[i], 4.15));
        assert_false(is_as_published(*state, algorithms[i], 4.42));
    }
}

/* Section VI: the runs that are bound by bandwidth with a kernel four times as fast
 * (docs/models/cnc.md#validity-and-known-errors). */
TEST(a_faster_kernel_meets_the_bandwidth)
{
    static const struct {
        const char *algorithm;
        int n, block_size, processes;
        double bandwidth_bound_gflops; /* NaN: not printed */
        const char *bottleneck;
    } runs[] = {
        { "cannon", 2000, 200, 1, NAN, "compute" },
        { "cannon", 2000, 200, 4, NAN, "compute" },
        { "cannon", 2000, 200, 8, NAN, "bandwidth" },
        { "cannon", 2000, 200, 16, 80.7, "bandwidth" },
        { "cannon", 2000, 200, 32, 158.8, "bandwidth" },
        { "cannon", 2000, 400, 8, NAN, "compute" },
        { "cannon", 2000, 400, 16, NAN, "bandwidth" },
        { "cannon", 2000, 400, 32, NAN, "bandwidth" },
        { "cannon", 8000, 800, 16, 323, "compute" },
        { "cannon", 8000, 800, 32, 635, "compute" },
        { "johnson", 2000, 200, 8, NAN, "compute" },
        { "johnson", 2000, 200, 16, 145.9, "bandwidth" },
        { "johnson", 2000, 200, 32, 287.2, "bandwidth" },
        { "johnson", 8000, 800, 16, 584, "compute" },
    };

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char query[120];
        struct fr_prediction out;

        snprintf(query, sizeof query,
                 "algorithm=%s&n=%d&block_size=%d&processes=%d&kernel_speedup=4", runs[i].algorithm,
                 runs[i].n, runs[i].block_size, runs[i].processes);
        out = predicted("cnc_matmul", query, ((struct place *)*state)->cal);
        if (strcmp(out.text, runs[i].bottleneck) != 0)
            fail_msg("%s: %s", query, out.text);
        if (!isnan(runs[i].bandwidth_bound_gflops))
            assert_close(output_of("cnc_matmul", "bandwidth_bound_gflops", &out),
                         runs[i].bandwidth_bound_gflops, 2e-3);
    }
}

#define CASE(name) TEST_OF(name, const struct place *place, NULL, NULL)

CASE(a_given_step_time_stands_in_for_the_table)
{
    static const char query[] = "algorithm=cannon&n=2000&block_size=250&processes=4&"
                                "step_time_s=0.01&kernel_speedup=2";
    struct fr_prediction out = predicted("cnc_matmul", query, place->cal);

    assert_close(output_of("cnc_matmul", "step_time_s", &out), 0.005, 1e-15);
    assert_int_equal(out.warning_count, 0); /* neither extrapolated nor assumed */
    out = predicted("cnc_matmul", "algorithm=cannon&n=2000&block_size=200&processes=4", place->cal);
    assert_true(has_warning(&out, FR_WARN_ASSUMED, NULL)); /* the fitted rate */
    assert_int_equal(out.warning_count, 1);
}

/* Rows in any order, with a rate or a time; the rates are 1e9 at 200, 3e9 at 400, 4e9 at 800. */
static const char unsorted[] =
    "{'schema': 'forerun-calibration-1', 'machine': 'm', 'node': {'cores_per_node': 8},"
    " 'cnc': {'intra_node_bandwidth_bytes_per_s': 1e9, 'inter_node_bandwidth_bytes_per_s': 1e9,"
    " 'step_kernel': [{'block_size': 800, 'rate_flops_per_s': 4e9},"
    " {'block_size': 200, 'time_s': 0.016}, {'block_size': 400, 'rate_flops_per_s': 3e9}]}}";

ARENA_TEST(rates_are_linear_between_sizes_and_constant_outside)
{
    static const struct {
        int block_size;
        double rate_flops_per_s;
        bool is_outside;
    } steps[] = {
        { 100, 1e9, true },     { 200, 1e9, false }, { 250, 1.5e9, false }, { 400, 3e9, false },
        { 500, 3.25e9, false }, { 800, 4e9, false }, { 1000, 4e9, true },
    };
    const struct fr_calibration *cal = calibration_of(unsorted, arena);

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const double b = steps[i].block_size;
        struct fr_prediction out;
        char query[100];

        snprintf(query, sizeof query, "algorithm=cannon&n=%d&block_size=%d&processes=1",
                 steps[i].block_size * 4, steps[i].block_size);
        out = predicted("cnc_matmul", query, cal);
        assert_close(2 * b * b * b / output_of("cnc_matmul", "step_time_s", &out),
                     steps[i].rate_flops_per_s, 1e-12);
        assert_int_equal(has_warning(&out, FR_WARN_EXTRAPOLATED, "cnc.step_kernel"),
                         steps[i].is_outside);
    }
}

/* Ratio of an output after a change to the output before it. */
static double gain(const struct fr_calibration *cal, const char *path, const char *value,
                   const char *output)
{
    static const char query[] = "algorithm=cannon&n=2400&block_size=200&processes=16";
    struct fr_arena *arena = fr_arena_new(1 << 20);
    const struct fr_change change = { path, value };
    struct fr_faults faults = { 0 };
    const struct fr_calibration *copy = fr_what_if(cal, &change, 1, arena, &faults);
    const struct fr_prediction before = predicted("cnc_matmul", query, cal);
    struct fr_prediction after;

    if (!copy)
        fail_msg("%s: %s", faults.fault[0].where, faults.fault[0].message);
    after = predicted("cnc_matmul", query, copy);
    fr_arena_free(arena);
    return output_of("cnc_matmul", output, &after) / output_of("cnc_matmul", output, &before);
}

CASE(every_calibrated_value_answers_a_what_if)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    const struct fr_calibration *timed = calibration_of(unsorted, arena);

    assert_close(gain(place->cal, "cnc.step_kernel", "*2", "computation_s"), 0.5, 1e-12);
    assert_close(gain(place->cal, "cnc.step_kernel.0.rate_flops_per_s", "8.8e9", "computation_s"),
                 0.5, 1e-12);
    assert_close(gain(timed, "cnc.step_kernel", "*2", "computation_s"), 0.5, 1e-12);
    assert_close(gain(timed, "cnc.step_kernel.1.time_s", "*2", "computation_s"), 2, 1e-12);
    assert_close(gain(place->cal, "cnc.inter_node_bandwidth_bytes_per_s", "*2", "inter_node_s"),
                 0.5, 1e-12);
    assert_close(gain(place->cal, "cnc.inter_node_bandwidth_bytes_per_s", "*2", "intra_node_s"), 1,
                 0);
    assert_close(gain(place->cal, "cnc.intra_node_bandwidth_bytes_per_s", "*2", "intra_node_s"),
                 0.5, 1e-12);
    assert_close(gain(place->cal, "cnc.volume_overhead.cannon", "1", "communication_s"), 1 / 1.5,
                 1e-12);
    assert_close(gain(place->cal, "cnc.peak_flops_per_core_per_s", "*2", "percent_of_peak"), 0.5,
                 1e-12);
    fr_arena_free(arena);
}

TEST(cores_and_nodes_may_stand_for_processes)
{
    assert_close(ask_for(*state, "algorithm=cannon&n=2000&block_size=200&nodes=2", "processes"), 16,
                 0);
    assert_close(ask_for(*state, "algorithm=cannon&n=2000&block_size=200&cores=12", "nodes"), 2, 0);
}

TEST(what_cannot_be_is_refused_with_the_remedy)
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

/* Faults of the block size and of the calibration are reported together. */
ARENA_TEST(what_is_missing_is_named)
{
    const struct fr_calibration *cal = calibration_of(
        "{'schema': 'forerun-calibration-1', 'machine': 'm', 'node': {'cores_per_node': 8},"
        " 'cnc': {'intra_node_bandwidth_bytes_per_s': 1e9}}",
        arena);
    struct fr_faults faults =
        refused("cnc_matmul", "algorithm=cannon&n=10&block_size=4&processes=16", cal);
    struct fr_prediction out;

    assert_int_equal(faults.count, 3);
    assert_fault(&faults, FR_GROUP_MISSING, "calibration", "inter_node_bandwidth");
    assert_fault(&faults, FR_RELATION, "block_size", "5");
    faults =
        refused("cnc_matmul", "algorithm=cannon&n=10&block_size=5&cores=16&step_time_s=1", cal);
    assert_int_equal(faults.count, 1); /* step_time_s replaces the table */
    out = predicted("cnc_matmul", "algorithm=cannon&n=10&block_size=5&nodes=1&step_time_s=1", cal);
    assert_close(out.time_s, 2, 1e-6); /* a node needs no other */
}

/* The candidates are the divisors of n with at most 64 blocks. */
CASE(the_best_block_size_is_found_by_ranking)
{
    struct fr_faults faults = { 0 };
    struct fr_ranking ranking;
    void *values;
    const struct fr_model *model =
        ask("cnc_matmul", "n=2400&processes=16", place->arena, &values, &faults);

    assert_int_equal(fr_rank(model, values, NULL, NULL, place->cal, FR_MEMORY_LIMIT, 100,
                             place->arena, &ranking, &faults),
                     FR_OK);
    assert_int_equal(ranking.legal, 2 * 20); /* 20 divisors of 2400 are at most 64 */
    for (size_t i = 1; i < ranking.count; i++)
        assert_true(ranking.row[i].prediction.time_s >= ranking.row[i - 1].prediction.time_s);
}

TEST(bounds_hold_and_a_faster_kernel_is_never_slower)
{
    uint64_t random = draws_from(9);

    for (int i = 0; i < draws_of(2000); i++) {
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
        assert_close(out.phase[1].hidden_s * out.phase[2].time_s,
                     out.phase[2].hidden_s * out.phase[1].time_s, 1e-12);
    }
}

GROUP(open_place, place_end)
