/* Bars for each category: stacked for the phases of a time, or side by side, upright or lying. */
#include "server/charts/plot/script.h"

#include <math.h>

/* Pixels: a bar without a border; the least width of names beside lying bars. */
enum { NARROW = 4, NAMES = 100 };
static const struct fr_slot whole = { .half_width = 0.32 };

static bool has_value(const struct fr_series *series, const struct fr_plot_axis *y, size_t bar)
{
    return bar < series->count && fr_plot_axis_shows(y, series->y[bar]);
}

static double part(const struct fr_series *series, const struct fr_plot_axis *y, size_t bar)
{
    return has_value(series, y, bar) && series->y[bar] > 0 ? series->y[bar] : 0;
}

/* A row is a rectangle: centre, middle, left, right, bottom, top. */
static void write_bar(struct fr_writer *w, size_t bar, struct fr_slot slot, double bottom,
                      double top)
{
    const double row[] = {
        fr_script_place(bar, slot.offset),
        bottom + (top - bottom) / 2,
        fr_script_place(bar, slot.offset - slot.half_width),
        fr_script_place(bar, slot.offset + slot.half_width),
        bottom,
        top,
    };

    fr_script_row(w, row, sizeof row / sizeof *row);
}

static void write_gap(struct fr_writer *w)
{
    fr_script_row(w, (double[]){ NAN, NAN, NAN, NAN, NAN, NAN }, 6);
}

static void write_parts(struct fr_writer *w, const struct fr_plot_axis *y, size_t place,
                        const struct fr_series *series, size_t bars)
{
    fr_writer_printf(w, "$data%zu << EOD\n", place);
    for (size_t bar = 0; bar < bars; bar++) {
        const double height = part(&series[place], y, bar);
        double bottom = 0;

        for (size_t below = 0; below < place; below++)
            bottom += part(&series[below], y, bar);
        if (height > 0)
            write_bar(w, bar, whole, bottom, bottom + height);
        else
            write_gap(w);
    }
    fr_writer_text(w, "EOD\n");
}

/* Bars stand on the ground: zero, or the lower end of an axis without zero. */
static void write_members(struct fr_writer *w, const struct fr_plot_axis *y, double ground,
                          size_t place, struct fr_slot slot, const struct fr_series *series,
                          size_t bars)
{
    fr_writer_printf(w, "$data%zu << EOD\n", place);
    for (size_t bar = 0; bar < bars; bar++) {
        if (has_value(series, y, bar))
            write_bar(w, bar, slot, fmin(ground, series->y[bar]), fmax(ground, series->y[bar]));
        else
            write_gap(w);
    }
    fr_writer_text(w, "EOD\n");
}

/* Series that reuse a colour get another fill and a border in their colour, and so do measured
 * values beside their prediction. A border in the colour of the ground separates the other bars;
 * narrow bars have none, because the border would cover them. */
static void write_fill(struct fr_writer *w, size_t place, const struct fr_series *series,
                       double pixels)
{
    static const char *const fills[] = { "solid 1", "solid 0.4", "pattern 4" };
    const size_t round = fr_script_round(series->colour, place) + series->is_points;

    fr_writer_printf(w, " fillstyle %s", fills[round % (sizeof fills / sizeof *fills)]);
    if (round)
        fr_writer_text(w, " border");
    else if (pixels < NARROW)
        fr_writer_text(w, " noborder");
    else
        fr_writer_printf(w, " border lt %d", FR_GROUND);
}

static void plot_series(struct fr_writer *w, size_t place, const struct fr_series *series,
                        struct fr_room room, double pixels)
{
    fr_writer_printf(w, ", \\\n    $data%zu using 1:2:3:4:5:6", place);
    fr_script_key(w, series->label, room.label);
    fr_writer_text(w, " with boxxyerror lw 1");
    fr_script_colour(w, series->colour, place);
    write_fill(w, place, series, pixels);
}

static size_t count_bars(const struct fr_plot_axis *x)
{
    size_t bars = 0;

    while (x->categories[bars])
        bars++;
    return bars;
}

/* Begins the chart; `span` becomes the range of the y axis. */
static struct fr_room begin(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                            const struct fr_plot_axis *y, struct fr_span *span,
                            const struct fr_series *series, size_t count)
{
    struct fr_key key = { .count = 0 };
    struct fr_room room;

    for (size_t i = 0; i < count; i++)
        fr_key_add(&key, series[i].label);
    room = fr_script_begin(plot, title, key);
    fr_writer_text(&plot->script, "set grid noxtics\n");
    fr_plot_axis_write(plot, "x", x, *span, &room);
    *span = fr_plot_axis_write(plot, "y", y, *span, &room);
    return room;
}

void fr_plot_bars(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                  const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    struct fr_writer *w = &plot->script;
    const struct fr_plot_axis up = { .title = y->title, .from_zero = true };
    const size_t bars = count_bars(x);
    struct fr_span span = FR_SPAN_EMPTY;
    struct fr_room room;

    for (size_t bar = 0; bar < bars; bar++) {
        double height = 0;

        for (size_t i = 0; i < count; i++)
            height += part(&series[i], &up, bar);
        fr_span_add(&span, &up, height);
    }
    room = begin(plot, title, x, &up, &span, series, count);
    fr_shown_bars(plot, &up, "stack", series, count);
    for (size_t i = 0; i < count; i++)
        write_parts(w, &up, i, series, bars);
    fr_writer_text(w, "plot NaN notitle");
    /* From the top down, in the order of the legend. */
    for (size_t i = count; i-- > 0;)
        plot_series(w, i, &series[i], room,
                    2 * whole.half_width * room.width / fmax(1, (double)bars));
    fr_writer_text(w, "\n");
}

void fr_plot_groups(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                    const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    struct fr_writer *w = &plot->script;
    const struct fr_plot_axis up = { .title = y->title,
                                     .is_log = y->is_log,
                                     .from_zero = !y->is_log };
    const size_t bars = count_bars(x);
    struct fr_span span = FR_SPAN_EMPTY;
    struct fr_room room;

    for (size_t i = 0; i < count; i++)
        for (size_t bar = 0; bar < bars && bar < series[i].count; bar++)
            fr_span_add(&span, &up, series[i].y[bar]);
    if (up.is_log && span.low <= span.high)
        fr_span_add(&span, &up, pow(10, ceil(log10(span.low)) - 1)); /* no bar without length */
    room = begin(plot, title, x, &up, &span, series, count);
    fr_shown_bars(plot, &up, "bar", series, count);
    for (size_t i = 0; i < count; i++)
        write_members(w, &up, up.is_log ? span.low : 0, i, fr_script_slot(i, count), &series[i],
                      bars);
    if (span.low < 0)
        fr_writer_printf(w, "set xzeroaxis lt 1 lw 1 lc %d\n", FR_FRAME);
    fr_writer_text(w, "plot NaN notitle");
    for (size_t i = 0; i < count; i++)
        plot_series(w, i, &series[i], room,
                    2 * fr_script_slot(i, count).half_width * room.width / fmax(1, (double)bars));
    fr_writer_text(w, "\n");
}

static void write_lying(struct fr_writer *w, const struct fr_plot_axis *x, size_t place,
                        struct fr_slot slot, const struct fr_series *series, size_t bars)
{
    fr_writer_printf(w, "$data%zu << EOD\n", place);
    for (size_t bar = 0; bar < bars; bar++) {
        const double from = has_value(series, x, bar) ? fmin(0, series->y[bar]) : NAN;
        const double to = has_value(series, x, bar) ? fmax(0, series->y[bar]) : NAN;
        const double row[] = {
            from + (to - from) / 2,
            fr_script_place(bar, -slot.offset),
            from,
            to,
            fr_script_place(bar, -slot.offset - slot.half_width),
            fr_script_place(bar, -slot.offset + slot.half_width),
        };

        fr_script_row(w, row, sizeof row / sizeof *row);
    }
    fr_writer_text(w, "EOD\n");
}

void fr_plot_lying(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    struct fr_writer *w = &plot->script;
    const struct fr_plot_axis across = { .title = x->title, .from_zero = true };
    const size_t bars = count_bars(y);
    struct fr_span span = FR_SPAN_EMPTY;
    struct fr_key key = { .names = NAMES };
    struct fr_room room;

    for (size_t i = 0; i < count; i++) {
        fr_key_add(&key, series[i].label);
        for (size_t bar = 0; bar < bars && bar < series[i].count; bar++)
            fr_span_add(&span, &across, series[i].y[bar]);
    }
    room = fr_script_begin(plot, title, key);
    fr_writer_text(w, "set grid noytics\n");
    fr_plot_axis_write(plot, "y", y, FR_SPAN_EMPTY, &room);
    fr_plot_axis_write(plot, "x", &across, span, &room);
    fr_shown_bars(plot, &across, "lying", series, count);
    for (size_t i = 0; i < count; i++)
        write_lying(w, &across, i, fr_script_slot(i, count), &series[i], bars);
    fr_writer_printf(w, "set yzeroaxis lt 1 lw 1 lc %d\nplot NaN notitle", FR_FRAME);
    for (size_t i = 0; i < count; i++)
        plot_series(w, i, &series[i], room,
                    2 * fr_script_slot(i, count).half_width * room.height / fmax(1, (double)bars));
    fr_writer_text(w, "\n");
}
