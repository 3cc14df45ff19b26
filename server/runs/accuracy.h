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

/* Options of the report and of its charts, each of which takes some. */
struct fr_accuracy_options {
    const char *model, *output; /* NULL: every model; the time */
    int with_runs;              /* whether predictions use the measurements of the run itself */
    int rows;
    struct fr_look look; /* of a chart */
};
#define FR_ACCURACY_SUBJECT                                                                      \
    FR_BORROWED(struct fr_accuracy_options, model, .doc = "Only this model."),                   \
        FR_BORROWED(struct fr_accuracy_options, output,                                          \
                    .doc = "The output to compare, by default time_s; `breakdown_PHASE_time_s` " \
                           "is the time of a phase.")
#define FR_ACCURACY_WITH_RUNS                                                                      \
    FR_BOOL(struct fr_accuracy_options, with_runs, .fallback = 1, .flags = FR_DEFAULT,             \
            .doc = "Whether a run that measured its own computation and stalls is predicted with " \
                   "them; otherwise runs are predicted without any saved run as input.")

struct fr_accuracy_question {
    const char *machine, *model; /* NULL: every model */
    const char *output;
    int64_t calibrations;     /* of the machine */
    int with_runs;            /* as in the options */
    struct fr_loaded *loaded; /* the newest calibration, a share; NULL: none */
    struct fr_accuracy_report *report;
    size_t count;
};

/* Reads the query.  FR_OK, or the status of the reply that it has written. */
int fr_accuracy_ask(struct fr_request *rq, struct fr_reply *reply,
                    struct fr_accuracy_options *options, struct fr_accuracy_question *question,
                    struct fr_faults *faults);
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
