/* The border between handlers and the HTTP library: a handler takes a request and a reply, returns
 * the status, and never sees a socket, so that it is tested without one.
 */
#ifndef FR_HTTP_H
#define FR_HTTP_H

#include "engine/forerun.h"
#include "server/core/cache.h"
#include "server/json/writer.h"

struct fr_asking;
struct fr_client;
struct fr_server;
struct fr_store;

enum fr_method { FR_GET, FR_PUT, FR_POST, FR_DELETE, FR_METHODS };
extern const char *const fr_method_names[FR_METHODS];

/* Representations; a route offers a set of them.  The suffix is the name with a dot. */
enum fr_format {
    FR_JSON = 1,
    FR_CSV = 2,
    FR_TXT = 4,
    FR_SVG = 8,
    FR_PNG = 16,
    FR_PDF = 32,
    FR_GP = 64,
    FR_TEX = 128,
    FR_DAT = 256,
    FR_NDJSON = 512, /* JSON in lines, as it is found; handlers see FR_JSON */
    FR_SLURM = 1024,
    FR_PBS = 2048,
    FR_LSF = 4096,
    FR_REFRAME = 8192,
};
enum {
    FR_ROWS = FR_JSON | FR_CSV | FR_TXT,
    FR_CHARTS = FR_SVG | FR_PNG | FR_PDF | FR_GP | FR_JSON,
    FR_JOBS = FR_SLURM | FR_PBS | FR_LSF | FR_REFRAME,
};

/* Each may do what those before it may. */
enum fr_scope { FR_OPEN, FR_READ, FR_RUNS, FR_WRITE, FR_ADMIN };

/* The body that a route accepts; each kind includes those before it.  FR_BODY_TEXT: the output of
 * another program.  FR_BODY_FILE: any bytes, spooled to a file with the limit of matrices. */
enum fr_body { FR_NO_BODY, FR_BODY_JSON, FR_BODY_JSON_LINES, FR_BODY_TEXT, FR_BODY_FILE };

enum { FR_MAX_SEGMENTS = 4, FR_MAX_QUERY = 64, FR_SEGMENT_BYTES = 128 };

struct fr_request;
struct fr_reply;

/* Only a worker can answer.  A handler on the event loop (rq->store is NULL) returns this instead
 * of a status, and functions that it calls return it instead of an fr_code; it is neither. */
enum { FR_NEEDS_WORKER = -1 };

struct fr_route {
    enum fr_method method;
    const char *path; /* template: /api/v1/predict/{model}; a last `*` takes the rest */
    int (*handle)(struct fr_request *rq, struct fr_reply *reply); /* returns the HTTP status */
    const char *summary;
    unsigned formats; /* set of enum fr_format; 0: the handler names the media type */
    enum fr_scope scope;
    enum fr_body body;
    size_t body_limit; /* decompressed bytes; 0: the server's default */
    /* The query's; without both every query parameter is refused (outside /api: ignored). */
    const struct fr_param *options;
    const struct fr_asking *asking; /* how fr_ask answers */
    bool is_inline;                 /* answered on the event loop: takes microseconds */
    bool is_urgent;                 /* on a worker, ahead of all others, whatever waits */
    bool is_long;                   /* may hold at most N - 1 of the workers */
    bool (*is_long_for)(const struct fr_request *rq); /* or NULL: decides for each request */
    /* The machine that a request writes, in the request's arena; an enum fr_store_result, where
     * FR_STORE_NONE leaves the answer to the handler.  NULL: what it writes belongs to none. */
    int (*find_machine)(struct fr_request *rq, const char **name);
};
extern const struct fr_route fr_routes[]; /* ends with path NULL */

static inline bool fr_route_writes(const struct fr_route *route)
{
    return route->scope > FR_READ && route->method != FR_GET;
}

/* One name=value of the query, decoded, NUL-ended, in the request's arena. */
struct fr_pair {
    const char *name, *value;
};

struct fr_request {
    struct fr_server *server;
    const struct fr_route *route;
    struct fr_arena *arena;
    struct fr_store *store; /* this worker's; NULL on the event loop */
    enum fr_format format;
    bool in_lines; /* FR_NDJSON: lines may go ahead of the answer */
    char segment[FR_MAX_SEGMENTS][FR_SEGMENT_BYTES]; /* the template's {…}, in order, no suffix */
    struct fr_pair query[FR_MAX_QUERY];
    size_t query_count;
    const char *path; /* decoded, with the suffix, for links and logs */
    const char *body; /* decompressed; NUL-ended behind body_length */
    size_t body_length;
    int file; /* the body of FR_BODY_FILE as it came, to be read from its beginning; else -1 */
    enum fr_body sent;         /* from the media type; JSON if none is given */
    const char *if_none_match; /* or NULL */
    bool wants_gzip;
    struct fr_client *client; /* on a worker: who waits for the answer; NULL: unknown */
    char token_name[64];      /* name of the token; empty without one */
    int64_t token;            /* its sequence in the store; 0 without one */
    unsigned payer;           /* whose limits it uses: limits.h */
    unsigned limited_s;       /* a limit refuses something of it for so long; 0: none */
    bool is_partial;          /* a limit, the time or what is not stored yet left something out of
                                 the answer: the same question may soon get a fuller one.  Its ETag
                                 comes from its body then, and caches ask each time */
    char id[20];              /* for the log */
};

/* Bytes that several replies and a cache share, found by an ETag. */
struct fr_shared_bytes {
    struct fr_cached cached;
    char tag[40];
    size_t length;
    char bytes[];
};
struct fr_shared_bytes *fr_shared_bytes_new(const char *tag, const void *bytes, size_t length);
/* A fr_cache_match. */
bool fr_shared_bytes_are(const void *value, const void *tag);

struct fr_reply {
    struct fr_writer body;          /* what the handler writes; owned by the reply */
    size_t lines_bytes;             /* of the body: complete lines ahead of the answer */
    struct fr_shared_bytes *shared; /* instead of `body`; one share is owned by the reply */
    const char *content_type;       /* NULL: by the request's format */
    char etag[40];                  /* without quotes; empty: made from the body */
    const char *cache_control;      /* NULL: `no-cache` (revalidate by ETag); or what follows */
    char location[256];
    struct fr_writer link; /* the header Link, or empty; owned by the reply */
    unsigned retry_after_s;
    unsigned allow;     /* for 405: set of 1 << enum fr_method */
    const char *policy; /* Content-Security-Policy, or NULL */
};
/* Makes an empty reply; end it with fr_reply_free. */
void fr_reply_init(struct fr_reply *reply);
void fr_reply_free(struct fr_reply *reply);

/* For answers that change with saved runs and facts of machines alone, not with a matrix: for a
 * minute any cache may give them. */
#define FR_CACHED_A_MINUTE "public, max-age=60, immutable"

/* The value of a query parameter, or NULL. */
const char *fr_query_get(const struct fr_request *rq, const char *name);

/* Writes the tag of a key and a format, in hex. */
void fr_tag_make(unsigned format, const void *key, size_t length, char *etag, size_t size);
/* Sets the ETag from the bytes of a key; true if the client has this answer (then return 304). */
bool fr_reply_is_known(const struct fr_request *rq, struct fr_reply *reply, const void *key,
                       size_t length);

/* Of a request in lines: ends a line, which the handler wrote into the body as one JSON value. */
void fr_reply_end_line(struct fr_reply *reply);
/* Sends the complete lines that the body holds.  They stay in it if the client takes no lines
 * (HEAD), and come ahead of the answer. */
void fr_reply_send_lines(struct fr_request *rq, struct fr_reply *reply);

/* problem+json; each returns the status. */
int fr_reply_problem(struct fr_reply *reply, int status, const char *detail);
int fr_reply_not_found(struct fr_reply *reply, const char *what, const char *name);
/* All faults; the status is that of the most serious code (400 for syntax, else 422, 413, …). */
int fr_reply_faults(struct fr_reply *reply, const struct fr_faults *faults);
/* The same with the given status. */
int fr_reply_refusal(struct fr_reply *reply, int status, const struct fr_faults *faults);
/* Writes the member `errors`: a list of all faults. */
void fr_problem_errors(struct fr_writer *w, const struct fr_faults *faults);
/* Writes the same as an object, for the results of a batch; returns its status. */
int fr_problem_write(struct fr_writer *w, int status, const char *detail,
                     const struct fr_faults *faults);
int fr_faults_status(const struct fr_faults *faults);

const char *fr_format_type(enum fr_format format); /* media type */

#endif
