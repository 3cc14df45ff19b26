/* Code that handlers of stored resources share: paged lists, and replies for results of the store.
 */
#ifndef FR_RESOURCE_H
#define FR_RESOURCE_H

#include "server/http/formats.h"
#include "server/http/options.h"
#include "server/store/store.h"

/* One page of a list. */
struct fr_page {
    int64_t limit;      /* items */
    const char *cursor; /* where the page begins; NULL: at the beginning */
};
/* The descriptors, also of a struct that begins with a page. */
#define FR_PAGE_OPTIONS                                                                \
    FR_INT(struct fr_page, limit, .unit = "1", .min = 1, .max = 1000, .fallback = 100, \
           .flags = FR_DEFAULT, .doc = "Maximum number of items on a page."),          \
        FR_BORROWED(                                                                   \
            struct fr_page, cursor,                                                    \
            .doc = "Start of the page; an opaque value, the `next_cursor` of the page before.")
/* The sequence number in a cursor that fr_list_end_before wrote; 0 without a cursor or with a
 * fault. */
int64_t fr_page_before(const struct fr_page *page, struct fr_faults *faults);
/* Reads a page and that number; 0, or the status of the refusal of all their faults. */
int fr_page_read_before(const struct fr_request *rq, struct fr_reply *reply, struct fr_page *page,
                        int64_t *before);

/* `{"items": [` for JSON, and the rows that follow. */
void fr_list_begin(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows);
/* Closes the list; `cursor` leads to the next page, NULL: this is the last.  `path` may have a
 * query of its own. */
void fr_list_end(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                 const char *path, const struct fr_page *page, const char *cursor);
/* The same for rows in descending order of sequence number: those of the next page are below
 * `rest`, 0 on the last page. */
void fr_list_end_before(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                        const char *path, const struct fr_page *page, int64_t rest);

/* Replies 503 and counts the failure; returns the status. */
int fr_reply_store_failed(struct fr_request *rq, struct fr_reply *reply);
/* 0 if `result` is FR_STORE_OK; otherwise the status of the reply that it writes: 404 for the
 * `what` that the path names first, or 503. */
int fr_reply_stored(struct fr_request *rq, struct fr_reply *reply, int result, const char *what);
/* The machine that the path names first; 0, or the status of the reply it writes. */
int fr_machine_find(struct fr_request *rq, struct fr_reply *reply, struct fr_machine *out);

#endif
