/* What the processor counts during a call, where its kernel lets programs see it. */
#ifndef FR_COUNTERS_H
#define FR_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/blocked/call.h"

enum fr_metric {
    FR_TICKS,        /* of the time stamp counter */
    FR_INSTRUCTIONS, /* the program's own; so are all below */
    FR_LOADS,        /* reads of the level-1 data cache */
    FR_STORES,       /* writes to it */
    FR_CACHE_MISSES, /* of the last-level cache */
    FR_TLB_MISSES,   /* of reads, in the data TLB */
    FR_METRICS
};

extern const char *const fr_metric_names[FR_METRICS];

/* "ticks,loads"; "seconds" may stand there, too: they are always measured.  Returns 0, or -1 with a
 * sentence in `why`. */
int fr_metrics_read(const char *list, bool wanted[FR_METRICS], char why[BLOCKED_WHY_BYTES]);

/* Counters of the calling thread alone. */
struct fr_counters {
    bool is_there[FR_METRICS]; /* what is wanted and can be had */
    int file[FR_METRICS];      /* of those that are there, but for ticks */
    struct fr_count {
        uint64_t value, enabled_ns, running_ns;
    } begun[FR_METRICS];
};

/* What cannot be had is left out; says on standard error which. */
void fr_counters_open(struct fr_counters *counters, const bool wanted[FR_METRICS]);
void fr_counters_close(struct fr_counters *counters);

void fr_counters_begin(struct fr_counters *counters);
/* NAN for what is not there, or was not counted because others shared the counter. */
void fr_counters_end(const struct fr_counters *counters, double value[FR_METRICS]);

#endif
