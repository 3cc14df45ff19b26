#include "server/runs/residuals.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 128, HISTORY_BYTES = 64 * 1024 * 1024 };

struct fr_residual_cache {
    pthread_mutex_t
        making;           /* one is made at a time; who waits finds it made. Taken before `lock` */
    pthread_mutex_t lock; /* protects all that follows */
    struct fr_residuals *kept[KEPT];
    size_t next;
    uint64_t generation; /* grows whenever something is forgotten */
    struct fr_simulations *simulations;
};

struct fr_residual_cache *fr_residual_cache_new(struct fr_simulations *simulations)
{
    struct fr_residual_cache *histories = calloc(1, sizeof *histories);

    if (histories) {
        histories->simulations = simulations;
        pthread_mutex_init(&histories->making, NULL);
        pthread_mutex_init(&histories->lock, NULL);
    }
    return histories;
}

void fr_residual_cache_free(struct fr_residual_cache *histories)
{
    if (!histories)
        return;
    for (size_t i = 0; i < KEPT; i++)
        fr_residuals_drop(histories->kept[i]);
    pthread_mutex_destroy(&histories->lock);
    pthread_mutex_destroy(&histories->making);
    free(histories);
}

void fr_residuals_drop(struct fr_residuals *history)
{
    if (!history || atomic_fetch_sub(&history->owners, 1) > 1)
        return;
    fr_run_sets_free(history->sets);
    fr_arena_free(history->arena);
    free(history);
}

static bool is_of(const struct fr_residuals *history, const struct fr_model *model,
                  const struct fr_loaded *loaded)
{
    return history && history->model == model && strcmp(history->calibration, loaded->id) == 0;
}

struct fr_residuals *fr_residual_cache_find(struct fr_residual_cache *histories,
                                            const struct fr_model *model,
                                            const struct fr_loaded *loaded)
{
    struct fr_residuals *found = NULL;

    pthread_mutex_lock(&histories->lock);
    for (size_t i = 0; i < KEPT && !found; i++)
        if (is_of(histories->kept[i], model, loaded))
            found = histories->kept[i];
    if (found)
        atomic_fetch_add(&found->owners, 1);
    pthread_mutex_unlock(&histories->lock);
    return found;
}

static uint64_t generation_of(struct fr_residual_cache *histories)
{
    uint64_t generation;

    pthread_mutex_lock(&histories->lock);
    generation = histories->generation;
    pthread_mutex_unlock(&histories->lock);
    return generation;
}

/* Keeps it unless something was forgotten since: it may rest on what is no more. */
static void keep(struct fr_residual_cache *histories, struct fr_residuals *history,
                 uint64_t generation)
{
    struct fr_residuals *old = NULL;

    pthread_mutex_lock(&histories->lock);
    if (histories->generation == generation) {
        old = histories->kept[histories->next];
        atomic_fetch_add(&history->owners, 1);
        histories->kept[histories->next] = history;
        histories->next = (histories->next + 1) % KEPT;
    }
    pthread_mutex_unlock(&histories->lock);
    fr_residuals_drop(old);
}

void fr_residual_cache_forget(struct fr_residual_cache *histories, const char *machine)
{
    struct fr_residuals *forgotten[KEPT] = { NULL };

    pthread_mutex_lock(&histories->lock);
    histories->generation++;
    for (size_t i = 0; i < KEPT; i++) {
        struct fr_residuals *history = histories->kept[i];

        if (!history || (machine && strcmp(history->machine, machine) != 0))
            continue;
        forgotten[i] = history;
        histories->kept[i] = NULL;
    }
    pthread_mutex_unlock(&histories->lock);
    for (size_t i = 0; i < KEPT; i++)
        fr_residuals_drop(forgotten[i]);
}

static void print_version(struct fr_residuals *history, const struct fr_run_count *runs)
{
    snprintf(history->version, sizeof history->version, "%lld.%lld", (long long)runs->runs,
             (long long)runs->newest);
}

/* A share of what stands at a place, or NULL. */
static struct fr_residuals *at_place(struct fr_residual_cache *histories, size_t place)
{
    struct fr_residuals *history;

    pthread_mutex_lock(&histories->lock);
    history = histories->kept[place];
    if (history)
        atomic_fetch_add(&history->owners, 1);
    pthread_mutex_unlock(&histories->lock);
    return history;
}

void fr_residual_cache_check(struct fr_residual_cache *histories, struct fr_store *store)
{
    for (size_t place = 0; place < KEPT; place++) {
        struct fr_residuals *history = at_place(histories, place), now;
        struct fr_run_count runs;

        if (!history)
            continue;
        if (fr_store_count_runs(store, history->machine, history->model->name, &runs) ==
            FR_STORE_OK)
            print_version(&now, &runs);
        else
            now.version[0] = '\0';
        if (strcmp(now.version, history->version) != 0)
            fr_residual_cache_forget(histories, history->machine);
        fr_residuals_drop(history);
    }
}

/* Residuals against one of the predictions of each run: the member at `offset`. */
static size_t residuals(const struct fr_backtested *judged, size_t count, size_t offset,
                        struct fr_residual *out, size_t *index)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const double predicted = *(const double *)(const void *)((const char *)&judged[i] + offset);

        if (!(predicted > 0)) /* not predicted, or of no time: there is no ratio */
            continue;
        index[kept] = i;
        out[kept++] = (struct fr_residual){
            .measured = judged[i].measured,
            .predicted = predicted,
            .problem = judged[i].problem,
            .configuration = judged[i].configuration,
        };
    }
    return kept;
}

/* Intervals are those of the calibration that is asked for; drift is told by the calibration of
 * each run's own time, so that a new calibration ends it. */
static int learn(struct fr_residuals *history, const struct fr_backtested *judged, size_t count,
                 struct fr_arena *scratch)
{
    struct fr_residual *residual = fr_arena_zeroed(scratch, count, sizeof *residual);
    size_t *index = fr_arena_zeroed(scratch, count, sizeof *index);
    size_t kept;

    if (!residual || !index)
        return FR_NOMEM;
    kept = residuals(judged, count, offsetof(struct fr_backtested, unaided), residual, index);
    if (fr_conformal_prepare(residual, kept, history->arena, &history->unaided) != FR_OK)
        return FR_NOMEM;
    kept = residuals(judged, count, offsetof(struct fr_backtested, others), residual, index);
    if (fr_conformal_prepare(residual, kept, history->arena, &history->aided) != FR_OK)
        return FR_NOMEM;
    kept = residuals(judged, count, offsetof(struct fr_backtested, then), residual, index);
    if (fr_drift_find(residual, kept, scratch, &history->drift)) {
        const char *at = judged[index[history->drift.since]].at;

        history->drift_since = fr_arena_text(history->arena, at, strlen(at));
    }
    return FR_OK;
}

/* One that has learnt nothing yet but how many runs there are. */
static struct fr_residuals *begin(struct fr_store *store, const struct fr_model *model,
                                  const struct fr_loaded *loaded)
{
    struct fr_residuals *history = calloc(1, sizeof *history);
    struct fr_run_count runs;

    if (!history)
        return NULL;
    history->owners = 1;
    history->model = model;
    snprintf(history->calibration, sizeof history->calibration, "%s", loaded->id);
    history->arena = fr_arena_new(HISTORY_BYTES);
    if (history->arena)
        history->machine =
            fr_arena_text(history->arena, loaded->cal->machine, strlen(loaded->cal->machine));
    if (history->machine && model->matches)
        history->sets = fr_run_sets_new();
    if (!history->machine || (model->matches && !history->sets) ||
        fr_store_count_runs(store, history->machine, model->name, &runs) != FR_STORE_OK) {
        fr_residuals_drop(history);
        return NULL;
    }
    history->runs = (size_t)runs.runs;
    print_version(history, &runs);
    return history;
}

static int fill(struct fr_residuals *history, const struct fr_residual_cache *histories,
                struct fr_store *store, struct fr_catalog *catalog, const struct fr_loaded *loaded)
{
    struct fr_backtest_request judging = {
        .store = store,
        .catalog = catalog,
        .simulations = histories->simulations,
        .arena = fr_arena_new(HISTORY_BYTES),
        .machine = history->machine,
        .model = history->model,
        .newest = loaded,
    };
    struct fr_backtested *judged;
    size_t count;
    int code = FR_NOMEM;

    fr_quantity_find(history->model, "time_s", &judging.quantity);
    if (judging.arena)
        code = fr_backtest(&judging, &judged, &count);
    if (code == FR_OK)
        code = learn(history, judged, count, judging.arena);
    fr_arena_free(judging.arena);
    return code;
}

static struct fr_residuals *make(struct fr_residual_cache *histories, struct fr_store *store,
                                 struct fr_catalog *catalog, const struct fr_model *model,
                                 const struct fr_loaded *loaded)
{
    struct fr_residuals *history = fr_residual_cache_find(histories, model, loaded);
    const uint64_t generation = generation_of(histories);

    if (history)
        return history;
    history = begin(store, model, loaded);
    if (history && history->runs && fill(history, histories, store, catalog, loaded) != FR_OK) {
        fr_residuals_drop(history);
        return NULL;
    }
    if (history)
        keep(histories, history, generation);
    return history;
}

struct fr_residuals *fr_residual_cache_make(struct fr_residual_cache *histories,
                                            struct fr_store *store, struct fr_catalog *catalog,
                                            const struct fr_model *model,
                                            const struct fr_loaded *loaded)
{
    struct fr_residuals *history = fr_residual_cache_find(histories, model, loaded);

    if (history)
        return history;
    pthread_mutex_lock(&histories->making);
    history = make(histories, store, catalog, model, loaded);
    pthread_mutex_unlock(&histories->making);
    return history;
}

int fr_residual_cache_backtest(struct fr_residual_cache *histories,
                               const struct fr_backtest_request *judging,
                               struct fr_backtested **judged, size_t *count,
                               struct fr_residuals **out)
{
    struct fr_residuals *history =
        fr_residual_cache_find(histories, judging->model, judging->newest);
    const uint64_t generation = generation_of(histories);
    const bool is_known = history;
    struct fr_arena_mark mark;
    int code;

    *out = NULL;
    if (!is_known)
        history = begin(judging->store, judging->model, judging->newest);
    code = fr_backtest(judging, judged, count);
    mark = fr_arena_mark(judging->arena);
    if (code != FR_OK || !*count || (!is_known && fr_backtested_too_long(*judged, *count)) ||
        (!is_known && history && learn(history, *judged, *count, judging->arena) != FR_OK)) {
        fr_residuals_drop(history);
        return code;
    }
    fr_arena_release(judging->arena, mark);
    if (!is_known && history)
        keep(histories, history, generation);
    *out = history;
    return FR_OK;
}

bool fr_residuals_interval(const struct fr_residuals *history, double predicted_s, bool is_aided,
                           struct fr_interval *out)
{
    return fr_conformal_interval(is_aided ? &history->aided : &history->unaided, predicted_s, out);
}
