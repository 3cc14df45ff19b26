/* Groups of bars: the measured value, then the prediction of each line. */
#include "server/charts/sweep_drawing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The tunables that each point of a tuned chart has chosen. */
static uint64_t chosen_of(const struct drawing *drawing)
{
    const struct fr_question *question = drawing->question;
    uint64_t chosen = 0;

    for (const struct fr_param *param = question->model->params; param->name; param++)
        if (question->leaves_tunables_open && param->flags & FR_TUNABLE)
            chosen |= fr_param_bit(question->model->params, param);
    return chosen & ~question->given;
}

static bool agrees(const struct drawing *drawing, const struct fr_measured_run *run, size_t machine,
                   uint64_t chosen)
{
    return !isnan(run->value) && drawing_agrees(drawing, run, machine, true, chosen);
}

static const struct fr_measured_run *newest(const struct drawing *drawing, size_t machine,
                                            uint64_t chosen)
{
    const struct fr_measured_points *measured = &drawing->measured[machine];

    for (size_t i = 0; i < measured->count; i++)
        if (agrees(drawing, &measured->run[i], machine, chosen))
            return &measured->run[i];
    return NULL;
}

/* A measured bar stands beside the estimate of its own configuration: that of the newest run, if
 * nobody has measured the best one. */
static double as_measured(struct drawing *drawing, size_t machine, double best)
{
    const uint64_t chosen = chosen_of(drawing);
    const struct fr_param *params = drawing->question->model->params;
    const struct fr_measured_run *run = newest(drawing, machine, 0);

    if (!run || newest(drawing, machine, chosen))
        return best;
    for (const struct fr_param *param = params; param->name; param++)
        if (chosen & fr_param_bit(params, param))
            fr_param_set(param, drawing->sweep->values, fr_param_get(param, run->values));
    return fr_sweep_changed(drawing->sweep) ? drawing_value(drawing, 0) : NAN;
}

/* The median of the runs that match the point predicted last; NaN if there are none. */
static double median_of_runs(struct fr_request *rq, const struct drawing *drawing, size_t machine)
{
    const struct fr_measured_points *measured = &drawing->measured[machine];
    const uint64_t chosen = chosen_of(drawing);
    const struct fr_arena_mark mark = fr_arena_mark(rq->arena);
    double *value = fr_arena_zeroed(rq->arena, measured->count, sizeof *value), median = NAN;
    size_t count = 0;

    for (size_t i = 0; value && i < measured->count; i++)
        if (agrees(drawing, &measured->run[i], machine, chosen))
            value[count++] = measured->run[i].value;
    if (count) {
        fr_sort(value, count);
        median = fr_quantile(value, count, 0.5);
    }
    fr_arena_release(rq->arena, mark);
    return median;
}

static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    const struct fr_axis *x = drawing->x;
    const size_t lines = drawing_lines_count(drawing);
    const size_t each = drawing->series ? drawing->series->count : 1;
    struct fr_series *series = fr_arena_zeroed(rq->arena, 2 * lines, sizeof *series);
    double *y = fr_arena_zeroed(rq->arena, 2 * lines * x->count, sizeof *y);
    const struct fr_plot_axis x_axis = drawing_category_axis(rq, x);
    const struct fr_plot_axis y_axis = { .title = drawing_y_title(rq, drawing), .from_zero = true };
    const bool is_for_all =
        lines == 1 || (drawing->series && drawing->series->param->flags & FR_METHOD);
    size_t count = 0;

    if (2 * lines > DRAWING_SERIES || x->count > DRAWING_BARS)
        return fr_fault(faults, FR_TOO_MANY_POINTS, "kind", "groups show at most %d by %d bars",
                        DRAWING_BARS, DRAWING_SERIES / 2);
    if (!series || !y || !x_axis.categories)
        return fr_fault(faults, FR_NOMEM, x->param->name, "too many points for a chart");
    for (size_t line = 0; line < lines; line++) {
        const char *label = drawing_label(rq, drawing, line / each, line % each);
        const char *value = drawing_line_value(rq, drawing, line);
        const bool shows_runs = drawing_shows_runs(drawing, line);
        double *predicted = y + 2 * line * x->count, *measured = predicted + x->count;
        bool is_measured = false;

        if (drawing_is_hidden(drawing, line))
            continue;
        for (size_t i = 0; i < x->count; i++) {
            predicted[i] =
                drawing_measure(drawing, drawing_point(drawing, line / each, line % each, i));
            if (drawing->measured && !isnan(predicted[i]))
                predicted[i] = as_measured(drawing, line / each, predicted[i]);
            measured[i] =
                shows_runs && !isnan(predicted[i]) ? median_of_runs(rq, drawing, line / each) : NAN;
            is_measured = is_measured || !isnan(measured[i]);
        }
        if (is_measured) {
            char text[DRAWING_LABEL_BYTES];

            snprintf(text, sizeof text, "%s%smeasured", is_for_all ? "" : label,
                     is_for_all ? "" : ", ");
            series[count++] =
                (struct fr_series){ .label = fr_arena_text(rq->arena, text, strlen(text)),
                                    .value = is_for_all ? NULL : value,
                                    .y = measured,
                                    .count = x->count,
                                    .is_points = true,
                                    .colour = drawing_colour(drawing, line, 0) };
        }
        series[count++] = (struct fr_series){ .label = label,
                                              .value = value,
                                              .y = predicted,
                                              .count = x->count,
                                              .colour = drawing_colour(drawing, line, 0) };
    }
    if (drawing->sweep->legal)
        fr_plot_groups(plot, drawing_title(rq, drawing), &x_axis, &y_axis, series, count);
    return FR_OK;
}

const struct fr_chart fr_chart_groups = {
    .name = "groups",
    .of = FR_OF_SWEEP,
    .sweep.has_lines = true,
    .draw.sweep = draw,
};
