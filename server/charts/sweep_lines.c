/* Lines over an axis. */
#include "server/charts/plot/script.h"
#include "server/charts/sweep_drawing.h"

#include <math.h>
#include <string.h>

/* The lines that have been added, with space for the measured points and congestion of each. */
struct lines {
    struct fr_request *rq;
    struct drawing *drawing;
    bool has_categories;
    const double *places; /* of x */
    struct fr_series *series;
    size_t count;
};

static double *room(struct lines *lines, size_t count)
{
    return fr_arena_zeroed(lines->rq->arena, count, sizeof(double));
}

static bool is_at(const struct fr_axis *x, size_t i, const void *values)
{
    if (x->param->kind == FR_KIND_TEXT)
        return strcmp(x->text[i], fr_param_text(x->param, values)) == 0;
    if (x->param->kind == FR_KIND_VECTOR)
        return fr_vector_equal(&x->vector[i], fr_param_vector(x->param, values));
    return x->value[i] == fr_param_get(x->param, values);
}

/* The position of the run on the axis; NaN: not on it. */
static double place_of(const struct lines *lines, const struct fr_measured_run *run)
{
    const struct fr_axis *x = lines->drawing->x;

    if (!lines->has_categories)
        return fr_measured_at(run, x->param);
    for (size_t i = 0; i < x->count; i++)
        if (is_at(x, i, run->values))
            return (double)i;
    return NAN;
}

/* The first colour after those of all lines, for what belongs to all of them. */
static unsigned unused_colour(const struct drawing *drawing)
{
    unsigned last = 0;

    for (size_t line = 0; line < drawing_lines_count(drawing); line++) {
        const unsigned colour = drawing_colour(drawing, line, drawing->y.count - 1);

        last = colour > last ? colour : last;
    }
    return last + 1;
}

/* Adds the measured points of the line whose point was predicted last. */
static void add_runs(struct lines *lines, size_t line, const char *label)
{
    struct drawing *drawing = lines->drawing;
    const size_t machine = drawing_machine(drawing, line);
    const struct fr_measured_points *measured = &drawing->measured[machine];
    const bool is_for_all = drawing->series && drawing->series->param->flags & FR_METHOD;
    double *x = room(lines, measured->count), *y = room(lines, measured->count);
    double *stalls = room(lines, measured->count);
    const unsigned colour = is_for_all ? unused_colour(drawing) : drawing_colour(drawing, line, 0);
    const char *before = is_for_all ? "" : fr_chart_text(lines->rq->arena, "%s, ", label);
    size_t count = 0;

    for (size_t i = 0; x && y && stalls && i < measured->count; i++) {
        const struct fr_measured_run *run = &measured->run[i];

        x[count] = place_of(lines, run);
        y[count] = run->value;
        stalls[count] = run->stalls_per_byte;
        if (isnan(x[count]) || isnan(y[count]) || !drawing_agrees(drawing, run, machine, false, 0))
            continue;
        drawing_widen(drawing, y[count]);
        count++;
    }
    if (!count)
        return;
    lines->series[lines->count++] = (struct fr_series){
        .label = fr_chart_text(lines->rq->arena, "%smeasured", before),
        .value = is_for_all ? NULL : drawing_line_value(lines->rq, drawing, line),
        .x = x,
        .y = y,
        .count = count,
        .is_points = true,
        .colour = colour,
        .shape = colour,
    };
    if (!drawing->options.congestion)
        return;
    lines->series[lines->count++] =
        (struct fr_series){ .label = fr_chart_text(lines->rq->arena, "%scongestion", before),
                            .x = x,
                            .y = stalls,
                            .count = count,
                            .is_points = true,
                            .is_right = true };
}

/* The median, minimum and maximum over the list that the band spans. */
static double span(struct lines *lines, size_t line, size_t x, double *low, double *high,
                   bool *is_outside)
{
    struct drawing *drawing = lines->drawing;
    const size_t each = drawing->spread ? drawing->spread->count : 1;
    const struct fr_arena_mark mark = fr_arena_mark(lines->rq->arena);
    double *sample = room(lines, each), median = NAN;
    size_t count = 0;

    *low = *high = NAN;
    *is_outside = false;
    for (size_t i = 0; sample && i < each; i++) {
        sample[count] = drawing_measure(drawing, drawing_point(drawing, line, x, i));
        if (isnan(sample[count]))
            continue;
        *is_outside |= fr_prediction_is_extrapolated(drawing->sweep->prediction);
        count++;
    }
    if (count) {
        fr_sort(sample, count);
        *low = sample[0];
        *high = sample[count - 1];
        median = fr_quantile(sample, count, 0.5);
    }
    fr_arena_release(lines->rq->arena, mark);
    return median;
}

/* More bands would hide each other. */
enum { MOST_BANDS = 4 };

/* The index of the output that intervals are of; the number of outputs if there is none. */
static size_t place_of_time(const struct drawing *drawing)
{
    size_t k = 0;

    if (drawing->chart->sweep.takes_spread || drawing_lines_count(drawing) > MOST_BANDS)
        return drawing->y.count;
    while (k < drawing->y.count && strcmp(drawing->y.name[k], "time_s") != 0)
        k++;
    return k;
}

/* Takes the interval of the point predicted last; false and NaN if there is none. */
static bool take_interval(struct drawing *drawing, double *low, double *high)
{
    struct fr_outlook outlook = { .has_interval = false };

    *low = *high = NAN;
    if (!drawing->sweep->faults->count)
        outlook = fr_sweep_outlook(drawing->sweep);
    if (!outlook.has_interval)
        return false;
    *low = outlook.interval.low_s;
    *high = outlook.interval.high_s;
    drawing_widen(drawing, *low);
    drawing_widen(drawing, *high);
    return true;
}

/* Draws the intervals of a line as its band.  The first band of the chart explains them. */
static void add_intervals(struct lines *lines, struct fr_series *series, const double *low,
                          const double *high)
{
    bool is_first = true;

    for (size_t i = 0; i < lines->count; i++)
        is_first = is_first && !lines->series[i].low;
    series->low = low;
    series->high = high;
    series->band_label = is_first ? "90 % of measured times" : NULL;
}

/* Adds the lines of all outputs without their values; `low` and `high` are the band of a spread. */
static void begin_lines(struct lines *lines, size_t line, const char *label, const double *y,
                        const double *low, const double *high, const bool *is_outside)
{
    const struct drawing *drawing = lines->drawing;
    const bool is_band = drawing->chart->sweep.takes_spread, is_first = !lines->count;
    const size_t count = drawing->x->count;

    for (size_t k = 0; k < drawing->y.count; k++)
        lines->series[lines->count++] = (struct fr_series){
            .label = drawing_output_label(lines->rq, drawing, label, k),
            .value = drawing_line_value(lines->rq, drawing, line),
            .x = lines->places,
            .y = y + k * count,
            .count = count,
            .low = is_band ? low : NULL,
            .high = is_band ? high : NULL,
            .band_label = is_band && is_first ? "minimum to maximum" : NULL,
            .is_outside = is_outside,
            .colour = drawing_colour(drawing, line, k),
            .shape = drawing_colour(drawing, line, k),
        };
}

/* Adds the lines of all outputs, which share a prediction, and the measured points of the first. */
static int add_lines(struct lines *lines, size_t line)
{
    struct drawing *drawing = lines->drawing;
    const size_t count = drawing->x->count;
    const size_t outputs = drawing->y.count;
    const char *label = drawing_label(lines->rq, drawing, line);
    double *y = room(lines, outputs * count), *low = room(lines, count), *high = room(lines, count);
    const bool is_band = drawing->chart->sweep.takes_spread;
    const size_t first = lines->count, time = place_of_time(drawing);
    bool *is_outside = fr_arena_zeroed(lines->rq->arena, count, sizeof *is_outside);
    bool has_reference = false, has_interval = false;

    if (!y || !low || !high || !is_outside)
        return FR_NOMEM;
    begin_lines(lines, line, label, y, low, high, is_outside);
    for (size_t i = 0; i < count; i++) {
        if (is_band) {
            y[i] = span(lines, line, i, &low[i], &high[i], &is_outside[i]);
        } else {
            y[i] = drawing_measure(drawing, drawing_point(drawing, line, i, 0));
            is_outside[i] = drawing_is_outside(drawing);
        }
        for (size_t k = 1; k < outputs; k++)
            y[k * count + i] = drawing->sweep->faults->count ? NAN : drawing_value(drawing, k);
        if (time < outputs)
            has_interval |= take_interval(drawing, &low[i], &high[i]);
        if (isnan(y[i]) || has_reference || !drawing_shows_runs(drawing, line))
            continue;
        has_reference = true;
        add_runs(lines, line, label);
    }
    if (has_interval)
        add_intervals(lines, &lines->series[first + time], low, high);
    return FR_OK;
}

/* Marks where the fastest line changes; of a band and of several outputs no line is the best. */
static size_t mark_crossings(const struct lines *lines, const struct fr_plot_axis *x,
                             const struct fr_plot_axis *y, struct fr_plot_mark marks[FR_CROSSINGS])
{
    const struct drawing *drawing = lines->drawing;
    const bool is_time = fr_quantity_is_time(&drawing->y.quantity[0]);

    if (lines->has_categories || drawing->y.count > 1 || drawing->chart->sweep.takes_spread ||
        (!is_time && !fr_quantity_is_rate(&drawing->y.quantity[0])))
        return 0;
    return fr_crossings_mark(lines->series, lines->count, is_time, x, y, lines->rq->arena, marks);
}

static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    const struct fr_axis *x = drawing->x;
    struct fr_plot_mark marks[FR_CROSSINGS];
    const size_t count = drawing_lines_count(drawing);
    const size_t shown = count * drawing->y.count;
    double *places = fr_arena_zeroed(rq->arena, x->count, sizeof *places);
    struct lines lines = { .rq = rq, .drawing = drawing, .places = places };
    struct fr_plot_axis x_axis = { .title =
                                       drawing_axis_title(rq, x->param->name, x->param->unit) };
    struct fr_plot_axis y_axis = { .title = drawing_y_title(rq, drawing) };
    const struct fr_plot_axis right = { .title = "congestion (stalls per byte)",
                                        .from_zero = true };

    if (shown > DRAWING_SERIES)
        return fr_fault(faults, FR_TOO_MANY_POINTS, count > DRAWING_SERIES ? "series" : "y",
                        "%zu lines; a chart shows at most %d", shown, DRAWING_SERIES);
    lines.series = fr_arena_zeroed(rq->arena, shown + 2 * count, sizeof *lines.series);
    lines.has_categories = x->param->kind != FR_KIND_INT && x->param->kind != FR_KIND_REAL;
    if (!lines.series || !places)
        return fr_fault(faults, FR_NOMEM, x->param->name, "too many points for a chart");
    if (lines.has_categories)
        x_axis.categories = drawing_categories(rq, x);
    else
        drawing_scale_x(drawing, &x_axis);
    for (size_t i = 0; i < x->count; i++)
        places[i] = lines.has_categories ? (double)i : x->value[i];
    for (size_t line = 0; line < count; line++)
        if (!drawing_is_hidden(drawing, line) && add_lines(&lines, line) != FR_OK)
            return fr_fault(faults, FR_NOMEM, x->param->name, "too many points for a chart");
    if (drawing->low_y > drawing->high_y)
        return drawing_needs_value(drawing, faults);
    y_axis.is_log = drawing_has_log_y(drawing);
    y_axis.from_zero = !y_axis.is_log && drawing->low_y >= 0;
    if (drawing->options.congestion && drawing->measured)
        y_axis.right = &right;
    x_axis.marks = marks;
    x_axis.mark_count = mark_crossings(&lines, &x_axis, &y_axis, marks);
    if (drawing->sweep->legal)
        fr_plot_lines(plot, drawing_headline(rq, drawing, plot), &x_axis, &y_axis, lines.series,
                      lines.count);
    return FR_OK;
}

const struct fr_chart fr_chart_lines = {
    .name = "lines",
    .of = FR_OF_SWEEP,
    .sweep.takes_outputs = true,
    .sweep.has_lines = true,
    .draw.sweep = draw,
};

const struct fr_chart fr_chart_band = {
    .name = "band",
    .of = FR_OF_SWEEP,
    .sweep.takes_spread = true,
    .sweep.has_lines = true,
    .draw.sweep = draw,
};
