/* A common start of all processes of a team. */
#ifndef FR_TOGETHER_H
#define FR_TOGETHER_H

#include <stdbool.h>

#include <mpi.h>

struct fr_world;

/* Whether all ranks have one clock. */
bool fr_together_has_clock(const struct fr_world *world);
/* Collective over `team`: all ranks return at the same time where they have one clock, and about
 * the same time elsewhere. */
void fr_together_start(const struct fr_world *world, MPI_Comm team);

#endif
