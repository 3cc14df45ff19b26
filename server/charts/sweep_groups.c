/* Groups of bars: the measured value, then the prediction of each line. */
#include "server/charts/plot/script.h"
#include "server/charts/sweep_drawing.h"

#include <math.h>

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

/* The groups: the values of x, within each value of a further list. */
static size_t groups_count(const struct drawing *drawing)
{
    return drawing->x->count * (drawing->spread ? drawing->spread->count : 1);
}

static struct fr_plot_axis groups_axis(struct fr_request *rq, const struct drawing *drawing)
{
    const struct fr_axis *x = drawing->x, *spread = drawing->spread;
    struct fr_plot_axis axis = drawing_category_axis(rq, x);
    const size_t count = groups_count(drawing);
    const char **names = fr_arena_zeroed(rq->arena, count + 1, sizeof *names);

    if (!spread || !axis.categories || !names) {
        axis.categories = spread ? NULL : axis.categories;
        return axis;
    }
    for (size_t i = 0; i < count; i++) {
        char value[DRAWING_LABEL_BYTES];

        fr_axis_print(spread, i / x->count, value, sizeof value);
        names[i] = fr_chart_text(rq->arena, "%s, %s", axis.categories[i % x->count], value);
    }
    axis.categories = names;
    axis.title = fr_chart_text(rq->arena, "%s, %s", axis.title,
                               drawing_axis_title(rq, spread->param->name, spread->param->unit));
    return axis;
}

/* The bars of one line: of each output, and the measured ones of the first. */
struct bars {
    double *predicted[FR_MOST_QUANTITIES], *measured;
    bool is_measured;
};

static void fill(struct fr_request *rq, struct drawing *drawing, size_t line, struct bars *bars)
{
    const size_t machine = drawing_machine(drawing, line);
    const size_t x = drawing->x->count, count = groups_count(drawing);
    const bool shows_runs = drawing_shows_runs(drawing, line);

    for (size_t i = 0; i < count; i++) {
        double *first = &bars->predicted[0][i];

        *first = drawing_measure(drawing, drawing_point(drawing, line, i % x, i / x));
        if (drawing->measured && !isnan(*first))
            *first = as_measured(drawing, machine, *first);
        for (size_t k = 1; k < drawing->y.count; k++)
            bars->predicted[k][i] = drawing->sweep->faults->count ? NAN : drawing_value(drawing, k);
        bars->measured[i] =
            shows_runs && !isnan(*first) ? median_of_runs(rq, drawing, machine) : NAN;
        bars->is_measured = bars->is_measured || !isnan(bars->measured[i]);
    }
}

static int draw(struct fr_request *rq, struct drawing *drawing, struct fr_plot *plot,
                struct fr_faults *faults)
{
    const size_t lines = drawing_lines_count(drawing), groups = groups_count(drawing);
    const size_t most = lines * (drawing->y.count + 1);
    struct fr_series *series = fr_arena_zeroed(rq->arena, most, sizeof *series);
    double *y = fr_arena_zeroed(rq->arena, most * groups, sizeof *y);
    const struct fr_plot_axis x_axis = groups_axis(rq, drawing);
    struct fr_plot_axis y_axis = { .title = drawing_y_title(rq, drawing) };
    const bool is_for_all =
        lines == 1 || (drawing->series && drawing->series->param->flags & FR_METHOD);
    size_t count = 0;

    if (most > DRAWING_SERIES || groups > DRAWING_BARS)
        return fr_fault(faults, FR_TOO_MANY_POINTS, "kind", "groups show at most %d by %zu bars",
                        DRAWING_BARS, DRAWING_SERIES / (drawing->y.count + 1) * drawing->y.count);
    if (!series || !y || !x_axis.categories)
        return fr_fault(faults, FR_NOMEM, drawing->x->param->name, "too many points for a chart");
    for (size_t line = 0; line < lines; line++) {
        const char *label = drawing_label(rq, drawing, line);
        const char *value = drawing_line_value(rq, drawing, line);
        struct bars bars = { .measured = y, .is_measured = false };

        if (drawing_is_hidden(drawing, line))
            continue;
        for (size_t k = 0; k < drawing->y.count; k++)
            bars.predicted[k] = y + (k + 1) * groups;
        y += (drawing->y.count + 1) * groups;
        fill(rq, drawing, line, &bars);
        if (bars.is_measured)
            series[count++] = (struct fr_series){ .label = fr_chart_text(rq->arena, "%s%smeasured",
                                                                         is_for_all ? "" : label,
                                                                         is_for_all ? "" : ", "),
                                                  .value = is_for_all ? NULL : value,
                                                  .y = bars.measured,
                                                  .count = groups,
                                                  .is_points = true,
                                                  .colour = drawing_colour(drawing, line, 0) };
        for (size_t k = 0; k < drawing->y.count; k++)
            series[count++] =
                (struct fr_series){ .label = drawing_output_label(rq, drawing, label, k),
                                    .value = value,
                                    .y = bars.predicted[k],
                                    .count = groups,
                                    .colour = drawing_colour(drawing, line, k) };
    }
    /* Lengths of bars compare on an axis from zero, so that one without is drawn only on demand. */
    y_axis.is_log = drawing->options.logy == 1 && drawing_has_log_y(drawing);
    if (drawing->sweep->legal)
        fr_plot_groups(plot, drawing_headline(rq, drawing, plot), &x_axis, &y_axis, series, count);
    return FR_OK;
}

const struct fr_chart fr_chart_groups = {
    .name = "groups",
    .of = FR_OF_SWEEP,
    .sweep.has_panels = true,
    .sweep.takes_outputs = true,
    .sweep.has_lines = true,
    .draw.sweep = draw,
};
