/* What questions have in common: a model, machines or a calibration, parameters, what-ifs. */
#ifndef FR_ASK_H
#define FR_ASK_H

#include "server/http/options.h"
#include "server/matrices/simulation.h"
#include "server/runs/matching_runs.h"

enum { FR_MAX_MACHINES = 16, FR_MAX_CHANGES = 16 };

/* How a route reads its query. */
struct fr_asking {
    const struct fr_param *options;     /* the route's own options, or NULL */
    void *option_values;                /* cleared by fr_ask */
    const struct fr_text_option *texts; /* or NULL */
    bool takes_lists;                   /* parameters may be lists, machine too */
    bool leaves_tunables_open;          /* rank and recommend enumerate them */
};

/* One calibration to predict with. */
struct fr_target {
    struct fr_loaded *loaded;         /* a share */
    const struct fr_calibration *cal; /* with the what-ifs applied */
    struct fr_matching_runs matching; /* what saved runs bring to it */
};

/* A question as it was understood.  End it with fr_ask_end. */
struct fr_question {
    const struct fr_model *model;
    struct fr_target target[FR_MAX_MACHINES];
    size_t target_count;
    struct fr_change change[FR_MAX_CHANGES];
    size_t change_count;
    void *values;                     /* bound, not resolved */
    uint64_t given;                   /* set of fr_param_bit: what the query itself says */
    bool leaves_tunables_open;        /* those that were not given are to be chosen */
    struct fr_structures *structures; /* or NULL: the model needs none */
    struct fr_axis axis[FR_MAX_AXES];
    size_t axis_count; /* parameters that were given as lists */
};

/* Reads the query of a route /…/{model}.  Returns FR_OK; or the status of the reply that it has
 * written; FR_NEEDS_WORKER's negative, -1, where only a worker can find the calibration. */
int fr_ask(struct fr_request *rq, struct fr_reply *reply, const struct fr_asking *asking,
           struct fr_question *question, struct fr_faults *faults);
void fr_ask_end(struct fr_question *question);

/* For models that need block structures: tells the values where these come from. Needs rq->store.
 * NULL where the model needs none; else end it with fr_structures_end. */
struct fr_structures *fr_serve_structures(struct fr_request *rq, const struct fr_model *model,
                                          void *values);

/* Adds what distinguishes this answer from others (path, query, calibrations, engine) to the
 * reply's ETag; true where the client has it already. */
bool fr_ask_is_known(struct fr_request *rq, struct fr_reply *reply,
                     const struct fr_question *question);

/* Finds a calibration by machine or id: FR_OK, a fault, or -1 where a worker is needed. */
int fr_find_calibration(struct fr_request *rq, const char *machine, const char *id,
                        struct fr_loaded **loaded, struct fr_faults *faults);

#endif
