/* The work of each process under a look-ahead window, in amounts of six constants
 * (docs/models/sparse_lu.md#work-with-a-window).
 *
 * Amounts depend on structure, grid, window, schedule and rate tables; not on constants, network or
 * clocks, which can change without a new pass over the structure.
 */
#ifndef FR_SPARSE_WINDOW_WORK_H
#define FR_SPARSE_WINDOW_WORK_H

#include "engine/sparse/clocks/schedule.h"
#include "engine/sparse/clocks/shares.h"
#include "engine/sparse/rates/calibrated.h"

enum { SPARSE_MAX_LOOKAHEAD = 49 }; /* the library's limit */

/* An update by one process, of one block column within the window or of all others. */
struct sparse_update {
    double gemm_s;   /* from the rate tables */
    double elements; /* copied and scattered */
    double blocks;   /* destinations, each with its share of the search for it */
    double columns;  /* pairs of a row block and a column of its destination */
    double supernodes;
};

/* Updates of k begin at update[update_at[k]]: first those of each block column within the window,
 * in the order of `ahead`, by the shares of L with rows; then those of each share of U, likewise,
 * with the block columns beyond the window. */
struct sparse_window_work {
    const struct sparse_shares *shares; /* borrowed, like the schedule */
    const struct sparse_schedule *schedule;
    int32_t window;     /* look-ahead panels w */
    double *diagonal_s; /* N: the dgers of the diagonal block */
    double *column_s;   /* by share of L: the dtrsm of its owner */
    double *solve_s;    /* by share of U: the dtrsvs of its owner */
    struct sparse_ahead ahead;
    size_t *update_at; /* N + 1 */
    struct sparse_update *update;
    struct sparse_sums sums; /* over all processes */
    double updates, updates_ahead;
};

/* The work of all supernodes; `tables` record look-ups outside their
 * sizes.  FR_OK, or FR_NOMEM without a fault.  Free with sparse_window_work_free, which accepts a
 * zeroed struct. */
int sparse_window_work_init(struct sparse_window_work *work, const struct sparse_shares *shares,
                            const struct sparse_schedule *schedule, int32_t window,
                            struct sparse_tables *tables);
void sparse_window_work_free(struct sparse_window_work *work);

#endif
