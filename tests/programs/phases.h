/* The time of the ranks, by the phases of a model. */
#ifndef PHASES_H
#define PHASES_H

#include <mpi.h>

#include "server/json/writer.h"

enum { PHASES_MAX = 16, PHASE_NONE = -1 };

struct phases {
    const char *const *name; /* names of the phases of the model, NULL-terminated */
    int current;
    double since_s;
    double time_s[PHASES_MAX]; /* of this rank, over all repetitions */
};

struct phases phases_new(const char *const *names);
/* Begins a phase, or none.  Returns the phase before. */
int phases_enter(struct phases *phases, int phase);
/* Adds time of a phase that ran during another. */
void phases_add(struct phases *phases, int phase, double seconds);

/* Collective.  Writes the means over ranks and repetitions as "breakdown" of the run, and the means
 * of the slowest ranks as "notes".  Only rank 0 of `comm` uses `run`. */
void phases_write(const struct phases *phases, int repetitions, MPI_Comm comm,
                  struct fr_writer *run);

#endif
