/* Computation from a saved run: its measured phases over what the calibration estimates for it
 * (docs/models/krylov_problem.md#saved-runs). */
#ifndef FR_KRYLOV_TRANSFER_H
#define FR_KRYLOV_TRANSFER_H

#include "engine/krylov/solvers/solvers.h"
#include "engine/krylov/solvers/traffic.h"
#include "engine/runs/saved_run.h"

/* By what estimates are multiplied. */
struct krylov_correction {
    double matvec, preconditioner, vector;
    bool is_split; /* only whole iterations were measured: one factor for all phases */
};

/* Whether the run tells its computation. */
bool krylov_is_measured(const struct fr_saved_run *run);
/* The slowest process counts: its median over the iterations, or its first quartile where no
 * allreduce of the solver blocks, because others then wait within a phase.  `each` is the estimate
 * at the run's own parameters. */
struct krylov_correction krylov_correction(const struct fr_saved_run *run,
                                           const struct krylov_solver *solver,
                                           const struct krylov_counts *iteration,
                                           const struct krylov_estimate *each);
/* Products, applications and words of an average iteration. */
struct krylov_counts krylov_average_iteration(const struct krylov_solver *solver,
                                              int64_t iterations, int64_t restart);

#endif
