/* Handlers without a socket: a server with an in-memory store, and requests in one line. */
#ifndef FR_DESK_H
#define FR_DESK_H

#include "server/http/server.h"
#include "tests/unit/support/documents.h"
#include "tests/unit/support/moved_clock.h"

struct sparse_structure;

struct handler_fixture {
    struct fr_server server;
    struct moved_clock clock; /* of drawing, which may take long on a busy computer */
    struct fr_store *store;
    struct fr_arena *arena; /* for the current request */
    struct fr_request rq;
    struct fr_reply reply;
    int status;
    json_t *json; /* body of the reply if it is JSON */
    char *text;   /* body of the reply */
};

/* Setup and teardown: an empty server, and one with the machines `round` and `full` (question.h,
 * documents.h); *state is the struct handler_fixture. */
int fixture_open_empty(void **state);
int fixture_open(void **state);
int fixture_close(void **state);

/* Stores a matrix named `shop` with this structure for the ordering metis; amd is still queued. */
#define DESK_MATRIX "00112233445566aa"
void fixture_store_matrix(struct fr_store *store, const struct sparse_structure *s);
/* Stores facts of that matrix, as text, for contiguous rows on so many processes. */
void fixture_store_facts(struct fr_store *store, int64_t processes, const char *facts);

/* Calls the handler of `METHOD /template`, with its {…} replaced by `segments` ("a" or "a|b"), a
 * query such as `n=4&processes=4` and a body in which single quotes stand for double ones; query
 * and body may be NULL. `format` is the suffix of the path. Sets fixture->status to the status
 * of the reply. */
void fixture_ask(struct handler_fixture *fixture, const char *method, const char *template,
                 const char *segments, const char *query, const char *body, enum fr_format format);
/* Calls a GET handler for JSON; fails the test unless the reply has this status. */
json_t *fixture_get(struct handler_fixture *fixture, int status, const char *template,
                    const char *segment, const char *query);

/* The value at a JSON pointer of the reply; fails the test if there is none. */
json_t *fixture_at(struct handler_fixture *fixture, const char *pointer);
double fixture_number(struct handler_fixture *fixture, const char *pointer);
const char *fixture_string(struct handler_fixture *fixture, const char *pointer);
/* Fails the test unless the problem has an error with this code at this parameter or pointer. */
void fixture_refuses(struct handler_fixture *fixture, const char *code, const char *where);
size_t fixture_error_count(struct handler_fixture *fixture);

#define DESK_TEST(name) TEST_OF(name, struct handler_fixture *fixture, fixture_open, fixture_close)

#endif
