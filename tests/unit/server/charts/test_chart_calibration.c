/* The charts of a calibration document. */
#include "server/charts/chart.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <stdlib.h>

/* A machine with round numbers. */
static const struct fr_calibration *round_machine(void)
{
    static struct fr_factor average[] = { { .distance = 1, .factor = 1 },
                                          { .distance = 4, .factor = 1.5 } };
    static struct fr_factor maximum[] = { { .processes = 64, .distance = 4, .factor = 3 },
                                          { .processes = 16, .distance = 1, .factor = 2 },
                                          { .processes = 64, .distance = 1, .factor = 2.5 } };
    static double times_s[] = { 1, 1.5, 3 };
    static struct fr_process_times process_times[] = { { 1, { times_s, 3 } } };
    static struct fr_protocol protocols[] = {
        { .name = "eager",
          .max_message_bytes = 8192,
          .off_node = { 1e-6, 1e-9 },
          .on_node = { NAN, NAN } },
        { .name = "rendezvous",
          .max_message_bytes = INFINITY,
          .off_node = { 4e-6, 1e-10 },
          .on_node = { NAN, NAN } },
    };
    static struct fr_square_rate rates[] = {
        { .threads = 1, .n = 1000, .efficiency_fraction = NAN, .time_s = 2 },
        { .threads = 1, .n = 100, .efficiency_fraction = 0.25, .time_s = NAN },
        { .threads = 4, .n = 1000, .efficiency_fraction = 0.75, .time_s = NAN },
    };
    static struct fr_calibration cal = {
        .machine = "round",
        .node = { .cores_per_node = 4, .peak_flops_per_s = 8e9 },
        .network.protocols = { protocols, 2 },
        .contention = { .average = { average, 2 },
                        .maximum = { maximum, 3 },
                        .process_times = { process_times, 1 } },
        .kernels.routine[FR_DGEMM].square = { rates, 3 },
    };

    return &cal;
}

static char *calibration_script(const char *name, const struct fr_calibration *cal)
{
    struct fr_arena *arena = fr_arena_new(1 << 20);
    struct fr_plot plot = plot_of(FR_GP);

    assert_true(drawn(calibration_chart(name), cal, arena, &plot));
    fr_arena_free(arena);
    return script_of(plot);
}

/* Routine models have separate tests. */
static bool is_of_routine_models(const struct fr_chart *chart)
{
    return chart->params != fr_chart_look_params;
}

TEST(kernels_are_fractions_of_the_peak)
{
    struct fr_calibration cal = *round_machine();
    char *script = calibration_script("kernels", &cal);

    assert_contains(script, "'Efficiency (fraction of a core''s peak)'");
    assert_contains(script, "100 0.25\n1000 0.5\n"); /* 2e9 flops in 2 s of a core of 2 Gflop/s */
    assert_contains(script, "title 'dgemm, 1 thread'");
    assert_contains(script, "title 'dgemm, 4 threads'");
    cal.node.peak_flops_per_s = NAN;
    script = calibration_script("kernels", &cal);
    assert_contains(script, "'Rate per core (Gflop/s)'");
    assert_contains(script, "100 NaN\n1000 1\n");
}

TEST(bandwidth_shows_the_limits_of_the_protocols)
{
    char *script = calibration_script("bandwidth", round_machine());

    assert_contains(script, "'Effective bandwidth (GB/s)'");
    assert_contains(script, "'eager up to 8 KiB'");
    assert_contains(script, "title 'between nodes'");
    assert_lacks(script, "on the node");
    assert_contains(script, "\n8192 0.891"); /* 8192 bytes in 9.192 us */
}

TEST(contention_has_a_line_for_each_count_of_processes)
{
    char *script = calibration_script("contention", round_machine());

    assert_contains(script, "'Distance (ranks)'");
    assert_contains(script, "$data0 << EOD\n1 1\n4 1.5\nEOD");
    assert_contains(script, "$data1 << EOD\n1 2\nEOD");
    assert_contains(script, "$data2 << EOD\n1 2.5\n4 3\nEOD");
    assert_contains(script, "title 'maximum, 64 processes'");
}

TEST(every_calibration_chart_renders_in_every_format)
{
    struct plots plots = plots_begin();

    for (size_t i = 0; fr_charts[i]; i++) {
        if (fr_charts[i]->of != FR_OF_CALIBRATION || is_of_routine_models(fr_charts[i]))
            continue;
        for (enum fr_format format = FR_SVG; format <= FR_PDF; format <<= 1) {
            struct fr_arena *arena = fr_arena_new(1 << 20);
            struct fr_plot plot = plot_of(format);

            assert_true(drawn(fr_charts[i], round_machine(), arena, &plot));
            plots_add(&plots, plot);
            fr_arena_free(arena);
        }
    }
    plots_end(&plots);
}

TEST(a_calibration_without_a_group_has_no_chart_of_it)
{
    const struct fr_calibration bare = { .machine = "bare" };
    struct fr_arena *arena = fr_arena_new(1 << 20);

    for (size_t i = 0; fr_charts[i]; i++) {
        struct fr_plot plot = plot_of(FR_GP);

        if (fr_charts[i]->of != FR_OF_CALIBRATION)
            continue;
        assert_false(drawn(fr_charts[i], &bare, arena, &plot));
        fr_writer_free(&plot.script);
    }
    fr_arena_free(arena);
}
