/* Saved runs on a chart: what was measured of the configurations that its lines predict. */
#ifndef FR_MEASURED_H
#define FR_MEASURED_H

#include "server/questions/ask.h"

/* The most runs that one chart looks at: the newest. */
enum { FR_MOST_MEASURED = 2000 };

struct fr_measured_run {
    const void *values; /* of the model's struct, resolved */
    double value;       /* of the quantity drawn; NaN: not measured */
    double stalls_per_byte;
    const double *repetitions; /* of time_s alone */
    size_t repetition_count;
};

/* The runs of a machine and a model; what they hold lives in the request's arena. */
struct fr_measured_points {
    const struct fr_model *model;
    struct fr_measured_run *run;
    size_t count;
};
/* FR_OK, or a fault. */
int fr_measured_load(struct fr_request *rq, const struct fr_model *model,
                     const struct fr_target *target, const struct fr_quantity *quantity,
                     struct fr_measured_points *out, struct fr_faults *faults);

/* The parameters in which a run must agree with a line: those that say what was run; automatic
 * choices, and tunables of a tuned line, only where the question gives them. */
uint64_t fr_measured_compared(const struct fr_question *question, const struct fr_param *x);
/* Whether the run is one of this resolved configuration. */
bool fr_measured_agrees(const struct fr_measured_points *measured,
                        const struct fr_measured_run *run, const void *values, uint64_t compared);

#endif
