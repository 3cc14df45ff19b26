/* The JSON of a chart: axes, series, and the place of the axes in the picture. */
#include "server/charts/plot/script.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/moved_clock.h"
#include "tests/unit/support/plots.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double counts[] = { 1, 2, 4, 8 }, times[] = { 80, NAN, 20, 10 };
static const double low[] = { 70, NAN, 15, 9 }, high[] = { 90, NAN, 25, 0 };
static const struct fr_plot_axis processes = { .title = "p", .is_log = true, .is_log2 = true };
static const struct fr_plot_axis time_s = { .title = "s", .is_log = true };
static const struct fr_series lines[] = {
    { .label = "2d", .value = "2d", .x = counts, .y = times, .count = 4, .low = low, .high = high },
    { .label = "2d, measured",
      .x = counts,
      .y = times,
      .count = 1,
      .is_points = true,
      .colour = 1 },
};

static char *json_of(struct fr_plot plot)
{
    char *json = picture_of(plot, NULL);

    fr_writer_free(&plot.shown);
    return json;
}

static struct fr_plot lines_as(enum fr_format format)
{
    struct fr_plot plot = plot_of(format);

    fr_plot_lines(&plot, "t", &processes, &time_s, lines, 2);
    return plot;
}

TEST(lines_have_their_points_and_intervals)
{
    char *json = json_of(lines_as(FR_JSON));

    assert_contains(json, "{\"title\":\"t\",\"note\":null,\"width\":900,\"height\":540,\"x\":{"
                          "\"title\":\"p\",\"scale\":\"log\",\"low\":");
    /* The gap has no point; the interval down to 0 has no logarithm. */
    assert_contains(json,
                    "\"series\":[{\"label\":\"2d\",\"value\":\"2d\",\"mark\":\"line\",\"axis\":"
                    "\"y\",\"color\":\"#066198\",\"points\":[{\"x\":1,\"y\":80,\"low\":70,\"high\":"
                    "90},{\"x\":4,\"y\":20,\"low\":15,\"high\":25},{\"x\":8,\"y\":10}]},");
    assert_contains(json, "{\"label\":\"2d, measured\",\"value\":null,\"mark\":\"point\",\"axis\":"
                          "\"y\",\"color\":\"#066198\",\"points\":[{\"x\":1,\"y\":80}]}]");
    free(json);
}

static double number_after(const char *json, const char *name)
{
    const char *at = strstr(json, name);

    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* gnuplot places the markers of a line by `translate(x,y)`. */
TEST(a_point_is_where_the_box_and_the_ranges_say)
{
    char *json = json_of(lines_as(FR_JSON)), *svg = picture_of(lines_as(FR_SVG), NULL);
    const char *x = strstr(json, "\"x\":{"), *y = strstr(json, "\"y\":{");
    const double left = number_after(json, "\"left\":"), right = number_after(json, "\"right\":");
    const double top = number_after(json, "\"top\":"), bottom = number_after(json, "\"bottom\":");
    const double low_x = number_after(x, "\"low\":"), high_x = number_after(x, "\"high\":");
    const double low_y = number_after(y, "\"low\":"), high_y = number_after(y, "\"high\":");
    const double across = log(4 / low_x) / log(high_x / low_x);
    const double up = log(20 / low_y) / log(high_y / low_y);
    const double at_x = left + across * (right - left), at_y = bottom - up * (bottom - top);
    double nearest = INFINITY;

    for (const char *at = svg; (at = strstr(at, "translate(")); at++) {
        double marker_x, marker_y;

        if (sscanf(at, "translate(%lf,%lf)", &marker_x, &marker_y) == 2)
            nearest = fmin(nearest, hypot(marker_x - at_x, marker_y - at_y));
    }
    assert_true(nearest < 0.05); /* pixels; the program rounds to hundredths */
    free(json);
    free(svg);
}

static const char *const names[] = { "a", "b", NULL };
static const struct fr_plot_axis categories = { .title = "which", .categories = names };

TEST(bars_are_at_their_categories)
{
    const double y[] = { 3, NAN };
    const struct fr_series series = { .label = "one", .y = y, .count = 2 };
    struct fr_plot stack = plot_of(FR_JSON), group = plot_of(FR_JSON);
    char *json;

    fr_plot_bars(&stack, "t", &categories, &time_s, &series, 1);
    json = json_of(stack);
    assert_contains(json, "\"scale\":\"categories\",\"low\":-0.6,\"high\":1.6,"
                          "\"categories\":[\"a\",\"b\"]}");
    assert_contains(json, "\"mark\":\"stack\"");
    assert_contains(json, "\"points\":[{\"x\":0,\"y\":3}]}]");
    free(json);
    fr_plot_groups(&group, "t", &categories, &time_s, &series, 1);
    json = json_of(group);
    assert_contains(json, "\"mark\":\"bar\"");
    free(json);
}

TEST(boxes_have_five_numbers)
{
    const double outlier[] = { 9 }, predicted[] = { 2.5 };
    const struct fr_box box = { 1, 1, 2, 3, 4, 5, outlier, 1 };
    const struct fr_box_series series = {
        .label = "pcg", .value = "pcg", .boxes = &box, .count = 1, .predicted = predicted
    };
    struct fr_plot plot = plot_of(FR_JSON);
    char *json;

    fr_plot_boxes(&plot, "t", &categories, &(struct fr_plot_axis){ .title = "s" }, &series, 1);
    json = json_of(plot);
    assert_contains(json, "\"mark\":\"box\"");
    assert_contains(json, "{\"x\":1,\"y\":3,\"low\":1,\"lower_quartile\":2,\"upper_quartile\":4,"
                          "\"high\":5,\"predicted\":2.5,\"outliers\":[9]}");
    free(json);
}

TEST(cells_without_a_value_are_null)
{
    const struct fr_tile tile[] = { { -0.5, 0.5, -0.5, 0.5, 7 }, { 0.5, 1.5, -0.5, 0.5, NAN } };
    const struct fr_plot_scale scale = { .title = "s", .least = 1, .most = 9 };
    struct fr_plot plot = plot_of(FR_JSON);
    char *json;

    fr_plot_tiles(&plot, "t", &categories, &categories, &scale, tile, 2);
    json = json_of(plot);
    assert_contains(json, "\"cells\":{\"title\":\"s\",\"list\":[{\"low_x\":-0.5,\"high_x\":0.5,"
                          "\"low_y\":-0.5,\"high_y\":0.5,\"value\":7}");
    assert_contains(json, "\"value\":null}]}");
    free(json);
}

TEST(a_point_says_that_it_is_extrapolated)
{
    const bool is_outside[] = { false, false, false, true };
    struct fr_series series = lines[0];
    struct fr_plot plot = plot_of(FR_JSON);
    char *json;

    series.is_outside = is_outside;
    fr_plot_lines(&plot, "t", &processes, &time_s, &series, 1);
    json = json_of(plot);
    assert_contains(json, "{\"x\":4,\"y\":20,\"low\":15,\"high\":25},"
                          "{\"x\":8,\"y\":10,\"extrapolated\":true}]");
    free(json);
}

TEST(lying_bars_have_their_lengths_along_x)
{
    const double change[] = { -30, 50 };
    const struct fr_series series = { .label = "* 2", .y = change, .count = 2 };
    struct fr_plot plot = plot_of(FR_JSON);
    char *json;

    fr_plot_lying(&plot, "t", &(struct fr_plot_axis){ .title = "%" }, &categories, &series, 1);
    json = json_of(plot);
    assert_contains(json, "\"y\":{\"title\":\"which\",\"scale\":\"categories\"");
    assert_contains(json, "\"mark\":\"lying\"");
    assert_contains(json, "\"points\":[{\"x\":-30,\"y\":0},{\"x\":50,\"y\":1}]");
    free(json);
}

/* The square is narrower than the picture: its program says where it is. */
TEST(a_scatter_has_its_points_in_a_square)
{
    const struct fr_series series = {
        .label = "cg", .x = counts, .y = counts, .count = 4, .is_points = true
    };
    struct fr_plot plot = plot_of(FR_JSON);
    char *json;
    double width, height;

    fr_plot_scatter(&plot, "t", &processes, &time_s, &series, 1);
    json = json_of(plot);
    assert_contains(json, "\"mark\":\"point\"");
    assert_contains(json, "\"points\":[{\"x\":1,\"y\":1},{\"x\":2,\"y\":2}");
    width = number_after(json, "\"right\":") - number_after(json, "\"left\":");
    height = number_after(json, "\"bottom\":") - number_after(json, "\"top\":");
    assert_true(fabs(width - height) < 1);
    free(json);
}

/* A script that says other numbers, or none, gives no JSON. */
TEST(a_program_that_does_not_place_the_axes_gives_nothing)
{
    static const char *const ends[] = { "set print '/dev/null'\n", "exit\n" };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct moved_clock clock;
        struct fr_renderer *renderer;
        struct fr_plot plot = lines_as(FR_JSON);
        struct fr_writer out;
        char why[256] = "";

        moved_clock_init(&clock);
        renderer = fr_renderer_new(1, NULL, &clock.clock);
        fr_writer_init(&out);
        fr_writer_text(&plot.script, ends[i]);
        assert_int_equal(fr_render(renderer, &plot, &out, why, sizeof why), FR_RENDER_FAILED);
        assert_int_equal(out.length, 0);
        fr_renderer_free(renderer);
        fr_writer_free(&plot.script);
        fr_writer_free(&plot.shown);
    }
}
