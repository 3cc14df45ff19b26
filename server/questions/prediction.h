/* A prediction as clients read it: nested in JSON, or as one flat row. */
#ifndef FR_API_PREDICTION_H
#define FR_API_PREDICTION_H

#include "server/http/formats.h"
#include "server/questions/ask.h"

/* What a prediction is of. */
struct fr_predicted {
    const struct fr_model *model;
    const struct fr_loaded *loaded;
    const struct fr_calibration *cal; /* with the what-ifs applied */
    const void *values;               /* resolved */
    const struct fr_prediction *prediction;
    struct fr_spread spread;             /* where several saved runs served */
    const struct fr_residuals *history;  /* where intervals come from, or NULL */
    const struct fr_predicted *baseline; /* without the what-ifs, or NULL */
    const struct fr_change *change;
    size_t change_count;
    struct fr_arena *arena;
    bool is_explained; /* its list is part of the JSON */
};

/* Resolves and predicts, and the same without the what-ifs where there are any.  `values` are
 * bound, not resolved, and stay as they are; what `out` points to lives in the request's arena. */
int fr_predict(struct fr_request *rq, const struct fr_model *model, const void *values,
               const struct fr_loaded *loaded, const struct fr_calibration *cal,
               const struct fr_matching_runs *matching, const struct fr_change *change,
               size_t change_count, struct fr_predicted *out, struct fr_faults *faults);

/* The whole JSON object of the contract. */
void fr_prediction_write(struct fr_writer *w, const struct fr_predicted *of);
/* The same, flat: one row of CSV or txt. */
void fr_prediction_row(struct fr_rows *rows, const struct fr_predicted *of);

/* What it is made of, for explain=true: as rows, or as a member of a JSON object under way. */
void fr_explain_rows(struct fr_rows *rows, const struct fr_predicted *of);
void fr_explain_write(struct fr_writer *w, const struct fr_predicted *of);
/* Refuses explain=true of a model that has no list. */
int fr_explain_check(const struct fr_model *model, bool is_wanted, struct fr_faults *faults);

/* Parts of rows, for sweeps and rankings: all parameters, then the outputs that do not repeat one
 * (NULL: every output null). */
void fr_row_params(struct fr_rows *rows, const struct fr_model *model, const void *values,
                   const struct fr_prediction *prediction);
void fr_row_outputs(struct fr_rows *rows, const struct fr_model *model,
                    const struct fr_prediction *prediction);
void fr_row_warnings(struct fr_rows *rows, const struct fr_prediction *prediction);

#endif
