/* Measured times against predicted times of the saved runs of a machine: a report for each model.
 */
#ifndef FR_ACCURACY_REPORT_H
#define FR_ACCURACY_REPORT_H

#include "server/http/options.h"
#include "server/runs/residuals.h"

enum { FR_WORST_CASES = 10 };

struct fr_accuracy_report {
    const struct fr_model *model;
    struct fr_residuals *residuals; /* a share, or NULL */
    struct fr_backtested *run;      /* by ascending time */
    size_t count;
    size_t left_out[FR_LEFT_OUT_REASONS]; /* runs that were not predicted, by reason */
    struct fr_accuracy newest, then;      /* with the newest calibration, with that of each run */
    double covered_fraction; /* of runs inside the interval of the other runs; NaN: none tested */
    size_t covered_of;
    size_t worst[FR_WORST_CASES]; /* indices into `run`, worst first */
    size_t worst_count;
};

struct fr_accuracy_question {
    const char *machine, *model; /* NULL: every model */
    const char *output;
    int64_t calibrations;     /* of the machine */
    int with_runs;            /* whether predictions use the measurements of the run itself */
    struct fr_loaded *loaded; /* the newest calibration, a share; NULL: none */
    struct fr_accuracy_report *report;
    size_t count;
};

/* Reads the query, with the `options` of the route.  FR_OK, or the status of the reply that it has
 * written. */
int fr_accuracy_ask(struct fr_request *rq, struct fr_reply *reply, const struct fr_param *options,
                    void *values, struct fr_accuracy_question *question, struct fr_faults *faults);
/* Sets the ETag of the reply; true if the client already has this answer. */
bool fr_accuracy_is_known(struct fr_request *rq, struct fr_reply *reply,
                          const struct fr_accuracy_question *question);
/* Predicts the runs and fills question->report; FR_OK, or FR_NOMEM with a fault. */
int fr_accuracy_answer(struct fr_request *rq, struct fr_accuracy_question *question,
                       struct fr_faults *faults);
/* Drops what the question shares. */
void fr_accuracy_end(struct fr_accuracy_question *question);

/* Writes the drift as an object, or null. */
void fr_drift_write(struct fr_writer *w, const struct fr_residuals *residuals);

/* The prediction of a run that the question asks for. */
double fr_accuracy_predicted(const struct fr_accuracy_question *question,
                             const struct fr_backtested *run);

#endif
