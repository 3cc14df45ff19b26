/* Reads a model question from a query string, finds its calibrations and prepares the reply. */
#include "server/questions/ask.h"
#include "server/calibrations/catalogue.h"
#include "server/http/server.h"

#include "server/http/options.h"
#include "server/questions/hpl_dat.h"
#include "server/questions/structures.h"
#include "server/store/store.h"

#include <stdio.h>
#include <string.h>

static const char *const common_texts[] = { "machine", "calibration", "run", NULL };

/* Reports an unknown name and suggests the nearest name that this route accepts. */
static void refuse_name(const struct fr_model *model, const struct fr_asking *asking,
                        const char *name, struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = name };

    fr_params_consider(model->params, &nearest);
    fr_params_consider(asking->options, &nearest);
    if (asking->takes_quantile)
        fr_params_consider(fr_outlook_params, &nearest);
    if (asking->takes_analyze && model->structure_key)
        fr_params_consider(fr_analyze_params, &nearest);
    for (size_t i = 0; asking->texts && asking->texts[i].name; i++)
        fr_nearest_consider(&nearest, asking->texts[i].name);
    for (size_t i = 0; common_texts[i]; i++)
        fr_nearest_consider(&nearest, common_texts[i]);
    if (nearest.found)
        fr_fault(faults, FR_UNKNOWN_PARAMETER, name, "not a parameter of %s; did you mean %s",
                 model->name, nearest.found);
    else
        fr_fault(faults, FR_UNKNOWN_PARAMETER, name, "not a parameter of %s; see /api/v1/models/%s",
                 model->name, model->name);
}

static void read_change(struct fr_question *question, const struct fr_pair *pair,
                        struct fr_faults *faults)
{
    if (question->change_count == FR_MAX_CHANGES)
        fr_fault(faults, FR_RANGE, pair->name, "more than %d changes", FR_MAX_CHANGES);
    else
        question->change[question->change_count++] =
            (struct fr_change){ pair->name + strlen("what_if."), pair->value };
}

bool fr_is_list(const char *text)
{
    return strchr(text, ',') || strstr(text, "..");
}

static void too_many_lists(const struct fr_param *param, struct fr_faults *faults)
{
    fr_fault(faults, FR_TOO_MANY_POINTS, param->name, "more than %d lists", FR_MAX_AXES);
}

static void refuse_list(const struct fr_question *question, const struct fr_param *param,
                        const char *text, struct fr_faults *faults)
{
    char names[300] = "";
    size_t used = 0;

    for (const struct fr_param *each = question->model->params; each->name; each++)
        if (each->flags & FR_TUNABLE && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
                                     each->name);
    fr_fault(faults, FR_RELATION, param->name,
             "'%.40s': one value is needed; only tunables may have several (of %s: %s)", text,
             question->model->name, used ? names : "none");
}

void fr_question_restrict(struct fr_request *rq, struct fr_question *question,
                          const struct fr_param *param, const char *text, struct fr_faults *faults)
{
    struct fr_axis axis;

    if (!(param->flags & FR_TUNABLE)) {
        refuse_list(question, param, text, faults);
        return;
    }
    if (fr_axis_parse(param, text, rq->arena, &axis, faults) != FR_OK)
        return;
    fr_axis_sort(&axis);
    if (axis.count == 1)
        fr_axis_put(&axis, 0, question->values);
    else if (question->axis_count == FR_MAX_AXES)
        too_many_lists(param, faults);
    else
        question->axis[question->axis_count++] = axis;
}

struct fr_restriction fr_question_restriction(const struct fr_question *question)
{
    return (struct fr_restriction){ question->axis, question->axis_count };
}

static void read_param(struct fr_request *rq, const struct fr_asking *asking,
                       struct fr_question *question, const struct fr_param *param, const char *text,
                       struct fr_faults *faults)
{
    const bool is_list = param->kind != FR_KIND_TEXT && fr_is_list(text);
    struct fr_axis axis;

    if (asking->keeps_lists && is_list) {
        if (question->list_count == FR_MAX_AXES)
            too_many_lists(param, faults);
        else
            question->list[question->list_count++] = (struct fr_list){ param, text };
        return;
    }
    if (asking->restricts_tunables && is_list) {
        fr_question_restrict(rq, question, param, text, faults);
        return;
    }
    if (!asking->takes_lists || (param->kind == FR_KIND_TEXT && !(param->flags & FR_NAME))) {
        fr_param_read(param, text, question->values, faults);
        return;
    }
    if (fr_axis_parse(param, text, rq->arena, &axis, faults) != FR_OK)
        return;
    fr_axis_put(&axis, 0, question->values);
    if (axis.count == 1)
        return;
    if (question->axis_count == FR_MAX_AXES)
        too_many_lists(param, faults);
    else
        question->axis[question->axis_count++] = axis;
}

static bool read_text(const struct fr_asking *asking, const struct fr_pair *pair)
{
    for (size_t i = 0; asking->texts && asking->texts[i].name; i++) {
        if (strcmp(asking->texts[i].name, pair->name) == 0) {
            *asking->texts[i].value = pair->value;
            return true;
        }
    }
    for (size_t i = 0; common_texts[i]; i++)
        if (strcmp(common_texts[i], pair->name) == 0)
            return true; /* read by find_targets and find_matching_runs */
    return false;
}

static void read_query(struct fr_request *rq, const struct fr_asking *asking,
                       struct fr_question *question, struct fr_faults *faults)
{
    for (size_t i = 0; i < rq->query_count; i++) {
        const struct fr_pair *pair = &rq->query[i];
        const struct fr_param *param = fr_param_find(question->model->params, pair->name);
        const struct fr_param *option =
            asking->options ? fr_param_find(asking->options, pair->name) : NULL;
        const struct fr_param *outlook =
            asking->takes_quantile ? fr_param_find(fr_outlook_params, pair->name) : NULL;
        const struct fr_param *analyze = asking->takes_analyze && question->model->structure_key
                                             ? fr_param_find(fr_analyze_params, pair->name)
                                             : NULL;

        if (fr_option_is_repeated(rq, i, faults) || read_text(asking, pair))
            continue;
        if (strncmp(pair->name, "what_if.", strlen("what_if.")) == 0) {
            read_change(question, pair, faults);
        } else if (param) {
            question->given |= fr_param_bit(question->model->params, param);
            read_param(rq, asking, question, param, pair->value, faults);
        } else if (option) {
            fr_param_read(option, pair->value, asking->option_values, faults);
        } else if (outlook) {
            fr_param_read(outlook, pair->value, &question->outlook, faults);
        } else if (analyze) {
            fr_param_read(analyze, pair->value, question, faults);
        } else {
            refuse_name(question->model, asking, pair->name, faults);
        }
    }
}

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

static void apply_changes(struct fr_request *rq, struct fr_question *question,
                          struct fr_faults *faults)
{
    for (size_t i = 0; question->change_count && i < question->target_count; i++) {
        struct fr_target *target = &question->target[i];
        const struct fr_calibration *changed =
            fr_what_if(target->cal, question->change, question->change_count, rq->arena, faults);

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

/* Returns FR_OK or FR_NEEDS_WORKER. */
static int read_question(struct fr_request *rq, const struct fr_asking *asking,
                         struct fr_question *question, struct fr_faults *faults)
{
    const struct fr_model *model = question->model;
    size_t combinations;

    question->leaves_tunables_open = asking->leaves_tunables_open;
    question->values = fr_arena_zeroed(rq->arena, 1, model->values_size);
    fr_params_clear(model->params, question->values);
    question->structures = fr_serve_structures(rq, model, question->values);
    question->partitions = fr_serve_partitions(rq, model, question->values);
    if (asking->leaves_tunables_open)
        for (const struct fr_param *param = model->params; param->name; param++)
            if (param->flags & FR_TUNABLE)
                fr_param_open(param, question->values);
    if (asking->options)
        fr_params_clear(asking->options, asking->option_values);
    fr_params_clear(fr_outlook_params, &question->outlook);
    fr_params_clear(fr_analyze_params, question);
    if (find_targets(rq, asking, question, faults) == FR_NEEDS_WORKER)
        return FR_NEEDS_WORKER;
    read_query(rq, asking, question, faults);
    if (asking->restricts_tunables)
        fr_axes_count(question->axis, question->axis_count, 1, &combinations, faults);
    fr_outlook_check(&question->outlook, faults);
    apply_changes(rq, question, faults);
    return find_matching_runs(rq, question, faults);
}

static void end(struct fr_question *question)
{
    for (size_t i = 0; i < question->target_count; i++) {
        fr_loaded_drop(question->target[i].loaded);
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

int fr_ask(struct fr_request *rq, struct fr_reply *reply, const struct fr_asking *asking)
{
    const bool names_calibration = fr_query_get(rq, "calibration"); /* then of all targets */
    struct fr_question question;
    struct fr_faults faults;
    int status;

    memset(&question, 0, offsetof(struct fr_question, axis));
    question.arena = rq->arena;
    question.axis_count = question.list_count = 0;
    faults.count = 0;
    question.model = fr_model_of_path(rq, reply);
    if (!question.model)
        return 404;
    status = fr_hpl_dat_refuse(rq, reply, question.model);
    if (status)
        return status;
    if (question.model->cost == FR_LONG && !rq->store)
        return FR_NEEDS_WORKER;
    status = read_question(rq, asking, &question, &faults);
    if (names_calibration && !fr_query_get(rq, "matrix")) /* whose structures may follow */
        reply->cache_control = FR_CACHED_A_MINUTE;
    if (status == FR_OK && !asking->is_always_new && !faults.count &&
        is_known(rq, reply, &question))
        status = 304;
    else if (status == FR_OK && !(status = fr_question_structures(rq, reply, &question, &faults)))
        status = asking->answer(rq, reply, &question, asking->option_values, &faults);
    end(&question);
    return status;
}
