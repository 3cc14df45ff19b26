/* GET /api/v1/rank/{model} and /api/v1/recommend/{model}: enumerate the tunables that are not given
 * and list the configurations, best first. */
#include "engine/core/number.h"
#include "server/calibrations/facts.h"
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/questions/hpl_dat.h"
#include "server/questions/outlook_row.h"
#include "server/questions/progress.h"
#include "server/questions/ranking_document.h"
#include "server/questions/search.h"
#include "server/store/store.h"

#include <math.h>
#include <string.h>

enum { MOST_ROWS = 1000, MOST_NODES = 100000, USUAL_NODES = 4096 };

struct options {
    int memory, objective;
    int64_t limit, max_nodes;
    double deadline_s, max_core_hours, min_efficiency_fraction, min_scaling_fraction;
    const char *nodes, *along; /* as given; NULL if absent */
};

/* Objectives that search along a parameter, after those of the engine. */
enum { LARGEST_SIZE = FR_BEST_EFFICIENCY + 1, CROSSOVER };

static const char *const memories[] = {
    [FR_MEMORY_LIMIT] = "limit",
    [FR_MEMORY_IGNORE] = "ignore",
    NULL,
};
static const char *const objectives[] = {
    [FR_LEAST_TIME] = "time",
    [FR_FEWEST_NODES] = "nodes",
    [FR_FEWEST_CORE_HOURS] = "core_hours",
    [FR_BEST_EFFICIENCY] = "efficiency",
    [LARGEST_SIZE] = "size",
    [CROSSOVER] = "crossover",
    NULL,
};

#define COMMON_OPTIONS                                                                             \
    FR_CHOICE_OF(struct options, memory, .choices = memories, .fallback = FR_MEMORY_LIMIT,         \
                 .flags = FR_DEFAULT, .doc = "Whether the memory limit excludes configurations."), \
        FR_INT(struct options, limit, .unit = "1", .min = 1, .max = MOST_ROWS,                     \
               .fallback = MOST_ROWS, .flags = FR_DEFAULT, .doc = "Maximum number of rows.")

static const struct fr_param rank_options[] = { COMMON_OPTIONS, FR_PARAMS_END };

static const struct fr_param recommend_options[] = {
    FR_CHOICE_OF(struct options, objective, .choices = objectives, .fallback = FR_LEAST_TIME,
                 .flags = FR_DEFAULT,
                 .doc = "Quantity to minimize (time, nodes, core_hours) or maximize (efficiency, "
                        "size), or crossover: where the faster of two changes."),
    FR_INT(struct options, max_nodes, .unit = "1", .min = 1, .max = MOST_NODES,
           .flags = FR_AUTOMATIC, .doc = "Maximum number of nodes."),
    FR_REAL(struct options, deadline_s, .unit = "s", .min = 1e-9, .max = 1e15,
            .flags = FR_AUTOMATIC, .doc = "Maximum run time."),
    FR_REAL(struct options, max_core_hours, .unit = "h", .min = 1e-9, .max = 1e15,
            .flags = FR_AUTOMATIC, .doc = "Maximum number of core hours."),
    FR_REAL(struct options, min_efficiency_fraction, .unit = "1", .min = 0, .max = 1,
            .flags = FR_AUTOMATIC, .doc = "Minimum share of the peak rate."),
    FR_REAL(struct options, min_scaling_fraction, .unit = "1", .min = 0, .max = 1,
            .flags = FR_AUTOMATIC,
            .doc = "Minimum of the least core hours over those of a configuration."),
    COMMON_OPTIONS,
    FR_PARAMS_END,
};

static int answer_rank(struct fr_request *rq, struct fr_reply *reply,
                       const struct fr_question *question, const struct fr_ranking *ranking)
{
    struct fr_writer *w = &reply->body;
    struct fr_rows rows;

    fr_metrics_predictions(&rq->server->metrics, question->model, ranking->legal);
    if (rq->format == FR_DAT) {
        fr_hpl_dat_write_best(w, question, ranking);
        return 200;
    }
    if (rq->format == FR_JSON) {
        fr_json_object(w);
        fr_ranking_head(w, question, ranking);
        fr_json_key(w, "rows");
        fr_json_array(w);
    }
    fr_rows_begin(&rows, w, rq->format);
    fr_ranking_rows(&rows, question, ranking);
    fr_rows_end(&rows);
    if (rq->format == FR_JSON) {
        fr_json_array_end(w);
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
    return 200;
}

static int answer_recommend(struct fr_request *rq, struct fr_reply *reply,
                            const struct fr_question *question, const struct options *options,
                            struct fr_ranking *ranking)
{
    const bool is_json = rq->format == FR_JSON;
    struct fr_writer *w = &reply->body;
    struct fr_rows rows;

    fr_metrics_predictions(&rq->server->metrics, question->model, ranking->legal);
    if (is_json) {
        fr_json_object(w);
        fr_json_pair(w, "objective", objectives[options->objective]);
        fr_ranking_head(w, question, ranking);
    }
    fr_rows_begin(&rows, w, rq->format);
    fr_ranking_write(&rows, question, ranking);
    fr_rows_end(&rows);
    if (is_json) {
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
    return 200;
}

static void refuse_nothing_fits(const struct fr_ranking *ranking, struct fr_faults *faults)
{
    char least[FR_BYTES_TEXT], limit[FR_BYTES_TEXT];

    fr_number_bytes(ranking->least_memory_bytes, least);
    fr_number_bytes(ranking->memory_limit_bytes, limit);
    fr_fault(faults, FR_INFEASIBLE, "memory",
             "none of %zu configurations fits: a process of the smallest needs %s and has %s; give "
             "it more processes, or ask with memory=ignore",
             ranking->left_out_memory, least, limit);
}

static int rank(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                void *option_values, struct fr_faults *faults)
{
    const struct options *options = option_values;
    const struct fr_restriction only = fr_question_restriction(question);
    struct fr_ranking ranking = { 0 };
    struct fr_progress progress;

    if (!question->target_count || faults->count)
        fr_model_check_given(question->model, question->values, FR_OPEN_TUNABLES, faults);
    fr_progress_begin(&progress, rq, reply, question, &ranking);
    if (!faults->count)
        fr_rank(question->model, question->values, &only,
                fr_matching_runs_of_rows(&question->target[0].matching), question->target[0].cal,
                (enum fr_memory)options->memory, (size_t)options->limit, rq->arena, &ranking,
                faults);
    fr_progress_end(&progress);
    if (!faults->count && !ranking.count)
        refuse_nothing_fits(&ranking, faults);
    if (ranking.left_out_long)
        fr_reply_untag(reply);
    return faults->count ? fr_reply_faults(reply, faults)
                         : answer_rank(rq, reply, question, &ranking);
}

int fr_get_rank(struct fr_request *rq, struct fr_reply *reply)
{
    struct options options;

    return fr_ask(rq, reply,
                  &(struct fr_asking){
                      .options = rank_options,
                      .option_values = &options,
                      .leaves_tunables_open = true,
                      .restricts_tunables = true,
                      .takes_quantile = true,
                      .takes_analyze = true,
                      .answer = rank,
                  });
}

/* Returns the number of nodes in the machine's description, or a default. */
static int64_t usual_nodes(struct fr_request *rq, const char *machine)
{
    struct fr_machine stored;
    struct fr_faults faults;
    struct fr_facts facts;

    faults.count = 0;
    if (fr_store_get_machine(rq->store, machine, rq->arena, &stored) != FR_STORE_OK ||
        fr_facts_read(stored.facts_json, strlen(stored.facts_json), rq->arena, &facts, &faults) !=
            FR_OK ||
        !facts.machine.nodes)
        return USUAL_NODES;
    return facts.machine.nodes < MOST_NODES ? facts.machine.nodes : MOST_NODES;
}

/* Reads the list `nodes=…` of positive integers. */
static void read_nodes(struct fr_request *rq, const char *text, struct fr_goal *goal,
                       struct fr_faults *faults)
{
    static const struct fr_param nodes = FR_INT(struct options, limit, .min = 1, .max = MOST_NODES);
    struct fr_param param = nodes;
    struct fr_axis axis;
    int64_t *count;

    param.name = "nodes";
    if (fr_axis_parse(&param, text, rq->arena, &axis, faults) != FR_OK)
        return;
    count = fr_arena_zeroed(rq->arena, axis.count, sizeof *count);
    if (!count || axis.count > MOST_ROWS) {
        fr_fault(faults, FR_TOO_MANY_POINTS, "nodes", "more than %d counts", MOST_ROWS);
        return;
    }
    for (size_t i = 0; i < axis.count; i++)
        count[i] = (int64_t)axis.value[i];
    goal->nodes = count;
    goal->nodes_count = axis.count;
}

/* Answers objective=size and objective=crossover. */
static int search(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  const struct options *options, struct fr_goal *goal, struct fr_faults *faults)
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

/* Answers every objective. */
static int answer_goal(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                       const struct options *options, struct fr_ranking *ranking,
                       struct fr_faults *faults)
{
    const struct fr_restriction only = fr_question_restriction(question);
    const char *nodes = options->nodes;
    struct fr_goal goal = {
        .objective = (enum fr_objective)options->objective,
        .memory = (enum fr_memory)options->memory,
        .max_nodes = options->max_nodes,
        .deadline_s = options->deadline_s,
        .max_core_hours = options->max_core_hours,
        .min_efficiency_fraction = options->min_efficiency_fraction,
        .min_scaling_fraction = options->min_scaling_fraction,
        .outlook = &question->outlook,
        .errors = fr_errors_of(&question->target[0].matching, question->change_count > 0),
        .only = &only,
    };

    if (nodes && fr_model_is_sized(question->model, question->values))
        fr_fault(faults, FR_RELATION, "nodes",
                 "the number of processes is given as well; leave one of them out");
    if (goal.max_nodes == FR_OPEN_INT && question->target_count)
        goal.max_nodes = nodes ? MOST_NODES : usual_nodes(rq, question->target[0].cal->machine);
    if (options->objective == CROSSOVER && rq->format == FR_DAT)
        fr_fault(faults, FR_RELATION, "objective",
                 "a crossover has several configurations, and .dat holds one; ask for another "
                 "objective, or for json, csv or txt");
    if (options->objective >= LARGEST_SIZE)
        return search(rq, reply, question, options, &goal, faults);
    if (options->along)
        fr_fault(faults, FR_RELATION, "along", "belongs to objective=size and objective=crossover");
    if (nodes)
        read_nodes(rq, nodes, &goal, faults);
    if (!question->target_count || faults->count) {
        fr_model_check_given(question->model, question->values, FR_OPEN_TUNABLES | FR_OPEN_SIZE,
                             faults);
        return fr_reply_faults(reply, faults);
    }
    if (fr_question_divides(rq, question))
        note_partitions(rq, question, &goal);
    if (fr_recommend(question->model, question->values,
                     fr_matching_runs_of_rows(&question->target[0].matching),
                     question->target[0].cal, &goal, (size_t)options->limit, rq->arena, ranking,
                     faults) != FR_OK)
        return fr_reply_faults(reply, faults);
    return answer_recommend(rq, reply, question, options, ranking);
}

static int recommend(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                     void *option_values, struct fr_faults *faults)
{
    const struct options *options = option_values;
    struct fr_ranking ranking = { 0 };
    struct fr_progress progress;
    int status;

    fr_progress_begin(&progress, rq, reply, question, &ranking);
    status = answer_goal(rq, reply, question, options, &ranking, faults);
    fr_progress_end(&progress);
    return status;
}

/* Whether the objective searches, so that parameters may be lists. */
static bool is_search(const struct fr_request *rq)
{
    const char *objective = fr_query_get(rq, "objective");

    return objective && (strcmp(objective, objectives[LARGEST_SIZE]) == 0 ||
                         strcmp(objective, objectives[CROSSOVER]) == 0);
}

int fr_get_recommendation(struct fr_request *rq, struct fr_reply *reply)
{
    struct options options = { .nodes = NULL };
    const struct fr_text_option texts[] = { { "nodes", &options.nodes },
                                            { "along", &options.along },
                                            { NULL, NULL } };

    return fr_ask(rq, reply,
                  &(struct fr_asking){
                      .options = recommend_options,
                      .option_values = &options,
                      .texts = texts,
                      .keeps_lists = is_search(rq),
                      .leaves_tunables_open = true,
                      .restricts_tunables = true,
                      .takes_quantile = true,
                      .takes_analyze = true,
                      .is_always_new = true, /* the machine's size may have changed */
                      .answer = recommend,
                  });
}
