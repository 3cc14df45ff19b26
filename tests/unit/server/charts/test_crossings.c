/* Where the best of the lines of a chart changes, on lines whose meeting is worked out by hand. */
#include "server/charts/chart.h"
#include "tests/unit/support/question.h"

#include <math.h>
#include <string.h>

enum { POINTS = 6 };

static const struct fr_plot_axis plain = { 0 }, scaled = { .is_log = true };
static const double rising[POINTS] = { 1, 2, 3, 4, 5, 6 };

TEST(a_line_is_marked_where_it_overtakes_the_best)
{
    static const struct {
        const char *label;
        double a[POINTS], b[POINTS], place; /* NaN: no mark */
        bool is_least, is_log;
    } rows[] = {
        { "b from about 1.5", { 1, 3, 5, 7, 9, 11 }, { 2, 2, 2, 2, 2, 2 }, 1.5, true, false },
        { "a from about 1.5", { 1, 3, 5, 7, 9, 11 }, { 2, 2, 2, 2, 2, 2 }, 1.5, false, false },
        /* a = x^2 and b = 5 meet at sqrt 5, where both are straight */
        { "b from about 2.2",
          { 1, 4, 9, 16, 25, 36 },
          { 5, 5, 5, 5, 5, 5 },
          2.2360679774997898,
          true,
          true },
        { "it shows at 3, and they met at 2",
          { 2, 2, 2, 2, 2, 2 },
          { 2.002, 2, 1.98, 1.98, 1.98, 1.98 },
          2,
          true,
          false },
        { "no one sees it",
          { 2, 2, 2, 2, 2, 2 },
          { 2.002, 1.998, 2.002, 1.998, 2, 2 },
          NAN,
          true,
          false },
        { "a alone at first", { 3, 3, 3, 3, 3, 3 }, { NAN, NAN, 2, 2, 2, 2 }, NAN, true, false },
        { "a ends", { 1, 1, 1, NAN, NAN, NAN }, { 2, 2, 2, 2, 2, 2 }, NAN, true, false },
        { "three times", { 1, 3, 1, 3, 3, 3 }, { 2, 2, 2, 2, 2, 2 }, NAN, true, false },
    };
    struct fr_arena *arena = *state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct fr_plot_axis *axis = rows[i].is_log ? &scaled : &plain;
        const double best[POINTS] = { 0 };
        const struct fr_series series[] = {
            { .label = "a", .x = rising, .y = rows[i].a, .count = POINTS },
            { .label = "runs", .x = rising, .y = best, .count = POINTS, .is_points = true },
            { .label = "b", .x = rising, .y = rows[i].b, .count = POINTS },
        };
        struct fr_plot_mark marks[FR_CROSSINGS];
        const size_t count =
            fr_crossings_mark(series, 3, rows[i].is_least, axis, axis, arena, marks);

        assert_int_equal(count, !isnan(rows[i].place));
        if (!count)
            continue;
        assert_close(marks[0].x, rows[i].place, 1e-12);
        if (strstr(rows[i].label, "about"))
            assert_string_equal(marks[0].label, rows[i].label);
    }
}

TEST(what_does_not_rise_has_no_marks)
{
    const double x[] = { 1, 3, 2 }, a[] = { 1, 3, 3 }, b[] = { 2, 2, 2 };
    const struct fr_series series[] = { { .label = "a", .x = x, .y = a, .count = 3 },
                                        { .label = "b", .x = x, .y = b, .count = 3 } };
    struct fr_plot_mark marks[FR_CROSSINGS];

    assert_int_equal(fr_crossings_mark(series, 2, true, &plain, &plain, *state, marks), 0);
    assert_int_equal(fr_crossings_mark(series, 0, true, &plain, &plain, *state, marks), 0);
}

GROUP(arena_begin, arena_end)
