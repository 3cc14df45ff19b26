/* Iterates over the points of a sweep, for the table and the chart. */
#ifndef FR_SWEEP_H
#define FR_SWEEP_H

#include "server/questions/prediction.h"

/* The most points of a sweep with tune=true, where each point needs a ranking. */
enum { FR_MAX_TUNED_POINTS = 2000 };

struct fr_sweep {
    struct fr_request *rq;
    const struct fr_question *question;
    struct fr_restriction only; /* of tuned points: lists that are no axes */
    enum fr_memory memory;      /* likewise */
    size_t points; /* over all machines, machine by machine; the last list varies fastest */
    size_t legal;  /* points predicted so far */
    bool is_over;  /* the request's work limit is reached; later points are not legal */
    void *values;  /* of the current point, resolved if it is legal */
    const struct fr_target *target;
    struct fr_prediction *prediction;
    struct fr_spread spread;
    struct fr_faults *faults; /* of the current point */
};

/* The descriptor of tune; the options struct S has an int member for it. */
#define FR_TUNE(S)                        \
    FR_BOOL(S, tune, .flags = FR_DEFAULT, \
            .doc = "Whether each point uses the best values of the tunables that are not given.")
/* Counts the points.  Returns FR_OK, or FR_RANGE if `faults` is not empty, including faults found
 * before the call. */
int fr_sweep_begin(struct fr_sweep *sweep, struct fr_request *rq,
                   const struct fr_question *question, struct fr_faults *faults);
/* The outlook of the point predicted last, which must be legal. */
struct fr_outlook fr_sweep_outlook(struct fr_sweep *sweep);
/* Predicts point `index`.  Returns false if the model refuses it; sweep->faults has the reason. */
bool fr_sweep_point(struct fr_sweep *sweep, size_t index);
/* Predicts the point again with `values`, in which the caller has changed parameters. */
bool fr_sweep_changed(struct fr_sweep *sweep);

#endif
