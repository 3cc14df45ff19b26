/* What a chart shows, as JSON: axes, series and points, for programs that read values off the
 * picture. The axes are those of the picture, because the functions that draw it call these. */
#include "server/charts/plot/script.h"

#include <string.h>

static bool is_wanted(const struct fr_plot *plot)
{
    return plot->format == FR_JSON;
}

void fr_shown_begin(struct fr_plot *plot, const char *title)
{
    struct fr_writer *w = &plot->shown;

    if (!is_wanted(plot))
        return;
    fr_json_object(w);
    fr_json_pair(w, "title", title);
    fr_json_pair(w, "note", plot->note);
    fr_json_pair_integer(w, "width", plot->width);
    fr_json_pair_integer(w, "height", plot->height);
}

void fr_shown_axis(struct fr_plot *plot, const char *name, const struct fr_plot_axis *axis,
                   struct fr_span range)
{
    struct fr_writer *w = &plot->shown;
    const bool is_log = axis->is_log || axis->is_log2;

    if (!is_wanted(plot))
        return;
    fr_json_pair_object(w, name);
    fr_json_pair(w, "title", axis->title);
    fr_json_pair(w, "scale",
                 axis->categories ? "categories"
                 : is_log         ? "log"
                 : axis->is_time  ? "time"
                                  : "linear");
    fr_json_pair_number(w, "low", range.low);
    fr_json_pair_number(w, "high", range.high);
    if (axis->categories)
        fr_json_pair_texts(w, "categories", axis->categories);
    if (axis->mark_count) {
        fr_json_pair_array(w, "marks");
        for (size_t i = 0; i < axis->mark_count; i++) {
            fr_json_object(w);
            fr_json_pair_number(w, "value", axis->marks[i].x);
            fr_json_pair(w, "label", axis->marks[i].label);
            fr_json_object_end(w);
        }
        fr_json_array_end(w);
    }
    fr_json_object_end(w);
}

/* Opens a series and its list of points. */
static void begin_series(struct fr_plot *plot, const char *label, const char *value,
                         const char *mark, const char *axis, size_t colour)
{
    struct fr_writer *w = &plot->shown;

    fr_json_object(w);
    fr_json_pair(w, "label", label);
    fr_json_pair(w, "value", value);
    fr_json_pair(w, "mark", mark);
    fr_json_pair(w, "axis", axis);
    fr_json_pair(w, "color", fr_theme_series(plot->theme, colour));
    fr_json_pair_array(w, "points");
}

static void end_series(struct fr_plot *plot)
{
    fr_json_array_end(&plot->shown);
    fr_json_object_end(&plot->shown);
}

static void write_point(struct fr_writer *w, double x, double y, const struct fr_plot_axis *up,
                        const struct fr_series *series, size_t i)
{
    fr_json_object(w);
    fr_json_pair_number(w, "x", x);
    fr_json_pair_number(w, "y", y);
    if (series->is_outside && series->is_outside[i])
        fr_json_pair_bool(w, "extrapolated", true);
    if (series->low && fr_plot_axis_shows(up, series->low[i]) &&
        fr_plot_axis_shows(up, series->high[i])) {
        fr_json_pair_number(w, "low", series->low[i]);
        fr_json_pair_number(w, "high", series->high[i]);
    }
    fr_json_object_end(w);
}

static void begin_list(struct fr_plot *plot)
{
    fr_json_pair_array(&plot->shown, "series");
}

static size_t number_of(unsigned colour, size_t place)
{
    return colour ? colour - 1 : place;
}

void fr_shown_lines(struct fr_plot *plot, const struct fr_plot_axis *x,
                    const struct fr_plot_axis *y, const struct fr_series *series, size_t count)
{
    if (!is_wanted(plot))
        return;
    begin_list(plot);
    for (const struct fr_series *each = series; each < series + count; each++) {
        const bool is_right = each->is_right && y->right;
        const struct fr_plot_axis *up = is_right ? y->right : y;

        begin_series(plot, each->label, each->value,
                     each->is_points ? "point"
                     : each->is_bare ? "bound"
                                     : "line",
                     is_right ? "y2" : "y", number_of(each->colour, (size_t)(each - series)));
        for (size_t i = 0; i < each->count; i++)
            if (fr_plot_axis_shows(x, each->x[i]) && fr_plot_axis_shows(up, each->y[i]))
                write_point(&plot->shown, each->x[i], each->y[i], up, each, i);
        end_series(plot);
    }
    fr_json_array_end(&plot->shown);
}

void fr_shown_bars(struct fr_plot *plot, const struct fr_plot_axis *along, const char *mark,
                   const struct fr_series *series, size_t count)
{
    const bool is_lying = strcmp(mark, "lying") == 0;

    if (!is_wanted(plot))
        return;
    begin_list(plot);
    for (const struct fr_series *each = series; each < series + count; each++) {
        begin_series(plot, each->label, each->value, mark, "y",
                     number_of(each->colour, (size_t)(each - series)));
        for (size_t i = 0; i < each->count; i++)
            if (fr_plot_axis_shows(along, each->y[i]))
                write_point(&plot->shown, is_lying ? each->y[i] : (double)i,
                            is_lying ? (double)i : each->y[i], along, each, i);
        end_series(plot);
    }
    fr_json_array_end(&plot->shown);
}

static void write_box(struct fr_writer *w, const struct fr_box *box, const double *predicted)
{
    fr_json_object(w);
    fr_json_pair_integer(w, "x", (int64_t)box->category);
    fr_json_pair_number(w, "y", box->median);
    fr_json_pair_number(w, "low", box->low);
    fr_json_pair_number(w, "lower_quartile", box->lower_quartile);
    fr_json_pair_number(w, "upper_quartile", box->upper_quartile);
    fr_json_pair_number(w, "high", box->high);
    if (predicted) {
        fr_json_key(w, "predicted");
        fr_json_number_or_null(w, *predicted);
    }
    fr_json_key(w, "outliers");
    fr_json_numbers(w, box->outliers, box->outlier_count);
    fr_json_object_end(w);
}

void fr_shown_boxes(struct fr_plot *plot, const struct fr_box_series *series, size_t count)
{
    if (!is_wanted(plot))
        return;
    begin_list(plot);
    for (const struct fr_box_series *each = series; each < series + count; each++) {
        begin_series(plot, each->label, each->value, "box", "y",
                     number_of(each->colour, (size_t)(each - series)));
        for (size_t i = 0; i < each->count; i++)
            write_box(&plot->shown, &each->boxes[i], each->predicted ? &each->predicted[i] : NULL);
        end_series(plot);
    }
    fr_json_array_end(&plot->shown);
}

void fr_shown_cells_begin(struct fr_plot *plot, const struct fr_plot_scale *scale)
{
    struct fr_writer *w = &plot->shown;

    if (!is_wanted(plot))
        return;
    fr_json_pair_object(w, "cells");
    fr_json_pair(w, "title", scale->title);
    fr_json_pair_array(w, "list");
}

void fr_shown_cell(struct fr_plot *plot, const struct fr_tile *tile)
{
    struct fr_writer *w = &plot->shown;

    if (!is_wanted(plot))
        return;
    fr_json_object(w);
    fr_json_pair_number(w, "low_x", tile->low_x);
    fr_json_pair_number(w, "high_x", tile->high_x);
    fr_json_pair_number(w, "low_y", tile->low_y);
    fr_json_pair_number(w, "high_y", tile->high_y);
    fr_json_key(w, "value");
    fr_json_number_or_null(w, tile->value);
    fr_json_object_end(w);
}

void fr_shown_cells_end(struct fr_plot *plot)
{
    if (!is_wanted(plot))
        return;
    fr_json_array_end(&plot->shown);
    fr_json_object_end(&plot->shown);
}

void fr_shown_tiles(struct fr_plot *plot, const struct fr_plot_scale *scale,
                    const struct fr_tile *tile, size_t count)
{
    fr_shown_cells_begin(plot, scale);
    for (size_t i = 0; i < count; i++)
        fr_shown_cell(plot, &tile[i]);
    fr_shown_cells_end(plot);
}
