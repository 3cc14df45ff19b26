/* Hardware counters of the processor during a call, if the kernel gives access to them. */
#ifndef FR_COUNTERS_H
#define FR_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/blocked/call.h"

enum fr_metric {
    FR_TICKS,        /* of the time stamp counter */
    FR_INSTRUCTIONS, /* in user mode, as all below */
    FR_LOADS,        /* reads from the level-1 data cache */
    FR_STORES,       /* writes to the level-1 data cache */
    FR_CACHE_MISSES, /* of the last-level cache */
    FR_TLB_MISSES,   /* data TLB misses of reads */
    FR_METRICS
};

extern const char *const fr_metric_names[FR_METRICS];

/* Reads a list such as "ticks,loads".  "seconds" is accepted and ignored, because times are always
 * measured.  Returns 0, or -1 with an error message in `why`. */
int fr_metrics_read(const char *list, bool wanted[FR_METRICS], char why[BLOCKED_WHY_BYTES]);

/* Counters of the calling thread alone. */
struct fr_counters {
    bool is_open[FR_METRICS]; /* wanted and available */
    int file[FR_METRICS];     /* of those that are open, except ticks */
    struct fr_count {
        uint64_t value, enabled_ns, running_ns;
    } begun[FR_METRICS];
};

/* Opens the wanted counters; reports on standard error those that are not available. */
void fr_counters_open(struct fr_counters *counters, const bool wanted[FR_METRICS]);
void fr_counters_close(struct fr_counters *counters);

void fr_counters_begin(struct fr_counters *counters);
/* Writes the counts since begin; NAN for a counter that is not open or did not run. */
void fr_counters_end(const struct fr_counters *counters, double value[FR_METRICS]);

#endif
