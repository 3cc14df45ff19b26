/* The counters behind /metrics: atomics, without allocation or lock. */
#ifndef FR_METRICS_H
#define FR_METRICS_H

#include "server/http/http.h"
#include "server/http/limits.h"
#include "server/http/work.h"
#include "server/store/store.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { FR_METRIC_ROUTES = 64, FR_METRIC_MODELS = 32, FR_LATENCY_BUCKETS = 16 };

struct fr_metrics {
    /* By place in fr_routes (the last: no route) and hundreds of the status. */
    _Atomic uint64_t requests[FR_METRIC_ROUTES + 1][6];
    /* Not cumulative; the last counts requests slower than every bound. */
    _Atomic uint64_t latency[FR_LATENCY_BUCKETS + 1];
    _Atomic uint64_t latency_sum_ns;
    _Atomic uint64_t predictions[FR_METRIC_MODELS]; /* by place in fr_models */
    _Atomic uint64_t store_errors;
    _Atomic uint64_t charts;
    _Atomic uint64_t turned_away, late;            /* connections */
    _Atomic uint64_t limited[FR_LIMITS], shared;   /* requests answered with 429 */
    _Atomic uint64_t log_lines_lost;               /* as counted last */
    _Atomic uint64_t matrices[FR_MATRIX_STATUSES]; /* as counted last */
    _Atomic uint64_t analyses, analyses_failed, analysis_ns;
    _Atomic uint64_t disk_free_bytes; /* as seen last */
    _Atomic bool is_ready, has_disk;  /* has_disk: disk_free_bytes is known */
    _Atomic bool is_reload_refused;
    _Atomic int64_t tls_expires_at; /* 0 without TLS */
    time_t started_at;
};

void fr_metrics_init(struct fr_metrics *metrics);
/* `route` is an entry of fr_routes, or NULL for a request that matched none. */
void fr_metrics_request(struct fr_metrics *metrics, const struct fr_route *route, int status,
                        uint64_t latency_ns);
void fr_metrics_predictions(struct fr_metrics *metrics, const struct fr_model *model,
                            uint64_t count);
void fr_metrics_store_error(struct fr_metrics *metrics);
void fr_metrics_chart(struct fr_metrics *metrics);
void fr_metrics_log(struct fr_metrics *metrics, uint64_t lines_lost);
/* A connection was not accepted because its address has too many. */
void fr_metrics_turned_away(struct fr_metrics *metrics);
/* A request was refused by a limit of its client. */
void fr_metrics_limited(struct fr_metrics *metrics, enum fr_limit limit);
/* A request was refused because its client has half of the queue. */
void fr_metrics_shared(struct fr_metrics *metrics);
/* A connection was ended because it was too slow. */
void fr_metrics_late(struct fr_metrics *metrics);
void fr_metrics_matrices(struct fr_metrics *metrics, const int64_t count[FR_MATRIX_STATUSES]);
/* One ordering of a matrix has been analyzed. */
void fr_metrics_analysis(struct fr_metrics *metrics, bool is_ready, double time_s);
void fr_metrics_ready(struct fr_metrics *metrics, bool is_ready);
/* The free space on the disk of the database.  Without a call it is left out of the text. */
void fr_metrics_disk(struct fr_metrics *metrics, uint64_t free_bytes);
/* Whether the last reload refused the configuration, or the certificate and its key. */
void fr_metrics_reload(struct fr_metrics *metrics, bool is_refused);
void fr_metrics_tls(struct fr_metrics *metrics, time_t expires_at);
/* The Prometheus text format, version 0.0.4. */
void fr_metrics_write(struct fr_metrics *metrics, const struct fr_pool_state *pool,
                      struct fr_writer *w);

#endif
