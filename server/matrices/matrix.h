/* What an upload of a matrix and the look at one share. */
#ifndef FR_API_MATRIX_H
#define FR_API_MATRIX_H

#include "server/http/formats.h"
#include "server/store/store.h"

/* The matrix of the path, by id or name; 0, or the status of the refusal. */
int fr_matrix_find(struct fr_request *rq, struct fr_reply *reply, struct fr_matrix_record *out);
/* The members that a list has of it too. */
void fr_matrix_write_head(struct fr_request *rq, struct fr_rows *rows,
                          const struct fr_matrix_record *matrix);
/* The document of GET /api/v1/matrices/{id}. */
void fr_matrix_write(struct fr_request *rq, struct fr_writer *w,
                     const struct fr_matrix_record *matrix);

#endif
