/* The values of the model solve, as its files share them (docs/models/krylov_problem.md). */
#ifndef FR_KRYLOV_SOLVE_H
#define FR_KRYLOV_SOLVE_H

#include "engine/krylov/partition/partition.h"
#include "engine/krylov/solvers/solvers.h"

struct krylov_solve {
    struct krylov_grid_values grid;
    int64_t iterations, restart, dof;
    struct fr_vector global_grid;
    int solver, system, preconditioner, stencil, grid_shape, partition;
    int placement, link_sharing, progress, matvec_overlap;
    int smoother, coarse_solver;
    int64_t pre_sweeps, post_sweeps, coarsest_rows;
    struct fr_words matrix, levels;
    const struct fr_partition_source *source; /* NULL: none is available */
    const struct krylov_partition *facts;     /* set by resolve; NULL: a grid */
    const struct fr_saved_run *run;           /* whose computation serves; NULL: none */
};
enum krylov_stencil_kind { KRYLOV_STAR, KRYLOV_BOX };
enum krylov_grid_shape { KRYLOV_BALANCED, KRYLOV_FITTED };
extern const char *const krylov_stencils[], *const krylov_grid_shapes[];

const struct krylov_solver *krylov_solve_solver(const struct krylov_solve *v);
/* Of resolved values; before that its points are those given. */
struct krylov_stencil krylov_solve_stencil(const struct krylov_solve *v);
/* The hooks of struct fr_model. */
void krylov_solve_check_given(const void *values, struct fr_faults *faults);
int krylov_solve_resolve(void *values, const struct fr_calibration *cal, struct fr_faults *faults);

struct krylov_kernels krylov_solve_kernels(const struct krylov_solve *v,
                                           const struct fr_calibration *cal);
/* What the processes hold.  FR_OK, or a code with a fault in run->faults. */
int krylov_solve_problem(const struct krylov_solve *v, struct fr_evaluation *run,
                         struct krylov_problem *out);
/* By the calibration alone; without a warning of what is estimated, and without multigrid, which
 * krylov_solve_cycle prices. */
struct krylov_estimate krylov_solve_estimate(const struct krylov_solve *v,
                                             struct fr_evaluation *run,
                                             const struct krylov_bytes *bytes);

/* The hooks of struct fr_model for saved runs (docs/models/krylov_problem.md#saved-runs). */
void krylov_solve_set_run(void *values, const struct fr_saved_run *run);
size_t krylov_solve_nearest_run(const void *values, const struct fr_saved_run *const *run,
                                size_t count, const struct fr_calibration *cal,
                                struct fr_arena *arena);
/* Corrects the estimate by what the run measured over its own estimate, with warnings of what is
 * estimated or transferred; returns the basis: measured, transferred or estimated. */
const char *krylov_solve_correct(const struct krylov_solve *v, struct fr_evaluation *run,
                                 struct krylov_estimate *each);

#endif
