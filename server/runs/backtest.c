#include "server/runs/backtest.h"
#include "server/calibrations/catalogue.h"
#include "server/store/store.h"

#include "server/runs/run_document.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 100, PAGE_BYTES = 1 << 30 };

/* A judging under way. */
struct judge {
    const struct fr_backtest_request *of;
    struct fr_arena *page;            /* given back after every page of runs */
    struct fr_loaded *then;           /* a share: of the run looked at last */
    struct fr_structures *structures; /* NULL: the model needs none, or there are none */
    struct fr_backtested *judged;
    size_t count;
    struct fr_prediction prediction;
};

static size_t this_run(void *context, const char *key, const struct fr_saved_run *const **runs)
{
    (void)key;
    *runs = context;
    return 1;
}

/* Whether it failed for want of time: what was left to all runs was too little for this one, or is
 * used up. */
static bool is_too_long(const struct judge *judge, int code)
{
    return code == FR_TOO_LONG || (code == FR_NOMEM && !fr_arena_afford(judge->of->arena, 0));
}

/* What the model says of the run's own parameters; `is_aided`: with what the run itself measured.
 */
static double predict(struct judge *judge, const struct fr_saved_run *run,
                      const struct fr_calibration *cal, bool is_aided)
{
    const struct fr_model *model = run->model;
    struct fr_run_source source = { .find = this_run, .context = &run, .given = run->given };
    struct fr_arena *arena = judge->of->arena;
    const struct fr_arena_mark mark = fr_arena_mark(arena);
    void *values = fr_arena_zeroed(arena, 1, model->values_size);
    struct fr_faults faults;
    struct fr_spread spread;
    double value = NAN;
    int code;

    faults.count = 0;
    if (!values)
        return NAN;
    memcpy(values, run->values, model->values_size);
    if (judge->structures)
        model->set_structures(values, fr_structures_source(judge->structures));
    code = fr_model_answer(model, values, is_aided ? &source : NULL, cal, arena, &judge->prediction,
                           &spread, &faults);
    if (code == FR_OK)
        value = fr_quantity_predicted(&judge->of->quantity, &judge->prediction);
    else if (is_too_long(judge, code))
        judge->judged[judge->count].is_too_long = true;
    fr_arena_release(arena, mark);
    return value;
}

/* The calibration that was current when the run came; NULL where there is none. */
static const struct fr_loaded *calibration_then(struct judge *judge, const char *id)
{
    const struct fr_loaded *newest = judge->of->newest;
    struct fr_stored_calibration stored;
    struct fr_faults faults;

    if (!id || (newest && strcmp(newest->id, id) == 0))
        return id ? newest : NULL;
    if (judge->then && strcmp(judge->then->id, id) == 0)
        return judge->then;
    fr_loaded_drop(judge->then);
    judge->then = fr_catalog_find(judge->of->catalog, id);
    if (judge->then ||
        fr_store_get_calibration(judge->of->store, id, judge->page, &stored) != FR_STORE_OK)
        return judge->then;
    faults.count = 0;
    judge->then = fr_loaded_read(stored.document, stored.document_length, &faults);
    if (judge->then)
        fr_catalog_keep(judge->of->catalog, judge->then);
    return judge->then;
}

/* What is kept of a run when its page is given back. */
static bool keep_texts(struct fr_arena *arena, struct fr_backtested *judged,
                       const struct fr_stored_run *stored)
{
    const char *at = stored->started_at ? stored->started_at : stored->uploaded_at;

    judged->id = fr_arena_text(arena, stored->id, strlen(stored->id));
    judged->at = fr_arena_text(arena, at, strlen(at));
    judged->parameters = fr_arena_text(arena, stored->parameters, strlen(stored->parameters));
    judged->calibration =
        stored->calibration ? fr_arena_text(arena, stored->calibration, strlen(stored->calibration))
                            : NULL;
    return judged->id && judged->at && judged->parameters &&
           (judged->calibration || !stored->calibration);
}

static int judge_run(struct judge *judge, const struct fr_stored_run *stored)
{
    const struct fr_backtest_request *of = judge->of;
    struct fr_backtested *judged = &judge->judged[judge->count];
    const struct fr_loaded *newest = of->newest, *then;
    struct fr_saved_run run;
    struct fr_faults faults;

    faults.count = 0;
    if (fr_run_read(stored->document, stored->document_length, judge->page, &run, &faults) != FR_OK)
        return FR_OK; /* an earlier release took it, this one would refuse it */
    judged->measured = fr_quantity_measured(&of->quantity, &run);
    if (isnan(judged->measured))
        return FR_OK;
    if (!keep_texts(of->arena, judged, stored))
        return FR_NOMEM;
    then = calibration_then(judge, stored->calibration);
    judged->newest = newest ? predict(judge, &run, newest->cal, true) : NAN;
    judged->unaided =
        newest && of->model->matches ? predict(judge, &run, newest->cal, false) : judged->newest;
    judged->then = !then            ? NAN
                   : then == newest ? judged->newest
                                    : predict(judge, &run, then->cal, true);
    judged->sequence = stored->sequence;
    judged->problem = fr_configuration(of->model, run.values, true);
    judged->configuration = fr_configuration(of->model, run.values, false);
    judge->count++;
    return FR_OK;
}

static int by_time(const void *left, const void *right)
{
    const struct fr_backtested *a = left, *b = right;
    const int order = strcmp(a->at, b->at);

    return order ? order : (a->sequence > b->sequence) - (a->sequence < b->sequence);
}

/* All pages, from the newest run back to the most that are looked at. */
static int judge_all(struct judge *judge)
{
    const struct fr_backtest_request *of = judge->of;
    struct fr_stored_run *stored;
    int64_t before = 0;
    size_t count;

    do {
        const struct fr_arena_mark mark = fr_arena_mark(judge->page);

        if (fr_store_model_runs(of->store, of->machine, of->model->name, before, PAGE, judge->page,
                                &stored, &count) != FR_STORE_OK)
            return FR_NOT_FOUND;
        for (size_t i = 0; i < count && judge->count < FR_MOST_BACKTESTED; i++) {
            const struct fr_arena_mark one = fr_arena_mark(judge->page);

            if (judge_run(judge, &stored[i]) != FR_OK)
                return FR_NOMEM;
            before = stored[i].sequence;
            fr_arena_release(judge->page, one);
        }
        fr_arena_release(judge->page, mark);
    } while (count && judge->count < FR_MOST_BACKTESTED);
    return FR_OK;
}

static int by_configuration(const void *left, const void *right)
{
    const struct fr_backtested *const *a = left, *const *b = right;

    if ((*a)->configuration != (*b)->configuration)
        return (*a)->configuration < (*b)->configuration ? -1 : 1;
    return ((*a)->newest > (*b)->newest) - ((*a)->newest < (*b)->newest);
}

/* The median of ascending predictions without the one at `left_out`. */
static double median_without(struct fr_backtested *const *of, size_t count, size_t left_out)
{
    const size_t low = (count - 2) / 2, high = (count - 1) / 2;

    return (of[low + (low >= left_out)]->newest + of[high + (high >= left_out)]->newest) / 2;
}

/* A run's own measurements say nothing of how well a question before it was answered: the other
 * runs of its configuration would have served that. */
static int leave_one_out(struct judge *judge)
{
    struct fr_backtested **of = fr_arena_zeroed(judge->page, judge->count, sizeof *of);
    size_t count = 0;

    if (!of)
        return FR_NOMEM;
    for (size_t i = 0; i < judge->count; i++) {
        judge->judged[i].others = NAN;
        if (!isnan(judge->judged[i].newest))
            of[count++] = &judge->judged[i];
    }
    qsort(of, count, sizeof *of, by_configuration);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && of[end]->configuration == of[first]->configuration;)
            end++;
        for (size_t i = first; end - first > 1 && i < end; i++)
            of[i]->others = median_without(of + first, end - first, i - first);
    }
    return FR_OK;
}

int fr_backtest(const struct fr_backtest_request *judging, struct fr_backtested **out,
                size_t *count)
{
    struct judge judge = { .of = judging, .page = fr_arena_new(PAGE_BYTES) };
    int code = FR_NOMEM;

    judge.judged = fr_arena_zeroed(judging->arena, FR_MOST_BACKTESTED, sizeof *judge.judged);
    if (judging->model->set_structures && judging->simulations && judge.page)
        judge.structures = fr_structures_begin(judging->simulations, judging->store, judge.page);
    if (judge.structures)
        fr_structures_watch(judge.structures, judging->peer);
    if (judge.page && judge.judged)
        code = judge_all(&judge);
    if (code == FR_OK)
        code = leave_one_out(&judge);
    fr_loaded_drop(judge.then);
    fr_structures_end(judge.structures);
    fr_arena_free(judge.page);
    if (code != FR_OK)
        return code;
    qsort(judge.judged, judge.count, sizeof *judge.judged, by_time);
    *out = judge.judged;
    *count = judge.count;
    return FR_OK;
}

size_t fr_backtested_too_long(const struct fr_backtested *judged, size_t count)
{
    size_t too_long = 0;

    for (size_t i = 0; i < count; i++)
        too_long += judged[i].is_too_long;
    return too_long;
}
