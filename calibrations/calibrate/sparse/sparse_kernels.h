/* What the benchmark sparse_kernels leaves for the one that fits with it. */
#ifndef FR_BENCH_SPARSE_KERNELS_H
#define FR_BENCH_SPARSE_KERNELS_H

#include "engine/forerun.h"

/* Whether all tables that sparse LU needs were measured; `kernels` then has them, by routine, until
 * the program ends. */
bool fr_sparse_kernels_find(struct fr_kernel kernels[FR_ROUTINES]);

#endif
