/* The handlers of routes about matrices: each returns the HTTP status. */
#ifndef FR_MATRICES_HANDLERS_H
#define FR_MATRICES_HANDLERS_H

#include "server/http/http.h"

int fr_post_matrix(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrices(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrix(struct fr_request *rq, struct fr_reply *reply);
int fr_delete_matrix(struct fr_request *rq, struct fr_reply *reply);
int fr_get_matrix_structure(struct fr_request *rq, struct fr_reply *reply);

#endif
