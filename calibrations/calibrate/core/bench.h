/* A benchmark is a descriptor in a file of its own and a line in list.h. */
#ifndef FR_BENCH_H
#define FR_BENCH_H

#include "calibrations/calibrate/core/binding.h"
#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/core/world.h"
#include "calibrations/calibrate/network/protocol.h"

/* The ping-pong's times, which have more detail than the protocols fitted to them. */
struct fr_pings {
    bool has[FR_PATHS];
    int count, samples;                /* count 0: not measured */
    double spread;                     /* the median of the sizes' */
    struct fr_ping ping[FR_PINGS_MAX]; /* message_bytes ascending */
};

/* What the collectives' check has found. */
struct fr_allreduce {
    int processes, messages_per_round; /* 0: not measured */
};

/* Of a node's memory, by a triad; 0: not measured. */
struct fr_bandwidths {
    double node_bytes_per_s, core_bytes_per_s; /* all cores together; one alone */
    int samples;
    double spread; /* the node's */
};

/* What a run has and has found so far.  Every rank has one; rank 0's document is written. */
struct fr_context {
    const struct fr_calibrate_options *options;
    const struct fr_world *world;
    const struct fr_cores *cores;
    struct fr_document *document; /* owned by main */
    struct fr_random random;      /* the same on every rank, drawn from by all alike */
    double started_s;             /* MPI_Wtime at the start */
    int cores_per_node;
    int most_threads;              /* of a kernel measured */
    double core_peak_flops_per_s;  /* 0: not known */
    struct fr_protocols protocols; /* count 0: not measured */
    bool has_failed;               /* on rank 0, and said there: the exit status says it, too */
    struct fr_allreduce allreduce; /* on rank 0 */
    struct fr_pings pings;         /* count on all ranks, the rest on rank 0 */
    struct fr_bandwidths memory;
    int left;                        /* benchmarks still to come */
    char lacks[1000], remarks[1000]; /* on rank 0, for the description */
};

struct fr_bench {
    const char *name;
    const char *group; /* of the document */
    const char *summary;
    int needs_ranks;
    bool is_timing_cores; /* of which a simulated cluster has none */
    bool is_check;        /* writes no value */
    const char *after;    /* another benchmark whose result it uses, or NULL */
    /* Whether it can be run as asked for, before any is; on rank 0 alone.  Returns 0, or -1 with a
     * sentence in `why`; NULL: always. */
    int (*check)(const struct fr_calibrate_options *options, char why[160]);
    /* Collective over all ranks. */
    void (*run)(struct fr_context *context);
};

#define FR_BENCH(name) extern const struct fr_bench fr_bench_##name;
#include "calibrations/calibrate/list.h"
#undef FR_BENCH

/* Whether the time limit has passed, or a signal has come, on rank 0 of `comm`; collective there.
 */
bool fr_bench_is_late(const struct fr_context *context, MPI_Comm comm);

/* Adds to what the document says that it lacks, and says so; by rank 0. */
void fr_bench_missing(struct fr_context *context, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same of a number of processes that the job does not have. */
void fr_bench_missing_processes(struct fr_context *context, const char *bench, int64_t processes);

/* The numbers of processes to measure with: those asked for that the job has, or powers of two.
 * Whether there are any. */
bool fr_bench_processes(struct fr_context *context, const char *bench, struct fr_list *out);

/* A line on standard error by rank 0. */
void fr_bench_say(const struct fr_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
