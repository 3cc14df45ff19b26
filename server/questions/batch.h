/* The requests of a batch: from JSON to a model, its values and a calibration. */
#ifndef FR_BIND_H
#define FR_BIND_H

#include "server/questions/prediction.h"

struct fr_batch;
/* Parses {"requests": […]}, with at most `most` requests.  Returns NULL with faults on failure.
 * Free with fr_batch_free. */
struct fr_batch *fr_batch_read(const char *body, size_t length, size_t most,
                               struct fr_faults *faults);
size_t fr_batch_count(const struct fr_batch *batch);
void fr_batch_free(struct fr_batch *batch);

/* A parsed request.  End it with fr_bound_end. */
struct fr_bound {
    const struct fr_model *model;
    void *values;   /* bound, not resolved */
    uint64_t given; /* set of fr_param_bit: parameters in the request */
    const struct fr_loaded *loaded;
    struct fr_loaded *share; /* fr_bound_end releases it; NULL if the request has a document */
    const struct fr_calibration *cal; /* with the what-ifs applied */
    struct fr_matching_runs matching; /* inputs taken from saved runs */
    struct fr_change change[FR_MAX_CHANGES];
    size_t change_count;
    bool is_explained;
    struct fr_outlook_asked outlook;
};
/* Binds request `index` and reports all its faults.  Needs rq->store. */
void fr_batch_bind(struct fr_request *rq, struct fr_batch *batch, size_t index,
                   struct fr_bound *bound, struct fr_faults *faults);
void fr_bound_end(struct fr_bound *bound);

#endif
