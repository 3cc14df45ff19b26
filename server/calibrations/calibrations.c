/* Calibration documents: upload, list, fetch, delete. */
#include "server/calibrations/catalogue.h"
#include "server/calibrations/document.h"
#include "server/http/handlers.h"
#include "server/http/server.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOCUMENT_BYTES = 256 * 1024 * 1024 };

static bool is_stored(struct fr_store *store, const struct fr_loaded *loaded)
{
    struct fr_arena *arena = fr_arena_new(DOCUMENT_BYTES);
    struct fr_stored_calibration stored;
    const bool is_it =
        arena && fr_store_get_calibration(store, loaded->id, arena, &stored) == FR_STORE_OK;

    fr_arena_free(arena);
    return is_it;
}

/* A document that is stored already stays valid whatever the facts say now. */
static void check_machine(struct fr_store *store, const struct fr_loaded *loaded,
                          struct fr_mismatches *mismatches, struct fr_faults *faults)
{
    const char *text;
    const struct fr_machine_facts known =
        fr_facts_of(store, loaded->cal->machine, loaded->arena, &text);
    char blas[FR_FACT_BYTES], message[FR_MESSAGE_BYTES];
    struct fr_machine_facts found;

    fr_calibration_facts(loaded->cal, blas, &found);
    fr_facts_compare(&known, &found, mismatches);
    for (size_t i = 0; i < mismatches->count; i++) {
        const struct fr_mismatch *mismatch = &mismatches->row[i];

        if (!mismatch->is_impossible || is_stored(store, loaded))
            continue;
        fr_mismatch_print(mismatch, FR_MACHINE_HAS, FR_DOCUMENT_HAS, message, sizeof message);
        fr_fault(faults, FR_MISMATCH, mismatch->pointer,
                 "%.300s: it cannot be this machine; PUT the right facts, or name another machine",
                 message);
    }
}

int fr_calibration_add(struct fr_store *store, struct fr_catalog *catalog,
                       const char *machine_or_null, const char *text, size_t length, char id[17],
                       bool *created, struct fr_mismatches *mismatches, fr_uses *loaded_parts,
                       struct fr_faults *faults)
{
    struct fr_loaded *loaded = fr_loaded_read(text, length, faults);
    char groups[100];
    int result;

    if (!loaded)
        return faults->fault[0].code;
    if (machine_or_null && strcmp(machine_or_null, loaded->cal->machine))
        fr_fault(faults, FR_RELATION, "/machine", "'%.64s' is not the path's machine, %s",
                 loaded->cal->machine, machine_or_null);
    else
        check_machine(store, loaded, mismatches, faults);
    if (faults->count) {
        fr_cached_drop(loaded);
        return FR_RELATION;
    }
    fr_groups_print(loaded->cal->groups, groups, sizeof groups);
    *loaded_parts = fr_loaded_parts(loaded->cal);
    memcpy(id, loaded->id, sizeof loaded->id);
    result = fr_store_add_calibration(store, id, loaded->cal->machine, loaded->cal->created_at,
                                      groups, text, length);
    if (result == FR_STORE_OK && catalog)
        fr_catalog_add(catalog, store, loaded);
    fr_cached_drop(loaded);
    *created = result == FR_STORE_OK;
    return result == FR_STORE_OK || result == FR_STORE_EXISTS ? FR_OK : FR_NOT_FOUND;
}

int fr_post_calibration(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_mismatches mismatches;
    struct fr_faults faults;
    fr_uses loaded_parts;
    bool created;
    char id[17];

    faults.count = 0;
    if (fr_calibration_add(rq->store, rq->server->catalog, rq->segment[0], rq->body,
                           rq->body_length, id, &created, &mismatches, &loaded_parts,
                           &faults) != FR_OK)
        return faults.count ? fr_reply_faults(reply, &faults) : fr_reply_store_failed(rq, reply);
    snprintf(reply->location, sizeof reply->location, "/api/v1/calibrations/%s", id);
    fr_json_object(&reply->body);
    fr_json_pair(&reply->body, "id", id);
    fr_json_pair(&reply->body, "machine", rq->segment[0]);
    fr_json_pair(&reply->body, "url", reply->location);
    fr_json_key(&reply->body, "warnings");
    fr_document_warnings_write(&reply->body, &mismatches, FR_DOCUMENT_HAS, loaded_parts);
    fr_json_object_end(&reply->body);
    return created ? 201 : 200;
}

static void write_item(struct fr_rows *rows, const struct fr_stored_calibration *item)
{
    const char *texts[16];
    char groups[100], url[80], *rest = NULL;
    size_t count = 0;

    snprintf(groups, sizeof groups, "%s", item->groups);
    snprintf(url, sizeof url, "/api/v1/calibrations/%s", item->id);
    for (char *group = strtok_r(groups, ", ", &rest); group && count < 16;
         group = strtok_r(NULL, ", ", &rest))
        texts[count++] = group;
    fr_row_begin(rows);
    fr_row_text(rows, "id", item->id);
    fr_row_text(rows, "machine", item->machine);
    fr_row_text(rows, "created_at", item->created_at);
    fr_row_text(rows, "uploaded_at", item->uploaded_at);
    fr_row_texts(rows, "groups", texts, count);
    fr_row_text(rows, "url", url);
    fr_row_end(rows);
}

int fr_get_calibrations(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_stored_calibration *items;
    struct fr_machine machine;
    struct fr_page page;
    struct fr_rows rows;
    char path[200];
    int64_t before;
    size_t count;
    int status;

    status = fr_page_read_before(rq, reply, &page, &before);
    if (status)
        return status;
    status = fr_machine_find(rq, reply, &machine);
    if (status)
        return status;
    if (fr_store_list_calibrations(rq->store, rq->segment[0], before, (size_t)page.limit + 1,
                                   rq->arena, &items, &count) != FR_STORE_OK)
        return fr_reply_store_failed(rq, reply);
    fr_list_begin(rq, reply, &rows);
    for (size_t i = 0; i < count && i < (size_t)page.limit; i++)
        write_item(&rows, &items[i]);
    snprintf(path, sizeof path, "/api/v1/machines/%s/calibrations", rq->segment[0]);
    fr_list_end_before(rq, reply, &rows, path, &page,
                       count > (size_t)page.limit ? items[page.limit - 1].sequence : 0);
    return 200;
}

static int find_calibration(struct fr_request *rq, struct fr_reply *reply,
                            struct fr_stored_calibration *out)
{
    return fr_reply_stored(rq, reply,
                           fr_store_get_calibration(rq->store, rq->segment[0], rq->arena, out),
                           "calibration");
}

int fr_machine_of_calibration(struct fr_request *rq, const char **name)
{
    struct fr_stored_calibration stored;
    const int result = fr_store_get_calibration(rq->store, rq->segment[0], rq->arena, &stored);

    if (result == FR_STORE_OK)
        *name = stored.machine;
    return result;
}

int fr_get_calibration(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_stored_calibration stored;
    const int status = find_calibration(rq, reply, &stored);

    if (status)
        return status;
    if (fr_reply_is_known(rq, reply, stored.id, strlen(stored.id)))
        return 304;
    fr_writer_append(&reply->body, stored.document, stored.document_length);
    return 200;
}

int fr_delete_calibration(struct fr_request *rq, struct fr_reply *reply)
{
    struct fr_stored_calibration stored;
    int result, status = find_calibration(rq, reply, &stored);

    if (status)
        return status;
    result = fr_store_delete_calibration(rq->store, rq->segment[0]);
    if (result == FR_STORE_IN_USE)
        return fr_reply_problem(reply, 409,
                                "Saved runs refer to the calibration that was current when they "
                                "were uploaded; delete these runs first.");
    status = fr_reply_stored(rq, reply, result, "calibration");
    if (status)
        return status;
    fr_catalog_forget(rq->server->catalog, rq->segment[0]);
    fr_catalog_refresh(rq->server->catalog, rq->store, stored.machine);
    return 204;
}
