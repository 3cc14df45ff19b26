/* Saved runs on a chart: measurements of the configurations that its lines predict. */
#ifndef FR_MEASURED_H
#define FR_MEASURED_H

#include "server/questions/ask.h"

/* A chart considers at most this many runs, the newest first. */
enum { FR_MOST_MEASURED = 2000 };

struct fr_measured_run {
    const void *values; /* the model's parameters, resolved */
    double value;       /* of the plotted quantity; NaN: not measured */
    double stalls_per_byte;
    const double *repetitions; /* of a time or a rate; NULL otherwise */
    size_t repetition_count;
};

/* The runs of one machine and one model. The request's arena owns them. */
struct fr_measured_points {
    const struct fr_model *model;
    struct fr_measured_run *run;
    size_t count;
};
/* Loads the runs. Returns FR_OK or a fault. */
int fr_measured_load(struct fr_request *rq, const struct fr_model *model,
                     const struct fr_target *target, const struct fr_quantity *quantity,
                     struct fr_measured_points *out, struct fr_faults *faults);

/* Marks the parameters in which a run must agree with a line: those that define the run.
 * Automatic choices, and tunables of a tuned line, count only if the request sets them. */
uint64_t fr_measured_compared(const struct fr_question *question, const struct fr_param *x);
/* Whether the run has this resolved configuration. */
bool fr_measured_agrees(const struct fr_measured_points *measured,
                        const struct fr_measured_run *run, const void *values, uint64_t compared);

#endif
