/* What the handlers of stored resources share: paged lists, and a store that does not answer. */
#ifndef FR_RESOURCE_H
#define FR_RESOURCE_H

#include "server/http/formats.h"
#include "server/http/options.h"

/* The paging of lists. */
struct fr_page {
    int64_t limit;
    const char *cursor; /* or NULL */
};
/* FR_OK or faults. */
int fr_page_read(const struct fr_request *rq, struct fr_page *page, struct fr_faults *faults);
/* `{"items": [` for JSON, and the rows that follow. */
void fr_list_begin(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows);
/* Closes the list; `cursor` leads to the next page, NULL: this is the last.  `path` may have a
 * query of its own. */
void fr_list_end(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                 const char *path, const struct fr_page *page, const char *cursor);

/* 503, counted. */
int fr_reply_store_failed(struct fr_request *rq, struct fr_reply *reply);

#endif
