/* GET /api/v1/sensitivity/{model}/chart.svg: the change of the time with each calibrated value. */
#include "server/questions/recommend.h"

#include "server/charts/sweep_drawing.h"
#include "server/http/handlers.h"

#include <stdio.h>
#include <string.h>

enum { USUAL_VALUES = 12 };

static void draw(struct fr_plot *plot, const char *title, const struct fr_sensitivity *found,
                 double factor)
{
    const char *paths[FR_MOST_INFLUENCES + 1];
    double multiplied[FR_MOST_INFLUENCES], divided[FR_MOST_INFLUENCES];
    char multiplied_label[40], divided_label[40];
    const struct fr_plot_axis x = { .title = "change of the time (%)" };
    struct fr_plot_axis y = { .title = "" };
    struct fr_series series[2];

    snprintf(multiplied_label, sizeof multiplied_label, "× %.4g", factor);
    snprintf(divided_label, sizeof divided_label, "÷ %.4g", factor);
    for (size_t i = 0; i < found->count; i++) {
        const struct fr_influence *influence = &found->row[found->count - 1 - i];

        paths[i] = influence->path;
        multiplied[i] = 100 * (influence->multiplied_s / found->time_s - 1);
        divided[i] = 100 * (influence->divided_s / found->time_s - 1);
    }
    paths[found->count] = NULL;
    y.categories = paths;
    series[0] =
        (struct fr_series){ .label = multiplied_label, .y = multiplied, .count = found->count };
    series[1] = (struct fr_series){ .label = divided_label, .y = divided, .count = found->count };
    fr_plot_lying(plot, title, &x, &y, series, 2);
}

/* Counts the warnings of the unchanged prediction, which fr_question_sensitivity found possible. */
static int warn(const struct fr_question *question, struct fr_chart_warnings *warnings,
                struct fr_faults *faults)
{
    const struct fr_target *target = &question->target[0];
    struct fr_arena *arena = question->arena;
    void *values = fr_arena_zeroed(arena, 1, question->model->values_size);
    struct fr_prediction *prediction = fr_arena_zeroed(arena, 1, sizeof *prediction);
    struct fr_spread spread;

    if (!values || !prediction || !warnings)
        return fr_fault(faults, FR_NOMEM, "",
                        "memory for one request is used up; ask for a smaller problem");
    memcpy(values, question->values, question->model->values_size);
    if (fr_model_answer(question->model, values, fr_matching_runs_source(&target->matching),
                        target->cal, arena, prediction, &spread, faults) != FR_OK)
        return FR_RELATION;
    fr_chart_warnings_add(warnings, prediction);
    return FR_OK;
}

static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *option_values, struct fr_faults *faults)
{
    const struct fr_sensitivity_options *options = option_values;
    const struct drawing drawing = { .question = question, .options.title = options->title };
    static const char *const output = "time_s";
    struct fr_chart_warnings *warnings = NULL;
    struct fr_sensitivity found;
    struct fr_plot plot;

    if (!faults->count && fr_chart_is_cached(rq, reply))
        return 200;
    if (fr_question_sensitivity(rq, question, options, &found, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    if (rq->format == FR_JSON && found.count) {
        warnings = fr_arena_zeroed(rq->arena, 1, sizeof *warnings);
        if (warn(question, warnings, faults) != FR_OK)
            return fr_reply_faults(reply, faults);
    }
    plot = fr_chart_begin(rq, &options->look);
    plot.note = drawing_note(rq, question);
    if (found.count)
        draw(&plot, drawing_title(rq, &drawing), &found, options->factor);
    return fr_chart_reply(rq, reply, &plot, found.count,
                          &(struct fr_chart_subject){ .kind = "sensitivity",
                                                      .model = question->model->name,
                                                      .outputs = &output,
                                                      .output_count = 1,
                                                      .warnings = warnings },
                          faults,
                          "No calibrated value changes the time, so there is nothing to draw.");
}

static const struct fr_param option_table[] = {
    FR_SENSITIVITY_OPTIONS(USUAL_VALUES),
    FR_CHART_TITLE(struct fr_sensitivity_options),
    FR_CHART_LOOK(struct fr_sensitivity_options, 860, 480),
    FR_PARAMS_END,
};

const struct fr_asking fr_asking_sensitivity_chart = {
    .options = option_table,
    .options_size = sizeof(struct fr_sensitivity_options),
    .takes_analyze = true,
    .answer = answer,
};
