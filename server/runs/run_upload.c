/* POST …/runs: saved runs as documents, or as the output of another program. */
#include "server/calibrations/catalogue.h"
#include "server/calibrations/document.h"
#include "server/core/utf8.h"
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/runs/imports/imports.h"
#include "server/runs/residuals.h"
#include "server/runs/run_document.h"
#include "server/store/store.h"

#include <stdio.h>
#include <string.h>

/* ---- texts of other programs -------------------------------------------------------------- */

static void list_filters(char *out, size_t size)
{
    size_t used = 0;

    out[0] = '\0';
    for (size_t i = 0; fr_imports[i] && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "",
                                 fr_imports[i]->name);
}

static const struct fr_import *find_filter(const char *name, struct fr_faults *faults)
{
    const struct fr_import *import = name ? fr_import_find(name) : NULL;
    char names[160];

    list_filters(names, sizeof names);
    if (!name)
        fr_fault(faults, FR_MISSING, "format", "required for a text: one of %s", names);
    else if (!import)
        fr_fault(faults, FR_CHOICE, "format", "'%.40s' is not one of %s", name, names);
    return import;
}

/* What the query says of the upload itself, beside parameters of the model. */
struct options {
    const char *format, *model;
    int preview;
};
const struct fr_param fr_run_upload_params[] = {
    FR_BORROWED(struct options, format, .doc = "The program that wrote the body."),
    FR_BORROWED(struct options, model, .doc = "Model of all runs; with `format` only."),
    FR_BOOL(struct options, preview, .flags = FR_DEFAULT,
            .doc = "Whether to answer what would be stored, and to store nothing."),
    FR_PARAMS_END,
};

/* Checks a parameter that the request gives for all runs, once; aliases are replaced. */
static void check_given(const struct fr_import *import, const struct fr_model *model,
                        struct fr_pair *pair, uint64_t *given, struct fr_arena *arena,
                        struct fr_faults *faults)
{
    const struct fr_param *param = fr_param_find(model->params, pair->name);
    struct fr_nearest nearest = { .name = pair->name };
    void *scratch;

    if (fr_import_has_option(import, pair->name))
        return;
    fr_params_consider(model->params, &nearest);
    if (!param)
        fr_param_refuse(&nearest, model, NULL, faults);
    else if (fr_param_give(model->params, param, pair->name, given, faults) == FR_OK &&
             (scratch = fr_arena_zeroed(arena, 1, model->values_size)))
        fr_param_read(param, pair->value, scratch, faults);
    if (param)
        pair->name = param->name;
}

/* The matrix that the request names: it must be stored. */
static void find_matrix(struct fr_request *rq, const struct fr_model *model,
                        struct fr_import_given *given, struct fr_faults *faults)
{
    struct fr_matrix_record *matrix = fr_arena_zeroed(rq->arena, 1, sizeof *matrix);

    for (size_t i = 0; matrix && fr_param_find(model->params, "matrix") && i < given->count; i++) {
        if (strcmp(given->pair[i].name, "matrix") != 0)
            continue;
        if (fr_store_matrix_get(rq->store, given->pair[i].value, rq->arena, matrix) == FR_STORE_OK)
            given->matrix = matrix;
        else
            fr_fault(faults, FR_NOT_FOUND, "matrix",
                     "there is no matrix '%.64s'; upload it, or see /api/v1/matrices",
                     given->pair[i].value);
    }
}

/* The rest of the query: the model, and parameters of all runs. */
static void read_given(struct fr_request *rq, const struct fr_import *import,
                       struct fr_import_given *given, struct options *options,
                       struct fr_faults *faults)
{
    struct fr_pair *pairs = fr_arena_zeroed(rq->arena, FR_MAX_QUERY, sizeof *pairs);
    const struct fr_model *model = NULL;
    const struct fr_pair *pair;
    const char *name;
    uint64_t known = 0;

    *given = (struct fr_import_given){ .pair = pairs };
    for (size_t i = 0;
         pairs && (pair = fr_query_next(rq, &i, fr_run_upload_params, options, faults));)
        pairs[given->count++] = *pair;
    given->model = options->model;
    name = fr_import_model(import, rq->body, rq->body_length, given);
    if (name)
        model = fr_model_named(name, "model", faults);
    for (size_t i = 0; model && i < given->count; i++)
        check_given(import, model, &pairs[i], &known, rq->arena, faults);
    if (model)
        find_matrix(rq, model, given, faults);
}

/* Filters report the place as "line 12"; clients get a pointer and the line in the message. */
static void place_lines(struct fr_faults *faults)
{
    for (size_t i = 0; i < fr_faults_kept(faults); i++) {
        struct fr_fault *fault = &faults->fault[i];
        char message[FR_MESSAGE_BYTES];

        if (strncmp(fault->where, "line ", 5) != 0)
            continue;
        snprintf(message, sizeof message, "%.20s: %.410s", fault->where, fault->message);
        memcpy(fault->message, message, sizeof message);
        fault->where[0] = '/';
        memmove(fault->where + 1, fault->where + 5, strlen(fault->where + 5) + 1);
    }
}

/* Converts the text into an array of documents, in `runs`. */
static void import_text(struct fr_request *rq, const char *format, struct options *options,
                        struct fr_writer *runs, struct fr_imported *imported,
                        struct fr_faults *faults)
{
    const struct fr_import *import = find_filter(format, faults);
    struct fr_import_given given;

    if (!import)
        return;
    read_given(rq, import, &given, options, faults);
    if (faults->count)
        return;
    fr_import_read(import, rq->body, rq->body_length, &given, rq->arena, runs, imported, faults);
    place_lines(faults);
    place_lines(&imported->warnings);
}

/* ---- the upload --------------------------------------------------------------------------- */

/* Without a filter the query has no parameters of the runs. */
static void read_query(const struct fr_request *rq, struct options *options,
                       struct fr_faults *faults)
{
    static const char why[] = "is allowed only with `format`: a document has its own parameters";
    const struct fr_pair *pair;

    for (size_t i = 0; (pair = fr_query_next(rq, &i, fr_run_upload_params, options, faults));)
        fr_fault(faults, FR_UNKNOWN_PARAMETER, pair->name, why);
    if (options->model)
        fr_fault(faults, FR_UNKNOWN_PARAMETER, "model", why);
}

static void read_runs(struct fr_request *rq, struct fr_run_upload *upload, struct options *options,
                      struct fr_uploaded_runs *runs, struct fr_imported *imported,
                      struct fr_faults *faults)
{
    const char *format = fr_query_get(rq, "format");
    struct fr_writer text;

    if (!format && rq->sent != FR_BODY_TEXT) {
        read_query(rq, options, faults);
        upload->text = rq->body;
        upload->length = rq->body_length;
        upload->is_json_lines = rq->sent == FR_BODY_JSON_LINES;
        fr_runs_read(upload, rq->arena, runs, faults);
        return;
    }
    fr_writer_init(&text);
    import_text(rq, format, options, &text, imported, faults);
    if (!faults->count) {
        upload->text = text.text;
        upload->length = text.length;
        upload->is_imported = true;
        fr_runs_read(upload, rq->arena, runs, faults);
    }
    fr_writer_free(&text);
}

/* `is_stored`: before this upload, or now. */
static void write_item(struct fr_writer *w, const struct fr_stored_run *run, bool is_stored,
                       bool is_new, const char *warnings)
{
    char url[40];

    snprintf(url, sizeof url, "/api/v1/runs/%s", run->id);
    fr_json_object(w);
    fr_json_pair(w, "id", run->id);
    if (is_stored)
        fr_json_pair(w, "url", url);
    fr_json_pair_bool(w, "created", is_new);
    fr_json_key(w, "warnings");
    fr_json_raw(w, warnings ? warnings : "[]", strlen(warnings ? warnings : "[]"));
    fr_json_object_end(w);
}

static void write_warnings(struct fr_writer *w, const struct fr_faults *warnings)
{
    fr_json_pair_array(w, "warnings");
    for (size_t i = 0; i < fr_faults_kept(warnings); i++) {
        const struct fr_fault *warning = &warnings->fault[i];
        char message[FR_MESSAGE_BYTES];

        snprintf(message, sizeof message, "%s", warning->message);
        fr_utf8_sanitize(message); /* it may have been cut within a character */
        fr_json_object(w);
        fr_json_pair(w, "code", fr_code_name(warning->code));
        fr_json_pair(w, "what", warning->where);
        fr_json_pair(w, "message", message);
        fr_json_object_end(w);
    }
    fr_json_array_end(w);
}

/* Of a preview nothing is stored: its new runs have no address. */
static int answer(struct fr_reply *reply, const struct fr_uploaded_runs *runs, const bool *is_new,
                  const struct fr_imported *imported, bool is_preview)
{
    const char *read = imported->read ? imported->read : "[]";
    int64_t new_runs = 0;

    for (size_t i = 0; i < runs->count; i++)
        new_runs += is_new[i];
    if (runs->is_single && runs->count && !is_preview)
        snprintf(reply->location, sizeof reply->location, "/api/v1/runs/%s", runs->run[0].id);
    fr_json_object(&reply->body);
    fr_json_pair_bool(&reply->body, "preview", is_preview);
    fr_json_pair_integer(&reply->body, "stored", is_preview ? 0 : new_runs);
    fr_json_pair_integer(&reply->body, "known", (int64_t)runs->count - new_runs);
    fr_json_pair_integer(&reply->body, "left_out", (int64_t)imported->left_out);
    write_warnings(&reply->body, &imported->warnings);
    fr_json_key(&reply->body, "read");
    fr_json_raw(&reply->body, read, strlen(read));
    fr_json_pair_array(&reply->body, "items");
    for (size_t i = 0; i < runs->count; i++)
        write_item(&reply->body, &runs->run[i], !is_preview || !is_new[i], !is_preview && is_new[i],
                   runs->warnings[i]);
    fr_json_array_end(&reply->body);
    fr_json_object_end(&reply->body);
    return new_runs && !is_preview ? 201 : 200;
}

static int store_runs(struct fr_request *rq, struct fr_reply *reply,
                      const struct fr_uploaded_runs *runs, const struct fr_imported *imported,
                      bool is_preview)
{
    bool *is_new = fr_arena_zeroed(rq->arena, runs->count, sizeof *is_new);
    int result = FR_STORE_FAILED;

    if (is_new)
        result = is_preview ? fr_store_try_runs(rq->store, runs->run, runs->count, is_new)
                            : fr_store_add_runs(rq->store, runs->run, runs->count, is_new);
    if (result != FR_STORE_OK)
        return fr_reply_stored(rq, reply, result, "machine");
    if (!is_preview)
        fr_residual_cache_forget(rq->server->residuals, rq->segment[0]);
    return answer(reply, runs, is_new, imported, is_preview);
}

/* The first runs create the machine, which a slip in its name would too: the answer says so. */
static void warn_of_machine(const struct fr_request *rq, bool is_known, bool is_preview,
                            struct fr_imported *imported)
{
    if (!is_known)
        fr_fault(&imported->warnings, FR_NOT_FOUND, "machine",
                 is_preview ? "there is no machine `%.64s`; storing these runs creates it"
                            : "there was no machine `%.64s`; it was created for these runs",
                 rq->segment[0]);
}

int fr_post_runs(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_run_upload upload = { .machine = rq->segment[0] };
    struct fr_uploaded_runs runs = { .run = NULL };
    struct fr_imported imported = { 0 };
    struct options options = { 0 };
    struct fr_machine machine;
    struct fr_loaded *loaded;
    struct fr_faults faults;
    const int found = fr_store_get_machine(rq->store, rq->segment[0], rq->arena, &machine);

    if (found == FR_STORE_FAILED)
        return fr_reply_store_failed(rq, reply);
    loaded = fr_catalog_newest(rq->server->catalog, rq->segment[0]);
    upload.cal = loaded ? loaded->cal : NULL;
    faults.count = 0;
    fr_machine_name_check(rq->segment[0], "machine", &faults);
    read_runs(rq, &upload, &options, &runs, &imported, &faults);
    fr_cached_drop(loaded);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    warn_of_machine(rq, found == FR_STORE_OK || !runs.count, options.preview, &imported);
    return store_runs(rq, reply, &runs, &imported, options.preview);
}
