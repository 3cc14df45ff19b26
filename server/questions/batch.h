/* The requests of a batch: from JSON to questions. */
#ifndef FR_BATCH_H
#define FR_BATCH_H

#include "server/questions/ask.h"

struct fr_batch;
/* Parses {"requests": […]}, with at most `most` requests.  Returns NULL with faults on failure.
 * Free with fr_batch_free. */
struct fr_batch *fr_batch_read(const char *body, size_t length, size_t most,
                               struct fr_faults *faults);
size_t fr_batch_count(const struct fr_batch *batch);
void fr_batch_free(struct fr_batch *batch);

/* Reads request `index` into the question, which fr_question_begin made, and reports all its
 * faults. Needs rq->store.  fr_batch_release ends the question. */
void fr_batch_bind(struct fr_request *rq, struct fr_batch *batch, size_t index,
                   struct fr_question *question, bool *is_explained, struct fr_faults *faults);
void fr_batch_release(const struct fr_batch *batch, size_t index, struct fr_question *question);

#endif
