/* Machines: their facts, newest calibration, and the models that it serves. */
#include "server/calibrations/catalogue.h"
#include "server/calibrations/document.h"
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/runs/residuals.h"
#include "server/store/store.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void write_groups(struct fr_writer *w, unsigned groups)
{
    fr_json_pair_array(w, "groups");
    for (unsigned bit = 1; bit <= FR_CAL_CNC; bit *= 2)
        if (groups & bit)
            fr_json_text(w, fr_group_name(bit));
    fr_json_array_end(w);
}

/* The models whose groups the newest calibration has. */
static void write_models(struct fr_writer *w, unsigned groups)
{
    fr_json_pair_array(w, "models");
    for (const struct fr_model *const *model = fr_models; *model; model++)
        if (!((*model)->groups & ~groups))
            fr_json_text(w, (*model)->name);
    fr_json_array_end(w);
}

/* What limits the processes of a question. */
static void write_size(struct fr_writer *w, const struct fr_loaded *loaded)
{
    fr_json_key(w, "cores_per_node");
    if (loaded && loaded->cal->node.cores_per_node)
        fr_json_integer(w, loaded->cal->node.cores_per_node);
    else
        fr_json_null(w);
    fr_json_key(w, "single_node");
    fr_json_bool(w, loaded && loaded->cal->network.protocols.count && !loaded->cal->has_off_node);
}

/* The models whose newest runs differ from earlier ones, or whose runs did for a while: since when,
 * and by how much. */
static void write_drift(struct fr_request *rq, struct fr_writer *w, const struct fr_loaded *loaded,
                        bool is_past)
{
    fr_json_pair_array(w, is_past ? "past_drift" : "drift");
    for (const struct fr_model *const *model = fr_models; loaded && *model; model++) {
        struct fr_residuals *residuals = fr_residual_cache_make(
            rq->server->residuals, rq->store, rq->server->catalog, *model, loaded);

        if (is_past)
            fr_passed_drifts_write(w, residuals);
        else if (residuals && residuals->drift_since)
            fr_drift_write(w, residuals);
        fr_cached_drop(residuals);
    }
    fr_json_array_end(w);
}

/* The facts in which the newest calibration differs. */
static void write_warnings(struct fr_writer *w, const struct fr_loaded *loaded)
{
    struct fr_mismatches mismatches = { 0 };
    struct fr_machine_facts found;
    char blas[FR_FACT_BYTES];

    if (loaded) {
        fr_calibration_facts(loaded->cal, blas, &found);
        fr_facts_compare(&loaded->cal->facts, &found, &mismatches);
    }
    fr_json_key(w, "warnings");
    fr_document_warnings_write(w, &mismatches, "its newest calibration",
                               loaded ? fr_loaded_parts(loaded->cal) : 0);
}

/* Whether the machine has the calibration of a shipped set alone. */
static bool is_shipped(const struct fr_config *config, const struct fr_machine *machine)
{
    char path[FR_PATH_BYTES + 80];

    snprintf(path, sizeof path, "%s/%s.json", config->calibrations, machine->name);
    return machine->calibrations == 1 && access(path, R_OK) == 0;
}

static void write_machine(struct fr_request *rq, struct fr_writer *w,
                          const struct fr_machine *machine)
{
    struct fr_loaded *loaded = fr_catalog_newest(rq->server->catalog, machine->name);
    const unsigned groups = loaded ? loaded->cal->groups : 0;
    char url[120];

    snprintf(url, sizeof url, "/api/v1/machines/%s", machine->name);
    fr_json_object(w);
    fr_json_pair(w, "name", machine->name);
    fr_json_pair(w, "description",
                 *machine->description || !loaded || !loaded->cal->description
                     ? machine->description
                     : loaded->cal->description);
    fr_json_key(w, "facts");
    fr_json_raw(w, machine->facts_json, strlen(machine->facts_json));
    fr_json_pair(w, "calibration", machine->newest_calibration);
    fr_json_pair_integer(w, "calibrations", machine->calibrations);
    fr_json_pair_integer(w, "runs", machine->runs);
    fr_json_pair(w, "updated_at", machine->updated_at);
    write_groups(w, groups);
    write_models(w, groups);
    write_size(w, loaded);
    write_drift(rq, w, loaded, false);
    write_drift(rq, w, loaded, true);
    write_warnings(w, loaded);
    fr_json_pair(w, "url", url);
    fr_json_pair_bool(w, "shipped", is_shipped(&rq->server->config, machine));
    fr_json_object_end(w);
    fr_cached_drop(loaded);
}

int fr_machine_of_path(struct fr_request *rq, const char **name)
{
    *name = rq->segment[0];
    return FR_STORE_OK;
}

int fr_get_machine(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_machine machine;
    const int status = fr_machine_find(rq, reply, &machine);

    if (status)
        return status;
    write_machine(rq, &reply->body, &machine);
    return 200;
}

int fr_get_machines(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_machine *machines;
    struct fr_faults faults;
    struct fr_page page;
    struct fr_rows rows;
    size_t count;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &page, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    if (fr_store_list_machines(rq->store, page.cursor, (size_t)page.limit + 1, rq->arena, &machines,
                               &count) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    fr_list_begin(rq, reply, &rows);
    for (size_t i = 0; i < count && i < (size_t)page.limit; i++) {
        struct fr_loaded *loaded = fr_catalog_newest(rq->server->catalog, machines[i].name);
        const char *description = machines[i].description;
        char url[120];

        if (!*description && loaded && loaded->cal->description)
            description = loaded->cal->description;
        snprintf(url, sizeof url, "/api/v1/machines/%s", machines[i].name);
        fr_row_begin(&rows);
        fr_row_text(&rows, "name", machines[i].name);
        fr_row_text(&rows, "description", description);
        fr_row_text(&rows, "calibration", machines[i].newest_calibration);
        fr_row_integer(&rows, "calibrations", machines[i].calibrations);
        fr_row_integer(&rows, "runs", machines[i].runs);
        fr_row_text(&rows, "updated_at", machines[i].updated_at);
        fr_row_text(&rows, "url", url);
        fr_row_bool(&rows, "shipped", is_shipped(&rq->server->config, &machines[i]));
        fr_row_end(&rows);
        fr_cached_drop(loaded);
    }
    fr_list_end(rq, reply, &rows, "/api/v1/machines", &page,
                count > (size_t)page.limit ? machines[page.limit - 1].name : NULL);
    return 200;
}

int fr_put_machine(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_machine machine;
    struct fr_faults faults;
    struct fr_facts facts;
    struct fr_writer text;
    bool created = false;
    int result;

    faults.count = 0;
    fr_machine_name_check(rq->segment[0], "machine", &faults);
    fr_facts_read(rq->body, rq->body_length, rq->arena, &facts, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    fr_writer_init(&text);
    fr_facts_write(&text, &facts);
    fr_writer_append(&text, "", 1);
    result = fr_store_put_machine(
        rq->store, rq->segment[0], facts.description,
        text.text && strcmp(text.text, FR_FACTS_UNSTATED) == 0 ? FR_FACTS_NONE : text.text,
        &created);
    fr_writer_free(&text);
    if (result != FR_STORE_OK ||
        fr_store_get_machine(rq->store, rq->segment[0], rq->arena, &machine) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    fr_catalog_refresh(rq->server->catalog, rq->store, machine.name);
    fr_catalog_forget(rq->server->catalog, NULL);
    write_machine(rq, &reply->body, &machine);
    snprintf(reply->location, sizeof reply->location, "/api/v1/machines/%s", machine.name);
    return created ? 201 : 200;
}

struct deletion {
    int cascade;
};
const struct fr_param fr_deletion_params[] = {
    FR_BOOL(struct deletion, cascade, .flags = FR_DEFAULT,
            .doc = "Whether to delete its calibrations and runs as well. If false, a machine that "
                   "has some is not deleted (409)."),
    FR_PARAMS_END,
};

int fr_delete_machine(struct fr_request *rq, struct fr_reply *reply)
{
    struct deletion options;
    struct fr_faults faults;
    int result, status;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, &options, &faults);
    if (faults.count)
        return fr_reply_faults(reply, &faults);
    result = fr_store_delete_machine(rq->store, rq->segment[0], options.cascade);
    if (result == FR_STORE_IN_USE)
        return fr_reply_problem(reply, 409,
                                "The machine has calibrations or runs; delete them first, or "
                                "together with it by ?cascade=true.");
    status = fr_reply_stored(rq, reply, result, "machine");
    if (status)
        return status;
    fr_catalog_refresh(rq->server->catalog, rq->store, rq->segment[0]);
    return 204;
}
