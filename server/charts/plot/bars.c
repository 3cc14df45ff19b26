/* Bars for each category: stacked for the phases of a time, or side by side, upright or lying. */
#include "server/charts/plot/script.h"

#include <math.h>

/* Pixels: a bar without a border; the least width of names beside lying bars. */
enum { NARROW = 4, NAMES = 100 };

/* Named as in the JSON of a chart. */
enum how { STACKED, BESIDE, LYING };
static const char *const names[] = { [STACKED] = "stack", [BESIDE] = "bar", [LYING] = "lying" };

struct bars {
    enum how how;
    const struct fr_plot_axis *axis; /* along the bars */
    const struct fr_series *series;
    size_t count;  /* series */
    size_t each;   /* bars of a series: categories */
    double ground; /* zero, or the lower end of an axis without zero */
};

static double part(const struct bars *of, size_t place, size_t bar)
{
    const struct fr_series *series = &of->series[place];

    return bar < series->count && fr_plot_axis_shows(of->axis, series->y[bar]) ? series->y[bar]
                                                                               : (double)NAN;
}

/* The height of the stack of `places` series. */
static double stacked(const struct bars *of, size_t places, size_t bar)
{
    double height = 0;

    for (size_t i = 0; i < places; i++)
        height += fmax(0, part(of, i, bar));
    return height;
}

/* From where to where a bar reaches; NaN: there is none. */
static struct fr_span reach(const struct bars *of, size_t place, size_t bar)
{
    const double value = part(of, place, bar), bottom = stacked(of, place, bar);

    if (isnan(value) || (of->how == STACKED && value <= 0))
        return (struct fr_span){ NAN, NAN };
    return of->how == STACKED
               ? (struct fr_span){ bottom, bottom + value }
               : (struct fr_span){ fmin(of->ground, value), fmax(of->ground, value) };
}

static struct fr_slot slot_of(const struct bars *of, size_t place)
{
    return of->how == STACKED ? (struct fr_slot){ .half_width = 0.32 }
                              : fr_script_slot(place, of->count);
}

/* A row is a rectangle: centre, middle, left, right, bottom, top. */
static void write_bar(struct fr_writer *w, const struct bars *of, size_t place, size_t bar)
{
    const struct fr_slot slot = slot_of(of, place);
    const struct fr_span along = reach(of, place, bar);
    const double offset = of->how == LYING ? -slot.offset : slot.offset;
    const double middle = along.low + (along.high - along.low) / 2;
    const double centre = fr_script_place(bar, offset);
    const double near = fr_script_place(bar, offset - slot.half_width);
    const double far = fr_script_place(bar, offset + slot.half_width);

    if (of->how == LYING)
        fr_script_row(w, (double[]){ middle, centre, along.low, along.high, near, far }, 6);
    else if (isnan(middle))
        fr_script_row(w, (double[]){ NAN, NAN, NAN, NAN, NAN, NAN }, 6);
    else
        fr_script_row(w, (double[]){ centre, middle, near, far, along.low, along.high }, 6);
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

static struct fr_span span_of(const struct bars *of)
{
    struct fr_span span = FR_SPAN_EMPTY;

    for (size_t bar = 0; bar < of->each; bar++)
        if (of->how == STACKED)
            fr_span_add(&span, of->axis, stacked(of, of->count, bar));
        else
            for (size_t i = 0; i < of->count; i++)
                if (bar < of->series[i].count)
                    fr_span_add(&span, of->axis, of->series[i].y[bar]);
    if (of->axis->is_log && span.low <= span.high)
        fr_span_add(&span, of->axis,
                    pow(10, ceil(log10(span.low)) - 1)); /* no bar without length */
    return span;
}

static void draw(struct fr_plot *plot, const char *title, const struct fr_plot_axis *categories,
                 struct bars *of)
{
    struct fr_writer *w = &plot->script;
    const bool is_lying = of->how == LYING;
    struct fr_key key = { .names = is_lying ? NAMES : 0 };
    struct fr_span span;
    struct fr_room room;

    while (categories->categories[of->each])
        of->each++;
    for (size_t i = 0; i < of->count; i++)
        fr_key_add(&key, of->series[i].label);
    span = span_of(of);
    room = fr_script_begin(plot, title, key);
    fr_writer_printf(w, "set grid no%stics\n", is_lying ? "y" : "x");
    fr_plot_axis_write(plot, is_lying ? "y" : "x", categories, FR_SPAN_EMPTY, &room);
    span = fr_plot_axis_write(plot, is_lying ? "x" : "y", of->axis, span, &room);
    of->ground = of->axis->is_log ? span.low : 0;
    fr_shown_bars(plot, of->axis, names[of->how], of->series, of->count);
    for (size_t i = 0; i < of->count; i++) {
        fr_writer_printf(w, "$data%zu << EOD\n", i);
        for (size_t bar = 0; bar < of->each; bar++)
            write_bar(w, of, i, bar);
        fr_writer_text(w, "EOD\n");
    }
    if (is_lying || span.low < 0)
        fr_writer_printf(w, "set %szeroaxis lt 1 lw 1 lc %d\n", is_lying ? "y" : "x", FR_FRAME);
    fr_writer_text(w, "plot NaN notitle");
    for (size_t i = 0; i < of->count; i++) {
        /* Stacks from the top down, in the order of the legend. */
        const size_t place = of->how == STACKED ? of->count - 1 - i : i;

        plot_series(w, place, &of->series[place], room,
                    2 * slot_of(of, place).half_width * (is_lying ? room.height : room.width) /
                        fmax(1, (double)of->each));
    }
    fr_writer_text(w, "\n");
}

void fr_plot_bars(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                  const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    const struct fr_plot_axis up = { .title = y->title, .from_zero = true };

    draw(plot, title, x,
         &(struct bars){ .how = STACKED, .axis = &up, .series = series, .count = count });
}

void fr_plot_groups(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                    const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    const struct fr_plot_axis up = { .title = y->title,
                                     .is_log = y->is_log,
                                     .from_zero = !y->is_log };

    draw(plot, title, x,
         &(struct bars){ .how = BESIDE, .axis = &up, .series = series, .count = count });
}

void fr_plot_lying(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    const struct fr_plot_axis across = { .title = x->title, .from_zero = true };

    draw(plot, title, y,
         &(struct bars){ .how = LYING, .axis = &across, .series = series, .count = count });
}
