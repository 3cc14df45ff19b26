/* Where the best of the lines of a chart changes.
 *
 * A line overtakes the best so far where it is better by more than what nobody sees; the crossing
 * is where both were equal last, between two of their points. */
#include "server/charts/chart.h"
#include "server/charts/plot/script.h"

#include "engine/core/number.h"

#include <math.h>

#define UNSEEN 0.005 /* of a value */

static double scaled(double value, const struct fr_plot_axis *axis)
{
    return axis->is_log ? log(value) : value;
}

static bool is_line(const struct fr_series *series)
{
    return !series->is_points && !series->is_right;
}

static bool is_better(double one, double other, bool is_least)
{
    return is_least ? one < other * (1 - UNSEEN) : one > other * (1 + UNSEEN);
}

/* The line that is clearly better than `best` at a point, of several the best one. */
static const struct fr_series *overtaking(const struct fr_series *series, size_t count,
                                          const struct fr_series *best, size_t at, bool is_least)
{
    for (size_t k = 0; k < count; k++)
        if (is_line(&series[k]) && !isnan(series[k].y[at]) &&
            (!best || isnan(best->y[at]) || is_better(series[k].y[at], best->y[at], is_least)))
            best = &series[k];
    return best;
}

/* Where `now`, which is better at the point `at`, met `before`; NaN if not between points of both.
 */
static double meeting(const struct fr_series *before, const struct fr_series *now, size_t at,
                      const struct fr_plot_axis *x, const struct fr_plot_axis *y)
{
    double right = scaled(now->y[at], y) - scaled(before->y[at], y);

    for (size_t i = at; i-- > 0;) {
        const double left = scaled(now->y[i], y) - scaled(before->y[i], y);
        const double low = scaled(now->x[i], x), high = scaled(now->x[i + 1], x);

        if (isnan(left) || isnan(right))
            return NAN;
        if (left * right <= 0) {
            const double place = low + (high - low) * left / (left - right);

            return x->is_log ? exp(place) : place;
        }
        right = left;
    }
    return NAN;
}

/* "25d from about 5900": two digits, as it lies between points. */
static const char *label_of(const struct fr_series *line, double place, struct fr_arena *arena)
{
    const double unit = pow(10, floor(log10(place)) - 1);
    char number[FR_ROUNDED_TEXT];

    fr_number_rounded(round(place / unit) * unit, FR_NEAREST, number);
    return fr_chart_text(arena, "%.120s from about %s", line->label, number);
}

size_t fr_crossings_mark(const struct fr_series *series, size_t count, bool is_least,
                         const struct fr_plot_axis *x, const struct fr_plot_axis *y,
                         struct fr_arena *arena, struct fr_plot_mark marks[FR_CROSSINGS])
{
    const struct fr_series *best = NULL;
    size_t marked = 0;

    for (size_t i = 0; count && i < series[0].count; i++) {
        const struct fr_series *now = overtaking(series, count, best, i, is_least);
        double place = NAN;

        if (i && !(series[0].x[i] > series[0].x[i - 1]))
            return 0;
        if (best && now != best)
            place = meeting(best, now, i, x, y);
        best = now;
        if (!(place > 0))
            continue;
        if (marked == FR_CROSSINGS)
            return 0;
        marks[marked].x = place;
        marks[marked].label = label_of(now, place, arena);
        if (!marks[marked++].label)
            return 0;
    }
    return marked;
}
