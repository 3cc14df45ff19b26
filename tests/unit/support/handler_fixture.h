/* Handlers without a socket: a server with a store in memory, and requests as one line. */
#ifndef FR_DESK_H
#define FR_DESK_H

#include "server/serve.h"
#include "tests/unit/support/documents.h"

struct sparse_structure;

struct desk {
    struct fr_server server;
    struct fr_store *store;
    struct fr_arena *arena; /* of the request under way */
    struct fr_request rq;
    struct fr_reply reply;
    int status;
    json_t *json; /* the reply's body where it is JSON */
    char *text;   /* the reply's body */
};

/* Fixtures: an empty server, and one that knows the machines `round` and `full` (question.h,
 * documents.h); *state is the struct desk. */
int desk_open_empty(void **state);
int desk_open(void **state);
int desk_close(void **state);

/* Stores a matrix, `shop`, with this structure by the ordering metis; amd is still queued. */
#define DESK_MATRIX "00112233445566aa"
void desk_store_matrix(struct fr_store *store, const struct sparse_structure *s);

/* Calls the handler of `METHOD /template`, its {…} filled from `segments` ("a" or "a|b"), with a
 * query as `n=4&processes=4` and a body with single quotes for double ones (either may be NULL).
 * The path's suffix is `format`.  desk->status is what it returns. */
void desk_ask(struct desk *desk, const char *method, const char *template, const char *segments,
              const char *query, const char *body, enum fr_format format);
/* The same for a GET with JSON; fails unless the status is this. */
json_t *desk_get(struct desk *desk, int status, const char *template, const char *segment,
                 const char *query);

/* The value at a JSON pointer of the reply; fails where there is none. */
json_t *desk_at(struct desk *desk, const char *pointer);
double desk_number(struct desk *desk, const char *pointer);
const char *desk_string(struct desk *desk, const char *pointer);
/* Fails unless the problem has an error of this code at this parameter or pointer. */
void desk_refuses(struct desk *desk, const char *code, const char *where);
size_t desk_error_count(struct desk *desk);

#endif
