/* The memory that MUMPS 5.5 asks for (docs/models/multifrontal.md#memory-of-mumps). */
#ifndef FR_SPARSE_MUMPS_H
#define FR_SPARSE_MUMPS_H

#include "engine/multifrontal/front_mapping.h"

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
