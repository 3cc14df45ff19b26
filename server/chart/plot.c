/* The chart that most kinds are: lines over an axis. */
#include "chart/script.h"

#include <math.h>

enum { MOST_MARKERS = 24 }; /* on one line */

/* Series differ in colour, dashes and marker at once: in grey, too, they can be told apart. */
static const char *const dashes[] = { "1",          "(14,5)", "(3,4)",
                                      "(14,4,3,4)", "(8,3)",  "(14,4,3,4,3,4)" };
static const int markers[] = { 7, 5, 9, 13, 11, 15, 6, 4, 8, 12, 10, 14, 2, 1, 3 };
/* The hollow ones of the same order, for measured points: a line's marker shows through. */
static const int hollow_markers[] = { 6, 4, 8, 12, 10, 14, 2, 1, 3 };

static void write_data(struct fr_writer *w, size_t place, const struct fr_series *series,
                       const struct fr_plot_axis *x, const struct fr_plot_axis *y)
{
    fr_writer_printf(w, "$data%zu << EOD\n", place);
    for (size_t i = 0; i < series->count; i++) {
        const bool is_shown =
            fr_plot_axis_shows(x, series->x[i]) && fr_plot_axis_shows(y, series->y[i]);

        if (!fr_plot_axis_shows(x, series->x[i]))
            continue;
        fr_plot_number(w, series->x[i]);
        fr_writer_text(w, " ");
        fr_plot_number(w, is_shown ? series->y[i] : NAN);
        fr_writer_text(w, "\n");
    }
    /* gnuplot refuses a block without a point, not one whose point is a gap. */
    if (!series->count)
        fr_writer_text(w, "NaN NaN\n");
    fr_writer_text(w, "EOD\n");
}

static void write_series(struct fr_writer *w, size_t place, const struct fr_series *series)
{
    const size_t shape = series->shape ? series->shape - 1 : place;
    const int marker = markers[shape % (sizeof markers / sizeof *markers)];
    const int hollow = hollow_markers[shape % (sizeof hollow_markers / sizeof *hollow_markers)];
    const size_t interval = (series->count + MOST_MARKERS - 1) / MOST_MARKERS;

    fr_writer_printf(w, "$data%zu using 1:2", place);
    fr_script_key(w, series);
    if (series->is_points) {
        fr_writer_printf(w, " with points lw 1.5 pt %d ps 1.3", hollow);
    } else {
        fr_writer_printf(w, " with linespoints lw 2 dt %s pt %d ps 0.8",
                         dashes[shape % (sizeof dashes / sizeof *dashes)], marker);
        if (interval > 1)
            fr_writer_printf(w, " pi %zu", interval);
    }
    fr_script_colour(w, series, place);
}

static void write_marks(struct fr_writer *w, const struct fr_plot_axis *x)
{
    for (size_t i = 0; i < x->mark_count; i++) {
        fr_writer_text(w, "set arrow from first ");
        fr_plot_number(w, x->marks[i].x);
        fr_writer_text(w, ", graph 0 to first ");
        fr_plot_number(w, x->marks[i].x);
        fr_writer_text(w, ", graph 1 nohead back lw 1 dt (6,4) lc rgb '#808080'\nset label ");
        fr_plot_text(w, x->marks[i].label);
        fr_writer_text(w, " at first ");
        fr_plot_number(w, x->marks[i].x);
        fr_writer_text(w, ", graph 0.02 rotate by 90 left offset -1,0 font ',10'"
                          " textcolor rgb '#606060' noenhanced\n");
    }
}

void fr_plot_lines(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    struct fr_writer *w = &plot->script;
    struct fr_span across = FR_SPAN_EMPTY, up = FR_SPAN_EMPTY;

    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < series[i].count; k++) {
            fr_span_add(&across, x, series[i].x[k]);
            if (fr_plot_axis_shows(x, series[i].x[k]))
                fr_span_add(&up, y, series[i].y[k]);
        }
    }
    fr_script_begin(plot, title, series, count);
    fr_plot_axis_write(w, 'x', x, across);
    fr_plot_axis_write(w, 'y', y, up);
    write_marks(w, x);
    for (size_t i = 0; i < count; i++)
        write_data(w, i, &series[i], x, y);
    fr_writer_text(w, "plot NaN notitle");
    for (size_t i = 0; i < count; i++) {
        fr_writer_text(w, ", \\\n    ");
        write_series(w, i, &series[i]);
    }
    fr_writer_text(w, "\n");
}
