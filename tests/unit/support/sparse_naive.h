/* A direct implementation of the pseudocode
 * (docs/models/sparse_lu.md#work-of-one-process-in-one-step to #event-overlap) without the engine's
 * shortcuts, for small structures and grids. */
#ifndef FR_TEST_SPARSE_NAIVE_H
#define FR_TEST_SPARSE_NAIVE_H

#include "tests/unit/support/sparse.h"

enum { NAIVE_PROCESSES = 64, NAIVE_SUPERNODES = 64 };

/* One operation of one process. */
struct naive_operation {
    bool is_there;
    double flops, loads, stores, misses[SPARSE_MAX_LEVELS];
};
/* FACTOR, SOLVE, UPDATE_NEXT, UPDATE_REST of each step; the factor time of column k is at index
 * k. */
struct naive_counts {
    struct naive_operation of[NAIVE_SUPERNODES][4];
};

void naive_count(const struct sparse_structure *s, struct sparse_grid grid,
                 const struct sparse_machine *machine, int32_t rank, struct naive_counts *out);
/* Equation 13 for one operation. */
double naive_operation_s(const struct naive_operation *operation,
                         const struct sparse_machine *machine);

struct naive_times {
    double clock_s[NAIVE_PROCESSES], computation_s[NAIVE_PROCESSES], load_s[NAIVE_PROCESSES];
    double critical_load_s;
};
void naive_walk(const struct sparse_structure *s, struct sparse_grid grid,
                const struct sparse_machine *machine, const struct sparse_network *network,
                const struct naive_counts *counts, struct naive_times *out);

#endif
