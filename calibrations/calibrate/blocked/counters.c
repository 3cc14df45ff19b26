/* Counters through perf_event_open, and the time stamp counter of x86. */
#include "calibrations/calibrate/blocked/sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__) || defined(__i386__)
#include <x86intrin.h>
#endif

const char *const fr_metric_names[FR_METRICS] = {
    [FR_TICKS] = "ticks",   [FR_INSTRUCTIONS] = "instructions", [FR_LOADS] = "loads",
    [FR_STORES] = "stores", [FR_CACHE_MISSES] = "cache_misses", [FR_TLB_MISSES] = "tlb_misses",
};

#define CACHE_EVENT(cache, operation, result)                                          \
    (PERF_COUNT_HW_CACHE_##cache | (uint64_t)PERF_COUNT_HW_CACHE_OP_##operation << 8 | \
     (uint64_t)PERF_COUNT_HW_CACHE_RESULT_##result << 16)

/* Ticks are read without the kernel, so they have no event. */
static const struct event {
    uint32_t type;
    uint64_t config;
} events[FR_METRICS] = {
    [FR_INSTRUCTIONS] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS },
    [FR_LOADS] = { PERF_TYPE_HW_CACHE, CACHE_EVENT(L1D, READ, ACCESS) },
    [FR_STORES] = { PERF_TYPE_HW_CACHE, CACHE_EVENT(L1D, WRITE, ACCESS) },
    [FR_CACHE_MISSES] = { PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES },
    [FR_TLB_MISSES] = { PERF_TYPE_HW_CACHE, CACHE_EVENT(DTLB, READ, MISS) },
};

/* Returns the metric, FR_METRICS for "seconds", or -1. */
static int find(const char *name, size_t length)
{
    for (int i = 0; i < FR_METRICS; i++)
        if (strlen(fr_metric_names[i]) == length && memcmp(fr_metric_names[i], name, length) == 0)
            return i;
    return length == 7 && memcmp(name, "seconds", 7) == 0 ? FR_METRICS : -1;
}

int fr_metrics_read(const char *list, bool wanted[FR_METRICS], char why[BLOCKED_WHY_BYTES])
{
    bool found[FR_METRICS + 1] = { false };

    for (const char *at = list;; at++) {
        const size_t length = strcspn(at, ",");
        const int metric = find(at, length);

        if (metric < 0) {
            snprintf(why, BLOCKED_WHY_BYTES,
                     "%.*s is not a metric; the metrics are seconds, ticks, instructions, loads, "
                     "stores, "
                     "cache_misses, tlb_misses",
                     (int)(length < 24 ? length : 24), at);
            return -1;
        }
        found[metric] = true;
        at += length;
        if (!*at)
            break;
    }
    memcpy(wanted, found, FR_METRICS * sizeof *found);
    return 0;
}

#if defined(__x86_64__) || defined(__i386__)
static const bool has_ticks = true;

static uint64_t ticks(void)
{
    unsigned processor;

    /* rdtscp waits for the preceding instructions. */
    return __rdtscp(&processor);
}
#else
static const bool has_ticks = false;

static uint64_t ticks(void)
{
    return 0;
}
#endif

static int open_event(const struct event *event)
{
    struct perf_event_attr attribute = { .type = event->type,
                                         .size = sizeof attribute,
                                         .config = event->config,
                                         .exclude_kernel = 1,
                                         .exclude_hv = 1,
                                         .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                                        PERF_FORMAT_TOTAL_TIME_RUNNING };

    return (int)syscall(SYS_perf_event_open, &attribute, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static const char *reason(int error)
{
    if (error == EACCES || error == EPERM)
        return "not permitted; kernel.perf_event_paranoid of 2 or less permits it";
    if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV)
        return "this processor or virtual machine does not count them";
    return strerror(error);
}

void fr_counters_open(struct fr_counters *counters, const bool wanted[FR_METRICS])
{
    char missing[120] = "";
    size_t used = 0;
    int error = 0;

    *counters = (struct fr_counters){ 0 };
    for (int i = 0; i < FR_METRICS; i++) {
        errno = EOPNOTSUPP;
        counters->file[i] = wanted[i] && i != FR_TICKS ? open_event(&events[i]) : -1;
        counters->is_open[i] = wanted[i] && (i == FR_TICKS ? has_ticks : counters->file[i] >= 0);
        if (!wanted[i] || counters->is_open[i])
            continue;
        error = errno;
        used += (size_t)snprintf(missing + used, sizeof missing - used, "%s%s", used ? ", " : "",
                                 fr_metric_names[i]);
    }
    if (error)
        fprintf(stderr, "forerun-calibrate: not counted: %s (%s)\n", missing, reason(error));
}

void fr_counters_close(struct fr_counters *counters)
{
    for (int i = 0; i < FR_METRICS; i++)
        if (counters->is_open[i] && i != FR_TICKS)
            close(counters->file[i]);
    *counters = (struct fr_counters){ 0 };
}

static struct fr_count count_now(int file)
{
    struct fr_count count;

    if (read(file, &count, sizeof count) != sizeof count)
        return (struct fr_count){ 0 };
    return count;
}

void fr_counters_begin(struct fr_counters *counters)
{
    for (int i = FR_METRICS - 1; i > FR_TICKS; i--)
        if (counters->is_open[i])
            counters->begun[i] = count_now(counters->file[i]);
    if (counters->is_open[FR_TICKS])
        counters->begun[FR_TICKS].value = ticks();
}

/* With more events than counters, each runs part of the time; its count is scaled to all of it. */
static double since(const struct fr_count *begun, const struct fr_count *ended)
{
    const double running = (double)(ended->running_ns - begun->running_ns);

    if (ended->running_ns <= begun->running_ns)
        return NAN;
    return (double)(ended->value - begun->value) * (double)(ended->enabled_ns - begun->enabled_ns) /
           running;
}

void fr_counters_end(const struct fr_counters *counters, double value[FR_METRICS])
{
    value[FR_TICKS] =
        counters->is_open[FR_TICKS] ? (double)(ticks() - counters->begun[FR_TICKS].value) : NAN;
    for (int i = FR_TICKS + 1; i < FR_METRICS; i++) {
        value[i] = NAN;
        if (counters->is_open[i]) {
            const struct fr_count ended = count_now(counters->file[i]);

            value[i] = since(&counters->begun[i], &ended);
        }
    }
}
