/* What handlers see: the request, the reply, and what they share. */
#ifndef FR_HTTP_H
#define FR_HTTP_H

#include "engine/forerun.h"
#include "server/core/cache.h"
#include "server/json/writer.h"
#include "server/store/store.h"

/* The border between handlers and the HTTP library: a handler takes a request and a reply, returns
 * the status, and never sees a socket, so that it is tested without one.
 */

struct fr_asking;
struct fr_client;
struct fr_server;

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

/* Returns the HTTP status, or FR_NEEDS_WORKER. */
typedef int fr_handler(struct fr_request *rq, struct fr_reply *reply);

struct fr_route {
    enum fr_method method;
    const char *path; /* template: /api/v1/predict/{model}; a last `*` takes the rest */
    fr_handler *handle;
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
    unsigned payer;           /* whose limits it uses: server.h */
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

/* JSON, CSV and txt of the same rows: a handler emits rows of (name, value) and never formats.
 *
 * JSON: each row an object (inside an array the caller opened, or alone).  CSV (RFC 4180): a header
 * from the first row's names, CRLF; null is an empty field.  txt: `name=value` lines safe to eval
 * in sh; the first row's names have no prefix, those of row k (from 2) have `row_k_`; null is
 * `null`.
 */

struct fr_rows {
    struct fr_writer *w;
    enum fr_format format;
    size_t count;            /* rows so far */
    size_t column;           /* of the current row */
    char object[96];         /* CSV, txt: the prefix of the names of its values */
    struct fr_writer header; /* CSV: the names of the first row */
    size_t body_start;       /* CSV: where the first row began */
};

void fr_rows_begin(struct fr_rows *rows, struct fr_writer *w, enum fr_format format);
void fr_row_begin(struct fr_rows *rows);
void fr_row_text(struct fr_rows *rows, const char *name, const char *text);
void fr_row_number(struct fr_rows *rows, const char *name, double value); /* NaN: null */
void fr_row_integer(struct fr_rows *rows, const char *name, int64_t value);
void fr_row_bool(struct fr_rows *rows, const char *name, bool value);
/* Several texts: an array in JSON, joined by `;` in CSV, by `+` in txt. */
void fr_row_texts(struct fr_rows *rows, const char *name, const char *const *texts, size_t count);
/* `null` if it has no extents. */
void fr_row_vector(struct fr_rows *rows, const char *name, const struct fr_vector *vector);
/* A value with its parameter's kind: number, true/false or the choice's name. */
void fr_row_param(struct fr_rows *rows, const struct fr_param *param, const void *values);
/* The choices in a set, as a JSON array. */
void fr_set_write(struct fr_writer *w, const struct fr_param *param, unsigned set);
/* An object among the values of a row, in JSON; elsewhere the names of its values begin with
 * `name_`.  NULL: an element of an array that the caller opened in JSON.  Only JSON nests them. */
void fr_row_object(struct fr_rows *rows, const char *name);
void fr_row_object_end(struct fr_rows *rows);
void fr_row_end(struct fr_rows *rows);
/* Frees the memory of the rows. */
void fr_rows_end(struct fr_rows *rows);

/* Reads the query of a route with its own options, by descriptors of parameters. */

/* How a request wants its picture. */
struct fr_look {
    int64_t width, height; /* pixels */
    int theme;             /* enum fr_theme */
};

/* Reads the query from index `*place` on: options into `values`, up to the next pair that is none,
 * which is returned with `*place` behind it; NULL: there is none.  Refuses repeated names. */
const struct fr_pair *fr_query_next(const struct fr_request *rq, size_t *place,
                                    const struct fr_param *options, void *values,
                                    struct fr_faults *faults);
/* Sets `values` to the defaults, then reads every pair of the query as an option; refuses a query
 * without a required option. */
void fr_options_read(const struct fr_request *rq, const struct fr_param *options, void *values,
                     struct fr_faults *faults);
/* The model of this name; NULL with a fault at `where`. */
const struct fr_model *fr_model_named(const char *name, const char *where,
                                      struct fr_faults *faults);
/* The model that the first segment of the path names; NULL after the reply 404. */
const struct fr_model *fr_model_of_path(const struct fr_request *rq, struct fr_reply *reply);

/* Code that handlers of stored resources share: paged lists, and replies for results of the store.
 */

/* One page of a list. */
struct fr_page {
    int64_t limit;      /* items */
    const char *cursor; /* where the page begins; NULL: at the beginning */
};
/* The descriptors, also of a struct that begins with a page. */
#define FR_PAGE_OPTIONS                                                                \
    FR_INT(struct fr_page, limit, .unit = "1", .min = 1, .max = 1000, .fallback = 100, \
           .flags = FR_DEFAULT, .doc = "Maximum number of items on a page."),          \
        FR_BORROWED(                                                                   \
            struct fr_page, cursor,                                                    \
            .doc = "Start of the page; an opaque value, the `next_cursor` of the page before.")
/* The sequence number in a cursor that fr_list_end_before wrote; 0 without a cursor or with a
 * fault. */
int64_t fr_page_before(const struct fr_page *page, struct fr_faults *faults);
/* Reads a page and that number; 0, or the status of the refusal of all their faults. */
int fr_page_read_before(const struct fr_request *rq, struct fr_reply *reply, struct fr_page *page,
                        int64_t *before);

/* `{"items": [` for JSON, and the rows that follow. */
void fr_list_begin(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows);
/* Closes the list; `cursor` leads to the next page, NULL: this is the last.  `path` may have a
 * query of its own. */
void fr_list_end(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                 const char *path, const struct fr_page *page, const char *cursor);
/* The same for rows in descending order of sequence number: those of the next page are below
 * `rest`, 0 on the last page. */
void fr_list_end_before(const struct fr_request *rq, struct fr_reply *reply, struct fr_rows *rows,
                        const char *path, const struct fr_page *page, int64_t rest);

/* Replies 503 and counts the failure; returns the status. */
int fr_reply_store_failed(struct fr_request *rq, struct fr_reply *reply);
/* 0 if `result` is FR_STORE_OK; otherwise the status of the reply that it writes: 404 for the
 * `what` that the path names first, or 503. */
int fr_reply_stored(struct fr_request *rq, struct fr_reply *reply, int result, const char *what);
/* The machine that the path names first; 0, or the status of the reply it writes. */
int fr_machine_find(struct fr_request *rq, struct fr_reply *reply, struct fr_machine *out);

#endif
