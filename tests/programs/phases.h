/* Where the time of the ranks goes, by the phases of a model. */
#ifndef PHASES_H
#define PHASES_H

#include <mpi.h>

#include "server/json/writer.h"

enum { PHASES_MAX = 16, PHASE_NONE = -1 };

struct phases {
    const char *const *name; /* the model's; NULL ends them */
    int current;
    double since_s;
    double time_s[PHASES_MAX]; /* of this rank, all repetitions together */
};

struct phases phases_new(const char *const *names);
/* From now on time belongs to this phase, or to none; returns the phase before. */
int phases_enter(struct phases *phases, int phase);
/* Time of a phase that went by beside another. */
void phases_add(struct phases *phases, int phase, double seconds);

/* Collective: the means over ranks and repetitions as the run's "breakdown", those of the slowest
 * ranks as its "notes".  `run` is looked at on rank 0 of `comm` only. */
void phases_write(const struct phases *phases, int repetitions, MPI_Comm comm,
                  struct fr_writer *run);

#endif
