/* The nodes of a job beside each other, and what makes their numbers doubtful. */
#ifndef FR_HOSTS_H
#define FR_HOSTS_H

#include <stdbool.h>

struct fr_host {
    char cpu[80], governor[24]; /* empty where the system does not tell */
    int cores;
    bool is_boosting; /* the clock may be above the nominal one */
    bool is_first;    /* rank of its node; the others do not count */
};

enum { FR_HOSTS_WARNINGS = 4, FR_HOSTS_WARNING_BYTES = 300 };

/* Of one host for each rank, the first of them the one that the document names.  Returns how many
 * warnings there are. */
int fr_hosts_compare(const struct fr_host *host, int ranks,
                     char warning[FR_HOSTS_WARNINGS][FR_HOSTS_WARNING_BYTES]);

#endif
