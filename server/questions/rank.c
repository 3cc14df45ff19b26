/* GET /api/v1/rank/{model}: enumerates the tunables that are not given and lists the
 * configurations, best first. */
#include "engine/questions/rank.h"
#include "engine/core/number.h"
#include "server/http/server.h"
#include "server/questions/documents.h"
#include "server/questions/recommend.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { REMEDY_BYTES = 48 };

struct options {
    int memory;
    int64_t limit;
};

static const struct fr_param rank_options[] = { FR_RANKING_OPTIONS(struct options), FR_PARAMS_END };

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
        fr_json_pair_array(w, "rows");
    }
    fr_rows_begin(&rows, w, rq->format);
    fr_ranking_rows(&rows, question, ranking, NULL);
    fr_rows_end(&rows);
    if (rq->format == FR_JSON) {
        fr_json_array_end(w);
        fr_json_pair(w, "engine", FR_ENGINE);
        fr_json_object_end(w);
    }
    return 200;
}

static void refuse_nothing_fits(struct fr_request *rq, const struct fr_question *question,
                                const struct fr_restriction *only, const struct fr_ranking *ranking,
                                struct fr_faults *faults)
{
    char least[FR_BYTES_TEXT], limit[FR_BYTES_TEXT], remedy[REMEDY_BYTES];
    const struct fr_calibration *cal = question->target[0].cal;
    const int64_t enough = fr_fewest_nodes(question->model, question->values, only, cal, 0,
                                           fr_usual_nodes(rq, cal->machine), rq->arena);

    if (enough)
        snprintf(remedy, sizeof remedy, "%" PRId64 " node%s", enough, enough > 1 ? "s" : "");
    else
        snprintf(remedy, sizeof remedy, "%s",
                 fr_model_grows(question->model, question->values) ? "a smaller problem"
                                                                   : "more processes");
    fr_number_bytes(ranking->least_memory_bytes, FR_NO_LESS, least);
    fr_number_bytes(ranking->memory_limit_bytes, FR_NO_MORE, limit);
    fr_fault(faults, FR_INFEASIBLE, "memory",
             "none of %zu configurations fits: a process of the smallest needs %s and has %s; give "
             "it %s, or ask with memory=ignore",
             ranking->left_out_memory, least, limit, remedy);
}

static int rank(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                void *option_values, struct fr_faults *faults)
{
    const struct options *options = option_values;
    const struct fr_restriction only = fr_question_restriction(question);
    struct fr_ranking ranking = { 0 };
    struct fr_progress progress;
    void *counted = fr_arena_zeroed(rq->arena, 1, question->model->values_size);

    if (!question->target_count || faults->count)
        fr_model_check_given(question->model, question->values, FR_OPEN_TUNABLES, faults);
    fr_progress_begin(&progress, rq, reply, question, &ranking);
    if (!faults->count && counted) {
        memcpy(counted, question->values, question->model->values_size);
        progress.combinations = (struct fr_combinations){ .model = question->model,
                                                          .cal = question->target[0].cal,
                                                          .only = &only,
                                                          .values = counted };
    }
    if (!faults->count)
        fr_rank(question->model, question->values, &only,
                fr_matching_runs_of_rows(&question->target[0].matching), question->target[0].cal,
                (enum fr_memory)options->memory, (size_t)options->limit, rq->arena, &ranking,
                faults);
    fr_progress_end(&progress);
    if (!faults->count && !ranking.count)
        refuse_nothing_fits(rq, question, &only, &ranking, faults);
    if (ranking.left_out_long)
        rq->is_partial = true;
    return faults->count ? fr_reply_faults(reply, faults)
                         : answer_rank(rq, reply, question, &ranking);
}

const struct fr_asking fr_asking_ranking = {
    .options = rank_options,
    .options_size = sizeof(struct options),
    .leaves_tunables_open = true,
    .restricts_tunables = true,
    .takes_quantile = true,
    .takes_analyze = true,
    .answer = rank,
};
