/* Paged lists of stored resources, and replies for failures of the store. */
#include "server/http/server.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

const struct fr_param fr_page_params[] = { FR_PAGE_OPTIONS, FR_PARAMS_END };

int64_t fr_page_before(const struct fr_page *page, struct fr_faults *faults)
{
    double before = 0;

    if (!page->cursor || (fr_number_parse(page->cursor, &before) && before >= 1 && before <= 9e15))
        return (int64_t)before;
    fr_fault(faults, FR_SYNTAX, "cursor", "not a cursor from an earlier page");
    return 0;
}

int fr_page_read_before(const struct fr_request *rq, struct fr_reply *reply, struct fr_page *page,
                        int64_t *before)
{
    struct fr_faults faults;

    faults.count = 0;
    fr_options_read(rq, rq->route->options, page, &faults);
    *before = fr_page_before(page, &faults);
    return faults.count ? fr_reply_faults(reply, &faults) : 0;
}

/* The address of the next page, as a member and as a header (RFC 8288): CSV has no place for it. */
static void write_next(struct fr_reply *reply, bool is_json, const char *path,
                       const struct fr_page *page, const char *cursor)
{
    struct fr_writer url;

    fr_writer_init(&url);
    if (cursor) {
        fr_writer_printf(&url, "%s%climit=%" PRId64 "&cursor=%s", path,
                         strchr(path, '?') ? '&' : '?', page->limit, cursor);
        fr_writer_append(&url, "", 1);
        fr_writer_printf(&reply->link, "<%s>; rel=\"next\"", url.failed ? "" : url.text);
        fr_writer_append(&reply->link, "", 1);
        reply->body.failed |= url.failed || reply->link.failed;
    }
    if (is_json) {
        fr_json_pair(&reply->body, "next", url.failed ? NULL : url.text);
        fr_json_pair(&reply->body, "next_cursor", cursor);
    }
    fr_writer_free(&url);
}

void fr_list_begin(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows)
{
    if (rq->format == FR_JSON) {
        fr_json_object(&reply->body);
        fr_json_pair_array(&reply->body, "items");
    }
    fr_rows_begin(rows, &reply->body, rq->format);
}

void fr_list_end(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                 const char *path, const struct fr_page *page, const char *cursor)
{
    const bool is_json = rq->format == FR_JSON;

    fr_rows_end(rows);
    if (is_json)
        fr_json_array_end(&reply->body);
    write_next(reply, is_json, path, page, cursor);
    if (is_json)
        fr_json_object_end(&reply->body);
}

void fr_list_end_before(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                        const char *path, const struct fr_page *page, int64_t rest)
{
    char cursor[24];

    snprintf(cursor, sizeof cursor, "%" PRId64, rest);
    fr_list_end(rq, reply, rows, path, page, rest ? cursor : NULL);
}

static int refuse_quota(const struct fr_store_quota *quota, struct fr_reply *reply)
{
    char detail[400];

    snprintf(detail, sizeof detail,
             "This token keeps %" PRId64 " bytes of calibrations, runs and matrices, and may keep "
             "%" PRId64 " (`kept_bytes_per_token`, or `--keep` of the token); there is no room for "
             "%" PRId64 " more. Have some deleted with a token of scope `admin`, or ask the "
             "operator for more.",
             quota->kept, quota->limit, quota->more);
    return fr_reply_problem(reply, 403, detail);
}

int fr_reply_store_failed(struct fr_request *rq, struct fr_reply *reply)
{
    if (fr_store_failure(rq->store) == FR_STORE_QUOTA) {
        const struct fr_store_quota quota = fr_store_quota(rq->store);

        return refuse_quota(&quota, reply);
    }
    fr_metrics_count(&rq->server->metrics, FR_METRIC_STORE_ERRORS);
    if (fr_store_failure(rq->store) == FR_STORE_DAMAGED)
        atomic_store(&rq->server->is_store_damaged, true);
    if (fr_store_failure(rq->store) == FR_STORE_FULL) {
        reply->retry_after_s = 60;
        return fr_reply_problem(reply, 503,
                                "The disk of the database has no space left, or it fails; the "
                                "operator must free space or repair it.");
    }
    reply->retry_after_s = 1;
    return fr_reply_problem(reply, 503, "The store does not answer.");
}

int fr_reply_stored(struct fr_request *rq, struct fr_reply *reply, int result, const char *what)
{
    if (result == FR_STORE_NONE)
        return fr_reply_not_found(reply, what, rq->segment[0]);
    return result == FR_STORE_OK ? 0 : fr_reply_store_failed(rq, reply);
}

int fr_machine_find(struct fr_request *rq, struct fr_reply *reply, struct fr_machine *out)
{
    return fr_reply_stored(
        rq, reply, fr_store_get_machine(rq->store, rq->segment[0], rq->arena, out), "machine");
}
