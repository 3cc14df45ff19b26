/* What saved runs tell about a model on a machine, kept between requests. */
#ifndef FR_RESIDUALS_H
#define FR_RESIDUALS_H

#include "engine/questions/answer.h"
#include "server/calibrations/catalogue.h"
#include "server/runs/backtest.h"
#include "server/runs/run_document.h"

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
    const char *drift_since;   /* start of the first run after the drift; NULL: no drift */
    struct fr_run_index index; /* what the runs measured, by configuration */
    struct fr_run_sets *sets;  /* runs that predictions use; NULL: the model reads none */
    struct fr_cache *answers;  /* predicted with these; NULL: none are kept */
};

struct fr_residual_cache;
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

#endif
