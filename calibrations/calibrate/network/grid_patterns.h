/* The operations of the patterns that are defined elsewhere than their table.  Each runs on all
 * processes of the grid, and returns its number of repetitions.
 */
#ifndef FR_GRID_PATTERNS_H
#define FR_GRID_PATTERNS_H

#include "calibrations/calibrate/network/grid.h"

enum { FR_PATTERN_TIMES = 8 };  /* repetitions of an operation */
enum { FR_PATTERN_BLOCKS = 4 }; /* blocks of a broadcast in the patterns `_four` */

/* A pause in place of a kernel, long enough for the messages of one step to end before those of the
 * next begin: messages that share a network are seldom slower. */
double fr_pattern_pause_s(int bytes);
/* Pauses if `is_here`; other processes wait for those that pause. */
void fr_pattern_pause(const struct fr_grid *grid, bool is_here, double pause_s);

int fr_pattern_shift_row(const struct fr_grid *grid, int bytes);
int fr_pattern_shift_column(const struct fr_grid *grid, int bytes);
int fr_pattern_shift_pair(const struct fr_grid *grid, int bytes);
int fr_pattern_distribute(const struct fr_grid *grid, int bytes);
int fr_pattern_reduce_layers(const struct fr_grid *grid, int bytes);
int fr_pattern_replicate_layers(const struct fr_grid *grid, int bytes);

/* All messages of Cannon: distribution, the shifts of a layer's steps, and the sum over the layers.
 * The shifts follow each other; or both run at once without a product; or products hide them. */
int fr_pattern_cannon(const struct fr_grid *grid, int bytes);
int fr_pattern_cannon_pairs(const struct fr_grid *grid, int bytes);
int fr_pattern_cannon_hidden(const struct fr_grid *grid, int bytes);

/* All messages of SUMMA with one block per process. */
int fr_pattern_summa(const struct fr_grid *grid, int bytes);

/* Mean of the last q steps of TRSM and of Cholesky, and the latter with late processes off the
 * diagonal; with four blocks of each operand in a step. */
int fr_pattern_solve_steps(const struct fr_grid *grid, int bytes);
int fr_pattern_solve_steps_four(const struct fr_grid *grid, int bytes);
int fr_pattern_factor_steps(const struct fr_grid *grid, int bytes);
int fr_pattern_factor_steps_late(const struct fr_grid *grid, int bytes);
int fr_pattern_factor_steps_four(const struct fr_grid *grid, int bytes);

/* The same with overlap: broadcasts for the next step run while processes update, SUMMA's without
 * products, and Cholesky's while none but the next process column computes. */
int fr_pattern_broadcast_both_ahead(const struct fr_grid *grid, int bytes);
int fr_pattern_solve_steps_ahead(const struct fr_grid *grid, int bytes);
int fr_pattern_factor_steps_ahead(const struct fr_grid *grid, int bytes);
int fr_pattern_factor_steps_ahead_four(const struct fr_grid *grid, int bytes);

#endif
