/* Saved runs: list, fetch, delete; run_upload.c has the upload. */
#include "server/calibrations/catalogue.h"
#include "server/calibrations/document.h"
#include "server/core/clock.h"
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/runs/residuals.h"
#include "server/runs/run_document.h"
#include "server/store/store.h"

#include <stdio.h>
#include <string.h>

/* ---- the filters of a list ---------------------------------------------------------------- */

struct asked {
    struct fr_page page; /* first, as in its descriptors */
    const char *model, *from, *to;
    const struct fr_model *only; /* that of this name, or NULL */
    char begin[FR_TIMESTAMP_BYTES], end[FR_TIMESTAMP_BYTES];
    struct fr_writer parameters; /* {"n":[1000],"variant":["2d",1]} */
    struct fr_writer path;       /* with the filters, for the next page */
};
const struct fr_param fr_runs_params[] = {
    FR_BORROWED(struct asked, model, .doc = "Only runs of this model."),
    FR_BORROWED(struct asked, from,
                .doc =
                    "Only runs that started at this time or later: RFC 3339, or a day in UTC. If "
                    "the start is unknown, the time of the upload counts."),
    FR_BORROWED(struct asked, to,
                .doc = "Only runs that started at this time or earlier; a day is included."),
    FR_PAGE_OPTIONS,
    FR_PARAMS_END,
};

/* A value of the parameter that is being read, as JSON. */
struct taken {
    const char *text;
    const struct taken *next;
};

/* Most models interpret a text alike, and each value is compared with every run: it comes once. */
static void write_once(struct fr_request *rq, struct fr_writer *w, const struct taken **taken,
                       const char *text, size_t length)
{
    struct taken *value = fr_arena_zeroed(rq->arena, 1, sizeof *value);

    if (!value || !(value->text = fr_arena_text(rq->arena, text, length))) {
        w->failed = true;
        return;
    }
    for (const struct taken *other = *taken; other; other = other->next)
        if (strcmp(other->text, value->text) == 0)
            return;
    value->next = *taken;
    *taken = value;
    fr_json_raw(w, text, length);
}

static void write_value(struct fr_request *rq, struct fr_writer *w, const struct taken **taken,
                        const struct fr_param *param, const void *values)
{
    struct fr_rows rows;
    struct fr_writer row;
    size_t key;

    fr_writer_init(&row);
    fr_rows_begin(&rows, &row, FR_JSON);
    fr_row_begin(&rows);
    fr_row_param(&rows, param, values);
    key = strlen("{\"\":") + strlen(param->name);
    if (!row.failed)
        write_once(rq, w, taken, row.text + key, row.length - key);
    fr_rows_end(&rows);
    fr_writer_free(&row);
}

/* A parameter that the runs must have with this value.  Models may interpret the same text
 * differently; a run matches the interpretation of any of them.  An alias needs the model, whose
 * stored runs have the name. */
static void read_parameter(struct fr_request *rq, struct asked *asked, const struct fr_pair *pair,
                           struct fr_faults *faults)
{
    struct fr_nearest nearest = { .name = pair->name };
    struct fr_faults own;
    const struct taken *taken = NULL;
    size_t known = 0;

    own.count = 0;
    for (const struct fr_model *const *model = fr_models; *model; model++) {
        const struct fr_param *param = fr_param_find((*model)->params, pair->name);
        void *values;

        if (asked->only && asked->only != *model)
            continue;
        fr_params_consider((*model)->params, &nearest);
        if (!param || (!asked->only && strcmp(param->name, pair->name) != 0))
            continue;
        if (!known++)
            fr_json_pair_array(&asked->parameters, param->name);
        values = fr_arena_zeroed(rq->arena, 1, (*model)->values_size);
        if (!values)
            asked->parameters.failed = true;
        else if (fr_param_read(param, pair->value, values, &own) == FR_OK)
            write_value(rq, &asked->parameters, &taken, param, values);
    }
    if (!known) {
        fr_param_refuse(&nearest, asked->only, NULL, faults);
        return;
    }
    fr_json_array_end(&asked->parameters);
    if (!taken && own.count)
        fr_fault(faults, own.fault[0].code, pair->name, "%s", own.fault[0].message);
}

static void read_times(struct asked *asked, struct fr_faults *faults)
{
    static const char form[] =
        "'%.40s' is neither a day like 2026-11-20 nor a time like 2026-11-20T12:00:00Z (a + in "
        "a URL is %%2B)";

    if (asked->from && !fr_timestamp_read_bound(asked->from, false, asked->begin))
        fr_fault(faults, FR_SYNTAX, "from", form, asked->from);
    if (asked->to && !fr_timestamp_read_bound(asked->to, true, asked->end))
        fr_fault(faults, FR_SYNTAX, "to", form, asked->to);
}

static void read_query(struct fr_request *rq, struct asked *asked, struct fr_faults *faults)
{
    const char *model = fr_query_get(rq, "model");
    const struct fr_pair *pair;
    size_t filters = 0;

    fr_params_clear(fr_runs_params, asked);
    asked->only = model ? fr_model_named(model, "model", faults) : NULL;
    fr_json_object(&asked->parameters);
    for (size_t i = 0; (pair = fr_query_next(rq, &i, fr_runs_params, asked, faults));)
        read_parameter(rq, asked, pair, faults);
    for (pair = rq->query; pair < rq->query + rq->query_count; pair++)
        if (!fr_param_find(fr_page_params, pair->name)) /* the next page has the same filters */
            fr_writer_query(&asked->path, filters++ ? "&" : "?", pair->name, pair->value);
    fr_json_object_end(&asked->parameters);
    read_times(asked, faults);
}

/* ---- a list ------------------------------------------------------------------------------- */

static void write_parameters(struct fr_request *rq, struct fr_rows *rows,
                             const struct fr_model *model, const struct fr_stored_run *run)
{
    void *values;

    if (rows->format == FR_JSON) {
        fr_json_key(rows->w, "parameters");
        fr_json_raw(rows->w, run->parameters, strlen(run->parameters));
    } else if (model && (values = fr_arena_zeroed(rq->arena, 1, model->values_size))) {
        fr_run_read_parameters(model, run->parameters, values);
        for (const struct fr_param *param = model->params; param->name; param++)
            if (!(param->flags & FR_INPUT_ONLY))
                fr_row_param(rows, param, values);
    }
}

static void write_item(struct fr_request *rq, struct fr_rows *rows, const struct fr_model *model,
                       const struct fr_stored_run *run)
{
    char url[40];

    snprintf(url, sizeof url, "/api/v1/runs/%s", run->id);
    fr_row_begin(rows);
    fr_row_text(rows, "id", run->id);
    fr_row_text(rows, "machine", run->machine);
    fr_row_text(rows, "model", run->model);
    fr_row_text(rows, "calibration", run->calibration);
    fr_row_text(rows, "started_at", run->started_at);
    fr_row_text(rows, "uploaded_at", run->uploaded_at);
    fr_row_text(rows, "job", run->job);
    fr_row_number(rows, "time_s", run->time_s);
    write_parameters(rq, rows, model, run);
    fr_row_text(rows, "url", url);
    fr_row_end(rows);
}

static void write_list(struct fr_request *rq, struct fr_reply *reply, struct asked *asked,
                       const struct fr_run_list *list)
{
    struct fr_rows rows;

    fr_list_begin(rq, reply, &rows);
    for (size_t i = 0; i < list->count; i++)
        write_item(rq, &rows, asked->only, &list->run[i]);
    fr_writer_append(&asked->path, "", 1);
    fr_list_end_before(rq, reply, &rows, asked->path.text, &asked->page, list->rest);
}

static int list_runs(struct fr_request *rq, struct fr_reply *reply, struct asked *asked,
                     struct fr_faults *faults)
{
    struct fr_run_filter filter = { .from = asked->from ? asked->begin : NULL,
                                    .to = asked->to ? asked->end : NULL };
    struct fr_run_list list;
    struct fr_machine machine;
    const int64_t before = fr_page_before(&asked->page, faults);
    int status;

    if (faults->count)
        return fr_reply_faults(reply, faults);
    status = fr_machine_find(rq, reply, &machine);
    if (status)
        return status;
    filter.model = asked->only ? asked->only->name : NULL;
    fr_writer_append(&asked->parameters, "", 1);
    filter.parameters = asked->parameters.text;
    if (asked->parameters.failed ||
        fr_store_list_runs(rq->store, rq->segment[0], &filter, before, (size_t)asked->page.limit,
                           rq->arena, &list) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    write_list(rq, reply, asked, &list);
    return 200;
}

bool fr_runs_are_long(const struct fr_request *rq)
{
    static const char *const quick[] = { "limit", "cursor", "model", NULL };

    for (size_t i = 0; i < rq->query_count; i++) {
        const char *const *name = quick;

        while (*name && strcmp(*name, rq->query[i].name) != 0)
            name++;
        if (!*name)
            return true;
    }
    return false;
}

int fr_get_runs(struct fr_request *rq, struct fr_reply *reply)
{
    struct asked asked = { .model = NULL };
    struct fr_faults faults;
    int status;

    faults.count = 0;
    fr_writer_init(&asked.parameters);
    fr_writer_init(&asked.path);
    fr_writer_printf(&asked.path, "/api/v1/machines/%s/runs", rq->segment[0]);
    read_query(rq, &asked, &faults);
    status = list_runs(rq, reply, &asked, &faults);
    fr_writer_free(&asked.parameters);
    fr_writer_free(&asked.path);
    return status;
}

/* ---- one run ------------------------------------------------------------------------------ */

static int find_run(struct fr_request *rq, struct fr_reply *reply, struct fr_stored_run *out)
{
    return fr_reply_stored(rq, reply, fr_store_get_run(rq->store, rq->segment[0], rq->arena, out),
                           "run");
}

/* For a run that states its environment: what differs from the calibration that was current when it
 * was saved. */
static void write_warnings(struct fr_request *rq, struct fr_writer *w,
                           const struct fr_stored_run *stored)
{
    struct fr_mismatches mismatches = { 0 };
    struct fr_loaded *loaded = NULL;
    struct fr_saved_run run;
    struct fr_faults unread;

    if (!strstr(stored->document, "\"environment\":"))
        return;
    unread.count = 0;
    if (stored->calibration)
        loaded = fr_catalog_get(rq->server->catalog, rq->store, stored->calibration, rq->arena);
    if (loaded && fr_run_read(stored, rq->arena, &run, &unread) == FR_OK)
        fr_run_compare(&run, loaded->cal, &mismatches);
    fr_cached_drop(loaded);
    fr_json_key(w, "warnings");
    fr_mismatches_write(w, &mismatches, FR_CALIBRATION_HAS, FR_RUN_HAS);
}

int fr_machine_of_run(struct fr_request *rq, const char **name)
{
    struct fr_stored_run run;
    const int result = fr_store_get_run(rq->store, rq->segment[0], rq->arena, &run);

    if (result == FR_STORE_OK)
        *name = run.machine;
    return result;
}

int fr_get_run(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_writer *w = &reply->body;
    struct fr_stored_run run;
    const int status = find_run(rq, reply, &run);
    char key[64];

    if (status)
        return status;
    snprintf(key, sizeof key, "%s %s", run.id, run.uploaded_at);
    if (fr_reply_is_known(rq, reply, key, strlen(key)))
        return 304;
    fr_json_object(w);
    fr_json_pair(w, "id", run.id);
    fr_json_pair(w, "machine", run.machine);
    fr_json_pair(w, "calibration", run.calibration);
    fr_json_pair(w, "uploaded_at", run.uploaded_at);
    write_warnings(rq, w, &run);
    /* The members of the document follow: it is an object, and not empty. */
    fr_writer_append(w, ",", 1);
    fr_writer_append(w, run.document + 1, run.document_length - 2);
    fr_json_object_end(w);
    return 200;
}

int fr_delete_run(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_stored_run run;
    int status = find_run(rq, reply, &run);

    if (!status)
        status = fr_reply_stored(rq, reply, fr_store_delete_run(rq->store, run.id), "run");
    if (status)
        return status;
    fr_residual_cache_forget(rq->server->residuals, run.machine);
    return 204;
}
