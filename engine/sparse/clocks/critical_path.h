/* The longest chain of panels that depend on each other
 * (docs/models/sparse_lu.md#lower-bounds).
 *
 * Supernode k is factored, L(:,k) is sent, U(k,j) is solved and sent, and then block (j,j) can be
 * updated and supernode j factored, if L(j,k) and U(k,j) both exist; of several forests, if that of
 * j is the forest of k or above it.
 */
#ifndef FR_SPARSE_CRITICAL_PATH_H
#define FR_SPARSE_CRITICAL_PATH_H

#include "engine/sparse/structure/forests.h"
#include "engine/sparse/structure/grid.h"

struct sparse_critical_path {
    const struct sparse_forests *forests; /* borrowed; NULL: one */
    double *end_s;                        /* N: when k can be factored, then when it is */
    double *solved_s;   /* Pc: from the factored diagonal block to the solved U(k,:) */
    double *received_s; /* Pc: from there to the other process rows */
    double longest_s;
};

/* FR_OK, or FR_NOMEM.  Free with sparse_critical_path_free, which accepts a zeroed struct. */
int sparse_critical_path_init(struct sparse_critical_path *path, const struct sparse_structure *s,
                              struct sparse_grid grid, const struct sparse_forests *forests);
void sparse_critical_path_free(struct sparse_critical_path *path);
/* The owner of diagonal block k factors it; k ascends from call to call. */
void sparse_critical_path_factor(struct sparse_critical_path *path, int32_t k, double factor_s);
/* Row k is solved: solved_s and received_s have been set.  O(blocks of k). */
void sparse_critical_path_solve(struct sparse_critical_path *path, const struct sparse_structure *s,
                                struct sparse_grid grid, int32_t k);

#endif
