/* A question about a model, from the query or from JSON. */
#ifndef FR_ASK_H
#define FR_ASK_H

#include "engine/questions/rank.h"
#include "server/http/http.h"
#include "server/matrices/simulation.h"
#include "server/runs/residuals.h"

/* The common parts of every question: model, machines or calibration, parameters, what-ifs. */

enum { FR_MAX_MACHINES = 16, FR_MAX_CHANGES = 16 };

struct fr_question;

/* How a route /…/{model} reads its query and answers it. */
struct fr_asking {
    const struct fr_param *options; /* the route's own */
    size_t options_size;            /* of the struct of their values */
    bool takes_lists;               /* parameters and machine may be lists */
    bool leaves_tunables_open;      /* the route enumerates them */
    bool restricts_tunables;        /* other lists are values of tunables to choose from */
    /* Whether these are kept as texts; NULL: no. */
    bool (*keeps_lists)(const struct fr_request *rq);
    bool is_always_new;  /* never answered by ETag alone */
    bool takes_analyze;  /* the query may contain fr_analyze_params */
    bool takes_quantile; /* the query may contain fr_outlook_params */
    /* Writes the answer and returns the HTTP status.  `faults` holds the faults of the query;
     * `options` points to their values. */
    int (*answer)(struct fr_request *rq, struct fr_reply *reply, struct fr_question *question,
                  void *options, struct fr_faults *faults);
};

/* One calibration to predict with. */
struct fr_target {
    struct fr_loaded *loaded;         /* shared reference */
    const struct fr_calibration *cal; /* with the what-ifs applied */
    struct fr_matching_runs matching; /* inputs taken from saved runs */
};

/* A list or range that is still a text. */
struct fr_list {
    const struct fr_param *param;
    const char *text;
};
bool fr_is_list(const char *text);
/* Adds the values of a list to those that the question chooses from; refuses a list of what is not
 * tunable. */
void fr_question_restrict(struct fr_request *rq, struct fr_question *question,
                          const struct fr_param *param, const char *text, struct fr_faults *faults);
/* What fr_question_restrict added. */
struct fr_restriction fr_question_restriction(const struct fr_question *question);

/* A parsed question. */
struct fr_question {
    const struct fr_model *model;
    struct fr_target target[FR_MAX_MACHINES];
    size_t target_count;
    struct fr_change change[FR_MAX_CHANGES];
    size_t change_count;
    void *values;           /* bound, not resolved */
    struct fr_arena *arena; /* of the request */
    const char *run;        /* id of the run that the query names; or NULL */
    uint64_t given;         /* set of fr_param_bit: parameters in the query */
    struct fr_outlook_asked outlook;
    int analyze;                      /* FR_ANALYZE_*, whether missing structures are made */
    bool leaves_tunables_open;        /* the route chooses tunables not given */
    struct fr_structures *structures; /* NULL if the model needs none */
    struct fr_partitions *partitions; /* the same */
    struct fr_axis axis[FR_MAX_AXES];
    size_t axis_count; /* number of parameters given as lists, or of tunables that are restricted */
    struct fr_list list[FR_MAX_AXES]; /* the lists that are kept as texts */
    size_t list_count;
};

/* An empty question; fr_question_end lets go of what it shares. */
void fr_question_begin(struct fr_question *question, struct fr_arena *arena);
void fr_question_end(struct fr_question *question);
/* Makes values with the defaults of the model, connected to stored structures and partitions. */
void fr_question_clear(struct fr_request *rq, struct fr_question *question);
/* Reads a parameter, of which a list becomes an axis. */
void fr_question_read_list(struct fr_request *rq, struct fr_question *question,
                           const struct fr_param *param, const char *text,
                           struct fr_faults *faults);
/* Applies the what-ifs to the calibrations. */
void fr_question_change(struct fr_question *question, struct fr_faults *faults);

/* Appends what an answer depends on: engine, model, calibrations, saved runs, matrices and the
 * query, without the parameters `apart` (NULL-terminated, or NULL: none). */
void fr_question_key(struct fr_request *rq, const struct fr_question *question,
                     const char *const *apart, struct fr_writer *key);

/* Connects `values` to the stored block structures.  Needs rq->store.  Returns NULL if the model
 * needs no structures; otherwise the caller ends the result with fr_structures_end. */
struct fr_structures *fr_serve_structures(struct fr_request *rq, const struct fr_model *model,
                                          void *values);

/* The same of the stored partitions of matrices; the result is ended with fr_partitions_end. */
struct fr_partitions *fr_serve_partitions(struct fr_request *rq, const struct fr_model *model,
                                          void *values);

/* Whether the question is about a matrix that is divided, perhaps among many numbers of processes:
 * then these are noted before the first is asked for (simulation.h). */
bool fr_question_divides(const struct fr_request *rq, const struct fr_question *question);

/* Finds a calibration by machine or id.  Returns FR_OK, the code of a fault, or FR_NEEDS_WORKER. */
int fr_find_calibration(struct fr_request *rq, const char *machine, const char *id,
                        struct fr_loaded **loaded, struct fr_faults *faults);

/* The query of a model question. */

/* Reads everything but the machines, the calibration and the run into the question and the options
 * of the route, which have their defaults. */
void fr_question_read_query(struct fr_request *rq, const struct fr_asking *asking,
                            struct fr_question *question, void *options, struct fr_faults *faults);

/* The requests of a batch: from JSON to questions. */

struct fr_batch;
/* Parses {"requests": […]}, with at most `most` requests.  Returns NULL with faults on failure.
 * Free with fr_batch_free. */
struct fr_batch *fr_batch_read(const char *body, size_t length, size_t most,
                               struct fr_faults *faults);
size_t fr_batch_count(const struct fr_batch *batch);
void fr_batch_free(struct fr_batch *batch);

/* Reads request `index` into the question, which fr_question_begin made, and reports all its
 * faults. Needs rq->store.  fr_batch_release ends the question. */
void fr_batch_bind(struct fr_request *rq, struct fr_batch *batch, size_t index,
                   struct fr_question *question, bool *is_explained, struct fr_faults *faults);
void fr_batch_release(const struct fr_batch *batch, size_t index, struct fr_question *question);

/* The block structures that a question needs, found before it is answered: all that are missing are
 * named at once or, with analyze=wait, made. */

/* The values of the option `analyze`. */
enum { FR_ANALYZE_REFUSE, FR_ANALYZE_WAIT };
extern const struct fr_param fr_analyze_params[];

/* 0: the question can be answered, or `faults` say why not; else the status of the reply: 202 with
 * Retry-After if structures are not ready in time, 409 if a matrix has too many limits, 503. */
int fr_question_structures(struct fr_request *rq, struct fr_reply *reply,
                           const struct fr_question *question, struct fr_faults *faults);

/* Follows the work on a question: ends it when the client leaves, and tells of it in lines. */

struct fr_progress {
    struct fr_request *rq;
    struct fr_reply *reply;
    const struct fr_question *question;
    const struct fr_ranking *ranking; /* as far as it has come, or NULL: there are no lines */
    uint64_t told_ns;                 /* when the client last heard of it, or asked */
    /* What the ranking tries, with values of its own, to tell their number; `model` is NULL if it
     * is not told. */
    struct fr_combinations combinations;
    size_t count; /* of them, once a line has told it; 0: not yet */
};

/* Watches the request's arena until fr_progress_end.  With a ranking, a request in lines gets a
 * line `progress` every 0.1 s, except while earlier lines wait for their reader. */
void fr_progress_begin(struct fr_progress *progress, struct fr_request *rq, struct fr_reply *reply,
                       const struct fr_question *question, const struct fr_ranking *ranking);
void fr_progress_end(struct fr_progress *progress);

#endif
