/* GET /api/v1/chart/{model}: a chart of a sweep, with one line for each value of `series`, or what
 * it shows as JSON. */
#include "server/charts/sweep_drawing.h"
#include "server/http/server.h"

#include <math.h>
#include <string.h>

static const char *const kinds[] = {
#define FR_CHART(name)
#define FR_SWEEP_CHART(name) #name,
#include "server/charts/list.h"
    NULL,
};

static const struct fr_param option_table[] = {
    FR_CHOICE_OF(
        struct drawing_options, kind, .choices = kinds, .flags = FR_DEFAULT,
        .doc =
            "lines; breakdown (stacked bars of the phases without hidden parts); groups (bars side "
            "by side, of each x within each value of a third list); boxes (repetitions and saved "
            "runs as boxes, with the prediction); band "
            "(median, minimum and maximum over the second list, such as "
            "hop_estimate=best,average,max); roofline (compute and bandwidth bounds with "
            "prediction and measurement, over the combinations of all lists, or over the intensity "
            "with x=intensity_flops_per_byte); map (y over the lists x and series as colored cells "
            "with their values, such as the time of each process grid; refused cells are grey and "
            "counted by reason; if both are choices, the best cell is framed); strong_efficiency "
            "(of the same problem, x0 T(x0) / (x T(x)) with the first point x0 of each line) and "
            "weak_efficiency (of a problem that grows with x, T(x0) / T(x)); repetitions (of saved "
            "runs, each a point, in their order); residuals (what the quadratic polynomial of "
            "least squares over x leaves of saved runs)."),
    FR_BOOL(
        struct drawing_options, measured, .flags = FR_DEFAULT,
        .doc =
            "Whether to draw saved runs: those that agree with a line in all parameters that "
            "describe the run, for any x. Parameters that only select how to predict are ignored."),
    FR_BOOL(struct drawing_options, congestion, .flags = FR_DEFAULT,
            .doc = "Whether to draw the stalls per byte of these runs on a second y axis."),
    FR_BORROWED(struct drawing_options, x,
                .doc = "The parameter along the x axis; default the one with the most values."),
    FR_BORROWED(struct drawing_options, y,
                .doc =
                    "The output along the y axis, or `breakdown_PHASE_time_s`; default time_s. "
                    "For lines and groups up to 6 outputs of the same unit, separated by commas."),
    FR_BORROWED(struct drawing_options, series,
                .doc = "The parameter (or `machine`) with one line for each value; for kind=map "
                       "the parameter along the y axis."),
    FR_BORROWED(struct drawing_options, hidden,
                .doc = "Values of `series` whose lines are left out, separated by commas; the "
                       "others keep their colors and markers."),
    FR_BOOL(struct drawing_options, logx, .flags = FR_AUTOMATIC, .doc = "A logarithmic x axis."),
    FR_BOOL(struct drawing_options, logy, .flags = FR_AUTOMATIC,
            .doc = "A logarithmic y axis. Bars side by side have one only with true, stacked bars "
                   "none."),
    FR_TUNE(struct drawing_options),
    FR_CHART_TITLE(struct drawing_options),
    FR_CHART_LOOK(struct drawing_options, 900, 540),
    FR_PARAMS_END,
};

/* The list of this parameter; a single value becomes an axis with one point. */
static const struct fr_axis *find_axis(struct fr_request *rq, const struct fr_question *question,
                                       const char *name)
{
    const struct fr_axis *list = fr_axes_find(question->axis, question->axis_count, name);
    const struct fr_param *param = fr_param_find(question->model->params, name);
    struct fr_axis *lone = list ? NULL : fr_arena_zeroed(rq->arena, 1, sizeof *lone);

    if (list || !lone || !param || fr_param_is_open(param, question->values))
        return list;
    *lone = fr_axis_of_one(param, question->values, rq->arena);
    return lone->count ? lone : NULL;
}

/* Chooses the list along the axis and the list of lines. A third list is a fault. */
static void choose_axes(struct fr_request *rq, struct drawing *drawing, struct fr_faults *faults)
{
    const struct fr_question *question = drawing->question;

    if (drawing->options.x && !(drawing->x = find_axis(rq, question, drawing->options.x)))
        fr_fault(faults, FR_CHOICE, "x", "'%.40s' is not among the parameters that were given",
                 drawing->options.x);
    if (drawing->options.series && strcmp(drawing->options.series, "machine") != 0 &&
        !(drawing->series = find_axis(rq, question, drawing->options.series)))
        fr_fault(faults, FR_CHOICE, "series", "'%.40s' is not among the parameters that were given",
                 drawing->options.series);
    for (size_t i = 0; i < question->axis_count && !faults->count; i++) {
        const struct fr_axis *axis = &question->axis[i];

        if (axis == drawing->x || axis == drawing->series)
            continue;
        if (!drawing->x && !drawing->chart->sweep.has_no_x &&
            (axis->param->kind == FR_KIND_INT || axis->param->kind == FR_KIND_REAL))
            drawing->x = axis;
        else if (drawing->chart->sweep.takes_spread && !drawing->spread)
            drawing->spread = axis;
        else if (!drawing->series && !drawing->options.series)
            drawing->series = axis;
        else if (drawing->chart->sweep.has_panels && !drawing->spread)
            drawing->spread = axis;
        else
            fr_fault(faults, FR_RELATION, axis->param->name,
                     "a chart has one list along x and one as series; give one value here");
    }
    if (drawing->x && drawing->chart->sweep.has_no_x)
        fr_fault(faults, FR_RELATION, "x",
                 "this kind of chart counts repetitions along x; omit it");
    if (!drawing->x && !drawing->chart->sweep.has_no_x && !faults->count)
        fr_fault(faults, FR_MISSING, "x",
                 "required: a parameter with a list of values, such as processes=16..4096..*4");
    if (drawing->chart->sweep.takes_spread && !drawing->spread && !faults->count)
        fr_fault(faults, FR_MISSING, "kind",
                 "a band spans a list besides those of x and series, such as "
                 "hop_estimate=best,average,max");
    if (drawing->x && drawing->x == drawing->series)
        fr_fault(faults, FR_RELATION, "series", "is x already");
}

/* Loads the saved runs of every machine. A box plot needs them. */
static void load_runs(struct fr_request *rq, struct drawing *drawing, struct fr_faults *faults)
{
    const struct fr_question *question = drawing->question;
    const bool needs_runs = drawing->chart->sweep.needs_runs;
    struct fr_measured_points *measured;

    if ((!drawing->options.measured && !needs_runs) || faults->count)
        return;
    measured = fr_arena_zeroed(rq->arena, question->target_count, sizeof *measured);
    if (!measured)
        fr_fault(faults, FR_NOMEM, "measured", "memory for one request is used up; ask for less");
    for (size_t i = 0; measured && i < question->target_count; i++)
        fr_measured_load(rq, question->model, &question->target[i], &drawing->y.quantity[0],
                         &measured[i], faults);
    drawing->measured = measured;
    drawing->compared = fr_measured_compared(question, drawing->x ? drawing->x->param : NULL);
}

static struct fr_chart_subject subject_of(const struct drawing *drawing)
{
    const bool has_machines = drawing->question->target_count > 1;

    return (struct fr_chart_subject){
        .kind = drawing->chart->name,
        .model = drawing->question->model->name,
        .x_parameter = drawing->x ? drawing->x->param->name : NULL,
        .series_parameter = drawing->series ? drawing->series->param->name
                            : has_machines  ? "machine"
                                            : NULL,
        .outputs = drawing->y.name,
        .output_count = drawing->y.count,
        .warnings = drawing->warnings,
    };
}

static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *options, struct fr_faults *faults)
{
    const struct drawing_options *given = options;
    struct fr_sweep sweep;
    struct drawing drawing = { .question = question,
                               .sweep = &sweep,
                               .options = *given,
                               .chart = fr_chart_find(FR_OF_SWEEP, kinds[given->kind]),
                               .low_y = INFINITY,
                               .high_y = -INFINITY };
    struct fr_chart_subject subject;
    struct fr_plot plot;

    if (!faults->count && fr_chart_is_cached(rq, reply))
        return 200;
    if (!drawing.chart->sweep.has_own_axes)
        choose_axes(rq, &drawing, faults);
    drawing_choose_outputs(rq, &drawing, faults);
    drawing_hide(rq, &drawing, faults);
    load_runs(rq, &drawing, faults);
    if (fr_sweep_begin(&sweep, rq, question, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    if ((drawing.chart->sweep.has_lines &&
         !(drawing.line = fr_arena_zeroed(rq->arena, DRAWING_SERIES, sizeof *drawing.line))) ||
        (rq->format == FR_JSON &&
         !(drawing.warnings = fr_arena_zeroed(rq->arena, 1, sizeof *drawing.warnings))))
        return fr_reply_problem(reply, 503, "The server is out of memory.");
    plot = fr_chart_begin(rq, &given->look);
    plot.note = drawing_note(rq, question);
    drawing.chart->draw.sweep(rq, &drawing, &plot, faults);
    if (!sweep.legal && !faults->count)
        *faults = *sweep.faults;
    if (!faults->count)
        fr_metrics_predictions(&rq->server->metrics, question->model, sweep.legal);
    subject = subject_of(&drawing);
    return fr_chart_reply(rq, reply, &plot, !faults->count, &subject, faults, NULL);
}

const struct fr_asking fr_asking_chart = {
    .options = option_table,
    .options_size = sizeof(struct drawing_options),
    .takes_lists = true,
    .answer = answer,
};
