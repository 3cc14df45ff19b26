/* Bars, stacked and side by side. */
#include "server/charts/plot/plot.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <stdio.h>
#include <stdlib.h>

static const struct fr_plot_axis time_s = { .title = "Time (s)", .is_log = true };
static const struct fr_plot_axis even_s = { .title = "Time (s)" };
static const char *const variants[] = { "2d", "25d", NULL };
static const struct fr_plot_axis by_variant = { .title = "Variant", .categories = variants };

TEST(bars_are_stacked)
{
    const double compute[] = { 3, 2 }, shift[] = { 1, NAN };
    const struct fr_series series[] = { { .label = "compute", .y = compute, .count = 2 },
                                        { .label = "shift", .y = shift, .count = 2 } };
    struct fr_plot plot = plot_of(FR_SVG);
    char *script, *svg;

    fr_plot_bars(&plot, "t", &by_variant, &time_s, series, 2);
    script = strndup(plot.script.text, plot.script.length);
    assert_contains(script, "'2d' 0, '25d' 1)");
    assert_contains(script, "0 3.5 -0.32 0.32 3 4\nNaN NaN NaN NaN NaN NaN\n");
    svg = picture_of(plot, NULL);
    assert_contains(svg, "<text>shift</text>");
    free(script), free(svg);
}

TEST(grouped_bars_stand_side_by_side)
{
    const double measured[] = { 3, -2 }, predicted[] = { NAN, 4 };
    const struct fr_series series[] = { { .label = "measured", .y = measured, .count = 2 },
                                        { .label = "predicted", .y = predicted, .count = 2 },
                                        { .label = "short", .y = measured, .count = 1 } };
    struct fr_plot plot = plot_of(FR_SVG);
    char *script, *svg;

    fr_plot_groups(&plot, "t", &by_variant, &even_s, series, 2);
    script = strndup(plot.script.text, plot.script.length);
    /* Two bars of 0.88 × 0.4 around -0.2 and 0.2. */
    assert_contains(script,
                    "$data0 << EOD\n-0.2 1.5 -0.376 -0.024 0 3\n0.8 -1 0.624 0.976 -2 0\nEOD");
    assert_contains(script, "$data1 << EOD\nNaN NaN NaN NaN NaN NaN\n1.2 2 1.024 1.376 0 4\nEOD");
    assert_contains(script, "set yrange [-2:4]");
    assert_contains(script, "set xzeroaxis");
    svg = picture_of(plot, NULL);
    assert_contains(svg, "<text>predicted</text>");
    free(script), free(svg);
    plot = plot_of(FR_GP);
    fr_plot_groups(&plot, "t", &by_variant, &even_s, &series[2], 1);
    script = script_of(plot);
    assert_contains(script, "$data0 << EOD\n0 1.5 -0.22 0.22 0 3\nNaN NaN NaN NaN NaN NaN\nEOD");
    assert_lacks(script, "xzeroaxis");
}

TEST(bars_on_a_logarithmic_axis_stand_on_its_lower_end_below_all)
{
    const double measured[] = { 30, 0.01 }, predicted[] = { 0, 4 };
    const struct fr_series series[] = { { .label = "measured", .y = measured, .count = 2 },
                                        { .label = "predicted", .y = predicted, .count = 2 } };
    struct fr_plot plot = plot_of(FR_GP);
    char *script, low[32], bar[80];

    fr_plot_groups(&plot, "t", &by_variant, &time_s, series, 2);
    script = script_of(plot);
    assert_contains(script, "set logscale y 10\n");
    assert_int_equal(sscanf(strstr(script, "set yrange ["), "set yrange [%31[^:]", low), 1);
    assert_true(strtod(low, NULL) < 0.001);
    snprintf(bar, sizeof bar, " -0.376 -0.024 %s 30\n", low);
    assert_contains(script, bar);
    snprintf(bar, sizeof bar, " 0.624 0.976 %s 0.01\nEOD", low);
    assert_contains(script, bar);
    assert_contains(script, "$data1 << EOD\nNaN NaN NaN NaN NaN NaN\n");
}

TEST(lying_bars_are_the_same_across)
{
    const struct fr_plot_axis lengths = { .title = "Change (%)" };
    const double y[2][2] = { { 3, -2 }, { NAN, 4 } };
    const struct fr_series series[] = { { .label = "more", .y = y[0], .count = 2 },
                                        { .label = "less", .y = y[1], .count = 2 } };
    struct fr_plot plot = plot_of(FR_GP);
    struct plots plots = plots_begin();
    char *script;

    fr_plot_lying(&plot, "t", &lengths, &by_variant, series, 2);
    script = script_of(plot);
    assert_contains(script, "$data0 << EOD\n1.5 0.2 0 3 0.024 0.376\n-1 1.2 -2 0 1.024 1.376\nEOD");
    assert_contains(script, "$data1 << EOD\nNaN -0.2 NaN NaN -0.376 -0.024\n2 0.8 0 4 0.624 0.976");
    assert_contains(script, "set yzeroaxis");
    for (enum fr_format format = FR_SVG; format <= FR_PDF; format <<= 1) {
        plot = plot_of(format);
        fr_plot_lying(&plot, "t", &lengths, &by_variant, series, 2);
        plots_add(&plots, plot);
    }
    plots_end(&plots);
}

TEST(measured_bars_are_paler_than_their_prediction)
{
    const double y[] = { 3, 2 };
    const struct fr_series series[] = {
        { .label = "measured", .y = y, .count = 2, .is_points = true, .colour = 1 },
        { .label = "predicted", .y = y, .count = 2, .colour = 1 },
    };
    struct fr_plot plot = plot_of(FR_GP);
    char *script;

    fr_plot_groups(&plot, "t", &by_variant, &even_s, series, 2);
    script = script_of(plot);
    assert_contains(script, "'measured' with boxxyerror lw 1 lc 1 fillstyle solid 0.4 border,");
    assert_contains(script, "'predicted' with boxxyerror lw 1 lc 1 fillstyle solid 1 border");
}

/* Names, positions and heights of 64 groups of 24 bars, the maximum of a chart. */
static struct fr_plot crowd(enum fr_format format)
{
    static char name[64][32], label[24][32];
    static const char *names[65];
    static double y[64];
    const struct fr_plot_axis x = { .title = "Runs", .categories = names };
    struct fr_series series[24];
    struct fr_plot plot = plot_of(format);

    for (int i = 0; i < 64; i++) {
        snprintf(name[i], sizeof name[i], "B%dP%d", 128 * i, i + 1);
        names[i] = name[i];
        y[i] = i;
    }
    for (int i = 0; i < 24; i++) {
        snprintf(label[i], sizeof label[i], "variant %d", i);
        series[i] = (struct fr_series){ .label = label[i], .y = y, .count = 64 };
    }
    fr_plot_groups(&plot, "crowd", &x, &time_s, series, 24);
    return plot;
}

TEST(colours_that_come_again_have_another_fill)
{
    char *script = script_of(crowd(FR_GP));
    struct plots plots = plots_begin();

    assert_contains(script, "'variant 0' with boxxyerror lw 1 lc 1 fillstyle solid 1 noborder");
    assert_contains(script, "'variant 8' with boxxyerror lw 1 lc 1 fillstyle solid 0.4 border");
    assert_contains(script, "'variant 16' with boxxyerror lw 1 lc 1 fillstyle pattern 4 border");
    for (enum fr_format format = FR_SVG; format <= FR_PDF; format <<= 1)
        plots_add(&plots, crowd(format));
    plots_end(&plots);
}

TEST(no_category_is_an_empty_chart)
{
    const char *const none[] = { NULL };
    const struct fr_plot_axis x = { .title = "Variant", .categories = none };
    const double value = 1;
    const struct fr_series series = { .label = "l", .y = &value, .count = 1 };
    struct fr_plot plot = plot_of(FR_SVG);

    fr_plot_groups(&plot, "t", &x, &time_s, &series, 1);
    check_renders(plot);
    plot = plot_of(FR_SVG);
    fr_plot_bars(&plot, "t", &x, &time_s, &series, 1);
    check_renders(plot);
}
