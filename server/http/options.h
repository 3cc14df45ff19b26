/* Reads the query of a route with its own options, by descriptors of parameters. */
#ifndef FR_OPTIONS_H
#define FR_OPTIONS_H

#include "server/http/http.h"

/* How a request wants its picture. */
struct fr_look {
    int64_t width, height; /* pixels */
    int theme;             /* enum fr_theme */
};

/* Reads the query from index `*place` on: options into `values`, up to the next pair that is none,
 * which is returned with `*place` behind it; NULL: there is none.  Refuses repeated names. */
const struct fr_pair *fr_query_next(const struct fr_request *rq, size_t *place,
                                    const struct fr_param *options, void *values,
                                    struct fr_faults *faults);
/* Sets `values` to the defaults, then reads every pair of the query as an option; refuses a query
 * without a required option. */
void fr_options_read(const struct fr_request *rq, const struct fr_param *options, void *values,
                     struct fr_faults *faults);
/* The model of this name; NULL with a fault at `where`. */
const struct fr_model *fr_model_named(const char *name, const char *where,
                                      struct fr_faults *faults);
/* The model that the first segment of the path names; NULL after the reply 404. */
const struct fr_model *fr_model_of_path(const struct fr_request *rq, struct fr_reply *reply);

#endif
