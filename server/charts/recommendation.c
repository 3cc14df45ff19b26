/* GET /api/v1/recommend/{model} and its chart.svg: time and core hours over the number of nodes,
 * with the deadline, the knee and the best configuration marked. */
#include "server/charts/sweep_drawing.h"
#include "server/http/server.h"

#include <math.h>
#include <stdio.h>

enum { LABEL_BYTES = 80 };

/* A column of which some value is known; NULL: it has none. */
static const double *known(struct fr_node_points *points, enum fr_node_column column)
{
    const double *value = fr_node_column(points, column);

    for (size_t i = 0; i < points->count; i++)
        if (!isnan(value[i]))
            return value;
    return NULL;
}

/* Marks the knee and the best configuration; returns how many marks they need. */
static size_t mark(const struct fr_node_points *points, struct fr_plot_mark mark[2],
                   char label[2][LABEL_BYTES])
{
    const bool is_same = points->best == points->knee;
    size_t count = 0;

    if (!isnan(points->best)) {
        snprintf(label[count], LABEL_BYTES, "best%s: %.0f nodes", is_same ? " and knee" : "",
                 points->best);
        mark[count] = (struct fr_plot_mark){ points->best, label[count] };
        count++;
    }
    if (!isnan(points->knee) && !is_same) {
        snprintf(label[count], LABEL_BYTES, "knee: %.0f nodes", points->knee);
        mark[count] = (struct fr_plot_mark){ points->knee, label[count] };
        count++;
    }
    return count;
}

static void draw(struct fr_plot *plot, const char *title, struct fr_node_points *points,
                 double deadline_at_s, double part)
{
    enum { TIME = 1, CORE_HOURS, DEADLINE, QUANTILE };
    const struct fr_plot_axis right = { .title = "core hours", .from_zero = true };
    struct fr_plot_axis x = { .title = "nodes", .is_log = true, .is_log2 = true };
    const struct fr_plot_axis y = { .title = "time (s)", .is_log = true, .right = &right };
    const size_t length = points->count;
    const double *nodes = fr_node_column(points, FR_NODE_COUNTS);
    const double *quantile_s = known(points, FR_NODE_QUANTILES_S);
    const double ends[] = { nodes[0], nodes[length - 1] };
    const double deadline_s[] = { deadline_at_s, deadline_at_s };
    struct fr_plot_mark marks[2];
    char labels[2][LABEL_BYTES], quantile[LABEL_BYTES];
    struct fr_series series[4];
    size_t count = 0;

    x.marks = marks;
    x.mark_count = mark(points, marks, labels);
    series[count++] = (struct fr_series){ .label = "time",
                                          .x = nodes,
                                          .y = fr_node_column(points, FR_NODE_TIMES_S),
                                          .count = length,
                                          .low = known(points, FR_NODE_LOWS_S),
                                          .high = known(points, FR_NODE_HIGHS_S),
                                          .band_label = "its interval",
                                          .is_outside = fr_node_outside(points),
                                          .colour = TIME,
                                          .shape = TIME };
    if (quantile_s) {
        snprintf(quantile, sizeof quantile, "time that %.4g %% of runs keep", 100 * part);
        series[count++] = (struct fr_series){ .label = quantile,
                                              .x = nodes,
                                              .y = quantile_s,
                                              .count = length,
                                              .is_bare = true,
                                              .colour = QUANTILE,
                                              .shape = QUANTILE };
    }
    series[count++] = (struct fr_series){ .label = "core hours",
                                          .x = nodes,
                                          .y = fr_node_column(points, FR_NODE_CORE_HOURS),
                                          .count = length,
                                          .is_bare = true,
                                          .is_right = true,
                                          .colour = CORE_HOURS,
                                          .shape = TIME };
    if (deadline_at_s > 0)
        series[count++] = (struct fr_series){ .label = "deadline",
                                              .x = ends,
                                              .y = deadline_s,
                                              .count = 2,
                                              .is_bare = true,
                                              .colour = DEADLINE,
                                              .shape = DEADLINE };
    fr_plot_lines(plot, title, &x, &y, series, count);
}

static int draw_points(struct fr_request *rq, struct fr_reply *reply,
                       const struct fr_question *question,
                       const struct fr_recommend_options *options, const struct fr_goal *goal,
                       struct fr_node_points *points)
{
    static const char *const outputs[] = { "time_s", "core_hours" };
    const struct drawing drawing = { .question = question, .options.title = options->title };
    struct fr_plot plot = fr_chart_begin(rq, &options->look);

    plot.note = drawing_note(rq, question);
    if (points->count)
        draw(&plot, drawing_title(rq, &drawing), points, goal->deadline_s,
             question->outlook.quantile);
    return fr_chart_reply(rq, reply, &plot, points->count,
                          &(struct fr_chart_subject){ .kind = "recommendation",
                                                      .model = question->model->name,
                                                      .x_parameter = "nodes",
                                                      .outputs = outputs,
                                                      .output_count = 2,
                                                      .warnings = &points->warnings },
                          NULL, "The model has no nodes, so there is nothing to draw over them.");
}

/* Draws the curve of all node counts, whether or not one of them meets the constraints. */
static int answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *option_values, struct fr_faults *faults)
{
    const struct fr_recommend_options *options = option_values;
    const struct fr_restriction only = fr_question_restriction(question);
    struct fr_recommended found = { .is_met = false };
    struct fr_node_points *points;
    int code;

    if (options->objective > FR_KNEE)
        fr_fault(
            faults, FR_CHOICE, "objective",
            "has no curve over the nodes; ask for time, nodes, core_hours, efficiency or knee");
    if (fr_goal_read(rq, question, options, &only, &found.goal, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    points = fr_node_points_kept(rq, question, &found.goal);
    if (points)
        return draw_points(rq, reply, question, options, &found.goal, points);
    code = fr_question_recommend(rq, question, 1, &found, faults);
    if (code != FR_OK && code != FR_INFEASIBLE)
        return fr_reply_faults(reply, faults);
    points = found.curve.row ? fr_node_points_find(question, &found) : NULL;
    if (!points) {
        fr_fault(faults, FR_NOMEM, "nodes",
                 "memory for one request is used up; ask for fewer counts");
        return fr_reply_faults(reply, faults);
    }
    fr_metrics_predictions(&rq->server->metrics, question->model, found.curve.legal);
    fr_node_points_keep(rq, question, &found.goal, points);
    return draw_points(rq, reply, question, options, &found.goal, points);
}

static const struct fr_param option_table[] = {
    FR_RECOMMEND_OPTIONS,
    FR_CHART_TITLE(struct fr_recommend_options),
    FR_CHART_LOOK(struct fr_recommend_options, 860, 440),
    FR_PARAMS_END,
};

static void keep(struct fr_request *rq, struct fr_question *question, struct fr_recommended *found)
{
    const struct fr_node_points *points = fr_node_points_find(question, found);

    if (points)
        fr_node_points_keep(rq, question, &found->goal, points);
}

static int answer_and_keep(struct fr_request *rq, struct fr_reply *reply,
                           struct fr_question *question, void *options, struct fr_faults *faults)
{
    return fr_recommendation_answer(rq, reply, question, options, faults, keep);
}

const struct fr_asking fr_asking_recommendation = {
    .options = fr_recommend_params,
    .options_size = sizeof(struct fr_recommend_options),
    .keeps_lists = fr_recommendation_searches,
    .leaves_tunables_open = true,
    .restricts_tunables = true,
    .takes_quantile = true,
    .takes_analyze = true,
    .is_always_new = true, /* the machine's size may have changed */
    .answer = answer_and_keep,
};

const struct fr_asking fr_asking_recommendation_chart = {
    .options = option_table,
    .options_size = sizeof(struct fr_recommend_options),
    .leaves_tunables_open = true,
    .restricts_tunables = true,
    .takes_quantile = true,
    .takes_analyze = true,
    .is_always_new = true, /* the machine's size may have changed */
    .answer = answer,
};
