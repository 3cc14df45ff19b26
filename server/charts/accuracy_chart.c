/* GET /api/v1/machines/{machine}/accuracy/chart.svg: predicted over measured values, one colour
 * for each model; and /history.svg, the same runs over time (history.c). */
#include "server/runs/residuals.h"

#include "server/charts/sweep_drawing.h"
#include "server/http/handlers.h"

#include <stdio.h>

const struct fr_param fr_accuracy_chart_params[] = {
    FR_ACCURACY_SUBJECT,
    FR_ACCURACY_WITH_RUNS,
    FR_CHART_LOOK(struct fr_accuracy_options, 700, 640),
    FR_PARAMS_END,
};

static int fill(struct fr_request *rq, const struct fr_accuracy_question *question,
                const struct fr_accuracy_report *report, struct fr_series *series)
{
    double *x = fr_arena_zeroed(rq->arena, report->count, sizeof *x);
    double *y = fr_arena_zeroed(rq->arena, report->count, sizeof *y);

    if (!x || !y)
        return FR_NOMEM;
    *series = (struct fr_series){ .label = report->model->name, .x = x, .y = y, .is_points = true };
    for (size_t i = 0; i < report->count; i++) {
        const double predicted = fr_accuracy_predicted(question, &report->run[i]);

        if (!(predicted > 0) || !(report->run[i].measured > 0))
            continue;
        x[series->count] = report->run[i].measured;
        y[series->count++] = predicted;
    }
    return FR_OK;
}

static bool draw(struct fr_request *rq, const struct fr_accuracy_question *question,
                 struct fr_plot *plot, struct fr_faults *faults)
{
    struct fr_series *series = fr_arena_zeroed(rq->arena, question->count + 1, sizeof *series);
    char x_title[DRAWING_LABEL_BYTES], y_title[DRAWING_LABEL_BYTES], title[DRAWING_LABEL_BYTES];
    char left_out[60] = "";
    struct fr_quantity quantity;
    const char *what;
    size_t count = 0, unpredicted = 0;

    for (size_t i = 0; series && i < question->count; i++) {
        unpredicted += question->report[i].count - question->report[i].left_out[FR_LEFT_OUT_NOT];
        if (fill(rq, question, &question->report[i], &series[count]) != FR_OK)
            series = NULL;
        else
            count += series[count].count > 0;
    }
    if (!series)
        fr_fault(faults, FR_NOMEM, "model", "too many runs; name one model");
    if (!series || !count)
        return false;
    fr_quantity_find(question->report[0].model, question->output, &quantity);
    what = drawing_axis_title(rq, question->output, fr_quantity_unit(&quantity));
    snprintf(x_title, sizeof x_title, "measured %.140s", what);
    snprintf(y_title, sizeof y_title, "predicted %.140s", what);
    if (unpredicted)
        snprintf(left_out, sizeof left_out, " (%zu runs cannot be predicted)", unpredicted);
    snprintf(title, sizeof title, "%s: predicted against measured%s", question->machine, left_out);
    fr_plot_scatter(plot, title, &(struct fr_plot_axis){ .title = x_title },
                    &(struct fr_plot_axis){ .title = y_title }, series, count);
    return true;
}

typedef bool drawer(struct fr_request *rq, const struct fr_accuracy_question *question,
                    struct fr_plot *plot, struct fr_faults *faults);

static int answer(struct fr_request *rq, struct fr_reply *reply, const char *kind, drawer *draws,
                  const struct fr_look *look, struct fr_accuracy_question *question,
                  struct fr_faults *faults)
{
    struct fr_plot plot = fr_chart_begin(rq, look);
    const bool is_drawn =
        fr_accuracy_answer(rq, question, faults) == FR_OK && draws(rq, question, &plot, faults);

    return fr_chart_reply(
        rq, reply, &plot, is_drawn,
        &(struct fr_chart_subject){ .kind = kind, .outputs = &question->output, .output_count = 1 },
        faults, "No saved run has a prediction, so there is nothing to draw.");
}

static int reply_with(struct fr_request *rq, struct fr_reply *reply, const char *kind,
                      drawer *draws)
{
    struct fr_accuracy_question question;
    struct fr_accuracy_options options;
    struct fr_faults faults;
    int status = fr_accuracy_ask(rq, reply, &options, &question, &faults);

    if (status != FR_OK)
        return status;
    if (fr_accuracy_is_known(rq, reply, &question))
        status = 304;
    else if (fr_chart_is_cached(rq, reply))
        status = 200;
    else
        status = answer(rq, reply, kind, draws, &options.look, &question, &faults);
    fr_accuracy_end(&question);
    return status;
}

int fr_get_accuracy_chart(struct fr_request *rq, struct fr_reply *reply)
{
    return reply_with(rq, reply, "accuracy", draw);
}

int fr_get_accuracy_history(struct fr_request *rq, struct fr_reply *reply)
{
    return reply_with(rq, reply, "history", fr_history_draw);
}
