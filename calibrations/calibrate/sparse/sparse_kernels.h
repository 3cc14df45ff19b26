/* The results of the benchmark sparse_kernels for sparse_fit. */
#ifndef FR_BENCH_SPARSE_KERNELS_H
#define FR_BENCH_SPARSE_KERNELS_H

#include "engine/forerun.h"

/* Whether all tables for sparse LU were measured.  `kernels` receives them, indexed by routine;
 * borrowed until the program ends. */
bool fr_sparse_kernels_find(struct fr_kernel kernels[FR_ROUTINES]);

#endif
