/* Writes the answers of searches. */
#ifndef FR_SEARCH_DOCUMENT_H
#define FR_SEARCH_DOCUMENT_H

#include "engine/questions/search.h"
#include "server/questions/ask.h"

/* The recommendation at the largest value, and why the next one does not hold. */
void fr_largest_write(struct fr_request *rq, struct fr_reply *reply,
                      const struct fr_question *question, const struct fr_search *search,
                      struct fr_largest *found);
/* Who is faster in each stretch of values; at most `limit` of them. */
void fr_crossover_write(struct fr_request *rq, struct fr_reply *reply,
                        const struct fr_question *question, const struct fr_search *search,
                        const struct fr_axis *pair, const struct fr_crossover *found, size_t limit);

#endif
