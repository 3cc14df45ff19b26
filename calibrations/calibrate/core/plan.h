/* What the run has found that later benchmarks use, and the plan that is made from it. */
#ifndef FR_PLAN_H
#define FR_PLAN_H

#include "engine/calibration/calibration.h"

/* ---- results --------------------------------------------------------------------------- */

/* Results that one benchmark needs of another. */

enum fr_path { FR_OFF_NODE, FR_ON_NODE, FR_PATHS };
enum { FR_PROTOCOLS_MAX = 6, FR_PINGS_MAX = 160 };

/* The time of one message size, on both paths. */
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

/* ---- plan ------------------------------------------------------------------------------ */

/* What a job measures with many processes at once, and how long each measurement takes.
 *
 * Benchmarks announce their measurements before the first one runs.  With --time-limit, a
 * measurement is made only if time remains for it and for all that tell more: those of the whole
 * job before those of fewer processes, and one layer before several.  Times are expected from a
 * message that all processes send at once, and corrected by what earlier measurements took.
 */

struct fr_context;

enum { FR_PLAN_ITEMS_MAX = 400, FR_PLAN_WHAT_BYTES = 48 };

struct fr_plan_item {
    char what[FR_PLAN_WHAT_BYTES]; /* "patterns of 256:4" */
    int processes, layers;
    int operations;    /* timed in each round */
    double expected_s; /* of all rounds, before the correction */
    bool is_over;      /* measured or left out */
};

struct fr_plan {
    struct fr_plan_item item[FR_PLAN_ITEMS_MAX];
    int items;
    struct fr_link all;         /* a message while all processes send; zeros: not known */
    double expected_s, spent_s; /* of the measured items */
    double began_s;
    bool has_cuts; /* the benchmark that runs left an item out for lack of time */
};

/* Seconds of one operation that is a sequence of `messages` messages of `bytes`, with the barrier
 * before it and the two reductions after it. */
double fr_plan_operation_s(const struct fr_plan *plan, int processes, double messages,
                           double bytes);

/* Announces a measurement of so many operations in a round; `expected_s` is the time of all
 * rounds. */
void fr_plan_add(struct fr_plan *plan, const char *what, int processes, int layers, int operations,
                 double expected_s);

/* The time that is expected of an item after the correction. */
double fr_plan_expected_s(const struct fr_plan *plan, int index);
/* Whether the item and all that tell more and are not over fit into that time. */
bool fr_plan_fits(const struct fr_plan *plan, int index, double left_s);

/* Names a measurement with so many processes: "burst of 16 processes". */
void fr_plan_name(const char *bench, int64_t processes, char out[FR_PLAN_WHAT_BYTES]);
/* The index of a measurement, or -1. */
int fr_plan_find(const struct fr_plan *plan, const char *what);
/* Writes the table on standard output; what exceeds the limit is left out. */
void fr_plan_print(const struct fr_plan *plan, double limit_s);

/* Collective over all ranks: begins an announced measurement, or reports that it is left out and
 * returns false.  What was not announced is made. */
bool fr_plan_begin(struct fr_context *context, const char *what);
void fr_plan_end(struct fr_context *context, const char *what);

#endif
