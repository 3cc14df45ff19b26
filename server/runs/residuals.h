/* Saved runs beside predictions. */
#ifndef FR_RESIDUALS_H
#define FR_RESIDUALS_H

#include "engine/questions/answer.h"
#include "server/calibrations/catalogue.h"
#include "server/http/server.h"
#include "server/matrices/simulation.h"

/* Predictions of saved runs, to compare with the measurements: the basis of accuracy reports,
 * intervals and drift. */

/* At most this many runs of a model are predicted: the newest. */
enum { FR_MOST_BACKTESTED = 10000 };

/* Why a run was not predicted, with the names that clients see. */
#define FR_LEFT_OUT(X)                                                                             \
    X(FR_LEFT_OUT_TOO_LONG, "too_long")                       /* to bound the request's work */    \
    X(FR_LEFT_OUT_GROUP_MISSING, "calibration_group_missing") /* or there is no calibration */     \
    X(FR_LEFT_OUT_MATRIX_MISSING, "matrix_missing")           /* or its structure, or its facts */ \
    X(FR_LEFT_OUT_REFUSED, "refused")                         /* its parameters or its document */

enum fr_left_out {
    FR_LEFT_OUT_NOT, /* it was predicted */
#define X(reason, name) reason,
    FR_LEFT_OUT(X)
#undef X
        FR_LEFT_OUT_REASONS
};

/* NULL for FR_LEFT_OUT_NOT. */
const char *fr_left_out_name(enum fr_left_out reason);

/* One saved run; texts live in the arena of the request.  NaN: cannot be predicted. */
struct fr_backtested {
    const char *id;
    const char *calibration; /* current when the run was uploaded; or NULL */
    const char *at;          /* start of the run, or its upload */
    const char *parameters;  /* canonical JSON */
    double measured;         /* NaN: the document of the run cannot be read */
    double newest;           /* predicted with the requested calibration */
    double at_peak_s;        /* of a time: that of the same work at the full peak, by `newest` */
    double then;             /* predicted with `calibration` */
    /* as `newest`, but with the measurements of other runs of the configuration instead of its own;
     * NaN if there are none */
    double others;
    /* as `newest`, without any measurements of computation and stalls */
    double unaided;
    enum fr_left_out left_out; /* why there is no `newest`, or for too_long any of these */
    const char *reason;        /* the same for people; NULL: it was predicted */
    uint64_t problem, configuration;
    struct fr_footprint footprint; /* with the automatic choices of the requested calibration */
    int64_t sequence;
};

struct fr_backtest_request {
    struct fr_store *store;
    struct fr_catalog *catalog;
    struct fr_simulations *simulations; /* or NULL */
    struct fr_arena *arena;             /* bounds the steps of all predictions together */
    struct fr_client *client;           /* as for fr_structures_watch; so is the next */
    bool *is_partial;
    const char *machine;
    const struct fr_model *model;
    struct fr_quantity quantity;
    const struct fr_loaded *newest; /* NULL: no calibration, no predictions */
};

/* Predicts the runs of the model that have measured the quantity, of the newest FR_MOST_LOOKED_AT,
 * the newest first while the steps of the arena suffice.  *out, by ascending time, lives in the
 * arena of the request.  FR_OK, FR_NOMEM, or FR_NOT_FOUND if the store fails. */
int fr_backtest(const struct fr_backtest_request *request, struct fr_backtested **out,
                size_t *count);
/* Counts the runs that were not predicted by reason. */
void fr_backtested_left_out(const struct fr_backtested *run, size_t count,
                            size_t out[FR_LEFT_OUT_REASONS]);
/* Whether runs were left out that may be predicted later, although neither runs nor calibrations
 * change. */
bool fr_left_out_may_change(const size_t left_out[FR_LEFT_OUT_REASONS]);

/* ---- residuals ------------------------------------------------------------------------- */

/* What saved runs tell about a model on a machine, kept between requests. */

/* ---- run sets -------------------------------------------------------------------------- */

/* Decoded runs that match a question, so that each set is decoded once.  Sets are never removed: a
 * set lives as long as struct fr_run_sets. */

struct fr_run_set {
    const struct fr_indexed_run **of; /* the matching runs */
    size_t matching;
    const struct fr_saved_run **run; /* those that can be read */
    size_t count;
};

struct fr_run_sets;
struct fr_run_sets *fr_run_sets_new(void);
void fr_run_sets_free(struct fr_run_sets *sets);
/* The set of these runs of an index that outlives the sets, or NULL. */
const struct fr_run_set *fr_run_sets_find(struct fr_run_sets *sets,
                                          const struct fr_indexed_run *const *of, size_t matching);
/* Keeps copies of the runs, without their documents and outputs; does nothing if it is full. */
void fr_run_sets_keep(struct fr_run_sets *sets, const struct fr_indexed_run *const *of,
                      size_t matching, const struct fr_saved_run *const *run, size_t count);

/* ---- run answers ----------------------------------------------------------------------- */

/* Answers that are medians over many saved runs, kept until the runs change: each takes a
 * prediction for every run. */

/* A question and its answer.  The calibration tells questions apart: the prediction may refer to
 * it, and other facts of the machine make it another one. */
struct fr_run_answer {
    size_t values_size;
    struct fr_loaded *loaded;
    uint64_t given;
    const void *asked, *resolved; /* values of the model */
    const struct fr_prediction *prediction;
    struct fr_spread spread;
};

/* NULL: out of memory; free with fr_cache_free. */
struct fr_cache *fr_run_answers_new(void);
/* Copies the answer to a question, of which all but the answer is set; false if it is not kept. */
bool fr_run_answers_find(struct fr_cache *answers, const struct fr_run_answer *question,
                         void *resolved, struct fr_prediction *prediction,
                         struct fr_spread *spread);
/* Keeps a copy, with a share of the calibration. */
void fr_run_answers_keep(struct fr_cache *answers, const struct fr_run_answer *answer);

/* ---- residuals ------------------------------------------------------------------------- */

/* Residuals of the saved runs of one model on one machine: the errors of predictions with one
 * calibration, and the drift of the machine.
 *
 * Residuals are shared (core/cache.h) and immutable, except for the sets of runs and the answers,
 * which have locks of their own.
 */

struct fr_residuals {
    struct fr_cached cached;
    struct fr_arena *arena; /* holds the rest */
    const char *machine;
    const struct fr_model *model;
    char calibration[17];
    size_t runs;
    char version[64]; /* changes with the runs and their predictions: for ETags */
    int64_t change;   /* fr_store_newest_change, before the runs were read */
    size_t left_out[FR_LEFT_OUT_REASONS]; /* runs that were not predicted, by reason */
    struct fr_errors errors;
    struct fr_drift drift;
    const char *drift_since; /* start of the first run after the drift; NULL: no drift */
    struct fr_passed_drift {
        struct fr_drift drift;
        const char *since, *until; /* starts of its first and its last run */
    } passed[FR_MOST_PASSED];
    size_t passed_count;
    struct fr_run_index index; /* what the runs measured, by configuration */
    struct fr_run_sets *sets;  /* runs that predictions use; NULL: the model reads none */
    struct fr_cache *answers;  /* predicted with these; NULL: none are kept */
};

/* `simulations` is borrowed; with NULL, models that need simulations predict nothing.  NULL: out of
 * memory. */
struct fr_residual_cache *fr_residual_cache_new(struct fr_simulations *simulations);
void fr_residual_cache_free(struct fr_residual_cache *cache);
/* A share of cached residuals, or NULL: then a worker computes them. */
struct fr_residuals *fr_residual_cache_find(struct fr_residual_cache *cache,
                                            const struct fr_model *model,
                                            const struct fr_loaded *loaded);
/* The same, computed from the store if necessary; NULL if memory is short or the store fails. */
struct fr_residuals *fr_residual_cache_make(struct fr_residual_cache *cache, struct fr_store *store,
                                            struct fr_catalog *catalog,
                                            const struct fr_model *model,
                                            const struct fr_loaded *loaded);
/* fr_backtest of times with a calibration.  *out becomes a share of the residuals; NULL if there
 * are no runs, the backtest fails, or the request left some out as too long: others have spent of
 * its steps, so that fr_residual_cache_make finds more. */
int fr_residual_cache_backtest(struct fr_residual_cache *cache,
                               const struct fr_backtest_request *request,
                               struct fr_backtested **runs, size_t *count,
                               struct fr_residuals **out);
/* Drops the residuals of a machine whose runs were written by this change or before it, but after
 * they were read: another process may have done so. */
void fr_residual_cache_follow(struct fr_residual_cache *cache, const char *machine, int64_t change);
/* Drops those that left runs out for this reason, so that the next question computes them again. */
void fr_residual_cache_retry(struct fr_residual_cache *cache, enum fr_left_out reason);
/* Drops the residuals of a machine, or of all machines (NULL). */
void fr_residual_cache_forget(struct fr_residual_cache *cache, const char *machine);

/* The saved runs behind a prediction: those that it uses as input, and the residuals that give its
 * interval. */

struct fr_runs; /* the decoded runs */

struct fr_matching_runs {
    struct fr_residuals *residuals; /* a share; NULL: none, as for a calibration in a body */
    struct fr_runs *runs;           /* NULL: no run is used */
};

/* Finds the runs of a model on the machine of `loaded`.  `run_id` names the only run to use, or is
 * NULL; `given` is the set of parameters that the request gives.  FR_OK, FR_NEEDS_WORKER, or the
 * code of a fault at `run`.  End with fr_matching_runs_end in every case. */
int fr_matching_runs_find(struct fr_request *rq, const struct fr_model *model,
                          struct fr_loaded *loaded, const char *run_id, uint64_t given,
                          struct fr_matching_runs *out, struct fr_faults *faults);
/* Uses only this run, which came in the request and must live as long as *out. */
int fr_matching_runs_name(struct fr_request *rq, const struct fr_saved_run *run, uint64_t given,
                          struct fr_matching_runs *out, struct fr_faults *faults);
void fr_matching_runs_end(struct fr_matching_runs *matching);

/* The source for answers of several rows: the run that the request names; of a model that
 * transfers, the nearest to the first row that is asked for; else the runs of each row, without
 * their computation, which other rows lack.  NULL: no runs. */
const struct fr_run_source *fr_matching_runs_of_rows(const struct fr_matching_runs *matching);
/* The id of that run, once a row was predicted; NULL: none was used. */
const char *fr_matching_runs_basis(const struct fr_matching_runs *matching);
/* The answer to a question that was asked before of the same runs and the calibration `cal`, and
 * its values, which become resolved; false: it is not kept, or `cal` is changed by a what-if. */
bool fr_matching_runs_recall(const struct fr_matching_runs *matching,
                             const struct fr_calibration *cal, void *values,
                             struct fr_prediction *out, struct fr_spread *spread);
/* Keeps the answer that came last of fr_matching_runs_source, for fr_matching_runs_recall. */
void fr_matching_runs_remember(const struct fr_matching_runs *matching,
                               const struct fr_calibration *cal, const void *asked,
                               const void *resolved, const struct fr_prediction *prediction,
                               const struct fr_spread *spread);
/* The source that the engine reads runs from; NULL: no runs. */
const struct fr_run_source *fr_matching_runs_source(const struct fr_matching_runs *matching);

/* Measured times against predicted times of the saved runs of a machine: a report for each model.
 */

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
/* Writes an object for each drift that has passed, the first one first. */
void fr_passed_drifts_write(struct fr_writer *w, const struct fr_residuals *residuals);

/* The prediction of a run that the question asks for. */
double fr_accuracy_predicted(const struct fr_accuracy_question *question,
                             const struct fr_backtested *run);

#endif
