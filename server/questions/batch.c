/* Binds the requests of a batch: reads each JSON object as a question, reports all its faults. */

#include "server/calibrations/catalogue.h"
#include "server/calibrations/document.h"
#include "server/json/decode.h"
#include "server/matrices/matrix.h"
#include "server/questions/documents.h"
#include "server/runs/run_document.h"

#include "engine/krylov/partition/partition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fr_batch {
    json_t *root, *requests;
    struct fr_structures *structures; /* shared by all requests; NULL if none needs any */
    struct fr_partitions *partitions; /* the same */
};

struct fr_batch *fr_batch_read(const char *body, size_t length, size_t most,
                               struct fr_faults *faults)
{
    struct fr_batch *batch = calloc(1, sizeof *batch);
    const char *key;
    json_t *value;

    if (!batch || !(batch->root = fr_json_parse(body, length, faults))) {
        if (!batch)
            fr_fault(faults, FR_NOMEM, "", "out of memory");
        free(batch);
        return NULL;
    }
    batch->requests = fr_json_member(batch->root, "requests");
    if (fr_json_kind(batch->root) != FR_JSON_OBJECT)
        fr_fault(faults, FR_TYPE, "", "must be an object with the key `requests`");
    FR_JSON_EACH_MEMBER(batch->root, key, value)
    {
        char pointer[80];

        if (strcmp(key, "requests") == 0)
            continue;
        snprintf(pointer, sizeof pointer, "/%.70s", key);
        fr_fault(faults, FR_UNKNOWN_KEY, pointer, "unknown key; the only key is `requests`");
    }
    if (fr_json_kind(batch->root) == FR_JSON_OBJECT && !batch->requests)
        fr_fault(faults, FR_MISSING, "/requests", "required: an array of requests");
    else if (batch->requests && fr_json_kind(batch->requests) != FR_JSON_ARRAY)
        fr_fault(faults, FR_TYPE, "/requests", "must be an array");
    else if (fr_json_count(batch->requests) > most)
        fr_fault(faults, FR_NOMEM, "/requests", "%zu requests; a batch has at most %zu",
                 fr_json_count(batch->requests), most);
    if (faults->count) {
        fr_batch_free(batch);
        return NULL;
    }
    return batch;
}

size_t fr_batch_count(const struct fr_batch *batch)
{
    return fr_json_count(batch->requests);
}

void fr_batch_free(struct fr_batch *batch)
{
    fr_json_free(batch->root);
    fr_structures_end(batch->structures); /* also frees the memory of the documents */
    fr_partitions_end(batch->partitions);
    free(batch);
}

/* Prefixes the pointers of faults in an embedded document with its place in the request. */
static void place_faults(struct fr_faults *faults, size_t before, const char *pointer)
{
    for (size_t i = before; i < fr_faults_kept(faults); i++) {
        char where[FR_WHERE_BYTES];

        memcpy(where, faults->fault[i].where, sizeof where);
        if (where[0] == '/' || !where[0])
            snprintf(faults->fault[i].where, sizeof where, "%s%.140s", pointer, where);
    }
}

/* Binds a calibration document inside the request: validated like an upload, used once, not
 * stored. */
static int bind_document(struct fr_request *rq, json_t *document, const char *machine,
                         struct fr_target *target, struct fr_faults *faults)
{
    struct fr_loaded *loaded = fr_arena_zeroed(rq->arena, 1, sizeof *loaded);
    const size_t before = fr_faults_kept(faults);

    if (loaded)
        loaded->cal = fr_arena_zeroed(rq->arena, 1, sizeof *loaded->cal);
    if (!loaded || !loaded->cal)
        return fr_fault(faults, FR_NOMEM, "/calibration", "too large");
    if (fr_calibration_decode(document, rq->arena, loaded->cal, loaded->id, faults) != FR_OK) {
        place_faults(faults, before, "/calibration");
        return FR_RELATION;
    }
    if (machine && strcmp(machine, loaded->cal->machine))
        fr_fault(faults, FR_RELATION, "machine", "the calibration belongs to machine %s",
                 loaded->cal->machine);
    target->loaded = loaded;
    return FR_OK;
}

/* Whether the request brings its calibration along, instead of naming a stored one. */
static bool has_document(json_t *request)
{
    return fr_json_kind(fr_json_member(request, "calibration")) == FR_JSON_OBJECT;
}

static void bind_calibration(struct fr_request *rq, json_t *request, struct fr_question *question,
                             struct fr_faults *faults)
{
    json_t *calibration = fr_json_member(request, "calibration");
    json_t *name = fr_json_member(request, "machine");
    const char *machine = fr_json_get_text(name);
    struct fr_target *target = &question->target[0];
    int code = FR_RELATION;

    if (name && !machine)
        fr_fault(faults, FR_TYPE, "machine", "must be a string");
    else if (has_document(request))
        code = bind_document(rq, calibration, machine, target, faults);
    else if (calibration && fr_json_kind(calibration) != FR_JSON_TEXT)
        fr_fault(faults, FR_TYPE, "calibration", "must be an id or a calibration document");
    else if (!calibration && !machine)
        fr_fault(faults, FR_MISSING, "machine", "required: the machine, or a calibration");
    else
        code = fr_find_calibration(rq, machine, fr_json_get_text(calibration), &target->loaded,
                                   faults);
    if (code != FR_OK)
        return;
    target->cal = target->loaded->cal;
    question->target_count = 1;
}

static void bind_changes(struct fr_request *rq, json_t *what_if, struct fr_question *question,
                         struct fr_faults *faults)
{
    const char *path;
    json_t *value;

    if (what_if && fr_json_kind(what_if) != FR_JSON_OBJECT)
        fr_fault(faults, FR_TYPE, "what_if", "must be an object of paths and values");
    FR_JSON_EACH_MEMBER(what_if, path, value)
    {
        char number[FR_NUMBER_BYTES];
        const char *text = fr_json_get_text(value);

        if (question->change_count == FR_MAX_CHANGES) {
            fr_fault(faults, FR_RANGE, "what_if", "more than %d changes", FR_MAX_CHANGES);
            return;
        }
        if (fr_json_kind(value) == FR_JSON_NUMBER) {
            number[fr_number_print(fr_json_get_number(value), number)] = '\0';
            text = fr_arena_text(rq->arena, number, strlen(number));
        }
        if (text)
            question->change[question->change_count++] = (struct fr_change){ path, text };
        else
            fr_fault(faults, FR_TYPE, "what_if", "%.60s: must be a number or a string such as *2",
                     path);
    }
}

/* `run` is the id of a saved run or a saved run itself, which is validated like an upload and not
 * stored. */
static void bind_run(struct fr_request *rq, json_t *request, struct fr_question *question,
                     struct fr_faults *faults)
{
    json_t *value = fr_json_member(request, "run");
    const size_t before = fr_faults_kept(faults);
    struct fr_target *target = &question->target[0];
    struct fr_saved_run *run;

    if (!value || fr_json_kind(value) == FR_JSON_TEXT) {
        if (target->loaded && !has_document(request))
            fr_matching_runs_find(rq, question->model, target->loaded, fr_json_get_text(value),
                                  question->given, &target->matching, faults);
        else if (value)
            fr_fault(faults, FR_RELATION, "run",
                     "a run id needs a stored machine; with a calibration document, give the run "
                     "itself");
        return;
    }
    if (!question->model->set_run) {
        fr_fault(faults, FR_RELATION, "run", "%s does not use saved runs; leave out run",
                 question->model->name);
        return;
    }
    run = fr_arena_zeroed(rq->arena, 1, sizeof *run);
    if (!run)
        fr_fault(faults, FR_NOMEM, "run", "too large");
    else if (fr_run_decode(value, question->model, false, rq->arena, run, faults) == FR_OK)
        fr_matching_runs_name(rq, run, question->given, &target->matching, faults);
    place_faults(faults, before, "/run");
}

/* Makes a structure inside the request available as a matrix; its id is the hash of its text. */
static void serve_structure(struct fr_batch *batch, json_t *document, struct fr_question *question,
                            struct fr_faults *faults)
{
    const struct fr_param *params = question->model->params;
    const struct fr_param *matrix = fr_param_find(params, "matrix");
    const struct fr_param *ordering = fr_param_find(params, "ordering");
    const size_t before = fr_faults_kept(faults);
    struct sparse_structure *s = fr_structure_decode(document, faults);
    char id[17];

    place_faults(faults, before, "/structure");
    if (!fr_param_is_open(matrix, question->values)) {
        fr_fault(faults, FR_REPEATED, "structure",
                 "matrix is given as well; leave one of them out");
        sparse_structure_free(s);
        return;
    }
    if (!s || fr_json_id(document, id) != FR_OK) {
        snprintf(id, sizeof id, "structure"); /* prevents a second fault for a missing matrix */
        sparse_structure_free(s);
        s = NULL;
    }
    if (s)
        fr_structures_name(batch->structures, id, s, faults);
    fr_param_read(matrix, id, question->values, faults);
    if (!(question->given & fr_param_bit(params, ordering))) /* the structure does not name it */
        fr_param_open(ordering, question->values);
}

/* `structure` is a block structure: validated, used for this answer, not stored. */
static void bind_structure(struct fr_request *rq, struct fr_batch *batch, json_t *request,
                           struct fr_question *question, struct fr_faults *faults)
{
    json_t *document = fr_json_member(request, "structure");
    const struct fr_model *model = question->model;

    if (document && !model->set_structures) {
        fr_fault(faults, FR_RELATION, "structure", "%s reads no block structure; leave it out",
                 model->name);
        return;
    }
    if (!model->set_structures)
        return;
    if (!batch->structures)
        batch->structures = fr_serve_structures(rq, model, question->values);
    if (!batch->structures) {
        fr_fault(faults, FR_NOMEM, "structure", "out of memory");
        return;
    }
    model->set_structures(question->values, fr_structures_source(batch->structures));
    fr_structures_forget(batch->structures);
    if (document)
        serve_structure(batch, document, question, faults);
}

/* Facts of the request itself, under the id of their text. */
struct given_facts {
    struct fr_partition_source source;
    char id[17];
    const struct krylov_partition *facts;
};

static const struct krylov_partition *find_facts(void *context, const char *matrix,
                                                 const char *partition, int64_t processes,
                                                 struct fr_faults *faults)
{
    const struct given_facts *given = context;

    (void)partition;
    (void)processes; /* the model compares them */
    if (strcmp(matrix, given->id) == 0)
        return given->facts;
    fr_fault(faults, FR_NOT_FOUND, "matrix", "there is no matrix '%.64s'; give facts", matrix);
    return NULL;
}

static void serve_facts(struct fr_request *rq, json_t *document, struct fr_question *question,
                        struct fr_faults *faults)
{
    const struct fr_param *matrix = fr_param_find(question->model->params, "matrix");
    const size_t before = fr_faults_kept(faults);
    struct given_facts *given = fr_arena_zeroed(rq->arena, 1, sizeof *given);

    if (!given || fr_json_id(document, given->id) != FR_OK) {
        fr_fault(faults, FR_NOMEM, "facts", "out of memory");
        return;
    }
    given->facts = fr_facts_decode(document, rq->arena, faults);
    place_faults(faults, before, "/facts");
    given->source = (struct fr_partition_source){ given, find_facts };
    if (!fr_param_is_open(matrix, question->values))
        fr_fault(faults, FR_REPEATED, "facts", "matrix is given as well; leave one of them out");
    else
        fr_param_read(matrix, given->id, question->values, faults);
    question->model->set_partitions(question->values, &given->source);
}

/* `facts` are those of a partition: validated, used for this answer, not stored.  Without them
 * they are those of a stored matrix. */
static void bind_facts(struct fr_request *rq, struct fr_batch *batch, json_t *request,
                       struct fr_question *question, struct fr_faults *faults)
{
    json_t *document = fr_json_member(request, "facts");
    const struct fr_model *model = question->model;

    if (document && !model->set_partitions)
        fr_fault(faults, FR_RELATION, "facts", "%s reads no facts of a partition; leave them out",
                 model->name);
    else if (document)
        serve_facts(rq, document, question, faults);
    else if (!batch->partitions)
        batch->partitions = fr_serve_partitions(rq, model, question->values);
    else if (model->set_partitions)
        model->set_partitions(question->values, fr_partitions_source(batch->partitions));
}

static bool bind_explain(json_t *request, const struct fr_model *model, struct fr_faults *faults)
{
    json_t *value = fr_json_member(request, "explain");

    if (value && fr_json_kind(value) != FR_JSON_BOOL)
        fr_fault(faults, FR_TYPE, "explain", "must be true or false");
    fr_explain_check(model, fr_json_is_true(value), faults);
    return fr_json_is_true(value);
}

static void bind_outlook(json_t *request, struct fr_question *question, struct fr_faults *faults)
{
    fr_params_clear(fr_outlook_params, &question->outlook);
    for (const struct fr_param *param = fr_outlook_params; param->name; param++) {
        json_t *value = fr_json_member(request, param->name);

        if (value)
            fr_param_bind(param, value, &question->outlook, faults);
    }
    fr_outlook_check(&question->outlook, faults);
}

static const char *const members[] = { "model", "machine",  "calibration",    "parameters",
                                       "run",   "what_if",  "explain",        "structure",
                                       "facts", "quantile", "margin_percent", NULL };

static void refuse_unknown(json_t *request, struct fr_faults *faults)
{
    const char *key;
    json_t *value;

    FR_JSON_EACH_MEMBER(request, key, value)
    {
        struct fr_nearest nearest = { .name = key };

        for (size_t i = 0; members[i]; i++)
            fr_nearest_consider(&nearest, members[i]);
        if (!nearest.found)
            fr_fault(faults, FR_UNKNOWN_KEY, key, "unknown key");
        else if (strcmp(nearest.found, key) != 0)
            fr_fault(faults, FR_UNKNOWN_KEY, key, "unknown key; did you mean %s", nearest.found);
    }
}

void fr_batch_bind(struct fr_request *rq, struct fr_batch *batch, size_t index,
                   struct fr_question *question, bool *is_explained, struct fr_faults *faults)
{
    json_t *request = fr_json_item(batch->requests, index);
    json_t *model = fr_json_member(request, "model");
    const char *name = fr_json_get_text(model);

    if (fr_json_kind(request) != FR_JSON_OBJECT) {
        fr_fault(faults, FR_TYPE, "", "a request must be an object");
        return;
    }
    refuse_unknown(request, faults);
    if (model && !name)
        fr_fault(faults, FR_TYPE, "model", "must be a string");
    else if (!name)
        fr_fault(faults, FR_MISSING, "model", "required: the name of a model; see /api/v1/models");
    else
        question->model = fr_model_named(name, "model", faults);
    if (!question->model)
        return;
    question->values = fr_arena_zeroed(rq->arena, 1, question->model->values_size);
    if (!question->values) {
        fr_fault(faults, FR_NOMEM, "requests", "the requests together are too large; send fewer");
        return;
    }
    fr_params_clear(question->model->params, question->values);
    fr_params_bind(question->model, fr_json_member(request, "parameters"), members,
                   question->values, &question->given, faults);
    bind_structure(rq, batch, request, question, faults);
    bind_facts(rq, batch, request, question, faults);
    *is_explained = bind_explain(request, question->model, faults);
    bind_outlook(request, question, faults);
    bind_calibration(rq, request, question, faults);
    bind_changes(rq, fr_json_member(request, "what_if"), question, faults);
    bind_run(rq, request, question, faults);
    if (!question->target_count) {
        fr_model_check_given(question->model, question->values, 0, faults);
        return;
    }
    fr_question_change(question, faults);
    /* The faults that the model finds belong to the same answer. */
    if (faults->count && !question->target[0].matching.runs)
        fr_model_resolve(question->model, question->values, question->target[0].cal, faults);
}

void fr_batch_release(const struct fr_batch *batch, size_t index, struct fr_question *question)
{
    if (has_document(fr_json_item(batch->requests, index)))
        question->target[0].loaded = NULL; /* it is in the arena */
    fr_question_end(question);
}
