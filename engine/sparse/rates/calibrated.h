/* The kernel model `calibrated` (docs/models/sparse_lu.md#calibrated-kernel-model): measured rate
 * tables and six fitted constants c1 to c6.
 *
 * Amounts are stored per constant.  Their sums are the equations of the fit, and the constants can
 * change without a new pass over the structure.
 */
#ifndef FR_SPARSE_CALIBRATED_H
#define FR_SPARSE_CALIBRATED_H

#include "engine/sparse/counts/work_counts.h"
#include "engine/sparse/rates/tables.h"

enum { SPARSE_CALIBRATED_PANEL_TERMS = 2, SPARSE_CALIBRATED_UPDATE_TERMS = 5 };

/* c1 to c6. */
struct sparse_fit {
    double gemm, panel, scatter_s, block_s, column_s, supernode_s;
};

/* The work of every process; `tables` record look-ups outside their sizes.  NULL with a fault
 * (FR_RANGE, FR_NOMEM); free with sparse_work_counts_free.  O(blocks + N P). */
struct sparse_work_counts *sparse_work_counts_calibrated(const struct sparse_structure *s,
                                                         struct sparse_grid grid,
                                                         struct sparse_tables *tables,
                                                         struct fr_faults *faults);
/* The constants as costs. */
struct sparse_costs sparse_costs_calibrated(const struct sparse_fit *fit);

/* Amounts per constant for a single process.  FR_OK, or FR_NOMEM with a fault. */
int sparse_calibrated_sums(const struct sparse_structure *s, struct sparse_tables *tables,
                           struct sparse_sums *out, struct fr_faults *faults);
/* Seconds of a single process: the amounts weighted with the constants. */
double sparse_sums_s(const struct sparse_sums *sums, const struct sparse_fit *fit);

#endif
