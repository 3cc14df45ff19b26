/* Recommendations: the best configuration including the number of nodes. */
#include "server/questions/recommend.h"

#include "server/calibrations/document.h"
#include "server/http/server.h"
#include "server/questions/documents.h"
#include "server/store/store.h"

#include <math.h>
#include <string.h>

enum { USUAL_NODES = 4096 };

/* Objectives that search along a parameter, after those of the engine. */
enum { LARGEST_SIZE = FR_KNEE + 1, CROSSOVER };

const char *const fr_objectives[] = {
    [FR_LEAST_TIME] = "time",
    [FR_FEWEST_NODES] = "nodes",
    [FR_FEWEST_CORE_HOURS] = "core_hours",
    [FR_BEST_EFFICIENCY] = "efficiency",
    [FR_KNEE] = "knee",
    [LARGEST_SIZE] = "size",
    [CROSSOVER] = "crossover",
    NULL,
};

const char *const fr_memories[] = {
    [FR_MEMORY_LIMIT] = "limit",
    [FR_MEMORY_IGNORE] = "ignore",
    NULL,
};

const struct fr_param fr_recommend_params[] = {
    FR_RECOMMEND_OPTIONS,
    FR_BORROWED(struct fr_recommend_options, along,
                .doc = "With objective=size or crossover, the parameter to search along; default "
                       "the one that is given as a range, or for size the size of the problem."),
    FR_PARAMS_END,
};

int fr_recommend_objective(const struct fr_question *question,
                           const struct fr_recommend_options *options)
{
    const struct fr_model *model = question->model;

    if (options->objective != FR_OPEN_CHOICE)
        return options->objective;
    if (!model->node_counts || fr_model_grows(model, question->values) ||
        (question->target_count && !question->target[0].cal->node.cores_per_node))
        return FR_LEAST_TIME;
    return isnan(options->deadline_s) ? FR_KNEE : FR_FEWEST_NODES;
}

static int answer_recommend(struct fr_request *rq, struct fr_reply *reply,
                            const struct fr_question *question, enum fr_objective objective,
                            struct fr_ranking *ranking)
{
    const bool is_json = rq->format == FR_JSON;
    struct fr_writer *w = &reply->body;
    struct fr_rows rows;

    fr_metrics_predictions(&rq->server->metrics, question->model, ranking->legal);
    if (is_json) {
        fr_json_object(w);
        fr_json_pair(w, "objective", fr_objectives[objective]);
        fr_ranking_head(w, question, ranking);
    }
    fr_rows_begin(&rows, w, rq->format);
    fr_ranking_write(&rows, question, ranking, fr_objectives[objective]);
    fr_rows_end(&rows);
    if (is_json) {
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
    return 200;
}

int64_t fr_usual_nodes(struct fr_request *rq, const char *machine)
{
    struct fr_machine stored;
    struct fr_faults faults;
    struct fr_facts facts;

    faults.count = 0;
    if (fr_store_glance_machine(rq->store, machine, rq->arena, &stored) != FR_STORE_OK ||
        fr_facts_read(stored.facts_json, strlen(stored.facts_json), rq->arena, &facts, &faults) !=
            FR_OK ||
        !facts.machine.nodes)
        return USUAL_NODES;
    return facts.machine.nodes < FR_MOST_NODES ? facts.machine.nodes : FR_MOST_NODES;
}

/* Reads the list `nodes=…` of positive integers. */
static void read_nodes(struct fr_request *rq, const char *text, struct fr_goal *goal,
                       struct fr_faults *faults)
{
    static const struct fr_param nodes =
        FR_INT(struct fr_recommend_options, limit, .min = 1, .max = FR_MOST_NODES);
    struct fr_param param = nodes;
    struct fr_axis axis;
    int64_t *count;

    param.name = "nodes";
    if (fr_axis_parse(&param, text, rq->arena, &axis, faults) != FR_OK)
        return;
    count = fr_arena_zeroed(rq->arena, axis.count, sizeof *count);
    if (!count || axis.count > FR_MOST_ROWS) {
        fr_fault(faults, FR_TOO_MANY_POINTS, "nodes", "more than %d counts", FR_MOST_ROWS);
        return;
    }
    for (size_t i = 0; i < axis.count; i++)
        count[i] = (int64_t)axis.value[i];
    goal->nodes = count;
    goal->nodes_count = axis.count;
}

/* Answers objective=size and objective=crossover. */
static int search(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  const struct fr_recommend_options *options, struct fr_goal *goal,
                  struct fr_faults *faults)
{
    struct fr_search_asked asked = { .is_crossover = options->objective == CROSSOVER,
                                     .along = options->along,
                                     .nodes = options->nodes,
                                     .limit = (size_t)options->limit };
    const struct fr_param *along = fr_search_along(question, &asked, faults);

    if (options->nodes && along && strcmp(along->name, "nodes") != 0)
        read_nodes(rq, options->nodes, goal, faults);
    goal->objective = FR_LEAST_TIME;
    asked.goal = *goal;
    return fr_search_answer(rq, reply, question, &asked, along, faults);
}

/* Has all partitions of the matrix that the node counts need analyzed at once. */
static void note_partitions(struct fr_request *rq, struct fr_question *question,
                            const struct fr_goal *goal)
{
    const struct fr_arena_mark mark = fr_arena_mark(rq->arena);
    struct fr_ranking none = { 0 };
    struct fr_faults expected;

    expected.count = 0;
    fr_partitions_note(question->partitions);
    fr_recommend(question->model, question->values,
                 fr_matching_runs_of_rows(&question->target[0].matching), question->target[0].cal,
                 goal, 1, rq->arena, &none, &expected);
    fr_partitions_queue(question->partitions);
    fr_arena_release(rq->arena, mark);
}

/* The goal but for a list of node counts. */
static struct fr_goal goal_of(struct fr_request *rq, const struct fr_question *question,
                              const struct fr_recommend_options *options,
                              const struct fr_restriction *only, struct fr_faults *faults)
{
    struct fr_goal goal = {
        .objective = (enum fr_objective)fr_recommend_objective(question, options),
        .memory = (enum fr_memory)options->memory,
        .max_nodes = options->max_nodes,
        .deadline_s = options->deadline_s,
        .max_core_hours = options->max_core_hours,
        .min_efficiency_fraction = options->min_efficiency_fraction,
        .min_scaling_fraction = options->min_scaling_fraction,
        .prefers_calibrated = options->prefer_calibrated,
        .outlook = &question->outlook,
        .errors = fr_errors_of(&question->target[0].matching, question->change_count > 0),
        .only = only,
    };

    if (options->nodes && fr_model_is_sized(question->model, question->values))
        fr_fault(faults, FR_RELATION, "nodes",
                 "the number of processes is given as well; leave one of them out");
    if (question->target_count)
        goal.machine_nodes = fr_usual_nodes(rq, question->target[0].cal->machine);
    if (goal.max_nodes == FR_OPEN_INT && question->target_count)
        goal.max_nodes = options->nodes ? FR_MOST_NODES : goal.machine_nodes;
    return goal;
}

int fr_goal_read(struct fr_request *rq, struct fr_question *question,
                 const struct fr_recommend_options *options, const struct fr_restriction *only,
                 struct fr_goal *goal, struct fr_faults *faults)
{
    *goal = goal_of(rq, question, options, only, faults);
    if (options->along)
        fr_fault(faults, FR_RELATION, "along", "belongs to objective=size and objective=crossover");
    if (options->nodes)
        read_nodes(rq, options->nodes, goal, faults);
    if (!question->target_count || faults->count) {
        fr_model_check_given(question->model, question->values, FR_OPEN_TUNABLES | FR_OPEN_SIZE,
                             faults);
        return FR_RELATION;
    }
    if (fr_goal_check(question->model, question->values, goal, faults) != FR_OK)
        return FR_RELATION;
    if (fr_question_divides(rq, question))
        note_partitions(rq, question, goal);
    return FR_OK;
}

int fr_question_recommend(struct fr_request *rq, const struct fr_question *question, size_t keep,
                          struct fr_recommended *found, struct fr_faults *faults)
{
    const struct fr_calibration *cal = question->target[0].cal;
    struct fr_ranking *chosen = &found->chosen;
    int code = fr_node_curve(question->model, question->values,
                             fr_matching_runs_of_rows(&question->target[0].matching), cal,
                             &found->goal, rq->arena, chosen, faults);

    if (code != FR_OK)
        return code;
    found->curve = *chosen;
    found->curve.row = fr_arena_zeroed(rq->arena, chosen->count, sizeof *chosen->row);
    if (found->curve.row)
        memcpy(found->curve.row, chosen->row, chosen->count * sizeof *chosen->row);
    code = fr_recommend_among(question->model, question->values, cal, &found->goal, keep, rq->arena,
                              chosen, faults);
    found->curve.has_knee = chosen->has_knee;
    found->is_met = code == FR_OK;
    return code;
}

/* Answers every objective. */
static int answer_goal(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                       const struct fr_recommend_options *options, struct fr_recommended *found,
                       struct fr_faults *faults, fr_curve_receiver *receive)
{
    const struct fr_restriction only = fr_question_restriction(question);
    struct fr_goal goal;
    int code, status;

    if (options->objective == CROSSOVER && rq->format & (FR_DAT | FR_JOBS))
        fr_fault(
            faults, FR_RELATION, "objective",
            "a crossover has several configurations, and this format holds one; ask for another "
            "objective, or for json, csv or txt");
    if (options->objective >= LARGEST_SIZE) {
        goal = goal_of(rq, question, options, &only, faults);
        return search(rq, reply, question, options, &goal, faults);
    }
    if (fr_goal_read(rq, question, options, &only, &found->goal, faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    code = fr_question_recommend(rq, question, (size_t)options->limit, found, faults);
    status = code == FR_OK
                 ? answer_recommend(rq, reply, question, found->goal.objective, &found->chosen)
                 : fr_reply_faults(reply, faults);
    if ((code == FR_OK || code == FR_INFEASIBLE) && found->curve.row)
        receive(rq, question, found);
    return status;
}

int fr_recommendation_answer(struct fr_request *rq, struct fr_reply *reply,
                             struct fr_question *question, void *options, struct fr_faults *faults,
                             fr_curve_receiver *receive)
{
    struct fr_recommended found = { .is_met = false };
    struct fr_progress progress;
    int status;

    fr_progress_begin(&progress, rq, reply, question, &found.chosen);
    status = answer_goal(rq, reply, question, options, &found, faults, receive);
    fr_progress_end(&progress);
    return status;
}

bool fr_recommendation_searches(const struct fr_request *rq)
{
    const char *objective = fr_query_get(rq, "objective");

    return objective && (strcmp(objective, fr_objectives[LARGEST_SIZE]) == 0 ||
                         strcmp(objective, fr_objectives[CROSSOVER]) == 0);
}
