/* Fronts of the elimination tree, and the memory of MUMPS. */
#ifndef FR_SPARSE_MULTIFRONTAL_H
#define FR_SPARSE_MULTIFRONTAL_H

#include "engine/core/fault.h"

#include <stdint.h>

/* Symbolic elimination of a pattern in a given order, with supervariables
 * (docs/models/multifrontal.md#elimination). */

/* A front before fronts are merged: its first pivot, all its pivots, and the columns in it. */
struct sparse_pivot {
    int32_t column;
    int32_t parent; /* place in the list of the front that absorbs it; -1: a root */
    int32_t pivots, order;
};

/* In the order of elimination. */
struct sparse_elimination {
    int32_t count;
    struct sparse_pivot *pivot;
};

/* Eliminates the columns of A+A', column j as number place[j], as MUMPS 5.5 does where it is given
 * an order: columns that add nothing to the front of a pivot are eliminated with it.  FR_OK, or
 * FR_NOMEM with a fault; free with sparse_elimination_free.  Memory: 84 bytes per column, 16 per
 * entry, 8 per index of a front. */
int sparse_eliminate(struct sparse_elimination *found, int32_t n, const int32_t *column_at,
                     const int32_t *row, const int32_t *place, struct fr_faults *faults);
void sparse_elimination_free(struct sparse_elimination *found);

/* The assembly tree of a multifrontal LU factorization (docs/models/multifrontal.md).
 *
 * A front of order m with p pivots holds m^2 entries.  p (2 m - p) of them become factors; the
 * other (m - p)^2 are its block, which waits on a stack until the parent's front is assembled.
 */

struct sparse_front {
    int32_t parent; /* -1: a root */
    int32_t pivots, order;
};

/* In the order in which one process factorizes them: a postorder. */
struct sparse_fronts {
    int32_t count;
    struct sparse_front *front;
};

/* Counts of the whole tree. */
struct sparse_multifrontal {
    int64_t fronts, largest_front;
    int64_t factor_entries; /* of L and U, explicit zeros included */
    double flops;           /* of the elimination, not of the assembly */
};

/* Divisions, multiplications and additions of eliminating `pivots` in a front (section 2). */
double sparse_front_flops(double order, double pivots);

/* Finds the fronts of A+A' in an order of elimination: column j is number place[j], from 0.  Merges
 * fronts as MUMPS 5.5 does, and orders children so that the stack stays small.  FR_OK, or FR_NOMEM
 * with a fault; free with sparse_fronts_free.  O(entries + indices of the fronts), usually. */
int sparse_fronts_make(struct sparse_fronts *fronts, int32_t n, const int32_t *column_at,
                       const int32_t *row, const int32_t *place, struct fr_faults *faults);
void sparse_fronts_free(struct sparse_fronts *fronts);

struct sparse_multifrontal sparse_multifrontal_count(const struct sparse_fronts *fronts);

/* The fronts of a multifrontal factorization divided among processes
 * (docs/models/multifrontal.md#processes). */

enum { SPARSE_FRONT_PROCESSES_MOST = 1024 };

/* What the fullest process needs at once, and the sum of what each needs. */
struct sparse_front_share {
    int64_t processes;
    int64_t most_entries, all_entries; /* factors, and the stack at the fullest moment */
    int64_t most_indices, all_indices; /* of the factors, with the heads of fronts */
};

/* Deals subtrees of similar work to the processes, the fronts above them to the one with least
 * work, and divides the large ones of these evenly; adds up factors and stack of each process in
 * the order of the fronts.  `processes`: 1 to SPARSE_FRONT_PROCESSES_MOST.  FR_OK, or FR_NOMEM with
 * a fault.  O(fronts log(fronts) + divided fronts * processes). */
int sparse_fronts_share(const struct sparse_fronts *fronts, int64_t processes,
                        struct sparse_front_share *share, struct fr_faults *faults);

/* The memory that MUMPS 5.5 asks for (docs/models/multifrontal.md#memory-of-mumps). */

/* MUMPS's default, the most that is considered, and the most processes that were compared. */
enum { SPARSE_MUMPS_RELAX = 20, SPARSE_MUMPS_RELAX_MOST = 1000, SPARSE_MUMPS_PROCESSES = 8 };

/* A matrix of double precision words, its tree, and the share of the processes. */
struct sparse_mumps {
    int64_t n, entries; /* of the matrix */
    struct sparse_multifrontal tree;
    struct sparse_front_share share;
};

/* Bytes. */
struct sparse_mumps_memory {
    double most; /* of the process that needs most: INFOG(16) */
    double all;  /* of all processes: INFOG(17) */
};

/* What MUMPS estimates after its analysis for a factorization in core. `relax_percent`: ICNTL(14),
 * 0 to SPARSE_MUMPS_RELAX_MOST. */
struct sparse_mumps_memory sparse_mumps_memory(const struct sparse_mumps *mumps,
                                               int64_t relax_percent);

/* The largest ICNTL(14) with which each process needs at most `bytes`; -1: none. */
int64_t sparse_mumps_relax(const struct sparse_mumps *mumps, double bytes);

/* What INFOG(16) may be, by the errors seen (docs/models/multifrontal.md#accuracy).  `ordering`: of
 * sparse_orderings. */
struct sparse_mumps_range {
    double low, high; /* bytes */
};
struct sparse_mumps_range sparse_mumps_errors(const struct sparse_mumps *mumps, int ordering,
                                              int64_t relax_percent);

#endif
