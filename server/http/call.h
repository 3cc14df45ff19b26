/* A request and its answer, from the first byte to the last: what the files of this folder share.
 */
#ifndef FR_CALL_H
#define FR_CALL_H

#include "server/http/client.h"
#include "server/http/server.h"

#include <stdatomic.h>

/* The finished answer: a reply after conditions, compression and headers.  Plain data, so that
 * tests need no socket.
 */

enum { FR_MAX_HEADERS = 16, FR_GZIP_LEAST_BYTES = 1024 };

struct fr_header {
    const char *name, *value; /* constant, or inside the answer */
};

struct fr_answer {
    int status;
    char *bytes; /* owned, from malloc; NULL if `shared` has them or there are none */
    struct fr_shared_bytes *shared;
    size_t length;
    struct fr_header header[FR_MAX_HEADERS];
    size_t header_count;
    char etag[48], allow[40], retry_after[12], location[256];
    char *link; /* owned, from malloc; or NULL */
};

/* Facts about a request that struct fr_request does not have. */
struct fr_answer_options {
    bool is_get;             /* GET or HEAD */
    bool is_preflight;       /* an answer to OPTIONS */
    bool is_stream;          /* the body follows in lines */
    bool is_closing;         /* the connection ends with this answer */
    const char *cors_origin; /* the sender's origin if it may write, or NULL */
};

/* Takes over the body of the reply.  Only a successful GET is conditional and gets an ETag. */
void fr_answer_make(const struct fr_request *rq, struct fr_reply *reply, int status,
                    const struct fr_answer_options *options, struct fr_answer *answer);
void fr_answer_free(struct fr_answer *answer);

/* Of a request in lines: makes the document that the handler wrote its last line, the member
 * `answer` or `problem` of an object.  A problem is one only after lines that were sent. */
void fr_reply_complete_lines(struct fr_reply *reply, int status, bool is_begun);

/* Whether an If-None-Match header (NULL: none) names the tag, compared weakly. */
bool fr_etag_is_listed(const char *if_none_match, const char *etag);

/* gzip of some bytes, from malloc; NULL if memory is short or the result is not smaller. */
char *fr_gzip(const char *bytes, size_t length, size_t *packed_length);

/* Gathers the body of a request: decompressed in memory, where the limit counts decompressed bytes,
 * or as received in a file. */

struct z_stream_s;

enum fr_gather_state {
    FR_GATHER_OK,
    FR_GATHER_TOO_LARGE, /* more than the limit */
    FR_GATHER_BAD_GZIP,
    FR_GATHER_BUSY, /* the budget of memory or disk for all bodies is exhausted */
    FR_GATHER_NOMEM,
    FR_GATHER_NO_DISK,
};

/* Bounds the total bytes of the bodies, or of the answers, of all current requests. */
struct fr_body_budget {
    _Atomic size_t held_bytes;
    size_t limit_bytes;
};
/* Takes so many bytes until they are given back; false if others leave too few.  `is_first_free`:
 * whoever is alone may exceed the limit. */
bool fr_budget_take(struct fr_body_budget *budget, size_t bytes, bool is_first_free);
void fr_budget_give_back(struct fr_body_budget *budget, size_t bytes);

struct fr_gather {
    enum fr_gather_state state;
    size_t limit_bytes;
    struct fr_body_budget *budget;
    char *bytes; /* NUL after `length` bytes; owned */
    size_t length, capacity;
    struct z_stream_s *gunzip; /* NULL: not compressed; owned */
    bool is_member_done;       /* the current gzip member has ended */
    bool has_file;             /* the body goes into `file`, not into memory */
    bool is_packed;            /* the file must be gzip */
    int file;                  /* owned */
};

void fr_gather_begin(struct fr_gather *gather, size_t limit_bytes, bool is_gzip,
                     struct fr_body_budget *budget);
/* The same into a file beside the database, not decompressed; the budget is of disk space. */
void fr_gather_begin_file(struct fr_gather *gather, const char *database, size_t limit_bytes,
                          bool is_gzip, struct fr_body_budget *budget);
/* Takes a piece; after a failure further pieces are ignored. */
void fr_gather_take(struct fr_gather *gather, const char *piece, size_t length);
/* After the last piece; a compressed body must be complete. */
void fr_gather_end(struct fr_gather *gather);
void fr_gather_free(struct fr_gather *gather);

/* What a request asks for: its address, its route, and the format of the answer. */

/* The target of a request: its path in decoded segments, its query in decoded pairs. */

enum { FR_TARGET_BYTES = 8 * 1024, FR_MAX_PARTS = 12 };

struct fr_request_target {
    const char *part[FR_MAX_PARTS]; /* decoded; a `/` in one came as %2F */
    size_t count;
    bool is_too_deep; /* more than FR_MAX_PARTS segments: no template matches */
};

/* Fills rq->path, rq->query and `target` from what stood in the request line; all texts are in the
 * request's arena.  Every fault is reported: bad percent escapes, NUL, text that is not UTF-8. */
int fr_request_target_parse(const char *raw, struct fr_request *rq,
                            struct fr_request_target *target, struct fr_faults *faults);

/* Finds the route of a request in the table. */

/* Finds the route and fills rq->segment; *suffix is the format that the path's suffix names, or 0.
 * NULL: *allow holds the methods (1 << enum fr_method) that the path knows, 0 where it is unknown.
 * A template that ends in `*` serves what no other matches, and nothing under /api. */
const struct fr_route *fr_route_find(const struct fr_route *routes,
                                     const struct fr_request_target *target, int method,
                                     struct fr_request *rq, unsigned *suffix, unsigned *allow);

/* The method's number, -1 for one that no route has; HEAD is GET. */
int fr_method_of(const char *name);
/* "GET, HEAD, POST" */
void fr_methods_list(unsigned allow, char *out, size_t size);

/* Media types: those that a client accepts, and that of its body. */

/* The format among `offered` that an Accept header prefers, the first of equals; 0 if it accepts
 * none of them.  NULL or empty accepts all. */
unsigned fr_media_choose(unsigned offered, const char *accept);
/* The format of that suffix (without dot), or 0. */
unsigned fr_media_of_suffix(const char *suffix);
/* Whether an Accept-Encoding header accepts gzip. */
bool fr_media_takes_gzip(const char *accept_encoding);
/* Whether a Content-Type fits the route's kind of body; NULL (none given) does.  *sent is which of
 * its kinds it is. */
bool fr_media_fits_body(enum fr_body body, const char *content_type, enum fr_body *sent);
/* "json, csv, txt": the suffixes of a set, for messages. */
void fr_media_list(unsigned formats, char *out, size_t size);

/* The workers: threads for requests that take long, each with a connection to the store. */

/* A job.  The owner embeds it; the pool uses `next`, `number` and `expected_s`. */
struct fr_job {
    struct fr_job *next;
    unsigned long number;
    double expected_s;
    bool is_long;    /* such jobs use at most all workers but one */
    bool is_urgent;  /* never refused, and taken before all others */
    unsigned client; /* below FR_POOL_CLIENTS: who gets a share of the workers */
    /* Called while the queue is locked, before a worker can take the job: suspends the
     * connection, so that no worker resumes it before that. */
    void (*park)(struct fr_job *job);
    /* Called on a worker; `store` is NULL if the pool stops: then the job only has to end. */
    void (*run)(struct fr_job *job, struct fr_store *store);
};

enum { FR_POOL_CLIENTS = 4096 };

struct fr_pool_options {
    unsigned workers;
    size_t queue_limit, long_queue_limit; /* jobs that wait: quick ones, long ones */
    const char *store_path;
    double (*spent_s)(void); /* processor time of the calling thread; NULL: as the system has it */
};

/* Opens the stores and starts the threads; NULL on failure, logged.  End with fr_pool_free. */
struct fr_pool *fr_pool_new(const struct fr_pool_options *options, struct fr_log *log);
/* What comes of a job; it is parked only if it was taken. */
enum fr_submitted {
    FR_POOL_TAKEN,
    FR_POOL_FULL,  /* too many jobs of its kind wait, or the pool stops */
    FR_POOL_SHARE, /* half of those that may wait are this client's */
};
/* Clients that wait share the processor time of the workers alike, whatever the number of jobs that
 * each has waiting. */
enum fr_submitted fr_pool_submit(struct fr_pool *pool, struct fr_job *job);
void fr_pool_set_queue_limits(struct fr_pool *pool, size_t quick, size_t slow);

struct fr_pool_state {
    unsigned workers, busy;
    size_t queued, queued_long; /* all, and the long ones of them */
};
struct fr_pool_state fr_pool_state(struct fr_pool *pool);

/* Whether long jobs wait for a worker. */
bool fr_pool_has_long_waiting(const struct fr_pool *pool);

/* Refuses new jobs, runs the waiting ones with a NULL store, waits for the running ones, joins the
 * threads and closes the stores.  Later calls of fr_pool_submit return false. */
void fr_pool_stop(struct fr_pool *pool);
/* Stops the pool if necessary and frees it; NULL is allowed. */
void fr_pool_free(struct fr_pool *pool);

/* ---- call ------------------------------------------------------------------------------ */

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
