/* A benchmark: a descriptor in a file of its own, and a line in list.h. */
#ifndef FR_BENCH_H
#define FR_BENCH_H

#include "calibrations/calibrate/core/binding.h"
#include "calibrations/calibrate/core/document.h"
#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/results.h"
#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/core/world.h"

struct fr_networking;
struct fr_modeling;

/* What a run has and has found so far.  Every rank has one; rank 0's document is written. */
struct fr_context {
    const struct fr_calibrate_options *options;
    const struct fr_networking *networking; /* options of the network's benchmarks */
    const struct fr_modeling *modeling;     /* options of routine_models */
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
    int left;                           /* benchmarks still to come */
    char missing[1000], warnings[1000]; /* on rank 0, for the description */
};

struct fr_bench {
    const char *name;
    const char *group; /* of the document */
    const char *summary;
    int needs_ranks;
    bool is_timing_cores; /* of which a simulated cluster has none */
    bool is_check;        /* writes no value */
    const char *after;    /* another benchmark whose result it uses, or NULL */
    /* Called on rank 0 before any benchmark runs; may be NULL.  Returns 0, or -1 with an error
     * message in `why`. */
    int (*check)(const struct fr_context *context, char why[160]);
    /* Collective over all ranks. */
    void (*run)(struct fr_context *context);
};

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
