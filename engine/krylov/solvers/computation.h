/* Computation of cg (docs/models/krylov.md#computation) and the wait of an allreduce for the
 * slowest process (docs/models/krylov.md#synchronization). */
#ifndef FR_KRYLOV_COMPUTATION_H
#define FR_KRYLOV_COMPUTATION_H

#include "engine/krylov/communication/krylov.h"
#include "engine/krylov/solvers/solvers.h"

/* Seconds of one product, of one preconditioner application, and of the vector work of one
 * iteration. */
struct krylov_computation {
    double matvec_s, preconditioner_s, vector_s;
};

/* FR_OK, or a fault if neither the run nor the calibration has what the next two functions need. */
int krylov_check_computation(const struct krylov_grid_values *v, const struct krylov_solver *solver,
                             double wait_fraction, const struct fr_calibration *cal,
                             struct fr_faults *faults);
/* Times by the run if it has any, else a bound; adds a warning unless the run fits exactly. */
struct krylov_computation krylov_computation(const struct krylov_grid_values *v,
                                             const struct krylov_solver *solver,
                                             struct fr_evaluation *run);
/* Y: seconds that each allreduce waits, by `wait_fraction` of the computation `each`, or, where
 * that is NaN, by the run; 0 with a warning without either. */
double krylov_synchronization_s(const struct krylov_grid_values *v,
                                const struct krylov_solver *solver, double wait_fraction,
                                const struct krylov_computation *each, struct fr_evaluation *run);

/* Stencil entries of the rows of a process: all, and those whose column is on the same process. */
double krylov_entries(const struct fr_vector *local_grid);
double krylov_inside_entries(const struct fr_vector *local_grid);

#endif
