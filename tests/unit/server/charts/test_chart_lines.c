/* Lines over an axis: gaps, bands, points, two axes. */
#include "server/charts/plot/plot.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <stdlib.h>

static const struct fr_plot_axis processes = { .title = "Processes", .is_log2 = true };
static const struct fr_plot_axis time_s = { .title = "Time (s)", .is_log = true };
static const double counts[] = { 1, 2, 4, 8 };
static const double times[] = { 80, 40, NAN, 10 };

static char *plain_script(void)
{
    const struct fr_series series = { .label = "l", .x = counts, .y = times, .count = 4 };
    struct fr_plot plot = plot_of(FR_GP);

    fr_plot_lines(&plot, "t", &processes, &time_s, &series, 1);
    return script_of(plot);
}

TEST(axes_carry_units_and_readable_tics)
{
    char *script = plain_script();

    assert_contains(script, "set xlabel 'Processes'");
    assert_contains(script, "set ylabel 'Time (s)'");
    assert_contains(script, "set logscale x 2");
    assert_contains(script, "set xtics ('1' 1, '2' 2, '4' 4, '8' 8)");
    assert_contains(script, "'10' 10, '20' 20, '' 30 1, '' 40 1, '50' 50");
}

/* A chart with marks at these places. */
static char *marked_script(const struct fr_plot_mark *marks, size_t count)
{
    const double many[] = { 1, 1024 }, of[] = { 1, 2 };
    const struct fr_series series = { .label = "l", .x = many, .y = of, .count = 2 };
    const struct fr_plot_axis x = { .is_log2 = true, .marks = marks, .mark_count = count };
    struct fr_plot plot = plot_of(FR_GP);

    fr_plot_lines(&plot, "t", &x, &time_s, &series, 1);
    return script_of(plot);
}

TEST(labels_of_marks_stand_above_the_axes_where_nothing_is_drawn)
{
    const struct fr_plot_mark near[] = { { 512, "knee: 512 nodes" }, { 256, "best: 256 nodes" } };
    const struct fr_plot_mark left[] = { { 1, "best: 1 node" }, { 2, "knee: 2 nodes" } };
    const struct fr_plot_mark many[] = { { 2, "a" }, { 4, "b" }, { 8, "c" } };
    char *script = marked_script(near, 2);

    assert_contains(script, "set title ' '.\"\\n\".' '.\"\\n\".' '"); /* room for two lines */
    assert_contains(script, "set label 'best: 256 nodes' at first 256, graph 1.019 right offset");
    assert_contains(script, "set label 'knee: 512 nodes' at first 512, graph 1.057");
    script = marked_script(left, 2);
    assert_contains(script, "set label 'best: 1 node' at first 1, graph 1.057");
    assert_contains(script, "set label 'knee: 2 nodes' at first 2, graph 1.019 left offset");
    script = marked_script(many, 3);
    assert_contains(script, "set label 'a' at first 2, graph 0.02 rotate by 90");
}

TEST(a_gap_is_left_at_nan_and_where_a_logarithm_has_none)
{
    const double zero[] = { 1, 0, -1, 2 };
    const struct fr_series series = { .label = "l", .x = counts, .y = zero, .count = 4 };
    struct fr_plot plot = plot_of(FR_GP);
    char *script = plain_script();

    assert_contains(script, "<< EOD\n1 80\n2 40\n4 NaN\n8 10\nEOD");
    fr_plot_lines(&plot, "t", &processes, &time_s, &series, 1);
    script = script_of(plot);
    assert_contains(script, "<< EOD\n1 1\n2 NaN\n4 NaN\n8 2\nEOD");
}

TEST(nothing_to_show_is_an_empty_chart)
{
    const double x = 1, y = NAN;
    const struct fr_series series[] = { { .label = "gap", .x = &x, .y = &y, .count = 1 },
                                        { .label = "no point", .x = &x, .y = &y, .count = 0 } };
    struct fr_plot plot = plot_of(FR_SVG);

    fr_plot_lines(&plot, "empty", &processes, &time_s, series, 2);
    free(picture_of(plot, NULL));
}

TEST(extreme_values_are_drawn)
{
    const double x[] = { 1, 1e300, 3, 5e-324 }, y[] = { -1e308, 5e-324, 1e308, 1e-300 };
    const struct fr_series series = {
        .label = "l", .x = x, .y = y, .count = 4, .low = x, .high = y
    };
    const struct fr_plot_axis axes[] = { { .title = "a" },
                                         { .title = "b", .is_log = true },
                                         { .title = "c", .is_log2 = true, .is_bytes = true },
                                         { .title = "d", .from_zero = true } };

    for (size_t i = 0; i < 4; i++) {
        struct fr_plot plot = plot_of(FR_SVG);

        fr_plot_lines(&plot, "t", &axes[i], &axes[3 - i], &series, 1);
        free(picture_of(plot, NULL));
    }
}

TEST(series_that_belong_together_share_a_colour)
{
    const struct fr_series series[] = {
        { .label = "a", .x = counts, .y = times, .count = 4 },
        { .label = "a, measured",
          .x = counts,
          .y = times,
          .count = 4,
          .is_points = true,
          .colour = 1 },
    };
    struct fr_plot plot = plot_of(FR_GP);
    char *script;

    fr_plot_lines(&plot, "t", &processes, &time_s, series, 2);
    script = script_of(plot);
    assert_contains(script, "title 'a' with linespoints lw 2 dt 1 pt 7 ps 0.8 lc 1");
    assert_contains(script, "title 'a, measured' with points lw 1.5 pt 4 ps 1.3 lc 1");
}

TEST(a_band_lies_beneath_its_line_and_is_parted_at_gaps)
{
    const double low[] = { 70, NAN, 15, 9 }, high[] = { 90, 50, 25, 0 };
    const struct fr_series series[] = {
        { .label = "other", .x = counts, .y = times, .count = 4 },
        { .label = "median",
          .x = counts,
          .y = times,
          .count = 4,
          .low = low,
          .high = high,
          .band_label = "all" },
    };
    struct fr_plot plot = plot_of(FR_GP);
    char *script;

    fr_plot_lines(&plot, "t", &processes, &time_s, series, 2);
    script = script_of(plot);
    /* The values at 1 and 4 are isolated: their width is a factor of 8^±0.008; 0 has no
     * logarithm. */
    assert_contains(script, "$band1 << EOD\nNaN NaN NaN\n\n0.98");
    assert_contains(script, " 70 90\n1.01");
    assert_contains(script, " 70 90\n\n3.93");
    assert_contains(script, " 15 25\nEOD");
    assert_lacks(script, "$band0");
    assert_contains(script,
                    "plot NaN notitle, \\\n    $band1 using 1:2:3 notitle with filledcurves "
                    "fillstyle transparent solid 0.22 noborder lc 2, \\\n"
                    "    $data0");
    assert_contains(script, "title 'all' with boxes fillstyle transparent solid 0.22 noborder "
                            "lc 2");
}

TEST(a_band_counts_for_the_range)
{
    const double x[] = { 0, 1, 2 }, y[] = { 5, 5, 5 }, low[] = { 1, 2, -17 }, high[] = { 8, 23, 9 };
    const struct fr_plot_axis axis = { .title = "a" };
    const struct fr_series series = { .x = x, .y = y, .count = 3, .low = low, .high = high };
    struct fr_plot plot = plot_of(FR_GP);
    char *script;

    fr_plot_lines(&plot, "t", &axis, &axis, &series, 1);
    script = script_of(plot);
    assert_contains(script, "set yrange [-20:30]");
    assert_contains(script, "$band0 << EOD\nNaN NaN NaN\n\n0 1 8\n1 2 23\n2 -17 9\nEOD");
    assert_contains(script, "set key noenhanced Left reverse samplen 3.5 spacing 1.2 outside off");
}

TEST(a_second_axis_stands_on_the_right)
{
    const double congestion[] = { 0, 3, 1, 2 };
    const struct fr_plot_axis right = { .title = "Stalls", .from_zero = true };
    const struct fr_plot_axis both = { .title = "Time (s)", .is_log = true, .right = &right };
    const struct fr_series series[] = {
        { .label = "time", .x = counts, .y = times, .count = 4 },
        { .label = "congestion", .x = counts, .y = congestion, .count = 4, .is_right = true },
    };
    struct fr_plot plot = plot_of(FR_SVG);
    char *script, *svg;

    fr_plot_lines(&plot, "t", &processes, &both, series, 2);
    script = strndup(plot.script.text, plot.script.length);
    assert_contains(script, "set border 11");
    assert_contains(script, "set y2range [0:3]");
    assert_contains(script, "set y2label 'Stalls'");
    assert_contains(script, "$data0 using 1:2 title");
    assert_contains(script, "$data1 using 1:2 axes x1y2 title");
    assert_contains(script, "$data1 << EOD\n1 0\n"); /* the left axis could not show 0 */
    svg = picture_of(plot, NULL);
    assert_contains(svg, "<text>Stalls</text>");
    free(script), free(svg);
    plot = plot_of(FR_GP);
    fr_plot_lines(&plot, "t", &processes, &time_s, series,
                  2); /* without a right axis: the left one */
    script = script_of(plot);
    assert_lacks(script, "y2");
}

TEST(a_line_is_dashed_where_it_leaves_the_calibrated_range)
{
    const double y[] = { 80, 40, 20, 10 }, low[] = { 70, 30, 15, 9 }, high[] = { 90, 50, 25, 11 };
    const bool is_outside[] = { false, false, true, true }, all[] = { true, true, true, true };
    struct fr_series series = { .label = "2d",
                                .x = counts,
                                .y = y,
                                .count = 4,
                                .low = low,
                                .high = high,
                                .band_label = "interval",
                                .is_outside = is_outside };
    struct fr_plot plot = plot_of(FR_GP);
    char *script;

    fr_plot_lines(&plot, "t", &processes, &time_s, &series, 1);
    script = script_of(plot);
    assert_contains(script, "$data0 << EOD\n1 80\n2 40\n4 20\n8 10\nEOD");
    assert_contains(script, "$inside0 << EOD\n1 80\n2 40\n4 NaN\n8 NaN\nEOD");
    assert_contains(script, "$core0 << EOD\nNaN NaN NaN\n\n1 70 90\n2 30 50\nEOD");
    assert_contains(script, "$band0 using 1:2:3 notitle with filledcurves fillstyle transparent "
                            "solid 0.09 noborder lc 1");
    assert_contains(script, "$core0 using 1:2:3 notitle with filledcurves fillstyle transparent "
                            "solid 0.22 noborder lc 1");
    assert_contains(script, "$data0 using 1:2 notitle with linespoints lw 2 dt (9,6) pt 6");
    assert_contains(script, "$inside0 using 1:2 title '2d' with linespoints lw 2 dt 1 pt 7");
    assert_contains(script, "NaN title 'dashed: extrapolated' with lines lw 2 dt (9,6)");
    series.is_outside = all;
    plot = plot_of(FR_GP);
    fr_plot_lines(&plot, "t", &processes, &time_s, &series, 1);
    script = script_of(plot);
    assert_contains(script, "$data0 using 1:2 title '2d' with linespoints lw 2 dt (9,6) pt 6");
    plot = plot_of(FR_SVG);
    fr_plot_lines(&plot, "t", &processes, &time_s, &series, 1);
    check_renders(plot);
    script = plain_script();
    assert_lacks(script, "extrapolated");
}

TEST(a_bound_has_no_markers)
{
    const struct fr_series series = {
        .label = "bound", .x = counts, .y = times, .count = 4, .is_bare = true
    };
    struct fr_plot plot = plot_of(FR_GP);
    char *script;

    fr_plot_lines(&plot, "t", &processes, &time_s, &series, 1);
    script = script_of(plot);
    assert_contains(script, "title 'bound' with lines lw 2 dt 1 lc 1\n");
}

TEST(a_roofline_is_drawn_over_categories_and_over_intensity)
{
    const char *const runs[] = { "B256P8", "B256P16", "B512P8", "B512P16", NULL };
    const double places[] = { 0, 1, 2, 3 }, slope_x[] = { 1, 16 }, slope_y[] = { 5, 80 };
    const double roof_x[] = { 16, 512 }, roof_y[] = { 80, 80 };
    const struct fr_plot_axis named = { .title = "Runs", .categories = runs };
    const struct fr_plot_axis intensity = { .title = "Intensity (flop/byte)", .is_log = true };
    const struct fr_series over_runs[] = {
        { .label = "compute bound", .x = places, .y = times, .count = 4, .is_bare = true },
        { .label = "measured", .x = places, .y = times, .count = 4, .is_points = true },
    };
    const struct fr_series over_intensity[] = {
        { .label = "bandwidth bound", .x = slope_x, .y = slope_y, .count = 2, .is_bare = true },
        { .label = "compute bound", .x = roof_x, .y = roof_y, .count = 2, .is_bare = true },
    };
    struct fr_plot plot = plot_of(FR_SVG);

    fr_plot_lines(&plot, "roofline", &named, &time_s, over_runs, 2);
    check_renders(plot);
    plot = plot_of(FR_SVG);
    fr_plot_lines(&plot, "roofline", &intensity, &time_s, over_intensity, 2);
    check_renders(plot);
}
