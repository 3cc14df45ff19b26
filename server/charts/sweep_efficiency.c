/* Parallel efficiency over an axis, each line relative to its own first point: of one problem
 * (strong scaling), or of a problem that grows with the axis (weak scaling). */
#include "server/charts/sweep_drawing.h"

#include <math.h>
#include <string.h>

/* What a point spends: x T for a problem of one size, T for one that grows with x. */
static double cost(const struct drawing *drawing, size_t i, double time_s)
{
    return drawing->chart->sweep.is_weak ? time_s : drawing->x->value[i] * time_s;
}

static void add_line(struct drawing *drawing, size_t line, double *y, bool *is_outside)
{
    double first = NAN;

    for (size_t i = 0; i < drawing->x->count; i++) {
        const double time_s = drawing_measure(drawing, drawing_point(drawing, line, i, 0));
        const double spent = cost(drawing, i, time_s);

        if (isnan(first) && spent > 0)
            first = spent;
        y[i] = spent > 0 ? first / spent : NAN;
        is_outside[i] = drawing_is_outside(drawing);
    }
}

static int check(const struct drawing *drawing, size_t lines, struct fr_faults *faults)
{
    const size_t before = faults->count;
    const char *unit = fr_quantity_unit(&drawing->y.quantity[0]);

    if (drawing->x->param->kind != FR_KIND_INT)
        fr_fault(faults, FR_RELATION, "x", "%s is no number of nodes or processes",
                 drawing->x->param->name);
    if (!unit || strcmp(unit, "s") != 0)
        fr_fault(faults, FR_RELATION, "y", "%s is no time, so it has no efficiency",
                 drawing->y.name[0]);
    if (lines > DRAWING_SERIES)
        fr_fault(faults, FR_TOO_MANY_POINTS, "series", "%zu lines; a chart shows at most %d", lines,
                 DRAWING_SERIES);
    return faults->count == before ? FR_OK : FR_RELATION;
}

static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    const size_t count = drawing->x->count, lines = drawing_lines_count(drawing);
    const struct fr_plot_axis x = {
        .title = drawing_axis_title(rq, drawing->x->param->name, drawing->x->param->unit),
        .is_log = drawing->options.logx != 0,
        .is_log2 = drawing->options.logx != 0,
    };
    const struct fr_plot_axis y = {
        .title = drawing->chart->sweep.is_weak ? "efficiency of weak scaling"
                                               : "efficiency of strong scaling",
        .from_zero = true,
    };
    struct fr_series *series = fr_arena_zeroed(rq->arena, lines, sizeof *series);
    double *value = fr_arena_zeroed(rq->arena, lines * count, sizeof *value);
    bool *is_outside = fr_arena_zeroed(rq->arena, lines * count, sizeof *is_outside);
    size_t shown = 0;

    if (check(drawing, lines, faults) != FR_OK)
        return FR_RELATION;
    if (!series || !value || !is_outside)
        return fr_fault(faults, FR_NOMEM, "x", "too many points for a chart");
    for (size_t line = 0; line < lines; line++, value += count, is_outside += count) {
        if (drawing_is_hidden(drawing, line))
            continue;
        add_line(drawing, line, value, is_outside);
        series[shown++] = (struct fr_series){ .label = drawing_label(rq, drawing, line),
                                              .value = drawing_line_value(rq, drawing, line),
                                              .x = drawing->x->value,
                                              .y = value,
                                              .count = count,
                                              .is_outside = is_outside,
                                              .colour = drawing_colour(drawing, line, 0),
                                              .shape = drawing_colour(drawing, line, 0) };
    }
    if (drawing->low_y > drawing->high_y)
        return drawing_needs_value(drawing, faults);
    fr_plot_lines(plot, drawing_headline(rq, drawing, plot), &x, &y, series, shown);
    return FR_OK;
}

const struct fr_chart fr_chart_strong_efficiency = {
    .name = "strong_efficiency",
    .of = FR_OF_SWEEP,
    .sweep.has_lines = true,
    .draw.sweep = draw,
};

const struct fr_chart fr_chart_weak_efficiency = {
    .name = "weak_efficiency",
    .of = FR_OF_SWEEP,
    .sweep.is_weak = true,
    .sweep.has_lines = true,
    .draw.sweep = draw,
};
