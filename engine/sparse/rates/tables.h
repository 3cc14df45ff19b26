/* Times of the kernels of a factorization, from measured rate tables
 * (docs/models/sparse_lu.md#rate-tables). */
#ifndef FR_SPARSE_TABLES_H
#define FR_SPARSE_TABLES_H

#include "engine/sparse/rates/rates.h"
#include "engine/sparse/structure/structure.h"

struct sparse_tables {
    struct sparse_rates dgemm, dtrsm, dger, dtrsv;
};

/* Makes the tables from the `kernels` of a calibration, indexed by enum fr_routine.  FR_OK, or
 * FR_GROUP_MISSING with faults of `calibration` that name everything missing.  Free with
 * sparse_tables_free. */
int sparse_tables_init(struct sparse_tables *tables, const struct fr_kernel *kernels,
                       struct fr_faults *faults);
void sparse_tables_free(struct sparse_tables *tables);

/* Seconds; the tables record look-ups outside their sizes. */
double sparse_dgemm_s(struct sparse_tables *tables, double m, double n, double k);
/* `rows` rows, the triangle of order w on the right; 0 without rows. */
double sparse_dtrsm_s(struct sparse_tables *tables, double rows, double w);
/* All segments of a block of U at the rate of their mean length
 * (docs/models/sparse_lu.md#rate-of-a-block-of-u-segments). */
double sparse_dtrsv_s(struct sparse_tables *tables, const struct sparse_u_block *u);

/* The dgers that factor diagonal blocks, by width. */
struct sparse_diagonals {
    double *known_s; /* by width; negative: not computed yet */
};
/* For widths up to `widest`.  FR_OK or FR_NOMEM.  Free with sparse_diagonals_free. */
int sparse_diagonals_init(struct sparse_diagonals *diagonals, int64_t widest);
void sparse_diagonals_free(struct sparse_diagonals *diagonals);
double sparse_diagonal_s(struct sparse_diagonals *diagonals, struct sparse_tables *tables,
                         int32_t width);

#endif
