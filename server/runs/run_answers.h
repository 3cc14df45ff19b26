/* Answers that are medians over many saved runs, kept until the runs change: each takes a
 * prediction for every run. */
#ifndef FR_RUN_ANSWERS_H
#define FR_RUN_ANSWERS_H

#include "engine/questions/answer.h"
#include "server/calibrations/catalogue.h"

/* A question and its answer.  The calibration tells questions apart: the prediction may refer to
 * it, and other facts of the machine make it another one. */
struct fr_run_answer {
    struct fr_loaded *loaded;
    uint64_t given;
    const void *asked, *resolved; /* values of the model */
    const struct fr_prediction *prediction;
    struct fr_spread spread;
};

struct fr_run_answers;
/* For a model with values of this size; NULL: out of memory. */
struct fr_run_answers *fr_run_answers_new(size_t values_size);
void fr_run_answers_free(struct fr_run_answers *answers);
/* Copies the answer to the same question; false if it is not kept. */
bool fr_run_answers_find(struct fr_run_answers *answers, const struct fr_loaded *loaded,
                         uint64_t given, void *values, struct fr_prediction *prediction,
                         struct fr_spread *spread);
/* Keeps a copy, with a share of the calibration, in place of the oldest. */
void fr_run_answers_keep(struct fr_run_answers *answers, const struct fr_run_answer *answer);

#endif
