/* Box plots: the spread of repetitions of the same run, with the predicted value. */
#include "server/charts/plot/script.h"

static const char predicted_label[] = "predicted";

static bool is_shown(const struct fr_plot_axis *y, const struct fr_box *box)
{
    return fr_plot_axis_shows(y, box->low) && fr_plot_axis_shows(y, box->lower_quartile) &&
           fr_plot_axis_shows(y, box->median) && fr_plot_axis_shows(y, box->upper_quartile) &&
           fr_plot_axis_shows(y, box->high);
}

static void add_box(struct fr_span *span, const struct fr_plot_axis *y, const struct fr_box *box)
{
    if (is_shown(y, box)) {
        fr_span_add(span, y, box->low);
        fr_span_add(span, y, box->high);
    }
    for (size_t i = 0; i < box->outlier_count; i++)
        fr_span_add(span, y, box->outliers[i]);
}

/* Centre, lower quartile, ends of the whiskers, upper quartile, width, median, left. */
static void write_box(struct fr_writer *w, const struct fr_box *box, struct fr_slot slot)
{
    const double row[] = {
        fr_script_place(box->category, slot.offset),
        box->lower_quartile,
        box->low,
        box->high,
        box->upper_quartile,
        fr_script_place(0, 2 * slot.half_width),
        box->median,
        fr_script_place(box->category, slot.offset - slot.half_width),
    };

    fr_script_row(w, row, sizeof row / sizeof *row);
}

static void write_point(struct fr_writer *w, const struct fr_plot_axis *y, const struct fr_box *box,
                        struct fr_slot slot, double value)
{
    if (fr_plot_axis_shows(y, value))
        fr_script_row(w, (double[]){ fr_script_place(box->category, slot.offset), value }, 2);
}

static void write_boxes(struct fr_writer *w, size_t place, struct fr_slot slot,
                        const struct fr_plot_axis *y, const struct fr_box_series *series)
{
    fr_writer_printf(w, "$data%zu << EOD\nNaN NaN NaN NaN NaN NaN NaN NaN\n", place);
    for (size_t i = 0; i < series->count; i++)
        if (is_shown(y, &series->boxes[i]))
            write_box(w, &series->boxes[i], slot);
    fr_writer_printf(w, "EOD\n$outliers%zu << EOD\nNaN NaN\n", place);
    for (size_t i = 0; i < series->count; i++)
        for (size_t k = 0; k < series->boxes[i].outlier_count; k++)
            write_point(w, y, &series->boxes[i], slot, series->boxes[i].outliers[k]);
    fr_writer_text(w, "EOD\n");
}

static void write_predicted(struct fr_writer *w, const struct fr_plot_axis *y,
                            const struct fr_box_series *series, size_t count)
{
    fr_writer_text(w, "$predicted << EOD\nNaN NaN\n");
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; series[i].predicted && k < series[i].count; k++)
            write_point(w, y, &series[i].boxes[k], fr_script_slot(i, count),
                        series[i].predicted[k]);
    fr_writer_text(w, "EOD\n");
}

/* Light, so that the median is visible; series that reuse a colour get another fill. */
static const char *const fills[] = { "solid 0.35", "empty", "pattern 4" };

static void plot_series(struct fr_writer *w, size_t place, const struct fr_box_series *series,
                        size_t label)
{
    fr_writer_printf(w, ", \\\n    $data%zu using 1:2:3:4:5:6", place);
    fr_script_key(w, series->label, label);
    fr_writer_text(w, " with candlesticks whiskerbars 0.5 lw 1.2");
    fr_script_colour(w, series->colour, place);
    fr_writer_printf(
        w, " fillstyle %s border",
        fills[fr_script_round(series->colour, place) % (sizeof fills / sizeof *fills)]);
    fr_writer_printf(w, ", \\\n    $data%zu using 8:7:6:(0) notitle with vectors nohead lw 2.5",
                     place);
    fr_script_colour(w, series->colour, place);
    fr_writer_printf(w, ", \\\n    $outliers%zu using 1:2 notitle with points lw 1 pt 6 ps 0.5",
                     place);
    fr_script_colour(w, series->colour, place);
}

/* As dark as text with a rim as light as the ground, or the reverse: visible on boxes of any
 * colour. */
static void plot_predicted(struct fr_writer *w, size_t label)
{
    fr_writer_printf(w,
                     ", \\\n    $predicted using 1:2 notitle with points pt 13 ps 1.3 lc %d"
                     ", \\\n    $predicted using 1:2",
                     FR_GROUND);
    fr_script_key(w, predicted_label, label);
    fr_writer_printf(w, " with points pt 13 ps 0.8 lc %d", FR_INK);
}

void fr_plot_boxes(struct fr_plot *plot, const char *title, const struct fr_plot_axis *x,
                   const struct fr_plot_axis *y, const struct fr_box_series *series, size_t count)
{
    struct fr_writer *w = &plot->script;
    struct fr_span span = FR_SPAN_EMPTY;
    struct fr_key key = { .count = 0 };
    struct fr_room room;
    bool has_predicted = false;

    for (size_t i = 0; i < count; i++) {
        fr_key_add(&key, series[i].label);
        has_predicted = has_predicted || series[i].predicted;
        for (size_t k = 0; k < series[i].count; k++) {
            add_box(&span, y, &series[i].boxes[k]);
            if (series[i].predicted)
                fr_span_add(&span, y, series[i].predicted[k]);
        }
    }
    if (has_predicted)
        fr_key_add(&key, predicted_label);
    room = fr_script_begin(plot, title, key);
    fr_writer_text(w, "set grid noxtics\n");
    fr_plot_axis_write(plot, "x", x, span, &room);
    fr_plot_axis_write(plot, "y", y, span, &room);
    fr_shown_boxes(plot, series, count);
    for (size_t i = 0; i < count; i++)
        write_boxes(w, i, fr_script_slot(i, count), y, &series[i]);
    if (has_predicted)
        write_predicted(w, y, series, count);
    fr_writer_text(w, "plot NaN notitle");
    for (size_t i = 0; i < count; i++)
        plot_series(w, i, &series[i], room.label);
    if (has_predicted)
        plot_predicted(w, room.label);
    fr_writer_text(w, "\n");
}
