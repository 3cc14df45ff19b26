/* A benchmark: a descriptor in a file of its own, and a line in list.h; and what it uses of a run.
 */
#ifndef FR_BENCH_H
#define FR_BENCH_H

#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/core/plan.h"
#include "calibrations/calibrate/core/sample.h"
#include "calibrations/calibrate/core/world.h"

/* ---- bench ----------------------------------------------------------------------------- */

/* A benchmark: a descriptor in a file of its own, and a line in list.h. */

struct fr_networking;
struct fr_modeling;

/* State of a run.  Every rank has one; the document of rank 0 is written. */
struct fr_context {
    const struct fr_calibrate_options *options;
    const struct fr_networking *networking; /* options of the network's benchmarks */
    const struct fr_modeling *modeling;     /* options of routine_models */
    const struct fr_world *world;
    const struct fr_cores *cores;
    struct fr_document *document; /* owned by main */
    struct fr_random random;      /* the same on every rank; all ranks draw the same numbers */
    double started_s;             /* MPI_Wtime at the start */
    int cores_per_node;
    int most_threads;              /* largest thread count of the kernels measured */
    double core_peak_flops_per_s;  /* 0: not known */
    struct fr_protocols protocols; /* count 0: not measured */
    bool has_failed;               /* on rank 0: an error was reported, so the exit status is 1 */
    struct fr_allreduce allreduce; /* on rank 0 */
    struct fr_pings pings;         /* count on all ranks, the rest on rank 0 */
    struct fr_bandwidths memory;
    struct fr_plan plan;
    int part;                           /* of the benchmark that runs, from 0 */
    int left;                           /* benchmarks still to come */
    double later_s;                     /* that those should take, as far as it is known */
    bool is_later_open;                 /* that of some is not known */
    char missing[4000], warnings[6000]; /* on rank 0, for the description */
};

struct fr_bench {
    const char *name;
    const char *group; /* of the document */
    const char *summary;
    int needs_ranks;
    bool is_timing_cores; /* so it cannot run on a simulated cluster */
    bool is_alone;        /* runs on rank 0 alone, bound to the first core, while the others wait */
    bool is_check;        /* writes no value */
    bool keeps_samples;   /* in a file that it reads: running it again measures nothing */
    int parts;            /* run once for each, which is repeated alone if disturbed; 0: one */
    const char *after;    /* benchmarks whose results it uses, separated by commas, or NULL */
    /* Called on rank 0 before any benchmark runs; may be NULL.  Returns 0, or -1 with an error
     * message in `why`. */
    int (*check)(const struct fr_context *context, char why[160]);
    /* On all ranks, after the benchmarks that it needs: announces the measurements that
     * fr_plan_begin may leave out; may be NULL. */
    void (*plan)(struct fr_context *context);
    /* On rank 0: the seconds that it should take here, from what has been measured so far; NULL:
     * not known. */
    double (*expected_s)(const struct fr_context *context);
    /* Collective over all ranks, unless it is_alone. */
    void (*run)(struct fr_context *context);
};

/* Whether rank 0 of `comm` has passed the time limit or received a signal.  Collective over `comm`.
 */
bool fr_bench_is_late(const struct fr_context *context, MPI_Comm comm);

/* `expected_s` of a benchmark that times nothing. */
double fr_bench_no_time_s(const struct fr_context *context);

enum { FR_IN_ALL_BYTES = 48 };
/* Writes ", 130 s in all" with the benchmarks still to come, where `left_s` remain of the present
 * one; nothing after the last one. */
const char *fr_bench_in_all(const struct fr_context *context, double left_s,
                            char out[FR_IN_ALL_BYTES]);

/* On rank 0: reports that `what` was not measured, and adds it to the description of the document.
 */
void fr_bench_missing(struct fr_context *context, const char *what, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Likewise for a number of processes that exceeds the job. */
void fr_bench_missing_processes(struct fr_context *context, const char *bench, int64_t processes);

/* Fills `out` with the process counts to measure, the largest first: the requested counts up to the
 * size of the job, or powers of two.  Reports larger ones as missing; `bench` NULL: does not.
 * Returns whether there are any. */
bool fr_bench_processes(struct fr_context *context, const char *bench, struct fr_list *out);

/* Rank 0 prints a line on standard error. */
void fr_bench_say(const struct fr_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* ---- progress -------------------------------------------------------------------------- */

/* Progress of a benchmark on standard error. */

struct fr_progress {
    const struct fr_context *context;
    const char *what;
    double total; /* work in any unit */
    double done;
    double started_s, shown_s;
};

struct fr_progress fr_progress_begin(const struct fr_context *context, const char *what,
                                     double total);
/* Adds work done; prints a line at most once a second. */
void fr_progress_add(struct fr_progress *progress, double work);
/* For a benchmark that knows the seconds left: whether a line is due, a second after the last one;
 * and the line. */
bool fr_progress_is_due(const struct fr_progress *progress);
void fr_progress_show(struct fr_progress *progress, double left_s);
void fr_progress_end(struct fr_progress *progress);

/* ---- nodes ----------------------------------------------------------------------------- */

/* A value measured on all nodes at once, and the differences between nodes. */

struct fr_nodes {
    int count; /* nodes with a value */
    double median, lowest, highest;
};

/* Gathers the value of the first rank of each node; NAN means none.  Collective over all ranks; the
 * result is the same on all. */
struct fr_nodes fr_nodes_gather(const struct fr_context *context, double own);

/* (highest - lowest) / median; 0 for one node. */
double fr_nodes_difference(const struct fr_nodes *nodes);

enum { FR_NODES_TEXT_BYTES = 80 };
/* Writes ", median of 4 nodes that differ by 1.2 %" for a source; nothing for one node. */
const char *fr_nodes_text(const struct fr_nodes *nodes, char out[FR_NODES_TEXT_BYTES]);

/* Warns if nodes differ too much to be described by one document. */
void fr_nodes_check(struct fr_context *context, const char *what, const struct fr_nodes *nodes);

/* ---- warnings -------------------------------------------------------------------------- */

/* Warnings about the machine, printed on standard error and added to the description of the
 * document. */

/* Has no effect on ranks other than 0. */
void fr_bench_warn(struct fr_context *context, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Collective, before measuring: frequency scaling, different nodes. */
void fr_warn_of_hosts(struct fr_context *context);
/* After measuring, on rank 0: large spreads. */
void fr_warn_of_noise(struct fr_context *context);

#endif
