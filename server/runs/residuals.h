/* What is known from the saved runs of a machine and a model: how many there are, how far
 * predictions with one calibration were off, whether the machine has drifted.
 *
 * A history is counted and immutable but for its sets of runs, which have a lock of their own; the
 * cache's lock protects its table and nothing else.
 */
#ifndef FR_HISTORY_H
#define FR_HISTORY_H

#include "server/runs/backtest.h"
#include "server/runs/run_sets.h"

struct fr_residuals {
    _Atomic unsigned owners;
    struct fr_arena *arena; /* holds the rest */
    const char *machine;
    const struct fr_model *model;
    char calibration[17];
    size_t runs;
    char version[48]; /* differs wherever the runs differ: for ETags */
    /* Of predictions as they are made without a saved run, and with one (models that read runs). */
    struct fr_conformal unaided, aided;
    struct fr_drift drift;
    const char *drift_since;  /* when its first run began; NULL: no drift */
    struct fr_run_sets *sets; /* runs that serve predictions; NULL: there are none */
};
void fr_residuals_drop(struct fr_residuals *history);

struct fr_residual_cache;
/* `simulations` serve models that need them; NULL: these predict nothing. */
struct fr_residual_cache *fr_residual_cache_new(struct fr_simulations *simulations);
void fr_residual_cache_free(struct fr_residual_cache *histories);
/* A share, or NULL: not known here (a worker then makes it). */
struct fr_residuals *fr_residual_cache_find(struct fr_residual_cache *histories,
                                            const struct fr_model *model,
                                            const struct fr_loaded *loaded);
/* The same, made from the store where it is not known; NULL where memory or the store fails. */
struct fr_residuals *fr_residual_cache_make(struct fr_residual_cache *histories,
                                            struct fr_store *store, struct fr_catalog *catalog,
                                            const struct fr_model *model,
                                            const struct fr_loaded *loaded);
/* fr_backtest of the times with a calibration, and the share as a by-product: NULL where there are
 * no runs, or it fails; or where this request, which may have judged other models' before, had too
 * few steps for all of them. */
int fr_residual_cache_backtest(struct fr_residual_cache *histories,
                               const struct fr_backtest_request *judging,
                               struct fr_backtested **judged, size_t *count,
                               struct fr_residuals **out);
/* Forgets those whose runs are no longer those that the store holds: another process may have
 * written. */
void fr_residual_cache_check(struct fr_residual_cache *histories, struct fr_store *store);
/* Forgets what rests on the runs or calibrations of a machine; NULL: of all. */
void fr_residual_cache_forget(struct fr_residual_cache *histories, const char *machine);

/* The interval of a prediction, from the residuals of comparable runs; false where they are too
 * few.  `is_aided`: the prediction used saved runs. */
bool fr_residuals_interval(const struct fr_residuals *history, double predicted_s, bool is_aided,
                           struct fr_interval *out);

#endif
