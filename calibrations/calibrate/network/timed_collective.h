/* What all processes of a team do at once, timed on each of them.
 *
 * A row is one thing that is done, with one size.  Rows are taken in random order, in as many
 * rounds as there are repetitions; each time all leave a barrier together, and the mean and the
 * slowest process are kept.
 */
#ifndef FR_TIMED_COLLECTIVE_H
#define FR_TIMED_COLLECTIVE_H

#include <mpi.h>

struct fr_context;

enum { FR_ROUNDS_MAX = 99, FR_TRIES_MAX = 15 };

struct fr_timed_collective {
    int rounds;     /* the same on every rank */
    double spent_s; /* on rank 0 of the team, as what follows */
    double average_s[FR_ROUNDS_MAX], maximum_s[FR_ROUNDS_MAX];
};

struct fr_workload {
    /* Returns how many times it did it, by which the time is divided, or 0 where this process took
     * no part, which the mean then leaves out. */
    int (*run)(void *with, int row);
    void *with;
    int first;     /* what the first row is called */
    int tries;     /* in a round, which keeps their median; 0: one */
    double *own_s; /* by row: this process's time in the last try; or NULL */
};

/* Collective over `team`; stops where the time is over, and repeats no row whose repetitions have
 * taken a second. `what` is for the progress. */
void fr_timed_collective_measure(struct fr_context *context, MPI_Comm team, const char *what,
                                 const struct fr_workload *workload,
                                 struct fr_timed_collective *rows, int count);

/* Medians over the rounds, 0 without one.  They sort the rounds. */
double fr_timed_collective_average_s(struct fr_timed_collective *row);
double fr_timed_collective_maximum_s(struct fr_timed_collective *row);

/* How many samples stand behind the rows that were measured, and their spreads. */
enum { FR_SPREADS_MAX = 4096 };
struct fr_collective_summary {
    int samples, spreads;
    double spread[FR_SPREADS_MAX]; /* the first so many rows' */
};
void fr_timed_collective_count(struct fr_collective_summary *summary,
                               struct fr_timed_collective *rows, int count);
/* In percent, the median; sorts the spreads. */
double fr_timed_collective_spread(struct fr_collective_summary *summary);

#endif
