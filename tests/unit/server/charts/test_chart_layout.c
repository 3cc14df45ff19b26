/* Placement of legends and names that are many or long. */
#include "server/charts/plot/plot.h"
#include "tests/unit/support/check.h"
#include "tests/unit/support/plots.h"

#include <stdio.h>
#include <stdlib.h>

static const struct fr_plot_axis time_s = { .title = "Time (s)" };
static const double height[64] = { 1, 2, 3 };

/* A chart with this many series and categories and texts of this width. */
static struct fr_plot filled(int width, size_t series_count, size_t label_width,
                             size_t category_count, size_t name_width)
{
    static char label[24][80], name[64][80];
    const char *names[65] = { NULL };
    const struct fr_plot_axis x = { .title = "Runs", .categories = names };
    struct fr_series series[24];
    struct fr_plot plot = plot_of(FR_SVG);

    for (size_t i = 0; i < category_count; i++) {
        snprintf(name[i], sizeof name[i], "%0*zu", (int)name_width, i);
        names[i] = name[i];
    }
    for (size_t i = 0; i < series_count; i++) {
        snprintf(label[i], sizeof label[i], "%0*zu", (int)label_width, i);
        series[i] = (struct fr_series){ .label = label[i], .y = height, .count = category_count };
    }
    plot.width = width;
    plot.height = width * 3 / 5;
    fr_plot_groups(&plot, "t", &x, &time_s, series, series_count);
    return plot;
}

#define assert_layout(plot, wanted) check_layout((plot), (wanted), NULL, __LINE__)
#define assert_layout_without(plot, wanted, unwanted) \
    check_layout((plot), (wanted), (unwanted), __LINE__)
static void check_layout(struct fr_plot plot, const char *wanted, const char *unwanted, int line)
{
    char *script = strndup(plot.script.text, plot.script.length);

    check_contains(script, wanted, true, __FILE__, line);
    if (unwanted)
        check_contains(script, unwanted, false, __FILE__, line);
    free(script);
    check_renders(plot);
}

TEST(a_legend_stands_beside_the_chart_where_there_is_room)
{
    assert_layout(filled(900, 3, 20, 4, 2), "outside right top vertical\n");
    assert_layout(filled(900, 24, 20, 4, 2), "outside right top vertical font ',10'\n");
    assert_layout(filled(900, 3, 40, 4, 2), "outside center bottom horizontal title ' '\n");
    assert_layout(filled(300, 3, 20, 4, 2), "outside center bottom horizontal");
    /* beside it, 200 pixels of a wide phone's chart would remain, but not of a narrow one's */
    assert_layout(filled(420, 3, 8, 4, 2), "outside right top vertical\n");
    assert_layout(filled(360, 3, 8, 4, 2), "outside center bottom horizontal");
    /* one that is wider than the chart is cut */
    assert_layout_without(filled(480, 1, 60, 4, 2), "horizontal font ',10' title ' '\n",
                          "title '000000000000000000000000000000000000000000000000000");
}

TEST(a_legend_leaves_the_chart_half_of_the_height)
{
    assert_layout(filled(900, 24, 60, 4, 2),
                  "outside center bottom horizontal font ',10' title ' '");
    /* 49 of the 60 characters, in two columns */
    assert_layout_without(filled(900, 24, 60, 4, 2),
                          "title '0000000000000000000000000000000000000000000000000…'",
                          "title '00000000000000000000000000000000000000000000000000");
    assert_layout(filled(200, 24, 60, 4, 2), "outside off");
}

TEST(names_are_turned_where_they_would_touch)
{
    assert_layout_without(filled(900, 2, 8, 10, 6), "'000000' 0, ", "rotate");
    assert_layout(filled(900, 2, 8, 10, 10), "set xtics rotate by 35 right\n");
    assert_layout(filled(900, 2, 8, 10, 20), "set xtics rotate by 90 right\n"); /* they are long */
    assert_layout(filled(900, 2, 8, 40, 10),
                  "set xtics rotate by 90 right\n"); /* the names are long */
    assert_layout(filled(900, 2, 8, 64, 10), "set xtics rotate by 90 right font ',9'\n");
    assert_layout(filled(900, 2, 8, 10, 60), "'0000000000000000000000…' 0, ");
}

TEST(of_names_too_many_only_some_are_shown)
{
    assert_layout(filled(900, 2, 8, 64, 4), "'0000' 0, '0001' 1, ");
    assert_layout(filled(450, 2, 8, 64, 4), "'0000' 0, '' 1, '' 2, '0003' 3, ");
}
