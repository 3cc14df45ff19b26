/* What simulating a grid takes, found before it is done: a client chooses structure and grid. */
#ifndef FR_SPARSE_WORK_H
#define FR_SPARSE_WORK_H

#include "engine/sparse/grid.h"
#include "engine/sparse/structure.h"

/* Charges of all processes, at most. */
struct sparse_work {
    double panels, updates;
};

/* O(N). */
void sparse_work_find(const struct sparse_structure *s, struct sparse_grid grid,
                      struct sparse_work *out);
/* What charges of so many words each take in memory, at most. */
double sparse_work_bytes(const struct sparse_work *work, const struct sparse_structure *s,
                         struct sparse_grid grid, size_t panel_words, size_t update_words);

/* Steps of fr_arena_spend, measured: of sparse_work_find; of the walks over all steps and processes
 * (clocks.c, memory.c), to which their charges add. */
double sparse_find_steps(const struct sparse_structure *s);
double sparse_walk_steps(const struct sparse_structure *s, struct sparse_grid grid);
double sparse_charge_steps(const struct sparse_work *work);

/* The work in updates of blocks, one of which takes as long as a dozen steps: counting them all
 * through caches, or charging from tables. */
double sparse_paper_updates(const struct sparse_structure *s, struct sparse_grid grid);
double sparse_calibrated_updates(const struct sparse_work *work, const struct sparse_structure *s);

#endif
