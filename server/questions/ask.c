/* Asks a model question: its query (ask_query.c), its calibrations, runs, structures and
 * partitions; the ETag, which may be all that is answered; then the answer of the route.
 */
#include "server/calibrations/catalogue.h"
#include "server/http/handlers.h"
#include "server/http/server.h"

#include "server/questions/documents.h"
#include "server/store/store.h"

#include <string.h>

int fr_find_calibration(struct fr_request *rq, const char *machine, const char *id,
                        struct fr_loaded **loaded, struct fr_faults *faults)
{
    struct fr_catalog *catalog = rq->server->catalog;

    *loaded = id ? fr_catalog_find(catalog, id) : fr_catalog_newest(catalog, machine);
    if (!*loaded && !rq->store)
        return FR_NEEDS_WORKER;
    /* Another process may have stored it since the last refresh. */
    if (!*loaded && !id && fr_catalog_refresh(catalog, rq->store, machine) == FR_OK)
        *loaded = fr_catalog_newest(catalog, machine);
    if (!*loaded && id)
        *loaded = fr_catalog_get(catalog, rq->store, id, rq->arena);
    if (!*loaded && id)
        return fr_fault(faults, FR_NOT_FOUND, "calibration",
                        "'%.40s' is not a calibration; see "
                        "/api/v1/machines",
                        id);
    if (!*loaded)
        return fr_fault(faults, FR_NOT_FOUND, "machine",
                        "'%.64s' has no calibration; see /api/v1/machines", machine);
    if (id && machine && strcmp((*loaded)->cal->machine, machine))
        return fr_fault(faults, FR_RELATION, "machine", "calibration %s belongs to machine %s", id,
                        (*loaded)->cal->machine);
    return FR_OK;
}

/* Returns the next name of a comma-separated list and advances *list, which becomes NULL after
 * the last one. */
static const char *cut(struct fr_request *rq, const char **list)
{
    const size_t length = strcspn(*list, ",");
    const char *item = fr_arena_text(rq->arena, *list, length);

    *list = (*list)[length] ? *list + length + 1 : NULL;
    return item;
}

static int find_targets(struct fr_request *rq, const struct fr_asking *asking,
                        struct fr_question *question, struct fr_faults *faults)
{
    const char *machines = fr_query_get(rq, "machine"), *id = fr_query_get(rq, "calibration");
    int code = FR_OK;

    if (!machines && !id)
        return fr_fault(faults, FR_MISSING, "machine",
                        "required: the machine, or calibration=ID; see /api/v1/machines");
    do {
        const char *machine = machines && asking->takes_lists ? cut(rq, &machines) : machines;
        struct fr_target *target = &question->target[question->target_count];

        if (question->target_count == FR_MAX_MACHINES)
            return fr_fault(faults, FR_TOO_MANY_POINTS, "machine", "more than %d machines",
                            FR_MAX_MACHINES);
        code = fr_find_calibration(rq, machine, id, &target->loaded, faults);
        if (code == FR_NEEDS_WORKER)
            return code;
        if (target->loaded) {
            target->cal = target->loaded->cal;
            question->target_count++;
        }
    } while (machines && asking->takes_lists);
    return code;
}

void fr_question_change(struct fr_question *question, struct fr_faults *faults)
{
    for (size_t i = 0; question->change_count && i < question->target_count; i++) {
        struct fr_target *target = &question->target[i];
        const struct fr_calibration *changed = fr_what_if(
            target->cal, question->change, question->change_count, question->arena, faults);

        if (changed)
            target->cal = changed;
    }
}

static int find_matching_runs(struct fr_request *rq, struct fr_question *question,
                              struct fr_faults *faults)
{
    question->run = fr_query_get(rq, "run");
    for (size_t i = 0; i < question->target_count; i++) {
        struct fr_target *target = &question->target[i];

        if (fr_matching_runs_find(rq, question->model, target->loaded, question->run,
                                  question->given, &target->matching, faults) == FR_NEEDS_WORKER)
            return FR_NEEDS_WORKER;
    }
    return FR_OK;
}

struct fr_structures *fr_serve_structures(struct fr_request *rq, const struct fr_model *model,
                                          void *values)
{
    struct fr_structures *structures = NULL;

    if (model->set_structures && rq->store)
        structures = fr_structures_begin(rq->server->simulations, rq->store, rq->arena);
    if (structures) {
        fr_structures_watch(structures, rq->client, &rq->is_partial);
        model->set_structures(values, fr_structures_source(structures));
    }
    return structures;
}

struct fr_partitions *fr_serve_partitions(struct fr_request *rq, const struct fr_model *model,
                                          void *values)
{
    struct fr_partitions *partitions = NULL;

    if (model->set_partitions && rq->store)
        partitions = fr_partitions_begin(rq, "nodes");
    if (partitions)
        model->set_partitions(values, fr_partitions_source(partitions));
    return partitions;
}

bool fr_question_divides(const struct fr_request *rq, const struct fr_question *question)
{
    return question->partitions && fr_query_get(rq, "matrix");
}

/* Whether the route enumerates tunables, always or by its option, which may stand last. */
static bool leaves_tunables_open(const struct fr_request *rq, const struct fr_asking *asking)
{
    const char *text = fr_param_find(asking->options, "tune") ? fr_query_get(rq, "tune") : NULL;

    return asking->leaves_tunables_open || (text && strcmp(text, "true") == 0);
}

/* Returns FR_OK or FR_NEEDS_WORKER. */
static int read_question(struct fr_request *rq, const struct fr_asking *asking,
                         struct fr_question *question, void *options, struct fr_faults *faults)
{
    const struct fr_model *model = question->model;
    size_t combinations;

    question->leaves_tunables_open = leaves_tunables_open(rq, asking);
    fr_question_clear(rq, question);
    if (question->leaves_tunables_open)
        for (const struct fr_param *param = model->params; param->name; param++)
            if (param->flags & FR_TUNABLE)
                fr_param_open(param, question->values);
    fr_params_clear(asking->options, options);
    fr_params_clear(fr_outlook_params, &question->outlook);
    fr_params_clear(fr_analyze_params, question);
    if (find_targets(rq, asking, question, faults) == FR_NEEDS_WORKER)
        return FR_NEEDS_WORKER;
    fr_question_read_query(rq, asking, question, options, faults);
    if (asking->restricts_tunables)
        fr_axes_count(question->axis, question->axis_count, 1, &combinations, faults);
    fr_outlook_check(&question->outlook, faults);
    fr_question_change(question, faults);
    return find_matching_runs(rq, question, faults);
}

void fr_question_begin(struct fr_question *question, struct fr_arena *arena)
{
    memset(question, 0, offsetof(struct fr_question, axis));
    question->arena = arena;
    question->axis_count = question->list_count = 0;
}

void fr_question_clear(struct fr_request *rq, struct fr_question *question)
{
    const struct fr_model *model = question->model;

    question->values = fr_arena_zeroed(rq->arena, 1, model->values_size);
    fr_params_clear(model->params, question->values);
    question->structures = fr_serve_structures(rq, model, question->values);
    question->partitions = fr_serve_partitions(rq, model, question->values);
}

void fr_question_end(struct fr_question *question)
{
    for (size_t i = 0; i < FR_MAX_MACHINES; i++) { /* also what led to a refusal */
        fr_cached_drop(question->target[i].loaded);
        fr_matching_runs_end(&question->target[i].matching);
    }
    fr_structures_end(question->structures);
    fr_partitions_end(question->partitions);
}

/* The id of a matrix that is divided: its partitions never change, but its name may pass to
 * another. */
static void write_id(struct fr_request *rq, const char *name, struct fr_writer *key)
{
    const struct fr_arena_mark mark = fr_arena_mark(rq->arena);
    struct fr_matrix_record matrix;

    if (rq->store && fr_store_matrix_get(rq->store, name, rq->arena, &matrix) == FR_STORE_OK)
        fr_writer_text(key, matrix.id);
    fr_arena_release(rq->arena, mark);
}

/* Writes the state of each matrix that is named, which a tag depends on. */
static void write_matrices(struct fr_request *rq, const struct fr_question *question,
                           struct fr_writer *key)
{
    const bool is_read = question->structures || question->partitions;
    const char *names = is_read ? fr_query_get(rq, "matrix") : NULL;

    while (names) {
        const char *name = cut(rq, &names);
        char state[FR_MATRIX_STATE_BYTES] = "";

        if (name && question->structures)
            fr_structures_state(question->structures, name, state);
        else if (name)
            write_id(rq, name, key);
        fr_writer_append(key, state, strlen(state) + 1);
    }
}

static bool is_listed(const char *name, const char *const *list)
{
    while (list && *list && strcmp(name, *list) != 0)
        list++;
    return list && *list;
}

void fr_question_key(struct fr_request *rq, const struct fr_question *question,
                     const char *const *apart, struct fr_writer *key)
{
    fr_writer_text(key, FR_ENGINE);
    fr_writer_text(key, question->model->name);
    for (size_t i = 0; i < question->target_count; i++) {
        const struct fr_residuals *residuals = question->target[i].matching.residuals;

        fr_writer_text(key, question->target[i].loaded->id);
        fr_writer_text(key, question->target[i].loaded->facts_json);
        fr_writer_text(key, residuals ? residuals->version : "-");
    }
    write_matrices(rq, question, key);
    for (size_t i = 0; i < rq->query_count; i++) {
        if (is_listed(rq->query[i].name, apart))
            continue;
        /* The terminating NULs keep the keys of different queries different. */
        fr_writer_append(key, rq->query[i].name, strlen(rq->query[i].name) + 1);
        fr_writer_append(key, rq->query[i].value, strlen(rq->query[i].value) + 1);
    }
}

/* Computes the reply's ETag.  Returns true if the client already has this answer. */
static bool is_known(struct fr_request *rq, struct fr_reply *reply,
                     const struct fr_question *question)
{
    struct fr_writer key;
    bool is_same;

    fr_writer_init(&key);
    fr_writer_text(&key, rq->route->path);
    fr_question_key(rq, question, NULL, &key);
    is_same = fr_reply_is_known(rq, reply, key.text, key.length);
    fr_writer_free(&key);
    return is_same;
}

int fr_ask(struct fr_request *rq, struct fr_reply *reply)
{
    const struct fr_asking *asking = rq->route->asking;
    void *options = fr_arena_zeroed(rq->arena, 1, asking->options_size);
    const bool names_calibration = fr_query_get(rq, "calibration"); /* then of all targets */
    struct fr_question question;
    struct fr_faults faults;
    int status;

    fr_question_begin(&question, rq->arena);
    faults.count = 0;
    question.model = fr_model_of_path(rq, reply);
    if (!question.model)
        return 404;
    status = fr_hpl_dat_refuse(rq, reply, question.model);
    if (status)
        return status;
    if (question.model->cost == FR_LONG && !rq->store)
        return FR_NEEDS_WORKER;
    status = read_question(rq, asking, &question, options, &faults);
    if (names_calibration && !fr_query_get(rq, "matrix")) /* whose structures may follow */
        reply->cache_control = FR_CACHED_A_MINUTE;
    if (status == FR_OK && !asking->is_always_new && !faults.count &&
        is_known(rq, reply, &question))
        status = 304;
    else if (status == FR_OK && !(status = fr_question_structures(rq, reply, &question, &faults)))
        status = asking->answer(rq, reply, &question, options, &faults);
    fr_question_end(&question);
    return status;
}
