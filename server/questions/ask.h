/* What questions have in common: a model, machines or a calibration, parameters, what-ifs. */
#ifndef FR_ASK_H
#define FR_ASK_H

#include "server/http/options.h"
#include "server/matrices/simulation.h"
#include "server/runs/matching_runs.h"

enum { FR_MAX_MACHINES = 16, FR_MAX_CHANGES = 16 };

struct fr_question;

/* How a route /…/{model} reads its query and answers it. */
struct fr_asking {
    const struct fr_param *options;     /* the route's own options, or NULL */
    void *option_values;                /* cleared by fr_ask */
    const struct fr_text_option *texts; /* or NULL */
    bool takes_lists;                   /* parameters may be lists, machine too */
    bool leaves_tunables_open;          /* rank and recommend enumerate them */
    bool is_always_new;                 /* no ETag of the question tells whether it is known */
    /* Writes the answer and returns the status.  `faults` are those of reading the query; `options`
     * are the option_values. */
    int (*answer)(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *options, struct fr_faults *faults);
};

/* One calibration to predict with. */
struct fr_target {
    struct fr_loaded *loaded;         /* a share */
    const struct fr_calibration *cal; /* with the what-ifs applied */
    struct fr_matching_runs matching; /* what saved runs bring to it */
};

/* A question as it was understood. */
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

/* The whole of such a handler: reads the query, and answers unless the client has the answer.
 * Returns the status, or FR_NEEDS_WORKER. */
int fr_ask(struct fr_request *rq, struct fr_reply *reply, const struct fr_asking *asking);

/* For models that need block structures: tells the values where these come from. Needs rq->store.
 * NULL where the model needs none; else end it with fr_structures_end. */
struct fr_structures *fr_serve_structures(struct fr_request *rq, const struct fr_model *model,
                                          void *values);

/* Finds a calibration by machine or id: FR_OK, a fault, or FR_NEEDS_WORKER. */
int fr_find_calibration(struct fr_request *rq, const char *machine, const char *id,
                        struct fr_loaded **loaded, struct fr_faults *faults);

#endif
