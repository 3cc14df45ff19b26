/* Reading the query of routes that ask no model: the same descriptors, the same refusals. */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include "api/ask.h"

/* Whether the pair at `place` repeats an earlier name, with the fault. */
bool fr_option_is_repeated(const struct fr_request *rq, size_t place, struct fr_faults *faults);
/* Clears `values`, then reads every pair of the query as an option or a text. */
void fr_options_read(const struct fr_request *rq, const struct fr_param *options, void *values,
                     const struct fr_text_option *texts, struct fr_faults *faults);

/* The paging of lists. */
struct fr_page {
    int64_t limit;
    const char *cursor; /* or NULL */
};
/* FR_OK or faults. */
int fr_page_read(const struct fr_request *rq, struct fr_page *page, struct fr_faults *faults);
/* `"next": url` for the page behind `cursor`, or null for NULL. */
void fr_page_write_next(struct fr_writer *w, const char *path, const struct fr_page *page,
                        const char *cursor);

#endif
