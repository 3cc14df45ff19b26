/* A request and its answer, from the first byte to the last: what the files of this folder share.
 */
#ifndef FR_CALL_H
#define FR_CALL_H

#include "server/http/address.h"
#include "server/http/answer.h"
#include "server/http/body.h"
#include "server/http/client.h"
#include "server/http/server.h"
#include "server/http/token.h"
#include "server/http/work.h"

/* ---- call ------------------------------------------------------------------------------ */

/* One request from its first line to its answer.  Each connection keeps one struct fr_call and uses
 * it for its requests in turn, so that a request allocates only its answer.
 *
 * A call belongs to its event loop, except from fr_pool_submit until fr_client_resume: then a
 * worker owns it, first to look up a token, then to answer.  With the first line that a worker
 * sends ahead of its answer, both have a part: the event loop sends `answer` (the headers) and
 * reads the lines, and the worker keeps the request and the reply until fr_client_complete.  Who of
 * both ends last frees the call.
 */

struct MHD_Connection;
struct fr_tls;
struct fr_tls_pair;

/* Shared by all calls. */
struct fr_listener {
    struct fr_server *server;
    struct MHD_Daemon *daemon;
    struct fr_tls *tls; /* NULL: plain HTTP */
    int drained_socket; /* which listened until fr_listener_drain; -1 before */
    bool is_passed;     /* the socket outlives this daemon; socket.h */
    char url[160];
    _Atomic unsigned fresh;     /* connections whose first request has not come */
    _Atomic unsigned arriving;  /* requests whose end has not arrived */
    _Atomic unsigned under_way; /* complete requests that are not answered yet */
    _Atomic bool is_draining;
    _Atomic bool is_over; /* requests under way are waited for no longer */
    _Atomic uint64_t next_id;
    struct fr_body_budget bodies; /* in memory */
    struct fr_body_budget spools; /* on the disk */
    struct fr_body_budget answers;
    struct fr_proxies proxies;
    unsigned char address_key[FR_ADDRESS_KEY_BYTES];
    _Atomic unsigned connections[FR_ADDRESS_SLOTS]; /* by address, except of proxies */
    pthread_mutex_t lock;                           /* protects the list of calls */
    struct fr_call *calls;
};

enum fr_call_stage {
    FR_CALL_NEW,
    FR_CALL_CHECKING,   /* a worker looks up the token, before the body is accepted */
    FR_CALL_CHECKED,    /* it has: `token_status` */
    FR_CALL_GATHERING,  /* the body is arriving, to be kept */
    FR_CALL_DISCARDING, /* the body is arriving; the refusal is ready */
    FR_CALL_WORKING,    /* on a worker */
    FR_CALL_ANSWERED,   /* the answer is ready */
    FR_CALL_STREAMING,  /* lines are sent, and the answer is their end */
};

struct fr_call {
    struct fr_request rq;
    struct fr_reply reply;
    struct fr_answer answer;
    struct fr_gather gather;
    struct fr_job job;
    struct fr_client client;
    struct fr_listener *listener;
    struct MHD_Connection *connection;
    int socket;
    struct fr_tls_pair *tls_pair; /* NULL: plain HTTP */
    struct fr_address address;
    struct fr_address client_address; /* the same, or the one that a proxy names */
    unsigned client_slot;             /* of fr_address_slot */
    struct fr_call *next, **link;     /* in the list of the listener */
    _Atomic uint64_t due_ns;          /* deadline.h */
    struct fr_arena_mark mark;        /* of the empty arena */
    enum fr_call_stage stage;
    const char *raw_target; /* in the arena; NULL: longer than FR_TARGET_BYTES */
    const char *method;
    uint64_t begun_ns;
    size_t discarded_bytes;
    unsigned long long awaited_bytes;    /* that lack to a body of declared length */
    size_t charged_bytes, arrived_bytes; /* of an upload: body_charge.h */
    size_t answer_bytes;                 /* of the budget of answers */
    enum fr_scope needed;                /* the scope that `token` must have; FR_OPEN: none */
    char token[FR_TOKEN_TEXT];
    int token_status; /* 0, or that of a refusal */
    bool is_get, is_preflight;
    _Atomic unsigned *counted_in; /* the listener's counter that holds it, or NULL */
    const char *cors_origin;
};

struct fr_call *fr_call_new(struct fr_listener *listener, struct MHD_Connection *connection);
void fr_call_free(struct fr_call *call);
/* Called at the request line. */
void fr_call_begin(struct fr_call *call, const char *raw_target);
/* Called at the headers, at each piece of the body, at its end, and when a worker has answered.
 * Returns the result of MHD's access handler. */
int fr_call_go_on(struct fr_call *call, const char *method, const char *piece, size_t *length);
/* Called when the answer is sent or the connection is lost. */
void fr_call_end(struct fr_call *call);
/* Counts the call in one of the listener's counters, or in none (NULL). */
void fr_call_count(struct fr_call *call, _Atomic unsigned *counter);

/* ---- admit ----------------------------------------------------------------------------- */

/* Refusals that need only the table of routes and the headers, before the handler. */

/* Refuses a request that does not say clearly where its body ends (400, 501), after which the
 * connection cannot be used; else 0. */
int fr_admit_framing(struct fr_call *call);
/* Reads target and headers into the request.  0, or the status of the refusal, which is written
 * into the reply.  If a body follows, call->gather is ready for it. */
int fr_admit(struct fr_call *call);
/* The same for the body that has arrived: gives it to the request. */
int fr_admit_body(struct fr_call *call);

struct fr_upload {
    bool is_there, expects_continue, is_gzip;
    unsigned long long declared; /* Content-Length; 0 if chunked */
};
struct fr_upload fr_upload_of(const struct fr_call *call);

/* ---- body charge ----------------------------------------------------------------------- */

/* What the body of an upload costs its client: what it declares before it is accepted, and what
 * comes beyond while it arrives (chunks, decompressed bytes).  What does not arrive is given back.
 * Only uploads are charged: bodies of routes that write. */

struct fr_call;

/* 0, or 429, written into the reply. */
int fr_body_charge_declared(struct fr_call *call);
/* After a piece was gathered: the same. */
int fr_body_charge_arrived(struct fr_call *call);
/* At the end of the request.  A body that could not be gathered costs nothing. */
void fr_body_charge_end(struct fr_call *call);

/* ---- call work ------------------------------------------------------------------------- */

/* The handler of a request, and who pays for it. */

/* Takes from the limits of the client what the request costs before it is looked at.  0, or the
 * status of a refusal. */
int fr_call_charge(struct fr_call *call);
/* Has a worker look up the token ahead of the body: 0, and fr_call_go_on follows with
 * FR_CALL_CHECKED; or the status of a refusal. */
int fr_call_look_up_token(struct fr_call *call);
/* The request is complete: runs an inline handler here, any other on a worker.  Returns the result
 * of MHD's access handler. */
int fr_call_run(struct fr_call *call);

/* ---- send ------------------------------------------------------------------------------ */

/* From a handler's reply to the HTTP library, the counters and the log. */

/* Makes call->answer of the reply, if there is room for it; fr_call_send follows on the event loop.
 */
void fr_call_settle(struct fr_call *call, int status, bool is_closing);
/* Sends call->answer; returns the result of MHD's access handler. */
int fr_call_send(struct fr_call *call);

/* On the event loop: a worker has sent the first lines of its answer.  Sends what goes ahead of
 * them; returns as fr_call_send. */
int fr_call_begin_stream(struct fr_call *call);
/* On the worker: completes the lines with the reply; may free the call. */
void fr_call_end_stream(struct fr_call *call, int status);

/* Counts and logs an answer whose lines have ended. */
void fr_call_tell(struct fr_call *call);

#endif
