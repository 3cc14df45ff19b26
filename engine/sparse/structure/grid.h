/* A grid of Pr x Pc processes: block (i,j) belongs to (i mod Pr, j mod Pc), rank pr Pc + pc. */
#ifndef FR_SPARSE_GRID_H
#define FR_SPARSE_GRID_H

#include <stdint.h>

enum { SPARSE_MAX_PROCESSES = 65536 };

struct sparse_grid {
    int32_t rows, columns; /* Pr, Pc */
};

static inline int64_t sparse_processes(struct sparse_grid grid)
{
    return (int64_t)grid.rows * grid.columns;
}

#endif
