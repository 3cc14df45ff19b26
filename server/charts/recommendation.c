/* GET /api/v1/recommend/{model}/chart.svg: time and core hours over the number of nodes, with the
 * deadline, the knee and the best configuration marked. */
#include "server/charts/chart_reply.h"
#include "server/charts/sweep_drawing.h"
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/questions/outlook_row.h"
#include "server/questions/recommend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LABEL_BYTES = 80 };

/* What is drawn: columns with a value for each number of nodes; NaN where there is none. */
struct fr_node_drawing {
    size_t count;
    double *nodes, *time_s, *low_s, *high_s, *quantile_s, *core_hours;
    bool *is_outside; /* of the calibrated range */
    bool has_interval, has_quantile;
    double quantile, deadline_s;
    double knee, best; /* their nodes */
};

static int by_nodes(const void *left, const void *right)
{
    const struct fr_ranked *const *a = left, *const *b = right;
    const double by = (*a)->prediction.nodes - (*b)->prediction.nodes;

    return (by > 0) - (by < 0);
}

/* The rows in the order of their nodes.  Of a problem of fixed size only those that no smaller
 * number of nodes beats: others are no reason to wait for more nodes.  NULL if memory is short. */
static struct fr_ranked **rows_of(struct fr_arena *arena, const struct fr_ranking *all,
                                  size_t *count)
{
    struct fr_ranked **row = fr_arena_zeroed(arena, all->count, sizeof *row);

    *count = 0;
    for (size_t i = 0; row && i < all->count; i++)
        row[i] = &all->row[i];
    if (!row)
        return NULL;
    qsort(row, all->count, sizeof *row, by_nodes);
    for (size_t i = 0; i < all->count; i++)
        if (!all->has_knee || !*count ||
            row[i]->prediction.time_s < row[*count - 1]->prediction.time_s)
            row[(*count)++] = row[i];
    return row;
}

static bool make_room(struct fr_arena *arena, struct fr_node_drawing *curve, size_t count)
{
    double **const column[] = { &curve->nodes,  &curve->time_s,     &curve->low_s,
                                &curve->high_s, &curve->quantile_s, &curve->core_hours };

    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        if (!(*column[i] = fr_arena_zeroed(arena, count, sizeof **column[i])))
            return false;
    curve->count = count;
    curve->is_outside = fr_arena_zeroed(arena, count, sizeof *curve->is_outside);
    return curve->is_outside;
}

static bool fill(const struct fr_question *question, struct fr_ranked *const *row, size_t count,
                 struct fr_node_drawing *curve, struct fr_chart_warnings *warnings)
{
    const struct fr_target *target = &question->target[0];

    if (!make_room(question->arena, curve, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct fr_prediction *prediction = &row[i]->prediction;
        const struct fr_outlook outlook =
            fr_row_foresee(question, target, row[i]->values, prediction, &row[i]->spread);

        curve->nodes[i] = prediction->nodes;
        curve->time_s[i] = prediction->time_s;
        curve->low_s[i] = outlook.has_interval ? outlook.interval.low_s : NAN;
        curve->high_s[i] = outlook.has_interval ? outlook.interval.high_s : NAN;
        curve->quantile_s[i] = outlook.quantile_s;
        curve->is_outside[i] = fr_prediction_is_extrapolated(prediction);
        curve->core_hours[i] = fr_core_hours(prediction, target->cal);
        curve->has_interval |= outlook.has_interval;
        curve->has_quantile |= !isnan(outlook.quantile_s);
        fr_chart_warnings_add(warnings, prediction);
    }
    return true;
}

/* Marks the knee and the best configuration; returns how many marks they need. */
static size_t mark(const struct fr_node_drawing *drawn, struct fr_plot_mark mark[2],
                   char label[2][LABEL_BYTES])
{
    const bool is_same = drawn->best == drawn->knee;
    size_t count = 0;

    if (!isnan(drawn->best)) {
        snprintf(label[count], LABEL_BYTES, "best%s: %.0f nodes", is_same ? " and knee" : "",
                 drawn->best);
        mark[count] = (struct fr_plot_mark){ drawn->best, label[count] };
        count++;
    }
    if (!isnan(drawn->knee) && !is_same) {
        snprintf(label[count], LABEL_BYTES, "knee: %.0f nodes", drawn->knee);
        mark[count] = (struct fr_plot_mark){ drawn->knee, label[count] };
        count++;
    }
    return count;
}

static void draw(struct fr_plot *plot, const char *title, const struct fr_node_drawing *drawn)
{
    enum { TIME = 1, CORE_HOURS, DEADLINE, QUANTILE };
    const struct fr_plot_axis right = { .title = "core hours", .from_zero = true };
    struct fr_plot_axis x = { .title = "nodes", .is_log = true, .is_log2 = true };
    const struct fr_plot_axis y = { .title = "time (s)", .is_log = true, .right = &right };
    const double ends[] = { drawn->nodes[0], drawn->nodes[drawn->count - 1] };
    const double deadline_s[] = { drawn->deadline_s, drawn->deadline_s };
    struct fr_plot_mark marks[2];
    char labels[2][LABEL_BYTES], quantile[LABEL_BYTES];
    struct fr_series series[4];
    size_t count = 0;

    x.marks = marks;
    x.mark_count = mark(drawn, marks, labels);
    series[count++] = (struct fr_series){ .label = "time",
                                          .x = drawn->nodes,
                                          .y = drawn->time_s,
                                          .count = drawn->count,
                                          .low = drawn->has_interval ? drawn->low_s : NULL,
                                          .high = drawn->has_interval ? drawn->high_s : NULL,
                                          .band_label = "its interval",
                                          .is_outside = drawn->is_outside,
                                          .colour = TIME,
                                          .shape = TIME };
    if (drawn->has_quantile) {
        snprintf(quantile, sizeof quantile, "time that %.4g %% of runs keep",
                 100 * drawn->quantile);
        series[count++] = (struct fr_series){ .label = quantile,
                                              .x = drawn->nodes,
                                              .y = drawn->quantile_s,
                                              .count = drawn->count,
                                              .is_bare = true,
                                              .colour = QUANTILE,
                                              .shape = QUANTILE };
    }
    series[count++] = (struct fr_series){ .label = "core hours (right axis)",
                                          .x = drawn->nodes,
                                          .y = drawn->core_hours,
                                          .count = drawn->count,
                                          .is_bare = true,
                                          .is_right = true,
                                          .colour = CORE_HOURS,
                                          .shape = TIME };
    if (drawn->deadline_s > 0)
        series[count++] = (struct fr_series){ .label = "deadline",
                                              .x = ends,
                                              .y = deadline_s,
                                              .count = 2,
                                              .is_bare = true,
                                              .colour = DEADLINE,
                                              .shape = DEADLINE };
    fr_plot_lines(plot, title, &x, &y, series, count);
}

static int short_of_memory(struct fr_reply *reply, struct fr_faults *faults)
{
    fr_fault(faults, FR_NOMEM, "nodes", "memory for one request is used up; ask for fewer counts");
    return fr_reply_faults(reply, faults);
}

/* Draws the curve of all node counts, whether or not one of them meets the constraints. */
static int answer_curve(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                        const struct fr_recommend_options *options, const struct fr_goal *goal,
                        struct fr_ranking *curve, struct fr_faults *faults)
{
    const struct fr_calibration *cal = question->target[0].cal;
    const struct drawing drawing = { .question = question, .options.title = options->title };
    struct fr_plot plot = { .format = rq->format,
                            .width = (int)options->width,
                            .height = (int)options->height,
                            .theme = (enum fr_theme)options->theme,
                            .note = drawing_note(rq, question) };
    static const char *const outputs[] = { "time_s", "core_hours" };
    struct fr_chart_warnings *warnings = fr_arena_zeroed(rq->arena, 1, sizeof *warnings);
    struct fr_ranking chosen;
    struct fr_ranked **row;
    struct fr_node_drawing drawn = { .deadline_s = goal->deadline_s,
                                     .quantile = question->outlook.quantile };
    size_t count;
    int code;

    if (isnan(curve->row[0].prediction.nodes))
        return fr_reply_problem(reply, 404,
                                "The model has no nodes, so there is nothing to draw over them.");
    chosen = *curve;
    chosen.row = fr_arena_zeroed(rq->arena, curve->count, sizeof *chosen.row);
    if (!chosen.row)
        return short_of_memory(reply, faults);
    memcpy(chosen.row, curve->row, curve->count * sizeof *chosen.row);
    code = fr_recommend_among(question->model, question->values, cal, goal, 1, rq->arena, &chosen,
                              faults);
    if (code != FR_OK && code != FR_INFEASIBLE)
        return fr_reply_faults(reply, faults);
    curve->has_knee = chosen.has_knee;
    row = rows_of(rq->arena, curve, &count);
    if (!row || !warnings || !fill(question, row, count, &drawn, warnings))
        return short_of_memory(reply, faults);
    drawn.knee = chosen.has_knee ? chosen.knee.prediction.nodes : NAN;
    drawn.best = code == FR_OK ? chosen.row[0].prediction.nodes : NAN;
    fr_writer_init(&plot.script);
    draw(&plot, drawing_title(rq, &drawing), &drawn);
    fr_metrics_predictions(&rq->server->metrics, question->model, curve->legal);
    return fr_chart_reply_once(rq, reply, &plot,
                               &(struct fr_chart_subject){ .kind = "recommendation",
                                                           .model = question->model->name,
                                                           .x_parameter = "nodes",
                                                           .outputs = outputs,
                                                           .output_count = 2,
                                                           .warnings = warnings });
}

static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *option_values, struct fr_faults *faults)
{
    const struct fr_recommend_options *options = option_values;
    const struct fr_restriction only = fr_question_restriction(question);
    struct fr_ranking curve = { 0 };
    struct fr_goal goal;

    if (options->objective > FR_KNEE)
        fr_fault(
            faults, FR_CHOICE, "objective",
            "has no curve over the nodes; ask for time, nodes, core_hours, efficiency or knee");
    if (fr_goal_read(rq, question, options, &only, &goal, faults) != FR_OK ||
        fr_node_curve(question->model, question->values,
                      fr_matching_runs_of_rows(&question->target[0].matching),
                      question->target[0].cal, &goal, rq->arena, &curve, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    return answer_curve(rq, reply, question, options, &goal, &curve, faults);
}

static const struct fr_param option_table[] = {
    FR_RECOMMEND_OPTIONS,
    FR_CHART_LOOK(struct fr_recommend_options, 860, 440),
    FR_PARAMS_END,
};

const struct fr_chart fr_chart_recommendation = {
    .name = "recommendation",
    .summary = "Time and core hours over the number of nodes.",
    .of = FR_OF_RECOMMENDATION,
    .params = option_table,
    .draw.recommendation = draw,
};

int fr_get_recommendation_chart(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_recommend_options options = { .nodes = NULL };
    const struct fr_text_option texts[] = { { "nodes", &options.nodes },
                                            { "title", &options.title },
                                            { NULL, NULL } };

    return fr_ask(rq, reply,
                  &(struct fr_asking){
                      .options = option_table,
                      .option_values = &options,
                      .texts = texts,
                      .leaves_tunables_open = true,
                      .restricts_tunables = true,
                      .takes_quantile = true,
                      .takes_analyze = true,
                      .is_always_new = true, /* the machine's size may have changed */
                      .answer = answer,
                  });
}
