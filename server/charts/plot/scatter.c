/* Predicted against measured values; points on the diagonal are exact predictions. */
#include "server/charts/plot/script.h"

#include <math.h>

static const double margin = 0.2; /* relative to the measured value, above and below */
static const double room_around = 1.3;
static const char diagonal_label[] = "predicted = measured", margin_label[] = "± 20 %";
enum { MANY_POINTS = 400 };

static bool is_shown(const struct fr_plot_axis *axis, const struct fr_series *series, size_t i)
{
    return fr_plot_axis_shows(axis, series->x[i]) && fr_plot_axis_shows(axis, series->y[i]);
}

static void write_data(struct fr_writer *w, size_t place, const struct fr_plot_axis *axis,
                       const struct fr_series *series)
{
    fr_writer_printf(w, "$data%zu << EOD\nNaN NaN\n", place);
    for (size_t i = 0; i < series->count; i++)
        if (is_shown(axis, series, i))
            fr_script_row(w, (double[]){ series->x[i], series->y[i] }, 2);
    fr_writer_text(w, "EOD\n");
}

/* The part of y = factor x inside the range. */
static void write_ray(struct fr_writer *w, const char *name, struct fr_span range, double factor)
{
    const double low = fmax(range.low, range.low / factor);
    const double high = fmin(range.high, range.high / factor);

    fr_writer_printf(w, "$%s << EOD\n", name);
    fr_script_row(w, (double[]){ low, factor * low }, 2);
    fr_script_row(w, (double[]){ high, factor * high }, 2);
    fr_writer_text(w, "EOD\n");
}

static void plot_rays(struct fr_writer *w, size_t label)
{
    fr_writer_text(w, "plot $above using 1:2");
    fr_script_key(w, margin_label, label);
    fr_writer_printf(w,
                     " with lines lw 1.2 dt (8,5) lc %d, \\\n"
                     "    $below using 1:2 notitle with lines lw 1.2 dt (8,5) lc %d, \\\n"
                     "    $exact using 1:2",
                     FR_FAINT, FR_FAINT);
    fr_script_key(w, diagonal_label, label);
    fr_writer_printf(w, " with lines lw 1.5 lc %d", FR_FAINT);
}

static void plot_points(struct fr_writer *w, size_t place, const struct fr_series *series,
                        size_t label, bool is_crowded)
{
    fr_writer_printf(w, ", \\\n    $data%zu using 1:2", place);
    fr_script_key(w, series->label, label);
    fr_writer_text(w, " with points");
    fr_script_hollow(w, series->shape, place);
    fr_writer_text(w, is_crowded ? " lw 1 ps 0.5" : " lw 1.3 ps 0.9");
    fr_script_colour(w, series->colour, place);
}

void fr_plot_scatter(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                     const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    struct fr_writer *w = &plot->script;
    const struct fr_plot_axis across = { .title = x->title, .is_log = true };
    const struct fr_plot_axis up = { .title = y->title, .is_log = true };
    struct fr_key key = { .count = 0 };
    struct fr_span span = FR_SPAN_EMPTY;
    struct fr_room room;
    size_t points = 0;

    fr_key_add(&key, margin_label);
    fr_key_add(&key, diagonal_label);
    for (size_t i = 0; i < count; i++) {
        fr_key_add(&key, series[i].label);
        points += series[i].count;
        for (size_t k = 0; k < series[i].count; k++)
            if (is_shown(&up, &series[i], k)) {
                fr_span_add(&span, &up, series[i].x[k] / room_around);
                fr_span_add(&span, &up, series[i].x[k] * room_around);
                fr_span_add(&span, &up, series[i].y[k]);
            }
    }
    room = fr_script_begin(plot, title, key);
    /* Both axes have the same length and the same tics. */
    room.width = room.height = fmin(room.width, room.height);
    fr_writer_text(w, "set size square\n");
    fr_plot_axis_write(plot, "x", &across, span, &room);
    span = fr_plot_axis_write(plot, "y", &up, span, &room);
    fr_shown_lines(plot, &across, &up, series, count);
    write_ray(w, "above", span, 1 + margin);
    write_ray(w, "below", span, 1 - margin);
    write_ray(w, "exact", span, 1);
    for (size_t i = 0; i < count; i++)
        write_data(w, i, &up, &series[i]);
    plot_rays(w, room.label);
    for (size_t i = 0; i < count; i++)
        plot_points(w, i, &series[i], room.label, points > MANY_POINTS);
    fr_writer_text(w, "\n");
}
