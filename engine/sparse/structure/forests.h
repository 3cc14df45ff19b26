/* The forests of supernodes on a three-dimensional grid (docs/models/sparse_lu.md#layers).
 *
 * 2^d layers are grids of the same size.  Each layer factors a forest of level 0; of level l there
 * is one forest for 2^l neighboring layers, and the first of them factors it.  Each layer holds a
 * copy of the blocks of all forests above its own.
 */
#ifndef FR_SPARSE_FORESTS_H
#define FR_SPARSE_FORESTS_H

#include "engine/sparse/structure/structure.h"

#include <stdbool.h>

enum { SPARSE_MAX_LAYERS = 64 };

/* Forests are numbered by level: layer z has forest z of level 0; the last forest has the roots. */
struct sparse_forests {
    int32_t layers; /* a power of 2 */
    int32_t count;  /* 2 layers - 1 */
    int32_t *of;    /* N: the forest of each supernode */
    double steps;   /* of the division, to be charged */
};

/* Divides the supernodes so that the useful operations on the longest path are few.  Integers are
 * exact below 2^53 operations.  FR_OK; FR_NOMEM or FR_TOO_LONG (a structure of many small trees)
 * without a fault.  Free with sparse_forests_free, which accepts a zeroed struct. */
int sparse_forests_init(struct sparse_forests *forests, const struct sparse_structure *s,
                        int32_t layers);
void sparse_forests_free(struct sparse_forests *forests);

/* The forest one level above; the last one has none. */
static inline int32_t sparse_forest_above(const struct sparse_forests *forests, int32_t forest)
{
    return forests->layers + forest / 2;
}

/* Whether `upper` is `forest` or above it. */
static inline bool sparse_forest_reaches(const struct sparse_forests *forests, int32_t forest,
                                         int32_t upper)
{
    while (forest < upper)
        forest = sparse_forest_above(forests, forest);
    return forest == upper;
}

#endif
