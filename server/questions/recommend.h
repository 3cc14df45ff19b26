/* Recommendations: the goal of a request, rows of rankings, and searches along a parameter. */
#ifndef FR_RECOMMEND_H
#define FR_RECOMMEND_H

#include "server/http/formats.h"
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

/* The names of model, machine and calibration. */
void fr_question_head(struct fr_writer *w, const struct fr_question *question);
/* The same, and what was considered. */
void fr_ranking_head(struct fr_writer *w, const struct fr_question *question,
                     const struct fr_ranking *ranking);
/* Whether the model cannot tell a row from the best. */
bool fr_is_near_best(const struct fr_question *question, const struct fr_prediction *prediction,
                     const struct fr_prediction *best);
/* The columns of a configuration, to which a warning may be added.  Without a row (NULL) the
 * outputs are null; slowdowns refer to `best`. */
void fr_ranking_columns(struct fr_rows *rows, const struct fr_question *question,
                        const void *values, struct fr_ranked *row,
                        const struct fr_prediction *best);
/* In JSON the members `best`, `runners_up` and `fastest`, as HPL.dat the best; else a row for each
 * configuration. */
void fr_ranking_write(struct fr_rows *rows, const struct fr_question *question,
                      struct fr_ranking *ranking);

#endif
