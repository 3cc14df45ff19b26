/* Reads the query of a route with its own options, by descriptors of parameters. */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include "server/http/http.h"

/* A text option, and the place for its value.  Tables end with name NULL. */
struct fr_text_option {
    const char *name;
    const char **value;
};

/* Whether the pair at index `place` repeats an earlier name; adds the fault. */
bool fr_option_is_repeated(const struct fr_request *rq, size_t place, struct fr_faults *faults);
/* Whether the pair is one of the texts; sets its value, which lives as long as the request. */
bool fr_text_option_read(const struct fr_text_option *texts, const struct fr_pair *pair);
/* Sets `values` to the defaults, then reads every pair of the query as an option or a text;
 * refuses a query without a required option. */
void fr_options_read(const struct fr_request *rq, const struct fr_param *options, void *values,
                     const struct fr_text_option *texts, struct fr_faults *faults);
/* The model of this name; NULL with a fault at `where`. */
const struct fr_model *fr_model_named(const char *name, const char *where,
                                      struct fr_faults *faults);
/* The model that the first segment of the path names; NULL after the reply 404. */
const struct fr_model *fr_model_of_path(const struct fr_request *rq, struct fr_reply *reply);

#endif
