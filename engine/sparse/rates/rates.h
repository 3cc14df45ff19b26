/* Times of the work of a sparse factorization. */
#ifndef FR_SPARSE_RATES_H
#define FR_SPARSE_RATES_H

#include "engine/calibration/calibration.h"
#include "engine/core/fault.h"
#include "engine/sparse/counts/work_counts.h"
#include "engine/sparse/structure/structure.h"

/* Measured rates of a routine over its sizes, for the kernel model `calibrated`
 * (docs/models/sparse_lu.md#rate-tables). */

enum { SPARSE_MAX_SIZES = 64, SPARSE_MAX_AXES = 3 };

/* A table with a rate for each combination of its sizes. */
struct sparse_rates {
    size_t axes;
    struct sparse_axis {
        size_t count;
        double log2_size[SPARSE_MAX_SIZES]; /* ascending */
        double least, most;                 /* sizes, not logarithms */
        double outside_s, value; /* time of the sizes outside, and the size furthest outside */
    } axis[SPARSE_MAX_AXES];
    double *log_rate; /* the last axis fastest */
    double time_s;    /* of all look-ups */
};

/* Makes a table from rows in any order, which must have exactly the sizes of the routine (dgemm
 * m n k; dger and dtrsm m n; dtrsv n).  FR_OK, or FR_GROUP_MISSING or FR_NOMEM with a fault of
 * `calibration`.  Free with sparse_rates_free, which accepts a zeroed struct. */
int sparse_rates_init(struct sparse_rates *rates, enum fr_routine routine,
                      const struct fr_kernel *kernel, struct fr_faults *faults);
void sparse_rates_free(struct sparse_rates *rates);
/* Seconds of `flops` operations at the rate of these sizes, one for each axis, each at least 1. */
double sparse_rates_s(struct sparse_rates *rates, double flops, const double *size);
/* Records a look-up of these sizes whose result the caller has kept. */
void sparse_rates_note(struct sparse_rates *rates, const double *size, double time_s);

/* Times of the kernels of a factorization, from measured rate tables
 * (docs/models/sparse_lu.md#rate-tables). */

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

/* Products of single blocks, whose sizes repeat and whose look-ups would take most of a count. */

struct sparse_products;

/* NULL if memory is short; free with sparse_products_free, which accepts NULL. */
struct sparse_products *sparse_products_new(void);
void sparse_products_free(struct sparse_products *products);
/* As sparse_dgemm_s. */
double sparse_product_s(struct sparse_products *products, struct sparse_tables *tables, int32_t m,
                        int32_t n, int32_t k);

/* The kernel model `calibrated` (docs/models/sparse_lu.md#calibrated-kernel-model): measured rate
 * tables and six fitted constants c1 to c6.
 *
 * Amounts are stored per constant.  Their sums are the equations of the fit, and the constants can
 * change without a new pass over the structure.
 */

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
