/* The configurations of rankings and recommendations in answers. */
#ifndef FR_RANKING_DOCUMENT_H
#define FR_RANKING_DOCUMENT_H

#include "server/http/formats.h"
#include "server/questions/ask.h"

/* The names of model, machine and calibration. */
void fr_question_head(struct fr_writer *w, const struct fr_question *question);
/* The same, and what was considered. */
void fr_ranking_head(struct fr_writer *w, const struct fr_question *question,
                     const struct fr_ranking *ranking);
/* The columns of a configuration, to which a warning may be added.  Without a row (NULL) the
 * outputs are null; slowdowns refer to `best`. */
void fr_ranking_columns(struct fr_rows *rows, const struct fr_question *question,
                        const void *values, struct fr_ranked *row,
                        const struct fr_prediction *best);
/* All rows of a ranking; as the head of a job script the best. */
void fr_ranking_rows(struct fr_rows *rows, const struct fr_question *question,
                     const struct fr_ranking *ranking);
/* In JSON the members `best`, `runners_up`, `fastest` and `knee`, as HPL.dat the best; else what
 * fr_ranking_rows writes. */
void fr_ranking_write(struct fr_rows *rows, const struct fr_question *question,
                      struct fr_ranking *ranking);

#endif
