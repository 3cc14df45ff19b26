/* Measured against predicted, for the saved runs of a machine: one report for each model. */
#ifndef FR_API_ACCURACY_H
#define FR_API_ACCURACY_H

#include "server/http/options.h"
#include "server/runs/residuals.h"

enum { FR_WORST_CASES = 10 };

struct fr_accuracy_report {
    const struct fr_model *model;
    struct fr_residuals *history;    /* a share, or NULL */
    struct fr_backtested *judged;    /* in the order of their time */
    size_t count, too_long;          /* of these, that it would have taken too long to predict */
    struct fr_accuracy newest, then; /* by the newest calibration, by that of each run's time */
    double covered_fraction;         /* of the runs that no interval had seen; NaN: none */
    size_t covered_of;
    size_t worst[FR_WORST_CASES]; /* places in `judged`, worst first */
    size_t worst_count;
};

struct fr_accuracy_question {
    const char *machine, *model; /* NULL: every model */
    const char *output;
    int with_runs;            /* whether a run's own computation and stalls serve its prediction */
    struct fr_loaded *loaded; /* the newest calibration, a share; NULL: none */
    struct fr_accuracy_report *report;
    size_t count;
};

/* Reads the query; a fault, or the status of a reply it has written, or FR_OK.  `options` has the
 * route's own beside them. */
int fr_accuracy_ask(struct fr_request *rq, struct fr_reply *reply, const struct fr_param *options,
                    void *values, struct fr_accuracy_question *question, struct fr_faults *faults);
/* Sets the reply's ETag; true where the client has this answer already. */
bool fr_accuracy_is_known(struct fr_request *rq, struct fr_reply *reply,
                          const struct fr_accuracy_question *question);
/* Judges the runs: FR_OK, or a fault. */
int fr_accuracy_answer(struct fr_request *rq, struct fr_accuracy_question *question,
                       struct fr_faults *faults);
void fr_accuracy_end(struct fr_accuracy_question *question);

/* What /accuracy and the machine's page say of drift: an object, or null. */
void fr_drift_write(struct fr_writer *w, const struct fr_residuals *history);

/* The prediction of a run that the question is about. */
double fr_accuracy_predicted(const struct fr_accuracy_question *question,
                             const struct fr_backtested *judged);

#endif
