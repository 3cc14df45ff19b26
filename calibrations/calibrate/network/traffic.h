/* Traffic of ports, by their counters. */
#ifndef FR_TRAFFIC_H
#define FR_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The counters of InfiniBand ports as Linux shows them: FOLDER/DEVICE/ports/NUMBER/counters/NAME.
 */

#define FR_PORTS_FOLDER "/sys/class/infiniband"
enum { FR_PORT_COUNTERS_MAX = 512, FR_PORT_NAME_BYTES = 80 };

struct fr_port_counter {
    char name[FR_PORT_NAME_BYTES]; /* DEVICE,NUMBER,NAME */
    uint64_t value;
};

struct fr_port_counters {
    int count;
    struct fr_port_counter counter[FR_PORT_COUNTERS_MAX]; /* by name */
};

/* Skips values that are not numbers; a missing folder has no counters. */
void fr_port_counters_read(const char *folder, struct fr_port_counters *out);

struct fr_writer;
/* Appends a line `PREFIX,DEVICE,NUMBER,NAME,DIFFERENCE` for each counter of both that has changed;
 * one that went backwards was reset or has wrapped, and counts as its new value. */
void fr_port_counters_difference(const struct fr_port_counters *before,
                                 const struct fr_port_counters *after, const char *prefix,
                                 struct fr_writer *out);

/* What went through the nodes' network ports while a benchmark ran, in a table beside the document.
 */

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
