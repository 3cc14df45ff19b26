/* The counters behind /metrics: atomics, without allocation or lock. */
#ifndef FR_METRICS_H
#define FR_METRICS_H

#include "server/http/http.h"
#include "server/http/limits.h"
#include "server/store/store.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { FR_METRIC_ROUTES = 64, FR_METRIC_MODELS = 32, FR_LATENCY_BUCKETS = 16 };

/* Single values, by fr_metrics_count or fr_metrics_set; metrics.c says what they are. */
enum fr_metric {
    FR_METRIC_STORE_ERRORS,
    FR_METRIC_CHARTS,
    FR_METRIC_TURNED_AWAY,
    FR_METRIC_LATE,
    FR_METRIC_LOG_LINES_LOST,
    FR_METRIC_WORKERS,
    FR_METRIC_BUSY,
    FR_METRIC_QUEUED,
    FR_METRIC_QUEUED_LONG,
    FR_METRIC_READY,
    FR_METRIC_DISK_FREE, /* left out of the text until it is set */
    FR_METRIC_RELOAD_REFUSED,
    FR_METRIC_STARTED,
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

#endif
