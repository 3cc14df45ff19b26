/* Results that one benchmark needs of another. */
#ifndef FR_RESULTS_H
#define FR_RESULTS_H

#include <stdbool.h>

#include "engine/calibration/calibration.h"

enum fr_path { FR_OFF_NODE, FR_ON_NODE, FR_PATHS };
enum { FR_PROTOCOLS_MAX = 6, FR_PINGS_MAX = 160 };

/* Half a round trip of one message size, on both paths. */
struct fr_ping {
    double message_bytes;
    double time_s[FR_PATHS]; /* read only for the paths measured */
};

struct fr_protocols {
    int count; /* 0: not measured */
    bool has[FR_PATHS];
    double limit_bytes[FR_PROTOCOLS_MAX];  /* inclusive; HUGE_VAL for the last */
    double beyond_bytes[FR_PROTOCOLS_MAX]; /* the shortest message measured beyond that */
    struct fr_link line[FR_PROTOCOLS_MAX][FR_PATHS];
    double error_fraction; /* root mean square of the relative errors; those of outliers capped */
};

/* The times that the protocols are fitted to. */
struct fr_pings {
    bool has[FR_PATHS];
    int count, samples;                /* count 0: not measured */
    double spread;                     /* median over the sizes */
    struct fr_ping ping[FR_PINGS_MAX]; /* message_bytes ascending */
};

/* Messages per round of an allreduce. */
struct fr_allreduce {
    int processes, messages_per_round; /* 0: not measured */
};

/* Memory bandwidth of a node, by a triad; 0: not measured. */
struct fr_bandwidths {
    double node_bytes_per_s, core_bytes_per_s; /* all cores together; one alone */
    int samples;
    double spread; /* of node_bytes_per_s */
};

#endif
