/* Answers that are medians over many saved runs, kept until the runs change: each takes a
 * prediction for every run. */
#ifndef FR_RUN_ANSWERS_H
#define FR_RUN_ANSWERS_H

#include "engine/questions/answer.h"
#include "server/calibrations/catalogue.h"

/* A question and its answer.  The calibration tells questions apart: the prediction may refer to
 * it, and other facts of the machine make it another one. */
struct fr_run_answer {
    size_t values_size;
    struct fr_loaded *loaded;
    uint64_t given;
    const void *asked, *resolved; /* values of the model */
    const struct fr_prediction *prediction;
    struct fr_spread spread;
};

/* NULL: out of memory; free with fr_cache_free. */
struct fr_cache *fr_run_answers_new(void);
/* Copies the answer to a question, of which all but the answer is set; false if it is not kept. */
bool fr_run_answers_find(struct fr_cache *answers, const struct fr_run_answer *question,
                         void *resolved, struct fr_prediction *prediction,
                         struct fr_spread *spread);
/* Keeps a copy, with a share of the calibration. */
void fr_run_answers_keep(struct fr_cache *answers, const struct fr_run_answer *answer);

#endif
