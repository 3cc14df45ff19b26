/* What the calibrator makes of measured times of a network, and of the options for them. */
#include "tests/unit/support/check.h"

#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/plan.h"
#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/network/networking.h"
#include "calibrations/calibrate/network/sizes.h"

TEST(grids_are_layers_of_squares)
{
    struct fr_networking networking = { 0 };

    assert_int_equal(fr_networking_grids("16,64:4,2:2", &networking), 0);
    assert_int_equal(networking.grids, 3);
    assert_int_equal(fr_grid_side(networking.grid[0]), 4);
    assert_int_equal(networking.grid[1].layers, 4);
    assert_int_equal(fr_grid_side(networking.grid[1]), 4);
    assert_int_equal(fr_grid_side(networking.grid[2]), 1);
}

TEST(other_grids_are_refused)
{
    static const char *const bad[] = { "",          "8",          "16,",   "16:3", "16,16",
                                       "64:4,64:4", "16:0",       "1e6:1", "x",    "-4",
                                       "16 ",       "9999999999", "65:65" };
    struct fr_networking networking;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        networking.grids = 0;
        assert_int_equal(fr_networking_grids(bad[i], &networking), -1);
        assert_int_equal(networking.grids, 0);
    }
}

TEST(grids_not_asked_for_have_layers_too)
{
    static const struct fr_grid_shape of_64[] = { { 64, 1 }, { 64, 4 }, { 50, 2 }, { 32, 2 },
                                                  { 16, 1 }, { 8, 2 },  { 4, 1 } };
    const struct fr_networking networking = { 0 };
    struct fr_grid_shape shape[FR_GRIDS_MAX];

    assert_int_equal(fr_networking_shapes(&networking, 3, shape), 0);
    assert_int_equal(fr_networking_shapes(&networking, 7, shape), 1);
    assert_int_equal(fr_networking_shapes(&networking, 64, shape), 7);
    for (int i = 0; i < 7; i++) {
        assert_int_equal(shape[i].processes, of_64[i].processes);
        assert_int_equal(shape[i].layers, of_64[i].layers);
    }
}

static bool has_grid(int processes, struct fr_grid_shape wanted)
{
    const struct fr_networking networking = { 0 };
    struct fr_grid_shape shape[FR_GRIDS_MAX];
    const int count = fr_networking_shapes(&networking, processes, shape);

    for (int i = 0; i < count; i++)
        if (shape[i].processes == wanted.processes && shape[i].layers == wanted.layers)
            return true;
    return false;
}

TEST(the_whole_job_is_a_grid_where_it_can_be)
{
    assert_true(has_grid(144, (struct fr_grid_shape){ 144, 1 }));
    assert_true(has_grid(144, (struct fr_grid_shape){ 144, 4 }));
    assert_true(has_grid(108, (struct fr_grid_shape){ 108, 3 }));
    assert_true(has_grid(200, (struct fr_grid_shape){ 196, 1 })); /* the largest square */
    assert_true(has_grid(200, (struct fr_grid_shape){ 200, 2 }));
    assert_false(has_grid(16, (struct fr_grid_shape){ 16, 4 })); /* more layers than models take */
}

TEST(all_grids_of_the_largest_jobs_fit)
{
    const struct fr_networking networking = { 0 };
    struct fr_grid_shape shape[FR_GRIDS_MAX];
    const int count = fr_networking_shapes(&networking, INT32_MAX, shape);

    assert_in_range(count, 50, FR_GRIDS_MAX - 1);
    for (int i = 1; i < count; i++)
        assert_true(shape[i].processes <= shape[i - 1].processes);
}

TEST(sizes_are_spaced_evenly)
{
    struct fr_list sizes;

    fr_value_spaced(512, 16 << 20, 9, &sizes);
    assert_int_equal(sizes.count, 9);
    assert_int_equal(sizes.value[0], 512);
    assert_int_equal(sizes.value[8], 16 << 20);
    for (int i = 1; i < 9; i++) {
        assert_int_equal(sizes.value[i] % 8, 0);
        assert_close((double)sizes.value[i] / (double)sizes.value[i - 1], 3.668, 0.01);
    }
    fr_value_cut(&sizes, 4096);
    assert_int_equal(sizes.count, 2);
    assert_true(fr_value_largest(&sizes) <= 4096);
}

static bool has_size(const struct fr_list *list, int64_t size)
{
    for (int i = 0; i < list->count; i++)
        if (list->value[i] == size)
            return true;
    return false;
}

TEST(both_sides_of_each_limit_are_measured)
{
    /* 8192 may be a limit of the library; between 60000 and 61000 is no power of two. */
    const struct fr_protocols protocols = { .count = 3,
                                            .limit_bytes = { 8160, 60001, HUGE_VAL },
                                            .beyond_bytes = { 8300, 61000, HUGE_VAL } };
    static const int64_t wanted[] = {
        512, 8128, 8160, 8192, 8200, 8304, 30000, 60000, 61000, 100000
    };
    struct fr_list sizes = { 6, { 512, 7000, 9000, 30000, 65536, 100000 } };
    double around[FR_SIZES_AT_POWER];

    assert_int_equal(fr_sizes_at_power(&protocols, 0, around), 3);
    assert_close(around[1], 8192, 0);
    assert_int_equal(fr_sizes_at_power(&protocols, 1, around), 0);
    fr_sizes_add_limits(&protocols, 100000, &sizes);
    assert_int_equal(sizes.count, 10);
    for (int i = 0; i < 10; i++)
        assert_int_equal(sizes.value[i], wanted[i]);
}

TEST(sizes_beside_limits_end_with_the_longest)
{
    const struct fr_protocols protocols = { .count = 2,
                                            .limit_bytes = { 4096, HUGE_VAL },
                                            .beyond_bytes = { 4104, HUGE_VAL } };
    const struct fr_protocols one = { .count = 1, .limit_bytes = { HUGE_VAL } };
    struct fr_list sizes = { 2, { 64, 4096 } };

    fr_sizes_add_limits(&one, 4096, &sizes);
    assert_int_equal(sizes.count, 2);
    fr_sizes_add_limits(&protocols, 4096, &sizes);
    assert_int_equal(sizes.count, 3);
    assert_true(has_size(&sizes, 4032) && has_size(&sizes, 4096) && !has_size(&sizes, 4104));
}

static struct fr_plan planned(void)
{
    struct fr_plan plan = { .all = { 1e-6, 1e-9 } };

    fr_plan_add(&plan, "patterns of 4", 4, 1, 10, 1);
    fr_plan_add(&plan, "patterns of 16", 16, 1, 10, 2);
    fr_plan_add(&plan, "patterns of 16:2", 16, 2, 10, 4);
    fr_plan_add(&plan, "patterns of 8", 8, 1, 10, 8);
    return plan;
}

TEST(what_tells_more_has_its_time_reserved)
{
    struct fr_plan plan = planned();

    assert_true(fr_plan_fits(&plan, 1, 2)); /* the whole job needs its own time only */
    assert_false(fr_plan_fits(&plan, 1, 1.9));
    assert_true(fr_plan_fits(&plan, 2, 6)); /* its layers need that of one layer, too */
    assert_false(fr_plan_fits(&plan, 2, 5));
    assert_true(fr_plan_fits(&plan, 3, 14));
    assert_false(fr_plan_fits(&plan, 0, 14));
    assert_true(fr_plan_fits(&plan, 0, 15));
    plan.item[1].is_over = plan.item[2].is_over = plan.item[3].is_over = true;
    assert_true(fr_plan_fits(&plan, 0, 1));
}

TEST(expected_times_follow_the_measured_ones)
{
    struct fr_plan plan = planned();

    assert_close(fr_plan_expected_s(&plan, 3), 8, 1e-12);
    plan.expected_s = 2;
    plan.spent_s = 6;
    assert_close(fr_plan_expected_s(&plan, 3), 24, 1e-12);
    /* 8 messages of 1000 bytes, and three times four rounds of empty ones. */
    assert_close(fr_plan_operation_s(&plan, 16, 8, 1000), 8 * 2e-6 + 12 * 1e-6, 1e-12);
    assert_int_equal(fr_plan_find(&plan, "patterns of 8"), 3);
    assert_int_equal(fr_plan_find(&plan, "patterns of 7"), -1);
}

TEST(links_of_a_torus_go_the_short_way)
{
    struct fr_links torus;
    double links[FR_LINK_CLASSES];

    assert_int_equal(fr_links_parse("torus:4x3x2:2", &torus), 0);
    assert_int_equal(fr_links_between(&torus, 0, 1, links), 0); /* on one router */
    assert_close(links[0] + links[1] + links[2], 0, 0);
    /* Routers 0 = (0,0,0) and 23 = (3,2,1): one step each, twice round the end. */
    assert_int_equal(fr_links_between(&torus, 0, 46, links), 0);
    for (int d = 0; d < 3; d++)
        assert_close(links[d], 1, 0);
    assert_int_equal(fr_links_between(&torus, 0, 4, links), 0); /* (2,0,0) */
    assert_close(links[0], 2, 0);
    assert_int_equal(fr_links_between(&torus, 0, 48, links), -1);
    assert_int_equal(fr_links_between(&torus, -1, 0, links), -1);
}

TEST(links_of_a_dragonfly_are_of_three_kinds)
{
    struct fr_links dragonfly;
    double links[FR_LINK_CLASSES];

    assert_int_equal(fr_links_parse("dragonfly:3x4:2", &dragonfly), 0);
    assert_int_equal(fr_links_between(&dragonfly, 0, 7, links), 0); /* router 3 of the chassis */
    assert_close(links[0], 1, 0);
    assert_close(links[1], 0, 0);
    assert_int_equal(fr_links_between(&dragonfly, 0, 8, links), 0); /* router 0 of the next */
    assert_close(links[0], 0, 0);
    assert_close(links[1], 1, 0);
    assert_int_equal(fr_links_between(&dragonfly, 0, 24, links), 0); /* the next group */
    assert_close(links[0], 0.75, 0);
    assert_close(links[2], 1, 0);
}

TEST(other_topologies_are_refused)
{
    static const char *const bad[] = { "torus",      "torus:",       "torus:0x2", "torus:2x2x2x2",
                                       "torus:4x4:", "mesh",         "uniform:2", "dragonfly:3:2",
                                       "torus:4,4",  "torus:4x4:2x2" };
    struct fr_links links;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(fr_links_parse(bad[i], &links), -1);
}

/* Latencies of 100, 200 and 300 ns by dimension are found again from 20 routes. */
TEST(latencies_of_links_are_found_again)
{
    const double link_s[] = { 1e-7, 2e-7, 3e-7 };
    struct fr_equation equation[20] = { 0 };
    double constant[FR_CONSTANTS], error, links[FR_LINK_CLASSES];
    struct fr_links torus;

    fr_links_parse("torus:4x4x4", &torus);
    for (int i = 0; i < 20; i++) {
        fr_links_between(&torus, 0, 1 + 3 * i, links);
        equation[i].amount[0] = 1;
        equation[i].time_s = 1e-6;
        for (int d = 0; d < 3; d++) {
            equation[i].amount[1 + d] = links[d];
            equation[i].time_s += links[d] * link_s[d];
        }
    }
    fr_nonnegative_fit(equation, 20, constant, &error);
    assert_close(constant[0], 1e-6, 1e-9);
    for (int d = 0; d < 3; d++)
        assert_close(constant[1 + d], link_s[d], 1e-9);
}

static struct fr_broadcast_time timed(double bytes, double own_s)
{
    const struct fr_broadcast_time time = {
        bytes, own_s, { 1e-6 + 4e-9 * bytes, 6e-6 + 2e-9 * bytes, 2e-5 + 1.8e-9 * bytes }
    };

    return time;
}

/* A binomial tree up to 4096 bytes, scatter and ring from 1 MiB on, between them the other. */
TEST(the_nearest_algorithm_is_named)
{
    struct fr_broadcast_time times[8];
    struct fr_broadcast_choice rows[FR_CLASSIFY_SIZES];
    double error;

    for (int i = 0; i < 8; i++) {
        const double bytes = 64 * pow(8, i);

        times[i] = timed(bytes, 0);
        times[i].own_s = 1.01 * times[i].algorithm_s[bytes <= 4096 ? 0 : bytes < 1 << 20 ? 1 : 2];
    }
    assert_int_equal(fr_classify_broadcast(times, 8, 3, rows, &error), 3);
    assert_int_equal(rows[0].algorithm, 0);
    assert_close(rows[0].max_message_bytes, 4096, 0);
    assert_int_equal(rows[1].algorithm, 1);
    assert_close(rows[1].max_message_bytes, 262144, 0);
    assert_int_equal(rows[2].algorithm, 2);
    assert_true(isinf(rows[2].max_message_bytes));
    assert_close(error, 1 - 1 / 1.01, 1e-9);
}

TEST(one_size_that_disagrees_is_noise)
{
    struct fr_broadcast_time times[3];
    struct fr_broadcast_choice rows[FR_CLASSIFY_SIZES];
    double error;

    for (int i = 0; i < 3; i++) {
        times[i] = timed(1 << (16 + i), 0);
        times[i].own_s = times[i].algorithm_s[i == 1 ? 0 : 1];
    }
    assert_int_equal(fr_classify_broadcast(times, 3, 3, rows, &error), 1);
    assert_int_equal(rows[0].algorithm, 1);
}

TEST(values_settle_where_all_further_ones_agree)
{
    static const double factors[] = { 1, 2, 1.2, 1.9, 2.05, 2 };

    assert_int_equal(fr_sample_settled(factors, 6, 0.1), 3);
    assert_int_equal(fr_sample_settled(factors, 6, 0.01), 5);
    assert_int_equal(fr_sample_settled(factors, 1, 0.1), 0);
}

/* As simulated MPIs have it: a size just below a limit that is charged neither way. */
TEST(an_odd_size_at_a_limit_is_no_protocol)
{
    static const bool has[FR_PATHS] = { true, false };
    struct fr_protocols fit;
    struct fr_ping pings[FR_PINGS_MAX];
    struct fr_list sizes;

    fr_value_ladder(8, 1 << 20, &sizes);
    for (int i = 0; i < sizes.count; i++) {
        const double bytes = (double)sizes.value[i];

        pings[i].message_bytes = bytes;
        pings[i].time_s[FR_OFF_NODE] = bytes < 2048    ? 1.2e-6 + 6.667e-10 * bytes
                                       : bytes == 2048 ? 2.31e-6
                                                       : 2.3e-6 + 4.76e-10 * bytes;
    }
    assert_int_equal(fr_protocol_fit(pings, sizes.count, has, &fit), 0);
    assert_int_equal(fit.count, 2);
    assert_true(fit.limit_bytes[0] == 1536 || fit.limit_bytes[0] == 2048);
    assert_true(fit.beyond_bytes[0] == (fit.limit_bytes[0] == 1536 ? 2048 : 3072));
    assert_true(isinf(fit.beyond_bytes[1]));
    assert_close(fit.line[0][FR_OFF_NODE].latency_s, 1.2e-6, 1e-2);
    assert_close(fit.line[0][FR_OFF_NODE].inverse_bandwidth_s_per_byte, 6.667e-10, 1e-2);
    assert_close(fit.line[1][FR_OFF_NODE].latency_s, 2.3e-6, 1e-2);
}

/* Half round trips on a virtual machine with Open MPI, by the ladder of sizes: the messages of one
 * protocol leave the noise together, and are no outliers. */
TEST(a_rendezvous_is_found_on_a_node_of_curved_times)
{
    static const double time_us[] = {
        0.4253, 0.4417, 0.4452, 0.5125, 0.5164, 0.5158, 0.5102, 0.5191, 0.5188,    0.5216,
        0.5291, 0.5292, 0.5566, 0.9503, 0.9431, 0.9619, 1.015,  1.125,  1.417,     1.154,
        4.158,  4.27,   4.4,    4.595,  4.711,  4.989,  5.266,  5.74,   6.289,     7.3,
        8.263,  10.21,  12.3,   16.74,  22.73,  36.27,  47.61,  69.77,  92.5,      157.5,
        208.2,  370.4,  624.7,  1177,   1756,   3329,   4626,   7606,   1.091e+04,
    };
    static const bool on_node_only[FR_PATHS] = { [FR_ON_NODE] = true };
    struct fr_protocols fit;
    struct fr_ping pings[FR_PINGS_MAX] = { { .message_bytes = 0 }, { .message_bytes = 1 } };
    struct fr_list sizes;
    const int count = sizeof time_us / sizeof *time_us;

    fr_value_ladder(8, 1 << 26, &sizes);
    assert_int_equal(sizes.count + 2, count);
    for (int i = 0; i < count; i++) {
        pings[i].message_bytes = i < 2 ? i : (double)sizes.value[i - 2];
        pings[i].time_s[FR_ON_NODE] = 1e-6 * time_us[i];
    }
    assert_int_equal(fr_protocol_fit(pings, count, on_node_only, &fit), 0);
    for (int i = 0; i < count; i++)
        if (pings[i].message_bytes >= 4096 && pings[i].message_bytes <= 1 << 20)
            assert_close(fr_protocol_time_s(&fit, FR_ON_NODE, pings[i].message_bytes),
                         pings[i].time_s[FR_ON_NODE], 0.1);
}
