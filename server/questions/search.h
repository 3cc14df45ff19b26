/* Recommendations that search along a parameter. */
#ifndef FR_SEARCH_ASKED_H
#define FR_SEARCH_ASKED_H

#include "server/questions/ask.h"

/* A recommendation that searches: the largest size, or where the faster of two changes. */
struct fr_search_asked {
    bool is_crossover;
    const char *along; /* the parameter to search along; NULL: the list, or the model's size */
    const char *nodes; /* `nodes=…` as given; NULL if absent */
    struct fr_goal goal;
    size_t limit; /* rows */
};
/* The parameter to search along; NULL with a fault if the question leaves it unclear. */
const struct fr_param *fr_search_along(const struct fr_question *question,
                                       const struct fr_search_asked *asked,
                                       struct fr_faults *faults);
/* Searches and answers; returns the HTTP status.  `along` may be NULL if there are faults. */
int fr_search_answer(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                     const struct fr_search_asked *asked, const struct fr_param *along,
                     struct fr_faults *faults);

#endif
