/* What the rows of an answer rest on.  Rows are comparable only if they have one basis: all are
 * estimated, or all use one saved run.  What saved runs measured stands beside. */
#ifndef FR_QUESTIONS_BASIS_H
#define FR_QUESTIONS_BASIS_H

#include "server/http/formats.h"
#include "server/questions/ask.h"

/* Writes `basis`, and the `run` of all rows if there is one, for a model that reads runs.  Call it
 * when the rows are predicted. */
void fr_basis_write(struct fr_writer *w, const struct fr_question *question);
/* Writes what the saved runs of a configuration measured, if there are runs of the model and no
 * what-ifs.  `resolved` is NULL in a row without a prediction. */
void fr_row_measured(struct fr_rows *rows, const struct fr_question *question,
                     const struct fr_target *target, const void *resolved);

#endif
