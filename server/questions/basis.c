/* The basis of rows, and the measurements beside them
 * (docs/saved_runs.md#decision-one-basis-for-all-rows). */
#include "server/questions/documents.h"

#include <math.h>

void fr_basis_write(struct fr_writer *w, const struct fr_question *question)
{
    const struct fr_model *model = question->model;
    const char *run =
        question->target_count ? fr_matching_runs_basis(&question->target[0].matching) : NULL;

    if (!model->set_run)
        return;
    fr_json_pair(w, "basis", !run ? "estimated" : model->nearest_run ? "transferred" : "measured");
    if (run)
        fr_json_pair(w, "run", run);
}

static const struct fr_run_index *index_of(const struct fr_target *target)
{
    return target->matching.residuals ? &target->matching.residuals->index : NULL;
}

/* All rows of an answer have the same members, as CSV needs. */
static bool has_measured(const struct fr_question *question)
{
    bool has_runs = false;

    for (size_t i = 0; i < question->target_count; i++) {
        const struct fr_run_index *index = index_of(&question->target[i]);

        has_runs = has_runs || (index && index->count);
    }
    return has_runs && !question->change_count; /* a hypothetical machine runs nothing */
}

void fr_row_measured(struct fr_rows *rows, const struct fr_question *question,
                     const struct fr_target *target, const void *resolved)
{
    const struct fr_run_index *index = index_of(target);
    struct fr_run_time time = { 0, NAN };

    if (!has_measured(question))
        return;
    if (index && resolved)
        time = fr_run_index_time(index, resolved, question->given);
    fr_row_number(rows, "measured_s", time.median_s);
    fr_row_integer(rows, "measured_runs", (int64_t)time.runs);
}
