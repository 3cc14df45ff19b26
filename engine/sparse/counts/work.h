/* Bounds on the work and the memory of a simulation, found before it starts, because a client
 * chooses structure and grid (docs/models/sparse_lu.md#work-of-a-simulation). */
#ifndef FR_SPARSE_WORK_H
#define FR_SPARSE_WORK_H

#include "engine/sparse/structure/grid.h"
#include "engine/sparse/structure/structure.h"

/* Upper bounds on the operations of all processes. */
struct sparse_work {
    double panels, updates; /* factor and solve; update_next and update_rest */
};

/* Finds the bounds.  O(N). */
void sparse_work_find(const struct sparse_structure *s, struct sparse_grid grid,
                      struct sparse_work *out);
/* An upper bound on the bytes of these operations with so many words each. */
double sparse_work_bytes(const struct sparse_work *work, const struct sparse_structure *s,
                         struct sparse_grid grid, size_t panel_terms, size_t update_terms);

/* Work in the steps that a request may spend (fr_arena_afford), measured: of sparse_work_find; of
 * the passes of clocks.c and memory.c over all steps and processes; of the operations in these
 * passes. */
double sparse_find_steps(const struct sparse_structure *s);
double sparse_walk_steps(const struct sparse_structure *s, struct sparse_grid grid);
double sparse_operation_steps(const struct sparse_work *work);

/* The work of a simulation in block updates, its memory, and the steps of its walk: with a
 * look-ahead window, and of a triangular solve. */
struct sparse_demand {
    double updates, bytes, steps;
};
struct sparse_demand sparse_window_demand(const struct sparse_structure *s, struct sparse_grid grid,
                                          int32_t window);
/* What several layers add to steps and bytes: forests, clocks, and the panels that they pass on. */
struct sparse_demand sparse_layers_demand(const struct sparse_structure *s, struct sparse_grid grid,
                                          int32_t layers);
struct sparse_demand sparse_solve_demand(const struct sparse_structure *s, struct sparse_grid grid);

/* Work in block updates, each about twelve steps: of counting through caches, and of look-ups in
 * rate tables. */
double sparse_paper_updates(const struct sparse_structure *s, struct sparse_grid grid);
double sparse_calibrated_updates(const struct sparse_work *work, const struct sparse_structure *s);

#endif
