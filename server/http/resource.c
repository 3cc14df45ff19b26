#include "server/http/resource.h"
#include "server/http/server.h"
#include "server/store/store.h"

#include <inttypes.h>
#include <string.h>

int fr_page_read(const struct fr_request *rq, struct fr_page *page, struct fr_faults *faults)
{
    static const struct fr_param options[] = {
        FR_INT(struct fr_page, limit, .unit = "1", .min = 1, .max = 1000, .fallback = 100,
               .flags = FR_DEFAULT, .doc = "Items of a page."),
        FR_PARAMS_END,
    };
    const struct fr_text_option texts[] = { { "cursor", &page->cursor }, { NULL, NULL } };

    page->cursor = NULL;
    fr_options_read(rq, options, page, texts, faults);
    return faults->count ? FR_RANGE : FR_OK;
}

static void write_next(struct fr_writer *w, const char *path, const struct fr_page *page,
                       const char *cursor)
{
    struct fr_writer url;

    fr_json_key(w, "next");
    if (!cursor) {
        fr_json_null(w);
        return;
    }
    fr_writer_init(&url);
    fr_writer_printf(&url, "%s%climit=%" PRId64 "&cursor=%s", path, strchr(path, '?') ? '&' : '?',
                     page->limit, cursor);
    fr_writer_append(&url, "", 1);
    fr_json_text(w, url.failed ? NULL : url.text);
    fr_writer_free(&url);
}

void fr_list_begin(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows)
{
    if (rq->format == FR_JSON) {
        fr_json_object(&reply->body);
        fr_json_key(&reply->body, "items");
        fr_json_array(&reply->body);
    }
    fr_rows_begin(rows, &reply->body, rq->format);
}

void fr_list_end(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                 const char *path, const struct fr_page *page, const char *cursor)
{
    fr_rows_end(rows);
    if (rq->format != FR_JSON)
        return;
    fr_json_array_end(&reply->body);
    write_next(&reply->body, path, page, cursor);
    fr_json_object_end(&reply->body);
}

int fr_reply_store_failed(struct fr_request *rq, struct fr_reply *reply)
{
    fr_metrics_store_error(&rq->server->metrics);
    if (fr_store_is_full(rq->store)) {
        reply->retry_after_s = 60;
        return fr_reply_problem(
            reply, 503,
            "The disk of the database has no room left, or fails; the operator must "
            "see to it.");
    }
    reply->retry_after_s = 1;
    return fr_reply_problem(reply, 503, "The store does not answer.");
}
