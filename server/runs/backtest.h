/* Saved runs beside their predictions: what /accuracy reports, and what intervals and drift are
 * made from. */
#ifndef FR_JUDGE_H
#define FR_JUDGE_H

#include "server/calibrations/catalogue.h"
#include "server/matrices/simulation.h"
#include "server/store/store.h"

/* The most runs of one model that are looked at: the newest. */
enum { FR_MOST_BACKTESTED = 10000 };

/* One saved run; texts live in the arena. NaN: has no value, or cannot be predicted. */
struct fr_backtested {
    const char *id, *calibration, *at; /* calibration of its time or NULL; when it began, or came */
    const char *parameters;            /* canonical JSON */
    double measured;
    double newest; /* predicted with the calibration that was asked for */
    double then;   /* with the calibration of its time */
    /* as `newest`, but with what other runs of the configuration measured, as a question before the
     * run would have got it; NaN where there are none */
    double others;
    /* as `newest`, without what any run measured of computation and stalls */
    double unaided;
    bool is_too_long; /* one of them, for what all runs together may take */
    uint64_t problem, configuration;
    int64_t sequence;
};

struct fr_backtest_request {
    struct fr_store *store;
    struct fr_catalog *catalog;
    struct fr_simulations *simulations; /* or NULL */
    struct fr_arena *arena;             /* its steps bound the predictions of all runs together */
    int peer;                           /* as for fr_structures_watch */
    const char *machine;
    const struct fr_model *model;
    struct fr_quantity quantity;
    const struct fr_loaded *newest; /* NULL: no calibration, nothing is predicted */
};

/* Judges the model's runs that have measured the quantity, in the order of their time; the newest
 * are predicted first, as long as the arena's steps last.  FR_OK, or FR_NOMEM, or FR_NOT_FOUND
 * where the store failed. */
int fr_backtest(const struct fr_backtest_request *judging, struct fr_backtested **out,
                size_t *count);
/* The runs that took too long. */
size_t fr_backtested_too_long(const struct fr_backtested *judged, size_t count);

#endif
