/* The parts of a complete simulation, and what they share. */
#ifndef FR_SPARSE_SIMULATE_PARTS_H
#define FR_SPARSE_SIMULATE_PARTS_H

#include "engine/sparse/counts/work.h"
#include "engine/sparse/rates/tables.h"
#include "engine/sparse/simulate.h"

/* The factorization with the overlaps of the paper or with a look-ahead window, and the triangular
 * solves; as sparse_simulate, which calls them.  Each charges the request for its passes over all
 * steps first; a refusal refunds them. */
int sparse_simulate_overlaps(struct sparse_simulation *of, struct fr_evaluation *run);
int sparse_simulate_window(struct sparse_simulation *of, struct fr_evaluation *run);
int sparse_simulate_solve(struct sparse_simulation *of, struct fr_evaluation *run);

/* Divides the supernodes among the layers.  The steps depend on the trees, so that they are charged
 * afterwards.  FR_OK, or a code with a fault. */
int sparse_find_forests(struct sparse_simulation *of, struct fr_evaluation *run);
/* The forests of the layers; NULL: one layer. */
static inline const struct sparse_forests *sparse_forests_of(const struct sparse_simulation *of)
{
    return of->layers > 1 ? &of->forests : NULL;
}

/* Charges the request for steps.  FR_OK, or FR_TOO_LONG with a fault. */
int sparse_spend(const struct sparse_simulation *of, double steps, const struct fr_evaluation *run);
/* Charges it for all that a part demands, or for nothing. */
int sparse_admit(const struct sparse_simulation *of, const struct sparse_demand *demand,
                 const struct fr_evaluation *run);
/* FR_NOMEM with a fault. */
int sparse_no_memory(const struct fr_evaluation *run);
/* Warns of each axis whose sizes outside it take more than 1 % of the time of the routine. */
void sparse_warn_of_tables(struct fr_prediction *out, const struct sparse_tables *tables);

#endif
