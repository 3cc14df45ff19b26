/* The kernel model `calibrated` (sparse-lu.md 7): times from measured tables of the kernels, and
 * six fitted constants c1 to c6. No caches are simulated.
 *
 * Charges are kept apart by constant, so that a sum over them is what a fit needs, and the
 * constants can change without charging anew.
 */
#ifndef FR_SPARSE_CALIBRATED_H
#define FR_SPARSE_CALIBRATED_H

#include "engine/sparse/rates.h"
#include "engine/sparse/work_counts.h"

enum { SPARSE_CALIBRATED_PANEL_WORDS = 2, SPARSE_CALIBRATED_UPDATE_WORDS = 5 };

struct sparse_tables {
    struct sparse_rates dgemm, dtrsm, dger, dtrsv;
};

/* c1 to c6. */
struct sparse_fit {
    double gemm, panel, scatter_s, block_s, column_s, supernode_s;
};

/* From the `kernels` of a calibration, by enum fr_routine. A code; all that is missing is among the
 * faults, as of `calibration`. Free with sparse_tables_free. */
int sparse_tables_init(struct sparse_tables *tables, const struct fr_kernel *kernels,
                       struct fr_faults *faults);
void sparse_tables_free(struct sparse_tables *tables);

/* The charges of every process; `tables` note what they were asked for. NULL with a fault. Free
 * with sparse_work_counts_free.  O(blocks + N P). */
struct sparse_work_counts *sparse_work_counts_calibrated(const struct sparse_structure *s,
                                                         struct sparse_grid grid,
                                                         struct sparse_tables *tables,
                                                         struct fr_faults *faults);
struct sparse_costs sparse_costs_calibrated(const struct sparse_fit *fit);

/* What one process alone does, constant by constant: a code. */
int sparse_calibrated_sums(const struct sparse_structure *s, struct sparse_tables *tables,
                           struct sparse_sums *out, struct fr_faults *faults);
/* The sum of all, weighted with the constants: the sequential time. */
double sparse_sums_s(const struct sparse_sums *sums, const struct sparse_fit *fit);

#endif
