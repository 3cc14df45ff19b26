/* What the processes of cg compute, from a saved run or from memory bandwidth (krylov.md 8), and
 * how long an allreduce waits for the slowest of them (krylov.md 7.3). */
#ifndef FR_KRYLOV_COMPUTATION_H
#define FR_KRYLOV_COMPUTATION_H

#include "engine/krylov/krylov.h"
#include "engine/krylov/solvers.h"

/* Seconds of one matvec, of one preconditioner application, and of the vector work of an iteration.
 */
struct krylov_computation {
    double matvec_s, preconditioner_s, vector_s;
};

/* Refuses what makes the two that follow impossible. */
int krylov_check_computation(const struct krylov_grid_values *v, const struct krylov_solver *solver,
                             const struct fr_calibration *cal, struct fr_faults *faults);
struct krylov_computation krylov_computation(const struct krylov_grid_values *v,
                                             const struct krylov_solver *solver,
                                             struct fr_evaluation *run);
/* Y: seconds that each allreduce waits. */
double krylov_synchronization_s(const struct krylov_grid_values *v,
                                const struct krylov_solver *solver, struct fr_evaluation *run);

/* Stencil entries of a process's rows: all of them, and those that stay within the process. */
double krylov_entries(const struct fr_vector *local_grid);
double krylov_inside_entries(const struct fr_vector *local_grid);

#endif
