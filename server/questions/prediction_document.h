/* Response documents of predictions: an object in JSON, a flat row in CSV and txt. */
#ifndef FR_PREDICTION_DOCUMENT_H
#define FR_PREDICTION_DOCUMENT_H

#include "server/http/formats.h"
#include "server/questions/prediction.h"

/* Writes the prediction as one row in any format. */
void fr_prediction_write(struct fr_rows *rows, const struct fr_predicted *predicted);

/* For explain=true: writes the components of the prediction, one per row. */
void fr_explain_write(struct fr_rows *rows, const struct fr_predicted *predicted);
/* Returns FR_OK, or FR_RELATION with a fault if the model has no components to list. */
int fr_explain_check(const struct fr_model *model, bool is_wanted, struct fr_faults *faults);

/* Parts of rows for sweeps and rankings: all parameters, then the outputs that do not repeat a
 * parameter.  If `prediction` is NULL, every output is null. */
void fr_row_params(struct fr_rows *rows, const struct fr_model *model, const void *values,
                   const struct fr_prediction *prediction);
void fr_row_outputs(struct fr_rows *rows, const struct fr_model *model,
                    const struct fr_prediction *prediction);
void fr_row_warnings(struct fr_rows *rows, const struct fr_prediction *prediction);
/* The what-ifs of the question: in JSON the object what_if, in CSV a column of PATH=VALUE, in TXT,
 * whose values have no such characters, nothing. */
void fr_row_changes(struct fr_rows *rows, const struct fr_change *change, size_t count);

#endif
