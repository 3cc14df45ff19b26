/* The points of a sweep, one after the other: what the table and the chart have in common. */
#ifndef FR_SWEEP_H
#define FR_SWEEP_H

#include "server/questions/prediction.h"

/* Points of a sweep in which each is a ranking of its own. */
enum { FR_MAX_TUNED_POINTS = 2000 };

struct fr_sweep {
    struct fr_request *rq;
    const struct fr_question *question;
    size_t points; /* of all machines together: machine by machine, the last list fastest */
    size_t legal;  /* points predicted so far */
    bool is_over;  /* the request has had its share of work: no point counts as legal */
    void *values;  /* of the point under way, resolved where it is legal */
    const struct fr_target *target;
    struct fr_prediction *prediction;
    struct fr_spread spread;
    struct fr_faults *faults; /* of the point under way */
};

/* Whether the query says tune=true, which decides how tunables are read. */
bool fr_sweep_is_tuned(const struct fr_request *rq);
/* The descriptor of that option; its field is an int at this offset of the options struct S. */
#define FR_TUNE(S)                        \
    FR_BOOL(S, tune, .flags = FR_DEFAULT, \
            .doc = "Whether each point takes the best of the tunables that were left open.")
/* Counts the points; FR_OK, or faults (also those of binding). */
int fr_sweep_begin(struct fr_sweep *sweep, struct fr_request *rq,
                   const struct fr_question *question, struct fr_faults *faults);
/* Predicts point `index`; false where the model refuses it: then sweep->faults say why. */
bool fr_sweep_point(struct fr_sweep *sweep, size_t index);

#endif
