/* Handlers without a socket: a server with a store in memory, and requests as one line. */
#ifndef FR_DESK_H
#define FR_DESK_H

#include "server/http/server.h"
#include "tests/unit/support/documents.h"

struct sparse_structure;

struct handler_fixture {
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
 * documents.h); *state is the struct handler_fixture. */
int fixture_open_empty(void **state);
int fixture_open(void **state);
int fixture_close(void **state);

/* Stores a matrix, `shop`, with this structure by the ordering metis; amd is still queued. */
#define DESK_MATRIX "00112233445566aa"
void fixture_store_matrix(struct fr_store *store, const struct sparse_structure *s);

/* Calls the handler of `METHOD /template`, its {…} filled from `segments` ("a" or "a|b"), with a
 * query as `n=4&processes=4` and a body with single quotes for double ones (either may be NULL).
 * The path's suffix is `format`.  desk->status is what it returns. */
void fixture_ask(struct handler_fixture *desk, const char *method, const char *template,
                 const char *segments, const char *query, const char *body, enum fr_format format);
/* The same for a GET with JSON; fails unless the status is this. */
json_t *fixture_get(struct handler_fixture *desk, int status, const char *template,
                    const char *segment, const char *query);

/* The value at a JSON pointer of the reply; fails where there is none. */
json_t *fixture_at(struct handler_fixture *desk, const char *pointer);
double fixture_number(struct handler_fixture *desk, const char *pointer);
const char *fixture_string(struct handler_fixture *desk, const char *pointer);
/* Fails unless the problem has an error of this code at this parameter or pointer. */
void fixture_refuses(struct handler_fixture *desk, const char *code, const char *where);
size_t fixture_error_count(struct handler_fixture *desk);

#endif
