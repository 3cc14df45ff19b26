/* The kernels of stencil.h in turn, on several cores at once.
 *
 * Each kernel finds in the caches what the others left there, as in a solver.  A kernel that is
 * repeated alone would find its own data there.
 */
#ifndef FR_STENCIL_TURNS_H
#define FR_STENCIL_TURNS_H

#include <stdbool.h>

struct fr_cores;
struct fr_list;

enum fr_stencil_kernel {
    FR_STENCIL_MULTIPLY,
    FR_STENCIL_SOLVE_CHOLESKY,
    FR_STENCIL_SOLVE_LU,
    FR_STENCIL_UPDATE,
    FR_STENCIL_UPDATE_FUSED,
    FR_STENCIL_KERNELS
};

struct fr_turns {
    const struct fr_cores *cores;
    int side;
    const struct fr_list *processes; /* counts of cores that work at once, rising */
    int count;                       /* turns with each of these counts */
    double (*clock_s)(void);         /* fr_stopwatch_s */
};

/* Of one process. */
struct fr_turned {
    double working_set_bytes;
    double bandwidth_bytes_per_s[FR_STENCIL_KERNELS]; /* by the median time of the turns */
};

/* The turns that make a round long enough for the clock and for short disturbances. */
int fr_turns_choose(int side, bool is_quick);
/* Fills turned[processes->count].  Each process has a stencil of its own.  Ends the program if
 * memory or threads run out. */
void fr_turns_run(const struct fr_turns *turns, struct fr_turned *turned);

#endif
