/* Saved runs as points: single repetitions in the order of their measurement, and what one
 * polynomial over an axis leaves of the measured values
 * (docs/models/kernel_models.md#repetitions-and-residuals). */
#include "server/charts/sweep_drawing.h"

#include <math.h>
#include <stdio.h>

struct points {
    double *x, *y;
    size_t count;
};

static size_t room_of(const struct fr_measured_points *measured)
{
    size_t room = measured->count;

    for (size_t i = 0; i < measured->count; i++)
        room += measured->run[i].repetition_count;
    return room;
}

static void add(struct points *points, double x, double y)
{
    if (isnan(x) || isnan(y))
        return;
    points->x[points->count] = x;
    points->y[points->count++] = y;
}

/* Adds the runs that match the point predicted last.  What the lines stand for is compared also
 * where it only chooses how to predict: samples in and out of cache are not the same. */
static void collect(const struct drawing *drawing, size_t machine, struct points *points)
{
    const struct fr_measured_points *measured = &drawing->measured[machine];
    const struct fr_param *params = drawing->question->model->params;
    const uint64_t own = drawing->series ? fr_param_bit(params, drawing->series->param) : 0;

    for (size_t i = 0; i < measured->count; i++) {
        const struct fr_measured_run *run = &measured->run[i];

        if (!drawing_agrees(drawing, run, machine, false, own))
            continue;
        if (drawing->x)
            add(points, fr_measured_at(run, drawing->x->param), run->value);
        for (size_t k = 0; !drawing->x && k < run->repetition_count; k++)
            add(points, (double)points->count + 1, run->repetitions[k]);
    }
}

static double product(const double *a, const double *b, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += a[i] * b[i];
    return sum;
}

static void subtract(double *a, double factor, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        a[i] -= factor * b[i];
}

/* Leaves of y what the quadratic polynomial of least squares does not explain, by polynomials that
 * are orthogonal on the points. */
static int remove_quadratic(struct fr_arena *arena, struct points *points)
{
    const size_t count = points->count;
    double *basis[3], scale = 0;

    for (size_t i = 0; i < count; i++)
        scale = fmax(scale, fabs(points->x[i]));
    for (size_t degree = 0; degree < 3; degree++) {
        double *own = basis[degree] = fr_arena_zeroed(arena, count, sizeof *own), whole, left;

        if (!own)
            return FR_NOMEM;
        for (size_t i = 0; i < count; i++)
            own[i] = degree ? basis[degree - 1][i] * points->x[i] / scale : 1;
        whole = product(own, own, count);
        for (size_t lower = 0; lower < degree; lower++)
            subtract(own,
                     product(own, basis[lower], count) / product(basis[lower], basis[lower], count),
                     basis[lower], count);
        left = product(own, own, count);
        if (!(left > 1e-20 * whole))
            break; /* fewer different x than coefficients */
        subtract(points->y, product(points->y, own, count) / left, own, count);
    }
    return FR_OK;
}

static int add_line(struct fr_request *rq, struct drawing *drawing, size_t line,
                    struct fr_series *series)
{
    const size_t machine = drawing_machine(drawing, line);
    const size_t room = room_of(&drawing->measured[machine]);
    const size_t count = drawing->x ? drawing->x->count : 1;
    struct points points = { .count = 0 };

    points.x = fr_arena_zeroed(rq->arena, room, sizeof *points.x);
    points.y = fr_arena_zeroed(rq->arena, room, sizeof *points.y);
    if (!points.x || !points.y)
        return FR_NOMEM;
    for (size_t i = 0; i < count; i++)
        if (drawing_predict(drawing, drawing_point(drawing, line, i, 0))) {
            collect(drawing, machine, &points);
            break;
        }
    if (drawing->x && remove_quadratic(rq->arena, &points) != FR_OK)
        return FR_NOMEM;
    *series = (struct fr_series){
        .label = drawing_label(rq, drawing, line),
        .value = drawing_line_value(rq, drawing, line),
        .x = points.x,
        .y = points.y,
        .count = points.count,
        .is_points = true,
        .colour = drawing_colour(drawing, line, 0),
        .shape = drawing_colour(drawing, line, 0),
    };
    return FR_OK;
}

static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    const struct fr_axis *x = drawing->x;
    const size_t lines = drawing_lines_count(drawing);
    struct fr_series *series = fr_arena_zeroed(rq->arena, lines, sizeof *series);
    struct fr_plot_axis x_axis = {
        .title = x ? drawing_axis_title(rq, x->param->name, x->param->unit) : "repetition"
    };
    struct fr_plot_axis y_axis = { .title = drawing_y_title(rq, drawing),
                                   .is_log = !x && drawing->options.logy == 1 };
    char title[DRAWING_LABEL_BYTES];
    size_t shown = 0;

    if (lines > DRAWING_SERIES)
        return fr_fault(faults, FR_TOO_MANY_POINTS, "series", "%zu lines; a chart shows at most %d",
                        lines, DRAWING_SERIES);
    if (x && x->param->kind != FR_KIND_INT && x->param->kind != FR_KIND_REAL)
        return fr_fault(faults, FR_RELATION, "x",
                        "%s is no number, so there is no polynomial of it", x->param->name);
    if (x && drawing->options.logx == 1) /* a polynomial is seen best where its steps are even */
        drawing_scale_x(drawing, &x_axis);
    for (size_t line = 0; series && line < lines; line++) {
        if (drawing_is_hidden(drawing, line))
            continue;
        if (add_line(rq, drawing, line, &series[shown]) != FR_OK)
            series = NULL;
        else
            shown += series[shown].count > 0;
    }
    if (!series)
        return fr_fault(faults, FR_NOMEM, "kind", "too many points for a chart");
    if (drawing->sweep->legal && !shown)
        return fr_fault(faults, FR_NOT_FOUND, "kind",
                        x ? "no saved run has one of the requested configurations"
                          : "no saved run of this configuration has its repetitions");
    snprintf(title, sizeof title, "%s less a quadratic polynomial", y_axis.title);
    y_axis.title = x ? title : y_axis.title;
    if (shown)
        fr_plot_lines(plot, drawing_headline(rq, drawing, plot), &x_axis, &y_axis, series, shown);
    return FR_OK;
}

const struct fr_chart fr_chart_repetitions = {
    .name = "repetitions",
    .of = FR_OF_SWEEP,
    .sweep.needs_runs = true,
    .sweep.has_lines = true,
    .sweep.has_no_x = true,
    .draw.sweep = draw,
};

const struct fr_chart fr_chart_residuals = {
    .name = "residuals",
    .of = FR_OF_SWEEP,
    .sweep.needs_runs = true,
    .sweep.has_lines = true,
    .draw.sweep = draw,
};
