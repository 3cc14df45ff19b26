/* Stacked bars: what a time is made of, one bar for each category. */
#include "chart/script.h"

#include <math.h>

static const double half_width = 0.32; /* of the distance between two bars */

static double part(const struct fr_series *series, size_t bar)
{
    const double value = bar < series->count ? series->y[bar] : NAN;

    return isfinite(value) && value > 0 ? value : 0;
}

/* A row is a rectangle: centre, middle, left, right, bottom, top. */
static void write_parts(struct fr_writer *w, size_t place, const struct fr_series *series,
                        size_t bars)
{
    fr_writer_printf(w, "$data%zu << EOD\n", place);
    for (size_t bar = 0; bar < bars; bar++) {
        const double centre = (double)bar, top = part(&series[place], bar);
        double bottom = 0;

        for (size_t below = 0; below < place; below++)
            bottom += part(&series[below], bar);
        const double row[] = { centre, bottom + top / 2, centre - half_width, centre + half_width,
                               bottom, bottom + top };

        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            fr_plot_number(w, top > 0 ? row[i] : NAN);
            fr_writer_text(w, i + 1 < sizeof row / sizeof *row ? " " : "\n");
        }
    }
    fr_writer_text(w, "EOD\n");
}

void fr_plot_bars(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                  const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    struct fr_writer *w = &plot->script;
    const struct fr_plot_axis up = { .title = y->title, .from_zero = true };
    struct fr_span span = FR_SPAN_EMPTY;
    size_t bars = 0;

    for (; x->categories[bars]; bars++) {
        double height = 0;

        for (size_t i = 0; i < count; i++)
            height += part(&series[i], bars);
        fr_span_add(&span, &up, height);
    }
    fr_script_begin(plot, title, series, count);
    fr_writer_text(w, "set grid noxtics\n");
    fr_plot_axis_write(w, 'x', x, span);
    fr_plot_axis_write(w, 'y', &up, span);
    for (size_t i = 0; i < count; i++)
        write_parts(w, i, series, bars);
    fr_writer_text(w, "plot NaN notitle");
    /* From the top down, as the legend reads. */
    for (size_t i = count; i-- > 0;) {
        fr_writer_printf(w, ", \\\n    $data%zu using 1:2:3:4:5:6", i);
        fr_script_key(w, &series[i]);
        fr_writer_text(w, " with boxxyerror fillstyle solid 1 border lc rgb '#ffffff' lw 1");
        fr_script_colour(w, &series[i], i);
    }
    fr_writer_text(w, "\n");
}
