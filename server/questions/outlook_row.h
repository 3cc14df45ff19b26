/* The interval and the quantile of the measured time in the rows of every question. */
#ifndef FR_OUTLOOK_ROW_H
#define FR_OUTLOOK_ROW_H

#include "server/http/formats.h"
#include "server/questions/ask.h"

/* The errors that tell the outlook of a prediction; NULL: none, as on a hypothetical machine. */
const struct fr_errors *fr_errors_of(const struct fr_matching_runs *matching, bool is_changed);
/* Finds the outlook of a row of the question with these resolved values, and adds its warning to
 * the prediction. */
struct fr_outlook fr_row_foresee(const struct fr_question *question, const struct fr_target *target,
                                 const void *values, struct fr_prediction *prediction,
                                 const struct fr_spread *spread);

/* Writes `interval` in JSON, its ends elsewhere, and the quantile if `asked`.  NULL: a row without
 * a prediction. */
void fr_row_outlook(struct fr_rows *rows, const struct fr_outlook_asked *asked,
                    const struct fr_outlook *outlook);

#endif
