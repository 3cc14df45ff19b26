/* Finds and decodes the saved runs that a prediction uses; decoded sets are kept with the
 * residuals. */
#include "server/http/server.h"
#include "server/runs/residuals.h"
#include "server/store/store.h"

#include "server/runs/run_document.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { RUNS_BYTES = 256 * 1024 * 1024 };

struct fr_runs {
    struct fr_run_source source; /* points back to this */
    struct fr_store *store;
    struct fr_arena *arena; /* of the decoded runs */
    const char *machine;
    const struct fr_model *model;
    struct fr_loaded *loaded;             /* the machine's calibration */
    const struct fr_saved_run *named;     /* the only run to use; or NULL */
    struct fr_run_source rows_source;     /* points back to this */
    const struct fr_saved_run *chosen;    /* for all rows of an answer; NULL: none yet */
    const struct fr_residuals *residuals; /* find the matching runs, and outlive this */
    bool is_lasting;                      /* the runs of the last question outlive this too */
    const struct fr_saved_run **run;      /* of the last question */
    size_t count;
    struct fr_saved_run *network; /* the same without their computation, for a row */
    const struct fr_saved_run **of_network;
};

/* Decodes these runs, and drops those of the previous question. */
static void load(struct fr_runs *runs, const struct fr_indexed_run *const *of, size_t matching)
{
    size_t bytes = 0;

    runs->count = 0;
    fr_arena_free(runs->arena);
    runs->arena = fr_arena_new(RUNS_BYTES);
    runs->run = runs->arena ? fr_arena_zeroed(runs->arena, matching, sizeof *runs->run) : NULL;
    for (size_t i = 0; runs->run && i < matching && bytes < FR_RUN_PAGE_BYTES; i++) {
        struct fr_saved_run *run = fr_arena_zeroed(runs->arena, 1, sizeof *run);
        struct fr_stored_run stored;
        struct fr_faults unread;

        unread.count = 0;
        if (!run || fr_store_get_run(runs->store, of[i]->id, runs->arena, &stored) != FR_STORE_OK ||
            fr_run_read(&stored, runs->arena, run, &unread) != FR_OK)
            continue;
        memcpy(run->id, of[i]->id, sizeof run->id);
        runs->run[runs->count++] = run;
        bytes += stored.document_length;
    }
    if (runs->run)
        fr_run_sets_keep(runs->residuals->sets, of, matching, runs->run, runs->count);
}

/* The runs that a model chooses the nearest from; its own choices are made first, because the runs
 * have theirs. */
static size_t find_candidates(const struct fr_runs *runs, const void *values,
                              const struct fr_indexed_run *out[FR_MOST_MATCHING])
{
    const size_t bytes = runs->model->values_size;
    struct fr_arena *scratch = fr_arena_new(RUNS_BYTES);
    void *resolved = scratch ? fr_arena_zeroed(scratch, 1, bytes) : NULL;
    struct fr_faults faults;
    size_t count;

    faults.count = 0;
    if (resolved) {
        memcpy(resolved, values, bytes);
        if (fr_model_resolve(runs->model, resolved, runs->loaded->cal, &faults) == FR_OK)
            values = resolved;
    }
    count = fr_run_index_candidates(&runs->residuals->index, values, runs->source.given, out);
    fr_arena_free(scratch);
    return count;
}

static size_t find(void *context, const void *values, const struct fr_saved_run *const **out)
{
    const struct fr_indexed_run *matching[FR_MOST_MATCHING];
    struct fr_runs *runs = context;
    const struct fr_run_set *set;
    size_t count;

    if (runs->named) {
        *out = &runs->named;
        return 1;
    }
    count = runs->model->nearest_run
                ? find_candidates(runs, values, matching)
                : fr_run_index_find(&runs->residuals->index, values, runs->source.given,
                                    FR_SAME_ITERATION, matching);
    set = fr_run_sets_find(runs->residuals->sets, matching, count);
    runs->is_lasting = set;
    if (set) {
        *out = set->run;
        return set->count;
    }
    load(runs, matching, count);
    *out = runs->run;
    return runs->count;
}

/* The run of all rows is the one that is nearest to the first row that it can serve. */
static size_t find_for_rows(void *context, const void *values,
                            const struct fr_saved_run *const **out)
{
    struct fr_runs *runs = context;
    const struct fr_saved_run *const *run;
    struct fr_arena *scratch;
    size_t count, nearest;

    if (!runs->chosen) {
        count = find(runs, values, &run);
        scratch = fr_arena_new(RUNS_BYTES);
        nearest = scratch ? runs->model->nearest_run(values, run, count, runs->loaded->cal, scratch)
                          : count;
        fr_arena_free(scratch);
        if (nearest == count)
            return 0;
        runs->chosen = run[nearest];
    }
    *out = &runs->chosen;
    return 1;
}

/* A row takes the network as it was during its own runs, and no time that other rows lack
 * (docs/saved_runs.md#decision-one-basis-for-all-rows). */
static size_t find_network(void *context, const void *values,
                           const struct fr_saved_run *const **out)
{
    struct fr_runs *runs = context;
    const struct fr_saved_run *const *run;
    const size_t count = find(runs, values, &run);

    assert(count <= FR_MOST_MATCHING);
    for (size_t i = 0; i < count; i++) {
        runs->network[i] = *run[i];
        runs->network[i].computation.of[FR_RUN_ITERATION].median_s = NAN;
        runs->of_network[i] = &runs->network[i];
    }
    *out = runs->of_network;
    return count;
}

static int begin(struct fr_request *rq, uint64_t given, struct fr_matching_runs *out,
                 struct fr_faults *faults)
{
    struct fr_runs *runs = fr_arena_zeroed(rq->arena, 1, sizeof *runs);

    if (!runs)
        return fr_fault(faults, FR_NOMEM, "run", "memory for one request is used up; ask for less");
    runs->source = (struct fr_run_source){ .find = find, .context = runs, .given = given };
    runs->rows_source = runs->source;
    runs->network = fr_arena_zeroed(rq->arena, FR_MOST_MATCHING, sizeof *runs->network);
    runs->of_network = fr_arena_zeroed(rq->arena, FR_MOST_MATCHING, sizeof *runs->of_network);
    if (!runs->network || !runs->of_network)
        return fr_fault(faults, FR_NOMEM, "run", "memory for one request is used up; ask for less");
    runs->store = rq->store;
    out->runs = runs;
    return FR_OK;
}

/* The run that run=ID names; NULL with a fault. */
static const struct fr_saved_run *find_named(struct fr_request *rq, const struct fr_runs *runs,
                                             const char *id, struct fr_faults *faults)
{
    struct fr_saved_run *run = fr_arena_zeroed(rq->arena, 1, sizeof *run);
    struct fr_stored_run stored;
    struct fr_faults unread;

    unread.count = 0;
    if (!run)
        fr_fault(faults, FR_NOMEM, "run", "memory for one request is used up; ask for less");
    else if (fr_store_get_run(rq->store, id, rq->arena, &stored) != FR_STORE_OK)
        fr_fault(faults, FR_NOT_FOUND, "run",
                 "'%.40s' is not a saved run; see /api/v1/machines/%s/runs", id, runs->machine);
    else if (strcmp(stored.machine, runs->machine) != 0)
        fr_fault(faults, FR_RELATION, "run", "%s is a run on machine %s", id, stored.machine);
    else if (strcmp(stored.model, runs->model->name) != 0)
        fr_fault(faults, FR_RELATION, "run", "%s is a run of %s", id, stored.model);
    else if (fr_run_read(&stored, rq->arena, run, &unread) != FR_OK)
        fr_fault(faults, FR_SYNTAX, "run", "%s can no longer be read: %s", id,
                 unread.fault[0].message);
    else {
        memcpy(run->id, stored.id, sizeof run->id);
        return run;
    }
    return NULL;
}

int fr_matching_runs_find(struct fr_request *rq, const struct fr_model *model,
                          struct fr_loaded *loaded, const char *run_id, uint64_t given,
                          struct fr_matching_runs *out, struct fr_faults *faults)
{
    struct fr_server *server = rq->server;

    if (run_id && !model->set_run)
        return fr_fault(faults, FR_RELATION, "run", "%s does not use saved runs; leave out run",
                        model->name);
    out->residuals = rq->store ? fr_residual_cache_make(server->residuals, rq->store,
                                                        server->catalog, model, loaded)
                               : fr_residual_cache_find(server->residuals, model, loaded);
    if (!rq->store && !out->residuals)
        return FR_NEEDS_WORKER;
    if (!model->set_run || (!run_id && !(out->residuals && out->residuals->runs)))
        return FR_OK;
    if (!rq->store)
        return FR_NEEDS_WORKER;
    if (begin(rq, given, out, faults) != FR_OK)
        return FR_NOMEM;
    out->runs->machine = loaded->cal->machine;
    out->runs->loaded = loaded;
    out->runs->model = model;
    out->runs->rows_source.find = model->nearest_run ? find_for_rows : find_network;
    out->runs->residuals = out->residuals;
    if (run_id && !(out->runs->named = find_named(rq, out->runs, run_id, faults)))
        return FR_NOT_FOUND;
    return FR_OK;
}

int fr_matching_runs_name(struct fr_request *rq, const struct fr_saved_run *run, uint64_t given,
                          struct fr_matching_runs *out, struct fr_faults *faults)
{
    const int code = begin(rq, given, out, faults);

    if (code == FR_OK)
        out->runs->named = run;
    return code;
}

void fr_matching_runs_end(struct fr_matching_runs *matching)
{
    fr_cached_drop(matching->residuals);
    if (matching->runs)
        fr_arena_free(matching->runs->arena);
    *matching = (struct fr_matching_runs){ 0 };
}

const struct fr_run_source *fr_matching_runs_of_rows(const struct fr_matching_runs *matching)
{
    const struct fr_runs *runs = matching->runs;

    if (!runs)
        return NULL;
    return runs->named ? &runs->source : &runs->rows_source;
}

const char *fr_matching_runs_basis(const struct fr_matching_runs *matching)
{
    const struct fr_runs *runs = matching->runs;
    const struct fr_saved_run *used = runs ? runs->named ? runs->named : runs->chosen : NULL;

    return used ? used->id : NULL;
}

const struct fr_run_source *fr_matching_runs_source(const struct fr_matching_runs *matching)
{
    return matching->runs ? &matching->runs->source : NULL;
}

bool fr_matching_runs_recall(const struct fr_matching_runs *matching,
                             const struct fr_calibration *cal, void *values,
                             struct fr_prediction *out, struct fr_spread *spread)
{
    const struct fr_runs *runs = matching->runs;

    return runs && !runs->named && runs->residuals->answers && cal == runs->loaded->cal &&
           fr_run_answers_find(runs->residuals->answers,
                               &(struct fr_run_answer){ .values_size = runs->model->values_size,
                                                        .loaded = runs->loaded,
                                                        .given = runs->source.given,
                                                        .asked = values },
                               values, out, spread);
}

void fr_matching_runs_remember(const struct fr_matching_runs *matching,
                               const struct fr_calibration *cal, const void *asked,
                               const void *resolved, const struct fr_prediction *prediction,
                               const struct fr_spread *spread)
{
    const struct fr_runs *runs = matching->runs;

    if (!runs || !runs->is_lasting || !runs->residuals->answers || cal != runs->loaded->cal ||
        !spread->runs)
        return;
    fr_run_answers_keep(runs->residuals->answers, &(struct fr_run_answer){
                                                      .values_size = runs->model->values_size,
                                                      .loaded = runs->loaded,
                                                      .given = runs->source.given,
                                                      .asked = asked,
                                                      .resolved = resolved,
                                                      .prediction = prediction,
                                                      .spread = *spread,
                                                  });
}
