/* Lines over an axis. */
#include "api/drawing.h"

#include <math.h>

static void measure(struct drawing *drawing, size_t index, double *y)
{
    *y = NAN;
    if (!fr_sweep_point(drawing->sweep, index))
        return;
    *y = fr_output_get(drawing->y, drawing->sweep->prediction);
    if (*y < drawing->low_y)
        drawing->low_y = *y;
    if (*y > drawing->high_y)
        drawing->high_y = *y;
}

static bool is_power_of_2(double value)
{
    int exponent;

    return frexp(value, &exponent) == 0.5;
}

static void scale_x(const struct drawing *drawing, struct fr_plot_axis *axis)
{
    const struct fr_axis *x = drawing->x;
    double low = INFINITY, high = 0;
    bool are_powers = x->param->kind == FR_KIND_INT;

    for (size_t i = 0; i < x->count; i++) {
        low = fmin(low, x->value[i]);
        high = fmax(high, x->value[i]);
        are_powers = are_powers && is_power_of_2(x->value[i]);
    }
    axis->is_log = drawing->options.logx == FR_OPEN_CHOICE ? low > 0 && high / low >= 8
                                                           : drawing->options.logx && low > 0;
    axis->is_log2 = axis->is_log && are_powers;
}

static void scale_y(const struct drawing *drawing, struct fr_plot_axis *axis)
{
    const double low = drawing->low_y, high = drawing->high_y;

    axis->is_log = drawing->options.logy == FR_OPEN_CHOICE ? low > 0 && high / low >= 20
                                                           : drawing->options.logy && low > 0;
    axis->from_zero = !axis->is_log && low >= 0;
}

int drawing_lines(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                  struct fr_faults *faults)
{
    const struct fr_axis *x = drawing->x;
    const size_t each = drawing->series ? drawing->series->count : 1;
    const size_t lines = each * drawing->question->subject_count;
    struct fr_series *series = fr_arena_zeroed(rq->arena, lines, sizeof *series);
    double *y = fr_arena_zeroed(rq->arena, lines * x->count, sizeof *y);
    double *places = fr_arena_zeroed(rq->arena, x->count, sizeof *places);
    struct fr_plot_axis x_axis = { .title =
                                       drawing_axis_title(rq, x->param->name, x->param->unit) };
    struct fr_plot_axis y_axis = { .title =
                                       drawing_axis_title(rq, drawing->y->name, drawing->y->unit) };

    if (lines > DRAWING_SERIES)
        return fr_fault(faults, FR_TOO_MANY_POINTS, "series", "%zu lines; a chart shows at most %d",
                        lines, DRAWING_SERIES);
    if (!series || !y || !places)
        return fr_fault(faults, FR_NOMEM, x->param->name, "too many points for a chart");
    if (x->param->kind == FR_KIND_CHOICE || x->param->kind == FR_KIND_BOOL)
        x_axis.categories = drawing_categories(rq, x);
    else
        scale_x(drawing, &x_axis);
    for (size_t i = 0; i < x->count; i++)
        places[i] = x_axis.categories ? (double)i : x->value[i];
    for (size_t line = 0; line < lines; line++) {
        double *points = y + line * x->count;

        for (size_t i = 0; i < x->count; i++)
            measure(drawing, drawing_point(drawing, line / each, line % each, i), &points[i]);
        series[line] = (struct fr_series){
            .label = drawing_label(rq, drawing, line / each, line % each),
            .x = places,
            .y = points,
            .count = x->count,
        };
    }
    if (drawing->sweep->legal && drawing->low_y > drawing->high_y)
        return fr_fault(faults, FR_NOT_FOUND, "y", "%s has no value here", drawing->y->name);
    scale_y(drawing, &y_axis);
    if (drawing->sweep->legal)
        fr_plot_lines(plot, drawing->title ? drawing->title : drawing_title(rq, drawing), &x_axis,
                      &y_axis, series, lines);
    return FR_OK;
}
