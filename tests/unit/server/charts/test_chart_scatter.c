/* Predicted against measured values. */
#include "server/charts/plot/plot.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <stdlib.h>

static const struct fr_plot_axis measured_s = { .title = "Measured (s)" };
static const struct fr_plot_axis predicted_s = { .title = "Predicted (s)", .from_zero = true };

static char *script_with(const double *measured, const double *predicted, size_t count)
{
    const struct fr_series series = {
        .label = "cg", .x = measured, .y = predicted, .count = count
    };
    struct fr_plot plot = plot_of(FR_GP);

    fr_plot_scatter(&plot, "t", &measured_s, &predicted_s, &series, 1);
    return script_of(plot);
}

/* The text after `set NAME` up to the end of the line; the caller frees it. */
static char *setting(const char *script, const char *name)
{
    const char *at = strstr(script, name);

    assert_non_null(at);
    at += strlen(name);
    return strndup(at, strcspn(at, "\n"));
}

TEST(both_axes_show_the_same)
{
    const double measured[] = { 1e-3, 2, 50 }, predicted[] = { 2e-3, 1.5, 900 };
    char *script = script_with(measured, predicted, 3);
    char *x_range = setting(script, "set xrange"), *y_range = setting(script, "set yrange");
    char *x_tics = setting(script, "set xtics ("), *y_tics = setting(script, "set ytics (");

    assert_string_equal(x_range, y_range);
    assert_string_equal(x_tics, y_tics);
    assert_contains(script, "set logscale x 10");
    assert_contains(script, "set logscale y 10");
    assert_contains(script, "set size square");
    assert_contains(script, "0.001 0.002\n2 1.5\n50 900\nEOD");
    free(x_range), free(y_range), free(x_tics), free(y_tics);
}

/* The two points of a line of the script. */
static void check_ray(const char *script, const char *name, double factor)
{
    const char *at = strstr(script, name);
    double x[2], y[2];
    char *end;

    assert_non_null(at);
    end = strchr(at, '\n');
    for (int i = 0; i < 2; i++) {
        x[i] = strtod(end, &end);
        y[i] = strtod(end, &end);
        assert_close(y[i], factor * x[i], 1e-12);
    }
    assert_true(x[1] > 1.3 * x[0]);
}

TEST(twenty_per_cent_of_the_measured_value_are_marked)
{
    const double same[] = { 3, 3 };
    char *script = script_with(same, same, 2); /* the lines are visible even with a single value */

    check_ray(script, "$above <<", 1.2);
    check_ray(script, "$below <<", 0.8);
    check_ray(script, "$exact <<", 1);
    assert_contains(script, "title '± 20 %' with lines lw 1.2 dt (8,5)");
}

TEST(what_no_logarithm_has_is_left_out)
{
    const double measured[] = { 0, 1, NAN, -1, 1e300, 2 }, predicted[] = { 1, 0, 1, 1, 1, 2 };
    char *script = script_with(measured, predicted, 6);

    assert_contains(script, "$data0 << EOD\nNaN NaN\n2 2\nEOD");
}

TEST(it_renders_in_every_format)
{
    const double x[] = { 1e-280, 1, 1e280 };
    const struct fr_series series[] = { { .label = "cg", .x = x, .y = x, .count = 3 },
                                        { .label = "none" } };
    struct plots plots = plots_begin();

    for (enum fr_format format = FR_SVG; format <= FR_PDF; format <<= 1) {
        for (size_t first = 0; first < 2; first++) {
            struct fr_plot plot = plot_of(format);

            fr_plot_scatter(&plot, "t", &measured_s, &predicted_s, &series[first], 2 - first);
            plots_add(&plots, plot);
        }
    }
    plots_end(&plots);
}
