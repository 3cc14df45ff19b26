/* Timing what ranks do at once, and the buffers and clocks that this takes. */
#ifndef FR_TIMED_COLLECTIVE_H
#define FR_TIMED_COLLECTIVE_H

#include "engine/calibration/provenance.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- message buffer -------------------------------------------------------------------- */

/* Buffers for messages. */

struct fr_context;

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

struct fr_context;

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

#endif
