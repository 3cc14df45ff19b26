/* struct fr_server: the state of the daemon; nothing is global.  Handlers reach it as
 * rq->server. */
#ifndef FR_HTTP_SERVER_H
#define FR_HTTP_SERVER_H

#include "server/core/clock.h"
#include "server/core/config.h"
#include "server/core/log.h"
#include "server/http/address.h"
#include "server/http/http.h"
#include "server/store/store.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* How much each client may ask for in a time, so that a careless one leaves something for others:
 * token buckets in a table of fixed size.
 *
 * A bucket is the moment when it is full again (the generic cell rate algorithm of ITU-T I.371): it
 * takes an allowance at once and refills evenly over the period.  A token is a client, and so is an
 * address where none is needed.
 */

/* Settings have the names of fr_limit_name; 0: no limit. */
enum fr_limit {
    FR_LIMIT_REQUESTS, /* quick ones: single predictions, lists */
    FR_LIMIT_LONG,     /* sweeps, rankings, charts, batches */
    FR_LIMIT_WRITES,
    FR_LIMIT_BYTES,    /* of uploads */
    FR_LIMIT_ANALYSES, /* of matrices, queued */
    FR_LIMITS
};
const char *fr_limit_name(enum fr_limit limit);

enum { FR_LIMIT_CLIENTS = 2 * FR_ADDRESS_SLOTS };
/* Places in the table: of a slot of fr_address_slot, and of a token by its sequence number. */
unsigned fr_limit_client_of_address(unsigned slot);
unsigned fr_limit_client_of_token(int64_t sequence);

struct fr_limits {
    _Atomic uint64_t full_ns[FR_LIMITS][FR_LIMIT_CLIENTS]; /* monotonic; 0: full */
};

/* Takes `amount` of `allowance` in a period: 0, or the seconds until there is so much.  A full
 * bucket gives any amount, and takes as long to be full again as the amount needs.  Who takes it in
 * parts names what it has (`taken`): the bucket counts as full if it lacks no more than that. */
unsigned fr_limit_take(struct fr_limits *limits, enum fr_limit limit, unsigned client, double taken,
                       double amount, double allowance, uint64_t now_ns);

/* Gives back what was taken and not used. */
void fr_limit_give_back(struct fr_limits *limits, enum fr_limit limit, unsigned client,
                        double amount, double allowance, uint64_t now_ns);

/* Takes from the bucket of rq->payer: 0, or 429, which names the limit.  Counts refusals. */
int fr_request_charge(struct fr_request *rq, enum fr_limit limit, double amount,
                      struct fr_reply *reply);
/* The same after the request has taken a part. */
int fr_request_charge_more(struct fr_request *rq, enum fr_limit limit, double taken, double amount,
                           struct fr_reply *reply);
/* The same where a fault is reported in place of a reply: 0, or the seconds to wait, with a
 * sentence about the limit.  Keeps them in rq->limited_s, for Retry-After. */
unsigned fr_request_take(struct fr_request *rq, enum fr_limit limit, double amount, char *why,
                         size_t why_size);
void fr_request_refund(struct fr_request *rq, enum fr_limit limit, double amount);

/* The token of a request, and when tokens were used last. */

/* When tokens were last used, since the store was told: a request that needs a token writes no row.
 */

enum { FR_TOKEN_USES = 256 };

struct fr_token_uses {
    pthread_mutex_t lock; /* protects what follows */
    size_t count;
    struct fr_token_use use[FR_TOKEN_USES];
};

void fr_token_uses_init(struct fr_token_uses *uses);
void fr_token_uses_destroy(struct fr_token_uses *uses);
/* The token with this sequence number was used at this Unix time.  When the table is full, further
 * tokens wait for their next use. */
void fr_token_uses_note(struct fr_token_uses *uses, int64_t sequence, int64_t at_s);
/* Tells the store, and forgets them. */
void fr_token_uses_store(struct fr_token_uses *uses, struct fr_store *store);

/* Tokens: 256 random bits as hex; the store holds only their SHA-256. */

enum { FR_TOKEN_TEXT = 65 }; /* 64 hexadecimal digits and the NUL; a hash looks the same */

/* A new token. */
void fr_token_make(char token[FR_TOKEN_TEXT]);
void fr_token_hash(const char *token, char hash[FR_TOKEN_TEXT]);
/* Reads `Bearer TOKEN`; false where the header is none or holds nothing that could be a token. */
bool fr_token_read(const char *authorization, char token[FR_TOKEN_TEXT]);

/* "write" -> FR_WRITE; FR_OPEN for a word that is no scope. */
enum fr_scope fr_scope_of(const char *name);

/* Whether the store knows the token, it is still good, and it may do what the route does: 0, or the
 * status of the refusal, which is written into the reply.  Sets rq->token_name, rq->token and
 * rq->payer, and notes the use.  Needs rq->store. */
int fr_token_check(struct fr_request *rq, const char *token, enum fr_scope needed,
                   struct fr_reply *reply);

/* The counters behind /metrics: atomics, without allocation or lock. */

enum { FR_METRIC_ROUTES = 64, FR_METRIC_MODELS = 32, FR_LATENCY_BUCKETS = 16 };

/* Single values, by fr_metrics_count or fr_metrics_set: their names, types and help.  The free disk
 * is left out of the text until it is set. */
#define FR_METRIC_LIST(X)                                                                        \
    X(FR_METRIC_STORE_ERRORS, "forerun_store_errors_total", "counter", "Failures of the store.") \
    X(FR_METRIC_CHARTS, "forerun_charts_rendered_total", "counter",                              \
      "Charts drawn, not from the cache.")                                                       \
    X(FR_METRIC_TURNED_AWAY, "forerun_connections_refused_total", "counter",                     \
      "Connections refused because their address had too many.")                                 \
    X(FR_METRIC_LATE, "forerun_connections_late_total", "counter",                               \
      "Connections ended because headers, body or reader were too slow.")                        \
    X(FR_METRIC_LOG_LINES_LOST, "forerun_log_lines_lost_total", "counter",                       \
      "Log lines lost because their reader did not read.")                                       \
    X(FR_METRIC_WORKERS, "forerun_workers", "gauge", "Worker threads.")                          \
    X(FR_METRIC_BUSY, "forerun_workers_busy", "gauge", "Workers that run a handler.")            \
    X(FR_METRIC_QUEUED, "forerun_queue_length", "gauge", "Requests that wait for a worker.")     \
    X(FR_METRIC_QUEUED_LONG, "forerun_queue_length_long", "gauge", "Long requests among them.")  \
    X(FR_METRIC_READY, "forerun_ready", "gauge", "1 while the database works, as /readyz says.") \
    X(FR_METRIC_DISK_FREE, "forerun_disk_free_bytes", "gauge",                                   \
      "Free on the disk of the database.")                                                       \
    X(FR_METRIC_RELOAD_REFUSED, "forerun_reload_refused", "gauge",                               \
      "1 while the files that SIGHUP read last were refused.")                                   \
    X(FR_METRIC_STARTED, "process_start_time_seconds", "gauge",                                  \
      "When the daemon started, Unix time.")
enum fr_metric {
#define X(metric, ...) metric,
    FR_METRIC_LIST(X)
#undef X
        FR_METRICS
};

struct fr_metrics {
    /* By place in fr_routes (the last: no route) and hundreds of the status. */
    _Atomic uint64_t requests[FR_METRIC_ROUTES + 1][6];
    /* Not cumulative; the last counts requests slower than every bound. */
    _Atomic uint64_t latency[FR_LATENCY_BUCKETS + 1];
    _Atomic uint64_t latency_sum_ns;
    _Atomic uint64_t predictions[FR_METRIC_MODELS]; /* by place in fr_models */
    _Atomic uint64_t limited[FR_LIMITS + 1]; /* requests answered with 429; the last: because their
                                                client has half of the queue */
    _Atomic uint64_t matrices[FR_MATRIX_STATUSES]; /* as counted last */
    _Atomic uint64_t analyses, analyses_failed, analysis_ns;
    _Atomic int64_t tls_expires_at; /* 0 without TLS */
    _Atomic uint64_t single[FR_METRICS];
};

void fr_metrics_init(struct fr_metrics *metrics);
/* `route` is an entry of fr_routes, or NULL for a request that matched none. */
void fr_metrics_request(struct fr_metrics *metrics, const struct fr_route *route, int status,
                        uint64_t latency_ns);
void fr_metrics_predictions(struct fr_metrics *metrics, const struct fr_model *model,
                            uint64_t count);
/* A request was refused by a limit of its client; FR_LIMITS: by its share of the queue. */
void fr_metrics_limited(struct fr_metrics *metrics, enum fr_limit limit);
void fr_metrics_count(struct fr_metrics *metrics, enum fr_metric metric);
void fr_metrics_set(struct fr_metrics *metrics, enum fr_metric metric, uint64_t value);
void fr_metrics_matrices(struct fr_metrics *metrics, const int64_t count[FR_MATRIX_STATUSES]);
/* One ordering of a matrix has been analyzed. */
void fr_metrics_analysis(struct fr_metrics *metrics, bool is_ready, double time_s);
void fr_metrics_tls(struct fr_metrics *metrics, time_t expires_at);
/* The Prometheus text format, version 0.0.4. */
void fr_metrics_write(struct fr_metrics *metrics, struct fr_writer *w);

/* struct fr_server: the state of the daemon; nothing is global.  Handlers reach it as
 * rq->server. */

struct fr_catalog;
struct fr_pool;
struct fr_analysis;
struct fr_renderer;
struct fr_residual_cache;
struct fr_simulations;
struct fr_listener; /* http/accept.c */
struct fr_upkeep;   /* service/upkeep.c */
struct fr_watch;    /* service/watch.c */

struct fr_server {
    struct fr_config config;
    struct fr_clock *clock; /* NULL: that of the system */
    struct fr_log log;
    struct fr_metrics metrics;
    struct fr_token_uses token_uses;
    struct fr_limits limits;
    /* Of the page's files, when last looked at: service/static.c. */
    _Atomic uint64_t static_version;
    struct fr_catalog *catalog;          /* decoded calibrations */
    struct fr_cache *charts;             /* fr_shared_bytes by ETag: rendered charts */
    struct fr_residual_cache *residuals; /* of saved runs; runs/residuals.h */
    struct fr_simulations *simulations;  /* block structures and simulation results; simulation.h */
    struct fr_renderer *renderer;
    struct fr_pool *pool;         /* the workers */
    struct fr_pool *uploads;      /* one worker for bodies in files: reading one takes gigabytes */
    struct fr_analysis *analysis; /* of matrices; analysis.h */
    struct fr_listener *listener;
    struct fr_upkeep *upkeep;
    int store_lock;                /* that no other daemon serves from the database; -1: none */
    _Atomic bool is_store_damaged; /* a request found it so */
    _Atomic bool is_behind;        /* the writes of others may have been missed */
    struct fr_watch *watch;        /* notices these */
    uint64_t next_second_ns;       /* of the main thread */
};

#endif
