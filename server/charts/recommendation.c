/* GET /api/v1/recommend/{model} and its chart.svg: time and core hours over the number of nodes,
 * with the deadline, the knee and the best configuration marked. */
#include "server/charts/sweep_drawing.h"
#include "server/http/server.h"

#include <math.h>
#include <stdio.h>

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

/* False if memory is short. */
static bool fill(struct fr_arena *arena, const struct fr_node_points *points,
                 struct fr_node_drawing *drawn)
{
    double **const column[] = { &drawn->nodes,  &drawn->time_s,     &drawn->low_s,
                                &drawn->high_s, &drawn->quantile_s, &drawn->core_hours };

    for (size_t i = 0; i < sizeof column / sizeof *column; i++)
        if (!(*column[i] = fr_arena_zeroed(arena, points->count, sizeof **column[i])))
            return false;
    drawn->is_outside = fr_arena_zeroed(arena, points->count, sizeof *drawn->is_outside);
    if (!drawn->is_outside)
        return false;
    drawn->count = points->count;
    drawn->knee = points->knee;
    drawn->best = points->best;
    for (size_t i = 0; i < points->count; i++) {
        const struct fr_node_point *point = &points->point[i];

        drawn->nodes[i] = point->nodes;
        drawn->time_s[i] = point->time_s;
        drawn->low_s[i] = point->low_s;
        drawn->high_s[i] = point->high_s;
        drawn->quantile_s[i] = point->quantile_s;
        drawn->core_hours[i] = point->core_hours;
        drawn->is_outside[i] = point->is_outside;
        drawn->has_interval |= !isnan(point->low_s);
        drawn->has_quantile |= !isnan(point->quantile_s);
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
    series[count++] = (struct fr_series){ .label = "core hours",
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

static int draw_points(struct fr_request *rq, struct fr_reply *reply,
                       const struct fr_question *question,
                       const struct fr_recommend_options *options, const struct fr_goal *goal,
                       const struct fr_node_points *points, struct fr_faults *faults)
{
    static const char *const outputs[] = { "time_s", "core_hours" };
    const struct drawing drawing = { .question = question, .options.title = options->title };
    struct fr_plot plot;
    struct fr_node_drawing drawn = { .deadline_s = goal->deadline_s,
                                     .quantile = question->outlook.quantile };

    if (points->count && !fill(rq->arena, points, &drawn))
        return short_of_memory(reply, faults);
    plot = fr_chart_begin(rq, &options->look);
    plot.note = drawing_note(rq, question);
    if (points->count)
        draw(&plot, drawing_title(rq, &drawing), &drawn);
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
        return draw_points(rq, reply, question, options, &found.goal, points, faults);
    code = fr_question_recommend(rq, question, 1, &found, faults);
    if (code != FR_OK && code != FR_INFEASIBLE)
        return fr_reply_faults(reply, faults);
    points = found.curve.row ? fr_node_points_find(question, &found) : NULL;
    if (!points)
        return short_of_memory(reply, faults);
    fr_metrics_predictions(&rq->server->metrics, question->model, found.curve.legal);
    fr_node_points_keep(rq, question, &found.goal, points);
    return draw_points(rq, reply, question, options, &found.goal, points, faults);
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
