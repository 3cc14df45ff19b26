/* What the handlers of stored resources share: paged lists, and the outcomes of the store. */
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
/* The options `limit` and `cursor`: all that the query has.  FR_OK, or FR_RANGE with faults. */
int fr_page_read(const struct fr_request *rq, struct fr_page *page, struct fr_faults *faults);
/* The same for a query with other parameters beside them: the defaults, then one pair after the
 * other; false where the pair is something else. */
void fr_page_clear(struct fr_page *page);
bool fr_page_take(struct fr_page *page, const struct fr_pair *pair, struct fr_faults *faults);
/* The sequence number in a cursor that fr_list_end_before wrote; 0 without a cursor or with a
 * fault. */
int64_t fr_page_before(const struct fr_page *page, struct fr_faults *faults);

/* `{"items": [` for JSON, and the rows that follow. */
void fr_list_begin(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows);
/* Closes the list; `cursor` leads to the next page, NULL: this is the last.  `path` may have a
 * query of its own. */
void fr_list_end(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                 const char *path, const struct fr_page *page, const char *cursor);
/* The same where rows are listed by falling sequence number: `last` is the last one of the page, 0
 * on the last page. */
void fr_list_end_before(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                        const char *path, const struct fr_page *page, int64_t last);

/* Replies 503 and counts the failure; returns the status. */
int fr_reply_store_failed(struct fr_request *rq, struct fr_reply *reply);
/* 0 where `result` is FR_STORE_OK; else the status of the reply it writes: 404 about the `what`
 * that the path names first, or 503. */
int fr_reply_stored(struct fr_request *rq, struct fr_reply *reply, int result, const char *what);
/* The machine that the path names first; 0, or the status of the reply it writes. */
int fr_machine_find(struct fr_request *rq, struct fr_reply *reply, struct fr_machine *out);

#endif
