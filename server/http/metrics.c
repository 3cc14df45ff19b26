/* Counters and their Prometheus text. */
#include "server/http/server.h"

#include <inttypes.h>
#include <stdatomic.h>

/* Upper bounds of the latency's buckets, in nanoseconds, and as the format prints them. */
static const struct {
    uint64_t ns;
    const char *seconds;
} bounds[FR_LATENCY_BUCKETS] = {
    { 50000, "0.00005" },  { 100000, "0.0001" },  { 250000, "0.00025" }, { 500000, "0.0005" },
    { 1000000, "0.001" },  { 2500000, "0.0025" }, { 5000000, "0.005" },  { 10000000, "0.01" },
    { 25000000, "0.025" }, { 50000000, "0.05" },  { 100000000, "0.1" },  { 250000000, "0.25" },
    { 500000000, "0.5" },  { 1000000000, "1" },   { 2500000000, "2.5" }, { 10000000000, "10" },
};

static const struct {
    const char *name, *type, *help;
} singles[] = {
#define X(metric, ...) { __VA_ARGS__ },
    FR_METRIC_LIST(X)
#undef X
};

static void count(_Atomic uint64_t *counter, uint64_t by)
{
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

static uint64_t value_of(_Atomic uint64_t *counter)
{
    return atomic_load_explicit(counter, memory_order_relaxed);
}

void fr_metrics_count(struct fr_metrics *metrics, enum fr_metric metric)
{
    count(&metrics->single[metric], 1);
}

void fr_metrics_set(struct fr_metrics *metrics, enum fr_metric metric, uint64_t value)
{
    atomic_store_explicit(&metrics->single[metric], value, memory_order_relaxed);
}

void fr_metrics_init(struct fr_metrics *metrics)
{
    fr_metrics_set(metrics, FR_METRIC_STARTED, (uint64_t)time(NULL));
    fr_metrics_set(metrics, FR_METRIC_DISK_FREE, UINT64_MAX);
}

void fr_metrics_request(struct fr_metrics *metrics, const struct fr_route *route, int status,
                        uint64_t latency_ns)
{
    const size_t place = route ? (size_t)(route - fr_routes) : FR_METRIC_ROUTES;
    size_t bucket = 0;

    while (bucket < FR_LATENCY_BUCKETS && latency_ns > bounds[bucket].ns)
        bucket++;
    if (status >= 100 && status < 600)
        count(&metrics->requests[place < FR_METRIC_ROUTES ? place : FR_METRIC_ROUTES][status / 100],
              1);
    count(&metrics->latency[bucket], 1);
    count(&metrics->latency_sum_ns, latency_ns);
}

void fr_metrics_predictions(struct fr_metrics *metrics, const struct fr_model *model, uint64_t by)
{
    for (size_t i = 0; fr_models[i] && i < FR_METRIC_MODELS; i++)
        if (fr_models[i] == model)
            count(&metrics->predictions[i], by);
}

void fr_metrics_limited(struct fr_metrics *metrics, enum fr_limit limit)
{
    count(&metrics->limited[limit], 1);
}

void fr_metrics_matrices(struct fr_metrics *metrics, const int64_t by_status[FR_MATRIX_STATUSES])
{
    for (int i = 0; i < FR_MATRIX_STATUSES; i++)
        atomic_store_explicit(&metrics->matrices[i], (uint64_t)by_status[i], memory_order_relaxed);
}

void fr_metrics_analysis(struct fr_metrics *metrics, bool is_ready, double time_s)
{
    count(is_ready ? &metrics->analyses : &metrics->analyses_failed, 1);
    count(&metrics->analysis_ns, (uint64_t)(time_s * 1e9));
}

void fr_metrics_tls(struct fr_metrics *metrics, time_t expires_at)
{
    atomic_store_explicit(&metrics->tls_expires_at, expires_at, memory_order_relaxed);
}

static void write_head(struct fr_writer *w, const char *name, const char *type, const char *help)
{
    fr_writer_printf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_singles(struct fr_metrics *metrics, struct fr_writer *w)
{
    for (int i = 0; i < FR_METRICS; i++) {
        const uint64_t value = value_of(&metrics->single[i]);

        if (i == FR_METRIC_DISK_FREE && value == UINT64_MAX)
            continue;
        write_head(w, singles[i].name, singles[i].type, singles[i].help);
        fr_writer_printf(w, "%s %" PRIu64 "\n", singles[i].name, value);
    }
}

static void write_requests(struct fr_metrics *metrics, struct fr_writer *w)
{
    bool has_ended = false;

    write_head(w, "forerun_requests_total", "counter", "Requests answered, by route and status.");
    for (size_t i = 0; i <= FR_METRIC_ROUTES; i++) {
        const struct fr_route *route;

        has_ended = has_ended || !fr_routes[i].path;
        route = i < FR_METRIC_ROUTES && !has_ended ? &fr_routes[i] : NULL;
        for (int status = 1; status < 6; status++) {
            const uint64_t value = value_of(&metrics->requests[i][status]);

            if (value)
                fr_writer_printf(w,
                                 "forerun_requests_total{method=\"%s\",route=\"%s\","
                                 "status=\"%dxx\"} %" PRIu64 "\n",
                                 route ? fr_method_names[route->method] : "",
                                 route ? route->path : "none", status, value);
        }
    }
}

static void write_latency(struct fr_metrics *metrics, struct fr_writer *w)
{
    const char *name = "forerun_request_duration_seconds";
    uint64_t sum = 0;

    write_head(w, name, "histogram", "From the request line to the answer, in seconds.");
    for (size_t i = 0; i < FR_LATENCY_BUCKETS; i++) {
        sum += value_of(&metrics->latency[i]);
        fr_writer_printf(w, "%s_bucket{le=\"%s\"} %" PRIu64 "\n", name, bounds[i].seconds, sum);
    }
    sum += value_of(&metrics->latency[FR_LATENCY_BUCKETS]);
    fr_writer_printf(w, "%s_bucket{le=\"+Inf\"} %" PRIu64 "\n%s_sum ", name, sum, name);
    fr_writer_number(w, (double)value_of(&metrics->latency_sum_ns) * 1e-9);
    fr_writer_printf(w, "\n%s_count %" PRIu64 "\n", name, sum);
}

static void write_predictions(struct fr_metrics *metrics, struct fr_writer *w)
{
    write_head(w, "forerun_predictions_total", "counter", "Predictions computed, by model.");
    for (size_t i = 0; fr_models[i] && i < FR_METRIC_MODELS; i++)
        fr_writer_printf(w, "forerun_predictions_total{model=\"%s\"} %" PRIu64 "\n",
                         fr_models[i]->name, value_of(&metrics->predictions[i]));
}

static void write_matrices(struct fr_metrics *metrics, struct fr_writer *w)
{
    write_head(w, "forerun_matrices", "gauge", "Matrices stored, by status.");
    for (int i = 0; i < FR_MATRIX_STATUSES; i++)
        fr_writer_printf(w, "forerun_matrices{status=\"%s\"} %" PRIu64 "\n",
                         fr_matrix_status_name((enum fr_matrix_status)i),
                         value_of(&metrics->matrices[i]));
    write_head(w, "forerun_analyses_total", "counter",
               "Orderings of matrices analyzed, by what came of it.");
    fr_writer_printf(w, "forerun_analyses_total{status=\"ready\"} %" PRIu64 "\n",
                     value_of(&metrics->analyses));
    fr_writer_printf(w, "forerun_analyses_total{status=\"failed\"} %" PRIu64 "\n",
                     value_of(&metrics->analyses_failed));
    write_head(w, "forerun_analysis_seconds_total", "counter", "Seconds that they took together.");
    fr_writer_text(w, "forerun_analysis_seconds_total ");
    fr_writer_number(w, (double)value_of(&metrics->analysis_ns) * 1e-9);
    fr_writer_text(w, "\n");
}

static void write_limited(struct fr_metrics *metrics, struct fr_writer *w)
{
    static const char name[] = "forerun_requests_limited_total";

    write_head(w, name, "counter", "Requests answered with 429, by the limit of their client.");
    for (int i = 0; i <= FR_LIMITS; i++)
        fr_writer_printf(w, "%s{limit=\"%s\"} %" PRIu64 "\n", name,
                         i < FR_LIMITS ? fr_limit_name((enum fr_limit)i) : "queue_share",
                         value_of(&metrics->limited[i]));
}

/* Infinity without TLS, so that the alert needs no exception. */
static void write_tls(struct fr_metrics *metrics, struct fr_writer *w)
{
    static const char name[] = "forerun_tls_expiry_timestamp_seconds";
    const int64_t at = atomic_load_explicit(&metrics->tls_expires_at, memory_order_relaxed);

    write_head(w, name, "gauge", "When the certificate ends, Unix time; +Inf without TLS.");
    if (at)
        fr_writer_printf(w, "%s %" PRId64 "\n", name, at);
    else
        fr_writer_printf(w, "%s +Inf\n", name);
}

void fr_metrics_write(struct fr_metrics *metrics, struct fr_writer *w)
{
    write_requests(metrics, w);
    write_latency(metrics, w);
    write_predictions(metrics, w);
    write_singles(metrics, w);
    write_matrices(metrics, w);
    write_limited(metrics, w);
    write_tls(metrics, w);
    write_head(w, "forerun_build_info", "gauge", "Always 1; the version is its label.");
    fr_writer_printf(w, "forerun_build_info{version=\"%s\"} 1\n", FR_VERSION);
}
