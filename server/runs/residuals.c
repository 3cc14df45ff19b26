/* Residuals of saved runs, and the cache that keeps them between requests. */
#include "server/runs/residuals.h"

#include "engine/core/number.h"
#include "server/core/clock.h"
#include "server/store/store.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 128, RESIDUALS_BYTES = 64 * 1024 * 1024 };

struct fr_residual_cache {
    pthread_mutex_t filling; /* one thread computes residuals at a time */
    struct fr_cache *kept;
    struct fr_simulations *simulations;
};

struct key {
    const struct fr_model *model;
    const char *calibration;
};

static bool is_it(const void *value, const void *of)
{
    const struct fr_residuals *residuals = value;
    const struct key *key = of;

    return residuals->model == key->model && strcmp(residuals->calibration, key->calibration) == 0;
}

struct fr_residual_cache *fr_residual_cache_new(struct fr_simulations *simulations)
{
    struct fr_residual_cache *cache = calloc(1, sizeof *cache);

    if (!cache)
        return NULL;
    cache->simulations = simulations;
    pthread_mutex_init(&cache->filling, NULL);
    cache->kept = fr_cache_new(is_it, 0, KEPT);
    if (cache->kept)
        return cache;
    fr_residual_cache_free(cache);
    return NULL;
}

void fr_residual_cache_free(struct fr_residual_cache *cache)
{
    if (!cache)
        return;
    fr_cache_free(cache->kept);
    pthread_mutex_destroy(&cache->filling);
    free(cache);
}

static void free_residuals(void *value)
{
    struct fr_residuals *residuals = value;

    fr_cache_free(residuals->answers);
    fr_run_sets_free(residuals->sets);
    fr_arena_free(residuals->arena);
    free(residuals);
}

struct fr_residuals *fr_residual_cache_find(struct fr_residual_cache *cache,
                                            const struct fr_model *model,
                                            const struct fr_loaded *loaded)
{
    return fr_cache_find(cache->kept, &(struct key){ model, loaded->id });
}

/* Residuals to drop. */
struct which {
    const char *machine;     /* NULL: of all */
    int64_t before;          /* read before this change */
    enum fr_left_out reason; /* only with runs left out for it; FR_LEFT_OUT_NOT: all */
};

static bool is_among(const void *value, const void *key)
{
    const struct fr_residuals *residuals = value;
    const struct which *which = key;

    return residuals->change < which->before &&
           (!which->machine || strcmp(residuals->machine, which->machine) == 0) &&
           (which->reason == FR_LEFT_OUT_NOT || residuals->left_out[which->reason]);
}

void fr_residual_cache_forget(struct fr_residual_cache *cache, const char *machine)
{
    fr_cache_outdate(cache->kept);
    fr_cache_forget(cache->kept, is_among,
                    &(struct which){ .machine = machine, .before = INT64_MAX });
}

void fr_residual_cache_follow(struct fr_residual_cache *cache, const char *machine, int64_t change)
{
    fr_cache_forget(cache->kept, is_among, &(struct which){ .machine = machine, .before = change });
}

void fr_residual_cache_retry(struct fr_residual_cache *cache, enum fr_left_out reason)
{
    fr_cache_forget(cache->kept, is_among,
                    &(struct which){ .before = INT64_MAX, .reason = reason });
}

/* Keeps residuals; a share of those to use.  Another process may have written while they were
 * computed: what it writes from now on is noticed by fr_residual_cache_follow. */
static struct fr_residuals *keep(struct fr_residual_cache *cache, struct fr_store *store,
                                 struct fr_residuals *residuals, uint64_t since)
{
    residuals->cached.since = since;
    residuals->cached.is_cheap = !residuals->runs;
    residuals = fr_cache_keep(cache->kept,
                              &(struct key){ residuals->model, residuals->calibration }, residuals);
    if (fr_store_has_changed(store, residuals->machine, residuals->change))
        fr_residual_cache_forget(cache, residuals->machine);
    return residuals;
}

/* Residuals of one of the predictions of each run: the member at `offset`. */
static size_t collect(const struct fr_backtested *run, size_t count, size_t offset,
                      struct fr_residual *out, size_t *index)
{
    size_t kept = 0;

    for (size_t i = 0; i < count; i++) {
        const double predicted = *(const double *)(const void *)((const char *)&run[i] + offset);

        if (!(predicted > 0)) /* not predicted, or zero: there is no ratio */
            continue;
        index[kept] = i;
        out[kept++] = (struct fr_residual){
            .measured = run[i].measured,
            .predicted = predicted,
            .problem = run[i].problem,
            .configuration = run[i].configuration,
        };
    }
    return kept;
}

/* Makes the runs findable by their configuration. */
static int index_runs(struct fr_residuals *residuals, const struct fr_backtested *run, size_t count)
{
    struct fr_run_index *index = &residuals->index;

    *index = (struct fr_run_index){ .model = residuals->model };
    index->run = fr_arena_zeroed(residuals->arena, count, sizeof *index->run);
    if (!index->run)
        return FR_NOMEM;
    for (const struct fr_backtested *from = run; from < run + count; from++) {
        struct fr_indexed_run *to = &index->run[index->count];

        if (isnan(from->measured))
            continue;
        index->count++;
        to->footprint = from->footprint;
        to->time_s = from->measured;
        to->sequence = from->sequence;
        snprintf(to->id, sizeof to->id, "%s", from->id);
    }
    fr_run_index_sort(index);
    return FR_OK;
}

/* Later residuals of the same runs may give other answers: the version says so. */
static void tell_apart(struct fr_residuals *residuals, const struct fr_backtested *run,
                       size_t count)
{
    const bool may_change = fr_left_out_may_change(residuals->left_out);
    const size_t length = strlen(residuals->version);
    uint64_t hash = FR_HASH_START;

    for (size_t i = 0; i < count && may_change; i++) {
        const double predicted[] = { run[i].newest, run[i].unaided, run[i].others, run[i].then };

        hash = fr_hash_bytes(hash, predicted, sizeof predicted);
    }
    if (may_change)
        snprintf(residuals->version + length, sizeof residuals->version - length, ".%016" PRIx64,
                 hash);
}

static const char *start_of(const struct fr_residuals *residuals, const struct fr_backtested *run)
{
    return fr_arena_text(residuals->arena, run->at, strlen(run->at));
}

/* Finds drifts that have passed before a run, by the requested calibration alone. */
static void find_passed(struct fr_residuals *residuals, const struct fr_backtested *run,
                        struct fr_residual *residual, size_t *index, size_t before,
                        struct fr_arena *scratch)
{
    const size_t kept =
        collect(run, before, offsetof(struct fr_backtested, newest), residual, index);
    double *started_s = fr_arena_zeroed(scratch, kept, sizeof *started_s);
    struct fr_drift drift[FR_MOST_PASSED];
    size_t count;

    if (!started_s)
        return;
    for (size_t i = 0; i < kept; i++)
        started_s[i] = fr_timestamp_seconds(run[index[i]].at);
    count = fr_past_drifts_find(residual, started_s, kept, scratch, drift);
    for (size_t i = 0; i < count; i++) {
        struct fr_passed_drift *passed = &residuals->passed[residuals->passed_count];

        passed->drift = drift[i];
        passed->since = start_of(residuals, &run[index[drift[i].since]]);
        passed->until = start_of(residuals, &run[index[drift[i].last]]);
        residuals->passed_count += passed->since && passed->until;
    }
}

/* Finds the drift that lasts by the calibration that was current when each run was uploaded, so
 * that a new calibration ends it, and those that have passed before.  Without memory there are
 * none. */
static void find_drifts(struct fr_residuals *residuals, const struct fr_backtested *run,
                        struct fr_residual *residual, size_t *index, size_t count,
                        struct fr_arena *scratch)
{
    const size_t kept = collect(run, count, offsetof(struct fr_backtested, then), residual, index);
    size_t before = count;

    if (fr_drift_find(residual, kept, scratch, &residuals->drift)) {
        before = index[residuals->drift.since];
        residuals->drift_since = start_of(residuals, &run[before]);
    }
    find_passed(residuals, run, residual, index, before, scratch);
}

static int learn(struct fr_residuals *residuals, const struct fr_backtested *run, size_t count,
                 struct fr_arena *scratch)
{
    struct fr_residual *residual = fr_arena_zeroed(scratch, count, sizeof *residual);
    size_t *index = fr_arena_zeroed(scratch, count, sizeof *index);
    size_t kept;

    if (!residual || !index || index_runs(residuals, run, count) != FR_OK)
        return FR_NOMEM;
    fr_backtested_left_out(run, count, residuals->left_out);
    tell_apart(residuals, run, count);
    kept = collect(run, count, offsetof(struct fr_backtested, unaided), residual, index);
    if (fr_conformal_prepare(residual, kept, residuals->arena, &residuals->errors.unaided) != FR_OK)
        return FR_NOMEM;
    kept = collect(run, count, offsetof(struct fr_backtested, others), residual, index);
    if (fr_conformal_prepare(residual, kept, residuals->arena, &residuals->errors.aided) != FR_OK)
        return FR_NOMEM;
    find_drifts(residuals, run, residual, index, count, scratch);
    return FR_OK;
}

/* Residuals with nothing but the number of runs. */
static struct fr_residuals *begin(struct fr_store *store, const struct fr_model *model,
                                  const struct fr_loaded *loaded)
{
    struct fr_residuals *residuals = calloc(1, sizeof *residuals);
    struct fr_run_count runs;

    if (!residuals)
        return NULL;
    residuals->cached = (struct fr_cached){ .owners = 1, .free = free_residuals };
    residuals->model = model;
    snprintf(residuals->calibration, sizeof residuals->calibration, "%s", loaded->id);
    residuals->arena = fr_arena_new(RESIDUALS_BYTES);
    if (residuals->arena)
        residuals->machine =
            fr_arena_text(residuals->arena, loaded->cal->machine, strlen(loaded->cal->machine));
    if (residuals->machine && model->set_run)
        residuals->sets = fr_run_sets_new();
    /* The values of a model with partitions refer to the request. */
    if (residuals->sets && !model->set_partitions)
        residuals->answers = fr_run_answers_new();
    if (!residuals->machine || (model->set_run && !residuals->sets) ||
        fr_store_newest_change(store, &residuals->change) != FR_STORE_OK ||
        fr_store_count_runs(store, residuals->machine, model->name, &runs) != FR_STORE_OK) {
        fr_cached_drop(residuals);
        return NULL;
    }
    residuals->runs = (size_t)runs.runs;
    snprintf(residuals->version, sizeof residuals->version, "%lld.%lld", (long long)runs.runs,
             (long long)runs.newest);
    return residuals;
}

static int fill(struct fr_residuals *residuals, const struct fr_residual_cache *cache,
                struct fr_store *store, struct fr_catalog *catalog, const struct fr_loaded *loaded)
{
    struct fr_backtest_request request = {
        .store = store,
        .catalog = catalog,
        .simulations = cache->simulations,
        .arena = fr_arena_new(RESIDUALS_BYTES),
        .machine = residuals->machine,
        .model = residuals->model,
        .newest = loaded,
    };
    struct fr_backtested *run;
    size_t count;
    int code = FR_NOMEM;

    fr_quantity_find(residuals->model, "time_s", &request.quantity);
    if (request.arena)
        code = fr_backtest(&request, &run, &count);
    if (code == FR_OK)
        code = learn(residuals, run, count, request.arena);
    fr_arena_free(request.arena);
    return code;
}

static struct fr_residuals *make(struct fr_residual_cache *cache, struct fr_store *store,
                                 struct fr_catalog *catalog, const struct fr_model *model,
                                 const struct fr_loaded *loaded)
{
    struct fr_residuals *residuals = fr_residual_cache_find(cache, model, loaded);
    const uint64_t since = fr_cache_moment(cache->kept);

    if (residuals)
        return residuals;
    residuals = begin(store, model, loaded);
    if (residuals && residuals->runs && fill(residuals, cache, store, catalog, loaded) != FR_OK) {
        fr_cached_drop(residuals);
        return NULL;
    }
    return residuals ? keep(cache, store, residuals, since) : NULL;
}

struct fr_residuals *fr_residual_cache_make(struct fr_residual_cache *cache, struct fr_store *store,
                                            struct fr_catalog *catalog,
                                            const struct fr_model *model,
                                            const struct fr_loaded *loaded)
{
    struct fr_residuals *residuals = fr_residual_cache_find(cache, model, loaded);

    if (residuals)
        return residuals;
    pthread_mutex_lock(&cache->filling);
    residuals = make(cache, store, catalog, model, loaded);
    pthread_mutex_unlock(&cache->filling);
    return residuals;
}

int fr_residual_cache_backtest(struct fr_residual_cache *cache,
                               const struct fr_backtest_request *request,
                               struct fr_backtested **runs, size_t *count,
                               struct fr_residuals **out)
{
    struct fr_residuals *residuals = fr_residual_cache_find(cache, request->model, request->newest);
    const uint64_t since = fr_cache_moment(cache->kept);
    const bool is_known = residuals;
    size_t left_out[FR_LEFT_OUT_REASONS];
    struct fr_arena_mark mark;
    int code;

    *out = NULL;
    if (!is_known)
        residuals = begin(request->store, request->model, request->newest);
    code = fr_backtest(request, runs, count);
    mark = fr_arena_mark(request->arena);
    if (code == FR_OK)
        fr_backtested_left_out(*runs, *count, left_out);
    if (code != FR_OK || !*count || (!is_known && left_out[FR_LEFT_OUT_TOO_LONG]) ||
        (!is_known && residuals && learn(residuals, *runs, *count, request->arena) != FR_OK)) {
        fr_cached_drop(residuals);
        return code;
    }
    fr_arena_release(request->arena, mark);
    if (!is_known && residuals)
        residuals = keep(cache, request->store, residuals, since);
    *out = residuals;
    return FR_OK;
}
