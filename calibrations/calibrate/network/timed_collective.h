/* Collective operations, timed. */
#ifndef FR_TIMED_COLLECTIVE_H
#define FR_TIMED_COLLECTIVE_H

#include "calibrations/calibrate/core/options.h"
#include "calibrations/calibrate/network/networking.h"
#include "engine/calibration/calibration.h"

#include <mpi.h>

/* ---- timed collective ------------------------------------------------------------------ */

/* Timing what ranks do at once, and the buffers and clocks that this takes. */

/* ---- message buffer -------------------------------------------------------------------- */

/* Buffers for messages. */

/* The longest message such that every rank can hold `buffers` of them in half of the free memory:
 * `bytes`, or that halved until it fits, which is reported in the name of `bench`.  Collective over
 * all ranks. */
int fr_message_buffer_for(const struct fr_context *context, const char *bench, int64_t bytes,
                          int buffers);

/* A buffer for messages, not for records; ends the program where memory runs out.  Every page is
 * touched, except on a simulated cluster, where that is not timed.  The caller frees it. */
char *fr_message_buffer_take(const struct fr_context *context, int64_t bytes);

/* ---- together -------------------------------------------------------------------------- */

/* A common start of all processes of a team. */

struct fr_world;

/* Whether all ranks have one clock. */
bool fr_together_has_clock(const struct fr_world *world);
/* Collective over `team`: all ranks return at the same time where they have one clock, and about
 * the same time elsewhere. */
void fr_together_start(const struct fr_world *world, MPI_Comm team);

/* ---- timed collective ------------------------------------------------------------------ */

/* Times operations that all processes of a team do at once.  A row is one operation with one size.
 * Rows are visited in random order, in as many rounds as there are repetitions.  Each time, all
 * processes leave a barrier together, and the mean and the slowest process are kept. */

enum { FR_ROUNDS_MAX = 99, FR_TRIES_MAX = 15 };

struct fr_timed_collective {
    int rounds;     /* the same on every rank */
    double spent_s; /* on rank 0 of the team, like the next line */
    double average_s[FR_ROUNDS_MAX], maximum_s[FR_ROUNDS_MAX];
};

struct fr_workload {
    /* Returns the number of repetitions, which divides the time, or 0 if this process takes no part
     * and does not count in the mean. */
    int (*run)(void *with, int row);
    void *with;
    int first;              /* what the first row is called */
    int tries;              /* in a round, which keeps their median; 0: one */
    double *own_s;          /* by row: this process's time in the last try; or NULL */
    bool is_together;       /* starts as fr_together_start does, instead of after a barrier */
    const double *paused_s; /* pauses in the last run, which are no part of its time; or NULL */
};

/* Measures the rows.  Collective over `team`.  Stops at the time limit; a row whose repetitions
 * have taken a second is not repeated.  `what` is the text of the progress report. */
void fr_timed_collective_measure(struct fr_context *context, MPI_Comm team, const char *what,
                                 const struct fr_workload *workload,
                                 struct fr_timed_collective *rows, int count);

/* Medians over the rounds, 0 without rounds.  They sort the rounds. */
double fr_timed_collective_average_s(struct fr_timed_collective *row);
double fr_timed_collective_maximum_s(struct fr_timed_collective *row);

/* The number of samples of the measured rows, and their spreads. */
enum { FR_SPREADS_MAX = 4096 };
struct fr_collective_summary {
    int samples, spreads;
    double spread[FR_SPREADS_MAX]; /* of the first FR_SPREADS_MAX rows */
};
void fr_timed_collective_count(struct fr_collective_summary *summary,
                               struct fr_timed_collective *rows, int count);
/* The source of values that were made from the medians; sorts the spreads. */
struct fr_source fr_timed_collective_source(struct fr_collective_summary *summary);

/* Messages from one process to another: sent and received, or put into or got from a window of the
 * memory of the other process. */

struct fr_transfer_way {
    enum fr_transfer transfer;
    MPI_Comm comm;         /* borrowed */
    int rank, size;        /* in comm */
    char *sent, *received; /* borrowed */
    MPI_Win window;        /* over `received` (put), `sent` (get) or memory of MPI */
};

/* Opens a way over buffers of `bytes` bytes.  This and the next three functions are collective over
 * `comm`. */
struct fr_transfer_way fr_transfer_open(enum fr_transfer transfer, MPI_Comm comm, char *sent,
                                        char *received, int bytes);
void fr_transfer_close(struct fr_transfer_way *way);

/* Seconds from rank 0 to rank 1 of two, known on rank 0 alone: of data just written and sent, or
 * of one transfer with its synchronization.  The mean of `trips`. */
double fr_transfer_s(const struct fr_transfer_way *way, int bytes, int trips);

/* Every process passes `bytes` to the rank at `distance`. */
void fr_transfer_shift(const struct fr_transfer_way *way, int distance, int bytes);

/* A short description for sources. */
const char *fr_transfer_description(enum fr_transfer transfer);

/* Broadcast algorithms built from point-to-point messages. */

enum { FR_BROADCASTS = FR_SCATTER_RING + 1 };

/* Broadcasts from rank 0 with an enum fr_broadcast_algorithm, by point-to-point messages; the
 * number of ranks is a power of two. */
void fr_broadcast_run(int algorithm, MPI_Comm comm, char *data, int bytes);

/* Exchanges at distances 1, 2, 4, ... one after another, as in recursive doubling. */

enum { FR_DOUBLING_ROUNDS = 32 };

/* Exchanges `bytes` with rank XOR distance, where that rank exists, `times` times. */
void fr_doubling_swap(MPI_Comm team, int distance, char *sent, char *received, int bytes,
                      int times);

/* What each round adds to the time of the slowest process when the rounds follow each other; median
 * over the repetitions, on rank 0.  The rounds add up to the time of the whole sequence. Collective
 * over `team`.  Returns the number of rounds, or 0 if there was no time. */
int fr_doubling_measure(const struct fr_context *context, MPI_Comm team, char *sent, char *received,
                        int bytes, double added_s[FR_DOUBLING_ROUNDS]);

/* The time of the messages of an allreduce of a number of processes that is no power of two: each
 * process beyond the power hands its part to a neighbor before the rounds of recursive doubling,
 * and gets the result after them (docs/models/krylov.md#allreduce-from-exchanges). */

struct fr_folds {
    int times_each;               /* allreduces one after another */
    int sizes, size[FR_LIST_MAX]; /* numbers of processes, on every rank of their teams */
    struct fr_timed_collective times[FR_LIST_MAX];
    struct fr_collective_summary summary;
};

/* The number of processes that a team of so many measures: three quarters of a power of two; else
 * all.  0 if there are none. */
int fr_fold_processes(int processes);
/* Adds the rows of the team to the document, one for each size, on its rank 0.  `what` is the text
 * of the progress report.  The buffers hold a message each.  Collective over `team`. */
void fr_fold_measure(struct fr_context *context, MPI_Comm team, const char *what,
                     const struct fr_list *messages, char *sent, char *received,
                     struct fr_folds *folds);
/* Adds the source of the rows, if there are any. */
void fr_fold_record(struct fr_context *context, struct fr_folds *folds);

#endif
