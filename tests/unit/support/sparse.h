/* Sparse LU in tests: structures and parameters of the golden file, random structures. */
#ifndef FR_TEST_SPARSE_H
#define FR_TEST_SPARSE_H

#include "engine/sparse/clocks/clocks.h"
#include "engine/sparse/counts/work_counts.h"
#include "tests/unit/support/golden.h"
#include "tests/unit/support/sparse_patterns.h"

#include <jansson.h>

/* A machine and a network of the golden file, converted from cycles and doubles to seconds and
 * bytes. */
struct sparse_setting {
    double clock_hz;
    struct sparse_machine machine;
    struct sparse_network network;
};
struct sparse_setting sparse_setting_of(json_t *params);
/* A structure of the golden file, without checks. */
struct sparse_structure *sparse_structure_of(json_t *document);
/* The same, after successful checks. */
struct sparse_structure *sparse_valid(struct sparse_structure *s);

/* Provides structures by name, or by name and ordering, and counts work without a cache. */
struct sparse_shelf {
    struct fr_structure_source source;
    struct {
        const char *name, *ordering; /* NULL: any ordering */
        const struct sparse_structure *s;
    } of[8];
    size_t count;
    int counted, allowed, lent; /* so far; so far; at this moment */
    int most;                   /* limit on the counts; 0: none */
};
void sparse_shelf_begin(struct sparse_shelf *shelf);
void sparse_shelf_add(struct sparse_shelf *shelf, const char *name, const char *ordering,
                      const struct sparse_structure *s);

/* Counts and simulates the clocks in one call. */
struct sparse_result {
    struct sparse_totals totals;
    struct sparse_times times;
    double clock_s[64], load_s[64];
};
struct sparse_result sparse_run(const struct sparse_structure *s, struct sparse_grid grid,
                                const struct sparse_setting *setting);

#endif
