/* The most common chart: lines over an axis, with bands below them and points above.
 *
 * A line and its band are drawn twice if they leave the calibrated range: dashed, with hollow
 * markers and fainter as a whole, and above that, as usual, the points of the range and what lies
 * between them. */
#include "server/charts/plot/script.h"

#include <math.h>
#include <stdio.h>

enum { MOST_MARKERS = 24 }; /* limits for one line */
/* Pixels: of the numbers and the title of a right axis, and of the least width between two axes. */
enum { RIGHT_AXIS = 70, TWO_AXES = 320 };

/* Series differ in colour and marker, those without markers in colour and dashes, so that they are
 * also distinct in greyscale.  Dashes of a line with markers say that it leaves the calibrated
 * range. */
static const char *const dashes[] = { "1",          "(14,5)", "(3,4)",
                                      "(14,4,3,4)", "(8,3)",  "(14,4,3,4,3,4)" };
static const int markers[] = { 7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14, 2, 1, 3 };
/* The same outside the calibrated range. */
static const int outside_markers[] = { 6, 4, 8, 12, 10, 14, 6, 4, 8, 12, 10, 14, 2, 1, 3 };

static const char outside_dashes[] = "(9,6)";
static const char outside_label[] = "dashed: extrapolated";

static const char band_fill[] = " fillstyle transparent solid 0.22 noborder";
static const char outside_fill[] = " fillstyle transparent solid 0.09 noborder";

struct axes {
    const struct fr_plot_axis *x, *y;
    struct fr_span across, up, right;
};

static bool is_right(const struct axes *axes, const struct fr_series *series)
{
    return series->is_right && axes->y->right;
}

static const struct fr_plot_axis *axis_of(const struct axes *axes, const struct fr_series *series)
{
    return is_right(axes, series) ? axes->y->right : axes->y;
}

static void measure(struct axes *axes, const struct fr_series *series)
{
    const struct fr_plot_axis *y = axis_of(axes, series);
    struct fr_span *up = is_right(axes, series) ? &axes->right : &axes->up;

    for (size_t i = 0; i < series->count; i++) {
        fr_span_add(&axes->across, axes->x, series->x[i]);
        if (!fr_plot_axis_shows(axes->x, series->x[i]))
            continue;
        fr_span_add(up, y, series->y[i]);
        if (series->low) {
            fr_span_add(up, y, series->low[i]);
            fr_span_add(up, y, series->high[i]);
        }
    }
}

/* A series as a whole, or only its points inside the calibrated range. */
enum part { WHOLE, INSIDE };
static const char *const data[] = { [WHOLE] = "$data", [INSIDE] = "$inside" };
static const char *const bands[] = { [WHOLE] = "$band", [INSIDE] = "$core" };

static bool is_in(const struct fr_series *series, size_t i, enum part part)
{
    return part == WHOLE || !series->is_outside || !series->is_outside[i];
}

static size_t count_outside(const struct fr_series *series)
{
    size_t count = 0;

    for (size_t i = 0; i < series->count; i++)
        count += !is_in(series, i, INSIDE);
    return count;
}

static void write_data(struct fr_writer *w, size_t place, const struct fr_series *series,
                       const struct axes *axes, enum part part)
{
    const struct fr_plot_axis *y = axis_of(axes, series);

    fr_writer_printf(w, "%s%zu << EOD\n", data[part], place);
    for (size_t i = 0; i < series->count; i++) {
        const bool is_shown = fr_plot_axis_shows(y, series->y[i]) && is_in(series, i, part);

        if (fr_plot_axis_shows(axes->x, series->x[i]))
            fr_script_row(w, (double[]){ series->x[i], is_shown ? series->y[i] : NAN }, 2);
    }
    /* gnuplot refuses an empty block, but accepts one whose only point is a gap. */
    if (!series->count)
        fr_writer_text(w, "NaN NaN\n");
    fr_writer_text(w, "EOD\n");
}

static bool has_band(const struct fr_series *series, const struct axes *axes, size_t i,
                     enum part part)
{
    const struct fr_plot_axis *y = axis_of(axes, series);

    return i < series->count && is_in(series, i, part) &&
           fr_plot_axis_shows(axes->x, series->x[i]) && fr_plot_axis_shows(y, series->low[i]) &&
           fr_plot_axis_shows(y, series->high[i]);
}

/* A position slightly to one side of x. */
static double aside(const struct axes *axes, double x, double part)
{
    if (axes->x->is_log || axes->x->is_log2)
        return x * pow(axes->across.high / axes->across.low, part);
    return x + part * (axes->across.high - axes->across.low);
}

/* Blank rows split the band at its gaps. A value between two gaps is drawn as wide as a marker. */
static void write_band(struct fr_writer *w, size_t place, const struct fr_series *series,
                       const struct axes *axes, enum part part)
{
    const double half_width = 0.008;

    fr_writer_printf(w, "%s%zu << EOD\nNaN NaN NaN\n", bands[part], place);
    for (size_t i = 0; i < series->count; i++) {
        const double low = series->low[i], high = series->high[i], x = series->x[i];
        const bool is_first = i == 0 || !has_band(series, axes, i - 1, part);
        const bool is_last = !has_band(series, axes, i + 1, part);

        if (!has_band(series, axes, i, part))
            continue;
        if (is_first)
            fr_writer_text(w, "\n");
        if (is_first && is_last) {
            fr_script_row(w, (double[]){ aside(axes, x, -half_width), low, high }, 3);
            fr_script_row(w, (double[]){ aside(axes, x, half_width), low, high }, 3);
        } else {
            fr_script_row(w, (double[]){ x, low, high }, 3);
        }
    }
    fr_writer_text(w, "EOD\n");
}

static void write_parts(struct fr_writer *w, size_t place, const struct fr_series *series,
                        const struct axes *axes)
{
    const enum part last = count_outside(series) ? INSIDE : WHOLE;

    for (int part = WHOLE; part <= (int)last; part++) {
        write_data(w, place, series, axes, (enum part)part);
        if (series->low)
            write_band(w, place, series, axes, (enum part)part);
    }
}

static void plot_band(struct fr_writer *w, size_t place, const struct fr_series *series,
                      const struct axes *axes, enum part part, const char *fill)
{
    fr_writer_printf(w, ", \\\n    %s%zu using 1:2:3%s notitle with filledcurves%s", bands[part],
                     place, is_right(axes, series) ? " axes x1y2" : "", fill);
    fr_script_colour(w, series->colour, place);
}

static void plot_bands(struct fr_writer *w, size_t place, const struct fr_series *series,
                       const struct axes *axes)
{
    const bool leaves_range = count_outside(series) > 0;

    if (!series->low)
        return;
    plot_band(w, place, series, axes, WHOLE, leaves_range ? outside_fill : band_fill);
    if (leaves_range)
        plot_band(w, place, series, axes, INSIDE, band_fill);
}

/* title: the legend entry, or NULL. */
static void plot_line(struct fr_writer *w, size_t place, const struct fr_series *series,
                      const struct axes *axes, enum part part, const char *title, size_t label)
{
    const size_t shape = series->shape ? series->shape - 1 : place;
    const size_t points = series->count - (part == INSIDE ? count_outside(series) : 0);
    const size_t interval = (points + MOST_MARKERS - 1) / MOST_MARKERS;
    const bool is_outside = part == WHOLE && count_outside(series) > 0;
    const int *const marker = is_outside ? outside_markers : markers;

    fr_writer_printf(w, ", \\\n    %s%zu using 1:2%s", data[part], place,
                     is_right(axes, series) ? " axes x1y2" : "");
    fr_script_key(w, title, label);
    if (series->is_points) {
        fr_writer_text(w, " with points lw 1.5");
        fr_script_hollow(w, series->shape, place);
        fr_writer_text(w, " ps 1.3");
    } else if (series->is_bare) {
        fr_writer_printf(w, " with lines lw 2 dt %s",
                         dashes[shape % (sizeof dashes / sizeof *dashes)]);
    } else {
        fr_writer_printf(w, " with linespoints lw 2 dt %s pt %d ps 0.8",
                         is_outside ? outside_dashes : "1",
                         marker[shape % (sizeof markers / sizeof *markers)]);
        if (interval > 1)
            fr_writer_printf(w, " pi %zu", interval);
    }
    fr_script_colour(w, series->colour, place);
}

static void plot_series(struct fr_writer *w, size_t place, const struct fr_series *series,
                        const struct axes *axes, size_t label)
{
    const size_t outside = count_outside(series);
    const bool is_split = outside > 0 && outside < series->count;

    plot_line(w, place, series, axes, WHOLE, is_split ? NULL : series->label, label);
    if (is_split)
        plot_line(w, place, series, axes, INSIDE, series->label, label);
    if (!series->low || !series->band_label)
        return;
    /* The band is drawn below all lines; its legend entry follows that of its line. */
    fr_writer_text(w, ", \\\n    NaN");
    fr_script_key(w, series->band_label, label);
    fr_writer_printf(w, " with boxes%s", band_fill);
    fr_script_colour(w, series->colour, place);
}

static void write_axes(struct fr_plot *plot, const struct axes *axes, struct fr_room room)
{
    const struct fr_span across = fr_plot_axis_write(plot, "x", axes->x, axes->across, &room);

    fr_plot_axis_write(plot, "y", axes->y, axes->up, &room);
    if (axes->y->right) {
        fr_writer_printf(&plot->script, "set border 11\nset y2tics nomirror out textcolor lt %d\n",
                         FR_INK);
        fr_plot_axis_write(plot, "y2", axes->y->right, axes->right, &room);
    }
    fr_marks_write(plot, axes->x, across, &room);
}

void fr_plot_lines(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    struct fr_writer *w = &plot->script;
    struct axes axes = { x, y, FR_SPAN_EMPTY, FR_SPAN_EMPTY, FR_SPAN_EMPTY };
    struct fr_key key = { .count = 0 };
    struct fr_room room;
    bool leaves_range = false;

    for (size_t i = 0; i < count; i++) {
        measure(&axes, &series[i]);
        fr_key_add(&key, series[i].label);
        if (series[i].low)
            fr_key_add(&key, series[i].band_label);
        leaves_range = leaves_range || count_outside(&series[i]) > 0;
    }
    if (leaves_range)
        fr_key_add(&key, outside_label);
    if (y->right) {
        key.beside = RIGHT_AXIS;
        key.least_axes = TWO_AXES;
    }
    plot->lines_above = fr_marks_above(x);
    room = fr_script_begin(plot, title, key);
    write_axes(plot, &axes, room);
    fr_shown_lines(plot, x, y, series, count);
    for (size_t i = 0; i < count; i++)
        write_parts(w, i, &series[i], &axes);
    fr_writer_text(w, "plot NaN notitle");
    for (size_t i = 0; i < count; i++)
        plot_bands(w, i, &series[i], &axes);
    for (size_t i = 0; i < count; i++)
        plot_series(w, i, &series[i], &axes, room.label);
    if (leaves_range) {
        fr_writer_text(w, ", \\\n    NaN");
        fr_script_key(w, outside_label, room.label);
        fr_writer_printf(w, " with lines lw 2 dt %s lc %d", outside_dashes, FR_FAINT);
    }
    fr_writer_text(w, "\n");
}
