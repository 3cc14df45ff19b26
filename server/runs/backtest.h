/* Predictions of saved runs, to compare with the measurements: the basis of accuracy reports,
 * intervals and drift. */
#ifndef FR_BACKTEST_H
#define FR_BACKTEST_H

#include "server/calibrations/catalogue.h"
#include "server/matrices/simulation.h"
#include "server/store/store.h"

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

#endif
