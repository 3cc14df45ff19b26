/* Comparison of the nodes of a job, with warnings about unreliable measurements. */
#ifndef FR_HOSTS_H
#define FR_HOSTS_H

#include <stdbool.h>

struct fr_host {
    char cpu[80], governor[24]; /* empty if unknown */
    int cores;
    bool is_boosting; /* the clock may be above the nominal one */
    bool is_first;    /* rank of its node; other ranks are ignored */
};

enum { FR_HOSTS_WARNINGS = 4, FR_HOSTS_WARNING_BYTES = 300 };

/* Compares the hosts of all ranks with the first, which the document describes.  Returns the number
 * of warnings. */
int fr_hosts_compare(const struct fr_host *host, int ranks,
                     char warning[FR_HOSTS_WARNINGS][FR_HOSTS_WARNING_BYTES]);

#endif
