/* What a Krylov solve performs, summed over its schedule. */
#ifndef FR_SOLVER_COUNTS_H
#define FR_SOLVER_COUNTS_H

#include "engine/krylov/solvers/solvers.h"

#include <jansson.h>

struct solver_counts {
    double matvecs, preconditioners, words;
    json_t *reductions; /* how many of each size; non-blocking ones with an `i` */
};

/* The solver of this name, which there must be. */
const struct krylov_solver *solver_named(const char *name);
/* Release the reductions with json_decref. */
struct solver_counts solver_counts(const struct krylov_solver *solver, int64_t iterations,
                                   int64_t restart);

#endif
