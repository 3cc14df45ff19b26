/* What went through the nodes' network ports while a benchmark ran, in a table beside the document.
 */
#ifndef FR_TRAFFIC_H
#define FR_TRAFFIC_H

#include <stdbool.h>
#include <stdio.h>

#include "calibrations/calibrate/network/port_counters.h"

struct fr_context;

struct fr_traffic {
    FILE *file; /* on rank 0; NULL: not requested, or no node has counters */
    bool is_counting;
    struct fr_port_counters *before, *after; /* on the first rank of each node */
};

/* Begins the table in the file of --counters.  Collective.  Returns 0, or -1 on all ranks if it
 * cannot be written, which rank 0 reports. */
int fr_traffic_begin(struct fr_context *context, struct fr_traffic *traffic);
/* Called before and after each benchmark.  Collective. */
void fr_traffic_before(const struct fr_context *context, struct fr_traffic *traffic);
void fr_traffic_after(struct fr_context *context, struct fr_traffic *traffic, const char *bench);
/* Returns 0, or -1 if rank 0 could not write everything. */
int fr_traffic_end(struct fr_traffic *traffic);

#endif
