/* What a solve costs: the work of its schedule at given prices
 * (docs/models/krylov_problem.md#time-of-a-solve). */
#ifndef FR_KRYLOV_TALLY_H
#define FR_KRYLOV_TALLY_H

#include "engine/krylov/halo/bounds.h"
#include "engine/krylov/solvers/solvers.h"
#include "engine/krylov/solvers/traffic.h"

/* Prices of one product, one application, one word, one halo exchange. */
struct krylov_prices {
    struct krylov_estimate each;
    struct krylov_time halo;
    double halo_bound_s; /* no exchange is faster */
    struct krylov_least least;
    /* Messages of a cycle of multigrid, beside each.preconditioner_s: without what is hidden, which
     * is the second; no cycle sends them faster than the third. */
    double cycle_s, cycle_hidden_s, cycle_bound_s;
    int progress; /* enum krylov_progress, of a non-blocking allreduce */
};

/* The start of a solve, or everything after it.  Without what is hidden, except *_hidden_s. */
struct krylov_part {
    double matvec_s, preconditioner_s, vector_s;
    double allreduce_s, allreduce_hidden_s, halo_s, halo_hidden_s, cycle_s, cycle_hidden_s;
    double matvecs, preconditioners, words, allreduces;
    double chain_s; /* no schedule is faster (docs/models/krylov.md#lower-bounds) */
};
double krylov_part_computation_s(const struct krylov_part *part);
double krylov_part_s(const struct krylov_part *part);

struct krylov_totals {
    struct krylov_part start, steps;
};
/* O(restart) allreduces for the GMRES family. */
struct krylov_totals krylov_totals(const struct krylov_values *v,
                                   const struct krylov_solver *solver, int64_t iterations,
                                   int64_t restart, const struct krylov_prices *prices,
                                   struct fr_evaluation *run);

#endif
