/* The counters of InfiniBand ports as Linux shows them: FOLDER/DEVICE/ports/NUMBER/counters/NAME.
 */
#ifndef FR_PORT_COUNTERS_H
#define FR_PORT_COUNTERS_H

#include <stdint.h>

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

#endif
