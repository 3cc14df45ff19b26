/* The work of each process in each step, counted but not timed
 * (docs/models/sparse_lu.md#work-of-one-process-in-one-step).
 *
 * An operation is a few numbers, its terms; their sum weighted with struct sparse_costs is a time.
 * The terms of a process are stored in the order of its operations,
 *
 *     factor(0); for each k: solve(k), update(k; j = k + 1), factor(k + 1), update(k; other j)
 *
 * and a byte per step tells which of these exist.  Latencies, the network and the overlap can
 * change without a new count; g and a_1 as far as sparse_work_counts_hold allows.  Memory: a byte
 * per process and step, and 8 bytes per term.
 */
#ifndef FR_SPARSE_WORK_COUNTS_H
#define FR_SPARSE_WORK_COUNTS_H

#include "engine/sparse/counts/bounds.h"
#include "engine/sparse/counts/kernels.h"
#include "engine/sparse/structure/grid.h"
#include "engine/sparse/structure/structure.h"

/* The operations of a step. */
enum sparse_operation {
    SPARSE_FACTOR = 1,
    SPARSE_SOLVE = 2,
    SPARSE_UPDATE_NEXT = 4, /* j = k + 1 */
    SPARSE_UPDATE_REST = 8,
};

enum { SPARSE_MAX_TERMS = 2 + SPARSE_MAX_LEVELS };

/* The cost in seconds of each term of factor and solve (panel) and of updates.  Terms of the kernel
 * model `paper`: loads and stores, then misses of each level; updates begin with the flops of
 * dgemm. `calibrated`: the members of struct sparse_sums. */
struct sparse_costs {
    size_t panel_terms, update_terms;
    double panel[SPARSE_MAX_TERMS], update[SPARSE_MAX_TERMS];
};

/* Counts over all steps of a process, or over all processes. */
struct sparse_totals {
    double flops_dgemm, loads, stores;
    double inner_loads;               /* besides, as struct sparse_counts has them */
    double misses[SPARSE_MAX_LEVELS]; /* lines, innermost level first */
    double dgemms_flops_bound, dgemms_memory_bound, updates;
};

/* The factors of the constants c1 to c6
 * (docs/models/sparse_lu.md#calibrated-kernel-model). */
struct sparse_sums {
    double gemm_s, panel_s; /* from the rate tables */
    double elements;        /* scattered elements */
    double pairs;           /* pairs of a row block and a column block */
    double columns;         /* pairs of a row block and a column */
    double supernodes;      /* supernodes with work */
};

/* The counted work of one process. */
struct sparse_process {
    uint8_t *has; /* borrowed; for each step, bits of enum sparse_operation; FACTOR of column k is
                     at k */
    double *term;
    size_t terms, room;
    struct sparse_totals totals; /* paper */
    struct sparse_sums sums;     /* calibrated */
    /* Every dgemm keeps its kind while low <= a_1 / g < high. */
    double low, high;
};

struct sparse_work_counts {
    const struct sparse_structure *s;
    struct sparse_grid grid;
    struct sparse_machine machine; /* of the kernel model `paper` */
    size_t panel_terms, update_terms;
    struct sparse_process *process; /* one for each rank */
    uint8_t *has;                   /* of all processes, in one allocation */
    struct sparse_bounds bounds;    /* set by sparse_work_counts_bound */
};

/* Empty counts for every process of a grid; borrows the structure.  NULL with a fault (FR_RANGE,
 * FR_NOMEM).  Free with sparse_work_counts_free, which accepts NULL. */
struct sparse_work_counts *sparse_work_counts_new(const struct sparse_structure *s,
                                                  struct sparse_grid grid, size_t panel_terms,
                                                  size_t update_terms, struct fr_faults *faults);
void sparse_work_counts_free(struct sparse_work_counts *counts);
/* Starts the count of a process. */
void sparse_process_begin(struct sparse_process *process);
/* Appends the terms of an operation of step k.  FR_OK or FR_NOMEM. */
int sparse_process_add(struct sparse_process *process, int32_t k, enum sparse_operation operation,
                       const double *term, size_t terms);
/* Ends the count; frees memory that was not needed. */
void sparse_process_end(struct sparse_process *process);

/* ---- kernel model `paper` ---- */

/* As sparse_work_counts_new, for a machine that passed sparse_machine_check. */
struct sparse_work_counts *sparse_work_counts_paper(const struct sparse_structure *s,
                                                    struct sparse_grid grid,
                                                    const struct sparse_machine *machine,
                                                    struct fr_faults *faults);

/* Sets the bounds on the cache misses of a single process.  FR_OK, or FR_NOMEM with a fault. */
int sparse_work_counts_bound(struct sparse_work_counts *counts, struct fr_faults *faults);

/* Whether a count for another machine would give the same result. */
bool sparse_work_counts_hold(const struct sparse_work_counts *counts,
                             const struct sparse_machine *other);
/* Eq. 13 as costs: g for flops, a_1 for loads and stores, a_(q+1) - a_q for misses of level q
 * (docs/models/sparse_lu.md#sequential-time). */
struct sparse_costs sparse_costs_paper(const struct sparse_machine *machine);
/* The sum over all processes. */
struct sparse_totals sparse_work_counts_totals(const struct sparse_work_counts *counts);
/* Eq. 13: seconds of all counted work on one process. */
double sparse_totals_s(const struct sparse_totals *totals, const struct sparse_machine *machine);

#endif
