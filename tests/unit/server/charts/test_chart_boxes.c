/* Box plots. */
#include "server/charts/plot/plot.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <stdlib.h>

static const char *const nodes[] = { "64", "128", NULL };
static const struct fr_plot_axis by_nodes = { .title = "Nodes", .categories = nodes };
static const struct fr_plot_axis time_s = { .title = "Time (s)", .from_zero = true };
static const struct fr_plot_axis log_time_s = { .title = "Time (s)", .is_log = true };

static const double beyond[] = { 9, 0 };
static const struct fr_box boxes[] = {
    { .category = 0, 1, 2, 3, 5, 7, .outliers = beyond, .outlier_count = 2 },
    { .category = 1, 0, 2, 3, 4, 5 },
    { .category = 1, 1, 2, NAN, 4, 5 },
};

static char *script_on(const struct fr_plot_axis *y, const struct fr_box_series *series,
                       size_t count)
{
    struct fr_plot plot = plot_of(FR_GP);

    fr_plot_boxes(&plot, "t", &by_nodes, y, series, count);
    return script_of(plot);
}

TEST(a_box_has_whiskers_median_and_outliers)
{
    const struct fr_box_series series = { .label = "pcg", .boxes = boxes, .count = 3 };
    char *script = script_on(&time_s, &series, 1);

    /* Centre, lower quartile, whiskers, upper quartile, width, median, left; no third box. */
    assert_contains(script, "NaN NaN\n0 2 1 7 5 0.44 3 -0.22\n1 2 0 5 4 0.44 3 0.78\nEOD");
    assert_contains(script, "$outliers0 << EOD\nNaN NaN\n0 9\n0 0\nEOD");
    assert_contains(script, "set yrange [0:10]");
    assert_contains(script, "title 'pcg' with candlesticks whiskerbars 0.5 lw 1.2 lc 1 "
                            "fillstyle solid 0.35 border");
    assert_lacks(script, "predicted");
}

TEST(what_a_logarithm_cannot_show_is_left_out)
{
    const struct fr_box_series series = { .label = "pcg", .boxes = boxes, .count = 3 };
    char *script = script_on(&log_time_s, &series, 1);

    assert_contains(script, "NaN NaN\n0 2 1 7 5 0.44 3 -0.22\nEOD");
    assert_contains(script, "$outliers0 << EOD\nNaN NaN\n0 9\nEOD");
}

TEST(predictions_are_marks_over_their_boxes)
{
    const double predicted[] = { 4, NAN, 14 };
    const struct fr_box_series series[] = {
        { .label = "pcg", .boxes = boxes, .count = 2 },
        { .label = "pipecg", .boxes = boxes, .count = 3, .predicted = predicted, .colour = 4 },
    };
    char *script = script_on(&time_s, series, 2);

    /* Side by side at -0.2 and 0.2; a prediction is drawn even without a box. */
    assert_contains(script, "-0.2 2 1 7 5 0.352 3 -0.376\n");
    assert_contains(script, "0.2 2 1 7 5 0.352 3 0.024\n");
    assert_contains(script, "$predicted << EOD\nNaN NaN\n0.2 4\n1.2 14\nEOD");
    assert_contains(script, "set yrange [0:14]");
    assert_contains(script, "title 'predicted' with points");
    assert_contains(script, "title 'pipecg' with candlesticks whiskerbars 0.5 lw 1.2 lc 4");
}

TEST(boxes_render_in_every_format)
{
    const double predicted[] = { 4, NAN, 14 };
    const struct fr_box extreme[] = { { .category = 0, -1e308, 0, 5e-324, 1, 1e308 },
                                      { .category = 1, 1e-280, 1, 1, 1, 1e280 } };
    const struct fr_box_series series[] = {
        { .label = "pcg", .boxes = boxes, .count = 3, .predicted = predicted },
        { .label = "extreme", .boxes = extreme, .count = 2 },
        { .label = "none" },
    };
    struct plots plots = plots_begin();

    for (enum fr_format format = FR_SVG; format <= FR_PDF; format <<= 1) {
        for (size_t first = 0; first < 3; first++) {
            struct fr_plot plot = plot_of(format);

            fr_plot_boxes(&plot, "t", &by_nodes, first == 1 ? &log_time_s : &time_s, &series[first],
                          3 - first);
            plots_add(&plots, plot);
        }
    }
    plots_end(&plots);
}
