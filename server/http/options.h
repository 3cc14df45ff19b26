/* Reading the query of routes that ask no model: the same descriptors, the same refusals. */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include "server/http/http.h"

/* Options of a route that are texts: where their values go. Ends with name NULL. */
struct fr_text_option {
    const char *name;
    const char **value;
};

/* Whether the pair at `place` repeats an earlier name, with the fault. */
bool fr_option_is_repeated(const struct fr_request *rq, size_t place, struct fr_faults *faults);
/* Whether the pair is one of the texts; its value is then taken. */
bool fr_text_option_read(const struct fr_text_option *texts, const struct fr_pair *pair);
/* Clears `values`, then reads every pair of the query as an option or a text. */
void fr_options_read(const struct fr_request *rq, const struct fr_param *options, void *values,
                     const struct fr_text_option *texts, struct fr_faults *faults);

#endif
